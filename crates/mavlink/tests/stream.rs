//! Messages are found among bytes that are none.

use ironbird_mavlink::{MavMessage, StreamParser, encode};
use mavlink::MavHeader;
use mavlink::dialects::common::*;

fn heartbeat(sequence: u8) -> Vec<u8> {
    let header = MavHeader { system_id: 1, component_id: 1, sequence };
    let message = MavMessage::HEARTBEAT(HEARTBEAT_DATA {
        custom_mode: 0x00FD_FD03,
        mavtype: MavType::MAV_TYPE_QUADROTOR,
        autopilot: MavAutopilot::MAV_AUTOPILOT_GENERIC,
        base_mode: MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED,
        system_status: MavState::MAV_STATE_ACTIVE,
        mavlink_version: 3,
    });
    encode(header, &message)
}

fn sequences(messages: &[(MavHeader, MavMessage)]) -> Vec<u8> {
    messages.iter().map(|(header, _)| header.sequence).collect()
}

#[test]
fn messages_are_found_however_the_bytes_come() {
    let stream: Vec<u8> = (0..5).flat_map(heartbeat).collect();
    for size in 1..=stream.len() {
        let mut parser = StreamParser::default();
        let found: Vec<_> = stream.chunks(size).flat_map(|part| parser.push(part)).collect();
        assert_eq!(sequences(&found), [0, 1, 2, 3, 4], "in pieces of {size}");
        assert_eq!((parser.counts.messages, parser.counts.skipped), (5, 0));
    }
}

/// The same in MAVLink 1.
fn heartbeat_1(sequence: u8) -> Vec<u8> {
    let (header, message) = StreamParser::default().push(&heartbeat(sequence)).remove(0);
    let mut raw = mavlink::MAVLinkV1MessageRaw::new();
    raw.serialize_message(header, &message);
    raw.raw_bytes().to_vec()
}

#[test]
fn both_versions_are_understood_side_by_side() {
    let stream = [heartbeat_1(1), heartbeat(2), heartbeat_1(3), heartbeat_1(4), heartbeat(5)];
    assert_eq!((stream[0][0], stream[1][0]), (0xFE, 0xFD));
    let stream = stream.concat();
    for size in 1..=stream.len() {
        let mut parser = StreamParser::default();
        let found: Vec<_> = stream.chunks(size).flat_map(|part| parser.push(part)).collect();
        assert_eq!(sequences(&found), [1, 2, 3, 4, 5], "in pieces of {size}");
        assert_eq!((parser.counts.messages, parser.counts.skipped), (5, 0));
        assert!(found.iter().all(|(_, message)| *message == found[0].1));
    }
}

#[test]
fn garbage_between_messages_is_skipped() {
    let mut parser = StreamParser::default();
    let garbage = [0x00, 0xFE, 0x09, 0xFD, 0x02, 0x80, 0x55];
    let stream = [&garbage[..], &heartbeat(1), &garbage, &garbage, &heartbeat(2)].concat();
    assert_eq!(sequences(&parser.push(&stream)), [1, 2]);
    assert_eq!(parser.counts.skipped, 3 * garbage.len() as u64);
}

#[test]
fn a_message_of_another_dialect_hides_none_that_follows() {
    // EKF_STATUS_REPORT (193) of ardupilotmega, with what looks like the beginning of a long message in it.
    let payload = [0x00, 0xFD, 0xF0, 0x00, 0x00, 0x07, 0x01, 0x01, 0x00];
    let header = [0xFD, payload.len() as u8, 0, 0, 9, 1, 1, 193, 0, 0];
    let unknown = [&header[..], &payload, &[0xAB, 0xCD]].concat();
    let stream = [&heartbeat(1), &unknown[..], &unknown, &heartbeat(2)].concat();
    for size in 1..=stream.len() {
        let mut parser = StreamParser::default();
        let found: Vec<_> = stream.chunks(size).flat_map(|part| parser.push(part)).collect();
        assert_eq!(sequences(&found), [1, 2], "in pieces of {size}");
        assert_eq!((parser.counts.unknown, parser.counts.skipped), (2, 0));
    }
    // At the end of a datagram nothing follows.
    let mut parser = StreamParser::default();
    assert_eq!(sequences(&parser.push(&[&heartbeat(3), &unknown[..]].concat())), [3]);
    assert!(parser.end().is_empty());
    assert_eq!(sequences(&parser.push(&heartbeat(4))), [4]);
}

#[test]
fn a_wrong_bit_costs_one_message_and_is_counted() {
    let length = heartbeat(0).len();
    for bit in 0..8 * length {
        let mut damaged = heartbeat(7);
        damaged[bit / 8] ^= 1 << (bit % 8);
        // Enough follows to fill the longest message that the damage could pretend.
        let after: Vec<u8> = (8..40).flat_map(heartbeat).collect();
        let mut parser = StreamParser::default();
        let found = parser.push(&[&heartbeat(6), &damaged[..], &after].concat());
        let found = sequences(&found);
        assert!(!found.contains(&7), "bit {bit}");
        assert_eq!(found[0], 6);
        assert_eq!(found[1..], (8..40).collect::<Vec<u8>>(), "bit {bit}");
        let counts = parser.counts;
        // With another kind it may be a message of another dialect, which cannot be checked.
        let is_foreign = counts.unknown > 0 && counts.skipped == 0;
        assert!(is_foreign || counts.skipped >= length as u64, "bit {bit}: {counts:?}");
        assert!(!is_foreign || (56..80).contains(&bit), "bit {bit}: {counts:?}");
        // A first byte that is none leaves nothing to be checked, and a flag cannot be.
        let is_checked =
            !(0..8).contains(&bit) && !(16..24).contains(&bit) && !(56..80).contains(&bit);
        assert!(!is_checked || counts.wrong_checks > 0, "bit {bit}: {counts:?}");
    }
}

#[test]
fn the_end_of_a_datagram_frees_what_a_broken_message_hid() {
    let mut parser = StreamParser::default();
    let broken = &heartbeat(1)[..12];
    let mut found = parser.push(&[broken, &heartbeat(2)].concat());
    found.append(&mut parser.end());
    assert_eq!(sequences(&found), [2]);
    assert_eq!(sequences(&parser.push(&heartbeat(3))), [3]);
}

#[test]
fn signed_messages_are_read_without_asking_for_the_key() {
    let header = MavHeader { system_id: 1, component_id: 1, sequence: 9 };
    let mut signed = heartbeat(9);
    signed[2] = 1;
    let payload = signed.len() - 2;
    let sum = mavlink::calculate_crc(&signed[1..payload], 50);
    signed[payload..].copy_from_slice(&sum.to_le_bytes());
    signed.extend([0xAB; 13]);
    let mut parser = StreamParser::default();
    let found = parser.push(&[signed, heartbeat(10)].concat());
    assert_eq!(found[0].0, header);
    assert_eq!((sequences(&found), parser.counts.skipped), (vec![9, 10], 0));
}

#[test]
fn random_bytes_are_no_messages_and_no_panic() {
    let mut parser = StreamParser::default();
    let mut random = ironbird_kernel::RandomStream::from_key(11);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..97).map(|_| random.below(256) as u8).collect();
        assert!(parser.push(&bytes).is_empty());
    }
    parser.end();
    // Some look like a message of another dialect with another one behind it.
    let skipped = parser.counts.skipped as f64 / (2_000.0 * 97.0);
    assert!((0.99..=1.0).contains(&skipped), "{skipped}");
}
