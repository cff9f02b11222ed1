//! The simulator link of Betaflight, and the pilot.

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::Attitude;
use ironbird_native::{Datagram, StreamBytes};
use ironbird_test_rig::{Rig, real, seconds};

const START: Time = Time::ZERO;

/// A vehicle that moves as the scripts say.
fn rig() -> Rig {
    let mut rig = Rig::of(&[ironbird_native::register]);
    rig.script("angular_velocity", &[(START, [0.1, 0.2, 0.3])]);
    rig.script("specific_force", &[(START, [1.0, 2.0, -9.0])]);
    rig.script("attitude", &[(START, Attitude { w: 0.6, x: 0.0, y: 0.8, z: 0.0 })]);
    rig.script("velocity", &[(START, [1.0, 2.0, 3.0])]);
    rig
}

fn doubles(bytes: &[u8]) -> Vec<f64> {
    let (numbers, rest) = bytes.as_chunks::<8>();
    assert!(rest.is_empty());
    numbers.iter().map(|number| f64::from_le_bytes(*number)).collect()
}

#[test]
fn the_state_is_18_doubles_in_the_axes_of_the_program() {
    let mut rig = rig();
    rig.add("link", "betaflight.link", &[]);
    for port in ["angular_velocity", "specific_force", "attitude", "velocity"] {
        rig.link(&format!("{port}.out"), &format!("link.{port}"));
    }
    let run = rig.run(seconds(1.1), &["link.state", "link.sticks", "link.msp_out"]);
    let packets = run.samples::<Datagram>("link.state");
    assert_eq!(packets.len(), 1101, "1 kHz");
    let state = doubles(&packets[100].1.bytes);
    let expected = [
        0.1, 0.1, 0.2, 0.3, -1.0, 2.0, -9.0, 0.6, 0.0, 0.8, 0.0, 2.0, 1.0, -3.0, 0.0, 0.0, 0.0,
        101_325.0,
    ];
    assert_eq!(state, expected);
    let sticks = run.samples::<Datagram>("link.sticks");
    assert_eq!(sticks.len(), 6, "50 Hz, from 1 s on");
    assert_eq!(sticks[0].1.bytes.len(), 40);
    let channels: Vec<u8> =
        [1500_u16, 1500, 1000, 1500, 1000, 2000].iter().flat_map(|c| c.to_le_bytes()).collect();
    assert_eq!(sticks[0].1.bytes[8..20], channels);
    let said = run.samples::<StreamBytes>("link.msp_out");
    assert_eq!(said.len(), 1, "two modes, in one piece");
    assert_eq!((said[0].0, said[0].1.bytes.len()), (seconds(1.0), 22));
}

/// What the pilot does with a vehicle that stands where it is.
fn stick(place: [f64; 3], attitude: Attitude, told: &[(&str, Parameter)], stick: &str) -> f64 {
    let mut rig = Rig::of(&[ironbird_native::register]);
    rig.script("position", &[(START, place)]);
    rig.script("velocity", &[(START, [0.0; 3])]);
    rig.script("attitude", &[(START, attitude)]);
    rig.add("pilot", "pilot.angle", told);
    for port in ["position", "velocity", "attitude"] {
        rig.link(&format!("{port}.out"), &format!("pilot.{port}"));
    }
    let output = format!("pilot.{stick}");
    *rig.run(seconds(0.1), &[&output]).numbers(&output).last().expect("it is shown")
}

const LEVEL: Attitude = Attitude { w: 1.0, x: 0.0, y: 0.0, z: 0.0 };

#[test]
fn the_pilot_opens_the_throttle_to_climb_and_closes_it_on_the_ground() {
    let told =
        |arms: bool, height: f64| [("arms", Parameter::Bool(arms)), ("height", real(height))];
    let throttle = |place: f64, arms, height| {
        stick([0.0, 0.0, -place], LEVEL, &told(arms, height), "throttle")
    };
    assert_eq!(throttle(0.0, false, 3.0), 0.0, "he has not armed");
    assert!(throttle(0.0, true, 3.0) > 0.6);
    assert!(throttle(5.0, true, 3.0) < 0.45);
    assert!(throttle(5.0, true, 0.0) > 0.2, "he sinks, he does not fall");
    assert_eq!(throttle(0.1, true, 0.0), 0.0, "he has landed");
}

#[test]
fn the_pilot_leans_towards_his_place_whatever_way_the_nose_points() {
    let told = [("arms", Parameter::Bool(true)), ("height", real(3.0)), ("east", real(5.0))];
    let lean = |attitude, which: &str| stick([0.0, 0.0, -3.0], attitude, &told, which);
    let east = Attitude { w: 0.5_f64.sqrt(), x: 0.0, y: 0.0, z: 0.5_f64.sqrt() };
    assert!(lean(LEVEL, "roll") > 0.2 && lean(LEVEL, "pitch").abs() < 1e-9);
    assert!(lean(east, "pitch") > 0.2 && lean(east, "roll").abs() < 1e-9);
    let held = [told.as_slice(), &[("roll", real(-0.3))]].concat();
    assert_eq!(
        stick([0.0, 0.0, -3.0], LEVEL, &held, "roll"),
        -0.3,
        "he holds the stick as he is told"
    );
}
