//! A person in the loop: the sticks that one moves, and a model that can take the person's place.
//!
//! ```text
//!   wanted ──► operator ──stick──► sticks ──set points──► vehicle
//!                 ▲                  ▲                       │
//!                 │            a person, by parameters       │
//!                 └───────────── instruments ◄───────────────┘
//! ```

mod instruments;
mod operator;
mod sticks;

use ironbird_component::{Registry, RegistryError};

use crate::blocks::BlockType;

pub use instruments::Instruments;
pub use operator::Operator;
pub use sticks::Sticks;

/// Adds the types that stand for a person.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Sticks>()?;
    registry.register::<Instruments>()?;
    registry.register_type(Box::new(BlockType::<Operator>::new()))
}
