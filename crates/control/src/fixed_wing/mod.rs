//! The control of a fixed-wing aircraft, in the structure of ArduPilot's published diagrams.

mod airspeed_filter;
mod energy;
mod l1;
mod level_demand;
mod pitch;
mod rate_loop;
mod reference;
mod roll;
mod route;
mod seen;
mod sequencer;
mod speed_and_height;
mod speed_scaling;
mod tecs;
mod yaw;

pub use l1::L1Guidance;
pub use pitch::PitchController;
pub use roll::RollController;
pub use route::{Passing, Route, RoutePoint};
pub use sequencer::WaypointSequencer;
pub use speed_and_height::SpeedAndHeight;
pub use tecs::Tecs;
pub use yaw::YawController;
