//! The description of a component type.

use std::fmt;
use std::sync::Arc;

use ironbird_kernel::Rate;

use crate::interface::Interface;
use crate::parameter::ParameterDescription;

/// A component type, described.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name under which it is found: `sensor.thermometer`.
    pub name: String,
    /// Its help text. The first paragraph is the summary.
    pub doc: String,
    /// How it is advanced.
    pub kind: Kind,
    /// The rate of a periodic type where none is given.
    pub rate: Option<Rate>,
    /// Whether its bits cannot be promised on every machine.
    pub foreign: bool,
    /// Whether it can be saved in a checkpoint, and reset.
    pub saves_state: bool,
    /// Whether it only turns a signal into another form of it, so that it can be named where two ports
    /// do not fit.
    pub adapter: bool,
    /// The parameter that names the input whose source it reads. That source must be there and run; the other inputs may
    /// be left alone.
    pub switch: Option<String>,
    /// Its parameters, in the order of their declaration.
    pub parameters: Vec<ParameterDescription>,
    /// Services that set several parameters at once.
    pub configurations: Vec<Configuration>,
    /// What all its instances show; `None` where that depends on parameters.
    pub interface: Option<Arc<Interface>>,
}

/// A service that sets several parameters at once, for scenarios to call. Unlike other services it can
/// be that of a provider, which only answers: its parameters change as they do when they are set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Its name.
    pub name: String,
    /// The parameters that are its arguments.
    pub parameters: Vec<String>,
    /// What it does.
    pub doc: String,
}

/// How a component is advanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It steps at a rate.
    Periodic,
    /// It changes at instants of its own and when something arrives.
    EventDriven,
    /// It is executed to know its next output.
    RunAhead,
    /// Its differential equations are solved.
    Continuous,
    /// It answers queries and does nothing else.
    Provider,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Periodic => "periodic",
            Kind::EventDriven => "event-driven",
            Kind::RunAhead => "run-ahead",
            Kind::Continuous => "continuous",
            Kind::Provider => "provider",
        })
    }
}

impl Description {
    /// A type without parameters that can save its state; its interface depends on the instance.
    pub fn new(name: &str, kind: Kind, doc: &str) -> Self {
        Description {
            name: name.into(),
            doc: doc.into(),
            kind,
            rate: None,
            foreign: false,
            saves_state: true,
            adapter: false,
            switch: None,
            parameters: Vec::new(),
            configurations: Vec::new(),
            interface: None,
        }
    }

    /// The first paragraph of the help text, on one line.
    pub fn summary(&self) -> String {
        let first = self.doc.trim().split("\n\n").next().unwrap_or_default();
        first.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
