//! Vehicles as forces, integrated by a few lines of Runge-Kutta.

mod accelerations;
mod fidelity;
mod integrate;
mod remus;
mod rover;
mod rover_files;
mod submersible;
