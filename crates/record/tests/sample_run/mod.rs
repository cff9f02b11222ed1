//! A small run, recorded into memory through the thread: every kind of value, some events.

#![allow(dead_code)]

use std::io::Write;
use std::sync::{Arc, Mutex};

use ironbird_kernel::{Batch, Duration, Payload, Sink, Time, Value, Wire};
use ironbird_record::{
    Channel, Event, Kind, RecordError, Recorder, RecordingThread, RunInfo, RunResult, Settings,
    Status, Verdict,
};

/// A file in memory.
#[derive(Clone, Default)]
pub struct Memory(pub Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[derive(Clone, Value)]
pub enum Mode {
    Idle,
    Manual,
}

#[derive(Clone, Value)]
pub struct Pose {
    pub position: [f64; 3],
    pub valid: bool,
    pub mode: Mode,
    pub covariance: [[f32; 2]; 2],
}

#[derive(Clone, Value)]
pub struct Image {
    pub width: u16,
    pub pixels: Payload,
    pub layers: [Payload; 2],
    pub stamp: u64,
}

#[derive(Clone, Value)]
pub struct Trajectory {
    pub start: Time,
    pub coefficients: [f64; 4],
}

pub const TICKS: u64 = 50;

pub fn time(tick: u64) -> Time {
    Time::ZERO + Duration::from_ms(tick * 40) + Duration::from_ps(7)
}

pub fn channels() -> Vec<Channel> {
    let mut pose = Channel::new("drone.pose", Pose::schema()).unit("m");
    pose.leaf_units.insert("valid".into(), String::new());
    pose.frame = "NED".into();
    pose.doc = "where it is".into();
    let mut image = Channel::new("camera[0].image", Image::schema());
    image.kind = Kind::Event;
    let mut ping = Channel::new("radio.ping", <()>::schema());
    ping.kind = Kind::Event;
    let mut smooth = Channel::new("plant.height", Trajectory::schema()).unit("m");
    smooth.kind = Kind::Continuous;
    vec![
        Channel::new("room.temperature", f64::schema()).unit("degC"),
        pose,
        image,
        ping,
        smooth,
        Channel::new("drone.corners", <[[i16; 2]; 2]>::schema()),
    ]
}

fn put(batch: &mut Batch, time: Time, tap: u32, value: &impl Value) {
    let mut wire = Wire::default();
    value.encode(&mut wire);
    batch.push(time, tap, |bytes| {
        bytes.extend_from_slice(wire.fixed());
        for payload in wire.payloads() {
            bytes.extend_from_slice(payload);
        }
    });
}

pub fn temperature(tick: u64) -> f64 {
    20.0 + tick as f64 * 0.25
}

/// All values of one tick whose taps `partition` of `partitions` owns.
fn tick(batch: &mut Batch, k: u64, owns: impl Fn(u32) -> bool) {
    let t = time(k);
    if owns(0) {
        put(batch, t, 0, &temperature(k));
    }
    if owns(1) {
        let mode = if k.is_multiple_of(2) { Mode::Idle } else { Mode::Manual };
        let position = [k as f64, -(k as f64), if k == 3 { f64::NAN } else { 0.5 }];
        put(
            batch,
            t,
            1,
            &Pose { position, valid: k > 5, mode, covariance: [[1.0, 2.0], [3.0, 4.0]] },
        );
    }
    if owns(2) && k.is_multiple_of(10) {
        let pixels = Payload::new(vec![k as u8; 5 + k as usize]);
        let layers = [Payload::new([1, 2, 3]), Payload::default()];
        put(batch, t, 2, &Image { width: k as u16, pixels, layers, stamp: k });
    }
    if owns(3) && k.is_multiple_of(5) {
        put(batch, t, 3, &());
        put(batch, t, 3, &());
    }
    if owns(4) {
        put(
            batch,
            t,
            4,
            &Trajectory { start: time(k - k % 10), coefficients: [1.0, 2.0, 0.0, 0.0] },
        );
    }
    if owns(5) {
        put(batch, t, 5, &[[k as i16, -1], [2, i16::MIN]]);
    }
}

pub fn info() -> RunInfo {
    RunInfo {
        experiment: "ironbird = 1\n".into(),
        seed: 7,
        version: "0.1.0".into(),
        scenario: "gust".into(),
        repetition: 2,
        ..RunInfo::default()
    }
}

pub fn result() -> RunResult {
    RunResult {
        outcome: "reached its end".into(),
        until: time(50),
        verdicts: vec![Verdict {
            name: "warm".into(),
            formula: "always room.temperature > 10 degC".into(),
            status: Status::Passed,
            margin: "10 degC".into(),
            first_violation: String::new(),
        }],
    }
}

pub fn gust() -> Event {
    Event { time: time(8), kind: "action".into(), name: "gust".into(), text: "wind \"up\"".into() }
}

/// Small chunks, so that a small file has several.
pub fn small_chunks() -> Settings {
    Settings { full: 3_000, worth_closing: 1_000, ..Settings::default() }
}

/// Feeds the run to a thread as `partitions` partitions would, in batches of `batch_ticks` ticks.
pub fn feed(thread: &RecordingThread, partitions: usize, batch_ticks: u64) {
    thread.event(gust());
    for from in (0..TICKS).step_by(batch_ticks as usize) {
        let until = (from + batch_ticks).min(TICKS);
        // The last partition is heard first.
        for partition in (0..partitions).rev() {
            let mut batch = Batch::default();
            for k in from..until {
                tick(&mut batch, k, |tap| tap as usize % partitions == partition);
            }
            thread.take(partition, partitions, batch, time(until));
        }
    }
}

/// Records the run to a file and gives the output hash.
pub fn record_to(
    file: Box<dyn Write + Send>,
    partitions: usize,
    batch_ticks: u64,
) -> Result<String, RecordError> {
    let recorder = Recorder::to(file, "sample.mcap", &info(), &channels(), small_chunks())?;
    let taps = (0..channels().len()).map(Some).collect();
    let thread = RecordingThread::start(recorder, taps, Vec::new())?;
    feed(&thread, partitions, batch_ticks);
    let recorded = thread.close()?;
    let hash = recorded.output_hash().unwrap_or_default();
    recorded.finish(&result())?;
    Ok(hash)
}

/// The recorded file and its output hash.
pub fn record(partitions: usize, batch_ticks: u64) -> (Vec<u8>, String) {
    let memory = Memory::default();
    let hash = record_to(Box::new(memory.clone()), partitions, batch_ticks).unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (bytes, hash)
}
