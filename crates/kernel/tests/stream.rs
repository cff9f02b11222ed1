//! Taps: what a sink sees of a run, whatever the placement.

use std::sync::{Arc, Mutex};

use ironbird_kernel::*;

/// Counts its steps.
#[derive(Default)]
struct Counter {
    count: SignalOut<f64>,
    done: EventOut<u32>,
    steps: u32,
}

impl Model for Counter {
    fn ports(&mut self, ports: &mut Ports) {
        self.count = ports.signal_out("count", -1.0);
        self.done = ports.event_out("done");
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.steps)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.steps = state.get()?;
        Ok(())
    }
}

impl Periodic for Counter {
    fn step(&mut self, step: &mut Step<'_>) {
        step.write(self.count, f64::from(self.steps));
        step.send(self.done, self.steps);
        step.send(self.done, self.steps + 100);
        self.steps += 1;
    }
}

/// Shows ten times what it sees.
#[derive(Default)]
struct Tenfold {
    u: SignalIn<f64>,
    y: SignalOut<f64>,
}

impl Model for Tenfold {
    fn ports(&mut self, ports: &mut Ports) {
        self.u = ports.signal_in("u");
        self.y = ports.signal_out("y", 0.5);
    }
}

impl Periodic for Tenfold {
    fn step(&mut self, step: &mut Step<'_>) {
        let y = 10.0 * step.signal(self.u);
        step.write(self.y, y);
    }
}

type Seen = (Time, u32, Vec<u8>);

/// Keeps what came, and checks that nobody breaks the promise of an earlier `until`.
#[derive(Default)]
struct Collector(Mutex<(Vec<Seen>, Vec<Time>)>);

impl Collector {
    /// In the one order that does not depend on placement.
    fn merged(&self) -> Vec<Seen> {
        let mut seen = self.0.lock().unwrap().0.clone();
        seen.sort_by_key(|(time, tap, _)| (*time, *tap));
        seen
    }

    fn numbers(&self, tap: u32) -> Vec<(Time, f64)> {
        let of_tap = self.merged().into_iter().filter(|(_, t, _)| *t == tap);
        of_tap.map(|(time, _, b)| (time, f64::from_le_bytes(b.try_into().unwrap()))).collect()
    }
}

impl Sink for Collector {
    fn take(&self, partition: usize, partitions: usize, batch: Batch, until: Time) {
        let mut inner = self.0.lock().unwrap();
        let (seen, horizons) = &mut *inner;
        if horizons.len() != partitions {
            *horizons = vec![Time::ZERO; partitions];
        }
        for (time, tap, bytes) in batch.iter() {
            assert!(horizons[partition] <= time && time < until, "{time} of tap {tap}");
            seen.push((time, tap, bytes.to_vec()));
        }
        horizons[partition] = until;
    }
}

fn us(us: u64) -> Time {
    Time::ZERO + Duration::from_us(us)
}

fn tap(component: &str, port: &str, sampling: Sampling) -> Tap {
    Tap { component: component.into(), port: port.into(), sampling, transient: false }
}

/// Counter at 1 kHz, and beyond a latency a reader at 400 Hz.
fn system() -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let counter = graph.add_periodic(root, "counter", Counter::default(), Rate::hz(1000)).unwrap();
    let tenfold = graph.add_periodic(root, "tenfold", Tenfold::default(), Rate::hz(400)).unwrap();
    let link = Link::direct().latency(Duration::from_us(100));
    graph.link(counter.port("count"), tenfold.port("u"), link).unwrap();
    graph
}

fn taps() -> Vec<Tap> {
    vec![
        tap("tenfold", "y", Sampling::EveryWrite),
        tap("counter", "count", Sampling::EveryWrite),
        tap("counter", "count", Sampling::Every(Rate::hz(300))),
        tap("counter", "done", Sampling::EveryWrite),
    ]
}

fn run(graph: Graph, partitions: usize, until: Time) -> (Arc<Collector>, Outcome) {
    let placement = Placement::AtMost(partitions);
    let options = Options { placement, ..Options::default() };
    let mut simulation = Simulation::new(graph, options).unwrap();
    let collector = Arc::new(Collector::default());
    simulation.observe(taps(), collector.clone()).unwrap();
    // In stretches of odd length, so that batches are cut anywhere.
    let mut outcome = Outcome::Reached(Time::ZERO);
    let mut end = us(0);
    while end < until && matches!(outcome, Outcome::Reached(_)) {
        end = (end + Duration::from_us(770)).min(until);
        outcome = simulation.run_until(end).unwrap();
    }
    (collector, outcome)
}

#[test]
fn every_write_and_every_tick_is_seen_once_with_its_settled_value() {
    let (seen, _) = run(system(), 1, us(5_001));
    let written = [0, 1000, 2000, 3000, 4000, 5000].map(|t| (us(t), (t / 1000) as f64));
    assert_eq!(seen.numbers(1), written);
    // 300 Hz: tick k at ceil(k * 10^12 / 300) ps, in which the last count is k * 10 / 3, rounded down.
    let tick = |k| Grid::new(Time::ZERO, Rate::hz(300)).tick(k);
    assert_eq!(seen.numbers(2), [(tick(0), 0.0), (tick(1), 3.0)]);
    let sent: Vec<u32> = seen
        .merged()
        .into_iter()
        .filter(|(time, tap, _)| *tap == 3 && *time <= us(1000))
        .map(|(_, _, bytes)| u32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(sent, [0, 100, 1, 101]);
}

#[test]
fn the_first_value_of_a_signal_is_seen_even_if_nobody_writes_it() {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    simulation.schedule(Time::ZERO, Action::Stop { component: "tenfold".into() }).unwrap();
    let seen = Arc::new(Collector::default());
    simulation.observe(taps(), seen.clone()).unwrap();
    simulation.run_until(us(9_000)).unwrap();
    assert_eq!(seen.numbers(0), [(us(0), 0.5)]);
}

#[test]
fn the_stream_is_the_same_on_one_partition_and_on_two() {
    let (one, _) = run(system(), 1, us(40_000));
    let (two, _) = run(system(), 2, us(40_000));
    assert!(one.merged().len() > 140);
    assert_eq!(one.merged(), two.merged());
}

#[test]
fn after_a_stop_nothing_later_is_seen_in_any_partition() {
    let stopping = || {
        let mut graph = system();
        let watched = Watched { component: "tenfold".into(), port: "y".into() };
        graph
            .monitor(Monitor::stop_when("enough", vec![watched], |r| {
                r.signal::<f64>(0).is_some_and(|y| *y >= 40.0)
            }))
            .unwrap();
        graph
    };
    for partitions in [1, 2] {
        let (seen, outcome) = run(stopping(), partitions, us(40_000));
        assert_eq!(outcome, Outcome::Stopped { at: us(5_000), monitor: "enough".into() });
        let (last, ..) = seen.merged().pop().unwrap();
        assert_eq!(last, us(5_000), "on {partitions} partitions");
        // Monitors come after the taps.
        assert!(seen.merged().contains(&(us(5_000), 4, Vec::new())));
    }
}

#[test]
fn a_component_that_comes_later_is_seen_from_its_start() {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    let seen = Arc::new(Collector::default());
    let late = Tap { transient: true, ..tap("late", "count", Sampling::EveryWrite) };
    simulation.observe(vec![late], seen.clone()).unwrap();
    simulation
        .edit_at(us(2_500), |graph| {
            let root = graph.root();
            graph.add_periodic(root, "late", Counter::default(), Rate::hz(1000)).map(|_| ())
        })
        .unwrap();
    simulation.run_until(us(4_000)).unwrap();
    assert_eq!(seen.numbers(0), [(us(2_500), 0.0), (us(3_500), 1.0)]);
}

#[test]
fn a_tap_on_nothing_and_a_sampled_event_are_refused() {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    let sink = || Arc::new(Collector::default());
    let missing = simulation.observe(vec![tap("conter", "count", Sampling::EveryWrite)], sink());
    assert!(missing.unwrap_err().to_string().contains("counter"));
    let sampled =
        simulation.observe(vec![tap("counter", "done", Sampling::Every(Rate::hz(1)))], sink());
    assert_eq!(
        sampled.unwrap_err().to_string(),
        "\"counter.done\" sends events: they cannot be sampled, only taken as they are sent"
    );
}

#[test]
fn a_sample_that_is_due_after_a_stop_is_never_seen() {
    // The stop is found at 5 ms; between it and the next step of anybody lies a tick of the tap.
    for partitions in [1, 2] {
        for stretch in [us(5_001), us(5_500), us(40_000)] {
            let mut graph = system();
            let watched = Watched { component: "counter".into(), port: "count".into() };
            let enough = |r: &Readings<'_>| r.signal::<f64>(0).is_some_and(|count| *count >= 5.0);
            graph.monitor(Monitor::stop_when("enough", vec![watched], enough)).unwrap();
            let placement = Placement::AtMost(partitions);
            let options = Options { placement, ..Options::default() };
            let mut simulation = Simulation::new(graph, options).unwrap();
            let seen = Arc::new(Collector::default());
            let every = Sampling::Every(Rate::new(10_000_000, 1_300).unwrap());
            simulation.observe(vec![tap("tenfold", "y", every)], seen.clone()).unwrap();
            while let Outcome::Reached(_) = simulation.run_until(stretch).unwrap() {
                simulation.run_until(us(40_000)).unwrap();
            }
            let (last, ..) = seen.merged().pop().unwrap();
            assert!(last <= us(5_000), "{last} on {partitions} partitions");
        }
    }
}
