//! Our sides of the rows about experiments: from the text of an experiment file to its recording, as a
//! user runs them.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_component::{Component, Registry};
use ironbird_experiment::{Experiment, check, load_text};
use ironbird_kernel::{
    Batch, Duration, LeafKind, Periodic, Schema, SignalIn, SignalOut, Sink, Step, Time,
};
use ironbird_record::{
    Channel, Recorder, Recording, RecordingThread, RunInfo, RunResult, Settings,
};
use ironbird_runner::{How, Interrupt, Job, run};
use ironbird_workloads::chain::{CHANGED_SETPOINT, Chain, SETPOINT, lagged};

use crate::measure::{by_thread_cpu_time, by_wall_time};
use crate::row::Side;

/// The first component of the chain, which goes after its setpoint.
#[derive(Component)]
#[component(type = "bench.driven", periodic, rate = "1 kHz")]
struct Driven {
    /// Where it goes.
    #[parameter(default = SETPOINT)]
    setpoint: f64,
    /// How far it has come.
    #[output(initial = 0.0)]
    y: SignalOut<f64>,
    value: f64,
}

impl Periodic for Driven {
    fn step(&mut self, step: &mut Step<'_>) {
        self.value = lagged(self.value, self.setpoint);
        step.write(self.y, self.value);
    }
}

/// Every other component, which goes after the one before it.
#[derive(Component)]
#[component(type = "bench.lag", periodic, rate = "1 kHz")]
struct Lag {
    /// Where it goes.
    #[input]
    u: SignalIn<f64>,
    /// How far it has come.
    #[output(initial = 0.0)]
    y: SignalOut<f64>,
    value: f64,
}

impl Periodic for Lag {
    fn step(&mut self, step: &mut Step<'_>) {
        self.value = lagged(self.value, *step.signal(self.u));
        step.write(self.y, self.value);
    }
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<Driven>().expect("the name is free");
    registry.register::<Lag>().expect("the name is free");
    registry
}

/// The chain as an experiment file: its last instant is that of its last tick.
fn chain_text(chain: Chain) -> String {
    let (last, changed) = (chain.ticks - 1, chain.changed_tick());
    let mut text = format!(
        "ironbird = 1\nduration = \"{last} ms\"\n[system.\"lag[0]\"]\ntype = \"bench.driven\"\n"
    );
    for number in 1..chain.length {
        let before = number - 1;
        let _ = writeln!(
            text,
            "[system.\"lag[{number}]\"]\ntype = \"bench.lag\"\nin.u = \"lag[{before}].y\""
        );
    }
    let end = chain.length - 1;
    let _ = write!(
        text,
        "[[at]]\ntime = \"{changed} ms\"\nset.\"lag[0].setpoint\" = {CHANGED_SETPOINT:?}\n\
         [[record]]\nsignals = [\"lag[{end}].y\"]\nevery = \"100 ms\"\n"
    );
    text
}

fn read(text: &str, registry: &Registry) -> Arc<Experiment> {
    let root = load_text("bench.toml", Path::new(""), text, &[]);
    let checked = root.and_then(|root| check(&root, registry));
    let (experiment, _) = checked.expect("the experiment is well formed");
    Arc::new(experiment)
}

/// A file of this process in the system's folder for such.
pub fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("ironbird-bench-{name}-{}.mcap", std::process::id()))
}

/// Runs of a chain from its experiment file, recorded to MCAP, which must hold what is known
/// beforehand: component steps by the CPU time of the thread that makes them, building included.
pub fn chain(chain: Chain) -> Side {
    let expected = chain.kept();
    let registry = registry();
    let experiment = read(&chain_text(chain), &registry);
    let channel = format!("lag[{}].y", chain.length - 1);
    Box::new(move || {
        let path = scratch("chain");
        let how = How { recording: Some(path.clone()), ..How::default() };
        let experiment = experiment.clone();
        let job = Job { experiment, registry: &registry, scenario: 0, repetition: 0, how };
        let sample = by_thread_cpu_time(|| {
            let outcomes = run(&job, &Interrupt::default(), &mut |_| ()).expect("it runs");
            assert_eq!(outcomes.statistics.steps, chain.steps());
            chain.steps()
        });
        let recording = Recording::open(&path).expect("it was recorded");
        let samples = recording.samples(&channel).expect("it was recorded");
        assert!(samples.iter().map(|(_, values)| values[0]).eq(expected.iter().copied()));
        let _ = std::fs::remove_file(&path);
        sample
    })
}

/// What is recorded in `record-20`.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// How many numbers there are at each tick.
    pub channels: u32,
    /// How many ticks, a millisecond apart.
    pub ticks: u64,
}

impl Stream {
    /// A number that moves: a slow oscillation with noise in its last digits, as a sensor gives.
    pub fn value(tick: u64, channel: u32) -> f64 {
        let noise = (tick.wrapping_mul(6_364_136_223_846_793_005) ^ u64::from(channel)) >> 52;
        libm::sin(tick as f64 * 1e-3 + f64::from(channel)) + noise as f64 * 1e-6
    }

    /// All values.
    pub fn values(&self) -> u64 {
        self.ticks * u64::from(self.channels)
    }

    /// The name of a channel.
    pub fn name(channel: u32) -> String {
        format!("bank[{channel}].y")
    }
}

/// Batches through the recording thread into a file: values by wall time, from the first batch to the
/// finished file.
pub fn record(stream: Stream) -> Side {
    let schema = Schema::Leaf(LeafKind::F64);
    let channels: Vec<Channel> =
        (0..stream.channels).map(|n| Channel::new(Stream::name(n), schema.clone())).collect();
    // Batches of a tenth of a second, made beforehand: only recording is measured.
    let batches: Vec<(Batch, Time)> = (0..stream.ticks / 100)
        .map(|tenth| {
            let mut batch = Batch::default();
            for tick in tenth * 100..(tenth + 1) * 100 {
                let time = Time::ZERO + Duration::from_ms(tick);
                for channel in 0..stream.channels {
                    let bytes = Stream::value(tick, channel).to_le_bytes();
                    batch.push(time, channel, |out| out.extend_from_slice(&bytes));
                }
            }
            (batch, Time::ZERO + Duration::from_ms((tenth + 1) * 100))
        })
        .collect();
    Box::new(move || {
        let path = scratch("record");
        let settings = Settings::default();
        let recorder = Recorder::create(&path, &RunInfo::default(), &channels, settings);
        let recorder = recorder.expect("the folder can be written");
        let taps = (0..stream.channels as usize).map(Some).collect();
        let batches = batches.clone();
        let sample = by_wall_time(|| {
            let thread = RecordingThread::start(recorder, taps, Vec::new()).expect("it starts");
            for (batch, until) in batches {
                thread.take(0, 1, batch, until);
            }
            let recorded = thread.close().expect("it records");
            assert_eq!(recorded.values(), Some(stream.values()));
            recorded.finish(&RunResult::default()).expect("it records");
            stream.values()
        });
        let _ = std::fs::remove_file(&path);
        sample
    })
}
