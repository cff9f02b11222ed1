//! The sensors of an underwater vehicle, and how wrong they are.

mod alignment;
mod allan;
mod allan_deviation;
mod barometer;
mod checkpoint;
mod compass;
mod dvl;
mod error_terms;
mod gps;
mod logs;
mod wired;
