//! What a new component type shall have.

use crate::skeleton::value::{RustType, RustValue};

/// A component type that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name under which it is found: `thermal.radiator`.
    pub type_name: String,
    /// How it is advanced.
    pub kind: Kind,
    /// The rate of a periodic type where none is given.
    pub rate: Option<String>,
    /// What it is.
    pub doc: String,
    /// Its parameters.
    pub parameters: Vec<Setting>,
    /// What it reads.
    pub inputs: Vec<InputPort>,
    /// What it shows or sends.
    pub outputs: Vec<OutputPort>,
    /// What it does for others.
    pub services: Vec<Service>,
    /// What others do for it.
    pub requires: Vec<Required>,
    /// What it asks.
    pub queries: Vec<Query>,
    /// Its random numbers.
    pub random: Vec<Stream>,
}

/// How it is advanced.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// It steps at a rate.
    Periodic,
    /// It changes at instants of its own and when something arrives.
    EventDriven,
    /// Its differential equations are solved.
    Continuous,
    /// It answers queries: types of argument and answer.
    Provider(RustType, RustType),
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: RustType,
    /// Its unit.
    pub unit: Option<String>,
    /// Its value where none is given.
    pub default: Option<RustValue>,
    /// `min`, `max`, `above` and `below`, where given.
    pub limits: Vec<(&'static str, RustValue)>,
    /// Whether it cannot change during a run.
    pub fixed: bool,
    /// What may be chosen, if it is a choice.
    pub choices: Vec<String>,
    /// What it means.
    pub doc: String,
}

/// An input.
#[derive(Clone, Debug, PartialEq)]
pub struct InputPort {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub of: RustType,
    /// Its unit, or the units of its parts.
    pub unit: Option<String>,
    /// The reference frame of its values.
    pub frame: Option<String>,
    /// Its value where nothing is linked.
    pub default: Option<RustValue>,
    /// Whether it gets messages rather than a signal.
    pub event: bool,
    /// Whether a write wakes the component.
    pub waking: bool,
    /// Whether it follows a continuous signal.
    pub follows: bool,
    /// What it means.
    pub doc: String,
}

/// An output.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPort {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub of: RustType,
    /// Its unit, or the units of its parts.
    pub unit: Option<String>,
    /// The reference frame of its values.
    pub frame: Option<String>,
    /// Its value at the start.
    pub initial: Option<RustValue>,
    /// Whether it sends messages rather than shows a signal.
    pub event: bool,
    /// What it means.
    pub doc: String,
}

/// A service that it provides.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// What is asked: name, type and unit of each argument.
    pub arguments: Vec<(String, RustType, Option<String>)>,
    /// What is answered.
    pub reply: RustType,
    /// What it does.
    pub doc: String,
}

/// A service that it calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Required {
    /// Its name.
    pub name: String,
    /// What it asks.
    pub argument: RustType,
    /// The unit of what it asks.
    pub unit: Option<String>,
    /// What is answered.
    pub reply: RustType,
    /// Whether it may stay unbound.
    pub optional: bool,
    /// What it is for.
    pub doc: String,
}

/// A query that it asks.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// Its name.
    pub name: String,
    /// What it asks.
    pub argument: RustType,
    /// What is answered.
    pub answer: RustType,
    /// What it is for.
    pub doc: String,
}

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub doc: String,
}
