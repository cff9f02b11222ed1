//! What rotors do, beside their equations.

use ironbird_kinematics::{RigidMotion, Wrench};
use ironbird_plant::multirotor::{Drive, Multirotor, MultirotorParts, Rotor, Turns, Warming};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

fn craft(rotors: Vec<Rotor>) -> MultirotorParts {
    MultirotorParts {
        name: String::new(),
        source: String::new(),
        inertia: Inertia { mass: 1.0, tensor: Matrix3::identity() * 0.01, added: None },
        rotors,
        drive: Drive::Speed,
        linear_drag: Vector3::zeros(),
        quadratic_drag: Vector3::zeros(),
        rain_area: 0.0,
        trim: Vector3::zeros(),
        warming: None,
    }
}

fn full_rotor() -> Rotor {
    Rotor {
        at: Vector3::new(0.0, 0.0, -0.03),
        torque: 2e-7,
        inertia: 3e-5,
        drag: 8e-5,
        rolling: 2e-6,
        inflow: 1e-4,
        radius: 0.12,
        ..Rotor::default()
    }
}

fn wrench(
    parts: &MultirotorParts,
    motion: &RigidMotion,
    own: &[f64],
    around: &Surroundings,
) -> Wrench {
    let mut rates = vec![0.0; own.len()];
    let vehicle = Multirotor::new(parts.clone()).unwrap();
    vehicle.forces(motion, own, own, around, &mut rates)
}

fn flying() -> RigidMotion {
    RigidMotion {
        position: Vector3::new(1.0, 2.0, -0.1),
        velocity: Vector3::new(3.0, -2.0, 1.0),
        attitude: UnitQuaternion::from_euler_angles(0.2, -0.3, 1.0),
        rates: Vector3::new(0.5, -0.7, 0.9),
    }
}

#[test]
fn four_equal_rotors_lift_and_do_not_turn() {
    let parts = craft(full_rotor().ring(4, 0.2, 0.7));
    let found = wrench(&parts, &RigidMotion::default(), &[500.0; 4], &Surroundings::default());
    assert!((found.force + Vector3::z() * (4.0 * 1e-5 * 250_000.0)).norm() < 1e-12);
    assert!(found.moment.norm() < 1e-12);
}

#[test]
fn a_counter_clockwise_rotor_turns_the_body_clockwise() {
    let rotor = Rotor { torque: 2e-7, ..Rotor::default() };
    let found = |turns| {
        let parts = craft(vec![Rotor { turns, ..rotor }]);
        wrench(&parts, &RigidMotion::default(), &[1000.0], &Surroundings::default()).moment
    };
    assert!((found(Turns::CounterClockwise) - Vector3::z() * 0.2).norm() < 1e-15);
    assert!((found(Turns::Clockwise) + Vector3::z() * 0.2).norm() < 1e-15);
}

#[test]
fn a_rotor_to_starboard_rolls_to_port_and_one_ahead_pitches_up() {
    let at = |at| {
        let parts = craft(vec![Rotor { at, ..Rotor::default() }]);
        wrench(&parts, &RigidMotion::default(), &[1000.0], &Surroundings::default()).moment
    };
    assert!((at(Vector3::y() * 0.2) + Vector3::x() * 2.0).norm() < 1e-14);
    assert!((at(Vector3::x() * 0.2) - Vector3::y() * 2.0).norm() < 1e-14);
}

#[test]
fn rotors_that_are_alike_and_rotors_one_by_one_give_the_same() {
    let alike = craft(full_rotor().ring(6, 0.3, 0.2));
    // A hair's breadth of tilt, and they are taken one by one.
    let mut tilted = alike.clone();
    let hair = Vector3::new(1e-12, 0.0, -1.0);
    tilted.rotors[0].axis = hair;
    let around = Surroundings {
        wind: Vector3::new(-4.0, 1.0, 0.5),
        density: 1.0,
        height: 0.1,
        ..Surroundings::default()
    };
    let own = [400.0, 450.0, 500.0, 550.0, 600.0, 650.0];
    let commands = own.map(|speed| speed + 20.0);
    let [fast, slow] = [alike, tilted].map(|parts| {
        let mut rates = [0.0; 6];
        let vehicle = Multirotor::new(parts).unwrap();
        vehicle.forces(&flying(), &own, &commands, &around, &mut rates)
    });
    assert!((fast.force - slow.force).norm() < 1e-9, "{fast:?} {slow:?}");
    assert!((fast.moment - slow.moment).norm() < 1e-9, "{fast:?} {slow:?}");
}

#[test]
fn a_rotor_feels_the_air_that_crosses_its_disk() {
    let parts = craft(vec![Rotor { drag: 8e-5, rolling: 1e-6, ..Rotor::default() }]);
    let motion = RigidMotion { velocity: Vector3::x() * 10.0, ..RigidMotion::default() };
    let found = wrench(&parts, &motion, &[500.0], &Surroundings::default());
    assert!((found.force.x + 8e-5 * 500.0 * 10.0).abs() < 1e-15);
    assert!((found.moment.x + 1e-6 * 500.0 * 10.0).abs() < 1e-15);
    let with_it = Surroundings { wind: Vector3::x() * 10.0, ..Surroundings::default() };
    assert_eq!(wrench(&parts, &motion, &[500.0], &with_it).force.x, 0.0, "with the wind");
}

#[test]
fn climbing_costs_thrust() {
    let parts = craft(vec![Rotor { inflow: 1e-4, ..Rotor::default() }]);
    let climbing = RigidMotion { velocity: Vector3::z() * -2.0, ..RigidMotion::default() };
    let found = wrench(&parts, &climbing, &[500.0], &Surroundings::default());
    assert!((found.force.z + 2.5 - 1e-4 * 500.0 * 2.0).abs() < 1e-12);
}

#[test]
fn a_rotor_that_speeds_up_turns_the_body_and_one_that_is_turned_resists() {
    let parts = craft(vec![Rotor { inertia: 1e-4, rise: 0.05, ..Rotor::default() }]);
    let vehicle = Multirotor::new(parts).unwrap();
    let around = Surroundings::default();
    let mut rates = [0.0];
    let still = RigidMotion::default();
    let found = vehicle.forces(&still, &[500.0], &[600.0], &around, &mut rates);
    assert_eq!(rates, [2000.0], "100 rad/s behind, 50 ms");
    assert!((found.moment.z - 0.2).abs() < 1e-12);
    // Angular momentum points up; pitching up turns it aft, for which the body must be rolled to port: it resists.
    let pitching = RigidMotion { rates: Vector3::y(), ..still };
    let found = vehicle.forces(&pitching, &[500.0], &[500.0], &around, &mut rates);
    assert!((found.moment - Vector3::x() * 0.05).norm() < 1e-12, "{}", found.moment);
}

#[test]
fn motors_rise_and_fall_each_with_their_time() {
    let parts = craft(vec![Rotor { rise: 0.1, fall: 0.2, fastest: 900.0, ..Rotor::default() }]);
    let vehicle = Multirotor::new(parts).unwrap();
    let rate = |command: f64| {
        let mut rates = [0.0];
        let around = Surroundings::default();
        vehicle.forces(&RigidMotion::default(), &[500.0], &[command], &around, &mut rates);
        rates[0]
    };
    assert!((rate(600.0) - 1000.0).abs() < 1e-9);
    assert!((rate(400.0) + 500.0).abs() < 1e-9);
    assert!((rate(5000.0) - 4000.0).abs() < 1e-9, "no faster than it can");
    assert!((rate(f64::NAN) + 2500.0).abs() < 1e-9, "what is no number is off");
}

#[test]
fn near_the_ground_thrust_grows_as_cheeseman_and_bennett_say() {
    let parts = craft(vec![Rotor { radius: 0.2, ..Rotor::default() }]);
    let lift = |height: f64| {
        let around = Surroundings { height, ..Surroundings::default() };
        -wrench(&parts, &RigidMotion::default(), &[1000.0], &around).force.z / 10.0
    };
    assert_eq!(lift(f64::INFINITY), 1.0);
    assert!((lift(0.2) - 16.0 / 15.0).abs() < 1e-12, "one radius high");
    assert!((lift(0.0) - 4.0 / 3.0).abs() < 1e-12, "no more than half a radius high");
    assert_eq!(lift(-1.0), lift(0.0));
}

#[test]
fn rotors_without_a_radius_feel_no_ground_however_near_it_is() {
    let ring = |rotor: Rotor| craft(rotor.ring(4, 0.2, 0.7));
    let alike = Rotor { drag: 8e-5, rolling: 2e-6, ..Rotor::default() };
    let mut different = ring(alike);
    different.rotors[0].thrust *= 2.0;
    different.rotors[0].at.z = 0.01;
    // The short way for four, the one for rotors that are alike, and one by one.
    for parts in [ring(Rotor::default()), ring(alike), different] {
        let at = |height: f64| {
            let around = Surroundings { height, ..Surroundings::default() };
            wrench(&parts, &RigidMotion::default(), &[500.0; 4], &around)
        };
        for height in [0.3, 0.005, 0.0, -0.3] {
            assert_eq!(at(height), at(f64::INFINITY), "{height} m");
        }
    }
}

#[test]
fn thin_air_carries_less_and_rain_presses() {
    let mut parts = craft(full_rotor().ring(4, 0.2, 0.0));
    parts.rain_area = 0.1;
    parts.linear_drag = Vector3::new(0.1, 0.2, 0.3);
    parts.quadratic_drag = Vector3::new(0.01, 0.02, 0.03);
    let still = RigidMotion::default();
    let force = |around: Surroundings| wrench(&parts, &still, &[500.0; 4], &around).force;
    let thin = Surroundings { density: 0.6125, ..Surroundings::default() };
    assert!((force(thin).z + 5.0).abs() < 1e-12);
    let dry = force(Surroundings::default());
    let wet = force(Surroundings { rain: 50.0, ..Surroundings::default() });
    let pressed = wet - dry;
    // 50 mm/h on 0.1 m² are 1.39 g/s, at 6.6 m/s; and a film of 20 g stays on it.
    let expected = 1.39e-3 * 6.6 + 0.02 * 9.80665;
    assert!(pressed.xy().norm() < 1e-12 && (pressed.z - expected).abs() < 5e-5, "{pressed}");
}

#[test]
fn a_body_is_dragged_along_each_axis_of_its_own() {
    let mut parts = craft(vec![Rotor::default()]);
    parts.linear_drag = Vector3::new(0.1, 0.2, 0.3);
    parts.quadratic_drag = Vector3::new(0.01, 0.02, 0.03);
    let motion = RigidMotion { velocity: Vector3::new(2.0, -3.0, 4.0), ..RigidMotion::default() };
    let found = wrench(&parts, &motion, &[0.0], &Surroundings::default());
    let expected = Vector3::new(-0.24, 0.78, -1.68);
    assert!((found.force - expected).norm() < 1e-12, "{}", found.force);
    // In half the air half of what is quadratic is left, and all of what is linear.
    let thin = Surroundings { density: 0.6125, ..Surroundings::default() };
    let found = wrench(&parts, &motion, &[0.0], &thin);
    let expected = Vector3::new(-0.22, 0.69, -1.44);
    assert!((found.force - expected).norm() < 1e-12, "{}", found.force);
}

#[test]
fn the_drag_of_rotors_goes_with_the_density_as_their_thrust_does() {
    let parts = craft(vec![Rotor { drag: 8e-5, rolling: 1e-6, inflow: 1e-4, ..Rotor::default() }]);
    let motion = RigidMotion { velocity: Vector3::new(4.0, 0.0, -2.0), ..RigidMotion::default() };
    let at = |density| {
        let around = Surroundings { density, ..Surroundings::default() };
        wrench(&parts, &motion, &[500.0], &around)
    };
    let (thin, dense) = (at(0.6125), at(1.225));
    assert!((thin.force * 2.0 - dense.force).norm() < 1e-12 && dense.force.x < 0.0);
    assert!((thin.moment * 2.0 - dense.moment).norm() < 1e-15 && dense.moment.x < 0.0);
}

#[test]
fn a_trim_is_a_moment_that_is_always_there() {
    let trim = Vector3::new(1e-4, -2e-4, 3e-5);
    // The short way for four, and the one for rotors that feel the air.
    for rotor in [Rotor::default(), full_rotor()] {
        let plain = craft(rotor.ring(4, 0.2, 0.7));
        let trimmed = MultirotorParts { trim, ..plain.clone() };
        for own in [[0.0; 4], [500.0, 510.0, 480.0, 520.0]] {
            let around = Surroundings { height: 0.3, ..Surroundings::default() };
            let of = |parts: &MultirotorParts| wrench(parts, &flying(), &own, &around);
            let (with, without) = (of(&trimmed), of(&plain));
            assert!((with.moment - without.moment - trim).norm() < 1e-15);
            assert!((with.force - without.force).norm() < 1e-12);
        }
    }
}

/// Motors that turn with 2000 rad/s when they are cold, on a vehicle that hovers with 1000 rad/s.
fn warming() -> MultirotorParts {
    let rotor = Rotor { thrust: 9.80665 / 4e6, fastest: 3000.0, ..Rotor::default() };
    MultirotorParts {
        drive: Drive::Throttle { curve: [0.0, 2000.0, 0.0] },
        warming: Some(Warming { loss: 0.04, time_constant: 20.0 }),
        ..craft(rotor.ring(4, 0.2, 0.7))
    }
}

#[test]
fn warm_motors_turn_more_slowly() {
    let vehicle = Multirotor::new(warming()).unwrap();
    assert_eq!(vehicle.states()[4], "warmth");
    for (warmth, speed) in [(0.0, 2000.0), (1.0, 1920.0), (2.0, 1840.0)] {
        let mut own = [0.0, 0.0, 0.0, 0.0, warmth];
        vehicle.settled(&[1.0, 1.0, 0.5, 0.0], &mut own);
        assert_eq!(own, [speed, speed, 0.5 * speed, 0.0, warmth]);
        // There they stay.
        let mut rates = [1.0; 5];
        let (motion, around) = (RigidMotion::default(), Surroundings::default());
        vehicle.forces(&motion, &own, &[1.0, 1.0, 0.5, 0.0], &around, &mut rates);
        assert_eq!(rates[..4], [0.0; 4]);
    }
}

#[test]
fn motors_grow_as_warm_as_hovering_makes_them_and_cool_down() {
    let vehicle = Multirotor::new(warming()).unwrap();
    let rate = |speeds: [f64; 4], warmth: f64| {
        let [a, b, c, d] = speeds;
        let mut rates = [0.0; 5];
        let (motion, around) = (RigidMotion::default(), Surroundings::default());
        vehicle.forces(&motion, &[a, b, c, d, warmth], &[0.0; 4], &around, &mut rates);
        rates[4]
    };
    assert!(rate([1000.0; 4], 1.0).abs() < 1e-12, "a long hover");
    assert!((rate([1000.0; 4], 0.0) - 0.05).abs() < 1e-12, "1 in 20 s");
    assert!((rate([0.0; 4], 1.0) + 0.05).abs() < 1e-12);
    // Heat goes with the fourth power of the speed.
    assert!((rate([2000.0, 0.0, 0.0, 0.0], 0.0) - 0.2).abs() < 1e-12);
}

#[test]
fn what_cannot_fly_is_refused() {
    let refusal = |change: &dyn Fn(&mut MultirotorParts)| {
        let mut parts = craft(vec![Rotor::default()]);
        change(&mut parts);
        Multirotor::new(parts).unwrap_err()
    };
    assert!(refusal(&|parts| parts.rotors.clear()).contains("0 rotors"));
    assert!(refusal(&|parts| parts.rotors = vec![Rotor::default(); 17]).contains("17 rotors"));
    assert!(refusal(&|parts| parts.inertia.mass = 0.0).contains("mass"));
    assert!(refusal(&|parts| parts.rotors[0].thrust = f64::NAN).contains("rotor 1: \"thrust\""));
    assert!(refusal(&|parts| parts.rotors[0].axis = Vector3::zeros()).contains("axis"));
    assert!(refusal(&|parts| parts.rotors[0].rise = 0.0).contains("\"rise\""));
    assert!(refusal(&|parts| parts.rain_area = -1.0).contains("area"));
    assert!(refusal(&|parts| parts.trim.y = f64::INFINITY).contains("trim"));
    let warm = |loss, time_constant| {
        move |parts: &mut MultirotorParts| {
            parts.drive = Drive::Throttle { curve: [0.0, 1000.0, 0.0] };
            parts.warming = Some(Warming { loss, time_constant });
        }
    };
    assert!(refusal(&warm(0.6, 20.0)).contains("from 0 to 0.5"));
    assert!(refusal(&warm(0.1, 0.0)).contains("time constant"));
    let of_speeds = |parts: &mut MultirotorParts| {
        parts.warming = Some(Warming { loss: 0.1, time_constant: 20.0 });
    };
    assert!(refusal(&of_speeds).contains("commands are speeds"));
    let falling = Drive::Throttle { curve: [0.0, 100.0, -100.0] };
    assert!(refusal(&|parts| parts.drive = falling).contains("must rise"));
}
