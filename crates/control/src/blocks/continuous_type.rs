//! The type of a continuous block: its input is a sampled or a continuous signal, as a parameter says.

use std::marker::PhantomData;
use std::sync::Arc;

use ironbird_component::derive::Hooks;
use ironbird_component::{
    Choice, ComponentType, Description, Instance, InstantiateError, Parameters, Place, Settings,
    ValueType, block,
};
use ironbird_solvers::{Block, Trajectory};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::block_type::{Shape, ShapedBlock};

/// What the input of a continuous block is.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputSignal {
    /// Numbers, each of which is held until the next.
    Sampled,
    /// A continuous signal that is followed.
    Continuous,
}

/// The type of a block whose input `in` is the first one, and whose output `out` is the first state.
pub(crate) struct ContinuousBlockType<B> {
    description: Description,
    of: PhantomData<fn() -> B>,
}

impl<B: ShapedBlock> ContinuousBlockType<B> {
    pub fn new() -> Self {
        ContinuousBlockType { description: B::description(), of: PhantomData }
    }
}

impl<B> ComponentType for ContinuousBlockType<B>
where
    B: ShapedBlock + Block + Parameters + Hooks + Serialize + DeserializeOwned + Send,
{
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let mut shape = Shape::new(&self.description, settings, place);
        let mut made = <B as Parameters>::read(shape.given())?;
        made.check().map_err(InstantiateError::general)?;
        made.changed();
        B::shape(&mut shape)?;
        let continuous = shape.parameter::<InputSignal>("signal")? == InputSignal::Continuous;
        if continuous {
            let input = shape.interface.ports.iter_mut().filter(|port| port.name == "in");
            input.for_each(|port| port.value = ValueType::of::<Trajectory>());
        }
        let made = block::make(made, shape.given(), |model| {
            let model = if continuous { model.input("in", 0) } else { model.held_input("in", 0) };
            model?.output("out", 0)
        })?;
        Ok(made.with_interface(Arc::new(shape.interface)))
    }
}
