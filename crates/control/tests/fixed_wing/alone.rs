//! Single controllers that see steady flight, and what exactly they make of it.

use std::f64::consts::PI;

use ironbird_kernel::Time;
use ironbird_kinematics::{Attitude, Leg, STANDARD_GRAVITY};
use ironbird_test_rig::{Rig, Setting, real, seconds};

use crate::stack::{north, range, types};

/// What a controller sees, always the same.
struct Seen {
    demand: f64,
    roll: f64,
    pitch: f64,
    forward_force: f64,
    climb: f64,
    leg: Leg,
}

/// Level flight to the north at 17 m/s and 50 m, as the leg wants it.
const STEADY: Seen = Seen {
    demand: 0.0,
    roll: 0.0,
    pitch: 0.0,
    forward_force: 0.0,
    climb: 0.0,
    leg: Leg {
        from: [0.0, 0.0, -50.0],
        to: [5000.0, 0.0, -50.0],
        speed: 17.0,
        number: 0,
        valid: true,
    },
};

/// A controller alone; `inputs` are the ones that it has.
fn alone(type_name: &str, inputs: &[&str], settings: &[Setting<'_>], seen: &Seen) -> Rig {
    let mut rig = types();
    rig.add("controller", type_name, settings);
    let attitude = Attitude::from_euler(seen.roll, seen.pitch, 0.0);
    rig.script("demand", &[(Time::ZERO, seen.demand)]);
    rig.script("attitude", &[(Time::ZERO, attitude)]);
    rig.script("angular_velocity", &[(Time::ZERO, [0.0; 3])]);
    rig.script("airspeed", &[(Time::ZERO, 17.0)]);
    rig.script("position", &[(Time::ZERO, [0.0, 0.0, -50.0])]);
    rig.script("height", &[(Time::ZERO, 50.0)]);
    rig.script("climb", &[(Time::ZERO, seen.climb)]);
    rig.script("specific_force", &[(Time::ZERO, [seen.forward_force, 0.0, -9.81])]);
    rig.script("leg", &[(Time::ZERO, seen.leg)]);
    for input in inputs {
        rig.link(&format!("{input}.out"), &format!("controller.{input}"));
    }
    rig
}

const ANGLES: [&str; 4] = ["demand", "attitude", "angular_velocity", "airspeed"];
const LEVELS: [&str; 5] = ["airspeed", "position", "height", "climb", "leg"];
const ENERGIES: [&str; 7] =
    ["airspeed", "position", "height", "climb", "attitude", "specific_force", "leg"];

/// The first number of an output.
fn first(rig: Rig, output: &str) -> f64 {
    let output = format!("controller.{output}");
    rig.run(Time::ZERO, &[&output]).numbers(&output)[0]
}

fn rate_demand(type_name: &str, seen: &Seen) -> f64 {
    first(alone(type_name, &ANGLES, &[], seen), "rate_demand")
}

#[test]
fn demanded_rates_keep_to_their_limits() {
    let asks = |demand| Seen { demand, ..STEADY };
    for (type_name, limit) in [("control.roll", 75.0_f64), ("control.pitch", 60.0)] {
        let limit = limit.to_radians();
        assert!((rate_demand(type_name, &asks(1.5)) - limit).abs() < 1e-12);
        assert!((rate_demand(type_name, &asks(-1.5)) + limit).abs() < 1e-12);
        assert!((rate_demand(type_name, &asks(0.1)) - 0.2).abs() < 1e-12);
    }
}

#[test]
fn a_roll_beyond_half_a_turn_is_reached_the_short_way() {
    let rate = rate_demand("control.roll", &Seen { demand: -3.1, roll: 3.1, ..STEADY });
    assert!((rate - 2.0 * (2.0 * PI - 6.2)).abs() < 1e-9, "{rate}");
}

#[test]
fn upside_down_the_demanded_pitch_rate_changes_its_sign() {
    let turn = |bank: f64| STANDARD_GRAVITY / 17.0 * libm::tan(bank) * libm::sin(bank);
    let upright = rate_demand("control.pitch", &Seen { demand: 0.1, roll: 0.6, ..STEADY });
    assert!((upright - (0.2 + turn(0.6))).abs() < 1e-9, "{upright}");
    let inverted = rate_demand("control.pitch", &Seen { demand: 0.1, roll: PI - 0.6, ..STEADY });
    assert!((inverted + upright).abs() < 1e-9, "{inverted}");
}

#[test]
fn a_slope_is_fed_forward_to_the_pitch() {
    let leg = Leg { to: [1000.0, 0.0, -100.0], ..STEADY.leg };
    let climb = 17.0 * libm::sin(libm::atan(0.05));
    let rig = alone("control.speed-and-height", &LEVELS, &[], &Seen { leg, climb, ..STEADY });
    let pitch = first(rig, "pitch");
    assert!((pitch - 3.0_f64.to_radians() - libm::atan(0.05)).abs() < 1e-12, "{pitch}");
}

#[test]
fn a_turn_is_paid_for_with_throttle() {
    let throttle = |roll: f64| {
        first(alone("control.tecs", &ENERGIES, &[], &Seen { roll, ..STEADY }), "throttle")
    };
    assert!((throttle(0.0) - 0.65).abs() < 1e-12);
    // At 45 degrees 1/cos² is 2; a unit of throttle is worth 7.5 m/s of climb.
    let paid = throttle(PI / 4.0) - 0.65;
    assert!((paid - 2.5 / (7.5 * STANDARD_GRAVITY)).abs() < 1e-12, "{paid}");
}

#[test]
fn the_accelerometer_tells_the_rate_of_energy() {
    let seen = Seen { forward_force: 1.0, ..STEADY };
    let error = first(alone("control.tecs", &ENERGIES, &[], &seen), "energy_rate_error");
    assert!((error + 17.0).abs() < 1e-12, "{error}");
    // Gravity along the raised nose is not an acceleration.
    let seen = Seen { forward_force: STANDARD_GRAVITY * libm::sin(0.2), pitch: 0.2, ..STEADY };
    let error = first(alone("control.tecs", &ENERGIES, &[], &seen), "energy_rate_error");
    assert!(error.abs() < 1e-12, "{error}");
}

#[test]
fn the_demanded_pitch_changes_no_faster_than_the_vertical_acceleration_allows() {
    let set = [("gain.height_filter", real(0.0))];
    let rig = alone("control.tecs", &ENERGIES, &set, &Seen { leg: north(17.0, 90.0), ..STEADY });
    let pitches = rig.run(seconds(2.0), &["controller.pitch"]).numbers("controller.pitch");
    let quickest = pitches.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!((quickest - 7.0 / 17.0 * 0.02).abs() < 1e-12, "{quickest}");
}

#[test]
fn against_the_leg_it_does_not_waver_between_port_and_starboard() {
    let mut rig = types();
    rig.add("guide", "control.l1", &[]);
    rig.script("leg", &[(Time::ZERO, STEADY.leg)]);
    rig.script("position", &[(Time::ZERO, [2000.0, 0.0, -50.0])]);
    // South on the leg, a little to the east and to the west by turns.
    let velocities: Vec<(Time, [f64; 3])> = (0..50)
        .map(|n| (seconds(0.1 * f64::from(n)), [-17.0, if n % 2 == 0 { 0.1 } else { -0.1 }, 0.0]))
        .collect();
    rig.script("velocity", &velocities);
    for input in ["leg", "position", "velocity"] {
        rig.link(&format!("{input}.out"), &format!("guide.{input}"));
    }
    let rolls = rig.run(seconds(5.0), &["guide.roll"]).numbers("guide.roll");
    let [lowest, highest] = range(&rolls);
    assert!(lowest == highest && lowest != 0.0, "{lowest} {highest}");
}
