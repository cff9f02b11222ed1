//! Partitions in several processes, played by threads over a carrier in memory: the same bits as one
//! partition alone, and an end with a reason where a process is lost.
//!
//! `IRONBIRD_CASES=5000 cargo nextest run -p ironbird-kernel --cargo-profile ci --test span` tries more
//! systems than the default.

mod random_graph;
mod span_memory;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ironbird_kernel::{
    Batch, BuildError, Fault, Options, Outcome, Placement, Profiling, QueueRegime, Sampling,
    Simulation, Sink, Span, Tap, Time,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use random_graph::runs::{
    Samples, Trace, add_samples, baseline, difference, options, outputs, record_all, run, schedule,
    watched,
};
use random_graph::{Knobs, Plan, build, generate, knobs};
use span_memory::{Way, processes};

fn cases(default: u32) -> u32 {
    std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn ways() -> impl Strategy<Value = Way> {
    let room = prop::sample::select(vec![1, 2, 8, 64]);
    let longest = prop::sample::select(vec![64, 100, usize::MAX]);
    let delay = prop::sample::select(vec![0, 0, 5, 50]);
    (room, longest, delay, any::<u64>()).prop_map(|(room, longest, delay_us, seed)| Way {
        room,
        longest,
        delay_us,
        seed,
        ..Way::plain()
    })
}

/// What taps took: when, which, and the bytes.
type Taken = Vec<(Time, u32, Vec<u8>)>;

/// Keeps what taps take, and up to when it is complete, by partition.
#[derive(Default)]
struct Kept(Mutex<(Taken, BTreeMap<usize, Time>)>);

impl Sink for Kept {
    fn take(&self, partition: usize, partitions: usize, batch: Batch, until: Time) {
        assert!(partition < partitions);
        let mut kept = self.0.lock().unwrap();
        let taken = batch.iter().map(|(time, tap, bytes)| (time, tap, bytes.to_vec()));
        kept.0.extend(taken);
        let before = kept.1.insert(partition, until);
        assert!(before <= Some(until), "a sink never goes back");
    }
}

impl Kept {
    /// In the order of time and tap; values of one tap stay in the order in which they were taken.
    fn in_order(all: impl IntoIterator<Item = Taken>) -> Taken {
        let mut taken: Taken = all.into_iter().flatten().collect();
        taken.sort_by_key(|(time, tap, _)| (*time, *tap));
        taken
    }
}

/// Lets a sink keep every write of every output.
fn observe(plan: &Plan, simulation: &mut Simulation) -> Arc<Kept> {
    let tap = |(model, port, _)| Tap {
        component: plan.path(model),
        port: format!("out{port}"),
        sampling: Sampling::EveryWrite,
        transient: false,
    };
    let kept = Arc::new(Kept::default());
    let taps = outputs(plan).into_iter().map(tap).collect();
    simulation.observe(taps, kept.clone()).unwrap();
    kept
}

/// What is streamed when one partition runs alone.
fn streamed_alone(plan: &Plan) -> Taken {
    let options = options(plan, Placement::AtMost(1), true, QueueRegime::Adaptive);
    let mut simulation = Simulation::new(build(plan), options).unwrap();
    let kept = observe(plan, &mut simulation);
    schedule(plan, &mut simulation, Time::ZERO, Time::NEVER);
    simulation.run_until(plan.end).unwrap();
    let taken = std::mem::take(&mut kept.0.lock().unwrap().0);
    Kept::in_order([taken])
}

/// One process of several.
fn part(plan: &Plan, span: Span) -> Result<(Simulation, Outcome, Arc<Kept>), BuildError> {
    let limit = if plan.may_be_cut { span.count } else { 1 };
    let mut options: Options = options(plan, Placement::AtMost(limit), true, QueueRegime::Adaptive);
    // A profile changes nothing, whoever keeps one.
    if span.number % 2 == 1 {
        options.profile = Profiling::Timeline;
    }
    let mut simulation = Simulation::new_in_span(build(plan), options, span)?;
    record_all(plan, &mut simulation);
    let kept = observe(plan, &mut simulation);
    schedule(plan, &mut simulation, Time::ZERO, Time::NEVER);
    // In two pieces, so that something is under way between them.
    simulation.run_until(Time::from_ps(plan.end.as_ps() / 3))?;
    let outcome = simulation.run_until(plan.end)?;
    Ok((simulation, outcome, kept))
}

fn trace(plan: &Plan, simulation: &Simulation, outcome: Outcome) -> Trace {
    let mut samples = Samples::new();
    add_samples(plan, simulation, &mut samples);
    let statistics = simulation.statistics();
    let counts = [statistics.internal, statistics.external, statistics.steps];
    Trace { digest: simulation.digest(), outcome, counts, samples }
}

fn try_one(knobs: &Knobs, count: usize, way: &Way) -> Result<bool, TestCaseError> {
    let plan = generate(knobs);
    let (expected, _) = run(&plan, &baseline(&plan));
    let what = format!("{knobs:?} in {count} processes over {way:?}");
    let mut results = watched(&what, || {
        processes(count, way, |span| {
            let number = span.number;
            let (simulation, outcome, kept) = part(&plan, span).unwrap();
            let partitions = simulation.statistics().placement.partitions;
            let trace = (number == 0).then(|| trace(&plan, &simulation, outcome.clone()));
            let taken = std::mem::take(&mut kept.0.lock().unwrap().0);
            (outcome, trace, partitions, taken)
        })
    });
    for (number, (outcome, ..)) in results.iter().enumerate() {
        prop_assert_eq!(outcome, &expected.outcome, "process {}", number);
    }
    let streamed = results.iter_mut().map(|(.., taken)| std::mem::take(taken));
    prop_assert!(Kept::in_order(streamed) == streamed_alone(&plan), "the streams differ");
    let found = results[0].1.as_ref().expect("process 0 has all");
    if let Some(difference) = difference(&expected.samples, &found.samples) {
        return Err(TestCaseError::fail(difference));
    }
    prop_assert_eq!(expected.digest, found.digest);
    if matches!(expected.outcome, Outcome::Reached(_)) {
        prop_assert_eq!(expected.counts, found.counts);
    }
    Ok(results[0].2 > 1)
}

fn for_many<S: Strategy>(
    count: u32,
    what: S,
    attempt: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config {
        cases: cases(count),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(&what, attempt) {
        panic!("{failure}");
    }
}

fn try_many(count: u32, kind: fn(Knobs) -> Knobs) {
    let spread = Cell::new(0);
    for_many(count, (knobs(), 2..5usize, ways()), |(knobs, processes, way)| {
        let cut = try_one(&kind(knobs), processes, &way)?;
        spread.set(spread.get() + u32::from(cut));
        Ok(())
    });
    // About two thirds are; less than half of some thirty happens by chance.
    assert!(spread.get() * 4 >= cases(count), "only {} were spread", spread.get());
}

#[test]
fn several_processes_give_the_bits_of_one_partition() {
    try_many(60, |knobs| knobs);
}

#[test]
fn several_processes_end_where_a_monitor_ends_the_run() {
    try_many(30, |knobs| Knobs { stops: true, monitors: 1 + knobs.monitors, ..knobs });
}

/// Lets all processes do their parts; how each ended, and how the run ends when all goes well.
fn outcomes(knobs: &Knobs, count: usize, way: &Way) -> (Vec<Result<Outcome, BuildError>>, Outcome) {
    let plan = generate(knobs);
    let (expected, _) = run(&plan, &baseline(&plan));
    let results = watched(&format!("{knobs:?} in {count} processes over {way:?}"), || {
        processes(count, way, |span| part(&plan, span).map(|(_, outcome, _)| outcome))
    });
    (results, expected.outcome)
}

/// The process of which it is said that it is lost.
fn lost(result: &Result<Outcome, BuildError>) -> Option<usize> {
    match result {
        Ok(Outcome::Faulted(Fault::ProcessLost { process, .. }))
        | Err(BuildError::Fault(Fault::ProcessLost { process, .. })) => Some(*process),
        _ => None,
    }
}

/// The number of a message: of the first ones, or of any.
fn message_number() -> impl Strategy<Value = u64> {
    prop_oneof![0..8u64, 0..60u64, 0..400u64]
}

#[test]
fn a_process_that_breaks_ends_the_run_everywhere_with_its_name() {
    let faults = Cell::new(0);
    let what = (knobs(), 2..5usize, ways(), any::<prop::sample::Index>(), message_number());
    for_many(80, what, |(knobs, count, way, broken, at)| {
        let broken = broken.index(count);
        let way = Way { breaks: Some((broken, at)), ..way };
        let (results, expected) = outcomes(&knobs, count, &way);
        for (number, result) in results.iter().enumerate() {
            match lost(result) {
                Some(process) => {
                    prop_assert_eq!(process, broken, "says process {}", number);
                    faults.set(faults.get() + 1);
                }
                // It was through before the other broke.
                None => prop_assert_eq!(result.as_ref(), Ok(&expected), "process {}", number),
            }
        }
        Ok(())
    });
    assert!(faults.get() >= cases(80), "only {} processes noticed", faults.get());
}

#[test]
fn a_process_that_sends_nonsense_and_ends_leaves_nobody_waiting() {
    let faults = Cell::new(0);
    let what = (knobs(), 2..5usize, ways(), any::<prop::sample::Index>(), message_number());
    for_many(80, what, |(knobs, count, way, spoiler, at)| {
        let spoiler = spoiler.index(count);
        let way = Way { spoils: Some((spoiler, at)), ..way };
        let (results, _) = outcomes(&knobs, count, &way);
        let told = results.iter().filter(|result| lost(result).is_some()).count();
        faults.set(faults.get() + told as u32);
        Ok(())
    });
    assert!(faults.get() >= cases(80), "only {} processes noticed", faults.get());
}
