//! Every byte of the protocol, where it stands. The offsets are those that a C program printed from SimBricks'
//! own headers.

use ironbird_simbricks::layout::*;
use ironbird_simbricks::{Protocol, SyncMode};

/// Asserts that exactly these bytes are set, each run of them to the given little-endian value.
fn assert_bytes(bytes: &[u8], expected: &[(usize, usize, u64)]) {
    let mut whole = vec![0; bytes.len()];
    for (at, size, value) in expected {
        whole[*at..at + size].copy_from_slice(&value.to_le_bytes()[..*size]);
    }
    assert_eq!(bytes, whole);
}

#[test]
fn a_slot_begins_with_48_bytes_of_fields_a_time_stamp_and_ends_its_header_with_owner_and_type() {
    let mut fields = [0; 48];
    fields[47] = 9;
    let header =
        Header { fields, timestamp: 0x0102_0304_0506_0708, consumer_owns: true, kind: 0x40 };
    let bytes = header.encode();
    assert_bytes(&bytes, &[(47, 1, 9), (48, 8, 0x0102_0304_0506_0708), (63, 1, 0xc0)]);
    assert_eq!(Header::decode(&bytes), Ok(header));
    assert!(Header::decode(&bytes[..63]).is_err());
}

/// Observed from SimBricks' net_pktgen with a raw socket: ten words and four zero bytes.
#[test]
fn the_introduction_of_net_pktgen_reads_and_writes_to_the_same_84_bytes() {
    let words = [1_u64, 1, 13_107_200, 1600, 8192, 0, 1600, 8192, 1, 80];
    let mut observed: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    observed.extend_from_slice(&[0; 4]);
    assert_eq!(observed.len(), 84);
    let intro = ListenerIntro {
        flags: SyncMode::Optional.flags(),
        l2c: QueuePlace { offset: 13_107_200, elen: 1600, nentries: 8192 },
        c2l: QueuePlace { offset: 0, elen: 1600, nentries: 8192 },
        protocol: Protocol::NET,
        upper: vec![0; 4],
    };
    assert_eq!(ListenerIntro::decode(&observed), Ok(intro.clone()));
    assert_eq!(intro.encode(), observed);
}

#[test]
fn the_introductions_have_every_field_where_it_belongs() {
    let place = |offset| QueuePlace { offset, elen: offset + 1, nentries: offset + 2 };
    let listener = ListenerIntro {
        flags: 3,
        l2c: place(10),
        c2l: place(20),
        protocol: Protocol::PCIE,
        upper: vec![7],
    };
    let l2c = [(16, 8, 10), (24, 8, 11), (32, 8, 12)];
    let c2l = [(40, 8, 20), (48, 8, 21), (56, 8, 22)];
    let rest = [(0, 8, 1), (8, 8, 3), (64, 8, 2), (72, 8, 80), (80, 1, 7)];
    assert_bytes(&listener.encode(), &[&l2c[..], &c2l, &rest].concat());
    let connecter = ConnecterIntro { flags: 1, protocol: Protocol::MEM, upper: vec![5, 6] };
    let bytes = connecter.encode();
    assert_bytes(&bytes, &[(0, 8, 1), (8, 8, 1), (16, 8, 3), (24, 8, 32), (32, 1, 5), (33, 1, 6)]);
    assert_eq!(ConnecterIntro::decode(&bytes), Ok(connecter));
}

#[test]
fn an_introduction_cut_anywhere_before_its_upper_part_is_refused() {
    let place = QueuePlace { offset: 0, elen: 64, nentries: 1 };
    let listener =
        ListenerIntro { flags: 0, l2c: place, c2l: place, protocol: Protocol::NET, upper: vec![] };
    let bytes = listener.encode();
    assert!(ListenerIntro::decode(&bytes).is_ok());
    for cut in 0..bytes.len() {
        let refused = ListenerIntro::decode(&bytes[..cut]);
        assert!(matches!(refused, Err(LayoutError::Length { .. })), "{cut}: {refused:?}");
    }
    let mut outside = bytes.clone();
    outside[72] = 81;
    let refused = ListenerIntro::decode(&outside);
    assert_eq!(refused, Err(LayoutError::UpperOffset { found: 81, length: 80, base: 80 }));
    outside[72] = 79;
    assert!(matches!(ListenerIntro::decode(&outside), Err(LayoutError::UpperOffset { .. })));
}

#[test]
fn synchronisation_is_negotiated_as_in_simbricks() {
    use SyncMode::*;
    let table = [
        (Disabled, [Ok(false), Ok(false), Err(Required)]),
        (Optional, [Ok(false), Ok(true), Ok(true)]),
        (Required, [Err(Disabled), Ok(true), Ok(true)]),
    ];
    for (here, outcomes) in table {
        for (there, outcome) in [Disabled, Optional, Required].into_iter().zip(outcomes) {
            assert_eq!(here.negotiate(there.flags()), outcome, "{here} here, {there} there");
        }
    }
    assert_eq!([Disabled, Optional, Required].map(SyncMode::flags), [0, 1, 3]);
}

/// The message's type and bytes are these, and it reads back; no other type reads as this layer's.
fn assert_message<U: Upper + PartialEq + std::fmt::Debug>(
    message: U,
    kind: u8,
    payload: Option<usize>,
    expected: &[(usize, usize, u64)],
) {
    let (fields, tail) = (message.encode(), message.tail());
    assert_bytes(&fields, expected);
    assert_eq!(message.kind(), kind);
    assert_eq!(message.payload_len(), payload);
    assert_eq!(U::decode(kind, &fields, &tail), Ok(message));
    assert!(matches!(U::decode(kind, &fields[..47], &tail), Err(LayoutError::Length { .. })));
    assert!(matches!(U::decode(0x7f, &fields, &tail), Err(LayoutError::Type { found: 0x7f, .. })));
    assert!(
        U::decode(SYNC, &fields, &tail).is_err() && U::decode(TERMINATE, &fields, &tail).is_err()
    );
}

#[test]
fn net_packets() {
    let packet = net::Packet { len: 1514, port: 3 };
    assert_message(packet, 0x40, Some(1514), &[(0, 2, 1514), (2, 1, 3)]);
    assert_eq!(decode_dummy_intro(&[1, 2, 3, 4]), Ok(()));
    assert!(decode_dummy_intro(&[0; 5]).is_err());
}

#[test]
fn memory_transactions() {
    use mem::{Request, ToHost, ToMemory};
    let request = Request { request: 1, address_space: 2, address: 3, len: 400 };
    let bytes = [(0, 8, 1), (8, 8, 2), (16, 8, 3), (24, 2, 400)];
    assert_message(ToMemory::Read(request), 0x60, Some(0), &bytes);
    assert_message(ToMemory::Write(request), 0x61, Some(400), &bytes);
    assert_message(ToMemory::WritePosted(request), 0x62, Some(400), &bytes);
    assert_message(ToHost::ReadComplete { request: 5 }, 0x40, None, &[(0, 8, 5)]);
    assert_message(ToHost::WriteComplete { request: 5 }, 0x41, Some(0), &[(0, 8, 5)]);
}

#[test]
fn pcie_transactions() {
    use pcie::{BarAccess, HostAccess, Interrupt, ToDevice, ToHost};
    let access = HostAccess { request: 1, address: 2, len: 300 };
    let bytes = [(0, 8, 1), (8, 8, 2), (16, 2, 300)];
    assert_message(ToHost::Read(access), 0x40, Some(0), &bytes);
    assert_message(ToHost::Write(access), 0x41, Some(300), &bytes);
    let kinds = [Interrupt::LegacyHigh, Interrupt::LegacyLow, Interrupt::Msi, Interrupt::Msix];
    for (number, kind) in kinds.into_iter().enumerate() {
        let bytes = [(0, 2, 513), (2, 1, number as u64)];
        assert_message(ToHost::Interrupt { vector: 513, kind }, 0x42, Some(0), &bytes);
    }
    let unknown = ToHost::decode(0x42, &[4; 48], &[0; 7]);
    assert!(matches!(unknown, Err(LayoutError::Value { found: 4, .. })));
    assert_message(ToHost::ReadComplete { request: 5 }, 0x43, None, &[(0, 8, 5)]);
    assert_message(ToHost::WriteComplete { request: 5 }, 0x44, Some(0), &[(0, 8, 5)]);
    let access = BarAccess { request: 1, offset: 2, len: 300, bar: 4 };
    let bytes = [(0, 8, 1), (8, 8, 2), (16, 2, 300), (18, 1, 4)];
    assert_message(ToDevice::Read(access), 0x60, Some(0), &bytes);
    assert_message(ToDevice::Write(access), 0x61, Some(300), &bytes);
    assert_message(ToDevice::WritePosted(access), 0x65, Some(300), &bytes);
    assert_message(ToDevice::ReadComplete { request: 5 }, 0x62, None, &[(0, 8, 5)]);
    assert_message(ToDevice::WriteComplete { request: 5 }, 0x63, Some(0), &[(0, 8, 5)]);
    assert_message(ToDevice::Control { flags: 6 }, 0x64, Some(0), &[(0, 8, 6)]);
}

#[test]
fn a_pcie_device_introduces_itself_with_119_bytes() {
    let mut intro = pcie::DeviceIntro {
        vendor: 0x8086,
        device: 0x1572,
        class: 2,
        subclass: 3,
        revision: 4,
        progif: 5,
        msi_nvecs: 6,
        msix_nvecs: 700,
        msix_table_bar: 8,
        msix_pba_bar: 9,
        msix_table_offset: 0x1_0000,
        msix_pba_offset: 0x2_0000,
        msix_cap_offset: 1200,
        ..Default::default()
    };
    intro.bars[5] = pcie::Bar { len: 4096, flags: pcie::BAR_64 | pcie::BAR_PREFETCH };
    let bytes = intro.encode();
    let ids = [(80, 8, 4096), (88, 8, 6), (96, 2, 0x8086), (98, 2, 0x1572), (100, 1, 2)];
    let more = [(101, 1, 3), (102, 1, 4), (103, 1, 5), (104, 1, 6), (105, 2, 700), (107, 1, 8)];
    let last = [(108, 1, 9), (109, 4, 0x1_0000), (113, 4, 0x2_0000), (117, 2, 1200)];
    assert_bytes(&bytes, &[&ids[..], &more, &last].concat());
    assert_eq!(pcie::DeviceIntro::decode(&bytes), Ok(intro));
    assert!(pcie::DeviceIntro::decode(&bytes[..118]).is_err());
}
