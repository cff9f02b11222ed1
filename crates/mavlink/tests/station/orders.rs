//! Orders are acknowledged, asked again, denied and given up.

use ironbird_kernel::{Parameter, Time};
use ironbird_mavlink::{Altitude, Answer, Failure, Offset, Spot};
use ironbird_test_rig::{Run, real, seconds, text};
use mavlink::dialects::common::MavCmd;

use crate::vehicle::{joined, whole};

const OUTPUTS: [&str; 7] = [
    "vehicle.commands",
    "vehicle.items",
    "station.vehicle.armed",
    "station.vehicle.mode",
    "station.vehicle.altitude",
    "station.vehicle.failures",
    "station.vehicle.command_failed",
];

fn commands(run: &Run) -> Vec<(Time, u32)> {
    run.samples("vehicle.commands")
}

fn failures(run: &Run) -> Vec<(Time, u8, String)> {
    let failures = run.samples::<Failure>("station.vehicle.command_failed").into_iter();
    let words = |failure: &Failure| String::from_utf8_lossy(&failure.text).into_owned();
    failures.map(|(time, failure)| (time, failure.result, words(&failure))).collect()
}

#[test]
fn arm_and_take_off_reach_the_vehicle_in_the_instant_of_the_call() {
    let mut rig = joined(&[], &[]);
    // Called in the wrong order: the mode comes first, then arm, then take-off.
    rig.call::<_, Answer>(seconds(1.05), "station.take-off", &Altitude { altitude: 20.0 });
    rig.call::<_, Answer>(seconds(1.05), "station.arm", &());
    rig.call::<_, Answer>(seconds(1.05), "station.set-mode.guided", &());
    rig.call::<_, Answer>(seconds(8.0), "station.land", &());
    let run = rig.run(seconds(20.0), &OUTPUTS);
    let expected = [
        (seconds(1.05), MavCmd::MAV_CMD_DO_SET_MODE as u32),
        (seconds(1.05), MavCmd::MAV_CMD_COMPONENT_ARM_DISARM as u32),
        (seconds(1.05), MavCmd::MAV_CMD_NAV_TAKEOFF as u32),
        (seconds(8.0), MavCmd::MAV_CMD_NAV_LAND as u32),
    ];
    assert_eq!(commands(&run), expected);
    assert!(run.samples::<bool>("station.vehicle.armed").last().expect("shown").1);
    assert_eq!(run.samples::<u32>("station.vehicle.mode").last().expect("shown").1, 3);
    let highest = run.numbers("station.vehicle.altitude").into_iter().fold(0.0, f64::max);
    assert!((34.0..=35.0).contains(&highest), "5 m/s for 6.95 s: {highest}");
    assert!(failures(&run).is_empty());
}

#[test]
fn modes_have_the_numbers_of_the_firmware() {
    for (modes, number) in [("ironbird", 4), ("arducopter", 3)] {
        let mut rig = joined(&[("modes", text(modes))], &[]);
        rig.call::<_, Answer>(seconds(1.05), "station.set-mode.auto", &());
        let run = rig.run(seconds(5.0), &OUTPUTS);
        assert_eq!(run.samples::<u32>("station.vehicle.mode").last().expect("shown").1, number);
    }
}

#[test]
fn px4_takes_off_where_it_is_to_an_altitude_above_the_sea() {
    for (px4, altitude) in [(false, 20.0), (true, 508.0)] {
        let mut rig = joined(&[], &[("px4", Parameter::Bool(px4))]);
        rig.call::<_, Answer>(seconds(1.05), "station.take-off", &Altitude { altitude: 20.0 });
        let run = rig.run(seconds(2.0), &["vehicle.items", "station.vehicle.command_failed"]);
        let items = run.samples::<[f64; 4]>("vehicle.items");
        let [(_, [22.0, latitude, longitude, up])] = items[..] else { panic!("{items:?}") };
        assert_eq!((latitude.is_nan(), longitude.is_nan(), up), (px4, px4, altitude));
        assert!(failures(&run).is_empty());
    }
}

#[test]
fn an_order_that_is_not_heard_is_given_again() {
    // It hears every third message.
    let mut rig = joined(&[], &[("deaf", whole(3))]);
    rig.call::<_, Answer>(seconds(1.05), "station.arm", &());
    let run = rig.run(seconds(10.0), &OUTPUTS);
    assert_eq!(commands(&run), [(seconds(3.05), MavCmd::MAV_CMD_COMPONENT_ARM_DISARM as u32)]);
    assert!(failures(&run).is_empty());
}

#[test]
fn an_order_that_is_never_heard_is_given_up() {
    let patience = [("timeout", real(0.5)), ("attempts", whole(4))];
    let mut rig = joined(&patience, &[("deaf", whole(1000))]);
    rig.call::<_, Answer>(seconds(1.05), "station.arm", &());
    let run = rig.run(seconds(10.0), &OUTPUTS);
    assert_eq!(failures(&run), [(seconds(3.05), 0, "arm: no answer to 4 attempts".into())]);
    assert_eq!(run.samples::<u64>("station.vehicle.failures").last().expect("shown").1, 1);
}

#[test]
fn a_vehicle_that_was_never_heard_cannot_be_told() {
    let mut rig = joined(&[], &[("silence", real(100.0))]);
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &());
    let run = rig.run(seconds(10.0), &OUTPUTS);
    assert_eq!(failures(&run), [(seconds(6.0), 0, "arm: the vehicle was never heard".into())]);
}

#[test]
fn an_order_waits_for_a_vehicle_that_comes_in_time() {
    let mut rig = joined(&[], &[("silence", real(2.5))]);
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &());
    let run = rig.run(seconds(10.0), &OUTPUTS);
    assert_eq!(commands(&run), [(seconds(3.0), MavCmd::MAV_CMD_COMPONENT_ARM_DISARM as u32)]);
}

#[test]
fn a_vehicle_may_deny() {
    for (result, words) in [(1, "arm: denied with result 1"), (2, "arm: denied with result 2")] {
        let mut rig = joined(&[], &[("result", whole(result))]);
        rig.call::<_, Answer>(seconds(1.0), "station.arm", &());
        let run = rig.run(seconds(10.0), &OUTPUTS);
        assert_eq!(failures(&run), [(seconds(1.0), result as u8, words.into())]);
        assert_eq!(commands(&run).len(), 1, "it is not asked again");
    }
}

#[test]
fn an_order_in_progress_gets_more_time() {
    let mut rig = joined(&[("attempts", whole(2))], &[("progress", whole(2))]);
    rig.call::<_, Answer>(seconds(1.0), "station.arm", &());
    let run = rig.run(seconds(4.5), &OUTPUTS);
    // Each time it is asked it says that it is still at it, and so is asked again for ever.
    assert!(failures(&run).is_empty());
    assert_eq!(commands(&run).len(), 4);
}

#[test]
fn go_to_is_said_in_degrees() {
    let mut rig = joined(&[], &[]);
    let [latitude, longitude] = [47.4_f64, 8.55].map(f64::to_radians);
    let spot = Spot { latitude, longitude, altitude: 30.0 };
    rig.call::<_, Answer>(seconds(1.0), "station.go-to", &spot);
    let offset = Offset { north: 111.0, east: -50.0, altitude: 12.0 };
    rig.call::<_, Answer>(seconds(2.0), "station.go-to-offset", &offset);
    let run = rig.run(seconds(3.0), &OUTPUTS);
    let places = run.samples::<[f64; 4]>("vehicle.items");
    let reposition = f64::from(MavCmd::MAV_CMD_DO_REPOSITION as u32);
    assert_eq!(places[0].1, [reposition, 474e6, 855e5, 30.0]);
    // One minute of arc is 1852 m, more or less: 111 m north are some 0.001 deg.
    let [_, x, y, z] = places[1].1;
    assert!((x - 473_977_420.0 - 9_983.0).abs() < 3.0, "{x}");
    let metres_per_degree = 111_320.0 * libm::cos(47.4_f64.to_radians());
    assert!((y - 85_455_940.0 + 50.0 / metres_per_degree * 1e7).abs() < 20.0, "{y}");
    assert_eq!(z, 12.0);
}

#[test]
fn an_offset_needs_a_home() {
    let mut rig = joined(&[], &[("silence", real(5.0))]);
    rig.call::<_, Answer>(seconds(1.0), "station.go-to-offset", &Offset::default());
    let run = rig.run(seconds(2.0), &OUTPUTS);
    let words = "go-to-offset: the home of the vehicle is not known yet";
    assert_eq!(failures(&run), [(seconds(1.0), 0, words.into())]);
}

#[test]
fn a_parameter_is_set_or_said_to_be_another() {
    let mut rig = joined(&[], &[("deaf", whole(2))]);
    rig.set(seconds(1.0), "station.parameter", text("GAIN"));
    rig.set(seconds(1.0), "station.value", real(2.5));
    rig.set(seconds(3.0), "station.value", real(99.0));
    rig.set(seconds(5.0), "station.parameter", text("NOT_THERE"));
    rig.set(seconds(5.0), "station.value", real(1.0));
    let mut outputs = OUTPUTS.to_vec();
    outputs.push("vehicle.gain");
    let run = rig.run(seconds(15.0), &outputs);
    let gains: Vec<f64> = run.numbers("vehicle.gain");
    assert!(gains.contains(&2.5) && gains.last() == Some(&10.0));
    let said = failures(&run);
    assert_eq!(said[0], (seconds(4.0), 2, "set-parameter GAIN: denied with result 2".into()));
    assert_eq!(said[1].2, "set-parameter NOT_THERE: no answer to 5 attempts");
}

#[test]
fn the_name_of_a_parameter_has_16_characters_at_most() {
    let mut rig = joined(&[], &[]);
    rig.set(seconds(1.0), "station.parameter", text("A_NAME_THAT_IS_TOO_LONG"));
    let said = rig.failure(seconds(2.0));
    assert!(said.contains("a name of 1 to 16 ASCII characters"), "{said}");
}

#[test]
fn orders_go_over_the_serial_line_at_its_rate() {
    let mut rig = joined(&[], &[("serial", Parameter::Bool(true))]);
    rig.call::<_, Answer>(seconds(1.05), "station.arm", &());
    let run = rig.run(seconds(3.0), &OUTPUTS);
    let [(time, _)] = commands(&run)[..] else { panic!("one command") };
    // COMMAND_LONG: 12 bytes around a payload of 33, whose zeros at the end are not sent.
    let bytes = (time - seconds(1.05)).as_ps() as f64 / (10.0 / 57_600.0 * 1e12);
    assert!((bytes - bytes.round()).abs() < 1e-6 && (40.0..=45.0).contains(&bytes), "{bytes}");
}
