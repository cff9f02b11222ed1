//! Component types that are Rust structs.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_kernel::{Atomic, ComponentRef, Graph, Periodic, Provider, Rate, RunAhead, Time};

use crate::component_type::{AddError, ComponentType, Instance, InstantiateError, Place};
use crate::description::{Description, Kind};
use crate::interface::Interface;
use crate::parameter::Settings;
use crate::scenery::Scenery;

/// A struct that is a component type. Derive it; see the [crate's documentation](crate).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no component type",
    note = "a component type is a struct that derives `Component`"
)]
pub trait Component: Sized + 'static {
    /// What it says of itself; its interface is the same for all instances.
    fn description() -> Description;

    /// Makes one with these parameters, ready to be put into a system.
    fn make(settings: &Settings, place: &Place<'_>) -> Result<Made, InstantiateError>;
}

/// What a provider of a query does: `#[component(type = "…", provider, provides = fn(A) -> R)]`.
pub trait Answers<A, R> {
    /// The answer at `now`: a function of the parameters and the argument, nothing else.
    fn answer(&self, now: Time, argument: &A) -> R;
}

/// A model that was made, how it gets into a graph, and what it looks like.
pub struct Made {
    add: Box<AddToGraph>,
    scenery: Option<Scenery>,
}

type AddToGraph = dyn FnOnce(&mut Graph, ComponentRef, &str, Option<Rate>) -> Result<ComponentRef, AddError>
    + Send;

impl Made {
    fn new(
        add: impl FnOnce(&mut Graph, ComponentRef, &str, Option<Rate>) -> Result<ComponentRef, AddError>
        + Send
        + 'static,
    ) -> Self {
        Made { add: Box::new(add), scenery: None }
    }

    /// A periodic model; `rate` holds where none is given.
    pub fn periodic(model: impl Periodic, rate: Option<Rate>) -> Self {
        Made::new(move |graph, parent, name, given| {
            let rate = given.or(rate).ok_or_else(|| AddError::NoRate { name: name.into() })?;
            Ok(graph.add_periodic(parent, name, model, rate)?)
        })
    }

    /// An event-driven model.
    pub fn event_driven(model: impl Atomic) -> Self {
        Made::without_rate(Kind::EventDriven, |graph, parent, name| {
            Ok(graph.add(parent, name, model)?)
        })
    }

    /// A run-ahead model.
    pub fn run_ahead(model: impl RunAhead) -> Self {
        Made::without_rate(Kind::RunAhead, |graph, parent, name| {
            Ok(graph.add_run_ahead(parent, name, model)?)
        })
    }

    /// A provider of a query.
    pub fn provider<A: 'static, R: 'static>(provider: impl Provider<A, R>) -> Self {
        Made::without_rate(Kind::Provider, |graph, parent, name| {
            Ok(graph.provide(parent, name, provider)?)
        })
    }

    /// What has no rate.
    pub(crate) fn without_rate(
        kind: Kind,
        add: impl FnOnce(&mut Graph, ComponentRef, &str) -> Result<ComponentRef, AddError>
        + Send
        + 'static,
    ) -> Self {
        Made::new(move |graph, parent, name, rate| match rate {
            None => add(graph, parent, name),
            Some(_) => Err(AddError::HasNoRate { name: name.into(), kind }),
        })
    }

    /// The same, and what it looks like.
    pub fn with_scenery(self, scenery: Option<Scenery>) -> Self {
        Made { scenery, ..self }
    }

    /// The same with what others can link to.
    pub fn with_interface(self, interface: Arc<Interface>) -> Box<dyn Instance> {
        self.with_warnings(interface, Vec::new())
    }

    /// The same with what it has to say of its parameters or files.
    pub fn with_warnings(
        self,
        interface: Arc<Interface>,
        warnings: Vec<String>,
    ) -> Box<dyn Instance> {
        let interface = match self.scenery {
            None => interface,
            Some(scenery) => {
                let scenery = Some(Arc::new(scenery));
                Arc::new(Interface { scenery, ..Interface::clone(&interface) })
            }
        };
        Box::new(MadeInstance { add: self.add, interface, warnings })
    }
}

struct MadeInstance {
    add: Box<AddToGraph>,
    interface: Arc<Interface>,
    warnings: Vec<String>,
}

impl Instance for MadeInstance {
    fn interface(&self) -> &Interface {
        &self.interface
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn add_to(
        self: Box<Self>,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        rate: Option<Rate>,
    ) -> Result<ComponentRef, AddError> {
        (self.add)(graph, parent, name, rate)
    }
}

/// A struct seen as one type among others.
pub(crate) struct StructType<T> {
    description: Description,
    interface: Arc<Interface>,
    of: PhantomData<fn() -> T>,
}

impl<T: Component> StructType<T> {
    pub fn new() -> Self {
        let description = T::description();
        let interface = description.interface.clone().unwrap_or_default();
        StructType { description, interface, of: PhantomData }
    }
}

impl<T: Component> ComponentType for StructType<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        Ok(T::make(settings, place)?.with_interface(self.interface.clone()))
    }
}
