//! A vehicle with its inner loop.

use ironbird_control::InnerLoop;
use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::Surroundings;

use super::integrate::Flight;

/// A vehicle, its loop, and what the loop keeps.
pub struct Closed<'a> {
    pub flight: Flight<'a>,
    pub steers: &'a dyn InnerLoop,
    pub own: Vec<f64>,
    pub commands: Vec<f64>,
    /// Steps of the vehicle between steps of the loop, of 1 ms.
    pub every: usize,
}

impl<'a> Closed<'a> {
    pub fn new(flight: Flight<'a>, steers: &'a dyn InnerLoop, every: usize) -> Self {
        let mut own = vec![0.0; steers.states()];
        steers.start(&mut own);
        let commands = vec![0.0; flight.vehicle.commands().len()];
        Closed { flight, steers, own, commands, every }
    }

    /// Goes on for a time, told this.
    pub fn run(
        &mut self,
        seconds: f64,
        told: &[f64],
        around: impl Fn(&RigidMotion) -> Surroundings,
    ) {
        let period = self.every as f64 * 1e-3;
        for _ in 0..(seconds / period).round() as usize {
            let motion = self.flight.motion;
            self.steers.step(period, &motion, told, &mut self.own, &mut self.commands);
            for _ in 0..self.every {
                self.flight.step(1e-3, &self.commands, &around);
            }
        }
    }

    /// Roll, pitch and heading.
    pub fn angles(&self) -> (f64, f64, f64) {
        self.flight.motion.attitude.euler_angles()
    }
}
