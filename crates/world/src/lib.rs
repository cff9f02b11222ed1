//! Bodies together in one world: flight, contact, joints, islands.

mod advance;
pub mod aero;
mod body;
mod body_plan;
mod body_state;
mod component;
mod contact;
pub mod file;
mod flight;
pub mod geometry;
mod island;
pub mod jointed;
pub mod joints;
mod ray;
mod scene;
pub mod sdf;
pub mod sensor;
mod weather;
mod world;

pub use body::Body;
pub use body_plan::{BodyPlan, BodyProblem, Drive, Pilot};
pub use body_state::{BodyState, Reaction};
pub use component::{Scan, WorldType};
pub use scene::{Scene, VehiclePlan};
pub use weather::{Density, Weather};
pub use world::{Stepping, Tally, World, WorldError};

use ironbird_component::{Registry, RegistryError};

/// Adds the types of this crate.
pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register_type(Box::new(WorldType::default()))?;
    registry.register::<component::LidarBeam>()
}
