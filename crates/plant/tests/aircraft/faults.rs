//! Engines that fail, batteries that run empty, propellers that pull the aircraft round, tails that mix.

use ironbird_kernel::Parameter;
use ironbird_test_rig::{real, text};

use super::flight::{Flown, fly, ms, rig};

fn trimmed(airspeed: f64) -> Vec<(&'static str, Parameter)> {
    vec![
        ("solver.method", text("rk4")),
        ("initial.trim_airspeed", real(airspeed)),
        ("initial.about_trim", Parameter::Bool(true)),
    ]
}

#[test]
fn an_engine_that_fails_in_flight_leaves_elevator_and_battery_alone() {
    let mut rig = rig("ultra-stick-25e", &trimmed(17.0));
    rig.set(ms(1_000), "plane.engine_failed", Parameter::Bool(true));
    let flown = fly(rig, ms(6_000));
    let charge = |at| flown.state("charge", ms(at));
    assert!(charge(1_000) < charge(0));
    assert_eq!(charge(6_000), charge(1_000));
    let [before, after] = [1_000, 4_000].map(|at| flown.state("motor_speed", ms(at)));
    assert!(after < 0.8 * before, "{before} and {after} rad/s");
    // Nobody moves the elevator: the aircraft keeps about its speed and sinks.
    let speed = flown.state("u", ms(6_000));
    assert!((14.0..20.0).contains(&speed), "{speed} m/s");
    assert!(flown.state("down", ms(6_000)) > -100.0 + 4.0, "{}", flown.state("down", ms(6_000)));
}

#[test]
fn an_empty_battery_drives_nothing() {
    let mut settings = trimmed(14.0);
    settings.push(("initial.charge", real(1e-4)));
    let flown = fly(rig("v-tail", &settings), ms(10_000));
    let charge = flown.state("charge", ms(10_000));
    assert!(charge.abs() < 1e-5, "{charge}");
    let [before, after] = [0, 10_000].map(|at| flown.state("motor_speed", ms(at)));
    assert!(after < 0.8 * before, "{before} and {after} rad/s");
}

/// The rates half a second after the throttle goes from trim to full.
fn after_full_throttle(aircraft: &str, airspeed: f64) -> Flown {
    let mut rig = rig(aircraft, &trimmed(airspeed));
    rig.script("throttle", &[(ms(0), 0.0), (ms(100), 1.0)]);
    rig.link("throttle.out", "plane.throttle");
    fly(rig, ms(600))
}

#[test]
fn a_propeller_that_turns_to_starboard_rolls_the_aircraft_to_port() {
    for (aircraft, airspeed) in [("ultra-stick-25e", 17.0), ("v-tail", 14.0)] {
        let flown = after_full_throttle(aircraft, airspeed);
        let roll_rate = flown.state("p", ms(150));
        assert!(roll_rate < -1e-3, "{aircraft}: {roll_rate} rad/s");
        assert!(flown.state("motor_speed", ms(600)) > flown.state("motor_speed", ms(0)));
    }
}

/// Seen from behind clockwise, nose pulled up: the propeller turns the nose to starboard.
#[test]
fn a_propeller_turns_the_nose_to_starboard_when_it_is_pulled_up() {
    let yaw_rate = |motor_speed: f64| {
        let settings = [
            ("solver.method", text("rk4")),
            ("initial.motor_speed", real(motor_speed)),
            ("initial.rates[0]", real(0.0)),
            ("initial.rates[1]", real(2.0)),
            ("initial.rates[2]", real(0.0)),
            // Hardly any air: what turns the aircraft is the propeller's momentum.
            ("initial.position[0]", real(0.0)),
            ("initial.position[1]", real(0.0)),
            ("initial.position[2]", real(-30_000.0)),
        ];
        fly(rig("rascal-110", &settings), ms(50)).state("r", ms(50))
    };
    // J w q / Izz for 0.05 s.
    let expected = 0.001_152_45 * 500.0 * 2.0 / 2.589_613 * 0.05;
    let found = yaw_rate(500.0) - yaw_rate(0.0);
    assert!((found / expected - 1.0).abs() < 0.1, "{found} and {expected} rad/s");
}

/// Pitch and yaw rate soon after one ruddervator moved.
fn after_ruddervator(input: &str, deflection: f64) -> [f64; 2] {
    let mut rig = rig("v-tail", &trimmed(14.0));
    rig.script(input, &[(ms(0), deflection)]);
    rig.link(&format!("{input}.out"), &format!("plane.{input}"));
    fly(rig, ms(100)).states(["q", "r"], ms(100))
}

#[test]
fn a_ruddervator_that_goes_down_pitches_down_and_away_from_its_side() {
    let [left, right] =
        ["ruddervator_left", "ruddervator_right"].map(|input| after_ruddervator(input, 0.1));
    assert!(left[0] < -0.01 && right[0] < -0.01, "{left:?} {right:?}");
    // The left one pushes the tail to starboard, the nose to port.
    assert!(left[1] < -0.01 && right[1] > 0.01, "{left:?} {right:?}");
    let [elevator, rudder] = ["elevator", "rudder"].map(|input| after_ruddervator(input, 0.05));
    assert!((elevator[0] / (left[0] + right[0]) - 0.5).abs() < 0.02, "{elevator:?}");
    assert!((rudder[1] / (left[1] - right[1]) - 0.5).abs() < 0.02, "{rudder:?}");
}

#[test]
fn a_servo_keeps_its_rate_and_stops_where_it_is_told_under_every_solver() {
    let (rate, limit) = (300_f64.to_radians(), 25_f64.to_radians());
    for method in ["rk4", "dopri5", "qss1", "qss2", "qss3", "liqss2"] {
        for (command, expected) in [(0.4, 0.4), (0.9, limit), (-0.9, -limit)] {
            let settings = [
                ("solver.method", text(method)),
                ("initial.velocity[0]", real(14.0)),
                ("initial.velocity[1]", real(0.0)),
                ("initial.velocity[2]", real(0.0)),
            ];
            let mut rig = rig("v-tail", &settings);
            rig.script("aileron", &[(ms(0), command)]);
            rig.link("aileron.out", "plane.aileron");
            let run = rig.run(ms(600), &["plane.servo_aileron"]);
            let aileron = run.track("plane.servo_aileron");
            let early = aileron.at(ms(20)) / (0.02 * rate);
            assert!((0.8..1.0).contains(&early.abs()), "{method}: {early} of the highest rate");
            let end = aileron.at(ms(600));
            assert!((end - expected).abs() < 5e-3, "{method}: {end} rad, not {expected} rad");
        }
    }
}

/// At rest on the ground, in a tail wind, falling backwards: everything stays a number.
#[test]
fn low_speeds_and_backward_flight_are_no_trouble() {
    for aircraft in super::flight::AIRCRAFT {
        for velocity in [[0.0; 3], [-10.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.01, 0.0, 0.3]] {
            let start = super::flight::list("initial.velocity", velocity);
            let mut settings: Vec<_> =
                start.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            settings.push(("solver.method", text("rk4")));
            let mut rig = rig(aircraft, &settings);
            rig.script("throttle", &[(ms(0), 1.0)]);
            rig.link("throttle.out", "plane.throttle");
            let flown = fly(rig, ms(3_000));
            for state in super::flight::STATES {
                let end = flown.state(state, ms(3_000));
                assert!(end.is_finite(), "{aircraft} from {velocity:?}: {state} is {end}");
            }
        }
    }
}
