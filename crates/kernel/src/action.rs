//! What a scenario does to a running system, in phase 0 of an instant and in the order given.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::time::{Rate, Time};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Parameter {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A real number in the unit the component documents.
    Real(f64),
    /// A text.
    Text(String),
}

/// As one would write it, without its unit.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Parameter::Bool(b) => b.fmt(f),
            Parameter::Integer(i) => i.fmt(f),
            Parameter::Real(x) => x.fmt(f),
            Parameter::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// Why a parameter was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
pub enum ParameterError {
    /// There is no parameter of this name.
    #[error("it has no parameter \"{name}\" that can be changed")]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// The parameter cannot take this value.
    #[error("parameter \"{name}\" cannot be {value}: {expected}")]
    Invalid {
        /// The name of the parameter.
        name: String,
        /// The value that was refused.
        value: Parameter,
        /// What would be accepted.
        expected: String,
    },
}

/// Something a scenario does to one component or link.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Changes a parameter of the component at a path. It is the component that validates it; a
    /// refused change is a fault that names the component.
    SetParameter {
        /// Path of the component.
        component: String,
        /// Name of the parameter.
        name: String,
        /// Its new value.
        value: Parameter,
    },
    /// Changes a parameter of the interposer of a named link.
    SetLinkParameter {
        /// Name of the link.
        link: String,
        /// Name of the parameter.
        name: String,
        /// Its new value.
        value: Parameter,
    },
    /// The component makes no more steps and loses what arrives; its outputs hold.
    Stop {
        /// Path of the component.
        component: String,
    },
    /// A stopped component goes on: a periodic one on its grid, an event-driven one with the time
    /// that was left, a run-ahead one from now.
    Start {
        /// Path of the component.
        component: String,
    },
    /// The component goes back to its state at the start of the run. It must be able to save its
    /// state; its random streams go on.
    Reset {
        /// Path of the component.
        component: String,
    },
    /// Another provider answers a query of the component from now on. It must have been offered
    /// ([`crate::Graph::offer_query`]), so that every partition that needs it has it.
    Bind {
        /// Path of the component that asks.
        component: String,
        /// Name of the query.
        query: String,
        /// Path of the provider.
        provider: String,
    },
    /// The periodic component ticks at a new rate, from now on: its tick 0 is this instant.
    SetRate {
        /// Path of the component.
        component: String,
        /// The new rate.
        rate: Rate,
    },
}

impl Action {
    /// The path of the component, or the name of the link, that this acts on.
    pub fn target(&self) -> &str {
        match self {
            Action::SetParameter { component, .. }
            | Action::Stop { component }
            | Action::Start { component }
            | Action::Reset { component }
            | Action::Bind { component, .. }
            | Action::SetRate { component, .. } => component,
            Action::SetLinkParameter { link, .. } => link,
        }
    }
}

/// An action and when it happens.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduledAction {
    /// The instant.
    pub at: Time,
    /// What happens.
    pub action: Action,
}
