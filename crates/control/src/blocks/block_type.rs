//! The type of a block: what its ports are follows from its parameters.
//!
//! A block is a struct that derives `Component`, with all ports that it could have. Of every instance a
//! [`Shape`] is made: the units of the ports, and how many of the inputs there are. Links are checked
//! against that, so a gain in N/m behind a length is a force, and is refused where a torque is wanted.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::{
    Component, ComponentType, Description, Direction, Given, Instance, InstantiateError, Interface,
    LeafUnits, ParameterValue, Place, Settings, Unit,
};
use ironbird_units::{Dimension, UnitError};

/// A struct that is a block.
pub(crate) trait ShapedBlock: Component {
    /// Gives the ports of an instance their units, and takes away those that it does not have. Unless it
    /// says otherwise, `in` and `out` have the unit of the parameter `unit`.
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let unit = shape.unit("unit")?;
        shape.set("in", &unit);
        shape.set("out", &unit);
        Ok(())
    }
}

/// The ports of one instance in the making.
pub(crate) struct Shape<'a> {
    description: &'a Description,
    given: Given<'a>,
    pub interface: Interface,
}

impl<'a> Shape<'a> {
    pub fn new(description: &'a Description, settings: &'a Settings, place: &'a Place<'a>) -> Self {
        let interface = description.interface.as_deref().cloned().unwrap_or_default();
        Shape { description, given: Given::new(settings, place), interface }
    }

    pub fn given(&self) -> &Given<'a> {
        &self.given
    }

    /// The value of a parameter.
    pub fn parameter<T: ParameterValue>(&self, name: &str) -> Result<T, InstantiateError> {
        let known = self.description.parameters.iter().find(|parameter| parameter.path == name);
        let known = known.ok_or_else(|| InstantiateError::of(name, "there is no such parameter"));
        self.given.read(known?)
    }

    /// The unit that a parameter names; plain numbers where it is empty.
    pub fn unit(&self, parameter: &str) -> Result<Unit, InstantiateError> {
        let text: String = self.parameter(parameter)?;
        text.parse().map_err(|error| InstantiateError::of(parameter, error))
    }

    /// Sets the unit of a port.
    pub fn set(&mut self, port: &str, unit: &Unit) {
        for port in self.interface.ports.iter_mut().filter(|other| other.name == port) {
            port.units = LeafUnits::All(unit.clone());
        }
    }

    /// Sets the unit of `in` to that of the parameter `unit`, and that of `out` to what becomes of it and s.
    pub fn combine_with_seconds(
        &mut self,
        combine: fn(&Unit, &Unit) -> Result<Unit, UnitError>,
    ) -> Result<(), InstantiateError> {
        let input = self.unit("unit")?;
        let output = combine(&input, &Unit::base(Dimension::TIME));
        self.set("in", &input);
        self.set("out", &output.map_err(|why| InstantiateError::of("unit", why))?);
        Ok(())
    }

    /// Sets the units of the ports `in` and `out` to those of `input_unit` and `output_unit`.
    pub fn convert_units(&mut self) -> Result<(), InstantiateError> {
        let (input, output) = (self.unit("input_unit")?, self.unit("output_unit")?);
        self.set("in", &input);
        self.set("out", &output);
        Ok(())
    }

    /// Keeps the first inputs, which must be linked, and gives them units.
    pub fn keep_inputs(&mut self, units: &[Unit]) {
        let mut units = units.iter();
        self.interface.ports.retain_mut(|port| {
            if port.direction == Direction::Output {
                return true;
            }
            let Some(unit) = units.next() else { return false };
            port.units = LeafUnits::All(unit.clone());
            port.required = true;
            true
        });
    }
}

/// The type of a periodic block.
pub(crate) struct BlockType<T> {
    description: Description,
    of: PhantomData<fn() -> T>,
}

impl<T: ShapedBlock> BlockType<T> {
    pub fn new() -> Self {
        BlockType { description: T::description(), of: PhantomData }
    }
}

impl<T: ShapedBlock> ComponentType for BlockType<T> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let made = T::make(settings, place)?;
        let mut shape = Shape::new(&self.description, settings, place);
        T::shape(&mut shape)?;
        Ok(made.with_interface(Arc::new(shape.interface)))
    }
}
