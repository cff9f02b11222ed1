//! A disk that fails neither panics nor hangs the run: the error is kept and given back.

mod sample_run;

use std::io::{Error, ErrorKind, Write};
use std::path::Path;

use ironbird_kernel::{Batch, Duration, LeafKind, Schema, Sink, Time};
use ironbird_record::{
    Channel, Event, Observer, RecordError, Recorder, Recording, RecordingThread, RunInfo,
    RunResult, Settings,
};
use sample_run::{channels, info, record_to, small_chunks};

/// Takes so many bytes and then is full.
struct Disk {
    free: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let taken = bytes.len().min(self.free);
        self.free -= taken;
        if taken == 0 && !bytes.is_empty() {
            return Err(Error::new(ErrorKind::StorageFull, "no space left on device"));
        }
        Ok(taken)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported_wherever_it_happens() {
    let whole = sample_run::record(1, 50).0.len();
    for free in (0..whole).step_by(97) {
        let error = record_to(Box::new(Disk { free }), 2, 5).unwrap_err();
        let RecordError::File { doing: "write", file, source } = error else {
            panic!("{error}");
        };
        assert_eq!((file.as_str(), source.kind()), ("sample.mcap", ErrorKind::StorageFull));
    }
    assert!(record_to(Box::new(Disk { free: whole }), 2, 5).is_ok());
}

/// Counts what it sees.
struct Counter(std::sync::Arc<std::sync::atomic::AtomicU64>);

impl Observer for Counter {
    fn value(&mut self, _: u32, _: Time, _: &[u8]) -> Option<Event> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        None
    }
}

#[test]
fn observers_see_everything_although_recording_has_failed() {
    let channel = [Channel::new("a.x", Schema::Leaf(LeafKind::F64))];
    let disk = Box::new(Disk { free: 2_000 });
    let recorder =
        Recorder::to(disk, "a.mcap", &RunInfo::default(), &channel, small_chunks()).unwrap();
    let seen = std::sync::Arc::default();
    let observer = Box::new(Counter(std::sync::Arc::clone(&seen)));
    let thread = RecordingThread::start(recorder, vec![Some(0)], vec![observer]).unwrap();
    for tick in 0..5_000 {
        let mut batch = Batch::default();
        let time = Time::ZERO + Duration::from_ms(tick);
        batch.push(time, 0, |bytes| bytes.extend_from_slice(&libm::sin(tick as f64).to_le_bytes()));
        thread.take(0, 1, batch, time + Duration::EPSILON);
    }
    let recorded = thread.close().unwrap();
    assert!(thread.failed());
    assert_eq!(seen.load(std::sync::atomic::Ordering::Relaxed), 5_000);
    assert_eq!(recorded.output_hash(), None);
    let error = recorded.finish(&RunResult::default()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write a.mcap: no space left on device");
}

#[cfg(target_os = "linux")]
#[test]
fn the_operating_systems_full_device_is_reported() {
    let full = Path::new("/dev/full");
    let file = Box::new(std::fs::OpenOptions::new().write(true).open(full).unwrap());
    let error =
        Recorder::to(file, "full", &info(), &channels(), Settings::default()).err().unwrap();
    assert!(error.to_string().starts_with("cannot write full: No space left"), "{error}");
}

#[test]
fn a_run_that_was_killed_leaves_all_but_the_last_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let channel = [Channel::new("a.x", Schema::Leaf(LeafKind::F64))];
    let mut recorder = Recorder::create(&path, &info(), &channel, small_chunks()).unwrap();
    for tick in 0..1_000 {
        let time = Time::ZERO + Duration::from_ms(tick);
        recorder.value(0, time, &(tick as f64).to_le_bytes()).unwrap();
    }
    // What is in the file now is what `kill -9` would leave.
    let left = Recording::open(&path).unwrap();
    let samples = left.samples("a.x").unwrap();
    // A chunk of 3000 bytes holds 59 messages of 51.
    assert!(samples.len() > 1_000 - 2 * 59, "{}", samples.len());
    assert_eq!(left.damaged.unwrap().after, samples.last().unwrap().0);
    recorder.finish(&RunResult::default()).unwrap();
    let whole = Recording::open(&path).unwrap();
    assert_eq!((whole.samples("a.x").unwrap().len(), whole.damaged), (1_000, None));
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let path = Path::new("no/such/folder/run.mcap");
    let error = Recorder::create(path, &info(), &channels(), Settings::default()).err().unwrap();
    assert!(error.to_string().starts_with("cannot create no/such/folder/run.mcap: "), "{error}");
}

/// Breaks.
struct Broken;

impl Observer for Broken {
    fn value(&mut self, _: u32, _: Time, _: &[u8]) -> Option<Event> {
        panic!("an observer broke");
    }
}

#[test]
fn an_observer_that_panics_does_not_hang_the_run() {
    let recorder = Recorder::hash_only(&channels()).unwrap();
    let thread = RecordingThread::start(recorder, vec![], vec![Box::new(Broken)]).unwrap();
    for _ in 0..10 {
        sample_run::feed(&thread, 1, 1);
    }
    let error = thread.close().err().unwrap();
    assert_eq!(error.to_string(), "the recording thread failed: an observer broke");
    assert!(thread.failed());
}

#[test]
fn a_value_of_the_wrong_size_is_reported() {
    let recorder = Recorder::hash_only(&channels()).unwrap();
    let thread = RecordingThread::start(recorder, vec![Some(0)], Vec::new()).unwrap();
    let mut batch = Batch::default();
    batch.push(Time::ZERO, 0, |bytes| bytes.extend([1, 2, 3]));
    thread.take(0, 1, batch, Time::NEVER);
    let error = thread.close().unwrap().finish(&RunResult::default()).unwrap_err();
    let expected = "a value of room.temperature at 0 s has 3 bytes, but its type needs 8";
    assert_eq!(error.to_string(), expected);
}
