//! Drones on pre-computed trajectories: their geometry, their consistency, their current, their files.

mod consistency;
mod files;
mod geometry;
mod logged;
mod sea;
mod speed;
mod surroundings;
mod switch;
