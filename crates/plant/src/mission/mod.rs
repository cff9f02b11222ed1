//! Missions: where a drone is to go, and how fast.

mod waypoints;

pub use waypoints::Waypoints;
