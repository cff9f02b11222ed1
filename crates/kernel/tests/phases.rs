//! Rule 2: an instant has phases. (0) actions, (1) DEVS cycles, (2) periodic steps in one static
//! order over all rates, (3) DEVS cycles until settled, (4) observers.

mod models;

use ironbird_kernel::{
    Action, Atomic, Context, Duration, EventIn, EventOut, Graph, GraphError, Inputs, Link, Model,
    Monitor, Outputs, Parameter, ParameterError, Periodic, Ports, Rate, Response, SignalIn,
    SignalOut, Simulation, Start, Step, Watched,
};
use models::{Bag, Collects, Log, Polls, Reads, Relays, Sends, Ticks, ms, run, spread_over};

type Story = Log<String>;

/// Tells when its parameter is set, when it steps, and sends something to those behind it.
#[derive(Default)]
struct Stepper {
    name: &'static str,
    story: Story,
    out: EventOut<f64>,
    count: SignalOut<u64>,
}

impl Model for Stepper {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.event_out("out");
        self.count = ports.signal_out("count", 0);
    }
    fn set_parameter(&mut self, name: &str, _: Parameter) -> Result<(), ParameterError> {
        self.story.push(format!("{}: action {name}", self.name));
        Ok(())
    }
}

impl Periodic for Stepper {
    fn step(&mut self, step: &mut Step<'_>) {
        self.story.push(format!("{}: step", self.name));
        step.send(self.out, 1.0);
        step.write(self.count, 7);
    }
}

/// Tells when it is due and when it hears something.
#[derive(Default)]
struct Listener {
    name: &'static str,
    story: Story,
    input: EventIn<f64>,
    due: bool,
}

impl Model for Listener {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
    }
}

impl Atomic for Listener {
    fn time_advance(&self) -> Duration {
        if self.due { Duration::from_ms(1) } else { Duration::FOREVER }
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {
        self.due = false;
        self.story.push(format!("{}: internal", self.name));
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
        self.story.push(format!("{}: external", self.name));
    }
}

#[test]
fn actions_come_before_cycles_before_steps_before_settling_before_monitors() {
    let story = Story::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let stepper = Stepper { name: "stepper", story: story.clone(), ..Stepper::default() };
    let stepper = graph.add_periodic(root, "stepper", stepper, Rate::hz(1_000)).unwrap();
    let due = Listener { name: "due", story: story.clone(), due: true, ..Listener::default() };
    graph.add(root, "due", due).unwrap();
    let behind = Listener { name: "behind", story: story.clone(), ..Listener::default() };
    let behind = graph.add(root, "behind", behind).unwrap();
    graph.link(stepper.port("out"), behind.port("in"), Link::direct()).unwrap();
    let told = story.clone();
    let watched = Watched { component: "stepper".into(), port: "count".into() };
    let look = move |_: &ironbird_kernel::Readings<'_>| {
        told.push("monitor".into());
        false
    };
    graph.monitor(Monitor::stop_when("look", vec![watched], look)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    for name in ["second", "first"] {
        let component = "stepper".into();
        let action =
            Action::SetParameter { component, name: name.into(), value: Parameter::Bool(true) };
        simulation.schedule(ms(1), action).unwrap();
    }
    simulation.run_until(ms(1)).unwrap();
    let before = story.entries().len();
    simulation.run_until(ms(2)).unwrap();
    let expected = [
        "stepper: action second",
        "stepper: action first",
        "due: internal",
        "stepper: step",
        "behind: external",
        "monitor",
    ];
    assert_eq!(story.entries()[before..], expected);
}

#[test]
fn an_arrival_of_phase_1_reaches_a_step_of_the_same_instant() {
    // The source is due at 1 ms, and one more cycle passes before the relay sends.
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add(root, "source", Sends::once(ms(1), 5.0)).unwrap();
    let relay = graph.add(root, "relay", Relays::default()).unwrap();
    let sink = graph.add_periodic(root, "sink", Polls::into(&log), Rate::hz(1_000)).unwrap();
    graph.link(source.port("out"), relay.port("in"), Link::direct()).unwrap();
    graph.link(relay.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(3));
    assert_eq!(log.entries(), [(ms(0), vec![]), (ms(1), vec![5.0]), (ms(2), vec![])]);
}

#[test]
fn what_reaches_a_periodic_component_while_settling_waits_for_its_next_step() {
    // ticks (1 kHz) -> relay (event-driven) -> polls (1 kHz), all without latency.
    let log: Log<Bag> = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let source = graph.add_periodic(root, "a", Ticks::default(), Rate::hz(1_000)).unwrap();
    let relay = graph.add(root, "b", Relays::default()).unwrap();
    let sink = graph.add_periodic(root, "c", Polls::into(&log), Rate::hz(1_000)).unwrap();
    graph.link(source.port("out"), relay.port("in"), Link::direct()).unwrap();
    graph.link(relay.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(3));
    assert_eq!(log.entries(), [(ms(0), vec![]), (ms(1), vec![0.0]), (ms(2), vec![1.0])]);
}

#[test]
fn an_event_between_periodic_components_is_there_in_the_same_instant() {
    let log: Log<Bag> = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    // By path the reader would come first; the link puts the source first.
    let sink = graph.add_periodic(root, "a", Polls::into(&log), Rate::hz(500)).unwrap();
    let source = graph.add_periodic(root, "b", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.link(source.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(5));
    let expected = [(ms(0), vec![0.0]), (ms(2), vec![1.0, 2.0]), (ms(4), vec![3.0, 4.0])];
    assert_eq!(log.entries(), expected);
}

/// Reads and writes: out = in + 1, and tells that it stepped.
#[derive(Default)]
struct Adds {
    name: &'static str,
    story: Story,
    input: SignalIn<u64>,
    out: SignalOut<u64>,
}

impl Adds {
    fn named(name: &'static str, story: &Story) -> Self {
        Adds { name, story: story.clone(), ..Adds::default() }
    }
}

impl Model for Adds {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.signal_in_or("in", 0);
        self.out = ports.signal_out("out", 0);
    }
    fn initialize(&mut self, start: &mut Start<'_>) {
        let sum = start.signal(self.input) + 100;
        self.story.push(format!("{} starts with {sum}", self.name));
        start.write(self.out, sum);
    }
}

impl Periodic for Adds {
    fn step(&mut self, step: &mut Step<'_>) {
        let sum = step.signal(self.input) + 1;
        self.story.push(format!("{} {sum}", self.name));
        step.write(self.out, sum);
    }
}

#[test]
fn one_static_order_over_all_rates_follows_the_data() {
    // c (100 Hz) -> a (500 Hz) -> b (200 Hz): at common instants always in this order.
    for fused in [true, false] {
        let story = Story::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_periodic(root, "a", Adds::named("a", &story), Rate::hz(500)).unwrap();
        let b = graph.add_periodic(root, "b", Adds::named("b", &story), Rate::hz(200)).unwrap();
        let c = graph.add_periodic(root, "c", Adds::named("c", &story), Rate::hz(100)).unwrap();
        graph.link(c.port("out"), a.port("in"), Link::direct()).unwrap();
        graph.link(a.port("out"), b.port("in"), Link::direct()).unwrap();
        let options = ironbird_kernel::Options { fused, ..spread_over(1) };
        run(graph, options, ms(11));
        let expected = [
            "c starts with 100",
            "a starts with 200",
            "b starts with 300",
            // 0 ms
            "c 1",
            "a 2",
            "b 3",
            // 2, 4, 5, 6, 8 ms
            "a 2",
            "a 2",
            "b 3",
            "a 2",
            "a 2",
            // 10 ms
            "c 1",
            "a 2",
            "b 3",
        ];
        assert_eq!(story.entries(), expected, "fused: {fused}");
    }
}

fn circle(priorities: &[(&str, i32)]) -> (Graph, Story) {
    let story = Story::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let members = ["a", "b", "c"].map(|name| {
        graph.add_periodic(root, name, Adds::named(name, &story), Rate::hz(1_000)).unwrap()
    });
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (from, to) = (members[from], members[to]);
        graph.link(from.port("out"), to.port("in"), Link::direct()).unwrap();
    }
    for &(name, priority) in priorities {
        graph.set_priority(graph.find(name).unwrap(), priority).unwrap();
    }
    (graph, story)
}

#[test]
fn a_circle_of_current_values_is_refused_with_its_members_spelled_out() {
    let (graph, _) = circle(&[]);
    let error = Simulation::new(graph, spread_over(1)).err().unwrap();
    let cycle = ["b", "c", "a", "b"].map(String::from).to_vec();
    assert_eq!(error, GraphError::PeriodicCycle { cycle }.into());
    let text = error.to_string();
    assert!(text.starts_with("the periodic components b -> c -> a -> b read"), "{text}");
}

#[test]
fn the_lowest_priority_number_opens_a_circle() {
    for (priorities, expected) in [
        (&[("b", 0)][..], ["b", "c", "a"]),
        (&[("b", 0), ("c", -5)], ["c", "a", "b"]),
        (&[("a", 3), ("b", 3)], ["a", "b", "c"]),
    ] {
        let (graph, story) = circle(priorities);
        run(graph, spread_over(1), ms(1));
        let order: Vec<String> =
            story.entries()[3..].iter().map(|entry| entry[..1].to_owned()).collect();
        assert_eq!(order, expected, "{priorities:?}");
    }
}

#[test]
fn previous_or_a_latency_opens_a_circle_too() {
    for link in [Link::direct().previous(), Link::direct().latency(Duration::from_us(1))] {
        let story = Story::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_periodic(root, "a", Adds::named("a", &story), Rate::hz(1_000)).unwrap();
        let b = graph.add_periodic(root, "b", Adds::named("b", &story), Rate::hz(1_000)).unwrap();
        graph.link(b.port("out"), a.port("in"), Link::direct()).unwrap();
        graph.link(a.port("out"), b.port("in"), link).unwrap();
        run(graph, spread_over(1), ms(2));
        // a starts first, by path, with 100; that is what b reads at 0.
        assert_eq!(story.entries()[2..], ["b 101", "a 102", "b 103", "a 104"]);
    }
}

#[test]
fn sources_are_initialised_before_their_readers_over_links_of_any_kind() {
    for partitions in [1, 3] {
        let story = Story::default();
        let mut graph = Graph::new();
        let root = graph.root();
        let a = graph.add_periodic(root, "a", Adds::named("a", &story), Rate::hz(1)).unwrap();
        let b = graph.add_periodic(root, "b", Adds::named("b", &story), Rate::hz(1)).unwrap();
        let c = graph.add_periodic(root, "c", Adds::named("c", &story), Rate::hz(1)).unwrap();
        let late = Link::direct().latency(Duration::from_ms(1));
        graph.link(c.port("out"), b.port("in"), late).unwrap();
        graph.link(b.port("out"), a.port("in"), Link::direct().previous()).unwrap();
        Simulation::new(graph, spread_over(partitions)).unwrap();
        let expected = ["c starts with 100", "b starts with 200", "a starts with 300"];
        assert_eq!(story.entries(), expected, "{partitions} partitions");
    }
}

#[test]
fn a_circle_is_initialised_by_path_and_nothing_is_left_out() {
    let (graph, story) = circle(&[("c", 1)]);
    Simulation::new(graph, spread_over(1)).unwrap();
    let expected = ["a starts with 100", "b starts with 200", "c starts with 300"];
    assert_eq!(story.entries(), expected);
}

#[test]
fn a_monitor_sees_what_has_settled_not_what_was_on_the_way() {
    // The signal is written by an atomic in phase 3, after the step that causes it.
    #[derive(Default)]
    struct Holds {
        input: EventIn<f64>,
        out: SignalOut<u64>,
        held: Option<u64>,
    }
    impl Model for Holds {
        fn ports(&mut self, ports: &mut Ports) {
            self.input = ports.event_in("in");
            self.out = ports.signal_out("out", 0);
        }
    }
    impl Atomic for Holds {
        fn time_advance(&self) -> Duration {
            if self.held.is_some() { Duration::ZERO } else { Duration::FOREVER }
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.write(self.out, self.held.unwrap());
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.held = None;
        }
        fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
            self.held = inputs.events(self.input).last().map(|&x| x as u64);
        }
    }
    let seen = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "a", Ticks::default(), Rate::hz(1_000)).unwrap();
    let holds = graph.add(root, "b", Holds::default()).unwrap();
    graph.link(ticks.port("out"), holds.port("in"), Link::direct()).unwrap();
    let watch =
        |component: &str, port: &str| Watched { component: component.into(), port: port.into() };
    let told = seen.clone();
    let look = move |now: &ironbird_kernel::Readings<'_>| {
        told.push((now.now(), *now.signal::<u64>(0).unwrap(), *now.signal::<u64>(1).unwrap()));
        false
    };
    let watched = vec![watch("a", "count"), watch("b", "out")];
    graph.monitor(Monitor::new("look", watched, look, Response::Act(vec![]))).unwrap();
    run(graph, spread_over(1), ms(3));
    assert_eq!(seen.entries(), [(ms(0), 0, 0), (ms(1), 1, 1), (ms(2), 2, 2)]);
}

#[test]
fn a_reader_that_comes_before_its_source_by_path_still_reads_the_present_value() {
    let (early, late) = (Log::default(), Log::default());
    let mut graph = Graph::new();
    let root = graph.root();
    let a = graph.add_periodic(root, "a", Reads::into(&early), Rate::hz(1_000)).unwrap();
    let m = graph.add_periodic(root, "m", Ticks::default(), Rate::hz(1_000)).unwrap();
    let z = graph.add_periodic(root, "z", Reads::into(&late), Rate::hz(1_000)).unwrap();
    graph.link(m.port("count"), a.port("in"), Link::direct()).unwrap();
    graph.link(m.port("count"), z.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(3));
    assert_eq!(early.entries(), [(ms(0), 0), (ms(1), 1), (ms(2), 2)]);
    assert_eq!(late.entries(), early.entries());
}

#[test]
fn an_event_of_a_step_and_one_that_was_due_are_two_bags_of_one_instant() {
    let log: Log<Bag> = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "a", Ticks::default(), Rate::hz(1_000)).unwrap();
    let sends = graph.add(root, "b", Sends::once(ms(1), 50.0)).unwrap();
    let sink = graph.add(root, "c", Collects::into(&log)).unwrap();
    graph.link(ticks.port("out"), sink.port("in"), Link::direct()).unwrap();
    graph.link(sends.port("out"), sink.port("in"), Link::direct()).unwrap();
    run(graph, spread_over(1), ms(2));
    assert_eq!(log.entries(), [(ms(0), vec![0.0]), (ms(1), vec![50.0]), (ms(1), vec![1.0])]);
}
