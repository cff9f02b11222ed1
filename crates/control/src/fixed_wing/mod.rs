//! The control of a fixed-wing aircraft, in the structure of ArduPilot's published diagrams.

mod route;

pub use route::{Passing, Route, RoutePoint};
