//! How a run in several processes begins and ends: first values, faults, pauses, refusals.

mod models;
mod span_memory;

use std::sync::Arc;

use ironbird_kernel::{
    Action, Atomic, BuildError, CheckpointError, Context, Duration, EventIn, Fault, Graph,
    GraphError, Inputs, Link, Model, Options, Outcome, Outputs, Parameter, Periodic, Ports, Rate,
    SignalIn, SignalOut, Simulation, Span, Start, Step, Time,
};
use models::{Chatter, Log, Ticks, ms, spread_over, us, without_hanging};
use span_memory::{Way, processes};

/// A carrier that is hard to please.
fn narrow() -> Way {
    Way { room: 1, longest: 64, delay_us: 20, seed: 7, ..Way::plain() }
}

/// What each process comes to, over a narrow carrier; fails instead of hanging.
fn each<T: Send + 'static>(
    count: usize,
    part: impl Fn(Span) -> T + Send + Sync + 'static,
) -> Vec<T> {
    without_hanging(move || processes(count, &narrow(), part))
}

/// Chatterers that talk in a ring over links of 50 µs: one partition each.
fn ring(count: usize) -> Graph {
    logging_ring(&vec![Log::default(); count])
}

fn logging_ring(logs: &[Log<(Time, u64)>]) -> Graph {
    let mut graph = Graph::new();
    let root = graph.root();
    let members: Vec<_> = logs
        .iter()
        .enumerate()
        .map(|(n, log)| graph.add(root, &format!("chatter[{n}]"), Chatter::logging(log)).unwrap())
        .collect();
    for (n, from) in members.iter().enumerate() {
        let link = Link::direct().latency(Duration::from_us(50));
        let to = members[(n + 1) % members.len()];
        graph.link(from.port("out"), to.port("in"), link).unwrap();
    }
    graph
}

fn alone(graph: Graph, until: Time) -> (Outcome, u64) {
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let outcome = simulation.run_until(until).unwrap();
    (outcome, simulation.digest())
}

#[test]
fn models_of_other_processes_are_neither_initialised_nor_advanced() {
    let drawn = each(3, |span| {
        let logs: Vec<Log<(Time, u64)>> = (0..3).map(|_| Log::default()).collect();
        let number = span.number;
        let graph = logging_ring(&logs);
        let mut simulation = Simulation::new_in_span(graph, spread_over(3), span).unwrap();
        simulation.run_until(ms(20)).unwrap();
        (number, logs.iter().map(|log| log.entries().len()).collect::<Vec<_>>())
    });
    for (number, drawn) in drawn {
        assert!(drawn[number] > 10, "{drawn:?}");
        assert!(drawn.iter().enumerate().all(|(n, &count)| n == number || count == 0), "{drawn:?}");
    }
}

/// Holds something, as a model that started a process of user code does.
struct Holder {
    _held: Arc<()>,
    out: SignalOut<u64>,
}

impl Model for Holder {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.signal_out("out", 0);
    }
}

impl Periodic for Holder {
    fn step(&mut self, step: &mut Step<'_>) {
        step.write(self.out, 1);
    }
}

#[test]
fn what_models_of_other_processes_hold_is_given_back() {
    let held = each(3, |span| {
        let number = span.number;
        let held: Vec<Arc<()>> = (0..3).map(|_| Arc::default()).collect();
        let mut graph = Graph::new();
        for (n, held) in held.iter().enumerate() {
            let holder = Holder { _held: held.clone(), out: SignalOut::default() };
            graph
                .add_periodic(graph.root(), &format!("holder[{n}]"), holder, Rate::hz(100))
                .unwrap();
        }
        let mut simulation = Simulation::new_in_span(graph, spread_over(3), span).unwrap();
        simulation.run_until(ms(20)).unwrap();
        (number, held.iter().map(|held| Arc::strong_count(held) - 1).collect::<Vec<_>>())
    });
    for (number, held) in held {
        assert!(
            held.iter().enumerate().all(|(n, &count)| count == usize::from(n == number)),
            "{held:?}"
        );
    }
}

/// Shows from the start one more than what it is shown at the start.
#[derive(Default)]
struct Successor {
    before: SignalIn<u64>,
    shown: SignalOut<u64>,
    read: Log<u64>,
}

impl Model for Successor {
    fn ports(&mut self, ports: &mut Ports) {
        self.before = ports.signal_in_or("before", 10);
        self.shown = ports.signal_out("shown", 0);
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        let before = *start.signal(self.before);
        start.write(self.shown, before + 1);
    }
}

impl Periodic for Successor {
    fn step(&mut self, step: &mut Step<'_>) {
        self.read.push(*step.signal(self.before));
    }
}

#[test]
fn first_values_go_from_process_to_process_in_the_order_of_initialisation() {
    let seen = each(4, |span| {
        let number = span.number;
        let logs: Vec<Log<u64>> = (0..4).map(|_| Log::default()).collect();
        let mut graph = Graph::new();
        let root = graph.root();
        // The last by name comes first in the chain.
        let mut before = None;
        for n in (0..4).rev() {
            let model = Successor { read: logs[n].clone(), ..Successor::default() };
            let next = graph.add_periodic(root, &format!("n[{n}]"), model, Rate::hz(100)).unwrap();
            if let Some(before) = before.replace(next) {
                let link = Link::direct().previous();
                graph.link(before.port("shown"), next.port("before"), link).unwrap();
            }
        }
        let mut simulation = Simulation::new_in_span(graph, spread_over(4), span).unwrap();
        simulation.run_until(us(1)).unwrap();
        logs[number].entries()
    });
    assert_eq!(seen, [[13], [12], [11], [10]]);
}

/// Fails, or panics, at an instant; or before the first one.
struct Bomb {
    at: Option<Time>,
    panics: bool,
    input: EventIn<f64>,
}

impl Model for Bomb {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        if self.at.is_none() {
            start.fail("it does not start");
        }
    }
}

impl Atomic for Bomb {
    fn time_advance(&self) -> Duration {
        self.at.map_or(Duration::FOREVER, |at| at.since(Time::ZERO))
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, context: &mut Context<'_>) {
        assert!(!self.panics, "boom");
        context.fail("out of fuel");
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

/// Three chatterers in a ring, and bombs, each on its own.
fn mined(bombs: &[(Option<Time>, bool)]) -> Graph {
    let mut graph = ring(3);
    let root = graph.root();
    for (n, &(at, panics)) in bombs.iter().enumerate() {
        let bomb = Bomb { at, panics, input: EventIn::default() };
        graph.add(root, &format!("bomb[{n}]"), bomb).unwrap();
    }
    graph
}

#[test]
fn of_several_faults_the_first_ends_the_run_in_every_process() {
    let bombs = [(Some(ms(9)), false), (Some(ms(7)), true), (Some(ms(7)), false)];
    let expected = alone(mined(&bombs), ms(50));
    let Outcome::Faulted(Fault::Panic { component, .. }) = &expected.0 else { panic!() };
    assert_eq!(component, "bomb[1]");
    let found = each(4, move |span| {
        let mut simulation = Simulation::new_in_span(mined(&bombs), spread_over(4), span).unwrap();
        let outcome = simulation.run_until(ms(50)).unwrap();
        assert_eq!(simulation.run_until(ms(60)).unwrap(), outcome);
        (outcome, simulation.digest())
    });
    assert!(found.iter().all(|(outcome, _)| *outcome == expected.0), "{found:?}");
    assert_eq!(found[0].1, expected.1);
}

#[test]
fn a_model_that_does_not_start_is_named_by_every_process() {
    let bombs = [(Some(ms(9)), false), (None, true), (None, false)];
    let Err(expected) = Simulation::new(mined(&bombs), spread_over(1)) else { panic!() };
    let found =
        each(4, move |span| Simulation::new_in_span(mined(&bombs), spread_over(4), span).err());
    assert!(found.iter().all(|error| error.as_ref() == Some(&expected)), "{found:?}");
}

#[test]
fn any_process_can_pause_all_and_all_go_on() {
    let expected = alone(ring(3), ms(300));
    for pauser in [0, 2] {
        let found = each(3, move |span| {
            let number = span.number;
            let mut simulation = Simulation::new_in_span(ring(3), spread_over(3), span).unwrap();
            if number == pauser {
                simulation.pause_handle().pause();
            }
            let mut pauses = Vec::new();
            loop {
                match simulation.run_until(ms(300)).unwrap() {
                    Outcome::Paused(at) => pauses.push(at),
                    outcome => return (outcome, pauses, simulation.digest()),
                }
                assert_eq!(simulation.now(), *pauses.last().unwrap());
            }
        });
        assert_eq!(found[0].1.len(), 1, "{found:?}");
        assert!(found.iter().all(|f| (&f.0, &f.1) == (&expected.0, &found[0].1)), "{found:?}");
        assert_eq!(found[0].2, expected.1);
    }
}

#[test]
fn statistics_of_all_processes_are_known_at_the_first() {
    let found = each(3, |span| {
        let mut simulation = Simulation::new_in_span(ring(3), spread_over(3), span).unwrap();
        simulation.run_until(ms(20)).unwrap();
        simulation.run_until(ms(40)).unwrap();
        simulation.statistics()
    });
    let mut single = Simulation::new(ring(3), spread_over(1)).unwrap();
    single.run_until(ms(40)).unwrap();
    let (all, expected) = (&found[0], single.statistics());
    assert_eq!((all.internal, all.external), (expected.internal, expected.external));
    assert!(found[1].internal < all.internal);
    // Each waits for the one before it in the ring.
    let mut pairs: Vec<_> = all.waits.iter().map(|w| (w.waiting, w.awaited)).collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [(0, 2), (1, 0), (2, 1)]);
    let parts: u64 = found.iter().skip(1).map(|part| part.synchronisations).sum();
    assert!(all.synchronisations > parts);
}

#[test]
fn a_process_that_has_no_part_takes_part() {
    let expected = alone(ring(2), ms(20));
    let found = each(4, |span| {
        let mut simulation = Simulation::new_in_span(ring(2), spread_over(4), span).unwrap();
        (simulation.run_until(ms(20)).unwrap(), simulation.digest())
    });
    assert_eq!(found[0], expected);
    assert!(found.iter().all(|(outcome, _)| *outcome == expected.0));
}

#[test]
fn what_a_span_cannot_do_is_refused_by_name() {
    each(2, |span| {
        let mut simulation = Simulation::new_in_span(ring(2), spread_over(2), span).unwrap();
        let what = |error| match error {
            GraphError::NotInSpan { what } => what,
            error => panic!("{error}"),
        };
        assert_eq!(
            simulation.edit_at(ms(1), |_| Ok(())).map_err(what),
            Err("a change of the system")
        );
        let Err(BuildError::Graph(error)) = simulation.step() else { panic!() };
        assert_eq!(what(error), "single steps");
        let Err(CheckpointError::Graph(error)) = simulation.checkpoint() else { panic!() };
        assert_eq!(what(error), "a checkpoint");
    });
}

fn refusals(found: Vec<Option<BuildError>>) -> Vec<GraphError> {
    let graph = |error| match error {
        Some(BuildError::Graph(error)) => error,
        other => panic!("{other:?}"),
    };
    found.into_iter().map(graph).collect()
}

#[test]
fn more_partitions_than_processes_are_refused() {
    let found = each(2, |span| Simulation::new_in_span(ring(3), spread_over(3), span).err());
    let expected = GraphError::TooFewProcesses { partitions: 3, processes: 2 };
    assert_eq!(refusals(found), [expected.clone(), expected]);
}

#[test]
fn a_process_with_another_system_is_found_out() {
    let found = each(3, |span| {
        let options = spread_over(3);
        let digest = span.number != 2;
        Simulation::new_in_span(ring(3), Options { digest, ..options }, span).err()
    });
    let odd = |error: &GraphError| matches!(error, GraphError::ProcessesDiffer { process: 2, .. });
    assert!(refusals(found).iter().all(odd));
}

#[test]
fn a_process_with_another_scenario_is_found_out() {
    let found = each(3, |span| {
        let number = span.number;
        let mut simulation = Simulation::new_in_span(ring(3), spread_over(3), span).unwrap();
        if number != 1 {
            let (component, name) = ("chatter[0]".into(), "state".into());
            let action = Action::SetParameter { component, name, value: Parameter::Integer(3) };
            simulation.schedule(ms(3), action).unwrap();
        }
        simulation.run_until(ms(10)).err()
    });
    let odd = |error: &GraphError| matches!(error, GraphError::ProcessesDiffer { process: 1, .. });
    assert!(refusals(found).iter().all(odd));
}

#[test]
fn a_process_that_leaves_early_is_named() {
    let found = each(3, |span| {
        let number = span.number;
        let mut simulation = Simulation::new_in_span(ring(3), spread_over(3), span).unwrap();
        simulation.run_until(ms(5)).unwrap();
        (number != 1).then(|| simulation.run_until(ms(10)).unwrap())
    });
    for outcome in found.into_iter().flatten() {
        let lost = matches!(&outcome, Outcome::Faulted(Fault::ProcessLost { process: 1, .. }));
        assert!(lost, "{outcome:?}");
    }
}

#[test]
fn processes_that_have_nothing_to_say_to_each_other_end_together() {
    let apart = || {
        let mut graph = Graph::new();
        let root = graph.root();
        for name in ["a", "b"] {
            graph.add_periodic(root, name, Ticks::default(), Rate::hz(10_000)).unwrap();
        }
        graph
    };
    let expected = alone(apart(), ms(50));
    let found = each(2, move |span| {
        let mut simulation = Simulation::new_in_span(apart(), spread_over(2), span).unwrap();
        (simulation.run_until(ms(50)).unwrap(), simulation.digest())
    });
    assert_eq!(found[0], expected);
}
