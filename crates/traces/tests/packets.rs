//! Traces made by hand: what LTTng writes seldom or on other machines, and what is broken.

use ironbird_traces::ctf::{Event, Trace, Value};

const MAGIC: u32 = 0xC1FC_1FC1;
/// The uuid, spelled out.
const UUID: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Metadata of a trace whose events have a header of 32 bits: 5 of them number the event, 27 are of the clock.
fn metadata(order: &str, fields: &str) -> String {
    format!(
        "/* CTF 1.8 */
        typealias integer {{ size = 8; align = 8; }} := uint8_t;
        typealias integer {{ size = 16; align = 8; }} := uint16_t;
        typealias integer {{ size = 32; align = 8; }} := uint32_t;
        typealias integer {{ size = 64; align = 8; }} := uint64_t;
        typealias integer {{ size = 5; align = 1; }} := uint5_t;
        trace {{
            major = 1; minor = 8; byte_order = {order};
            uuid = \"00010203-0405-0607-0809-0a0b0c0d0e0f\";
            packet.header := struct {{ uint32_t magic; uint8_t uuid[16]; uint32_t stream_id; }};
        }};
        clock {{ name = mono; freq = 1000000000; offset_s = 10; offset = 5; }};
        typealias integer {{ size = 27; align = 1; map = clock.mono.value; }} := clock27;
        typealias integer {{ size = 64; align = 8; map = clock.mono.value; }} := clock64;
        struct header {{
            enum : uint5_t {{ compact = 0 ... 30, extended = 31 }} id;
            variant <id> {{
                struct {{ clock27 timestamp; }} compact;
                struct {{ uint32_t id; clock64 timestamp; }} extended;
            }} v;
        }} align(8);
        stream {{
            id = 3;
            packet.context := struct {{
                clock64 timestamp_begin; clock64 timestamp_end;
                uint64_t content_size; uint64_t packet_size; uint64_t events_discarded;
            }};
            event.header := struct header;
        }};
        event {{ name = \"a:b\"; id = 1; stream_id = 3; fields := struct {{ {fields} }}; }};
        event {{ name = \"far\"; id = 40; stream_id = 3; }};"
    )
}

/// Bytes of a packet with this content; `bytes` turns numbers into them.
struct Packet {
    content: Vec<u8>,
    is_big_endian: bool,
    discarded: u64,
}

impl Packet {
    fn little(content: &[u8]) -> Packet {
        Packet { content: content.to_vec(), is_big_endian: false, discarded: 0 }
    }

    fn bytes(&self) -> Vec<u8> {
        let word = |number: u32| match self.is_big_endian {
            true => number.to_be_bytes(),
            false => number.to_le_bytes(),
        };
        let long = |number: u64| match self.is_big_endian {
            true => number.to_be_bytes(),
            false => number.to_le_bytes(),
        };
        let size = 8 * (24 + 40 + self.content.len() as u64);
        let mut bytes = word(MAGIC).to_vec();
        bytes.extend(UUID);
        bytes.extend(word(3));
        for number in [1000, 2000, size, size + 64, self.discarded] {
            bytes.extend(long(number));
        }
        bytes.extend(&self.content);
        // Padding.
        bytes.extend([0xAA; 8]);
        bytes
    }
}

/// The header of event 1 at clock 1007, little-endian.
fn event_at(clock: u32) -> [u8; 4] {
    (clock << 5 | 1).to_le_bytes()
}

fn read(metadata: &str, packets: &[u8]) -> (Vec<Event>, u64, Vec<String>) {
    let trace =
        Trace::from_bytes(metadata.as_bytes(), vec![("s".into(), packets.to_vec())]).unwrap();
    let mut events = trace.events();
    let found = (&mut events).collect();
    (found, events.discarded(), events.damage())
}

#[test]
fn compact_headers_sequences_enumerations_and_variants_are_read() {
    let fields = "
        uint8_t _n; uint16_t _list[_n];
        enum : uint8_t { \"off\" = 0, on = 1 ... 3 } _mode;
        variant <_mode> { string off; struct { uint8_t x; uint8_t y; } on; } _what;
        integer { size = 3; align = 1; signed = true; } _three;
        integer { size = 13; align = 1; } _thirteen;
        uint8_t _grid[2][3];
        floating_point { exp_dig = 8; mant_dig = 24; align = 8; } _real;
        integer { size = 8; align = 8; encoding = UTF8; } _name[4];";
    let mut content = event_at(1007).to_vec();
    content.extend([2, 0x34, 0x12, 0x78, 0x56]);
    content.extend([2, 7, 9]);
    content.extend((0b110_u16 | 0x1001 << 3).to_le_bytes());
    content.extend([1, 2, 3, 4, 5, 6]);
    content.extend(1.5_f32.to_le_bytes());
    content.extend(b"ab\0\0");
    let (events, _, damage) = read(&metadata("le", fields), &Packet::little(&content).bytes());
    assert_eq!(damage, Vec::<String>::new());
    let event = &events[0];
    assert_eq!((&*event.name, event.time_ns), ("a:b", 10_000_001_012));
    let fields = &event.fields;
    let list =
        |numbers: &[u64]| Value::List(numbers.iter().copied().map(Value::Unsigned).collect());
    assert_eq!(fields.get("list"), Some(&list(&[0x1234, 0x5678])));
    assert_eq!(fields.get("mode"), Some(&Value::Label(2, vec!["on".into()])));
    let Some(Value::Choice(option, value)) = fields.get("what") else { panic!("a choice") };
    let Value::Struct(point) = &**value else { panic!("a structure") };
    assert_eq!((&**option, point.unsigned("x"), point.unsigned("y")), ("on", Some(7), Some(9)));
    assert_eq!((fields.signed("three"), fields.unsigned("thirteen")), (Some(-2), Some(0x1001)));
    assert_eq!(fields.get("grid"), Some(&Value::List(vec![list(&[1, 2, 3]), list(&[4, 5, 6])])));
    assert_eq!(fields.get("real"), Some(&Value::Real(1.5)));
    assert_eq!(fields.text("name"), Some("ab"));
}

#[test]
fn big_endian_traces_are_read() {
    let mut content = (1_u32 << 27 | 1007).to_be_bytes().to_vec();
    content.extend(0x1234_u16.to_be_bytes());
    let packet = Packet { content, is_big_endian: true, discarded: 0 };
    let (events, _, damage) = read(&metadata("be", "uint16_t _x;"), &packet.bytes());
    assert_eq!(damage, Vec::<String>::new());
    assert_eq!((events[0].time_ns, events[0].fields.unsigned("x")), (10_000_001_012, Some(0x1234)));
}

#[test]
fn an_extended_header_has_its_own_number_and_a_whole_clock() {
    let mut content = vec![31, 40, 0, 0, 0];
    content.extend(5_000_000_000_u64.to_le_bytes());
    let (events, _, damage) = read(&metadata("le", ""), &Packet::little(&content).bytes());
    assert_eq!(damage, Vec::<String>::new());
    assert_eq!((&*events[0].name, events[0].time_ns), ("far", 15_000_000_005));
}

#[test]
fn a_file_that_ends_within_a_packet_is_read_up_to_there() {
    let packet = |clocks: [u32; 3]| Packet::little(&clocks.map(event_at).concat()).bytes();
    let mut cut = packet([1007, 1008, 1009]);
    let second = packet([1010, 1011, 1012]);
    cut.extend(&second[..second.len() - 8 - 6]);
    let (events, _, damage) = read(&metadata("le", ""), &cut);
    assert_eq!(events.len(), 3 + 1);
    assert_eq!(damage, ["s: the packet at byte 84: only 70 of 84 bytes are there"]);
}

#[test]
fn a_packet_that_makes_no_sense_is_left_out_and_the_next_one_read() {
    let mut bytes = Packet::little(&[event_at(1007), [2, 0, 0, 0]].concat()).bytes();
    bytes.extend(Packet::little(&event_at(1010)).bytes());
    let (events, _, damage) = read(&metadata("le", ""), &bytes);
    assert_eq!(events.len(), 2);
    assert_eq!(
        damage,
        ["s: the packet at byte 0: the metadata has no event 2; the rest of it is left out"]
    );
}

#[test]
fn files_of_other_traces_are_told() {
    let mut bytes = Packet::little(&event_at(1007)).bytes();
    bytes[4] = 99;
    let (events, _, damage) = read(&metadata("le", ""), &bytes);
    assert!(events.is_empty() && damage[0].contains("belongs to another trace"), "{damage:?}");
    let (events, _, damage) = read(&metadata("le", ""), b"something else");
    assert!(events.is_empty() && damage.len() == 1, "{damage:?}");
}

#[test]
fn discarded_events_are_counted_from_packet_to_packet() {
    let packet = |discarded| Packet { discarded, ..Packet::little(&event_at(1007)) }.bytes();
    let bytes = [packet(0), packet(5), packet(5), packet(7)].concat();
    let (events, discarded, _) = read(&metadata("le", ""), &bytes);
    assert_eq!((events.len(), discarded), (4, 7));
}

#[test]
fn streams_are_merged_by_time() {
    let stream = |clocks: [u32; 2]| Packet::little(&clocks.map(event_at).concat()).bytes();
    let files = vec![("a".into(), stream([1001, 1004])), ("b".into(), stream([1002, 1003]))];
    let trace = Trace::from_bytes(metadata("le", "").as_bytes(), files).unwrap();
    let times: Vec<i64> = trace.events().map(|event| event.time_ns - 10_000_000_005).collect();
    assert_eq!(times, [1001, 1002, 1003, 1004]);
}

#[test]
fn types_that_hold_nothing_or_each_other_exhaust_neither_time_nor_memory() {
    let empty = "struct { } _nothing[99999999999];";
    let (events, _, damage) = read(&metadata("le", empty), &Packet::little(&event_at(7)).bytes());
    assert!(events.is_empty() && damage[0].contains("empty values"), "{damage:?}");
    let doubled: String = (0..40)
        .map(|n| format!("typealias struct {{ t{n} a; t{n} b; }} := t{};\n", n + 1))
        .collect();
    let text = format!("typealias struct {{ }} := t0;\n{doubled}{}", metadata("le", "t40 _x;"));
    let (events, _, damage) = read(&text, &Packet::little(&event_at(7)).bytes());
    assert!(events.is_empty() && damage[0].contains("empty values"), "{damage:?}");
    let claims = "uint64_t _n; uint8_t _list[_n];";
    let content = [&event_at(7)[..], &u64::MAX.to_le_bytes()].concat();
    let (events, _, damage) = read(&metadata("le", claims), &Packet::little(&content).bytes());
    assert!(events.is_empty() && damage[0].contains("cut short"), "{damage:?}");
}

#[test]
fn a_folder_without_a_trace_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = Trace::open(folder.path()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("no file named \"metadata\""), "{error}");
    std::fs::write(folder.path().join("metadata"), "trace { major = 2; };").unwrap();
    let error = Trace::open(folder.path()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("line 1: only version 1.8"), "{error}");
}
