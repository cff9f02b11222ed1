//! What the code that the derive macros write calls. Nobody else needs it.

pub use ironbird_kernel as kernel;
pub use ironbird_solvers as solvers;

use ironbird_kernel::{
    LoadError, Parameter, ParameterError, Rate, SaveError, StateReader, StateWriter,
};
use ironbird_units::Unit;

use crate::component_type::{InstantiateError, Place};
pub use crate::handles::{
    InputHandle, OutputHandle, QueryHandle, RandomHandle, RequirementHandle, ServiceHandle,
    SignalInput, SignalOutput,
};
use crate::parameter::{ParameterDescription, ParameterKind, Range, Settings};
use crate::parameter_value::{Choice, Given, ParameterValue, Parameters, text};
use crate::scenery::Scenery;
use crate::unit::LeafUnits;

/// What a component does beside its model's functions.
pub trait Hooks {
    /// Whether the parameters fit each other.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Works out what follows from the parameters.
    fn changed(&mut self) {}

    /// What it looks like, if it can be drawn.
    fn scenery(&self) -> Option<Scenery> {
        None
    }
}

/// Makes a component of what a user gave.
pub fn create<T: Parameters + Hooks>(
    settings: &Settings,
    place: &Place<'_>,
) -> Result<T, InstantiateError> {
    let mut made = T::read(&Given::new(settings, place))?;
    made.check().map_err(InstantiateError::general)?;
    made.changed();
    Ok(made)
}

/// Changes a parameter while the system runs.
pub fn change<T: Parameters + Hooks>(
    component: &mut T,
    name: &str,
    value: &Parameter,
) -> Result<(), ParameterError> {
    component.set(name, value)?;
    component.check().map_err(|expected| ParameterError::Invalid {
        name: name.into(),
        value: value.clone(),
        expected,
    })?;
    component.changed();
    Ok(())
}

/// The unit that the macro has read already.
pub fn unit(text: &str) -> Unit {
    text.parse().unwrap_or_else(|error| panic!("the macro took this unit: {error}"))
}

/// The units that the macro has read already.
pub fn units(text: &str) -> LeafUnits {
    text.parse().unwrap_or_else(|error| panic!("the macro took these units: {error}"))
}

/// The rate that the macro has read already.
pub fn rate(text: &str) -> Option<Rate> {
    let (numerator, denominator) = ironbird_units::exact::rate(text).ok()?;
    Rate::new(numerator, denominator).ok()
}

/// The description of a parameter of type `T`.
pub fn parameter<T: ParameterValue>(
    path: &str,
    unit: Unit,
    range: Range,
    default: Option<T>,
    doc: &str,
) -> ParameterDescription {
    let mut description = ParameterDescription::required(path, T::kind(unit, range), doc);
    // A running component has no folder in which it could look for another file.
    description.changeable =
        !matches!(description.kind.leaf_kind(), ParameterKind::File | ParameterKind::Files);
    match default {
        None => description,
        Some(default) => {
            let mut leaves = Vec::new();
            default.write(&mut leaves);
            description.or(leaves)
        }
    }
}

/// Appends the parameters of a group.
pub fn group<G: Parameters>(name: &str, list: &mut Vec<ParameterDescription>) {
    list.extend(G::describe().into_iter().map(|mut parameter| {
        parameter.path = format!("{name}.{}", parameter.path);
        parameter
    }));
}

/// Changes a parameter of a group; `None` if the path leads elsewhere.
pub fn set_in_group<G: Parameters>(
    group: &mut G,
    name: &str,
    path: &str,
    value: &Parameter,
) -> Option<Result<(), ParameterError>> {
    let inside = path.strip_prefix(name)?.strip_prefix('.')?;
    Some(group.set(inside, value).map_err(|mut error| {
        let (ParameterError::Unknown { name } | ParameterError::Invalid { name, .. }) = &mut error;
        *name = path.into();
        error
    }))
}

/// The kind of a [`Choice`].
pub fn choice_kind<C: Choice>() -> ParameterKind {
    ParameterKind::Choice { variants: C::NAMES.iter().map(|name| (*name).into()).collect() }
}

/// The leaf of a [`Choice`].
pub fn write_choice<C: Choice>(choice: &C, leaves: &mut Vec<Parameter>) {
    leaves.push(Parameter::Text(C::NAMES[choice.number()].into()));
}

/// Reads the leaf of a [`Choice`].
pub fn read_choice<C: Choice>(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<C> {
    let name = text(leaves)?;
    C::from_number(C::NAMES.iter().position(|known| **known == *name)?)
}

/// Changes one leaf of `value` if `path` leads to it and the new one is allowed. For derived
/// [`Parameters`]: `None` if the path leads elsewhere.
pub fn set_leaf<T: ParameterValue>(
    value: &mut T,
    parameter: &ParameterDescription,
    path: &str,
    new: &Parameter,
) -> Option<Result<(), ParameterError>> {
    let leaves = parameter.kind.leaves(&parameter.path);
    let index = leaves.iter().position(|(leaf, _)| leaf == path)?;
    let invalid = |expected: String| {
        Err(ParameterError::Invalid { name: path.into(), value: new.clone(), expected })
    };
    if !parameter.changeable {
        return Some(invalid("it cannot be changed while the system runs".into()));
    }
    if let Err(refused) = leaves[index].1.check(new) {
        return Some(invalid(refused.to_string()));
    }
    let mut present = Vec::new();
    value.write(&mut present);
    present[index] = new.clone();
    match T::read(&mut present.into_iter()) {
        Some(changed) => {
            *value = changed;
            Some(Ok(()))
        }
        None => Some(invalid(format!("expected {}", parameter.kind.expected()))),
    }
}

/// Writes a parameter to a checkpoint; for derived [`Parameters`].
pub fn save_value<T: ParameterValue>(value: &T, state: &mut StateWriter) -> Result<(), SaveError> {
    let mut leaves = Vec::new();
    value.write(&mut leaves);
    state.put(&leaves)
}

/// Reads what [`save_value`] wrote.
pub fn load_value<T: ParameterValue>(state: &mut StateReader<'_>) -> Result<T, LoadError> {
    let leaves: Vec<Parameter> = state.get()?;
    T::read(&mut leaves.into_iter())
        .ok_or_else(|| LoadError::Failed("a parameter has another type".into()))
}
