//! What others read from the same files: pyulog for ULog, pymavlink for DataFlash.
//!
//! `IRONBIRD_PYTHON` names a Python with both packages; `./test` makes one.

mod writer;

use ironbird_logs::{Log, LogStart};
use ironbird_test_rig::python;
use serde_json::Value;
use writer::{DataFlash, ULog};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/other_readers.py");

/// Column by column: times in microseconds and numbers, as the other reader sees them.
fn compare(bytes: &[u8], ending: &str, rename: impl Fn(&str) -> String) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("flight.{ending}"));
    std::fs::write(&file, bytes).unwrap();
    let printed = python(SCRIPT, &[file.as_os_str()]);
    let theirs: Value = serde_json::from_slice(&printed).unwrap();
    let log = Log::open(&file).unwrap();
    let mut compared = 0;
    for (name, samples) in theirs.as_object().unwrap() {
        let column = rename(name);
        let ours = log.series(&[&column], None, LogStart::Zero).unwrap().remove(0).samples;
        let samples = samples.as_array().unwrap();
        assert_eq!(ours.len(), samples.len(), "{column}");
        for ((time, number), other) in ours.iter().zip(samples) {
            assert_eq!(time.as_ps() / 1_000_000, other[0].as_u64().unwrap(), "{column}");
            let other = other[1].as_f64().unwrap();
            assert!((number - other).abs() <= 1e-12 * other.abs(), "{column}: {number} {other}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn pyulog_reads_the_same_numbers() {
    let mut log = ULog::new();
    log.format("point:float x;float y;uint8_t[3] _padding0;uint8_t last;");
    log.format("pose:uint64_t timestamp;point[2] at;int16_t count;char[4] name;bool ok;uint8_t[5] _padding0;");
    log.subscribe(0, 7, "pose");
    log.subscribe(1, 8, "pose");
    for step in 0..50u16 {
        log.pose(7 + step % 2, 1000 + u64::from(step) * 20_000, 0.1 * f32::from(step));
    }
    // pyulog calls instance 1 of "pose" pose_1.
    let compared =
        compare(&log.bytes(), "ulg", |name| name.replace("pose_", "pose[").replacen('.', "].", 1));
    assert!(compared > 300, "{compared}");
}

#[test]
fn pymavlink_reads_the_same_numbers() {
    let mut log = DataFlash::new();
    log.units();
    let labels = "TimeUS,b,B,h,H,i,I,f,d,c,C,e,E,L,g,M";
    log.define(20, "ALL", "QbBhHiIfdcCeELgM", labels, "s---------------", "F---------------");
    for step in 0..20u8 {
        let n = i32::from(step) * 1000 - 7000;
        let mut body = (u64::from(step) * 20_000).to_le_bytes().to_vec();
        body.push((n / 100) as u8);
        body.push(step);
        body.extend_from_slice(&(n as i16).to_le_bytes());
        body.extend_from_slice(&(n as u16).to_le_bytes());
        body.extend_from_slice(&(n * 1000).to_le_bytes());
        body.extend_from_slice(&((n * 1000) as u32).to_le_bytes());
        body.extend_from_slice(&(n as f32 * 0.1).to_le_bytes());
        body.extend_from_slice(&(f64::from(n) * 1e-5).to_le_bytes());
        body.extend_from_slice(&(n as i16).to_le_bytes());
        body.extend_from_slice(&(n as u16).to_le_bytes());
        body.extend_from_slice(&(n * 77).to_le_bytes());
        body.extend_from_slice(&((n * 77) as u32).to_le_bytes());
        body.extend_from_slice(&(n * 70_001).to_le_bytes());
        body.extend_from_slice(&(0x3800 + u16::from(step) * 17).to_le_bytes());
        body.push(step);
        log.message(20, &body);
    }
    let compared = compare(&log.bytes(), "bin", str::to_owned);
    assert_eq!(compared, 20 * 15);
}
