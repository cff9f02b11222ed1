//! The messages between a simulator and an autopilot, beside what PX4 v1.16.2 and a simulator said in a real flight.
//!
//! The recording is in `../shared/data` beside the project or where `IRONBIRD_DATA` says.

use std::io::Read;
use std::path::{Path, PathBuf};

use ironbird_kinematics::{Attitude, Geodetic};
use ironbird_mavlink::simulator::{Actuators, SatelliteFix, Sensors, Truth};
use ironbird_mavlink::{MavHeader, MavMessage, StreamParser, encode};
use mavlink::dialects::common::MavCmd;

/// A piece of the recorded streams.
struct Piece {
    is_from_px4: bool,
    time: u64,
    bytes: Vec<u8>,
}

/// Records of direction (u8), simulated microseconds (u64), wall time (f64), length (u32), and bytes.
fn pieces() -> Option<Vec<Piece>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from);
    let file = data.join("autopilots/px4/rt.rec.gz");
    let Ok(packed) = std::fs::File::open(&file) else {
        println!("skipped: there is no {}; IRONBIRD_DATA names the folder", file.display());
        return None;
    };
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed).read_to_end(&mut bytes).expect("it can be unpacked");
    let (mut rest, mut pieces) = (bytes.as_slice(), Vec::new());
    while let Some((head, tail)) = rest.split_first_chunk::<21>() {
        let time = u64::from_le_bytes(head[1..9].try_into().expect("8 bytes"));
        let length = u32::from_le_bytes(head[17..].try_into().expect("4 bytes")) as usize;
        let (bytes, tail) = tail.split_at(length);
        pieces.push(Piece { is_from_px4: head[0] == 1, time, bytes: bytes.to_vec() });
        rest = tail;
    }
    assert!(rest.is_empty());
    Some(pieces)
}

/// Whether the numbers of messages follow each other.
fn is_gapless(numbers: &[u8]) -> bool {
    numbers.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1))
}

#[test]
fn all_of_a_real_flight_is_read_and_written_again_with_the_same_bytes() {
    let Some(pieces) = pieces() else { return };
    let (mut sensors, mut fixes, mut answers, mut others) = (0, 0, 0, Vec::new());
    for is_from_px4 in [false, true] {
        let (mut parser, mut again, mut numbers) =
            (StreamParser::default(), Vec::new(), Vec::new());
        let sent: Vec<u8> = pieces
            .iter()
            .filter(|piece| piece.is_from_px4 == is_from_px4)
            .flat_map(|piece| piece.bytes.clone())
            .collect();
        // Cut anew, so that frames are split and several come at once.
        for part in sent.chunks(251) {
            for (header, message) in parser.push(part) {
                again.extend(encode(header, &message));
                numbers.push(header.sequence);
                match message {
                    MavMessage::HIL_SENSOR(_) => sensors += 1,
                    MavMessage::HIL_GPS(_) => fixes += 1,
                    MavMessage::HIL_ACTUATOR_CONTROLS(_) => answers += 1,
                    other => others.push(other),
                }
            }
        }
        assert!(again == sent, "the bytes differ");
        // That simulator numbered its fixes behind the sensors, and sent them in front.
        assert!(is_gapless(&numbers) || !is_from_px4);
        let counts = parser.counts;
        assert_eq!((counts.skipped, counts.wrong_checks, counts.unknown), (0, 0, 0));
    }
    assert_eq!((sensors, fixes, answers), (15_000, 600, 14_988));
    let [MavMessage::HEARTBEAT(_), MavMessage::COMMAND_LONG(asked)] = &others[..] else {
        panic!("two messages at the start: {others:?}")
    };
    assert_eq!(asked.command, MavCmd::MAV_CMD_SET_MESSAGE_INTERVAL);
    assert_eq!((asked.param1, asked.param2), (115.0, 5000.0));
}

#[test]
fn answers_of_a_real_flight_carry_the_times_of_the_sensors() {
    let Some(pieces) = pieces() else { return };
    let mut parsers = [StreamParser::default(), StreamParser::default()];
    let (mut sent, mut last, mut first) = (0, 0, None);
    let (mut armed, mut highest) = (0, 0.0_f32);
    for piece in &pieces {
        for (_, message) in parsers[usize::from(piece.is_from_px4)].push(&piece.bytes) {
            if let MavMessage::HIL_SENSOR(data) = &message {
                assert!(data.time_usec > last, "time goes on");
                (sent, last) = (sent + 1, data.time_usec);
            }
            let Some(answer) = Actuators::read(&message) else { continue };
            first.get_or_insert(sent);
            assert_eq!((answer.time, answer.time), (last, piece.time));
            assert!(answer.is_lockstep);
            assert!(answer.controls.iter().all(|control| (0.0..=1.0).contains(control)));
            assert!(answer.controls[4..].iter().all(|control| *control == 0.0));
            if answer.is_armed {
                armed += 1;
                highest = answer.controls.iter().copied().fold(highest, f32::max);
            } else {
                assert_eq!(answer.controls, [0.0; 16]);
            }
        }
    }
    assert_eq!(first, Some(13), "it boots before it answers");
    assert_eq!(armed, 9_480);
    assert!((0.5..0.8).contains(&highest), "{highest}");
}

#[test]
fn what_a_real_simulator_sent_is_made_of_the_same_quantities() {
    let Some(pieces) = pieces() else { return };
    let mut parser = StreamParser::default();
    let mut kinds = std::collections::BTreeMap::new();
    for piece in pieces.iter().filter(|piece| !piece.is_from_px4) {
        for (_, message) in parser.push(&piece.bytes) {
            let MavMessage::HIL_SENSOR(data) = message else { continue };
            let has = |bits: u32| data.fields_updated.bits() & bits == bits;
            let three = |x, y, z| [x, y, z].map(f64::from);
            let own = Sensors {
                time: data.time_usec,
                specific_force: Some(three(data.xacc, data.yacc, data.zacc)),
                angular_velocity: Some(three(data.xgyro, data.ygyro, data.zgyro)),
                magnetic_field: has(0x1C0)
                    .then(|| three(data.xmag, data.ymag, data.zmag).map(|gauss| 1e-4 * gauss)),
                air: has(0x1A00).then(|| {
                    (100.0 * f64::from(data.abs_pressure), f64::from(data.temperature) + 273.15)
                }),
                differential_pressure: None,
            };
            let MavMessage::HIL_SENSOR(own) = own.message() else { panic!("sensors") };
            assert_eq!(own.fields_updated, data.fields_updated);
            assert_eq!([own.xacc, own.ygyro], [data.xacc, data.ygyro]);
            *kinds.entry(data.fields_updated.bits()).or_insert(0) += 1;
            if has(0x1C0) {
                assert_eq!([own.xmag, own.ymag, own.zmag], [data.xmag, data.ymag, data.zmag]);
            }
            if has(0x1A00) {
                assert_eq!(own.abs_pressure, data.abs_pressure);
                assert!((own.temperature - data.temperature).abs() < 1e-4);
                let off = own.pressure_alt - data.pressure_alt;
                assert!(off.abs() < 1.0, "{off} m");
            }
        }
    }
    let expected = [(0x3F, 9_000), (0x1FF, 3_000), (0x1A3F, 2_250), (0x1BFF, 750)];
    assert_eq!(kinds, expected.into_iter().collect());
}

#[test]
fn sensors_are_sent_in_the_units_of_the_message() {
    let sensors = Sensors {
        time: 4_000,
        specific_force: Some([0.5, -0.25, -9.75]),
        angular_velocity: Some([0.125, 0.0, -0.5]),
        magnetic_field: Some([2e-5, 0.0, 4e-5]),
        air: Some((101_325.0, 288.15)),
        differential_pressure: Some(150.0),
    };
    let MavMessage::HIL_SENSOR(data) = sensors.message() else { panic!("sensors") };
    assert_eq!([data.xacc, data.yacc, data.zacc], [0.5, -0.25, -9.75]);
    assert_eq!([data.xgyro, data.ygyro, data.zgyro], [0.125, 0.0, -0.5]);
    assert_eq!([data.xmag, data.ymag, data.zmag], [0.2, 0.0, 0.4], "gauss");
    assert_eq!((data.abs_pressure, data.diff_pressure, data.pressure_alt), (1013.25, 1.5, 0.0));
    assert_eq!((data.temperature, data.fields_updated.bits()), (15.0, 0x1FFF));
    // 64 bytes and no zeros at the end but those of the flags.
    let header = MavHeader { system_id: 1, component_id: 51, sequence: 0 };
    assert_eq!(encode(header, &sensors.message()).len(), 10 + 62 + 2);
    let nothing = Sensors { time: 1, ..Sensors::default() };
    let MavMessage::HIL_SENSOR(data) = nothing.message() else { panic!("sensors") };
    assert_eq!(data.fields_updated.bits(), 0);
}

#[test]
fn a_fix_is_sent_in_centimetres_and_ten_millionths_of_a_degree() {
    let fix = SatelliteFix {
        time: 100_000,
        place: Geodetic::from_degrees(47.397_742, -8.545_594, 488.0414),
        velocity: [0.0, -3.0, 1.254],
        accuracy: [0.3, 0.4],
        satellites: 12,
    };
    let MavMessage::HIL_GPS(data) = fix.message() else { panic!("a fix") };
    assert_eq!((data.lat, data.lon, data.alt), (473_977_420, -85_455_940, 488_041));
    assert_eq!((data.vn, data.ve, data.vd, data.vel), (0, -300, 125, 300));
    assert_eq!((data.cog, data.eph, data.epv), (27_000, 30, 40));
    assert_eq!((data.fix_type, data.satellites_visible), (3, 12));
    let slow = SatelliteFix { velocity: [0.01, 0.0, 0.0], satellites: 0, ..fix };
    let MavMessage::HIL_GPS(data) = slow.message() else { panic!("a fix") };
    assert_eq!((data.cog, data.fix_type), (u16::MAX, 1), "no course, no fix");
}

#[test]
fn the_truth_is_sent_in_thousandths_of_gravity() {
    let truth = Truth {
        time: 5_000,
        attitude: Attitude { w: 0.6, x: 0.0, y: 0.8, z: 0.0 },
        angular_velocity: [0.5, 0.25, 0.125],
        specific_force: [0.0, 9.806_65, -2.0 * 9.806_65],
        place: Geodetic::from_degrees(1.0, 2.0, 3.0),
        velocity: [3.0, 4.0, 0.0],
    };
    let MavMessage::HIL_STATE_QUATERNION(data) = truth.message() else { panic!("the truth") };
    assert_eq!(data.attitude_quaternion, [0.6, 0.0, 0.8, 0.0]);
    assert_eq!((data.rollspeed, data.xacc, data.yacc, data.zacc), (0.5, 0, 1000, -2000));
    assert_eq!((data.lat, data.lon, data.alt), (10_000_000, 20_000_000, 3_000));
    assert_eq!((data.vx, data.vy, data.true_airspeed), (300, 400, 500));
}
