//! Bodies together in one world: flight, contact, joints, islands.

pub mod aero;
mod body;
mod component;
mod contact;
pub mod file;
pub mod geometry;
mod island;
pub mod joints;
mod ray;
mod scene;
pub mod sdf;
pub mod sensor;
mod weather;
mod world;

pub use body::{Body, BodyPlan, BodyProblem, BodyState, Drive, MOST_CHANNELS, Pilot, Reaction};
pub use component::{Scan, WorldType};
pub use scene::{Scene, VehiclePlan};
pub use weather::{Density, Weather};
pub use world::{Stepping, Tally, World, WorldError};

use ironbird_component::{Registry, RegistryError};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(WorldType::default()))
}
