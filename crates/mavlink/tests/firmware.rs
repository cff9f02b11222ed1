//! The parser of the firmware, in C, finds in random streams what ours finds.

use std::io::Write;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use ironbird_kernel::RandomStream;
use ironbird_mavlink::{MavMessage, StreamParser, encode};
use mavlink::{Message, calculate_crc};

/// Messages of numbers alone, which any bytes are, and the lengths of their payloads: ATTITUDE, LOCAL_POSITION_NED,
/// GLOBAL_POSITION_INT, SERVO_OUTPUT_RAW, VFR_HUD, TIMESYNC, PARAM_REQUEST_LIST.
const MESSAGES: [(u32, usize); 7] =
    [(30, 28), (32, 28), (33, 28), (36, 21), (74, 20), (111, 16), (21, 2)];
/// A message that neither knows.
const UNKNOWN: u32 = 0xAB_CDEF;
/// Where the number of a message stands in its frame.
const ID: Range<usize> = 7..10;
/// Nothing is left unfinished when so much has followed.
const LONGEST: usize = 2 * 280;

/// The program that reads frames and writes those that it understood.
fn compiled(folder: &Path) -> std::path::PathBuf {
    let firmware = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware");
    let sources = ["tests/mavlink_pipe.c", "link/mavlink_frame.c", "link/mavlink_messages.c"];
    let program = folder.join("mavlink_pipe");
    let mut compiler = Command::new("cc");
    compiler.args(["-std=gnu11", "-O1", "-fsanitize=undefined", "-fno-sanitize-recover"]);
    compiler.arg("-o").arg(&program).args(sources.map(|source| firmware.join(source)));
    let output = compiler.output().expect("a C compiler is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

fn understood_by(program: &Path, stream: &[u8]) -> Vec<u8> {
    let mut command = Command::new(program);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(stream).expect("all is read"));
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", output.status);
        output.stdout
    })
}

/// A frame with a payload of random bytes and a check sum that is right. None of its bytes begins a frame of version 1,
/// which the firmware does not know.
fn frame(random: &mut RandomStream, flags: u8, id: u32) -> Vec<u8> {
    let longest = MESSAGES.iter().find(|(known, _)| *known == id).map_or(40, |(_, length)| *length);
    loop {
        let length = 1 + random.below(longest as u64) as usize;
        let [low, middle, high, _] = id.to_le_bytes();
        let sequence = random.below(256) as u8;
        let mut frame = vec![0xFD, length as u8, flags, 0, sequence, 7, 1, low, middle, high];
        frame.extend((0..length).map(|_| random.below(256) as u8));
        let check = calculate_crc(&frame[1..], MavMessage::extra_crc(id));
        frame.extend(check.to_le_bytes());
        if flags & 1 != 0 {
            frame.extend((0..13).map(|_| random.below(256) as u8));
        }
        if !frame.contains(&0xFE) {
            return frame;
        }
    }
}

/// What stands in a stream: frames, and what is none, or not for us.
fn piece(random: &mut RandomStream) -> Vec<u8> {
    let known =
        |random: &mut RandomStream| MESSAGES[random.below(MESSAGES.len() as u64) as usize].0;
    let id = known(random);
    match random.below(9) {
        0 => vec![0xFD; 1 + random.below(3) as usize],
        1 => (0..1 + random.below(40)).map(|_| random.below(0xFE) as u8).collect(),
        2 => {
            let flags = 2 + random.below(252) as u8;
            frame(random, flags, id)
        }
        3 => {
            // Not its number: another may be of a message that only one of both knows.
            let mut damaged = frame(random, 0, id);
            let at = 1 + random.below(damaged.len() as u64 - 4) as usize;
            let at = if at < ID.start { at } else { at + ID.len() };
            damaged[at] = (damaged[at] ^ 1 << random.below(8)).min(0xFD);
            damaged
        }
        4 => {
            let mut cut = frame(random, 0, id);
            cut.truncate(1 + random.below(cut.len() as u64 - 1) as usize);
            cut
        }
        5 => frame(random, 0, UNKNOWN),
        6 => frame(random, 1, id),
        _ => frame(random, 0, id),
    }
}

/// The numbers of the messages that the firmware knows.
fn known_to_the_firmware() -> Vec<u32> {
    let header =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../firmware/link/mavlink_messages.h");
    let text = std::fs::read_to_string(header).expect("it is there");
    let ids = text.lines().filter_map(|line| line.strip_prefix("#define MAVLINK_ID_"));
    ids.filter_map(|line| line.split_whitespace().nth(1)?.trim_end_matches('u').parse().ok())
        .collect()
}

/// Whether something in a stream may be read as a message that only one of both knows: it can check the sum, and the other
/// cannot.
fn is_ambiguous(stream: &[u8], known: &[u32]) -> bool {
    stream.windows(ID.end).any(|header| {
        let id = u32::from_le_bytes([header[7], header[8], header[9], 0]);
        let is_ours = MavMessage::default_message_from_id(id).is_some();
        header[0] == 0xFD && header[2] & !1 == 0 && is_ours != known.contains(&id)
    })
}

#[test]
fn the_firmware_finds_the_same_messages_in_random_streams() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path());
    let known = known_to_the_firmware();
    assert!(MESSAGES.iter().all(|(id, _)| known.contains(id)) && !known.contains(&UNKNOWN));
    let (mut messages, mut streams) = (0, 0);
    for case in 0..100 {
        let mut random = RandomStream::from_key(case);
        let mut stream: Vec<u8> = (0..300).flat_map(|_| piece(&mut random)).collect();
        stream.extend([0; LONGEST]);
        if is_ambiguous(&stream, &known) {
            continue;
        }
        streams += 1;
        let mut parser = StreamParser::default();
        let mut expected = Vec::new();
        for (header, message) in parser.push(&stream) {
            expected.extend(encode(header, &message));
        }
        messages += parser.counts.messages;
        assert!(
            understood_by(&program, &stream) == expected,
            "stream {case} is understood otherwise"
        );
    }
    assert!(streams >= 50 && messages > 80 * streams, "{messages} messages in {streams} streams");
}

#[test]
fn a_stray_byte_costs_the_firmware_none_of_the_messages_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path());
    let mut random = RandomStream::from_key(1);
    let frames: Vec<u8> = (0..14).flat_map(|_| frame(&mut random, 0, 111)).collect();
    let alone = understood_by(&program, &frames);
    assert!(alone.len() >= 14 * 13);
    for stray in [&[0xFD][..], &[0xFD, 0xFD, 0xFD], &[0xFD, 0x10], &[0xFD, 0x10, 0x02, 0, 0, 0]] {
        let stream = [stray, &frames, &[0; LONGEST]].concat();
        assert!(understood_by(&program, &stream) == alone, "behind {stray:02x?}");
    }
}
