//! The simulator link of ArduPilot's SITL programs.

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::{Attitude, Geodetic};
use ironbird_native::Datagram;
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, real, seconds, text};

use crate::mouth::{self, says};

const OUTPUTS: [&str; 7] = [
    "link.state",
    "link.motor_1",
    "link.motor_8",
    "link.packets",
    "link.resent",
    "link.missed",
    "link.refused",
];

fn servos(frame: u32, pulses: &[u16]) -> Vec<u8> {
    let magic: u16 = if pulses.len() == 16 { 18_458 } else { 29_569 };
    let mut bytes = [magic.to_le_bytes(), 1000_u16.to_le_bytes()].concat();
    bytes.extend(frame.to_le_bytes());
    bytes.extend(pulses.iter().flat_map(|pulse| pulse.to_le_bytes()));
    bytes
}

fn rig(script: &str, settings: &[(&str, Parameter)]) -> Rig {
    let mut rig = Rig::of(&[ironbird_native::register, mouth::register]);
    let start = Time::ZERO;
    rig.script("angular_velocity", &[(start, [0.1, 0.2, 0.3])]);
    rig.script("specific_force", &[(start, [1.0, 2.0, -9.0])]);
    rig.script("attitude", &[(start, Attitude::default())]);
    rig.script("velocity", &[(start, [1.0, 2.0, -0.5])]);
    rig.script("position", &[(start, [10.0, 20.0, -30.0]), (seconds(0.05), [11.0, 20.0, -30.0])]);
    rig.script("place", &[(start, Geodetic::from_degrees(47.0, 8.0, 488.0))]);
    rig.add("ardupilot", "test.mouth", &[("script", text(script))]);
    rig.add("link", "ardupilot.json-link", settings);
    for port in ["angular_velocity", "specific_force", "attitude", "velocity", "position", "place"]
    {
        rig.link(&format!("{port}.out"), &format!("link.{port}"));
    }
    rig.link("ardupilot.datagrams", "link.servos");
    rig
}

fn answers(run: &Run) -> Vec<(Time, u16, String)> {
    let answers = run.samples::<Datagram>("link.state").into_iter();
    let text = |datagram: &Datagram| String::from_utf8_lossy(&datagram.bytes).into_owned();
    answers.map(|(time, datagram)| (time, datagram.remote_port, text(&datagram))).collect()
}

#[test]
fn each_packet_is_answered_once_with_the_time_of_the_physics() {
    let script = [says(10, &servos(0, &[0; 16])), says(60, &servos(1, &[1000; 16]))].concat();
    let run = rig(&script, &[("no_time_sync", Parameter::Bool(true))]).run(seconds(0.1), &OUTPUTS);
    let answers = answers(&run);
    assert_eq!(answers.len(), 2);
    let (time, port, line) = &answers[0];
    assert_eq!((*time, *port), (seconds(0.01), 9002), "it goes back to where it was sent");
    assert_eq!(
        line,
        "\n{\"timestamp\":0.01,\"imu\":{\"gyro\":[0.1,0.2,0.3],\"accel_body\":[1.0,2.0,-9.0]},\
         \"position\":[10.0,20.0,-30.0],\"attitude\":[0.0,0.0,0.0],\"quaternion\":[1.0,0.0,0.0,0.0],\
         \"velocity\":[1.0,2.0,-0.5],\"no_time_sync\":true}\n"
    );
    assert!(answers[1].2.contains("\"timestamp\":0.06,"));
    assert!(answers[1].2.contains("\"position\":[11.0,20.0,-30.0]"));
}

#[test]
fn pulses_drive_the_motors() {
    let mut long = [0; 32];
    long[7] = 1250;
    let script = [
        says(1, &servos(0, &[0; 16])),
        says(2, &servos(1, &[1000; 16])),
        says(3, &servos(2, &[1500; 16])),
        says(4, &servos(3, &long)),
        says(4, b"no servos"),
    ]
    .concat();
    let run = rig(&script, &[]).run(seconds(0.1), &OUTPUTS);
    assert_eq!(run.numbers("link.motor_1"), [0.0, 0.0, 500.0, 0.0]);
    assert_eq!(run.numbers("link.motor_8"), [0.0, 0.0, 500.0, 250.0]);
}

#[test]
fn packets_that_come_again_are_answered_again_and_strange_ones_are_not() {
    let script = [
        says(1, &servos(0, &[0; 16])),
        says(2, &servos(1, &[0; 16])),
        says(3, &servos(1, &[0; 16])),
        says(4, b"no servos"),
        says(5, &servos(4, &[0; 16])),
    ]
    .concat();
    let run = rig(&script, &[]).run(seconds(0.1), &OUTPUTS);
    assert_eq!(answers(&run).len(), 4);
    let shown = |output: &str| run.samples::<u64>(output).last().expect("shown").1;
    assert_eq!((shown("link.packets"), shown("link.resent")), (4, 1));
    assert_eq!((shown("link.missed"), shown("link.refused")), (2, 1));
}

#[test]
fn an_answer_takes_its_latency_and_tells_the_state_at_its_end() {
    let script = says(49, &servos(0, &[0; 16]));
    let run = rig(&script, &[("latency", real(0.0025))]).run(seconds(0.1), &OUTPUTS);
    let answers = answers(&run);
    assert_eq!((answers.len(), answers[0].0), (1, seconds(0.052)));
    assert!(answers[0].2.contains("\"timestamp\":0.052,"));
    assert!(answers[0].2.contains("\"position\":[11.0,20.0,-30.0]"));
}

#[test]
fn a_place_on_the_earth_can_take_the_place_of_a_position() {
    let script = says(1, &servos(0, &[0; 16]));
    let mut rig = rig(&script, &[("geodetic", Parameter::Bool(true))]);
    rig.script("range", &[(Time::ZERO, 2.5)]);
    rig.script(
        "channels",
        &[(Time::ZERO, std::array::from_fn::<f64, 12, _>(|i| 1000.0 + i as f64))],
    );
    rig.link("range.out", "link.range");
    rig.link("channels.out", "link.channels");
    let run = rig.run(seconds(0.1), &OUTPUTS);
    let line = &answers(&run)[0].2;
    assert!(line.contains("\"latitude\":47.0,\"longitude\":8.0,\"altitude\":488.0,"), "{line}");
    assert!(line.contains("\"rng_1\":2.5,\"rc\":{\"rc_1\":1000.0,"), "{line}");
    assert!(line.ends_with("\"rc_12\":1011.0}}\n"), "{line}");
}

#[test]
fn a_state_that_is_no_number_ends_the_run() {
    let mut rig = Rig::of(&[ironbird_native::register, mouth::register]);
    for port in ["angular_velocity", "specific_force", "velocity"] {
        rig.script(port, &[(Time::ZERO, [f64::NAN; 3])]);
    }
    rig.script("attitude", &[(Time::ZERO, Attitude::default())]);
    rig.add("ardupilot", "test.mouth", &[("script", text(&says(1, &servos(0, &[0; 16]))))]);
    rig.add("link", "ardupilot.json-link", &[]);
    for port in ["angular_velocity", "specific_force", "velocity", "attitude"] {
        rig.link(&format!("{port}.out"), &format!("link.{port}"));
    }
    rig.link("ardupilot.datagrams", "link.servos");
    let why = rig.failure(seconds(0.1));
    assert!(why.contains("no longer made of finite numbers"), "{why}");
}

#[test]
fn an_answer_that_is_on_its_way_survives_a_checkpoint() {
    let script = [says(40, &servos(7, &[0; 16])), says(80, &servos(8, &[0; 16]))].concat();
    let graph = || rig(&script, &[("latency", real(0.02))]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.05), seconds(0.2));
}
