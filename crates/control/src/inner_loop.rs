//! Inner loops: from what a vehicle is to do to the commands of its actuators.
//!
//! An inner loop is a pure function of numbers that its owner keeps, so that a world can run it beside the body that
//! it steers, on any thread, and save it with the rest.

use ironbird_kinematics::{Channel, RigidMotion};

/// Numbers of its own that an inner loop may have at most.
pub const MOST_LOOP_STATES: usize = 16;

/// What steers a vehicle, step by step.
pub trait InnerLoop: Send + Sync {
    /// What it can be told.
    fn set_points(&self) -> &[Channel];

    /// How many numbers of its own it has (integrals, filters), at most [`MOST_LOOP_STATES`].
    fn states(&self) -> usize;

    /// Sets the numbers of its own as they are at the start.
    fn start(&self, own: &mut [f64]) {
        own.fill(0.0);
    }

    /// One step of `period` seconds: reads how the vehicle moves and what it is to do, writes the commands.
    fn step(
        &self,
        period: f64,
        motion: &RigidMotion,
        set_points: &[f64],
        own: &mut [f64],
        commands: &mut [f64],
    );
}
