//! What surrounds a system.
//!
//! | type | is |
//! |---|---|
//! | [`environment.outside-air`](OutsideAir) | the temperature of the air outside, by day and by night |

mod outside_air;

use ironbird_component::{Registry, RegistryError};

pub use outside_air::{ColdSnap, OutsideAir};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<OutsideAir>()
}
