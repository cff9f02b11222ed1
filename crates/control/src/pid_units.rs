//! The type of a PID controller: the units of its ports are parameters.

use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Instance, InstantiateError, LeafUnits, Place, Settings,
    Unit,
};
use ironbird_kernel::Parameter;

use crate::pid::Pid;

/// The type `control.pid`.
pub(crate) struct PidType {
    description: Description,
}

impl PidType {
    pub fn new() -> Self {
        PidType { description: Pid::description() }
    }
}

impl ComponentType for PidType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = Pid::make(settings, place)?;
        let (input, output) = (unit(settings, "input_unit")?, unit(settings, "output_unit")?);
        let mut interface = self.description.interface.as_deref().cloned().unwrap_or_default();
        for port in &mut interface.ports {
            let unit = if port.name == "command" { &output } else { &input };
            port.units = LeafUnits::All(unit.clone());
        }
        Ok(made.with_interface(Arc::new(interface)))
    }
}

/// The unit that a parameter names; plain numbers where it is not given.
fn unit(settings: &Settings, parameter: &str) -> Result<Unit, InstantiateError> {
    match settings.get(parameter) {
        Some(Parameter::Text(text)) if !text.trim().is_empty() => {
            text.trim().parse().map_err(|error| InstantiateError::of(parameter, error))
        }
        _ => Ok(Unit::none()),
    }
}
