//! The first message, and other texts.

use ironbird_component::scenery::{BodyKind, Cell, Placed, Road, Sea};
use ironbird_record::Event;
use serde::Serialize;
use serde_json::{Value, json};

/// What a client is told first.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Hello {
    pub is: &'static str,
    pub version: u32,
    pub live: bool,
    pub run: usize,
    pub runs: Vec<String>,
    pub title: String,
    pub scenario: String,
    pub repetition: u64,
    pub duration: f64,
    pub time: f64,
    pub pace: Option<f64>,
    pub scene: SceneShown,
    pub signals: Vec<SignalShown>,
    pub graph: GraphShown,
    pub requirements: Vec<RequirementShown>,
    pub faults: Vec<FaultShown>,
    pub parameters: Vec<ParameterShown>,
    pub controls: Vec<ControlShown>,
    pub machines: Vec<MachineShown>,
    pub events: Vec<Value>,
}

/// What is drawn.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct SceneShown {
    pub origin: Option<Value>,
    pub ground: Value,
    pub sea: Option<Sea>,
    pub fixed: Vec<Placed>,
    pub bodies: Vec<BodyShown>,
    pub paths: Vec<Value>,
    pub cells: Vec<Cell>,
    pub road: Option<Road>,
    pub sensors: Vec<Value>,
}

/// A body.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct BodyShown {
    pub id: u16,
    pub path: String,
    pub name: String,
    pub kind: BodyKind,
    pub size: [f64; 3],
    pub shapes: Vec<Placed>,
    pub rotors: Vec<Value>,
    pub surfaces: Vec<Value>,
    pub wheels: Vec<Value>,
    pub wind: Option<[u32; 3]>,
    pub links: Vec<Value>,
}

/// A number that can be plotted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SignalShown {
    pub id: u32,
    pub component: String,
    pub port: String,
    pub leaf: String,
    pub unit: String,
    pub labels: Option<Vec<String>>,
    pub steps: bool,
    pub recorded: bool,
}

/// The system.
#[derive(Clone, Debug, Default, Serialize)]
#[allow(missing_docs)]
pub struct GraphShown {
    pub components: Vec<Value>,
    pub links: Vec<Value>,
}

/// A requirement.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct RequirementShown {
    pub name: String,
    pub text: String,
    /// Of its margin.
    pub unit: String,
}

/// A fault that can be switched.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct FaultShown {
    pub name: String,
    pub text: String,
    pub active: bool,
}

/// A parameter that can be changed.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ParameterShown {
    pub component: String,
    pub parameter: String,
    pub value: String,
    pub doc: String,
}

/// Something that a person can drive.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct ControlShown {
    pub component: String,
    pub name: String,
    pub axes: Vec<AxisShown>,
}

/// One direction in which it can be driven.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct AxisShown {
    pub parameter: String,
    pub least: f64,
    pub most: f64,
    pub rest: f64,
}

/// A component that enters states.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct MachineShown {
    pub component: String,
    pub name: String,
    pub states: Vec<String>,
    pub state: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<(f64, String)>>,
}

/// An event as the client has it.
pub fn event(event: &Event) -> Value {
    let (kind, text) = match (event.kind.as_str(), event.text.as_str()) {
        ("fault", text) if text.starts_with("begins") => {
            ("fault-begins", text.trim_start_matches("begins").trim_start_matches(": "))
        }
        ("fault", _) => ("fault-ends", ""),
        ("violation" | "verdict", text) => ("requirement", text),
        (kind, text) => (kind, text),
    };
    let time = event.time.as_secs_f64();
    let name = match kind {
        // What it does says more than its number.
        "command" => text.split([' ', '=']).next().unwrap_or_default(),
        _ => &event.name,
    };
    json!({ "is": "event", "time": time, "kind": kind, "name": name, "text": text })
}

/// A state machine is now in a state.
pub fn state(event: &Event) -> Value {
    let time = event.time.as_secs_f64();
    json!({ "is": "state", "time": time, "component": event.name, "name": "state", "state": event.text })
}

/// A fault begins or ends to act.
pub fn fault(name: &str, active: bool, by: &str) -> Value {
    json!({ "is": "fault", "name": name, "active": active, "by": by })
}

/// The answer to a request.
pub fn answer(id: u32, done: &Result<(), String>) -> Value {
    match done {
        Ok(()) => json!({ "is": "answer", "id": id }),
        Err(why) => json!({ "is": "answer", "id": id, "error": why }),
    }
}
