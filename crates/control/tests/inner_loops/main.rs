//! Inner loops, each closed around its vehicle.

mod auv;
mod closed;
mod fixed_wing;
// The few lines of Runge-Kutta that the tests of the vehicles use.
#[path = "../../../plant/tests/fleet/integrate.rs"]
mod integrate;
mod rover;
mod stand_in;
