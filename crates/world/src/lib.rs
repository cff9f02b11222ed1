//! Bodies together in one world: flight, contact, joints, islands.

mod body;
mod contact;
pub mod geometry;
mod island;
mod ray;
mod weather;
mod world;

pub use body::{Body, BodyPlan, BodyProblem, BodyState, Drive, MOST_CHANNELS, Pilot, Reaction};
pub use weather::Weather;
pub use world::{Stepping, Tally, World, WorldError};
pub mod joints;
