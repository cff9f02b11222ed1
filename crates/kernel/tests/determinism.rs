//! Same inputs, same bits: random systems run in many ways, and every way gives the same digest,
//! the same recorded values and the same number of transitions.
//!
//! `IRONBIRD_CASES=5000 cargo nextest run -p ironbird-kernel --cargo-profile ci --test determinism`
//! tries more systems than the default.

mod random_graph;

use std::sync::{Arc, Mutex};

use ironbird_kernel::{Batch, Options, Outcome, Rate, Sampling, Simulation, Sink, Tap, Time};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use random_graph::behaviour::PortType;
use random_graph::plan::KindPlan;
use random_graph::runs::{
    Trace, Used, baseline, difference, outputs, run, schedule, variants, watched,
};
use random_graph::{Knobs, Plan, build, generate, knobs};

/// What the systems that were tried had in them, so that the test cannot become hollow.
#[derive(Debug, Default)]
struct Seen {
    cases: u32,
    partitioned: u32,
    four_partitions: u32,
    run_ahead: u32,
    periodic: u32,
    disturbed: u32,
    selecting: u32,
    acted: u32,
    monitored: u32,
    asked: u32,
    nested: u32,
    ended: u32,
    by_turns: u32,
    transitions: u64,
}

impl Seen {
    fn note(&mut self, plan: &Plan, trace: &Trace, used: Used) {
        let partitions = used.partitions;
        let kinds = |wanted: fn(&KindPlan) -> bool| {
            u32::from(plan.models.iter().any(|model| wanted(&model.kind)))
        };
        self.cases += 1;
        self.partitioned += u32::from(partitions > 1);
        self.four_partitions += u32::from(partitions >= 4);
        self.run_ahead += kinds(|kind| matches!(kind, KindPlan::RunAhead(_)));
        self.periodic += kinds(|kind| matches!(kind, KindPlan::Periodic(_)));
        self.disturbed += u32::from(plan.ways().iter().any(|way| !way.passed.is_empty()));
        self.selecting += u32::from(plan.links.iter().any(|link| plan.selects(link)));
        self.acted += u32::from(plan.script.len() > 1);
        self.monitored += u32::from(!plan.monitors.is_empty());
        self.asked += u32::from(plan.models.iter().any(|model| model.asks.is_some()));
        self.nested += u32::from(plan.links.iter().any(|l| l.exit.is_some() || l.entry.is_some()));
        self.by_turns += u32::from(used.by_turns);
        self.ended += u32::from(!matches!(trace.outcome, Outcome::Reached(_)));
        self.transitions += trace.counts.iter().sum::<u64>();
    }

    /// Each kind of thing is in at least a tenth of the cases, most in many more.
    fn assert_varied(&self) {
        let share = |count: u32, percent: u32| count * 100 >= self.cases * percent;
        let varied = [
            share(self.partitioned, 50),
            share(self.four_partitions, 25),
            share(self.run_ahead, 50),
            share(self.periodic, 50),
            share(self.disturbed, 15),
            share(self.selecting, 30),
            share(self.acted, 60),
            share(self.monitored, 30),
            share(self.asked, 30),
            share(self.nested, 20),
            share(self.by_turns, 20),
            self.transitions >= u64::from(self.cases) * 100,
        ];
        assert!(varied.iter().all(|&ok| ok), "too little variety: {self:?}");
    }
}

fn cases(default: u32) -> u32 {
    std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Where two traces differ, in words. What partitions did beyond the end of a run that a monitor
/// ended is discarded, but it was done: transitions count only where the end was reached.
fn compare(expected: &Trace, found: &Trace, recorded: bool) -> Result<(), String> {
    if expected.outcome != found.outcome {
        return Err(format!("outcome {:?}, not {:?}", found.outcome, expected.outcome));
    }
    if recorded && let Some(difference) = difference(&expected.samples, &found.samples) {
        return Err(difference);
    }
    if expected.digest != found.digest {
        return Err("the digest".into());
    }
    let reached = matches!(expected.outcome, Outcome::Reached(_));
    if reached && expected.counts != found.counts {
        return Err(format!("transitions {:?}, not {:?}", found.counts, expected.counts));
    }
    Ok(())
}

/// Runs one system in all ways.
fn try_all(knobs: &Knobs, seen: &Mutex<Seen>) -> Result<(), TestCaseError> {
    let plan = generate(knobs);
    let first = baseline(&plan);
    let (expected, _) = watched(&format!("{knobs:?} {first:?}"), || run(&plan, &first));
    let mut used = Used { partitions: 1, by_turns: false };
    for variant in variants(&plan, knobs.seed) {
        let what = format!("{variant:?}");
        let (found, so) = watched(&format!("{knobs:?} {what}"), || run(&plan, &variant));
        used.partitions = used.partitions.max(so.partitions);
        used.by_turns |= so.by_turns;
        compare(&expected, &found, variant.record)
            .map_err(|difference| TestCaseError::fail(format!("{difference}, with {what}")))?;
    }
    seen.lock().unwrap().note(&plan, &expected, used);
    Ok(())
}

/// Tries so many systems of this kind.
fn try_many(count: u32, kind: fn(Knobs) -> Knobs) -> Seen {
    let seen = Mutex::new(Seen::default());
    for_many(count, |knobs| try_all(&kind(knobs), &seen));
    seen.into_inner().unwrap()
}

fn for_many(count: u32, attempt: impl Fn(Knobs) -> Result<(), TestCaseError>) {
    let config = Config {
        cases: cases(count),
        max_shrink_iters: 400,
        failure_persistence: None,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(&knobs(), attempt) {
        panic!("{failure}");
    }
}

/// Keeps what taps take: when, which, and the bytes.
#[derive(Default)]
struct Kept(Mutex<Vec<(Time, u32, Vec<u8>)>>);

impl Sink for Kept {
    fn take(&self, _: usize, _: usize, batch: Batch, _: Time) {
        let taken = batch.iter().map(|(time, tap, bytes)| (time, tap, bytes.to_vec()));
        self.0.lock().unwrap().extend(taken);
    }
}

/// Looks at every signal now and then, at ticks of its own.
fn sample_all(plan: &Plan, simulation: &mut Simulation) -> Arc<Kept> {
    let signals = outputs(plan).into_iter().filter(|(.., of)| *of != PortType::Note);
    let rates = [Rate::hz(700), Rate::hz(500), Rate::hz(1_300)];
    let tap = |(model, port, _): (usize, usize, PortType)| Tap {
        component: plan.path(model),
        port: format!("out{port}"),
        sampling: Sampling::Every(rates[model % rates.len()]),
        transient: false,
    };
    let kept = Arc::new(Kept::default());
    simulation.observe(signals.map(tap).collect(), kept.clone()).unwrap();
    kept
}

/// What taps took, the bytes of checkpoints at the ends of thirds, and the instants, transitions and
/// steps, of a run on one thread in which nobody takes note of a write but its readers.
#[derive(PartialEq)]
struct Unobserved {
    kept: Vec<(Time, u32, Vec<u8>)>,
    saved: Vec<Vec<u8>>,
    counts: [u64; 4],
}

fn run_unobserved(plan: &Plan, fused: bool) -> Unobserved {
    let options = Options { seed: plan.seed, fused, ..Options::default() };
    let mut simulation = Simulation::new(build(plan), options).unwrap();
    let kept = sample_all(plan, &mut simulation);
    schedule(plan, &mut simulation, Time::ZERO, Time::NEVER);
    let thirds = (1..=3).map(|third| Time::from_ps(plan.end.as_ps() * third / 3));
    let saved = thirds.map(|until| {
        simulation.run_until(until).unwrap();
        simulation.checkpoint().unwrap().to_bytes()
    });
    let saved = saved.collect();
    let counts = simulation.statistics();
    let counts = [counts.instants, counts.internal, counts.external, counts.steps];
    let kept = std::mem::take(&mut *kept.0.lock().unwrap());
    Unobserved { kept, saved, counts }
}

#[test]
fn periodic_components_that_nobody_observes_step_the_same_fused_or_not() {
    let seen = Mutex::new((0, 0));
    for_many(60, |knobs| {
        let knobs = Knobs { periodics: 3 + knobs.periodics, run_aheads: 0, ..knobs };
        let plan = generate(&knobs);
        let run = |fused| watched(&format!("{knobs:?}"), || run_unobserved(&plan, fused));
        let (expected, found) = (run(false), run(true));
        if expected != found {
            let (counts, others) = (expected.counts, found.counts);
            let sampled = if expected.kept == found.kept { "the same" } else { "other" };
            let found = format!("fused {others:?}, unfused {counts:?}, {sampled} samples");
            return Err(TestCaseError::fail(found));
        }
        let mut seen = seen.lock().unwrap();
        *seen = (seen.0 + 1, seen.1 + found.counts[3]);
        Ok(())
    });
    let (cases, steps) = seen.into_inner().unwrap();
    assert!(steps >= 50 * cases, "{steps} steps in {cases} systems are too few");
}

#[test]
fn every_way_to_run_a_random_system_gives_the_same_bits() {
    try_many(60, |knobs| knobs).assert_varied();
}

#[test]
fn every_way_to_run_a_system_that_a_monitor_ends_gives_the_same_bits() {
    let seen = try_many(25, |knobs| Knobs { stops: true, monitors: 1 + knobs.monitors, ..knobs });
    assert!(seen.ended * 100 >= seen.cases * 15, "too few runs are ended: {seen:?}");
    assert!(seen.partitioned * 100 >= seen.cases * 40, "too few are partitioned: {seen:?}");
}
