//! Lane keeping, split into programs as a ROS 2 system splits it into nodes.
//!
//! ```text
//!  road.at ──marks──► lane.detector ──lane──► lane.planner ──plan──► lane.controller ──wanted──► lane.actuation
//!                                               ▲ speed, yaw rate        ▲ speed                      │ steering
//!                                               └────────── car ◄────────┴────────────────────────────┘
//! ```
//!
//! Each is a periodic component of its own, so that each can be a task of a computer. With ideal timing
//! all four step in the same instant, in this order, and the car is told a steering angle at the
//! instant of the picture that it follows from.

mod actuation;
mod controller;
mod detector;
mod messages;
mod planner;

use ironbird_component::{Registry, RegistryError};

pub use actuation::LaneActuation;
pub use controller::LaneController;
pub use detector::LaneDetector;
pub use messages::{LanePlan, LaneSeen};
pub use planner::LanePlanner;

/// Adds the types of this folder.
pub(crate) fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    registry.register::<LaneDetector>()?;
    registry.register::<LanePlanner>()?;
    registry.register::<LaneController>()?;
    registry.register::<LaneActuation>()
}
