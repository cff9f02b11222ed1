//! Things that are controlled: what they do follows from physics and from what drives them.
//!
//! | type | is | states |
//! |---|---|---|
//! | [`plant.room`](Room) | a heated room | temperatures of air and walls, energy |
//! | [`plant.cart-pole`](CartPole) | a pole that stands on a cart | position and angle, and their speeds |
//!
//! All are blocks of differential equations; `solver.method` says how they are solved.

mod cart_pole;
mod room;

use ironbird_component::{Registry, RegistryError};

pub use cart_pole::CartPole;
pub use room::Room;

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<Room>()?;
    registry.register::<CartPole>()
}
