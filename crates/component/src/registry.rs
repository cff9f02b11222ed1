//! All component types that a program knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ironbird_kernel::path::nearest;

use crate::component::{Component, StructType};
use crate::component_type::ComponentType;
use crate::description::Description;
use crate::interface::PortDescription;
use crate::parameter::{ParameterKind, Refused, Settings};
use crate::unit::{LeafUnits, leads_to};
use crate::value_type::ValueType;

/// Component types by name. Each library of models has a function that registers its own. A clone shares
/// the types, and may hold more.
#[derive(Clone, Default)]
pub struct Registry {
    types: BTreeMap<String, Arc<dyn ComponentType>>,
}

/// What can be wrong with a name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum RegistryError {
    #[error("there are two component types \"{name}\"")]
    Duplicate { name: String },
    #[error(
        "\"{name}\" cannot name a component type: use words of small letters, digits and `-`, joined by dots"
    )]
    BadName { name: String },
    #[error("the default of \"{parameter}\" of the component type \"{name}\": {refused}")]
    BadDefault { name: String, parameter: String, refused: Refused },
    #[error("the component type \"{name}\" cannot call a parameter \"{parameter}\": {reason}")]
    BadParameter { name: String, parameter: String, reason: &'static str },
    #[error(
        "the component type \"{name}\" gives a unit to \"{path}\" of \"{port}\", which is a {value} and has no such part"
    )]
    BadUnits { name: String, port: String, path: String, value: ValueType },
    #[error(
        "the component type \"{name}\" is switched by \"{parameter}\", which is no choice between its inputs"
    )]
    BadSwitch { name: String, parameter: String },
    #[error(
        "the component type \"{name}\" wants \"{path}\" of \"{port}\" to be above 0, but the argument is a {value} and has no \
         such part"
    )]
    BadPositive { name: String, port: String, path: String, value: ValueType },
    #[error("there is no component type \"{name}\"{}", crate::parameter::suggestion(.nearest))]
    Unknown { name: String, nearest: Option<String> },
}

/// Keys that a component has in an experiment, whatever its type.
pub const COMPONENT_KEYS: [&str; 10] =
    ["type", "in", "rate", "delay", "timing", "placement", "enabled", "count", "priority", "bind"];

impl Registry {
    /// A registry that holds nothing.
    pub fn empty() -> Self {
        Registry::default()
    }

    /// A registry that holds the general types of this crate.
    pub fn with_builtin() -> Self {
        let mut registry = Registry::empty();
        for component_type in crate::builtin::all() {
            let name = component_type.description().name.clone();
            registry.types.insert(name, component_type.into());
        }
        registry
    }

    /// Adds a type written in Rust.
    pub fn register<T: Component>(&mut self) -> Result<(), RegistryError> {
        self.register_type(Box::new(StructType::<T>::new()))
    }

    /// Adds a type of any make.
    pub fn register_type(
        &mut self,
        component_type: Box<dyn ComponentType>,
    ) -> Result<(), RegistryError> {
        let name = component_type.description().name.clone();
        let word = |word: &str| {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            !word.is_empty() && word.chars().all(plain)
        };
        if !name.split('.').all(word) {
            return Err(RegistryError::BadName { name });
        }
        check_parameters(component_type.description())?;
        check_units(component_type.description())?;
        check_services(component_type.description())?;
        check_switch(component_type.description())?;
        if self.types.contains_key(&name) {
            return Err(RegistryError::Duplicate { name });
        }
        self.types.insert(name, component_type.into());
        Ok(())
    }

    /// The type `name`.
    pub fn get(&self, name: &str) -> Result<&dyn ComponentType, RegistryError> {
        self.types.get(name).map(Arc::as_ref).ok_or_else(|| {
            let near = nearest(name, self.types.keys().map(String::as_str)).map(Into::into);
            RegistryError::Unknown { name: name.into(), nearest: near }
        })
    }

    /// All types in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &dyn ComponentType> {
        self.types.values().map(Arc::as_ref)
    }

    /// The types that would join two ports that cannot be linked directly, each with the parameters that follow from
    /// the ports.
    pub fn adapters(
        &self,
        from: &PortDescription,
        to: &PortDescription,
    ) -> Vec<(&dyn ComponentType, Settings)> {
        let types = self.types.values().map(Arc::as_ref);
        types.filter_map(|known| Some((known, known.between(from, to)?))).collect()
    }
}

fn check_parameters(description: &Description) -> Result<(), RegistryError> {
    let mut leaves = BTreeSet::new();
    for parameter in &description.parameters {
        let bad = |reason| RegistryError::BadParameter {
            name: description.name.clone(),
            parameter: parameter.path.clone(),
            reason,
        };
        let first = parameter.path.split('.').next().unwrap_or_default();
        if COMPONENT_KEYS.contains(&first) {
            return Err(bad("every component has a key of this name"));
        }
        for (path, kind, default) in parameter.leaves() {
            if let Some(Err(refused)) = default.map(|default| kind.check(default)) {
                let (name, parameter) = (description.name.clone(), path);
                return Err(RegistryError::BadDefault { name, parameter, refused });
            }
            if !leaves.insert(path) {
                return Err(bad("it has another one of this name"));
            }
        }
    }
    Ok(())
}

/// A switch chooses between inputs, by their names.
fn check_switch(description: &Description) -> Result<(), RegistryError> {
    let Some(interface) = &description.interface else { return Ok(()) };
    if let Some(switch) = &description.switch {
        let parameter = description.parameters.iter().find(|one| one.path == *switch);
        let names_inputs = parameter.is_some_and(|one| match &one.kind {
            ParameterKind::Choice { variants } => {
                variants.iter().all(|name| interface.input(name).is_some())
            }
            _ => false,
        });
        if !names_inputs {
            let (name, parameter) = (description.name.clone(), switch.clone());
            return Err(RegistryError::BadSwitch { name, parameter });
        }
    }
    Ok(())
}

/// What must be above 0 is a part of an argument.
fn check_services(description: &Description) -> Result<(), RegistryError> {
    let Some(interface) = &description.interface else { return Ok(()) };
    for service in &interface.services {
        let (value, port) = (service.service.argument(), service.name.clone());
        let leaves = value.schema().leaves();
        let is_known = |path: &&String| leaves.iter().any(|leaf| leaf.path == **path);
        if let Some(path) = service.positive.iter().find(|path| !is_known(path)) {
            let (name, path) = (description.name.clone(), path.clone());
            return Err(RegistryError::BadPositive { name, port, path, value });
        }
    }
    Ok(())
}

/// A unit for a part that does not exist is a slip of the pen.
fn check_units(description: &Description) -> Result<(), RegistryError> {
    let Some(interface) = &description.interface else { return Ok(()) };
    let ports = interface.ports.iter().map(|port| (&port.name, port.value, &port.units));
    let services = interface.services.iter().chain(&interface.requires);
    let services = services.map(|s| (&s.name, s.service.argument(), &s.units));
    for (port, value, units) in ports.chain(services) {
        let LeafUnits::ByPath(units) = units else { continue };
        let leaves = value.schema().leaves();
        let leads = |path: &str| leaves.iter().any(|leaf| leads_to(path, &leaf.path));
        if let Some((path, _)) = units.iter().find(|(path, _)| !leads(path)) {
            let (name, port, path) = (description.name.clone(), port.clone(), path.clone());
            return Err(RegistryError::BadUnits { name, port, path, value });
        }
    }
    Ok(())
}
