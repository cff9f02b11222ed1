//! The parts of a graph: references to components, links, and what a component is.

use crate::agenda::SharedAgenda;
use crate::interpose::Interposer;
use crate::model::AnyModel;
use crate::port::PortSpec;
use crate::query::{ErasedProvider, Signature};
use crate::selection::Selection;
use crate::time::{Duration, Rate};
use crate::value::AnyValue;

/// A component of a [`crate::Graph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentRef(pub(crate) u32);

impl ComponentRef {
    /// One of its ports, by name.
    pub fn port<'a>(self, name: &'a str) -> PortRef<'a> {
        PortRef { component: self, port: name }
    }
}

/// A port of a component, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortRef<'a> {
    /// The component.
    pub component: ComponentRef,
    /// The name of the port.
    pub port: &'a str,
}

/// How a link carries values. The default carries them at once.
#[derive(Default)]
pub struct Link {
    pub(crate) latency: Duration,
    pub(crate) previous: bool,
    pub(crate) selection: Option<Selection>,
    pub(crate) interposer: Option<(String, Box<dyn Interposer>)>,
}

impl Link {
    /// Values arrive at once.
    pub fn direct() -> Self {
        Link::default()
    }

    /// Values arrive `latency` later, in any placement.
    pub fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// The reader sees the last value of an earlier instant: the same as a latency of one
    /// picosecond, the smallest span of time. Signals only.
    pub fn previous(mut self) -> Self {
        self.previous = true;
        self
    }

    /// The reader takes a part of what the source shows. An interposer on this link sees that part.
    pub fn select(mut self, selection: Selection) -> Self {
        self.selection = Some(selection);
        self
    }

    /// Puts an interposer on the link. Its name keys its random numbers and addresses it in
    /// actions.
    pub fn via(mut self, name: &str, interposer: impl Interposer) -> Self {
        self.interposer = Some((name.into(), Box::new(interposer)));
        self
    }
}

pub(crate) enum ComponentKind {
    Removed,
    Composite(Box<CompositePorts>),
    Model(ModelSpec),
    Provider(Box<ProviderSpec>),
}

#[derive(Default)]
pub(crate) struct CompositePorts {
    pub inputs: Vec<PortSpec>,
    pub outputs: Vec<PortSpec>,
}

/// What stays of a model in the graph when the engine has taken it over.
pub(crate) struct ModelSpec {
    pub layout: u32,
    pub run_ahead: bool,
    /// What most models no longer have when they run.
    pub rest: Option<Box<ModelRest>>,
}

#[derive(Default)]
pub(crate) struct ModelRest {
    pub periodic: Option<PeriodicSpec>,
    /// Values of signal inputs that have no source.
    pub defaults: Vec<(u16, Box<dyn AnyValue>)>,
    /// The model itself, until it is built into an engine.
    pub fresh: Option<Fresh>,
}

impl ModelSpec {
    /// For periodic models.
    pub fn periodic(&self) -> Option<&PeriodicSpec> {
        self.rest.as_ref()?.periodic.as_ref()
    }

    pub fn default_of(&self, port: u16) -> Option<&dyn AnyValue> {
        let defaults = &self.rest.as_ref()?.defaults;
        defaults.iter().find(|(p, _)| *p == port).map(|(_, value)| value.as_ref())
    }

    /// Takes the model over, once.
    pub fn take_fresh(&mut self) -> Option<Fresh> {
        let rest = self.rest.as_mut()?;
        let fresh = rest.fresh.take();
        if rest.periodic.is_none() && rest.defaults.is_empty() {
            self.rest = None;
        }
        fresh
    }
}

#[derive(Clone)]
pub(crate) struct PeriodicSpec {
    pub rate: Rate,
    pub priority: Option<i32>,
    /// Where it steps at instants of its own.
    pub agenda: Option<SharedAgenda>,
}

pub(crate) struct Fresh {
    pub model: AnyModel,
    /// First values of signal outputs.
    pub initials: Vec<(u16, Box<dyn AnyValue>)>,
}

pub(crate) struct ProviderSpec {
    pub signature: Signature,
    pub provider: Box<dyn ErasedProvider>,
}

/// One end of a link. A composite's input receives from outside and sends inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct End {
    pub component: u32,
    pub port: u16,
    /// For composites: whether the port is one of its inputs.
    pub input: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct GraphLink {
    pub from: End,
    pub to: End,
}

pub(crate) struct QueryBinding {
    pub component: u32,
    pub query: u16,
    pub provider: u32,
}
