//! Vehicles as forces, integrated by a few lines of Runge-Kutta.

mod fidelity;
mod integrate;
mod remus;
mod rover;
mod rover_files;
mod submersible;
