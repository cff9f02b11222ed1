//! A derived component of every kind runs in a simulation and gives the right numbers.

use std::path::Path;

use ironbird_component::*;
use ironbird_kernel::{
    Action, Advance, Atomic, ComponentRef, Context, Duration, EventIn, EventOut, Graph, Inputs,
    Link, Options, Outputs, Parameter, Periodic, QueryIn, RandomIn, Rate, RunAhead, SignalIn,
    SignalOut, Simulation, Start, Step, Time,
};
use ironbird_solvers::{Block, Number, Point, Trajectory};
use serde::{Deserialize, Serialize};

/// Shows k times its input, and counts its steps.
#[derive(Component)]
#[component(type = "test.gain", periodic, rate = "10 Hz", changed = Self::square_gain)]
struct Gain {
    /// The factor.
    #[parameter(default = 2.0, min = 0, max = 10)]
    gain: f64,
    #[group]
    offset: Offset,
    #[input(name = "in", default = 1.0)]
    input: SignalIn<f64>,
    #[output(initial = -1.0)]
    out: SignalOut<f64>,
    #[output]
    steps: SignalOut<u32>,
    #[random]
    noise: RandomIn,
    #[query]
    depth: QueryIn<f64, f64>,
    count: u32,
    #[skip]
    squared: f64,
}

#[derive(Parameters)]
struct Offset {
    /// What is added.
    #[parameter(default = 0.0)]
    bias: f64,
}

impl Gain {
    fn square_gain(&mut self) {
        self.squared = self.gain * self.gain;
    }
}

impl Periodic for Gain {
    fn step(&mut self, step: &mut Step<'_>) {
        self.count += 1;
        assert_eq!(self.squared, self.gain * self.gain);
        assert!((0.0..1.0).contains(&step.random(self.noise).uniform()));
        let depth = step.ask(self.depth, &1.0);
        let shown = self.gain * step.signal(self.input) + self.offset.bias + depth;
        step.write(self.out, shown);
        step.write(self.steps, self.count);
    }
}

/// The depth at x is `slope` times x.
#[derive(Clone, Component)]
#[component(type = "test.sea-bed", provider, provides = fn(f64) -> f64)]
struct SeaBed {
    #[parameter(default = 0.0)]
    slope: f64,
}

impl Answers<f64, f64> for SeaBed {
    fn answer(&self, _: Time, x: &f64) -> f64 {
        self.slope * x
    }
}

/// Sends a message each time its input has been written `every` times.
#[derive(Component)]
#[component(type = "test.divider", event_driven, start = Self::begin)]
struct Divider {
    #[parameter(default = 2, min = 1)]
    every: u32,
    #[input(waking)]
    signal: SignalIn<u32>,
    #[output]
    ticks: EventOut<u32>,
    seen: u32,
    sends: bool,
}

impl Divider {
    fn begin(&mut self, start: &mut Start<'_>) {
        assert_eq!(*start.signal(self.signal), 0);
    }
}

impl Atomic for Divider {
    fn time_advance(&self) -> Duration {
        if self.sends { Duration::ZERO } else { Duration::FOREVER }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        out.send(self.ticks, self.seen);
    }
    fn internal(&mut self, _: &mut Context<'_>) {
        self.sends = false;
    }
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
        self.seen += 1;
        self.sends = self.seen.is_multiple_of(self.every);
    }
}

/// Shows, one millisecond after each message, how many there were.
#[derive(Component)]
#[component(type = "test.delayed-count", run_ahead, foreign)]
struct DelayedCount {
    #[input]
    ticks: EventIn<u32>,
    #[output]
    count: SignalOut<u32>,
    seen: u32,
    due: Option<Time>,
}

impl RunAhead for DelayedCount {
    fn advance(&mut self, _: &mut Context<'_>, until: Time) -> Advance {
        match self.due {
            Some(due) if due < until => Advance::Output(due),
            Some(_) => Advance::Reached,
            None => Advance::Idle,
        }
    }
    fn output(&mut self, out: &mut Outputs<'_>) {
        self.due = None;
        out.write(self.count, self.seen);
    }
    fn input(&mut self, context: &mut Context<'_>, inputs: &Inputs<'_>) {
        self.seen += inputs.events(self.ticks).count() as u32;
        self.due = Some(context.now() + Duration::from_ms(1));
    }
}

/// Relaxes to its input: T' = (u - T) / tau.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "test.lag", continuous)]
struct Lag {
    /// The time constant.
    #[parameter(unit = "s", default = 1.0, above = 0)]
    tau: f64,
    #[input(index = 0)]
    u: Held,
    #[input(index = 1, default = 0.0)]
    draught: Followed,
    #[output(state = 0, unit = "degC")]
    temperature: Shown,
}

impl Block for Lag {
    fn states(&self) -> usize {
        1
    }
    fn inputs(&self) -> usize {
        2
    }
    fn initial(&self, _: usize) -> f64 {
        0.0
    }
    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        (at.u(0) + at.u(1) - at.x(0)) / self.tau
    }
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<Gain>().unwrap();
    registry.register::<SeaBed>().unwrap();
    registry.register::<Divider>().unwrap();
    registry.register::<DelayedCount>().unwrap();
    registry.register::<Lag>().unwrap();
    registry
}

fn add(
    graph: &mut Graph,
    name: &str,
    type_name: &str,
    settings: &[(&str, Parameter)],
) -> ComponentRef {
    let registry = registry();
    let settings = settings.iter().map(|(path, value)| ((*path).into(), value.clone())).collect();
    let place = Place { folder: Path::new(".") };
    let instance = registry.get(type_name).unwrap().instantiate(&settings, &place).unwrap();
    let root = graph.root();
    instance.add_to(graph, root, name, None).unwrap()
}

/// sea-bed, gain -> divider -> delayed count, and gain -> lag -> sample in its unit
fn system() -> Graph {
    let mut graph = Graph::new();
    let bed = add(&mut graph, "bed", "test.sea-bed", &[("slope", Parameter::Real(0.5))]);
    let gain = add(&mut graph, "gain", "test.gain", &[("offset.bias", Parameter::Integer(3))]);
    let divider = add(&mut graph, "divider", "test.divider", &[]);
    let count = add(&mut graph, "count", "test.delayed-count", &[]);
    let lag =
        add(&mut graph, "lag", "test.lag", &[("solver.method", Parameter::Text("dopri5".into()))]);
    let celsius = Parameter::Text("degC".into());
    let sample = add(&mut graph, "sample", "adapter.sample", &[("unit", celsius)]);
    graph.bind_query(gain.port("depth"), bed).unwrap();
    graph.link(gain.port("steps"), divider.port("signal"), Link::direct()).unwrap();
    graph.link(divider.port("ticks"), count.port("ticks"), Link::direct()).unwrap();
    graph.link(gain.port("out"), lag.port("u"), Link::direct()).unwrap();
    graph.link(lag.port("temperature"), sample.port("in"), Link::direct()).unwrap();
    graph
}

fn ms(ms: u64) -> Time {
    Time::ZERO + Duration::from_ms(ms)
}

fn set(component: &str, name: &str, value: Parameter) -> Action {
    Action::SetParameter { component: component.into(), name: name.into(), value }
}

fn simulation() -> Simulation {
    let mut simulation = Simulation::new(system(), Options::default()).unwrap();
    for (component, port) in
        [("gain", "out"), ("divider", "ticks"), ("count", "count"), ("sample", "out")]
    {
        simulation.record(component, port).unwrap();
    }
    simulation.schedule(ms(250), set("gain", "gain", Parameter::Real(4.0))).unwrap();
    simulation.schedule(ms(250), set("bed", "slope", Parameter::Real(1.5))).unwrap();
    simulation.schedule(ms(500), set("lag", "tau", Parameter::Real(0.5))).unwrap();
    simulation
}

#[test]
fn every_kind_gives_the_right_numbers() {
    let mut simulation = simulation();
    simulation.run_until(ms(1_001)).unwrap();

    let shown: Vec<(Time, f64)> = simulation.samples("gain", "out").unwrap();
    let expected = |k: u64| if k < 3 { 2.0 + 3.0 + 0.5 } else { 4.0 + 3.0 + 1.5 };
    assert_eq!(shown, (0..=10).map(|k| (ms(100 * k), expected(k))).collect::<Vec<_>>());

    let ticks: Vec<(Time, u32)> = simulation.samples("divider", "ticks").unwrap();
    assert_eq!(ticks, (1..=5).map(|k| (ms(200 * k - 100), 2 * k as u32)).collect::<Vec<_>>());
    let counts: Vec<(Time, u32)> = simulation.samples("count", "count").unwrap();
    assert_eq!(counts, (1..=5).map(|k| (ms(200 * k - 99), k as u32)).collect::<Vec<_>>());

    // 5.5 for 0.3 s and 8.5 from then on, with tau 1 s for 0.5 s and 0.5 s from then on.
    let at = |u: f64, from: f64, s: f64, tau: f64| u + (from - u) * libm::exp(-s / tau);
    let end = at(8.5, at(8.5, at(5.5, 0.0, 0.3, 1.0), 0.2, 1.0), 0.5, 0.5);
    let samples: Vec<(Time, f64)> = simulation.samples("sample", "out").unwrap();
    let last = samples.iter().find(|(time, _)| *time == ms(1_000)).unwrap();
    assert!((last.1 - end).abs() < 1e-5, "{} instead of {end}", last.1);
}

#[test]
fn a_saved_system_goes_on_as_if_it_had_not_been() {
    let mut whole = simulation();
    whole.run_until(ms(1_001)).unwrap();

    let mut first = simulation();
    first.run_until(ms(650)).unwrap();
    let saved = first.checkpoint().unwrap();
    let mut second = Simulation::restore(system(), Options::default(), &saved).unwrap();
    second.record("sample", "out").unwrap();
    second.record("count", "count").unwrap();
    second.run_until(ms(1_001)).unwrap();

    let late = |simulation: &Simulation| -> Vec<(Time, f64)> {
        let samples = simulation.samples("sample", "out").unwrap();
        samples.into_iter().filter(|(time, _)| *time >= ms(650)).collect()
    };
    assert_eq!(late(&second), late(&whole));
    let counts: Vec<(Time, u32)> = second.samples("count", "count").unwrap();
    assert_eq!(counts, [(ms(701), 4), (ms(901), 5)]);
}

#[test]
fn a_rate_is_for_periodic_components_only() {
    let (registry, mut graph) = (registry(), Graph::new());
    let place = Place { folder: Path::new(".") };
    let root = graph.root();
    let divider = registry.get("test.divider").unwrap();
    let instance = divider.instantiate(&Settings::new(), &place).unwrap();
    let error = instance.add_to(&mut graph, root, "d", Some(Rate::hz(5))).unwrap_err();
    assert_eq!(error.to_string(), "\"d\" has no rate: its type is event-driven");
}

#[test]
fn a_type_says_how_it_is_advanced_and_what_it_promises() {
    let registry = registry();
    let of = |name| registry.get(name).unwrap().description();
    assert_eq!(of("test.gain").kind, Kind::Periodic);
    assert_eq!(of("test.gain").rate, Some(Rate::hz(10)));
    assert_eq!(of("test.lag").kind, Kind::Continuous);
    assert!(of("test.delayed-count").foreign && !of("test.gain").foreign);
    let interface = of("test.lag").interface.clone().unwrap();
    assert!(interface.output("temperature").unwrap().value.is_continuous());
    assert_eq!(interface.output("temperature").unwrap().value, ValueType::of::<Trajectory>());
    let asked = of("test.gain").interface.clone().unwrap().queries[0].signature;
    assert_eq!(of("test.sea-bed").interface.clone().unwrap().answers, Some(asked));
}
