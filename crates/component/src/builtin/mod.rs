//! General types that every program has.

mod sample;
mod unit;

use crate::component_type::ComponentType;

/// All of them.
pub(crate) fn all() -> Vec<Box<dyn ComponentType>> {
    vec![Box::new(sample::SampleType::new()), Box::new(unit::UnitType::new())]
}
