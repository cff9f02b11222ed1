//! Ways to run a random system that must not change a bit, and what a run leaves behind.

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};

use ironbird_kernel::{
    Checkpoint, Options, Outcome, Placement, Profiling, QueueRegime, RandomStream, Sharing,
    Simulation, Time,
};

use super::behaviour::{Item, Note, PortType, Reading};
use super::{Plan, build, kernel_action};

/// All that must be equal between two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    pub digest: u64,
    pub outcome: Outcome,
    /// Internal and external transitions, and steps.
    pub counts: [u64; 3],
    pub samples: Samples,
}

/// Every value of every output, by path and port, with its time.
pub type Samples = BTreeMap<(String, usize), Vec<(Time, Item)>>;

/// How the way to the end is divided.
#[derive(Clone, Debug)]
pub enum Progress {
    Whole,
    /// Pauses at these instants.
    Pieces(Vec<Time>),
    /// So many steps of one instant, then the rest.
    Steps(usize),
    /// Saved to bytes at this instant and restored under other options.
    Restored(Time, Box<Options>),
    /// At this instant an edit that changes nothing, so that the engines are built anew.
    Rebuilt(Time),
    /// Actions are scheduled only when their instant is near.
    LateScript(Time),
}

/// Who advanced a system.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    pub partitions: usize,
    /// Now one partition, now all.
    pub by_turns: bool,
}

/// One way to run.
#[derive(Clone, Debug)]
pub struct Variant {
    pub options: Options,
    pub progress: Progress,
    pub record: bool,
}

pub fn options(plan: &Plan, placement: Placement, fused: bool, queue: QueueRegime) -> Options {
    Options { seed: plan.seed, placement, fused, queue, digest: true, ..Options::default() }
}

/// One partition, everything recorded.
pub fn baseline(plan: &Plan) -> Variant {
    let options = options(plan, Placement::AtMost(1), true, QueueRegime::Heap);
    Variant { options, progress: Progress::Whole, record: true }
}

/// A placement that spreads the units over up to eight partitions at random.
fn explicit(plan: &Plan, random: &mut RandomStream) -> Placement {
    let partitions = if plan.may_be_cut { 2 + random.below(7) } else { 1 };
    let units = plan.units();
    let of_unit: Vec<usize> = units.iter().map(|_| random.below(partitions) as usize).collect();
    let named = units.iter().enumerate().map(|(m, &unit)| (plan.path(m), of_unit[unit]));
    Placement::Explicit(named.collect())
}

/// Many ways to run, each with something that could go wrong.
pub fn variants(plan: &Plan, seed: u64) -> Vec<Variant> {
    let mut random = RandomStream::from_key(!seed);
    let mut at_most = |least: u64| {
        let limit = least + random.below(9 - least);
        Placement::AtMost(if plan.may_be_cut { limit as usize } else { 1 })
    };
    let (two_or_more, few, any, other) = (at_most(2), at_most(2), at_most(1), at_most(1));
    let some_time = |random: &mut RandomStream| match random.below(3) {
        0 => Time::from_ps(random.below(8) * 1_000_000_000),
        _ => Time::from_ps(random.below(plan.end.as_ps())),
    };
    let mut pieces: Vec<Time> = (0..5).map(|_| some_time(&mut random)).collect();
    pieces.sort_unstable();
    let (cut, again, edited) =
        (some_time(&mut random), some_time(&mut random), some_time(&mut random));
    let with = |placement, fused, queue, progress, record| Variant {
        options: options(plan, placement, fused, queue),
        progress,
        record,
    };
    let profiled = |variant: Variant| {
        let options = Options { profile: Profiling::Timeline, ..variant.options };
        Variant { options, ..variant }
    };
    let in_turns = |variant: Variant| {
        let sharing = Sharing::InTurns(std::time::Duration::from_micros(100));
        let options = Options { sharing, ..variant.options };
        Variant { options, ..variant }
    };
    let (placed, placed_too) = (explicit(plan, &mut random), explicit(plan, &mut random));
    let elsewhere = Box::new(options(plan, placed_too.clone(), true, QueueRegime::Heap));
    let together = Box::new(options(plan, other.clone(), false, QueueRegime::Adaptive));
    let by_turns = Box::new(Options {
        sharing: Sharing::InTurns(std::time::Duration::from_micros(50)),
        ..options(plan, few.clone(), false, QueueRegime::Adaptive)
    });
    use Progress::{LateScript, Pieces, Rebuilt, Restored, Steps, Whole};
    use QueueRegime::{Adaptive, Heap, Sweep};
    vec![
        with(Placement::AtMost(1), false, Sweep, Whole, false),
        with(two_or_more.clone(), true, Adaptive, Whole, true),
        profiled(with(two_or_more, true, Adaptive, Whole, false)),
        profiled(with(Placement::AtMost(1), true, Adaptive, Whole, false)),
        with(placed, false, Sweep, Whole, true),
        with(placed_too, true, Heap, Pieces(pieces), false),
        with(any, false, Adaptive, Restored(cut, elsewhere), true),
        with(few.clone(), true, Heap, Restored(again, together), false),
        in_turns(with(few.clone(), true, Adaptive, Whole, true)),
        in_turns(with(few.clone(), true, Heap, Restored(again, by_turns), true)),
        in_turns(profiled(with(few.clone(), false, Adaptive, Rebuilt(edited), false))),
        with(few, true, Adaptive, Steps(25), false),
        profiled(with(other, true, Sweep, Rebuilt(edited), true)),
        with(Placement::AtMost(1), true, Adaptive, LateScript(edited), false),
    ]
}

/// Gives a simulation the actions of the plan in a span of time.
pub fn schedule(plan: &Plan, simulation: &mut Simulation, from: Time, to: Time) {
    for (at, action) in plan.script.iter().filter(|(at, _)| *at >= from && *at < to) {
        simulation.schedule(*at, kernel_action(plan, action)).unwrap();
    }
}

/// Every output: its model, its number and what it holds or sends.
pub fn outputs(plan: &Plan) -> Vec<(usize, usize, PortType)> {
    let models = plan.models.iter().enumerate();
    let ports = models
        .flat_map(|(m, model)| model.outputs.iter().enumerate().map(move |(p, of)| (m, p, *of)));
    ports.collect()
}

pub fn record_all(plan: &Plan, simulation: &mut Simulation) {
    for (model, port, _) in outputs(plan) {
        simulation.record(&plan.path(model), &format!("out{port}")).unwrap();
    }
}

pub fn add_samples(plan: &Plan, simulation: &Simulation, samples: &mut Samples) {
    for (model, port, of) in outputs(plan) {
        let (path, name) = (plan.path(model), format!("out{port}"));
        let mut of_port: Vec<(Time, Item)> = match of {
            PortType::Note => wrap(simulation.samples::<Note>(&path, &name).unwrap(), Item::Note),
            PortType::Real => wrap(simulation.samples::<f64>(&path, &name).unwrap(), Item::Real),
            PortType::Reading => {
                wrap(simulation.samples::<Reading>(&path, &name).unwrap(), Item::Reading)
            }
        };
        samples.entry((path, port)).or_default().append(&mut of_port);
    }
}

fn wrap<T>(samples: Vec<(Time, T)>, item: fn(T) -> Item) -> Vec<(Time, Item)> {
    samples.into_iter().map(|(time, value)| (time, item(value))).collect()
}

/// Runs a system to its end.
pub fn run(plan: &Plan, variant: &Variant) -> (Trace, Used) {
    let mut simulation = Simulation::new(build(plan), variant.options.clone()).unwrap();
    if variant.record {
        record_all(plan, &mut simulation);
    }
    let mut late = Time::NEVER;
    if let Progress::LateScript(at) = variant.progress {
        late = at;
    }
    schedule(plan, &mut simulation, Time::ZERO, late);
    let mut samples = Samples::new();
    let mut counts = [0; 3];
    let mut partitions = simulation.partitions();
    let mut count = |simulation: &Simulation| {
        let statistics = simulation.statistics();
        let more = [statistics.internal, statistics.external, statistics.steps];
        counts = std::array::from_fn(|i| counts[i] + more[i]);
    };
    match &variant.progress {
        Progress::Whole => {}
        Progress::Pieces(pieces) => {
            for &piece in pieces {
                simulation.run_until(piece).unwrap();
            }
        }
        Progress::Steps(steps) => {
            for _ in 0..*steps {
                if simulation.now() >= plan.end {
                    break;
                }
                simulation.step().unwrap();
            }
        }
        Progress::Restored(at, elsewhere) => {
            if let Outcome::Reached(_) = simulation.run_until(*at).unwrap() {
                count(&simulation);
                if variant.record {
                    add_samples(plan, &simulation, &mut samples);
                }
                let bytes = simulation.checkpoint().unwrap().to_bytes();
                let checkpoint = Checkpoint::from_bytes(&bytes).unwrap();
                let options = (**elsewhere).clone();
                simulation = Simulation::restore(build(plan), options, &checkpoint).unwrap();
                if variant.record {
                    record_all(plan, &mut simulation);
                }
                schedule(plan, &mut simulation, *at, Time::NEVER);
                partitions = partitions.max(simulation.partitions());
            }
        }
        Progress::Rebuilt(at) => simulation.edit_at(*at, |_| Ok(())).unwrap(),
        Progress::LateScript(at) => {
            if let Outcome::Reached(_) = simulation.run_until(*at).unwrap() {
                schedule(plan, &mut simulation, *at, Time::NEVER);
            }
        }
    }
    let outcome = simulation.run_until(plan.end).unwrap();
    count(&simulation);
    if variant.record {
        add_samples(plan, &simulation, &mut samples);
    }
    let sharing = simulation.statistics().sharing.unwrap_or_default();
    let by_turns = !sharing.alone.is_zero() && !sharing.shared.is_zero();
    let used = Used { partitions, by_turns };
    (Trace { digest: simulation.digest(), outcome, counts, samples }, used)
}

/// Aborts the process with a word about what hung if `work` takes longer than 20 seconds: threads that
/// wait for each other for ever cannot be stopped in another way.
pub fn watched<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let (done, finished) = channel::<()>();
    let what = what.to_owned();
    let guard = std::thread::spawn(move || {
        let limit = std::time::Duration::from_secs(20);
        if finished.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            eprintln!("hangs: {what}");
            std::process::abort();
        }
    });
    let result = work();
    drop(done);
    guard.join().expect("the guard ends quietly");
    result
}

/// The first difference between two recordings, in words.
pub fn difference(expected: &Samples, found: &Samples) -> Option<String> {
    for (port, expected) in expected {
        let found = found.get(port).map_or(&[][..], Vec::as_slice);
        let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
        if same < expected.len().max(found.len()) {
            let (a, b) = (expected.get(same), found.get(same));
            return Some(format!("{port:?} sample {same}: expected {a:?}, found {b:?}"));
        }
    }
    None
}
