//! Periodic components that step at instants of their own: the number of a step alone says when it is, so
//! stops, checkpoints and placement change nothing.

mod models;

use std::sync::Arc;

use ironbird_kernel::{Action, Agenda, Duration, Graph, Link, Options, Rate, Simulation, Time};
use models::{Log, Reads, Ticks, ms, run, spread_over, us};

/// Step k at k ms and some microseconds that differ from step to step; there are 100.
#[derive(Debug)]
struct Uneven;

impl Agenda for Uneven {
    fn tick(&self, k: u64) -> Time {
        if k < 100 { ms(k) + Duration::from_us(37 * k % 900) } else { Time::NEVER }
    }

    fn first_tick_from(&self, t: Time) -> u64 {
        (0..100).find(|k| self.tick(*k) >= t).unwrap_or(100)
    }
}

/// What a rate of 1 kHz would do.
#[derive(Debug)]
struct EveryMillisecond;

impl Agenda for EveryMillisecond {
    fn tick(&self, k: u64) -> Time {
        ms(k)
    }

    fn first_tick_from(&self, t: Time) -> u64 {
        t.as_ps().div_ceil(ms(1).as_ps())
    }
}

fn both() -> [Options; 2] {
    [true, false].map(|fused| Options { fused, digest: true, ..spread_over(1) })
}

/// A component by an agenda, one on a grid, and a reader of the first on a grid of its own.
fn system(agenda: Option<Arc<dyn Agenda>>, latency: u64) -> (Graph, Log<(Time, u64)>) {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let x = graph.add_periodic(root, "x", Ticks::into(&Log::default()), Rate::hz(1_000)).unwrap();
    let reads = graph.add_periodic(root, "reads", Reads::into(&log), Rate::hz(3_000)).unwrap();
    graph.add_periodic(root, "y", Ticks::into(&Log::default()), Rate::hz(1_000)).unwrap();
    let link = Link::direct().latency(Duration::from_us(latency));
    graph.link(x.port("count"), reads.port("in"), link).unwrap();
    if let Some(agenda) = agenda {
        graph.set_agenda(x, agenda).unwrap();
    }
    (graph, log)
}

#[test]
fn a_component_steps_when_its_agenda_says_and_stops_when_it_is_over() {
    for options in both() {
        let log = Log::default();
        let mut graph = Graph::new();
        let x = graph.add_periodic(graph.root(), "x", Ticks::into(&log), Rate::hz(7)).unwrap();
        graph.set_agenda(x, Arc::new(Uneven)).unwrap();
        run(graph, options, ms(200));
        let expected: Vec<(Time, u64)> = (0..100).map(|k| (Uneven.tick(k), k)).collect();
        assert_eq!(log.entries(), expected);
    }
}

#[test]
fn an_agenda_like_a_grid_gives_the_bits_of_the_grid() {
    let reference = run(system(None, 500).0, both()[0].clone(), ms(50)).digest();
    for options in both() {
        let graph = system(Some(Arc::new(EveryMillisecond)), 500).0;
        assert_eq!(run(graph, options, ms(50)).digest(), reference);
    }
}

#[test]
fn placement_does_not_change_what_an_agenda_gives() {
    let trace = |options: Options| {
        let (graph, log) = system(Some(Arc::new(Uneven)), 500);
        let digest = run(graph, options, ms(90)).digest();
        (digest, log.entries())
    };
    let [fused, unfused] = both();
    let reference = trace(fused);
    assert_eq!(trace(unfused), reference);
    assert_eq!(trace(Options { digest: true, ..spread_over(2) }), reference);
}

#[test]
fn a_stopped_component_goes_on_with_the_next_step_of_its_agenda() {
    for options in both() {
        let log = Log::default();
        let mut graph = Graph::new();
        let x = graph.add_periodic(graph.root(), "x", Ticks::into(&log), Rate::hz(7)).unwrap();
        graph.set_agenda(x, Arc::new(Uneven)).unwrap();
        let mut simulation = Simulation::new(graph, options).unwrap();
        simulation.schedule(us(1_500), Action::Stop { component: "x".into() }).unwrap();
        simulation.schedule(us(3_100), Action::Start { component: "x".into() }).unwrap();
        simulation.run_until(ms(5)).unwrap();
        assert_eq!(log.entries(), [0, 1, 3, 4].map(|k| (Uneven.tick(k), k)));
    }
}

#[test]
fn a_checkpoint_goes_on_where_the_agenda_was() {
    let options = || both()[0].clone();
    let graph = || {
        let mut graph = Graph::new();
        let root = graph.root();
        let ticks = || Ticks::into(&Log::default());
        let x = graph.add_periodic(root, "x", ticks(), Rate::hz(1_000)).unwrap();
        graph.add_periodic(root, "y", ticks(), Rate::hz(1_000)).unwrap();
        graph.set_agenda(x, Arc::new(Uneven)).unwrap();
        graph
    };
    let whole = run(graph(), options(), ms(80)).digest();
    let checkpoint = run(graph(), options(), us(40_333)).checkpoint().unwrap();
    let mut rest = Simulation::restore(graph(), options(), &checkpoint).unwrap();
    rest.run_until(ms(80)).unwrap();
    assert_eq!(rest.digest(), whole);
}
