//! What cannot work is said.

use ironbird_kernel::{Options, Parameter, Simulation, Time};
use ironbird_kinematics::{Attitude, Leg};
use ironbird_test_rig::{Rig, real, seconds, text};

use crate::stack::{north, types};

const NAN: f64 = f64::NAN;

/// A type and its inputs.
const TYPES: [(&str, &[&str]); 6] = [
    ("control.roll", &["demand", "attitude", "angular_velocity", "airspeed"]),
    ("control.pitch", &["demand", "attitude", "angular_velocity", "airspeed"]),
    ("control.yaw", &["attitude", "angular_velocity", "specific_force", "airspeed", "aileron"]),
    ("control.l1", &["position", "velocity", "leg"]),
    ("control.speed-and-height", &["airspeed", "position", "height", "climb", "leg"]),
    (
        "control.tecs",
        &["airspeed", "position", "height", "climb", "attitude", "specific_force", "leg"],
    ),
];

/// A source for an input, which shows a number or none.
fn source(rig: &mut Rig, input: &str, wrong: bool) {
    let number = if wrong { NAN } else { 0.1 };
    match input {
        "attitude" => {
            let w = if wrong { NAN } else { 1.0 };
            rig.script(input, &[(Time::ZERO, Attitude { w, ..Attitude::default() })]);
        }
        "angular_velocity" | "specific_force" | "position" | "velocity" => {
            rig.script(input, &[(Time::ZERO, [number; 3])]);
        }
        "leg" => rig.script(input, &[(Time::ZERO, Leg { to: [number; 3], ..north(17.0, 50.0) })]),
        _ => rig.script(input, &[(Time::ZERO, number)]),
    }
}

#[test]
fn an_input_that_is_not_a_number_is_named() {
    for (type_name, inputs) in TYPES {
        for wrong in inputs {
            let mut rig = types();
            rig.add("controller", type_name, &[]);
            for input in inputs {
                source(&mut rig, input, input == wrong);
                rig.link(&format!("{input}.out"), &format!("controller.{input}"));
            }
            let told = rig.failure(seconds(1.0));
            let expected = format!("the input \"{wrong}\" is [NaN");
            assert!(told.contains(&expected), "{type_name}: {told}");
            assert!(told.contains("it must be a number"), "{told}");
        }
    }
}

#[test]
fn numbers_are_taken() {
    for (type_name, inputs) in TYPES {
        let mut rig = types();
        rig.add("controller", type_name, &[]);
        for input in inputs {
            source(&mut rig, input, false);
            rig.link(&format!("{input}.out"), &format!("controller.{input}"));
        }
        let outcome = rig.run(seconds(1.0), &[]).outcome;
        assert!(format!("{outcome:?}").contains("Reached"), "{type_name}: {outcome:?}");
    }
}

#[test]
fn missions_that_cannot_be_flown_are_refused_before_the_start() {
    for (number, reason) in [
        (1, "the mission has no way-points: it needs at least one"),
        (2, "the mission has heights above the ground, but legs need places"),
    ] {
        let mut rig = types();
        rig.add("plan", "test.plan", &[("number", Parameter::Integer(number))]);
        rig.add("route", "control.waypoint-sequencer", &[]);
        rig.bind("route.mission", "plan");
        rig.script("position", &[(Time::ZERO, [0.0; 3])]);
        rig.link("position.out", "route.position");
        let told = match Simulation::new(rig.into_graph(), Options::default()) {
            Err(error) => error.to_string(),
            Ok(mut simulation) => format!("{:?}", simulation.run_until(seconds(1.0))),
        };
        assert!(told.contains(reason), "{told}");
    }
}

#[test]
fn a_position_that_is_not_a_number_stops_the_sequencer() {
    let mut rig = types();
    rig.add("plan", "test.plan", &[]);
    rig.add("route", "control.waypoint-sequencer", &[]);
    rig.bind("route.mission", "plan");
    rig.script("position", &[(Time::ZERO, [0.0, NAN, 0.0])]);
    rig.link("position.out", "route.position");
    let told = rig.failure(seconds(1.0));
    assert!(told.contains("the input \"position\" is [0.0, NaN, 0.0]"), "{told}");
}

#[test]
fn wrong_parameters_are_refused() {
    let rig = types();
    for (type_name, name, value, reason) in [
        ("control.roll", "time_constant", real(0.0), "time_constant"),
        ("control.pitch", "deflection_limit", real(120.0), "deflection_limit"),
        ("control.yaw", "scaling.highest", real(0.5), "scaling.highest"),
        ("control.l1", "roll_limit", real(90.0), "roll_limit"),
        ("control.l1", "past_end", text("stop"), "go-on"),
        (
            "control.speed-and-height",
            "height_pid.lowest_pitch",
            real(20.0),
            "\"height_pid.lowest_pitch\" (20) must not be above \"height_pid.highest_pitch\" (15)",
        ),
        (
            "control.tecs",
            "limit.lowest_throttle",
            real(1.0),
            "\"limit.lowest_throttle\" (1) must be below \"limit.highest_throttle\" (1)",
        ),
        (
            "control.tecs",
            "limit.lowest_airspeed",
            real(30.0),
            "\"limit.lowest_airspeed\" (30) must not be above \"limit.highest_airspeed\" (25)",
        ),
    ] {
        let refused = rig.refusal(type_name, &[(name, value)]);
        assert!(refused.contains(reason), "{type_name}: {refused}");
    }
}
