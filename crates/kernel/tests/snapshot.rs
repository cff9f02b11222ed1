//! Snapshots: runs that go on in memory, with models that no file could hold, as if nobody had stopped.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use ironbird_kernel::*;

/// Counts its steps in something that bytes cannot hold.
#[derive(Default)]
struct Living {
    count: SignalOut<f64>,
    steps: Arc<AtomicU32>,
}

impl Model for Living {
    fn ports(&mut self, ports: &mut Ports) {
        self.count = ports.signal_out("count", -1.0);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        let now = self.steps.load(Ordering::Relaxed);
        state.keep(|| Ok(Arc::new(AtomicU32::new(now))))
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        let kept: Arc<AtomicU32> = state.kept()?;
        self.steps = Arc::new(AtomicU32::new(kept.load(Ordering::Relaxed)));
        Ok(())
    }
}

impl Periodic for Living {
    fn step(&mut self, step: &mut Step<'_>) {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        step.write(self.count, f64::from(steps));
    }
}

/// Says why it cannot be kept.
struct Stubborn;

impl Model for Stubborn {
    fn ports(&mut self, _: &mut Ports) {}
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.keep(|| Err(SaveError::Failed("it does not want to".into())))
    }
}

impl Periodic for Stubborn {
    fn step(&mut self, _: &mut Step<'_>) {}
}

fn system() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "living", Living::default(), Rate::hz(1_000)).unwrap();
    graph
}

fn options() -> Options {
    Options { digest: true, ..Options::default() }
}

type Seen = (Time, u32, Vec<u8>);

#[derive(Default)]
struct Keeps(Mutex<Vec<Seen>>);

impl Sink for Keeps {
    fn take(&self, _: usize, _: usize, batch: Batch, _: Time) {
        let mut seen = self.0.lock().unwrap();
        seen.extend(batch.iter().map(|(time, tap, bytes)| (time, tap, bytes.to_vec())));
    }
}

impl Keeps {
    fn seen(&self) -> Vec<Seen> {
        self.0.lock().unwrap().clone()
    }
}

fn taps() -> Vec<Tap> {
    let tap = |sampling| Tap {
        component: "living".into(),
        port: "count".into(),
        sampling,
        transient: false,
    };
    vec![tap(Sampling::EveryWrite), tap(Sampling::Every(Rate::hz(300)))]
}

const MIDDLE: Time = Time::from_ps(10_500_000_000);
const END: Time = Time::from_ps(30_000_000_000);

#[test]
fn runs_from_one_snapshot_and_the_run_itself_end_as_a_whole_run() {
    let whole = Arc::new(Keeps::default());
    let mut simulation = Simulation::new(system(), options()).unwrap();
    simulation.observe(taps(), whole.clone()).unwrap();
    simulation.run_until(END).unwrap();
    let expected = simulation.digest();

    let trunk = Arc::new(Keeps::default());
    let mut simulation = Simulation::new(system(), options()).unwrap();
    simulation.observe(taps(), trunk.clone()).unwrap();
    simulation.run_until(MIDDLE).unwrap();
    let before = trunk.seen();
    let snapshot = simulation.snapshot().unwrap();
    assert_eq!(snapshot.time(), MIDDLE);
    simulation.run_until(END).unwrap();
    assert_eq!((simulation.digest(), trunk.seen()), (expected, whole.seen()));

    for _ in 0..3 {
        let branch = Arc::new(Keeps::default());
        let mut simulation = Simulation::from_snapshot(system(), options(), &snapshot).unwrap();
        simulation.observe_further(taps(), branch.clone()).unwrap();
        simulation.run_until(END).unwrap();
        assert_eq!(simulation.digest(), expected);
        // What was seen before, and what is seen from there on, is what is seen of a whole run.
        assert_eq!([before.clone(), branch.seen()].concat(), whole.seen());
    }
}

#[test]
fn a_file_does_not_hold_what_only_memory_can() {
    let simulation = Simulation::new(system(), options()).unwrap();
    let error = simulation.checkpoint().unwrap_err();
    assert_eq!(error.to_string(), "these components cannot save their state: living");
}

#[test]
fn a_model_that_cannot_be_kept_says_why() {
    let mut graph = system();
    let root = graph.root();
    graph.add_periodic(root, "stubborn", Stubborn, Rate::hz(10)).unwrap();
    let simulation = Simulation::new(graph, options()).unwrap();
    let error = simulation.snapshot().unwrap_err();
    assert_eq!(
        error.to_string(),
        "these components cannot save their state: stubborn (it does not want to)"
    );
}
