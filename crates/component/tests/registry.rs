//! Finding types, and finding out what fits.

use std::path::Path;

use ironbird_component::*;
use ironbird_kernel::{
    Atomic, CallIn, Context, Duration, Graph, Inputs, Link, Options, Outputs, Parameter, Periodic,
    PortKind, SignalIn, SignalOut, Simulation, Step, Time, Value,
};
use ironbird_solvers::Trajectory;

/// Turns a vector from the frame of the body to that of the world.
#[derive(Component)]
#[component(type = "frame.body-to-world", periodic, rate = "1 kHz", adapter)]
struct BodyToWorld {
    #[input(unit = "m/s", frame = "body")]
    velocity: SignalIn<[f64; 3]>,
    #[output(unit = "m/s", frame = "world")]
    turned: SignalOut<[f64; 3]>,
}

impl Periodic for BodyToWorld {
    fn step(&mut self, step: &mut Step<'_>) {
        let velocity = *step.signal(self.velocity);
        step.write(self.turned, velocity);
    }
}

/// Turns a place and a velocity from the world to the map, which has a scale.
#[derive(Component)]
#[component(type = "frame.world-to-map", periodic, rate = "1 kHz", adapter)]
struct WorldToMap {
    #[input(unit = "m", frame = "world")]
    place: SignalIn<[f64; 3]>,
    #[input(name = "velocity", unit = "m/s", frame = "world")]
    over_ground: SignalIn<[f64; 3]>,
    #[input]
    scale: SignalIn<f64>,
    #[output(unit = "m", frame = "map")]
    drawn: SignalOut<[f64; 3]>,
    #[output(unit = "m/s", frame = "map")]
    velocity: SignalOut<[f64; 3]>,
}

impl Periodic for WorldToMap {
    fn step(&mut self, step: &mut Step<'_>) {
        let scale = *step.signal(self.scale);
        let (place, velocity) = (*step.signal(self.place), *step.signal(self.over_ground));
        step.write(self.drawn, place.map(|x| scale * x));
        step.write(self.velocity, velocity.map(|x| scale * x));
    }
}

/// Its default is not allowed.
#[derive(Component)]
#[component(type = "test.bad-default", periodic)]
struct BadDefault {
    #[parameter(unit = "s", default = 1.0, above = 1)]
    lag: f64,
}

impl Periodic for BadDefault {
    fn step(&mut self, _: &mut Step<'_>) {
        let _ = self.lag;
    }
}

/// Takes any frame and is no adapter of frames.
#[derive(Component)]
#[component(type = "filter.low-pass", periodic, rate = "1 kHz", adapter)]
struct LowPass {
    #[input(unit = "m/s")]
    raw: SignalIn<[f64; 3]>,
    #[output(unit = "m/s")]
    smooth: SignalOut<[f64; 3]>,
}

impl Periodic for LowPass {
    fn step(&mut self, step: &mut Step<'_>) {
        let raw = *step.signal(self.raw);
        step.write(self.smooth, raw);
    }
}

/// A unit is given to a part that does not exist.
#[derive(Component)]
#[component(type = "test.bad-unit", event_driven)]
struct BadUnit {
    #[service(units = "speed: m/s, angle: deg")]
    turn: CallIn<Turn, ()>,
}

#[derive(Clone, Value)]
struct Turn {
    speed: f64,
    direction: f64,
}

impl Atomic for BadUnit {
    fn time_advance(&self) -> Duration {
        Duration::FOREVER
    }
    fn output(&mut self, _: &mut Outputs<'_>) {}
    fn internal(&mut self, _: &mut Context<'_>) {}
    fn external(&mut self, _: &mut Context<'_>, _: Duration, _: &Inputs<'_>) {
        let _ = self.turn;
    }
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<BodyToWorld>().unwrap();
    registry.register::<LowPass>().unwrap();
    registry
}

#[test]
fn types_are_listed_by_name_and_a_misspelt_one_finds_its_neighbour() {
    let mut registry = registry();
    let names: Vec<_> = registry.iter().map(|known| known.description().name.clone()).collect();
    assert_eq!(names, ["adapter.sample", "adapter.unit", "filter.low-pass", "frame.body-to-world"]);
    let error = registry.get("adapter.units").err().unwrap();
    let text = "there is no component type \"adapter.units\"; did you mean \"adapter.unit\"?";
    assert_eq!(error.to_string(), text);
    let error = registry.register::<BodyToWorld>().unwrap_err();
    assert_eq!(error.to_string(), "there are two component types \"frame.body-to-world\"");
}

#[test]
fn a_default_that_is_not_allowed_is_found_when_the_type_is_registered() {
    let error = registry().register::<BadDefault>().unwrap_err();
    let text = "the default of \"lag\" of the component type \"test.bad-default\": 1 s is not \
                allowed: it must be above 1 s";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_unit_for_a_part_that_does_not_exist_is_found_when_the_type_is_registered() {
    let error = registry().register::<BadUnit>().unwrap_err();
    let text = "the component type \"test.bad-unit\" gives a unit to \"angle\" of \"turn\", which is a \
                Turn and has no such part";
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_service_answers_calls_of_the_same_types_and_units() {
    let service = |name: &str, units: &str| {
        ServiceDescription::new(name, ServiceType::of::<Turn, ()>()).units(units.parse().unwrap())
    };
    let provided = service("turn", "speed: m/s, direction: deg");
    assert_eq!(bindable(&service("call", "direction: deg, speed: m/s"), &provided), Ok(()));
    let error = bindable(&service("call", "speed: m/s, direction: rad"), &provided).unwrap_err();
    let text = "\"call\" (its part direction) is in rad and \"turn\" takes deg";
    assert_eq!(error.to_string(), text);
    let other = ServiceDescription::new("call", ServiceType::of::<f64, ()>());
    let error = bindable(&other, &provided).unwrap_err();
    assert_eq!(error.to_string(), "\"call\" is f64 -> Nothing and \"turn\" takes Turn -> Nothing");
}

fn output<T: Value>(units: &str) -> PortDescription {
    PortDescription::output("from", PortKind::Signal, ValueType::of::<T>())
        .units(units.parse().unwrap())
}

fn input<T: Value>(units: &str) -> PortDescription {
    PortDescription::input("to", PortKind::Signal, ValueType::of::<T>())
        .units(units.parse().unwrap())
}

#[test]
fn ports_that_do_not_fit_say_why() {
    let event = PortDescription::input("to", PortKind::Event, ValueType::of::<f64>());
    let by_part = output::<[f64; 2]>("[0]: m, [1]: s");
    for (from, to, why) in [
        (output::<f64>("m"), event, "\"from\" carries signals and \"to\" takes events"),
        (output::<f64>("m"), input::<[f64; 3]>("m"), "\"from\" is f64 and \"to\" takes [f64; 3]"),
        (output::<f64>("m"), input::<f64>("km"), "\"from\" is in m and \"to\" takes km"),
        (output::<f64>("degC"), input::<f64>("K"), "\"from\" is in degC and \"to\" takes K"),
        (
            output::<f64>("m"),
            input::<f64>("s"),
            "\"from\" is a length (m) and \"to\" takes a time (s)",
        ),
        (
            by_part,
            input::<[f64; 2]>("m"),
            "\"from\" (its part [1]) is a time (s) and \"to\" takes a length (m)",
        ),
        (
            output::<f64>("m").frame("body"),
            input::<f64>("m").frame("world"),
            "\"from\" is in the frame body and \"to\" takes the frame world",
        ),
    ] {
        assert_eq!(compatible(&from, &to).unwrap_err().to_string(), why);
    }
    assert_eq!(compatible(&output::<f64>("km/h"), &input::<f64>("km*h^-1")), Ok(()));
    assert_eq!(compatible(&output::<f64>("m").frame("body"), &input::<f64>("m")), Ok(()));
}

#[test]
fn the_adapter_that_would_fix_a_link_is_named() {
    let registry = registry();
    let adapters = |from, to| -> Vec<String> {
        let found = registry.adapters(&from, &to);
        found.into_iter().map(|(known, _)| known.description().name.clone()).collect()
    };
    assert_eq!(adapters(output::<f64>("degC"), input::<f64>("K")), ["adapter.unit"]);
    assert_eq!(adapters(output::<Trajectory>("m"), input::<Trajectory>("km")), ["adapter.unit"]);
    assert_eq!(adapters(output::<Trajectory>("m"), input::<f64>("m")), ["adapter.sample"]);
    assert!(adapters(output::<f64>("m"), input::<f64>("s")).is_empty());
    let body = output::<[f64; 3]>("m/s").frame("body");
    let world = input::<[f64; 3]>("m/s").frame("world");
    assert_eq!(adapters(body, world), ["frame.body-to-world"]);
}

#[test]
fn an_adapter_is_named_for_what_it_turns_and_not_for_what_it_needs_for_that() {
    let mut registry = Registry::empty();
    registry.register::<WorldToMap>().unwrap();
    let adapts = |from: (&str, &str), to: &str| {
        let from = output::<[f64; 3]>(from.0).frame(from.1);
        !registry.adapters(&from, &input::<[f64; 3]>(to).frame("map")).is_empty()
    };
    assert!(adapts(("m", "world"), "m"), "the first input becomes the first output");
    assert!(adapts(("m/s", "world"), "m/s"), "the others become those of their names");
    assert!(!adapts(("m", "world"), "m/s"), "a place is no velocity");
    assert!(!adapts(("m/s", "world"), "m"), "a velocity is no place");
    let scaled = registry.adapters(&output::<f64>(""), &input::<[f64; 3]>("m").frame("map")).len();
    assert_eq!(scaled, 0, "a scale is no place");
}

#[test]
fn a_unit_adapter_converts_in_the_same_instant() {
    let registry = registry();
    let text = |text: &str| Parameter::Text(text.into());
    let mut settings = Settings::from([("from".into(), text("degC")), ("to".into(), text("K"))]);
    let place = Place { folder: Path::new(".") };
    let make =
        |settings: &Settings| registry.get("adapter.unit").unwrap().instantiate(settings, &place);
    let adapter = make(&settings).unwrap();
    assert_eq!(adapter.interface().output("out").unwrap().units.of("").to_string(), "K");

    let ms = |ms| Time::ZERO + Duration::from_ms(ms);
    let of = ValueType::of::<f64>();
    let samples = [(ms(0), 0f64.to_le_bytes().to_vec()), (ms(4), 20f64.to_le_bytes().to_vec())];
    let mut graph = Graph::new();
    let root = graph.root();
    let player = of.add_player(&mut graph, root, "log", PortKind::Signal, &samples).unwrap();
    let adapter = adapter.add_to(&mut graph, root, "adapter", None).unwrap();
    graph.link(player.port("out"), adapter.port("in"), Link::direct()).unwrap();
    let mut simulation = Simulation::new(graph, Options::default()).unwrap();
    simulation.record("adapter", "out").unwrap();
    simulation.run_until(ms(10)).unwrap();
    let seen: Vec<(Time, f64)> = simulation.samples("adapter", "out").unwrap();
    assert_eq!(seen, [(ms(4), 293.15)]);

    settings.insert("to".into(), text("m"));
    let error = make(&settings).err().unwrap();
    let text = "parameter \"to\": \"1 degC\" is a temperature (K), expected a length (m)";
    assert_eq!(error.to_string(), text);
}
