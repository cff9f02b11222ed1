//! Component types whose ports have the unit, and the frame, that their parameters name.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Given, Instance, InstantiateError, Interface, LeafUnits,
    Place, PortDescription, Settings, Unit,
};

/// A struct of which every instance has units of its own.
pub(super) struct LogType<T> {
    description: Description,
    interface: Arc<Interface>,
    of: PhantomData<fn() -> T>,
}

impl<T: Component> LogType<T> {
    pub fn new() -> Self {
        let mut description = T::description();
        let interface = description.interface.take().unwrap_or_default();
        LogType { description, interface, of: PhantomData }
    }

    /// The text that a parameter has.
    fn text(&self, name: &str, given: &Given<'_>) -> Result<Option<String>, InstantiateError> {
        let parameter = self.description.parameters.iter().find(|p| p.path == name);
        parameter.map_or(Ok(None), |parameter| given.read_optional(parameter))
    }
}

impl<T: Component> ComponentType for LogType<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = T::make(settings, place)?;
        let given = Given::new(settings, place);
        let unit = self.text("unit", &given)?.unwrap_or_default();
        let unit: Unit = unit.parse().map_err(|error| InstantiateError::of("unit", error))?;
        let frame = self.text("frame", &given)?;
        let base = Unit::base(unit.dimension());
        let mut interface = Interface::clone(&self.interface);
        for port in &mut interface.ports {
            let PortDescription { name, units, .. } = port;
            match name.as_str() {
                "reading" => {
                    *units = LeafUnits::ByPath(vec![("value".into(), base.clone())]);
                    port.frame = frame.clone();
                }
                "valid" => {}
                _ => *units = LeafUnits::All(unit.clone()),
            }
        }
        Ok(made.with_interface(Arc::new(interface)))
    }
}
