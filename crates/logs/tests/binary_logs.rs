//! Binary logs that the tests write, seen from outside: good ones, cut ones, and garbage.

mod writer;

use std::path::Path;

use ironbird_logs::{Format, Log, LogStart, Series};
use writer::{DataFlash, ULog};

fn open(bytes: Vec<u8>) -> Log {
    Log::from_bytes(Path::new("flight.log"), bytes).unwrap()
}

fn read(log: &Log, column: &str) -> Vec<(u64, f64)> {
    let Series { samples, .. } = log.series(&[column], None, LogStart::Zero).unwrap().remove(0);
    samples.into_iter().map(|(time, number)| (time.as_ps() / 1_000_000, number)).collect()
}

fn refusal(log: &Log, column: &str) -> String {
    log.series(&[column], None, LogStart::Zero).unwrap_err().to_string()
}

fn pose_log() -> ULog {
    let mut log = ULog::new();
    log.format("point:float x;float y;uint8_t[3] _padding0;uint8_t last;");
    log.format("pose:uint64_t timestamp;point[2] at;int16_t count;char[4] name;bool ok;uint8_t[5] _padding0;");
    log.subscribe(0, 7, "pose");
    log.subscribe(1, 8, "pose");
    log.message(b'L', b"6\0\0\0\0\0\0\0\0hello");
    for (id, us, x) in [(7, 1000, 1.5), (8, 1500, -2.5), (7, 2000, 3.5)] {
        log.pose(id, us, x);
    }
    log
}

#[test]
fn nested_fields_and_instances_of_ulog_are_columns() {
    let log = open(pose_log().bytes());
    assert_eq!(log.format(), Format::ULog);
    assert_eq!(log.damage(), None);
    assert_eq!(read(&log, "pose[0].at[1].y"), [(1000, 4.5), (2000, 6.5)]);
    assert_eq!(read(&log, "pose[1].at[0].x"), [(1500, -2.5)]);
    assert_eq!(read(&log, "pose.count"), [(1000, -7.0), (2000, -7.0)], "[0] may be left out");
    assert_eq!(read(&log, "pose.at[1].last"), [(1000, 9.0), (2000, 9.0)], "padding inside counts");
    assert_eq!(read(&log, "pose.ok"), [(1000, 1.0), (2000, 1.0)]);
    assert!(refusal(&log, "pose.name").contains("holds texts"), "{}", refusal(&log, "pose.name"));
    let error = refusal(&log, "pose[0].cuont");
    assert!(error.contains("did you mean \"pose[0].count\"?"), "{error}");
}

#[test]
fn a_ulog_that_is_cut_anywhere_is_read_so_far() {
    let whole = pose_log().bytes();
    let mut most = 0;
    for end in 16..whole.len() {
        let Ok(log) = Log::from_bytes(Path::new("cut.ulg"), whole[..end].to_vec()) else {
            continue;
        };
        let found = log.columns().unwrap().iter().find(|c| c.name == "pose[0].count").cloned();
        let count = found.and_then(|column| column.samples).unwrap_or(0);
        assert!(count >= most, "more bytes never give less");
        most = count;
    }
    assert_eq!(most, 1, "the last message needs the last byte");
    let log = open(whole[..whole.len() - 3].to_vec());
    assert!(log.damage().unwrap().contains("no whole message"), "{:?}", log.damage());
}

#[test]
fn a_ulog_from_the_future_is_refused_and_unknown_messages_are_not() {
    let mut log = ULog::new();
    let mut flags = [0; 40];
    flags[8] = 2;
    log.message(b'B', &flags);
    let error = Log::from_bytes(Path::new("new.ulg"), log.bytes()).unwrap_err().to_string();
    assert_eq!(
        error,
        "new.ulg, byte 27: it needs a later reader: it has flags that are not known here"
    );
    let mut log = pose_log();
    log.message(b'~', b"what is this");
    assert_eq!(open(log.bytes()).damage(), None);
}

#[test]
fn data_that_were_appended_after_a_torn_message_are_read() {
    let mut first = ULog::new();
    let mut flags = [0; 40];
    flags[8] = 1;
    first.message(b'B', &flags);
    first.format("pose:uint64_t timestamp;point[2] at;int16_t count;char[4] name;bool ok;");
    first.format("point:float x;float y;uint8_t[3] _padding0;uint8_t last;");
    first.subscribe(0, 7, "pose");
    first.pose(7, 1000, 1.0);
    let mut bytes = first.bytes();
    bytes.extend_from_slice(&[40, 0, b'D', 7, 0, 1, 2]);
    let offset = bytes.len() as u64;
    bytes[16 + 3 + 16..16 + 3 + 24].copy_from_slice(&offset.to_le_bytes());
    let mut appended = ULog::new();
    appended.pose(7, 3000, 2.0);
    bytes.extend_from_slice(&appended.bytes()[16..]);
    let log = open(bytes);
    assert_eq!(read(&log, "pose.at[0].x"), [(1000, 1.0), (3000, 2.0)]);
    assert_eq!(log.damage(), None);
}

#[test]
fn times_that_go_back_are_refused_with_their_place() {
    let mut log = pose_log();
    log.pose(7, 500, 0.0);
    let error = refusal(&open(log.bytes()), "pose.count");
    assert!(
        error.starts_with("flight.log, byte ") && error.contains("from 2000 us to 500 us"),
        "{error}"
    );
}

#[test]
fn a_format_that_contains_itself_or_is_missing_is_refused() {
    let mut log = ULog::new();
    log.format("loop:uint64_t timestamp;loop again;");
    log.subscribe(0, 1, "loop");
    let error = Log::from_bytes(Path::new("a.ulg"), log.bytes()).unwrap_err().to_string();
    assert!(error.contains("nested more than 8 deep"), "{error}");
    let mut log = ULog::new();
    log.subscribe(0, 1, "nobody");
    let error = Log::from_bytes(Path::new("a.ulg"), log.bytes()).unwrap_err().to_string();
    assert!(error.contains("there is no format of \"nobody\""), "{error}");
}

fn attitude_log() -> DataFlash {
    let mut log = DataFlash::new();
    log.units();
    log.define(10, "ATT", "QcCfgL", "TimeUS,Roll,Yaw,Err,Half,Lat", "sdh--D", "FBB-BG");
    log.define(11, "IMU", "QBf", "TimeUS,I,GyrX", "s#E", "F-A");
    for (us, roll) in [(1000u64, -1234i16), (2000, 50)] {
        let mut body = us.to_le_bytes().to_vec();
        body.extend_from_slice(&roll.to_le_bytes());
        body.extend_from_slice(&35999u16.to_le_bytes());
        body.extend_from_slice(&0.25f32.to_le_bytes());
        body.extend_from_slice(&0x3c00u16.to_le_bytes());
        body.extend_from_slice(&481_234_567i32.to_le_bytes());
        log.message(10, &body);
    }
    for (us, instance, rate) in [(1000u64, 0u8, 1.0f32), (1000, 1, 2.0), (900 + 1100, 0, 3.0)] {
        let mut body = us.to_le_bytes().to_vec();
        body.push(instance);
        body.extend_from_slice(&rate.to_le_bytes());
        log.message(11, &body);
    }
    log
}

#[test]
fn dataflash_fields_have_their_unit_multiplier_and_instance() {
    let log = open(attitude_log().bytes());
    assert_eq!(log.format(), Format::DataFlash);
    assert_eq!(log.damage(), None);
    assert_eq!(read(&log, "ATT.Roll"), [(1000, -12.34), (2000, 0.5)]);
    assert_eq!(log.unit("ATT.Roll"), "deg");
    assert_eq!(read(&log, "ATT.Yaw")[0].1, 359.99);
    assert_eq!(read(&log, "ATT.Lat")[0].1, 48.1234567);
    assert_eq!(read(&log, "ATT.Half")[0].1, 0.01, "1.0 with a multiplier of 0.01");
    assert_eq!(read(&log, "IMU[0].GyrX"), [(1000, 0.1), (2000, f64::from(3.0f32) / 10.0)]);
    assert_eq!(read(&log, "IMU[1].GyrX"), [(1000, 0.2)]);
    assert_eq!(read(&log, "IMU.GyrX").len(), 2, "without a number it is the first");
}

#[test]
fn dataflash_finds_the_next_message_after_garbage() {
    let mut log = attitude_log();
    log.garbage(b"\xa3\x95\xffrubbish\xa3");
    let mut body = 3000u64.to_le_bytes().to_vec();
    body.push(0);
    body.extend_from_slice(&4.0f32.to_le_bytes());
    log.message(11, &body);
    let log = open(log.bytes());
    assert_eq!(read(&log, "IMU.GyrX").last(), Some(&(3000, 0.4)));
    assert!(log.damage().unwrap().starts_with("11 bytes, the first at byte"), "{:?}", log.damage());
}

#[test]
fn a_csv_may_be_compressed_and_says_where_it_is_wrong() {
    use std::io::Write;
    let pack = |text: &str| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    };
    let log = open(pack("time_s,a\n0,1\n0.30000000000000004,2\n"));
    assert_eq!(log.format(), Format::Csv);
    assert_eq!(read(&log, "a"), [(0, 1.0), (300_000, 2.0)], "all digits of a double");
    let error = refusal(&open(pack("time_s,a\n1,1\n0.5,2\n")), "a");
    assert!(
        error.starts_with("flight.log, line 3, column 1 (time_s): the time \"0.5\""),
        "{error}"
    );
    let mut torn = pack("time_s,a\n0,1\n0.5,2\n");
    torn.truncate(torn.len() - 9);
    let error = Log::from_bytes(Path::new("torn.csv.gz"), torn).unwrap_err().to_string();
    assert!(error.contains("torn.csv.gz") && error.contains("cannot be unpacked"), "{error}");
}

#[test]
fn a_file_that_is_named_as_a_binary_log_and_is_none_is_refused() {
    let refused = |name: &str, bytes: &[u8]| {
        Log::from_bytes(Path::new(name), bytes.to_vec()).unwrap_err().to_string()
    };
    let noise = [0x9d, 0x00, 0xff, 0x13, 0xa3];
    assert_eq!(
        refused("noise.ulg", &noise),
        "noise.ulg, byte 0: it is no ULog log: one begins with the bytes 55 4c 6f 67 01 12 35"
    );
    let dataflash = ", byte 0: it is no DataFlash log: one begins with the bytes a3 95 80";
    assert_eq!(refused("00000042.BIN", &noise), format!("00000042.BIN{dataflash}"));
    assert_eq!(refused("empty.bin.gz", b""), format!("empty.bin.gz{dataflash}"));
    let renamed = Log::from_bytes(Path::new("flight.bin"), pose_log().bytes()).unwrap();
    assert_eq!(renamed.format(), Format::ULog, "the first bytes count more than the name");
}

#[test]
fn a_csv_with_semicolons_gets_a_hint() {
    let log = open(b"# exported\ntime_s;a\n0;1\n".to_vec());
    let hint = "the header has semicolons; columns are separated by commas";
    let error = refusal(&log, "a");
    assert!(error.starts_with("flight.log, line 2 (header): there is no column"), "{error}");
    assert!(error.ends_with(hint), "{error}");
    assert_eq!(log.columns().unwrap_err().to_string(), format!("flight.log: {hint}"));
    let error = refusal(&open(b"time_s,a\n0,1\n".to_vec()), "b");
    assert!(!error.contains("semicolons"), "{error}");
}
