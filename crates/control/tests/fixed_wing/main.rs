//! The controllers of a fixed-wing aircraft, on an Ultra Stick 25e with linear derivatives.

mod alone;
mod attitude;
mod guidance;
mod levels;
mod messages;
mod missions;
mod point_mass;
mod stack;
mod ultra_stick;
