//! What a user and an editor read of a type.

use std::path::PathBuf;

use ironbird_component::*;
use ironbird_kernel::{
    CallIn, CallOut, EventIn, Periodic, QueryIn, RandomIn, SignalIn, SignalOut, Step, Value,
};
use ironbird_solvers::Trajectory;

/// Measures a temperature.
///
/// It follows the true temperature with some noise; what it shows is held until the next step.
#[derive(Component)]
#[component(type = "sensor.thermometer", periodic, rate = "10 Hz", foreign, cannot_save)]
struct Thermometer {
    /// Standard deviation of the noise.
    #[parameter(unit = "K", default = 0.1, min = 0)]
    noise: f64,
    #[parameter(default = Mode::VeryFast)]
    mode: Mode,
    /// How it is mounted.
    #[group]
    mounting: Mounting,
    #[parameter(unit = "m", default = [0.0, 0.0, -1.5], fixed)]
    position: [f64; 3],
    /// Corrections by temperature.
    #[parameter]
    table: PathBuf,
    /// True temperature.
    #[input(unit = "degC")]
    temperature: SignalIn<Trajectory>,
    #[input(unit = "W", default = 0.0)]
    power: SignalIn<f64>,
    #[input]
    pulses: EventIn<u32>,
    /// What it shows.
    #[output(unit = "degC", initial = 20.0)]
    reading: SignalOut<f64>,
    #[output(unit = "velocity: m/s, place: m", frame = "body")]
    motion: SignalOut<Motion>,
    #[random]
    noise_stream: RandomIn,
    /// Turns a fan on.
    #[service(units = "speed: m/s, direction: deg")]
    blow: CallIn<Wind, ()>,
    #[requires(optional)]
    alarm: CallOut<f64, bool>,
    /// The depth below.
    #[query]
    sea_bed: QueryIn<[f64; 2], f64>,
}

#[derive(Clone, Copy, Choice)]
enum Mode {
    VeryFast,
    #[choice(name = "slowly")]
    Slow,
}

#[derive(Parameters)]
struct Mounting {
    /// To the right, seen from above.
    #[parameter(unit = "deg", min = -180, below = 180)]
    yaw: f64,
    #[parameter(default = 1, min = 1, max = 4)]
    screws: u8,
}

#[derive(Clone, Default, Value)]
struct Motion {
    velocity: [f64; 3],
    place: [f64; 3],
    valid: bool,
}

#[derive(Clone, Value)]
struct Wind {
    speed: f64,
    direction: f64,
    gusts: bool,
}

impl Periodic for Thermometer {
    fn step(&mut self, step: &mut Step<'_>) {
        let _ = (self.noise, self.mode, self.mounting.yaw, self.mounting.screws);
        let _ = (self.position, &self.table, self.power, self.pulses, self.motion);
        let _ = (self.noise_stream, self.blow, self.alarm, self.sea_bed, Mode::Slow);
        let shown = step.signal(self.temperature).at(step.now());
        step.write(self.reading, shown);
    }
}

fn registry() -> Registry {
    let mut registry = Registry::with_builtin();
    registry.register::<Thermometer>().unwrap();
    registry
}

#[test]
fn the_help_text_tells_all() {
    let text = help_text(registry().get("sensor.thermometer").unwrap().description());
    assert_eq!(text, include_str!("golden/thermometer.txt"));
}

#[test]
fn the_summary_is_the_first_paragraph() {
    let description = Thermometer::description();
    assert_eq!(description.summary(), "Measures a temperature.");
}

#[test]
fn a_type_whose_ports_depend_on_parameters_says_so() {
    let text = help_text(registry().get("adapter.unit").unwrap().description());
    assert!(text.starts_with("adapter.unit: event-driven\n\nShows a signal in another unit.\n"));
    assert!(text.ends_with("\nIts ports depend on its parameters.\n"), "{text}");
}

#[test]
fn the_schema_knows_types_parameters_and_inputs() {
    let schema = json_schema(&registry());
    let thermometer = &schema["$defs"]["type sensor.thermometer"];
    assert_eq!(thermometer["description"], "Measures a temperature.");
    let properties = &thermometer["properties"];
    assert_eq!(properties["noise"]["default"], "0.1 K");
    assert_eq!(
        properties["noise"]["description"],
        "Standard deviation of the noise.\n\nA number in K, at least 0 K."
    );
    assert_eq!(properties["mode"]["anyOf"][0]["enum"][1], "slowly");
    let screws = &properties["mounting"]["properties"]["screws"]["anyOf"][0];
    assert_eq!(screws, &serde_json::json!({ "type": "integer", "minimum": 1, "maximum": 4 }));
    assert_eq!(properties["position"]["default"][2], "-1.5 m");
    assert_eq!(properties["in"]["properties"]["temperature"]["description"], "True temperature.");
    assert_eq!(properties["in"]["additionalProperties"], false);
    assert_eq!(schema["additionalProperties"], false);
    for key in COMPONENT_KEYS {
        assert!(properties.get(key).is_some(), "{key}");
    }
}

/// Two vehicles in one component.
#[derive(Component)]
#[component(type = "test.pair", periodic, rate = "1 Hz")]
struct Pair {
    #[input(name = "quad[0].motors", default = 0.0)]
    first: SignalIn<f64>,
    #[input(name = "rover.motors", default = 0.0)]
    second: SignalIn<f64>,
    #[output]
    sum: SignalOut<f64>,
}

impl Periodic for Pair {
    fn step(&mut self, step: &mut Step<'_>) {
        let sum = step.signal(self.first) + step.signal(self.second);
        step.write(self.sum, sum);
    }
}

#[test]
fn inputs_whose_names_have_several_parts_may_be_nested_or_stand_in_a_pattern() {
    let mut registry = Registry::default();
    registry.register::<Pair>().unwrap();
    let schema = json_schema(&registry);
    let inputs = &schema["$defs"]["type test.pair"]["properties"]["in"];
    assert!(inputs["properties"].get("quad[0].motors").is_some());
    assert_eq!(inputs["additionalProperties"], serde_json::json!({ "$ref": "#/$defs/link" }));
}

#[test]
fn every_reference_of_the_schema_leads_somewhere() {
    fn references(value: &serde_json::Value, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(object) => {
                if let Some(serde_json::Value::String(to)) = object.get("$ref") {
                    found.push(to.clone());
                }
                object.values().for_each(|inner| references(inner, found));
            }
            serde_json::Value::Array(array) => {
                array.iter().for_each(|inner| references(inner, found));
            }
            _ => {}
        }
    }
    let schema = json_schema(&registry());
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(found.len() > 10);
    for reference in found {
        let pointer = reference.strip_prefix('#').unwrap().replace("%20", " ");
        assert!(schema.pointer(&pointer).is_some(), "{reference}");
    }
}
