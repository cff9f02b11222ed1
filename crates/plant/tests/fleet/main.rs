//! Vehicles as forces, integrated by a few lines of Runge-Kutta.

mod integrate;
mod rover;
mod rover_files;
