//! The simulator link of PX4.

use ironbird_kernel::{Parameter, Time};
use ironbird_kinematics::{Attitude, Geodetic};
use ironbird_mavlink::{MavHeader, MavMessage, StreamParser, encode};
use ironbird_native::StreamBytes;
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, real, seconds, text};
use mavlink::dialects::common::{
    HIL_ACTUATOR_CONTROLS_DATA, HIL_GPS_DATA, HIL_SENSOR_DATA, HilActuatorControlsFlags,
    MavModeFlag,
};

use crate::mouth::{self, says};

const OUTPUTS: [&str; 8] = [
    "link.sent",
    "link.motor_1",
    "link.motor_5",
    "link.armed",
    "link.answers",
    "link.unanswered",
    "link.skipped",
    "link.wrong_checks",
];

fn frame(sequence: u8, message: &MavMessage) -> Vec<u8> {
    encode(MavHeader { system_id: 1, component_id: 1, sequence }, message)
}

fn heartbeat() -> Vec<u8> {
    frame(0, &MavMessage::HEARTBEAT(Default::default()))
}

fn answer(time_usec: u64, first: f32, is_armed: bool) -> Vec<u8> {
    let mut controls = [0.0; 16];
    controls[0] = first;
    let armed = MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED;
    let mode = if is_armed { armed } else { MavModeFlag::empty() };
    let custom = MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED;
    let flags = HilActuatorControlsFlags::HIL_ACTUATOR_CONTROLS_FLAGS_LOCKSTEP;
    let data = HIL_ACTUATOR_CONTROLS_DATA { time_usec, flags, controls, mode: mode | custom };
    frame(1, &MavMessage::HIL_ACTUATOR_CONTROLS(data))
}

/// A vehicle that moves as the scripts say, and a PX4 that says what `script` does.
fn rig(script: &str, settings: &[(&str, Parameter)]) -> Rig {
    let libraries = [ironbird_native::register, mouth::register];
    let mut rig = Rig::of(&libraries);
    let start = Time::ZERO;
    rig.script("angular_velocity", &[(start, [0.1, 0.2, 0.3])]);
    rig.script("specific_force", &[(start, [1.0, 2.0, -9.0])]);
    rig.script("attitude", &[(start, Attitude { w: 0.6, x: 0.0, y: 0.8, z: 0.0 })]);
    rig.script("velocity", &[(start, [1.0, 2.0, -0.5])]);
    rig.script("magnetic_field", &[(start, [2e-5, 1e-6, 4e-5])]);
    rig.script("place", &[(start, Geodetic::from_degrees(47.0, 8.0, 488.0))]);
    rig.add("px4", "test.mouth", &[("script", text(script))]);
    rig.add("link", "px4.link", settings);
    for port in
        ["angular_velocity", "specific_force", "attitude", "velocity", "magnetic_field", "place"]
    {
        rig.link(&format!("{port}.out"), &format!("link.{port}"));
    }
    rig.link("px4.bytes", "link.received");
    rig
}

/// Readings as they are.
const IDEAL: [&str; 8] = [
    "noise.accelerometer",
    "noise.gyroscope",
    "noise.magnetometer",
    "noise.barometer",
    "noise.pitot",
    "noise.gps_horizontal",
    "noise.gps_vertical",
    "noise.gps_velocity",
];

fn sent(run: &Run) -> Vec<(Time, MavMessage)> {
    let mut parser = StreamParser::default();
    let pieces = run.samples::<StreamBytes>("link.sent");
    let messages = pieces.into_iter().flat_map(|(time, piece)| {
        let messages = parser.push(&piece.bytes);
        messages.into_iter().map(move |(_, message)| (time, message)).collect::<Vec<_>>()
    });
    messages.collect()
}

fn sensors(run: &Run) -> Vec<HIL_SENSOR_DATA> {
    let messages = sent(run).into_iter().filter_map(|(_, message)| match message {
        MavMessage::HIL_SENSOR(data) => Some(data),
        _ => None,
    });
    messages.collect()
}

fn fixes(run: &Run) -> Vec<HIL_GPS_DATA> {
    let messages = sent(run).into_iter().filter_map(|(_, message)| match message {
        MavMessage::HIL_GPS(data) => Some(data),
        _ => None,
    });
    messages.collect()
}

fn count(sensors: &[HIL_SENSOR_DATA], bits: u32) -> usize {
    sensors.iter().filter(|data| data.fields_updated.bits() & bits == bits).count()
}

#[test]
fn sensors_come_at_their_rates_with_times_that_begin_above_zero() {
    let run = rig(&says(0, &heartbeat()), &[]).run(seconds(1.0), &OUTPUTS);
    let sensors = sensors(&run);
    assert_eq!(sensors.len(), 250);
    let times: Vec<u64> = sensors.iter().map(|data| data.time_usec).collect();
    assert_eq!(times, (1..=250).map(|k| 4_000 * k).collect::<Vec<_>>());
    assert_eq!(count(&sensors, 0x3F), 250);
    assert_eq!(count(&sensors, 0x1C0), 62, "62.5 Hz");
    assert_eq!(count(&sensors, 0x1A00), 50);
    assert_eq!(count(&sensors, 0x400), 0, "there is no Pitot tube");
    assert_eq!(fixes(&run).len(), 10);
    for (time, message) in sent(&run) {
        let own = match message {
            MavMessage::HIL_SENSOR(data) => data.time_usec,
            MavMessage::HIL_GPS(data) => data.time_usec,
            other => panic!("{other:?}"),
        };
        assert_eq!(Time::from_ps(own * 1_000_000), time);
    }
}

#[test]
fn nothing_is_said_before_px4_speaks() {
    let run = rig(&says(500, &heartbeat()), &[]).run(seconds(1.0), &OUTPUTS);
    let sensors = sensors(&run);
    assert_eq!((sensors.len(), sensors[0].time_usec), (126, 500_000));
}

#[test]
fn readings_have_the_axes_and_units_of_mavlink() {
    let mut settings = IDEAL.map(|name| (name, real(0.0))).to_vec();
    settings.extend([("truth_rate", real(5.0)), ("pitot", Parameter::Bool(true))]);
    let run = rig(&says(0, &heartbeat()), &settings).run(seconds(1.0), &OUTPUTS);
    let last = sensors(&run).pop().expect("sensors");
    assert_eq!([last.xacc, last.yacc, last.zacc], [1.0, 2.0, -9.0]);
    assert_eq!([last.xgyro, last.ygyro, last.zgyro], [0.1, 0.2, 0.3]);
    // At 1 s the barometer is new, the magnetometer was so at 0.992 s.
    assert_eq!((last.abs_pressure, last.temperature), (1013.25, 15.0));
    assert_eq!(last.fields_updated.bits(), 0x1E3F);
    let field = &sensors(&run)[247];
    assert_eq!((field.time_usec, field.fields_updated.bits()), (992_000, 0x1FF));
    assert_eq!([field.xmag, field.ymag, field.zmag], [0.2, 0.01, 0.4]);
    let fix = fixes(&run).pop().expect("a fix");
    assert_eq!((fix.lat, fix.lon, fix.alt), (470_000_000, 80_000_000, 488_000));
    assert_eq!((fix.vn, fix.ve, fix.vd), (100, 200, -50));
    let truths = sent(&run);
    let truths = truths.iter().filter(|(_, m)| matches!(m, MavMessage::HIL_STATE_QUATERNION(_)));
    assert_eq!(truths.count(), 5);
}

#[test]
fn readings_are_noisy_and_the_same_in_each_run() {
    let fly = || rig(&says(0, &heartbeat()), &[]).run(seconds(4.0), &OUTPUTS);
    let (first, second) = (fly(), fly());
    assert_eq!(sent(&first), sent(&second));
    let sensors = sensors(&first);
    let fields: Vec<f64> = sensors
        .iter()
        .filter(|data| data.fields_updated.bits() & 0x1C0 != 0)
        .map(|data| f64::from(data.xmag))
        .collect();
    assert!(fields.windows(2).all(|pair| pair[0] != pair[1]), "it never stands still");
    let deviation = |values: Vec<f64>, mean: f64| {
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        (squares / values.len() as f64).sqrt()
    };
    let force = deviation(sensors.iter().map(|data| f64::from(data.xacc)).collect(), 1.0);
    assert!((0.045..0.055).contains(&force), "{force}");
    let field = deviation(fields, 0.2);
    assert!((0.0008..0.0012).contains(&field), "{field} G");
}

#[test]
fn a_sensor_that_is_lost_is_heard_no_more() {
    let mut rig = rig(&says(0, &heartbeat()), &[]);
    for (at, sensor) in [(0.2, "gps"), (0.4, "magnetometer"), (0.6, "barometer"), (0.8, "imu")] {
        rig.set(seconds(at + 0.0005), &format!("link.{sensor}"), Parameter::Bool(false));
    }
    let run = rig.run(seconds(1.0), &OUTPUTS);
    let sensors = sensors(&run);
    assert_eq!(sensors.len(), 250, "the clock of PX4 goes on");
    assert_eq!(fixes(&run).len(), 2);
    assert_eq!(count(&sensors, 0x1C0), 25);
    assert_eq!(count(&sensors, 0x1A00), 30);
    assert_eq!(count(&sensors, 0x3F), 200);
}

#[test]
fn answers_drive_the_motors_of_an_armed_vehicle() {
    let script = [
        says(0, &heartbeat()),
        says(10, &answer(8_000, 0.5, false)),
        says(20, &answer(16_000, 0.5, true)),
        says(30, &answer(28_000, f32::NAN, true)),
        says(40, &answer(36_000, 0.5, false)),
    ]
    .concat();
    let settings = [("motor.full_speed", real(1100.0)), ("motor.idle_speed", real(100.0))];
    let run = rig(&script, &settings).run(seconds(0.05), &OUTPUTS);
    assert_eq!(run.numbers("link.motor_1"), [0.0, 600.0, 100.0, 0.0]);
    assert_eq!(run.numbers("link.motor_5"), [0.0, 100.0, 100.0, 0.0]);
    let armed: Vec<bool> = run.samples("link.armed").into_iter().map(|(_, armed)| armed).collect();
    assert_eq!(armed, [false, true, true, false]);
    assert_eq!(run.samples::<u64>("link.answers").last().expect("shown").1, 4);
    // 12 messages by then.
    assert_eq!(run.samples::<u64>("link.unanswered").last().expect("shown").1, 8);
}

#[test]
fn frames_are_found_however_they_are_cut_and_whatever_stands_between() {
    let bytes = [
        b"no frame".to_vec(),
        heartbeat(),
        answer(4_000, 0.25, true),
        vec![0xFD, 3, 1],
        answer(8_000, 0.5, true),
    ]
    .concat();
    let script: String =
        bytes.chunks(7).zip(10..).map(|(piece, at)| says(at, piece)).collect::<String>();
    let run = rig(&script, &[]).run(seconds(0.1), &OUTPUTS);
    assert_eq!(run.numbers("link.motor_1"), [250.0, 500.0]);
    let skipped = run.samples::<u64>("link.skipped").last().expect("shown").1;
    assert_eq!(skipped, 8 + 3);
}

#[test]
fn a_link_that_is_slower_than_its_sensors_says_so() {
    let settings = [("sensor_rate", real(2000.0))];
    let why = rig(&says(0, &heartbeat()), &settings).failure(seconds(0.1));
    assert!(why.contains("`sensor_rate` is more than the rate of this component"), "{why}");
}

#[test]
fn a_link_goes_on_after_a_checkpoint() {
    let script = [
        says(0, &heartbeat()),
        says(49, &answer(48_000, 0.5, true)[..20]),
        says(51, &answer(48_000, 0.5, true)[20..]),
    ]
    .concat();
    let graph = || rig(&script, &[]).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(0.05), seconds(0.2));
}
