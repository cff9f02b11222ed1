//! What inertial sensors feel.

use ironbird_kernel::{Outcome, Parameter, Time};
use ironbird_kinematics::{Attitude, Earth, Geodetic, ROTATION, STANDARD_GRAVITY, TangentPlane};
use ironbird_test_rig::{Rig, Setting, real, seconds, text};
use nalgebra::{Rotation3, Vector3};

/// A motion at an instant.
#[derive(Clone, Copy, Default)]
struct Moving {
    position: Vector3<f64>,
    velocity: Vector3<f64>,
    acceleration: Vector3<f64>,
    turning: Vector3<f64>,
    attitude: Attitude,
}

fn rig(settings: &[Setting<'_>], moving: &Moving) -> Rig {
    let mut rig = Rig::of(&[ironbird_kinematics::register]);
    rig.add("felt", "adapter.inertial", settings);
    for (input, value) in [
        ("position", moving.position),
        ("velocity", moving.velocity),
        ("acceleration", moving.acceleration),
        ("angular_velocity", moving.turning),
    ] {
        rig.script(input, &[(Time::ZERO, <[f64; 3]>::from(value))]);
        rig.link(&format!("{input}.out"), &format!("felt.{input}"));
    }
    rig.script("attitude", &[(Time::ZERO, moving.attitude)]);
    rig.link("attitude.out", "felt.attitude");
    rig
}

/// Specific force and angular velocity of a body that moves like this.
fn felt(settings: &[Setting<'_>], moving: &Moving) -> [Vector3<f64>; 2] {
    let outputs = ["felt.specific_force", "felt.angular_velocity"];
    let run = rig(settings, moving).run(seconds(0.001), &outputs);
    outputs.map(|output| {
        let samples = run.samples::<[f64; 3]>(output);
        let (_, last) = samples[samples.len() - 1];
        assert_eq!(samples[0].1, last, "what it shows at the start is what it shows");
        Vector3::from(last)
    })
}

fn wgs84(latitude: f64, longitude: f64) -> Vec<Setting<'static>> {
    let model: Parameter = text("wgs84");
    vec![
        ("earth.model", model),
        ("earth.origin.latitude", real(latitude)),
        ("earth.origin.longitude", real(longitude)),
    ]
}

#[test]
fn at_rest_on_the_flat_earth_it_feels_standard_gravity_upwards() {
    let [force, turning] = felt(&[], &Moving::default());
    assert_eq!(force, Vector3::new(0.0, 0.0, -STANDARD_GRAVITY));
    assert_eq!(turning, Vector3::zeros());
}

#[test]
fn on_the_flat_earth_a_body_on_its_side_feels_gravity_there() {
    let moving = Moving {
        acceleration: Vector3::new(1.0, 0.0, 0.0),
        turning: Vector3::new(0.1, 0.2, 0.3),
        attitude: Attitude::from_euler(std::f64::consts::FRAC_PI_2, 0.0, 0.0),
        ..Moving::default()
    };
    let [force, turning] = felt(&[], &moving);
    assert!((force - Vector3::new(1.0, -STANDARD_GRAVITY, 0.0)).norm() < 1e-14, "{force}");
    assert_eq!(turning, moving.turning);
}

#[test]
fn a_body_that_falls_freely_feels_nothing() {
    let acceleration = Vector3::new(0.0, 0.0, STANDARD_GRAVITY);
    let [force, _] = felt(&[], &Moving { acceleration, ..Moving::default() });
    assert_eq!(force, Vector3::zeros());
}

#[test]
fn at_rest_on_the_ellipsoid_it_feels_normal_gravity_and_the_rotation_of_the_earth() {
    let [force, turning] = felt(&wgs84(30.0, 10.0), &Moving::default());
    // Somigliana's formula at 30° N.
    assert!((force - Vector3::new(0.0, 0.0, -9.793_242_0)).norm() < 1e-5, "{force}");
    let (sin, cos) = libm::sincos(30_f64.to_radians());
    let expected = ROTATION * Vector3::new(cos, 0.0, -sin);
    assert!((turning - expected).norm() < 1e-19, "{turning}");
}

#[test]
fn at_the_equator_a_vehicle_that_goes_east_gets_lighter_by_coriolis() {
    let moving = Moving { velocity: Vector3::new(0.0, 100.0, 0.0), ..Moving::default() };
    let [force, _] = felt(&wgs84(0.0, 0.0), &moving);
    let [rest, _] = felt(&wgs84(0.0, 0.0), &Moving::default());
    // Along a straight line: the curve over the ground would add v²/R.
    let lighter = force.z - rest.z;
    assert!((lighter - 2.0 * ROTATION * 100.0).abs() < 1e-14, "{lighter}");
}

/// The motion against the stars, differentiated numerically, less gravitation.
#[test]
fn what_it_feels_is_what_newton_says_against_the_stars() {
    let origin = Geodetic::from_degrees(-52.0, 71.0, 300.0);
    let plane = TangentPlane::at(origin);
    let at = |t: f64| {
        let [a, b] = [Vector3::new(3.0, -40.0, 2.0), Vector3::new(0.4, 0.7, -0.2)];
        let start = Vector3::new(9_000.0, -7_000.0, 400.0);
        (start + a * t + b * (0.5 * t * t), a + b * t, b)
    };
    let attitude = Attitude::from_euler(0.3, -0.4, 2.0);
    let (position, velocity, acceleration) = at(0.0);
    let turning = Vector3::new(0.01, -0.02, 0.03);
    let moving = Moving { position, velocity, acceleration, turning, attitude };
    let settings = [wgs84(-52.0, 71.0), vec![("earth.origin.height", real(300.0))]].concat();
    let [force, felt_turning] = felt(&settings, &moving);

    let spun = |t: f64| Rotation3::from_axis_angle(&Vector3::z_axis(), ROTATION * t);
    let against_stars = |t: f64| spun(t) * plane.to_ecef(at(t).0);
    let step = 2.0;
    let second =
        (against_stars(step) - 2.0 * against_stars(0.0) + against_stars(-step)) / (step * step);
    let ecef = plane.to_ecef(position);
    let outwards = ROTATION * ROTATION * Vector3::new(ecef.x, ecef.y, 0.0);
    let gravity = plane.direction_to_ecef(Earth::Wgs84(plane).gravity(position));
    let expected = second - (gravity - outwards);
    let ned = attitude.to_ned(force);
    let error = (plane.direction_to_ecef(ned) - expected).norm();
    assert!(error < 2e-8, "{error:e}");

    // The attitude against the stars, a moment before and after.
    let moment = 1e-3;
    let pose = |t: f64| {
        let axes = plane.direction_to_ecef(attitude.turned(turning * t).to_ned(Vector3::x()));
        spun(t) * axes
    };
    let changed = (pose(moment) - pose(-moment)) / (2.0 * moment);
    let felt_ecef = plane.direction_to_ecef(attitude.to_ned(felt_turning));
    let error = (changed - felt_ecef.cross(&pose(0.0))).norm();
    assert!(error < 1e-10, "{error:e}");
}

#[test]
fn an_attitude_that_is_no_rotation_ends_the_run() {
    let attitude = Attitude { w: 2.0, ..Attitude::default() };
    let outcome =
        rig(&[], &Moving { attitude, ..Moving::default() }).run(seconds(0.001), &[]).outcome;
    let Outcome::Faulted(fault) = outcome else { panic!("it went on") };
    assert!(
        fault.to_string().contains("its quaternion (2, 0, 0, 0) must have length 1"),
        "{fault}"
    );
}

#[test]
fn an_earth_that_there_is_not_is_refused() {
    let refusal = Rig::of(&[ironbird_kinematics::register])
        .refusal("adapter.inertial", &[("earth.model", text("round"))]);
    assert!(
        refusal.contains("there is no \"round\"; choose one of \"flat\", \"wgs84\""),
        "{refusal}"
    );
}
