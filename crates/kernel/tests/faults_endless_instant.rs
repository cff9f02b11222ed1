//! Models that keep an instant going without end are found out and named.

mod models;

use ironbird_kernel::{
    Action, Advance, Atomic, Context, Duration, Fault, Graph, Inputs, Link, Model, Monitor,
    Options, Outcome, Outputs, Parameter, ParameterError, Ports, Rate, Response, RunAhead,
    SignalOut, Simulation, Time, Watched,
};
use models::{Relays, Sends, Ticks, ms, spread_over, without_hanging};

fn limited(partitions: usize, cycle_limit: u32) -> Options {
    Options { cycle_limit, ..spread_over(partitions) }
}

/// Two relays that pass a message to and fro from 2 ms on.
fn add_loop(graph: &mut Graph, name: &str) {
    let group = graph.composite(graph.root(), name).unwrap();
    let a = graph.add(group, "a", Relays::default()).unwrap();
    let b = graph.add(group, "b", Relays::default()).unwrap();
    let start = graph.add(group, "start", Sends::once(ms(2), 1.0)).unwrap();
    graph.link(start.port("out"), a.port("in"), Link::direct()).unwrap();
    graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
    graph.link(b.port("out"), a.port("in"), Link::direct()).unwrap();
}

fn outcome_of(graph: Graph, options: Options) -> Outcome {
    without_hanging(move || Simulation::new(graph, options).unwrap().run_until(ms(10)).unwrap())
}

#[test]
fn an_endless_instant_ends_the_run_and_names_who_keeps_it_going() {
    for partitions in [1, 3] {
        let mut graph = Graph::new();
        let root = graph.root();
        add_loop(&mut graph, "loop");
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(10_000)).unwrap();
        let outcome = outcome_of(graph, limited(partitions, 100_000));
        let Outcome::Faulted(Fault::EndlessInstant { at, cycles, components }) = &outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((*at, *cycles), (ms(2), 100_001));
        assert_eq!(components, &["loop.a", "loop.b"]);
    }
}

#[test]
fn the_message_tells_when_how_long_and_who() {
    let mut graph = Graph::new();
    add_loop(&mut graph, "loop");
    let Outcome::Faulted(fault) = outcome_of(graph, limited(1, 50)) else { panic!() };
    let text =
        "the instant 0.002 s did not end after 51 cycles; these keep it going: loop.a, loop.b";
    assert_eq!(fault.to_string(), text);
}

#[test]
fn two_endless_instants_give_one_outcome_in_every_placement() {
    let outcome = |partitions| {
        let mut graph = Graph::new();
        add_loop(&mut graph, "x");
        add_loop(&mut graph, "y");
        outcome_of(graph, limited(partitions, 1_000))
    };
    assert_eq!(outcome(1), outcome(2));
}

/// Makes `cycles` cycles at 2 ms.
struct Busy {
    cycles: u32,
}

impl Model for Busy {
    fn ports(&mut self, _: &mut Ports) {}
}

impl Atomic for Busy {
    fn time_advance(&self) -> Duration {
        match self.cycles {
            0 => Duration::FOREVER,
            1..60 => Duration::ZERO,
            _ => Duration::from_ms(2),
        }
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {
        self.cycles -= 1;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

#[test]
fn cycles_of_unrelated_models_do_not_add_up() {
    // 60 cycles in phase 1 here and some 60 in phase 3 there, at a limit of 100.
    for partitions in [2, 1] {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add(root, "busy", Busy { cycles: 60 }).unwrap();
        let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(500)).unwrap();
        let mut last = ticks;
        for number in 0..60 {
            let relay = graph.add(root, &format!("relay[{number}]"), Relays::default()).unwrap();
            graph.link(last.port("out"), relay.port("in"), Link::direct()).unwrap();
            last = relay;
        }
        let outcome = outcome_of(graph, limited(partitions, 100));
        assert_eq!(outcome, Outcome::Reached(ms(10)), "{partitions} partitions");
    }
}

/// Shows something at 2 ms, again and again.
struct Stuck;

impl Model for Stuck {
    fn ports(&mut self, _: &mut Ports) {}
}

impl RunAhead for Stuck {
    fn advance(&mut self, _: &mut Context<'_>, until: Time) -> Advance {
        if until > ms(2) { Advance::Output(ms(2)) } else { Advance::Reached }
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn input(&mut self, _: &mut Context<'_>, _: &Inputs<'_>) {}
}

#[test]
fn a_run_ahead_model_that_never_leaves_an_instant_is_named() {
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_run_ahead(root, "stuck", Stuck).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(10_000)).unwrap();
        let outcome = outcome_of(graph, limited(partitions, 1_000));
        let Outcome::Faulted(Fault::EndlessInstant { at, components, .. }) = &outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((*at, &components[..]), (ms(2), &["stuck".to_owned()][..]));
    }
}

/// Writes its parameter at once.
#[derive(Default)]
struct Level {
    out: SignalOut<f64>,
    level: f64,
    changed: bool,
}

impl Model for Level {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.signal_out("out", 0.0);
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        let Parameter::Real(level) = value else {
            return Err(ParameterError::Unknown { name: name.into() });
        };
        (self.level, self.changed) = (level, true);
        Ok(())
    }
}

impl Atomic for Level {
    fn time_advance(&self) -> Duration {
        if self.changed { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.out, self.level);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.changed = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

#[test]
fn two_monitors_that_undo_each_other_are_found_out_and_the_component_named() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add(root, "level", Level::default()).unwrap();
    let watched = || vec![Watched { component: "level".into(), port: "out".into() }];
    let set = |level| {
        let (component, name) = ("level".into(), "level".into());
        Action::SetParameter { component, name, value: Parameter::Real(level) }
    };
    let act = |level| Response::Act(vec![set(level)]);
    let up = |now: &ironbird_kernel::Readings<'_>| *now.signal::<f64>(0).unwrap() > 0.0;
    let down = |now: &ironbird_kernel::Readings<'_>| *now.signal::<f64>(0).unwrap() < 0.0;
    graph.monitor(Monitor::new("up", watched(), up, act(-1.0))).unwrap();
    graph.monitor(Monitor::new("down", watched(), down, act(1.0))).unwrap();
    let outcome = without_hanging(move || {
        let mut simulation = Simulation::new(graph, limited(1, 1_000)).unwrap();
        simulation.schedule(ms(2), set(1.0)).unwrap();
        simulation.run_until(ms(10)).unwrap()
    });
    let Outcome::Faulted(Fault::EndlessInstant { at, components, .. }) = &outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((*at, &components[..]), (ms(2), &["level".to_owned()][..]));
}
