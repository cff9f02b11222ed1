//! Phase 0: what a scenario does to components, at exact instants and in the order scheduled.

mod models;

use ironbird_kernel::{
    Action, Atomic, Context, Duration, EventIn, EventOut, Fault, Graph, GraphError, Inputs, Link,
    LoadError, Model, Outcome, Outputs, Parameter, ParameterError, Periodic, Ports, Provider, Rate,
    SaveError, SignalOut, Simulation, StateReader, StateWriter, Step, Time,
};
use models::{Bag, Chatter, Collects, Log, Polls, Processor, Sends, Ticks, ms, spread_over, us};

fn stop(component: &str) -> Action {
    Action::Stop { component: component.into() }
}

fn start(component: &str) -> Action {
    Action::Start { component: component.into() }
}

fn reset(component: &str) -> Action {
    Action::Reset { component: component.into() }
}

fn set(component: &str, name: &str, value: f64) -> Action {
    let (component, name) = (component.into(), name.into());
    Action::SetParameter { component, name, value: Parameter::Real(value) }
}

fn run_with(graph: Graph, partitions: usize, script: &[(Time, Action)], until: Time) -> Outcome {
    let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
    for (at, action) in script {
        simulation.schedule(*at, action.clone()).unwrap();
    }
    simulation.run_until(until).unwrap()
}

/// Remembers what is set, in order; refuses negative numbers.
#[derive(Default)]
struct Settable {
    log: Log<(String, f64)>,
}

impl Model for Settable {
    fn ports(&mut self, _: &mut Ports) {}
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Real(x) if x >= 0.0 => self.log.push((name.into(), x)),
            value => {
                let expected = "not negative".into();
                return Err(ParameterError::Invalid { name: name.into(), value, expected });
            }
        }
        Ok(())
    }
}

impl Periodic for Settable {
    fn step(&mut self, _: &mut Step<'_>) {}
}

#[test]
fn actions_of_one_instant_happen_in_the_order_scheduled() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let model = Settable { log: log.clone() };
    graph.add_periodic(root, "x", model, Rate::hz(10)).unwrap();
    let script = [
        (ms(2), set("x", "b", 1.0)),
        (ms(1), set("x", "z", 0.0)),
        (ms(2), set("x", "a", 2.0)),
        (ms(2), set("x", "b", 3.0)),
    ];
    assert_eq!(run_with(graph, 1, &script, ms(5)), Outcome::Reached(ms(5)));
    let expected = [("z", 0.0), ("b", 1.0), ("a", 2.0), ("b", 3.0)];
    assert_eq!(log.entries(), expected.map(|(name, x)| (name.to_owned(), x)));
}

#[test]
fn of_actions_that_belong_together_all_happen_or_none() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "a", Settable { log: log.clone() }, Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let refused =
        simulation.schedule_all(vec![(ms(1), set("a", "x", 1.0)), (ms(1), set("b", "x", 1.0))]);
    assert!(matches!(refused, Err(GraphError::NoSuchComponent { .. })));
    simulation
        .schedule_all(vec![(ms(2), set("a", "y", 2.0)), (ms(1), set("a", "z", 3.0))])
        .unwrap();
    simulation.run_until(ms(5)).unwrap();
    assert_eq!(log.entries(), [("z".to_owned(), 3.0), ("y".to_owned(), 2.0)]);
}

#[test]
fn a_refused_parameter_ends_the_run_and_names_the_component_and_what_it_expects() {
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        let group = graph.composite(root, "group").unwrap();
        graph.add_periodic(group, "x", Settable::default(), Rate::hz(10)).unwrap();
        graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        let outcome = run_with(graph, partitions, &[(ms(2), set("group.x", "speed", -1.0))], ms(5));
        let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
        assert_eq!(fault.at(), ms(2));
        let text = "\"group.x\" refused a change at 0.002 s: parameter \"speed\" cannot be -1: not negative";
        assert_eq!(fault.to_string(), text);
        assert!(matches!(fault, Fault::RefusedParameter { .. }));
    }
}

#[test]
fn a_model_without_parameters_refuses_every_name() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let outcome = run_with(graph, 1, &[(ms(2), set("ticks", "speed", 1.0))], ms(5));
    let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
    let text =
        "\"ticks\" refused a change at 0.002 s: it has no parameter \"speed\" that can be changed";
    assert_eq!(fault.to_string(), text);
}

#[test]
fn actions_on_what_is_not_there_or_cannot_do_it_are_refused_when_scheduled() {
    #[derive(Clone)]
    struct Answers;
    impl Provider<(), ()> for Answers {
        fn answer(&self, _: Time, (): &()) {}
    }
    let mut graph = Graph::new();
    let root = graph.root();
    graph.composite(root, "group").unwrap();
    graph.add(root, "chatter", Chatter::default()).unwrap();
    graph.provide(root, "field", Answers).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let path = |path: &str| path.to_owned();
    let mut error = |action| simulation.schedule(ms(1), action).unwrap_err();
    let missing =
        GraphError::NoSuchComponent { path: path("chater"), nearest: Some(path("chatter")) };
    assert_eq!(error(stop("chater")), missing);
    let none = GraphError::NoParameters { path: path("group") };
    assert_eq!(error(set("group", "x", 1.0)), none);
    let rate = Action::SetRate { component: path("chatter"), rate: Rate::hz(5) };
    assert_eq!(error(rate), GraphError::NotPeriodic { path: path("chatter") });
    let link = Action::SetLinkParameter {
        link: path("wire"),
        name: path("x"),
        value: Parameter::Bool(true),
    };
    assert_eq!(error(link), GraphError::NoSuchLink { name: path("wire"), nearest: None });
}

#[test]
fn stopping_a_provider_is_refused_rather_than_ignored() {
    #[derive(Clone)]
    struct Answers;
    impl Provider<(), ()> for Answers {
        fn answer(&self, _: Time, (): &()) {}
    }
    let mut graph = Graph::new();
    graph.provide(graph.root(), "field", Answers).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    for action in [stop("field"), start("field"), reset("field")] {
        assert!(simulation.schedule(ms(1), action.clone()).is_err(), "{action:?}");
    }
}

#[test]
fn a_stopped_component_loses_what_arrives_and_goes_on_with_the_time_that_was_left() {
    // Sends at 10 ms if nobody stops it; stopped from 4 to 9 ms, it sends at 15 ms.
    #[derive(Default)]
    struct Alarm {
        input: EventIn<f64>,
        out: EventOut<f64>,
        left: Option<Duration>,
        log: Log<(Time, Duration, Vec<f64>)>,
    }
    impl Model for Alarm {
        fn ports(&mut self, ports: &mut Ports) {
            self.input = ports.event_in("in");
            self.out = ports.event_out("out");
            self.left = Some(Duration::from_ms(10));
        }
    }
    impl Atomic for Alarm {
        fn time_advance(&self) -> Duration {
            self.left.unwrap_or(Duration::FOREVER)
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.send(self.out, 1.0);
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.left = None;
        }
        fn external(&mut self, context: &mut Context<'_>, elapsed: Duration, inputs: &Inputs<'_>) {
            let left = self.left.map(|left| Duration::from_ps(left.as_ps() - elapsed.as_ps()));
            self.left = left;
            let bag = inputs.events(self.input).copied().collect();
            self.log.push((context.now(), elapsed, bag));
        }
    }
    for (partitions, latency) in [(1, 0), (1, 1), (2, 1)] {
        let (log, alarms) = (Log::default(), Log::<Bag>::default());
        let mut graph = Graph::new();
        let root = graph.root();
        let alarm = Alarm { log: log.clone(), ..Alarm::default() };
        let alarm = graph.add(root, "alarm", alarm).unwrap();
        let late = Duration::from_ps(latency);
        let times = [ms(3), ms(5), ms(9), ms(11)];
        let times = times.map(|at| Time::from_ps(at.as_ps() - latency));
        let sends = Sends::new(times.map(|at| (at, 1.0)));
        let source = graph.add(root, "source", sends).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&alarms)).unwrap();
        graph.link(source.port("out"), alarm.port("in"), Link::direct().latency(late)).unwrap();
        graph.link(alarm.port("out"), sink.port("in"), Link::direct()).unwrap();
        let script = [(ms(4), stop("alarm")), (ms(9), start("alarm"))];
        run_with(graph, partitions, &script, ms(20));
        // Elapsed does not count the time for which it was stopped.
        let expected = [
            (ms(3), Duration::from_ms(3), vec![1.0]),
            (ms(9), Duration::from_ms(1), vec![1.0]),
            (ms(11), Duration::from_ms(2), vec![1.0]),
        ];
        assert_eq!(log.entries(), expected, "{partitions} partitions, {latency} ps");
        assert_eq!(alarms.entries(), [(ms(15), vec![1.0])]);
    }
}

#[test]
fn a_stopped_periodic_component_loses_exactly_what_arrives_while_it_is_stopped() {
    // 100 Hz, stopped from 15 to 35 ms. 12 comes before, 18 and 30 while, 35 when it is started.
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let late = Duration::from_ms(1);
    let sends = Sends::new([12, 18, 30, 35, 36].map(|n| (ms(n - 1), n as f64)));
    let source = graph.add(root, "source", sends).unwrap();
    let sink = graph.add_periodic(root, "sink", Polls::into(&log), Rate::hz(100)).unwrap();
    graph.link(source.port("out"), sink.port("in"), Link::direct().latency(late)).unwrap();
    run_with(graph, 1, &[(ms(15), stop("sink")), (ms(35), start("sink"))], ms(45));
    let expected = [(ms(0), vec![]), (ms(10), vec![]), (ms(40), vec![12.0, 35.0, 36.0])];
    assert_eq!(log.entries(), expected);
}

#[test]
fn a_stopped_run_ahead_model_goes_on_from_the_instant_at_which_it_is_started() {
    for partitions in [1, 2] {
        let processor = Processor::showing([ms(1), ms(3), ms(6)]);
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_run_ahead(root, "processor", processor).unwrap();
        graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(3_000)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("processor", "count").unwrap();
        simulation.schedule(ms(2), stop("processor")).unwrap();
        simulation.schedule(ms(5), start("processor")).unwrap();
        assert_eq!(simulation.run_until(ms(10)), Ok(Outcome::Reached(ms(10))));
        let samples = simulation.samples::<u64>("processor", "count").unwrap();
        let times: Vec<Time> = samples.into_iter().map(|(at, _)| at).collect();
        assert_eq!(times, [ms(1), ms(6)], "{partitions} partitions");
    }
}

#[test]
fn stopping_a_composite_stops_everything_inside_and_twice_is_as_once() {
    let (inside, outside) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let group = graph.composite(root, "group").unwrap();
    let inner = graph.composite(group, "inner").unwrap();
    graph.add_periodic(inner, "a", Ticks::into(&inside), Rate::hz(1_000)).unwrap();
    graph.add_periodic(root, "b", Ticks::into(&outside), Rate::hz(1_000)).unwrap();
    let script = [
        (ms(2), stop("group")),
        (ms(3), stop("group.inner")),
        (ms(4), start("group")),
        (ms(4), start("group")),
    ];
    run_with(graph, 2, &script, ms(6));
    let ticks: Vec<u64> = inside.entries().into_iter().map(|(_, tick)| tick).collect();
    assert_eq!(ticks, [0, 1, 4, 5]);
    assert_eq!(outside.entries().len(), 6);
}

/// Counts its steps and shows them.
#[derive(Default)]
struct Counts {
    out: SignalOut<u64>,
    count: u64,
}

impl Model for Counts {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.signal_out("out", 100);
    }
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError> {
        state.put(&self.count)
    }
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError> {
        self.count = state.get()?;
        Ok(())
    }
}

impl Periodic for Counts {
    fn step(&mut self, step: &mut Step<'_>) {
        self.count += 1;
        step.write(self.out, self.count);
    }
}

fn counts(script: &[(Time, Action)], scheduled_at: Time, partitions: usize) -> Vec<(Time, u64)> {
    let mut graph = Graph::new();
    graph.add_periodic(graph.root(), "counts", Counts::default(), Rate::hz(1_000)).unwrap();
    graph.add_periodic(graph.root(), "other", Ticks::default(), Rate::hz(1_000)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
    simulation.record("counts", "out").unwrap();
    simulation.run_until(scheduled_at).unwrap();
    for (at, action) in script {
        simulation.schedule(*at, action.clone()).unwrap();
    }
    simulation.run_until(ms(6)).unwrap();
    simulation.samples("counts", "out").unwrap()
}

#[test]
fn a_reset_goes_back_to_the_state_and_the_outputs_of_the_start() {
    for partitions in [1, 2] {
        let samples = counts(&[(us(2_500), reset("counts"))], ms(0), partitions);
        let expected =
            [(0, 1), (1_000, 2), (2_000, 3), (2_500, 100), (3_000, 1), (4_000, 2), (5_000, 3)];
        assert_eq!(samples, expected.map(|(at, count)| (us(at), count)));
    }
}

#[test]
fn a_reset_that_is_scheduled_late_still_goes_back_to_the_start() {
    let samples = counts(&[(us(2_500), reset("counts"))], ms(2), 1);
    assert_eq!(samples, counts(&[(us(2_500), reset("counts"))], ms(0), 1));
}

#[test]
fn a_reset_of_a_stopped_component_leaves_it_stopped() {
    let script =
        [(us(1_500), stop("counts")), (us(2_500), reset("counts")), (us(4_500), start("counts"))];
    let samples = counts(&script, ms(0), 1);
    let expected = [(0, 1), (1_000, 2), (2_500, 100), (5_000, 1)];
    assert_eq!(samples, expected.map(|(at, count)| (us(at), count)));
}

#[test]
fn what_cannot_save_its_state_cannot_be_reset() {
    let mut graph = Graph::new();
    graph.add(graph.root(), "sink", Collects::default()).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let scheduled = simulation.schedule(ms(1), reset("sink")).map_err(|error| error.to_string());
    let error =
        scheduled.err().unwrap_or_else(|| simulation.run_until(ms(5)).unwrap_err().to_string());
    let text = "\"sink\" cannot be reset: it cannot save its state";
    assert_eq!(error, text);
}

#[test]
fn a_parameter_that_makes_a_model_due_makes_it_due_at_once() {
    /// Sends when it is told to.
    #[derive(Default)]
    struct Button {
        out: EventOut<f64>,
        pressed: bool,
    }
    impl Model for Button {
        fn ports(&mut self, ports: &mut Ports) {
            self.out = ports.event_out("out");
        }
        fn set_parameter(&mut self, _: &str, _: Parameter) -> Result<(), ParameterError> {
            self.pressed = true;
            Ok(())
        }
    }
    impl Atomic for Button {
        fn time_advance(&self) -> Duration {
            if self.pressed { Duration::ZERO } else { Duration::FOREVER }
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.send(self.out, 1.0);
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.pressed = false;
        }
        fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
    }
    for partitions in [1, 2] {
        let log = Log::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let button = graph.add(root, "button", Button::default()).unwrap();
        let sink = graph.add(root, "sink", Collects::into(&log)).unwrap();
        let late = Link::direct().latency(Duration::from_us(1));
        graph.link(button.port("out"), sink.port("in"), late).unwrap();
        run_with(graph, partitions, &[(ms(2), set("button", "press", 1.0))], ms(5));
        assert_eq!(log.entries(), [(us(2_001), vec![1.0])], "{partitions} partitions");
    }
}
