//! Drones whose trajectory is known beforehand, and the switch between them.
//!
//! ```text
//! mission.waypoints ┄┄ drone.lines-and-arcs ──┐
//!           (query) ┄┄ drone.spline ──────────┤
//!                      drone.log ─────────────┼──► drone.adapter ──► sensors, analysis
//!                      a dynamic model ───────┘
//! ```

mod adapter;
mod bed_follower;
mod cubic_spline;
mod heading;
mod lines;
mod lines_and_arcs;
mod log;
mod logged_track;
mod pace;
mod path;
mod spline;
mod spline_path;
mod travel;
mod voyage;

pub use adapter::{DroneAdapter, Source};
pub use lines::Turns;
pub use lines_and_arcs::LinesAndArcs;
pub use log::DroneLog;
pub use spline::Spline;
