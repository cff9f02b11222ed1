//! Rule 10: monitors fire on their rising edge in phase 4, act in a new round of the same instant,
//! or end the run; what was recorded after the end is discarded, in every placement.

mod models;

use ironbird_kernel::{
    Action, Atomic, Context, Duration, EventIn, Fault, Graph, GraphError, Inputs, Link, Model,
    Monitor, Outcome, Outputs, Parameter, ParameterError, Periodic, Ports, Provider, QueryIn, Rate,
    Readings, Response, Scalar, SignalOut, Simulation, Step, Time, Watched,
};
use models::{Chatter, Log, Polls, Processor, Reads, Sends, Ticks, ms, run, spread_over, us};

fn watch(component: &str, port: &str) -> Vec<Watched> {
    vec![Watched { component: component.into(), port: port.into() }]
}

/// A condition on the first watched count.
fn count(holds: fn(u64) -> bool) -> impl FnMut(&Readings<'_>) -> bool + Send + 'static {
    move |now| holds(*now.signal::<u64>(0).unwrap())
}

/// Shows a level that is a parameter, at once; tells of every change.
#[derive(Default)]
struct Level {
    out: SignalOut<f64>,
    level: f64,
    changed: bool,
    log: Log<(Time, f64)>,
}

impl Model for Level {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.signal_out("out", 0.0);
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Real(level) => (self.level, self.changed) = (level, true),
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
}

impl Atomic for Level {
    fn time_advance(&self) -> Duration {
        if self.changed { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.log.push((out.now(), self.level));
        out.write(self.out, self.level);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.changed = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

fn set_level(level: f64) -> Action {
    let (component, name) = ("level".into(), "level".into());
    Action::SetParameter { component, name, value: Parameter::Real(level) }
}

#[test]
fn a_monitor_acts_on_its_rising_edge_only_and_in_the_same_instant() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.add(root, "level", Level { log: log.clone(), ..Level::default() }).unwrap();
    // True at 3, 4, 5, false at 6, 7, true at 8.
    let condition = count(|n| (3..6).contains(&n) || n == 8);
    let act = Response::Act(vec![set_level(1.5)]);
    graph.monitor(Monitor::new("m", watch("ticks", "count"), condition, act)).unwrap();
    run(graph, spread_over(2), ms(10));
    assert_eq!(log.entries(), [(ms(3), 1.5), (ms(8), 1.5)]);
}

#[test]
fn a_monitor_of_what_a_monitor_did_acts_in_a_further_round_of_the_instant() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.add(root, "level", Level { log: log.clone(), ..Level::default() }).unwrap();
    let high = |now: &Readings<'_>| *now.signal::<f64>(0).unwrap() > 2.0;
    let act = |level| Response::Act(vec![set_level(level)]);
    graph.monitor(Monitor::new("high", watch("level", "out"), high, act(1.0))).unwrap();
    let three = count(|n| n == 3);
    graph.monitor(Monitor::new("three", watch("ticks", "count"), three, act(4.0))).unwrap();
    run(graph, spread_over(1), ms(10));
    assert_eq!(log.entries(), [(ms(3), 4.0), (ms(3), 1.0)]);
}

#[test]
fn all_monitors_look_at_an_instant_before_any_of_them_acts() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.add(root, "level", Level { log: log.clone(), ..Level::default() }).unwrap();
    let reset = Response::Act(vec![Action::Reset { component: "ticks".into() }]);
    graph.monitor(Monitor::new("a", watch("ticks", "count"), count(|n| n == 3), reset)).unwrap();
    let act = Response::Act(vec![set_level(1.5)]);
    graph.monitor(Monitor::new("b", watch("ticks", "count"), count(|n| n == 3), act)).unwrap();
    run(graph, spread_over(1), ms(5));
    assert_eq!(log.entries(), [(ms(3), 1.5)]);
}

#[test]
fn a_condition_that_holds_from_the_first_write_on_fires_then() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.monitor(Monitor::stop_when("at once", watch("ticks", "count"), |_| true)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let outcome = simulation.run_until(ms(10)).unwrap();
    assert_eq!(outcome, Outcome::Stopped { at: ms(0), monitor: "at once".into() });
}

#[test]
fn a_leaf_can_be_read_without_its_type() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let condition = |now: &Readings<'_>| {
        assert_eq!(now.leaf(0, 1), None);
        assert_eq!(now.leaf(1, 0), None);
        assert_eq!(now.signal::<f64>(0), None);
        now.leaf(0, 0) == Some(Scalar::Unsigned(4))
    };
    graph.monitor(Monitor::stop_when("four", watch("ticks", "count"), condition)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let outcome = simulation.run_until(ms(10)).unwrap();
    assert_eq!(outcome, Outcome::Stopped { at: ms(4), monitor: "four".into() });
    assert_eq!(simulation.now(), ms(4));
    assert_eq!(simulation.run_until(ms(20)).unwrap(), outcome);
}

#[test]
fn a_monitor_of_something_that_is_not_there_is_refused() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let monitor = |component, port| Monitor::stop_when("m", watch(component, port), |_| true);
    let error = graph.monitor(monitor("tick", "count")).unwrap_err();
    assert_eq!(error.to_string(), "there is no component \"tick\"; did you mean \"ticks\"?");
    let error = graph.monitor(monitor("ticks", "counts")).unwrap_err();
    assert_eq!(error.to_string(), "\"ticks\" has no output \"counts\"; did you mean \"count\"?");
    let act = Response::Act(vec![set_level(1.0)]);
    graph.monitor(Monitor::new("m", watch("ticks", "count"), |_| true, act)).unwrap();
    let error = Simulation::new(graph, spread_over(1)).err().unwrap();
    let missing = GraphError::NoSuchComponent { path: "level".into(), nearest: None };
    assert_eq!(error, missing.into());
}

#[test]
fn watched_and_acted_on_components_stay_in_one_partition() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    graph.add(root, "level", Level::default()).unwrap();
    graph.add(root, "other", Level::default()).unwrap();
    let act = Response::Act(vec![set_level(1.0)]);
    graph.monitor(Monitor::new("m", watch("ticks", "count"), |_| true, act)).unwrap();
    let simulation = Simulation::new(graph, spread_over(8)).unwrap();
    assert_eq!(simulation.statistics().placement.units, 2);
}

#[test]
fn a_stop_discards_what_partitions_that_ran_ahead_recorded_after_it() {
    // `fast` has no inputs and runs far ahead of the monitor at the end of a slow link.
    let recorded = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_periodic(root, "fast", Ticks::default(), Rate::hz(1_000_000)).unwrap();
        let source = graph.add(root, "source", Sends::once(us(100), 1.0)).unwrap();
        let end = graph.add(root, "stop", EndsOn::default()).unwrap();
        let link = Link::direct().latency(Duration::from_us(1_900));
        graph.link(source.port("out"), end.port("in"), link).unwrap();
        let heard = count(|n| n > 0);
        graph.monitor(Monitor::stop_when("heard", watch("stop", "heard"), heard)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("fast", "count").unwrap();
        let outcome = simulation.run_until(ms(50)).unwrap();
        assert_eq!(outcome, Outcome::Stopped { at: ms(2), monitor: "heard".into() });
        assert_eq!(simulation.now(), ms(2));
        (simulation.samples::<u64>("fast", "count").unwrap(), simulation.digest())
    };
    let alone = recorded(1);
    let expected: Vec<_> = (0..=2_000).map(|k| (us(k), k)).collect();
    assert_eq!(alone.0, expected);
    for _ in 0..10 {
        for partitions in [2, 3] {
            let (samples, digest) = recorded(partitions);
            assert_eq!(samples.len(), 2_001, "{partitions} partitions");
            assert!(samples == alone.0);
            assert_eq!(digest, alone.1, "digest, {partitions} partitions");
        }
    }
}

#[test]
fn a_stop_that_comes_late_still_takes_back_what_idle_partitions_let_others_record() {
    // kick -> slow -> stop -> kick, 1 ms each: while `slow` takes 200 ms of wall time for its one
    // message, all of the ring is idle and `fast` runs to the end.
    #[derive(Default)]
    struct Slow {
        input: EventIn<f64>,
        out: ironbird_kernel::EventOut<f64>,
        heard: bool,
    }
    impl Model for Slow {
        fn ports(&mut self, ports: &mut Ports) {
            self.input = ports.event_in("in");
            self.out = ports.event_out("out");
        }
    }
    impl Atomic for Slow {
        fn time_advance(&self) -> Duration {
            if self.heard { Duration::ZERO } else { Duration::FOREVER }
        }
        fn output(&mut self, out: &mut Outputs<'_>) {
            out.send(self.out, 1.0);
        }
        fn internal(&mut self, _: &mut Context<'_>) {
            self.heard = false;
        }
        fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
            std::thread::sleep(std::time::Duration::from_millis(200));
            self.heard = true;
        }
    }
    let digest = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_periodic(root, "fast", Ticks::default(), Rate::hz(1_000_000)).unwrap();
        let kick = graph.add(root, "kick", Chatter::default()).unwrap();
        let slow = graph.add(root, "slow", Slow::default()).unwrap();
        let stop = graph.add(root, "stop", EndsOn::default()).unwrap();
        let link = || Link::direct().latency(Duration::from_ms(1));
        graph.link(kick.port("out"), slow.port("in"), link()).unwrap();
        graph.link(slow.port("out"), stop.port("in"), link()).unwrap();
        graph.link(stop.port("echo"), kick.port("in"), link()).unwrap();
        let heard = count(|n| n > 0);
        graph.monitor(Monitor::stop_when("heard", watch("stop", "heard"), heard)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        let outcome = simulation.run_until(ms(50)).unwrap();
        (outcome, simulation.digest())
    };
    assert_eq!(digest(4), digest(1));
}

/// Shows how many messages it has heard.
#[derive(Default)]
struct EndsOn {
    input: EventIn<f64>,
    heard: SignalOut<u64>,
    echo: ironbird_kernel::EventOut<f64>,
    count: u64,
    shows: bool,
}

impl Model for EndsOn {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
        self.heard = ports.signal_out("heard", 0);
        self.echo = ports.event_out("echo");
    }
}

impl Atomic for EndsOn {
    fn time_advance(&self) -> Duration {
        if self.shows { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.heard, self.count);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.shows = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        self.count += inputs.events(self.input).count() as u64;
        self.shows = true;
    }
}

#[test]
fn a_stop_among_talking_components_leaves_the_same_digest_in_every_placement() {
    let digest = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        let members: Vec<_> = (0..6)
            .map(|n| graph.add(root, &format!("c[{n}]"), Chatter::default()).unwrap())
            .collect();
        for n in 0..6 {
            let link = Link::direct().latency(Duration::from_us(70));
            let (from, to) = (members[n], members[(n + 1) % 6]);
            graph.link(from.port("out"), to.port("in"), link).unwrap();
        }
        let late = |now: &Readings<'_>| now.now() > ms(20);
        graph.monitor(Monitor::stop_when("late", watch("c[3]", "state"), late)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        let outcome = simulation.run_until(ms(1_000)).unwrap();
        (outcome, simulation.digest())
    };
    let alone = digest(1);
    assert!(matches!(&alone.0, Outcome::Stopped { monitor, .. } if monitor == "late"));
    for partitions in 2..=6 {
        assert_eq!(digest(partitions), alone, "{partitions} partitions");
    }
}

#[test]
fn of_two_stops_of_one_instant_the_same_is_reported_in_every_placement() {
    let outcome = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        for name in ["b", "a"] {
            graph.add_periodic(root, name, Ticks::default(), Rate::hz(1_000)).unwrap();
        }
        // The monitor of the later path was added first.
        for name in ["b", "a"] {
            let condition = count(|n| n == 5);
            let monitor = Monitor::stop_when(&format!("m{name}"), watch(name, "count"), condition);
            graph.monitor(monitor).unwrap();
        }
        Simulation::new(graph, spread_over(partitions)).unwrap().run_until(ms(10)).unwrap()
    };
    let alone = outcome(1);
    for _ in 0..50 {
        assert_eq!(outcome(2), alone);
    }
}

#[test]
fn a_fault_and_a_stop_of_one_instant_give_one_outcome_in_every_placement() {
    struct Panics;
    impl Model for Panics {
        fn ports(&mut self, _: &mut Ports) {}
    }
    impl Periodic for Panics {
        fn step(&mut self, step: &mut Step<'_>) {
            assert!(step.tick() != 5, "boom");
        }
    }
    for name in ["a", "z"] {
        let outcome = |partitions| {
            let mut graph = Graph::new();
            let root = graph.root();
            graph.add_periodic(root, "m", Ticks::default(), Rate::hz(1_000)).unwrap();
            graph.add_periodic(root, name, Panics, Rate::hz(1_000)).unwrap();
            let condition = count(|n| n == 5);
            let monitor = Monitor::stop_when("five", watch("m", "count"), condition);
            graph.monitor(monitor).unwrap();
            Simulation::new(graph, spread_over(partitions)).unwrap().run_until(ms(10)).unwrap()
        };
        let (alone, message) = (outcome(1), "boom".into());
        let fault = Fault::Panic { component: name.into(), at: ms(5), message };
        assert_eq!(alone, Outcome::Faulted(fault));
        for _ in 0..20 {
            assert_eq!(outcome(2), alone, "the panicking component is \"{name}\"");
        }
    }
}

#[test]
fn the_instant_of_a_stop_is_complete_in_every_placement() {
    // At 5 ms: the stop, a monitor elsewhere that acts, and a processor elsewhere that shows.
    let recorded = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        graph.add_periodic(root, "other", Ticks::default(), Rate::hz(1_000)).unwrap();
        graph.add(root, "level", Level::default()).unwrap();
        graph.add_run_ahead(root, "processor", Processor::showing([ms(5)])).unwrap();
        let five = || count(|n| n == 5);
        graph.monitor(Monitor::stop_when("stop", watch("ticks", "count"), five())).unwrap();
        let act = Response::Act(vec![set_level(2.0)]);
        graph.monitor(Monitor::new("act", watch("other", "count"), five(), act)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("level", "out").unwrap();
        simulation.record("processor", "count").unwrap();
        let outcome = simulation.run_until(ms(10)).unwrap();
        assert_eq!(outcome, Outcome::Stopped { at: ms(5), monitor: "stop".into() });
        let levels = simulation.samples::<f64>("level", "out").unwrap();
        let shown = simulation.samples::<u64>("processor", "count").unwrap();
        (levels, shown.len(), simulation.digest())
    };
    let apart = recorded(3);
    assert_eq!((&apart.0[..], apart.1), (&[(ms(5), 2.0)][..], 1));
    for partitions in [1, 2] {
        assert_eq!(recorded(partitions), apart, "{partitions} partitions");
    }
}

#[test]
fn a_condition_that_panics_names_its_monitor() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let condition = |now: &Readings<'_>| panic!("cannot read at {}", now.now());
    graph.monitor(Monitor::stop_when("broken", watch("ticks", "count"), condition)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    let outcome = simulation.run_until(ms(10)).unwrap();
    let Outcome::Faulted(fault) = outcome else { panic!("{outcome:?}") };
    assert!(fault.to_string().contains("broken"), "{fault}");
}

/// Answers with its parameter.
#[derive(Clone)]
struct Gain(f64);

impl Provider<(), f64> for Gain {
    fn answer(&self, _: Time, (): &()) -> f64 {
        self.0
    }
    fn set_parameter(&mut self, name: &str, value: Parameter) -> Result<(), ParameterError> {
        match value {
            Parameter::Real(gain) => self.0 = gain,
            _ => return Err(ParameterError::Unknown { name: name.into() }),
        }
        Ok(())
    }
}

/// Shows what it is answered.
#[derive(Default)]
struct Asks {
    query: QueryIn<(), f64>,
    out: SignalOut<f64>,
}

impl Model for Asks {
    fn ports(&mut self, ports: &mut Ports) {
        self.query = ports.query("gain");
        self.out = ports.signal_out("out", 0.0);
    }
}

impl Periodic for Asks {
    fn step(&mut self, step: &mut Step<'_>) {
        let gain = step.ask(self.query, &());
        step.write(self.out, gain);
    }
}

#[test]
fn a_monitor_that_changes_a_provider_changes_it_for_everybody() {
    let answers = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        let gain = graph.provide(root, "gain", Gain(1.0)).unwrap();
        for name in ["a", "b"] {
            let asks = graph.add_periodic(root, name, Asks::default(), Rate::hz(1_000)).unwrap();
            graph.bind_query(asks.port("gain"), gain).unwrap();
        }
        graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
        let (component, name) = ("gain".into(), "gain".into());
        let set = Action::SetParameter { component, name, value: Parameter::Real(9.0) };
        let (three, act) = (count(|n| n == 3), Response::Act(vec![set]));
        graph.monitor(Monitor::new("m", watch("ticks", "count"), three, act)).unwrap();
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        simulation.record("a", "out").unwrap();
        simulation.record("b", "out").unwrap();
        simulation.run_until(ms(6)).unwrap();
        ["a", "b"].map(|name| {
            let samples = simulation.samples::<f64>(name, "out").unwrap();
            samples.into_iter().map(|(_, gain)| gain).collect::<Vec<_>>()
        })
    };
    for partitions in [1, 2, 3] {
        let expected = vec![1.0, 1.0, 1.0, 1.0, 9.0, 9.0];
        assert_eq!(answers(partitions), [expected.clone(), expected], "{partitions} partitions");
    }
}

#[test]
fn a_monitor_may_stop_and_start_a_component() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let ticks = graph.add_periodic(root, "ticks", Ticks::default(), Rate::hz(1_000)).unwrap();
    let reads = graph.add_periodic(root, "reads", Reads::into(&log), Rate::hz(1_000)).unwrap();
    graph.link(ticks.port("count"), reads.port("in"), Link::direct()).unwrap();
    let stop = Response::Act(vec![Action::Stop { component: "reads".into() }]);
    let start = Response::Act(vec![Action::Start { component: "reads".into() }]);
    let m = |name, condition, act| Monitor::new(name, watch("ticks", "count"), condition, act);
    graph.monitor(m("stop", count(|n| n == 2), stop)).unwrap();
    graph.monitor(m("start", count(|n| n == 5), start)).unwrap();
    run(graph, spread_over(1), ms(8));
    let times: Vec<Time> = log.entries().into_iter().map(|(at, _)| at).collect();
    // It was started at 5 ms after all steps of that instant: its grid goes on there, in a new
    // round, because tick 5 of its grid is not before 5 ms.
    assert_eq!(times, [ms(0), ms(1), ms(2), ms(5), ms(6), ms(7)]);
}

/// Shows 1 once, after a while.
struct Alarm {
    out: SignalOut<u64>,
    left: Duration,
}

impl Model for Alarm {
    fn ports(&mut self, ports: &mut Ports) {
        self.out = ports.signal_out("out", 0);
    }
}

impl Atomic for Alarm {
    fn time_advance(&self) -> Duration {
        self.left
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.out, 1);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.left = Duration::FOREVER;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {}
}

#[test]
fn what_arrives_at_the_instant_at_which_a_monitor_stops_a_component_is_not_lost() {
    let log = Log::default();
    let mut graph = Graph::new();
    let root = graph.root();
    let alarm = Alarm { out: SignalOut::default(), left: Duration::from_us(1_500) };
    graph.add(root, "alarm", alarm).unwrap();
    let sends = graph.add(root, "sends", Sends::once(us(500), 7.0)).unwrap();
    let polls = graph.add_periodic(root, "polls", Polls::into(&log), Rate::hz(500)).unwrap();
    let link = Link::direct().latency(Duration::from_ms(1));
    graph.link(sends.port("out"), polls.port("in"), link).unwrap();
    let stop = Response::Act(vec![Action::Stop { component: "polls".into() }]);
    graph.monitor(Monitor::new("m", watch("alarm", "out"), count(|n| n == 1), stop)).unwrap();
    let mut simulation = Simulation::new(graph, spread_over(1)).unwrap();
    simulation.schedule(ms(3), Action::Start { component: "polls".into() }).unwrap();
    simulation.run_until(ms(5)).unwrap();
    assert_eq!(log.entries(), [(ms(0), vec![]), (ms(4), vec![7.0])]);
}
