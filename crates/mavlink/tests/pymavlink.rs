//! Our bytes are those of pymavlink, and the other way round.

use std::process::Command;

use ironbird_mavlink::{MavMessage, StreamParser, encode};
use ironbird_test_rig::python;
use mavlink::MavHeader;
use mavlink::dialects::common::*;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pymavlink_reference.py");

/// Whether the Python of the tests has pymavlink.
fn has_pymavlink() -> bool {
    let python = std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into());
    let found = Command::new(python).args(["-c", "import pymavlink"]).output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("skipped: IRONBIRD_PYTHON has no pymavlink");
    }
    is_there
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("digits"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("a byte")).collect()
}

#[test]
fn what_pymavlink_writes_is_read() {
    if !has_pymavlink() {
        return;
    }
    for (version, start) in [("1", 0xFE), ("2", 0xFD)] {
        let written = String::from_utf8(python(SCRIPT, &["encode", version])).expect("text");
        let lines: Vec<Vec<u8>> = written.lines().map(bytes).collect();
        assert!(lines.iter().all(|line| line[0] == start));
        is_what_pymavlink_wrote(&lines);
    }
}

fn is_what_pymavlink_wrote(lines: &[Vec<u8>]) {
    let mut parser = StreamParser::default();
    let messages: Vec<_> = lines.iter().flat_map(|line| parser.push(line)).collect();
    assert_eq!((messages.len(), parser.counts.skipped), (9, 0));
    for (number, (header, _)) in (0..).zip(&messages) {
        let sequence = 250_u8.wrapping_add(number);
        assert_eq!(*header, MavHeader { system_id: 3, component_id: 1, sequence });
    }
    let mut messages = messages.into_iter().map(|(_, message)| message);
    let mut next = || messages.next().expect("there are nine");
    let MavMessage::HEARTBEAT(heartbeat) = next() else { panic!("a heartbeat") };
    assert_eq!((heartbeat.mavtype, heartbeat.custom_mode), (MavType::MAV_TYPE_QUADROTOR, 4));
    assert!(heartbeat.base_mode.contains(MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED));
    let MavMessage::GLOBAL_POSITION_INT(place) = next() else { panic!("a place") };
    assert_eq!((place.lat, place.lon, place.alt), (-338_567_840, 1_512_153_000, 25_000));
    assert_eq!((place.relative_alt, place.vx, place.vy, place.vz), (20_500, 150, -20, -300));
    let MavMessage::ATTITUDE(attitude) = next() else { panic!("an attitude") };
    assert_eq!([attitude.roll, attitude.pitch, attitude.yaw], [0.25, -0.5, 1.5]);
    // With the fields that MAVLink 2 has added, which are left alone.
    let MavMessage::COMMAND_ACK(ack) = next() else { panic!("an acknowledgement") };
    assert_eq!(ack.command, MavCmd::MAV_CMD_NAV_TAKEOFF);
    assert_eq!(ack.result, MavResult::MAV_RESULT_TEMPORARILY_REJECTED);
    assert!(matches!(next(), MavMessage::MISSION_REQUEST_INT(request) if request.seq == 4));
    let MavMessage::MISSION_ACK(ack) = next() else { panic!("an acknowledgement") };
    assert_eq!(ack.mavtype, MavMissionResult::MAV_MISSION_ACCEPTED);
    let MavMessage::PARAM_VALUE(parameter) = next() else { panic!("a parameter") };
    assert_eq!((parameter.param_id.to_str(), parameter.param_value), (Ok("ATT_ROLL_P"), 6.5));
    let MavMessage::STATUSTEXT(text) = next() else { panic!("a text") };
    assert_eq!(text.text.to_str().map(|text| text.trim_end_matches('\0')), Ok("low battery"));
    let MavMessage::NAMED_VALUE_FLOAT(named) = next() else { panic!("a value") };
    assert_eq!((named.name.to_str(), named.value), (Ok("loop_rate"), 400.0));
}

#[test]
fn what_is_written_pymavlink_reads() {
    if !has_pymavlink() {
        return;
    }
    let (target_system, target_component) = (1, 1);
    let messages = [
        MavMessage::COMMAND_LONG(COMMAND_LONG_DATA {
            param7: 20.0,
            command: MavCmd::MAV_CMD_NAV_TAKEOFF,
            target_system,
            target_component,
            confirmation: 2,
            ..Default::default()
        }),
        MavMessage::COMMAND_INT(COMMAND_INT_DATA {
            param1: -1.0,
            x: 473_977_420,
            y: -85_455_940,
            z: 12.5,
            command: MavCmd::MAV_CMD_DO_REPOSITION,
            frame: MavFrame::MAV_FRAME_GLOBAL_RELATIVE_ALT,
            target_system,
            target_component,
            ..Default::default()
        }),
        MavMessage::MISSION_COUNT(MISSION_COUNT_DATA { count: 5, target_system, target_component }),
        MavMessage::MISSION_ITEM_INT(MISSION_ITEM_INT_DATA {
            param1: 5.0,
            x: 473_977_420,
            y: 85_455_940,
            z: 20.0,
            seq: 1,
            command: MavCmd::MAV_CMD_NAV_WAYPOINT,
            frame: MavFrame::MAV_FRAME_GLOBAL_RELATIVE_ALT,
            target_system,
            target_component,
            autocontinue: 1,
            ..Default::default()
        }),
        MavMessage::PARAM_SET(PARAM_SET_DATA {
            param_value: 2.5,
            target_system,
            target_component,
            param_id: "GAIN".into(),
            param_type: MavParamType::MAV_PARAM_TYPE_REAL32,
        }),
    ];
    let mut arguments = vec![String::from("decode")];
    for (sequence, message) in (7..).zip(&messages) {
        let header = MavHeader { system_id: 255, component_id: 190, sequence };
        arguments.push(hex(&encode(header, message)));
    }
    let read = String::from_utf8(python(SCRIPT, &arguments)).expect("text");
    let expected = [
        "255/190 #7 COMMAND_LONG target_system=1 target_component=1 command=22 confirmation=2 param1=0 param2=0 param3=0 \
         param4=0 param5=0 param6=0 param7=20",
        "255/190 #8 COMMAND_INT target_system=1 target_component=1 frame=3 command=192 current=0 autocontinue=0 \
         param1=-1 param2=0 param3=0 param4=0 x=473977420 y=-85455940 z=12.5",
        "255/190 #9 MISSION_COUNT target_system=1 target_component=1 count=5",
        "255/190 #10 MISSION_ITEM_INT target_system=1 target_component=1 seq=1 frame=3 command=16 current=0 \
         autocontinue=1 param1=5 param2=0 param3=0 param4=0 x=473977420 y=85455940 z=20",
        "255/190 #11 PARAM_SET target_system=1 target_component=1 param_id=GAIN param_value=2.5 param_type=9",
    ];
    assert_eq!(read.lines().count(), expected.len());
    for (read, expected) in read.lines().zip(expected) {
        // Fields that later versions have added stand behind the others.
        assert!(read.starts_with(expected), "{read}");
    }
}
