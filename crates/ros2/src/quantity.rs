//! Types whose ports have the unit, and where they say so the frame, that parameters name.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Instance, InstantiateError, LeafUnits, Place, Settings,
    Unit,
};
use ironbird_kernel::Parameter;

/// The type of a `T` whose port `value` has the unit of its parameter `unit`, and the frame of its
/// parameter `frame` if it has one.
pub(crate) struct Quantity<T> {
    description: Description,
    of: PhantomData<fn() -> T>,
}

impl<T: Component> Quantity<T> {
    pub fn new() -> Self {
        Quantity { description: T::description(), of: PhantomData }
    }

    /// The text of a parameter: the one given, or its default.
    fn text<'a>(&'a self, settings: &'a Settings, name: &str) -> Option<&'a str> {
        let known = self.description.parameters.iter().find(|known| known.path == name)?;
        let default = known.default.as_ref().and_then(|leaves| leaves.first());
        match settings.get(name).or(default) {
            Some(Parameter::Text(text)) => Some(text),
            _ => None,
        }
    }
}

impl<T: Component> ComponentType for Quantity<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = T::make(settings, place)?;
        let unit: Unit = self
            .text(settings, "unit")
            .unwrap_or_default()
            .trim()
            .parse()
            .map_err(|error| InstantiateError::of("unit", error))?;
        let mut interface = self.description.interface.as_deref().cloned().unwrap_or_default();
        for port in interface.ports.iter_mut().filter(|port| port.name == "value") {
            port.units = LeafUnits::All(unit.clone());
            port.frame = self.text(settings, "frame").map(str::to_owned);
        }
        Ok(made.with_interface(Arc::new(interface)))
    }
}
