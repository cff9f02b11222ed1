//! Rovers on level ground and on slopes.

use ironbird_kinematics::{Attitude, RigidMotion};
use ironbird_plant::rover::Rover;
use ironbird_plant::vehicle::Surroundings;
use nalgebra::{UnitQuaternion, Vector3};

use super::accelerations::accelerations;
use super::integrate::Flight;

const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.80665;

/// A plane through the origin that rises to the north.
#[derive(Clone, Copy)]
struct Slope {
    angle: f64,
    rain: f64,
}

const LEVEL: Slope = Slope { angle: 0.0, rain: 0.0 };

impl Slope {
    fn around(self, motion: &RigidMotion) -> Surroundings {
        let (sine, cosine) = libm::sincos(self.angle);
        Surroundings {
            height: -motion.position.z - motion.position.x * sine / cosine,
            ground_normal: Vector3::new(-sine, 0.0, -cosine),
            rain: self.rain,
            ..Surroundings::default()
        }
    }

    /// A rover that stands on it, heading uphill but for `heading`.
    fn place(self, rover: &Rover, heading: f64) -> Flight<'_> {
        let tilt = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), self.angle);
        let attitude = tilt * Attitude::from_euler(0.0, 0.0, heading).quaternion();
        let normal = Vector3::new(-libm::sin(self.angle), 0.0, -libm::cos(self.angle));
        let position = normal * rover.resting_height();
        Flight::new(rover, RigidMotion { position, attitude, ..RigidMotion::default() })
    }
}

fn drive(flight: &mut Flight<'_>, slope: Slope, commands: [f64; 2], seconds: f64) {
    for _ in 0..(seconds / STEP).round() as usize {
        flight.step(STEP, &commands, |motion| slope.around(motion));
    }
}

fn yaw_rate(flight: &Flight<'_>) -> f64 {
    flight.motion.to_ned(&flight.motion.rates).z
}

#[test]
fn a_parked_rover_rests_on_its_springs() {
    for rover in [Rover::r1(), Rover::differential(), Rover::ackermann()].map(Result::unwrap) {
        let mut flight = LEVEL.place(&rover, 0.7);
        drive(&mut flight, LEVEL, [0.0; 2], 3.0);
        let height = -flight.motion.position.z;
        assert!((height - rover.resting_height()).abs() < 1e-3, "{height}");
        assert!(flight.motion.velocity.norm() < 1e-6, "{}", flight.motion.velocity);
        assert!(flight.motion.rates.norm() < 1e-6, "{}", flight.motion.rates);
    }
}

#[test]
fn a_rover_parked_below_the_friction_limit_does_not_creep() {
    let rover = Rover::r1().unwrap();
    // Friction 1.0: the limit is at 45 degrees.
    for (degrees, heading) in [(10.0, 0.0), (30.0, 0.0), (30.0, 1.57), (42.0, 0.5)] {
        let slope = Slope { angle: f64::to_radians(degrees), rain: 0.0 };
        let mut flight = slope.place(&rover, heading);
        drive(&mut flight, slope, [0.0; 2], 5.0);
        let (there, before) = (flight.motion.position, flight.motion.velocity.norm());
        drive(&mut flight, slope, [0.0; 2], 5.0);
        let creep = (flight.motion.position - there).norm() / 5.0;
        assert!(creep < 1e-4 && before < 1e-3, "{degrees} deg: {creep} m/s, {before} m/s");
        // It rolls back a little until the motors hold it.
        assert!(flight.motion.position.norm() < 0.8, "{}", flight.motion.position);
    }
}

#[test]
fn above_the_friction_limit_it_slides_as_friction_lets_it() {
    let rover = Rover::r1().unwrap();
    let slope = Slope { angle: f64::to_radians(50.0), rain: 0.0 };
    // Across the slope, so that no motor gives way; without lateral load transfer to tip it over.
    let mut flight = slope.place(&rover, std::f64::consts::FRAC_PI_2);
    drive(&mut flight, slope, [0.0; 2], 1.0);
    let before = flight.motion.velocity.norm();
    drive(&mut flight, slope, [0.0; 2], 0.5);
    let (sine, cosine) = libm::sincos(slope.angle);
    let acceleration = (flight.motion.velocity.norm() - before) / 0.5;
    let expected = GRAVITY * (sine - cosine);
    // The rest is the resistance of the air.
    assert!((acceleration / expected - 1.0).abs() < 0.05, "{acceleration} {expected}");
}

#[test]
fn in_heavy_rain_a_rover_slides_where_it_stood_dry() {
    let rover = Rover::r1().unwrap();
    // Friction in heavy rain is 0.625: 32 degrees.
    let moved = |degrees: f64, rain: f64| {
        let slope = Slope { angle: degrees.to_radians(), rain };
        let mut flight = slope.place(&rover, 0.0);
        drive(&mut flight, slope, [0.0; 2], 4.0);
        flight.motion.velocity.norm()
    };
    assert!(moved(36.0, 0.0) < 1e-3);
    assert!(moved(30.0, 10.0) < 1e-3);
    assert!(moved(36.0, 10.0) > 0.5);
}

#[test]
fn a_rover_goes_as_fast_as_its_wheels_turn_behind_a_lag() {
    let rover = Rover::r1().unwrap();
    let mut flight = LEVEL.place(&rover, 0.0);
    drive(&mut flight, LEVEL, [10.0; 2], 0.2);
    // One time constant: 63 % of 10 rad/s times 68.6 mm.
    let after_one = flight.motion.velocity.x / (0.686 * (1.0 - libm::exp(-1.0)));
    assert!((after_one - 1.0).abs() < 0.05, "{after_one}");
    drive(&mut flight, LEVEL, [10.0; 2], 4.8);
    assert!((flight.motion.velocity.x / 0.686 - 1.0).abs() < 0.01, "{}", flight.motion.velocity);
    assert!(flight.motion.position.y.abs() < 1e-9, "{}", flight.motion.position);
}

#[test]
fn different_wheel_speeds_turn_a_differential_rover() {
    let rover = Rover::differential().unwrap();
    let mut flight = LEVEL.place(&rover, 0.0);
    drive(&mut flight, LEVEL, [6.0, 4.0], 4.0);
    // (6 - 4) rad/s · 0.1 m over 0.6 m, to starboard.
    let turning = yaw_rate(&flight);
    assert!((turning / (0.2 / 0.6) - 1.0).abs() < 0.02, "{turning}");
    let speed = flight.motion.velocity.norm();
    assert!((speed / 0.5 - 1.0).abs() < 0.02, "{speed}");
}

#[test]
fn a_skid_steered_rover_turns_on_the_spot_by_dragging_its_wheels() {
    let rover = Rover::r1().unwrap();
    let mut flight = LEVEL.place(&rover, 0.0);
    drive(&mut flight, LEVEL, [8.0, -8.0], 4.0);
    // Without slip it would be 8 · 0.0686 / 0.163 rad/s.
    let turning = yaw_rate(&flight) / (8.0 * 0.0686 / 0.16317);
    assert!((0.2..0.95).contains(&turning), "{turning}");
    assert!(flight.motion.position.xy().norm() < 0.05, "{}", flight.motion.position);
}

#[test]
fn a_turned_front_takes_an_ackermann_rover_around_a_circle() {
    let rover = Rover::ackermann().unwrap();
    for steering in [0.3, -0.45] {
        let mut flight = LEVEL.place(&rover, 0.0);
        drive(&mut flight, LEVEL, [0.5, steering], 6.0);
        let radius = 0.312 / libm::tan(steering);
        let turning = yaw_rate(&flight);
        assert!((turning * radius / 0.5 - 1.0).abs() < 0.03, "{turning} rad/s, {radius} m");
    }
}

/// From 2 m/s with wheels that stand; that they are turned at first takes some of the way.
#[test]
fn rain_lengthens_the_way_to_stop_by_what_it_takes_of_the_friction() {
    let rover = Rover::r1().unwrap();
    let way = |rain: f64| {
        let slope = Slope { angle: 0.0, rain };
        let mut flight = slope.place(&rover, 0.0);
        flight.motion.velocity.x = 2.0;
        while flight.motion.velocity.x > 0.01 && flight.motion.position.x < 5.0 {
            flight.step(STEP, &[0.0; 2], |motion| slope.around(motion));
        }
        flight.motion.position.x
    };
    let (dry, wet) = (way(0.0), way(10.0));
    let shortest = 4.0 / (2.0 * GRAVITY);
    assert!((1.0..1.2).contains(&(dry / shortest)), "{dry}");
    assert!((1.0..1.2).contains(&(wet * 0.625 / shortest)), "{wet}");
}

#[test]
fn a_rover_in_the_air_has_no_force_but_that_of_the_air() {
    let rover = Rover::r1().unwrap();
    let flight = Flight::new(&rover, RigidMotion::default());
    let (acceleration, angular) = accelerations(&flight, &[0.0; 2], &Surroundings::default());
    assert_eq!(acceleration, Vector3::new(0.0, 0.0, GRAVITY));
    assert_eq!(angular, Vector3::zeros());
}
