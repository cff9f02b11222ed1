//! Roads: the middle of a lane, and where a vehicle is on it.
//!
//! | file | holds |
//! |---|---|
//! | `file.rs` | how a road is read |
//! | `line.rs` | the middle of the lane: straights, clothoids and arcs |
//! | `question.rs` | what a road is asked, and what it answers |
//! | `lane.rs` | the source: `road.lane` |
//! | `at.rs` | what a vehicle has of it: `road.at` |

mod at;
mod file;
mod lane;
mod line;
mod question;

use ironbird_component::{Registry, RegistryError};

pub use at::RoadAt;
pub use lane::RoadLane;
pub use question::{RoadAnswer, RoadQuestion};

/// Adds the types of this folder.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<RoadLane>()?;
    registry.register::<RoadAt>()
}
