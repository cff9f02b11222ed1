//! Component types whatever they are made of: Rust structs, FMUs, recordings.

use std::path::Path;

use ironbird_kernel::{ComponentRef, Graph, GraphError, Rate};

use crate::description::Description;
use crate::interface::{Interface, PortDescription};
use crate::parameter::Settings;

/// Something that components can be instances of.
pub trait ComponentType: Send + Sync {
    /// What it says of itself.
    fn description(&self) -> &Description;

    /// Makes a component with these parameters, which it has; whether they fit is still to be checked.
    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError>;

    /// Makes a component with these parameters, after checking that it has them.
    fn instantiate(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        refuse_unknown(self.description(), settings)?;
        self.create(settings, place)
    }

    /// The parameters by which an instance between these two ports joins what cannot be linked directly: those that
    /// follow from the ports. `None` where none would. By default a type joins two ports without any, if it calls
    /// itself an adapter and has ports that fit ([`Interface::way`]).
    fn between(&self, from: &PortDescription, to: &PortDescription) -> Option<Settings> {
        let description = self.description();
        let interface = description.interface.as_ref().filter(|_| description.adapter)?;
        interface.way(from, to).map(|_| Settings::new())
    }
}

/// A component that was made and not yet put into a system.
pub trait Instance: Send {
    /// What can be linked and bound.
    fn interface(&self) -> &Interface;

    /// What its parameters or files ask for and it does not do: told when an experiment is checked.
    fn warnings(&self) -> &[String] {
        &[]
    }

    /// Puts it into `parent`. A rate is for periodic types only; theirs is taken where none is given.
    fn add_to(
        self: Box<Self>,
        graph: &mut Graph,
        parent: ComponentRef,
        name: &str,
        rate: Option<Rate>,
    ) -> Result<ComponentRef, AddError>;
}

/// Where a component is made.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The folder to which file names are relative: that of the experiment.
    pub folder: &'a Path,
}

/// Why a component cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{message}", at(.parameter))]
pub struct InstantiateError {
    /// The parameter that is wrong, if it is one.
    pub parameter: Option<String>,
    /// What is wrong with it.
    pub message: String,
    /// Nothing that was written is wrong: what the component needs has failed, as user code that hangs.
    pub is_failure: bool,
}

fn at(parameter: &Option<String>) -> String {
    parameter.as_ref().map_or_else(String::new, |path| format!("parameter \"{path}\": "))
}

impl InstantiateError {
    /// A wrong parameter.
    pub fn of(parameter: &str, message: impl ToString) -> Self {
        let parameter = Some(parameter.into());
        InstantiateError { parameter, message: message.to_string(), is_failure: false }
    }

    /// Something wrong with the whole.
    pub fn general(message: impl ToString) -> Self {
        InstantiateError { parameter: None, message: message.to_string(), is_failure: false }
    }

    /// Says that it may be no mistake of what was written.
    pub fn failure(mut self, is_failure: bool) -> Self {
        self.is_failure = is_failure;
        self
    }
}

/// Why a component cannot be put into a system.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum AddError {
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error("\"{name}\" is periodic and needs a rate, for example rate = \"100 Hz\"")]
    NoRate { name: String },
    #[error("\"{name}\" has no rate: its type is {kind}")]
    HasNoRate { name: String, kind: crate::Kind },
}

/// Refuses parameters that the type does not have.
fn refuse_unknown(description: &Description, settings: &Settings) -> Result<(), InstantiateError> {
    let known: Vec<String> = description
        .parameters
        .iter()
        .flat_map(|parameter| parameter.kind.leaves(&parameter.path))
        .map(|(path, _)| path)
        .collect();
    let Some(path) = settings.keys().find(|path| !known.contains(path)) else { return Ok(()) };
    let near = ironbird_kernel::path::nearest(path, known.iter().map(String::as_str));
    let hint = crate::parameter::suggestion(&near.map(Into::into));
    let message = format!("{} has no such parameter{hint}", description.name);
    Err(InstantiateError::of(path, message))
}
