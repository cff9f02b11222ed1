//! The recording thread: takes batches from all partitions, merges them, and hands every value to the
//! observers and, where it is recorded, to the [`Recorder`].
//!
//! Partitions wait only while the thread has more batches before it than it may hold. It always takes
//! what comes, however far apart the partitions are, so none waits for another through it. When the
//! disk is full or the file cannot be written, the run goes on: the error is kept, [`failed`] says so,
//! and [`close`] gives it back.
//!
//! [`failed`]: RecordingThread::failed
//! [`close`]: RecordingThread::close

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use ironbird_kernel::{Batch, Sink, Time};

use crate::error::RecordError;
use crate::event::Event;
use crate::merge::Merge;
use crate::scene::{Drawn, DrawnTaps};
use crate::writer::{Recorder, RunResult};

/// Sees every value that is tapped, in the order of time and taps, on the recording thread.
pub trait Observer: Send {
    /// A value of tap number `tap`: its fixed part, then its payloads. What it says has happened is
    /// recorded behind it.
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event>;
}

/// How many batches may wait for the thread.
const WAITING_BATCHES: usize = 64;

/// Records what a simulation streams; hand it over as its [`Sink`].
pub struct RecordingThread {
    sender: Mutex<Option<SyncSender<Message>>>,
    thread: Mutex<Option<JoinHandle<Worker>>>,
    failed: Arc<AtomicBool>,
}

enum Message {
    Batch { partition: usize, partitions: usize, batch: Batch, until: Time },
    Event(Event),
}

impl RecordingThread {
    /// Starts the thread. `channels` says for every tap under which number the recorder knows it, or
    /// that it is only observed.
    pub fn start(
        recorder: Recorder,
        channels: Vec<Option<usize>>,
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Self, RecordError> {
        RecordingThread::start_with_scene(recorder, channels, DrawnTaps::default(), observers)
    }

    /// As [`start`](Self::start); `drawn` are the taps that show what is drawn.
    pub fn start_with_scene(
        recorder: Recorder,
        channels: Vec<Option<usize>>,
        drawn: DrawnTaps,
        observers: Vec<Box<dyn Observer>>,
    ) -> Result<Self, RecordError> {
        let (sender, receiver) = sync_channel(WAITING_BATCHES);
        let failed = Arc::new(AtomicBool::new(false));
        let worker = Worker {
            merge: Merge::default(),
            events: BTreeSet::new(),
            output: Output {
                recorder: Ok(recorder),
                channels,
                drawn,
                observers,
                failed: Arc::clone(&failed),
            },
        };
        let thread = std::thread::Builder::new()
            .name("recording".into())
            .spawn(move || worker.run(&receiver))
            .map_err(|error| RecordError::Thread { cause: error.to_string() })?;
        Ok(RecordingThread {
            sender: Mutex::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
            failed,
        })
    }

    /// Whether recording has failed; [`close`](Self::close) says why.
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Tells that something happens. To stand at its place in the file it must be told before all
    /// partitions have passed its instant; what is told later stands at the end. What was told
    /// beforehand and lies after the instant at which the run ended did not happen, and is left out.
    pub fn event(&self, event: Event) {
        self.send(Message::Event(event));
    }

    /// Ends the thread when all that was sent has been seen.
    pub fn close(&self) -> Result<Recorded, RecordError> {
        drop(self.sender.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let gone = |cause: &str| RecordError::Thread { cause: cause.to_owned() };
        let thread = thread.ok_or_else(|| gone("it was closed before"))?;
        let worker = thread.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            gone(text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked"))
        })?;
        let recorder = worker.output.recorder;
        Ok(Recorded { recorder, late_events: worker.events })
    }

    fn send(&self, message: Message) {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Nobody listens only if an observer panicked, which `close` reports.
        if sender.is_none_or(|sender| sender.send(message).is_err()) {
            self.failed.store(true, Ordering::Relaxed);
        }
    }
}

impl Sink for RecordingThread {
    fn take(&self, partition: usize, partitions: usize, batch: Batch, until: Time) {
        self.send(Message::Batch { partition, partitions, batch, until });
    }
}

/// All values of a run have been seen; its result can be added.
pub struct Recorded {
    recorder: Result<Recorder, RecordError>,
    late_events: BTreeSet<Event>,
}

impl Recorded {
    /// The hash of all recorded values, unless recording failed.
    pub fn output_hash(&self) -> Option<String> {
        self.recorder.as_ref().ok().map(Recorder::output_hash)
    }

    /// How many values were recorded, unless recording failed.
    pub fn values(&self) -> Option<u64> {
        self.recorder.as_ref().ok().map(Recorder::values)
    }

    /// Adds what happened at the end, verdicts for example.
    pub fn event(&mut self, event: Event) {
        self.late_events.insert(event);
    }

    /// Ends the recording with the result of the run, or says why recording failed.
    pub fn finish(self, result: &RunResult) -> Result<(), RecordError> {
        let mut recorder = self.recorder?;
        for event in &self.late_events {
            recorder.event(event)?;
        }
        recorder.finish(result)
    }
}

struct Worker {
    merge: Merge,
    /// Events whose instant is not complete yet.
    events: BTreeSet<Event>,
    output: Output,
}

struct Output {
    recorder: Result<Recorder, RecordError>,
    channels: Vec<Option<usize>>,
    drawn: DrawnTaps,
    observers: Vec<Box<dyn Observer>>,
    failed: Arc<AtomicBool>,
}

impl Worker {
    fn run(mut self, receiver: &Receiver<Message>) -> Worker {
        let mut passed = Time::ZERO;
        let mut late = BTreeSet::new();
        for message in receiver {
            match message {
                Message::Event(event) if event.time < passed => {
                    late.insert(event);
                }
                Message::Event(event) => {
                    self.events.insert(event);
                }
                Message::Batch { partition, partitions, batch, until } => {
                    self.merge.add(partition, partitions, batch, until);
                    if let Some(horizon) = self.merge.horizon().filter(|time| *time > passed) {
                        self.advance(horizon);
                        passed = horizon;
                    }
                }
            }
        }
        // Where nothing was streamed, nothing is known of the end.
        if self.merge.horizon().is_some() {
            let reached = self.merge.last().unwrap_or(Time::ZERO).max(passed);
            self.events.retain(|event| event.time <= reached);
        }
        self.advance(Time::NEVER);
        self.merge.drain_all(|time, tap, bytes| self.output.value(time, tap, bytes));
        self.events.append(&mut late);
        self
    }

    /// Hands on all that lies before `horizon`: an event behind the values of its instant.
    fn advance(&mut self, horizon: Time) {
        while self.events.first().is_some_and(|event| event.time < horizon) {
            let Some(event) = self.events.pop_first() else { break };
            let behind = Time::from_ps(event.time.as_ps().saturating_add(1));
            self.merge.drain(behind, |time, tap, bytes| self.output.value(time, tap, bytes));
            self.output.record(|recorder| recorder.event(&event));
        }
        self.merge.drain(horizon, |time, tap, bytes| self.output.value(time, tap, bytes));
    }
}

impl Output {
    fn value(&mut self, time: Time, tap: u32, bytes: &[u8]) {
        let mut happened = Vec::new();
        for observer in &mut self.observers {
            happened.extend(observer.value(tap, time, bytes));
        }
        if let Some(Some(channel)) = self.channels.get(tap as usize) {
            let channel = *channel;
            self.record(|recorder| recorder.value(channel, time, bytes));
        }
        for drawn in self.drawn.take(tap, time, bytes) {
            self.record(|recorder| match drawn {
                Drawn::Pose(pose) => recorder.pose(&pose),
                Drawn::Scan(sensor, points) => recorder.scan(sensor, time, points),
            });
        }
        for event in happened {
            self.record(|recorder| recorder.event(&event));
        }
    }

    /// Does something with the recorder; its first error is kept and all that follows discarded.
    fn record(&mut self, action: impl FnOnce(&mut Recorder) -> Result<(), RecordError>) {
        if let Ok(recorder) = &mut self.recorder
            && let Err(error) = action(recorder)
        {
            self.recorder = Err(error);
            self.failed.store(true, Ordering::Relaxed);
        }
    }
}
