//! Types whose ports `in` and `out` are in a unit that a parameter names, and some in a frame that another one names.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Instance, InstantiateError, Interface, LeafUnits, Place,
    PortDescription, Settings, Unit, ValueType,
};
use ironbird_kernel::Parameter;

use crate::sample::{ScalarSample, VectorSample};

/// The parameter that names the unit, and the one that names the frame of types that take any.
const UNIT: &str = "unit";
const FRAME: &str = "frame";

/// The type of a `T` that has a parameter `unit`, and may have a parameter `frame`.
pub(crate) struct OfAnyUnit<T> {
    description: Description,
    of: PhantomData<fn() -> T>,
}

impl<T: Component> OfAnyUnit<T> {
    pub fn new() -> Self {
        OfAnyUnit { description: T::description(), of: PhantomData }
    }

    fn takes_any_frame(&self) -> bool {
        self.description.parameters.iter().any(|parameter| parameter.path == FRAME)
    }

    /// What an instance in this unit shows, and in this frame where it takes any.
    fn interface(&self, unit: &Unit, frame: Option<&str>) -> Interface {
        let mut interface = self.description.interface.as_deref().cloned().unwrap_or_default();
        for port in interface.ports.iter_mut().filter(|port| is_quantity(&port.name)) {
            port.units = if is_sample(port.value) {
                LeafUnits::ByPath(vec![("value".into(), unit.clone())])
            } else {
                LeafUnits::All(unit.clone())
            };
            if self.takes_any_frame() {
                port.frame = frame.filter(|frame| !frame.is_empty()).map(Into::into);
            }
        }
        interface
    }
}

fn is_quantity(port: &str) -> bool {
    port == "in" || port == "out"
}

fn is_sample(value: ValueType) -> bool {
    [ValueType::of::<VectorSample>(), ValueType::of::<ScalarSample>()].contains(&value)
}

/// The text of a parameter that was checked to be one.
fn text<'a>(settings: &'a Settings, name: &str) -> Option<&'a str> {
    match settings.get(name) {
        Some(Parameter::Text(text)) => Some(text),
        _ => None,
    }
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
        let Some(unit) = text(settings, UNIT) else {
            return Err(InstantiateError::of(UNIT, "it must be given: a text"));
        };
        let unit = unit.trim().parse().map_err(|error| InstantiateError::of(UNIT, error))?;
        let known = self.description.parameters.iter().find(|known| known.path == FRAME);
        let default = known.and_then(|known| match known.default.as_deref()? {
            [Parameter::Text(frame)] => Some(frame.as_str()),
            _ => None,
        });
        let frame = text(settings, FRAME).or(default);
        Ok(made.with_interface(Arc::new(self.interface(&unit, frame))))
    }

    /// It does, in the unit of `from`, if its frames are the right ones.
    fn between(&self, from: &PortDescription, to: &PortDescription) -> Option<Settings> {
        if !is_sample(from.value) && from.value != ValueType::of::<[f64; 3]>() {
            return None;
        }
        let first = from.value.schema().leaves().into_iter().next();
        let unit = from.units.of(&first.map_or_else(String::new, |leaf| leaf.path));
        let frame = from.frame.clone().unwrap_or_default();
        self.interface(&unit, Some(&frame)).way(from, to)?;
        let mut settings = Settings::from([(UNIT.into(), Parameter::Text(unit.to_string()))]);
        if self.takes_any_frame() {
            settings.insert(FRAME.into(), Parameter::Text(frame));
        }
        Some(settings)
    }
}
