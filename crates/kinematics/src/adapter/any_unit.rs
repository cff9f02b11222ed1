//! Types whose ports `in` and `out` are in a unit that a parameter names.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Instance, InstantiateError, Interface, LeafUnits, Place,
    PortDescription, Settings, Unit, ValueType,
};
use ironbird_kernel::Parameter;

use crate::sample::VectorSample;

/// The type of a `T` that has a parameter `unit`.
pub(crate) struct OfAnyUnit<T> {
    description: Description,
    of: PhantomData<fn() -> T>,
}

impl<T: Component> OfAnyUnit<T> {
    pub fn new() -> Self {
        OfAnyUnit { description: T::description(), of: PhantomData }
    }

    /// What an instance in this unit shows.
    fn interface(&self, unit: &Unit) -> Interface {
        let mut interface = self.description.interface.as_deref().cloned().unwrap_or_default();
        for port in interface.ports.iter_mut().filter(|port| is_vector(&port.name)) {
            port.units = if port.value == ValueType::of::<VectorSample>() {
                LeafUnits::ByPath(vec![("value".into(), unit.clone())])
            } else {
                LeafUnits::All(unit.clone())
            };
        }
        interface
    }
}

fn is_vector(port: &str) -> bool {
    port == "in" || port == "out"
}

impl<T: Component> ComponentType for OfAnyUnit<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = T::make(settings, place)?;
        // It was checked to be a text.
        let Some(Parameter::Text(unit)) = settings.get("unit") else {
            return Err(InstantiateError::of("unit", "it must be given: a text"));
        };
        let unit = unit.trim().parse().map_err(|error| InstantiateError::of("unit", error))?;
        Ok(made.with_interface(Arc::new(self.interface(&unit))))
    }

    /// It does, in the unit of `from`, if its frames are the right ones.
    fn adapts(&self, from: &PortDescription, to: &PortDescription) -> bool {
        let vectors = [ValueType::of::<[f64; 3]>(), ValueType::of::<VectorSample>()];
        if !vectors.contains(&from.value) {
            return false;
        }
        let first = from.value.schema().leaves().into_iter().next();
        let unit = from.units.of(&first.map_or_else(String::new, |leaf| leaf.path));
        self.interface(&unit).joins(from, to)
    }
}
