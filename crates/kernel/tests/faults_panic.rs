//! A model that panics or fails ends the run at its instant with an error that names it: within a
//! second, in every placement, and with the same outcome: the earliest in time, then in the phases
//! and cycles of the instant, then by path.

mod models;

use ironbird_kernel::{
    Action, Atomic, BuildError, Context, Duration, EventIn, Fault, Graph, Inputs, Link, Model,
    Options, Outcome, Outputs, Parameter, ParameterError, Periodic, Ports, Rate, SignalOut,
    Simulation, Start, Step, Time,
};
use models::{Sends, Ticks, ms, spread_over, us, without_hanging};

/// Where a [`Bomb`] goes off.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Initialize,
    Output,
    Internal,
    External,
    SetParameter,
    TimeAdvance,
    Fail,
}

/// Goes off at `at`.
struct Bomb {
    at: Time,
    r#where: Where,
    input: EventIn<f64>,
    last: Time,
    went: bool,
}

impl Bomb {
    fn new(at: Time, r#where: Where) -> Self {
        Bomb { at, r#where, input: EventIn::default(), last: Time::ZERO, went: false }
    }

    fn go_off(&self, here: Where) {
        assert!(here != self.r#where, "boom");
    }
}

impl Model for Bomb {
    fn ports(&mut self, ports: &mut Ports) {
        self.input = ports.event_in("in");
    }
    fn initialize(&mut self, _: &mut Start<'_>) {
        self.go_off(Where::Initialize);
    }
    fn set_parameter(&mut self, _: &str, _: Parameter) -> Result<(), ParameterError> {
        self.go_off(Where::SetParameter);
        Ok(())
    }
}

impl Atomic for Bomb {
    fn time_advance(&self) -> Duration {
        if self.went {
            self.go_off(Where::TimeAdvance);
            return Duration::FOREVER;
        }
        self.at.since(self.last)
    }
    fn output(&mut self, _: &mut Outputs<'_>) {
        self.go_off(Where::Output);
    }
    fn internal(&mut self, context: &mut Context<'_>) {
        self.go_off(Where::Internal);
        self.went = true;
        if self.r#where == Where::Fail {
            context.fail("out of fuel");
            context.fail("a second reason that nobody hears");
        }
    }
    fn external(&mut self, context: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
        self.go_off(Where::External);
        self.last = context.now();
    }
}

fn panicked(component: &str, at: Time) -> Outcome {
    let message = "boom".into();
    Outcome::Faulted(Fault::Panic { component: component.into(), at, message })
}

fn outcome_of(graph: Graph, partitions: usize) -> Outcome {
    without_hanging(move || {
        let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
        let outcome = simulation.run_until(ms(1_000)).unwrap();
        // It has ended for good.
        assert_eq!(simulation.run_until(ms(2_000)).unwrap(), outcome);
        if let Outcome::Faulted(fault) = &outcome {
            assert_eq!(simulation.now(), fault.at());
        }
        outcome
    })
}

#[test]
fn a_panic_in_any_call_names_the_component_and_the_instant() {
    for (r#where, at) in [
        (Where::Output, ms(5)),
        (Where::Internal, ms(5)),
        (Where::TimeAdvance, ms(5)),
        (Where::External, ms(3)),
    ] {
        for partitions in [1, 3] {
            let mut graph = Graph::new();
            let root = graph.root();
            let group = graph.composite(root, "group").unwrap();
            let bomb = graph.add(group, "bomb[3]", Bomb::new(ms(5), r#where)).unwrap();
            let source = graph.add(root, "source", Sends::once(ms(2), 1.0)).unwrap();
            let link = Link::direct().latency(Duration::from_ms(1));
            graph.link(source.port("out"), bomb.port("in"), link).unwrap();
            graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(10_000)).unwrap();
            assert_eq!(outcome_of(graph, partitions), panicked("group.bomb[3]", at));
        }
    }
    let text = "\"group.bomb[3]\" panicked at 0.005 s: boom";
    let Outcome::Faulted(fault) = panicked("group.bomb[3]", ms(5)) else { unreachable!() };
    assert_eq!(fault.to_string(), text);
}

#[test]
fn a_panic_before_the_first_instant_is_an_error_of_building() {
    let mut graph = Graph::new();
    let root = graph.root();
    graph.add(root, "bomb", Bomb::new(ms(1), Where::Initialize)).unwrap();
    let error = Simulation::new(graph, spread_over(1)).err().unwrap();
    let fault = Fault::Panic { component: "bomb".into(), at: Time::ZERO, message: "boom".into() };
    assert_eq!(error, BuildError::Fault(fault));
}

#[test]
fn a_panic_while_a_parameter_is_set_names_the_component() {
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add(root, "bomb", Bomb::new(ms(100), Where::SetParameter)).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(10_000)).unwrap();
        let outcome = without_hanging(move || {
            let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
            let (component, name) = ("bomb".into(), "fuse".into());
            let action = Action::SetParameter { component, name, value: Parameter::Bool(true) };
            simulation.schedule(ms(7), action).unwrap();
            simulation.run_until(ms(1_000)).unwrap()
        });
        assert_eq!(outcome, panicked("bomb", ms(7)), "{partitions} partitions");
    }
}

#[test]
fn a_model_that_says_it_cannot_go_on_gives_its_first_reason() {
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add(root, "bomb", Bomb::new(us(4_500), Where::Fail)).unwrap();
        graph.add_periodic(root, "ticker", Ticks::default(), Rate::hz(10_000)).unwrap();
        let outcome = outcome_of(graph, partitions);
        let (component, reason) = ("bomb".into(), "out of fuel".into());
        let fault = Fault::Failed { component, at: us(4_500), reason };
        assert_eq!(fault.to_string(), "\"bomb\" failed at 0.0045 s: out of fuel");
        assert_eq!(outcome, Outcome::Faulted(fault));
    }
}

#[test]
fn of_two_faults_the_earlier_one_ends_the_run_wherever_they_are() {
    for partitions in [1, 2, 3] {
        for _ in 0..20 {
            let mut graph = Graph::new();
            let root = graph.root();
            graph.add(root, "a", Bomb::new(ms(6), Where::Internal)).unwrap();
            graph.add(root, "b", Bomb::new(ms(5), Where::Internal)).unwrap();
            graph.add(root, "c", Bomb::new(ms(7), Where::Internal)).unwrap();
            assert_eq!(outcome_of(graph, partitions), panicked("b", ms(5)));
        }
    }
}

#[test]
fn of_two_faults_of_one_instant_the_first_by_path_counts() {
    for partitions in [1, 2, 3] {
        for _ in 0..20 {
            let mut graph = Graph::new();
            let root = graph.root();
            for name in ["bomb[10]", "bomb[9]", "z"] {
                graph.add(root, name, Bomb::new(ms(5), Where::Internal)).unwrap();
            }
            assert_eq!(outcome_of(graph, partitions), panicked("bomb[9]", ms(5)));
        }
    }
}

#[test]
fn of_two_faults_of_one_instant_the_earlier_phase_counts_before_the_path() {
    /// Panics in its step at 5 ms.
    struct Steps;
    impl Model for Steps {
        fn ports(&mut self, _: &mut Ports) {}
    }
    impl Periodic for Steps {
        fn step(&mut self, step: &mut Step<'_>) {
            assert!(step.now() != ms(5), "boom");
        }
    }
    for partitions in [1, 2] {
        let mut graph = Graph::new();
        let root = graph.root();
        graph.add_periodic(root, "a", Steps, Rate::hz(1_000)).unwrap();
        graph.add(root, "b", Bomb::new(ms(5), Where::Output)).unwrap();
        assert_eq!(outcome_of(graph, partitions), panicked("b", ms(5)), "{partitions} partitions");
    }
}

#[test]
fn what_was_recorded_up_to_a_fault_is_the_same_for_every_placement() {
    /// Writes its tick, and panics at tick 5 of 1 kHz if it is told to.
    #[derive(Default)]
    struct Writes {
        out: SignalOut<u64>,
        panics: bool,
    }
    impl Model for Writes {
        fn ports(&mut self, ports: &mut Ports) {
            self.out = ports.signal_out("out", 0);
        }
    }
    impl Periodic for Writes {
        fn step(&mut self, step: &mut Step<'_>) {
            let tick = step.tick();
            step.write(self.out, tick);
            assert!(!(self.panics && tick == 5), "boom");
        }
    }
    let recorded = |partitions| {
        let mut graph = Graph::new();
        let root = graph.root();
        for name in ["a", "b", "c"] {
            let model = Writes { panics: name == "b", ..Writes::default() };
            graph.add_periodic(root, name, model, Rate::hz(1_000)).unwrap();
        }
        without_hanging(move || {
            let mut simulation = Simulation::new(graph, spread_over(partitions)).unwrap();
            for name in ["a", "b", "c"] {
                simulation.record(name, "out").unwrap();
            }
            assert_eq!(simulation.run_until(ms(50)).unwrap(), panicked("b", ms(5)));
            let samples = ["a", "b", "c"].map(|n| simulation.samples::<u64>(n, "out").unwrap());
            (samples, simulation.digest())
        })
    };
    let alone = recorded(1);
    // Everything before the fault is there, nothing after it.
    for samples in &alone.0 {
        assert!(samples.len() >= 5 && samples.iter().all(|(at, _)| *at <= ms(5)), "{samples:?}");
    }
    for partitions in [2, 3] {
        assert_eq!(recorded(partitions), alone, "{partitions} partitions");
    }
}

#[test]
fn a_fault_among_steps_that_nobody_observes_is_the_same_fused_or_not() {
    /// What a component does in its step at 5 ms.
    #[derive(Clone, Copy)]
    enum Does {
        Nothing,
        Panics,
        Fails,
    }
    impl Model for Does {
        fn ports(&mut self, _: &mut Ports) {}
    }
    impl Periodic for Does {
        fn step(&mut self, step: &mut Step<'_>) {
            match self {
                Does::Panics => assert!(step.now() != ms(5), "boom"),
                Does::Fails if step.now() == ms(5) => step.fail("out of fuel"),
                Does::Nothing | Does::Fails => {}
            }
        }
    }
    let ended = |second: Does, fused: bool| {
        let mut graph = Graph::new();
        let root = graph.root();
        for (name, does) in [("a", Does::Nothing), ("b", second), ("c", Does::Panics)] {
            graph.add_periodic(root, name, does, Rate::hz(1_000)).unwrap();
        }
        let options = Options { fused, ..Options::default() };
        let mut simulation = Simulation::new(graph, options).unwrap();
        let outcome = simulation.run_until(ms(50)).unwrap();
        let statistics = simulation.statistics();
        (outcome, statistics.instants, statistics.steps)
    };
    let (component, reason) = ("b".into(), "out of fuel".into());
    let failed = Outcome::Faulted(Fault::Failed { component, at: ms(5), reason });
    for fused in [true, false] {
        assert_eq!(ended(Does::Nothing, fused), (panicked("c", ms(5)), 6, 18), "{fused}");
        assert_eq!(ended(Does::Panics, fused), (panicked("b", ms(5)), 6, 18), "{fused}");
        assert_eq!(ended(Does::Fails, fused), (failed.clone(), 6, 18), "{fused}");
    }
}
