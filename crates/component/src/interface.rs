//! The interface of a component: its ports, services and queries.

use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::Arc;

use ironbird_kernel::{LeafKind, PortKind};
use ironbird_units::Unit;

use crate::compatible::compatible;
use crate::holder::Holding;
use crate::scenery::Scenery;
use crate::service_type::ServiceType;
use crate::unit::LeafUnits;
use crate::value_type::ValueType;

/// Everything that can be linked or bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// Inputs and outputs, in the order of their declaration.
    pub ports: Vec<PortDescription>,
    /// Services that it provides.
    pub services: Vec<ServiceDescription>,
    /// Services that it calls.
    pub requires: Vec<ServiceDescription>,
    /// Queries that it asks.
    pub queries: Vec<QueryDescription>,
    /// The query that it answers, if it is a provider.
    pub answers: Option<QuerySignature>,
    /// What it looks like, if it can be drawn.
    pub scenery: Option<Arc<Scenery>>,
    /// Whether its program can hold the run, if it has one that may.
    pub holding: Option<Holding>,
}

/// Which way values go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Direction {
    Input,
    Output,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Input => "input",
            Direction::Output => "output",
        })
    }
}

/// A port of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct PortDescription {
    /// Its name.
    pub name: String,
    /// Which way values go.
    pub direction: Direction,
    /// Whether it holds a value or delivers messages.
    pub kind: PortKind,
    /// Whether this input must be linked.
    pub required: bool,
    /// The type of its values.
    pub value: ValueType,
    /// The units of its leaves.
    pub units: LeafUnits,
    /// The reference frame of its values.
    pub frame: Option<String>,
    /// Frames of parts that differ from it, by path.
    pub part_frames: Vec<(String, String)>,
    /// What it means.
    pub doc: String,
    /// Whether a write wakes the component.
    pub waking: bool,
    /// Where its value is the number of something: the names of that, from 0 on.
    pub labels: Vec<String>,
    /// The lowest and the highest value that mean something, in its unit; what is beyond is taken as these.
    pub range: Option<(f64, f64)>,
    /// Parameters of readers that count in its values, as the column of a picture, and how many there are to count.
    pub counts: Vec<(String, u32)>,
}

impl PortDescription {
    fn new(name: &str, direction: Direction, kind: PortKind, value: ValueType) -> Self {
        PortDescription {
            name: name.into(),
            direction,
            kind,
            required: direction == Direction::Input && kind == PortKind::Signal,
            value,
            units: LeafUnits::plain(),
            frame: None,
            part_frames: Vec::new(),
            doc: String::new(),
            waking: false,
            labels: Vec::new(),
            range: None,
            counts: Vec::new(),
        }
    }

    /// An input; a signal must be linked.
    pub fn input(name: &str, kind: PortKind, value: ValueType) -> Self {
        PortDescription::new(name, Direction::Input, kind, value)
    }

    /// An output.
    pub fn output(name: &str, kind: PortKind, value: ValueType) -> Self {
        PortDescription::new(name, Direction::Output, kind, value)
    }

    /// Sets the units of its leaves.
    pub fn units(mut self, units: LeafUnits) -> Self {
        self.units = units;
        self
    }

    /// Sets what it means.
    pub fn doc(mut self, doc: &str) -> Self {
        self.doc = doc.into();
        self
    }

    /// Sets its reference frame, and those of parts that differ from it: `"ned, angular_velocity: body"`.
    pub fn frame(mut self, frame: &str) -> Self {
        for one in frame.split(',').map(str::trim) {
            match one.split_once(':') {
                Some((part, frame)) => {
                    self.part_frames.push((part.trim().into(), frame.trim().into()));
                }
                None => self.frame = Some(one.into()),
            }
        }
        self
    }

    /// It need not be linked.
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// A write wakes the component.
    pub fn waking(mut self) -> Self {
        self.waking = true;
        self
    }

    /// Sets the lowest and the highest value that mean something.
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// Sets the names of what its value is the number of.
    pub fn labels(mut self, labels: Vec<String>) -> Self {
        self.labels = labels;
        self
    }
}

/// A service that a component provides or requires.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceDescription {
    /// Its name.
    pub name: String,
    /// The types of argument and reply.
    pub service: ServiceType,
    /// The units of the leaves of the argument.
    pub units: LeafUnits,
    /// The leaves of the argument that mean nothing unless they are above 0.
    pub positive: Vec<String>,
    /// Whether this required service may stay unbound.
    pub optional: bool,
    /// What it does.
    pub doc: String,
}

/// One leaf of the argument of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgumentDescription {
    /// Its path in the argument: `speed`; empty where the argument is a single number.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// What it is on the wire.
    pub kind: LeafKind,
    /// Whether it must be above 0.
    pub is_positive: bool,
    /// Its number, for [`ValueType::set_leaves`].
    pub index: usize,
}

impl ServiceDescription {
    /// A service of plain numbers that must be bound where it is required.
    pub fn new(name: &str, service: ServiceType) -> Self {
        ServiceDescription {
            name: name.into(),
            service,
            units: LeafUnits::plain(),
            positive: Vec::new(),
            optional: false,
            doc: String::new(),
        }
    }

    /// Sets what it does.
    pub fn doc(mut self, doc: &str) -> Self {
        self.doc = doc.into();
        self
    }

    /// Sets which leaves of the argument must be above 0: their paths, with commas between.
    pub fn positive(mut self, paths: &str) -> Self {
        self.positive = paths.split(',').map(|path| path.trim().to_owned()).collect();
        self
    }

    /// Sets the units of the leaves of the argument.
    pub fn units(mut self, units: LeafUnits) -> Self {
        self.units = units;
        self
    }

    /// It may stay unbound.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// The leaves of the argument.
    pub fn arguments(&self) -> Vec<ArgumentDescription> {
        let leaves = self.service.argument().schema().leaves().into_iter();
        leaves
            .map(|leaf| ArgumentDescription {
                unit: self.units.of(&leaf.path),
                is_positive: self.positive.contains(&leaf.path),
                name: leaf.path,
                kind: leaf.kind,
                index: leaf.index,
            })
            .collect()
    }
}

/// A query that a component asks.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryDescription {
    /// Its name.
    pub name: String,
    /// The types of argument and answer.
    pub signature: QuerySignature,
    /// What is asked.
    pub doc: String,
}

/// The types of a query's argument and answer. Two are equal if the types are the same.
#[derive(Clone, Copy, Debug)]
pub struct QuerySignature {
    id: TypeId,
    argument: &'static str,
    answer: &'static str,
}

impl QuerySignature {
    /// Questions of type `A`, answered with `R`.
    pub fn of<A: 'static, R: 'static>() -> Self {
        QuerySignature {
            id: TypeId::of::<fn(A) -> R>(),
            argument: type_name::<A>(),
            answer: type_name::<R>(),
        }
    }
}

impl PartialEq for QuerySignature {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Display for QuerySignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", without_modules(self.argument), without_modules(self.answer))
    }
}

/// A type's name without the modules that it is in: `Option<Depth>` for `core::option::Option<sea::Depth>`.
fn without_modules(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        short += part.rsplit("::").next().unwrap_or(part);
    }
    short
}

impl Interface {
    /// The inputs.
    pub fn inputs(&self) -> impl Iterator<Item = &PortDescription> {
        self.ports.iter().filter(|port| port.direction == Direction::Input)
    }

    /// The outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &PortDescription> {
        self.ports.iter().filter(|port| port.direction == Direction::Output)
    }

    /// The input `name`.
    pub fn input(&self, name: &str) -> Option<&PortDescription> {
        self.inputs().find(|port| port.name == name)
    }

    /// The output `name`.
    pub fn output(&self, name: &str) -> Option<&PortDescription> {
        self.outputs().find(|port| port.name == name)
    }

    /// The way by which a component between these two ports turns what `from` shows into what `to` takes: the input
    /// that it comes in at, and the output that it goes out at.
    ///
    /// What comes in at an input goes out at the output of the same name; where there is none, what
    /// comes in at the first input goes out at the first output. All other inputs are what it needs
    /// for that, as the attitude by which it turns a vector.
    pub fn way(
        &self,
        from: &PortDescription,
        to: &PortDescription,
    ) -> Option<(&PortDescription, &PortDescription)> {
        // What takes any frame does not turn one into another.
        let turns = from.frame == to.frame || from.frame.is_none() || to.frame.is_none();
        let fits = |a: &PortDescription, b: &PortDescription| {
            compatible(a, b).is_ok() && (turns || a.frame == b.frame)
        };
        let mut inputs = self.inputs().enumerate().filter(|(_, input)| fits(from, input));
        inputs.find_map(|(number, input)| {
            let first = || self.outputs().next().filter(|_| number == 0);
            let output = self.output(&input.name).or_else(first)?;
            fits(output, to).then_some((input, output))
        })
    }

    /// The provided service `name`.
    pub fn service(&self, name: &str) -> Option<&ServiceDescription> {
        self.services.iter().find(|service| service.name == name)
    }

    /// The required service `name`.
    pub fn requirement(&self, name: &str) -> Option<&ServiceDescription> {
        self.requires.iter().find(|service| service.name == name)
    }

    /// The asked query `name`.
    pub fn query(&self, name: &str) -> Option<&QueryDescription> {
        self.queries.iter().find(|query| query.name == name)
    }
}
