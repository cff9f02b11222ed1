//! The steering law.
//!
//! ```text
//! δ = (L + K u²) κ - k (y + l (ψ - ψ_κ)) - k_i ∫ y dt        held between -limit and limit
//! ψ_κ = (c u² - l_r) κ
//! ```
//!
//! The first term is what a curve of curvature κ needs (L: wheelbase, K: understeer gradient), and ψ_κ is the
//! heading error that a car has in a steady curve, as it slips; R. Rajamani, *Vehicle Dynamics and
//! Control*, 2nd ed., section 3.3. What is left is steered away: y + l ψ is how far the car would be beside its
//! lane l further ahead. The integral, which stands still at the limit, takes away what wind and bank leave.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

use super::messages::LanePlan;
use crate::integral::Integral;

/// Steers along a lane: curvature ahead of time, and a proportional law on the error at a distance ahead.
///
/// Without a plan it steers straight, and its integral rests.
#[derive(Component)]
#[component(type = "lane.controller", periodic, rate = "50 Hz")]
pub struct LaneController {
    /// Gain k: steering angle per error ahead.
    #[parameter(unit = "rad/m", default = 0.07, min = 0)]
    gain: f64,
    /// How far ahead the error is taken, l.
    #[parameter(unit = "m", default = 12.0, min = 0)]
    look_ahead: f64,
    /// Gain k_i: steering angle per second and error beside the car.
    #[parameter(unit = "rad/m/s", default = 0.01, min = 0)]
    integral_gain: f64,
    /// Largest steering angle.
    #[parameter(unit = "rad", default = 0.15, above = 0)]
    limit: f64,
    #[group]
    car: KnownCar,
    /// What to follow.
    #[input(unit = "offset: m, heading: rad, curvature: 1/m")]
    plan: SignalIn<LanePlan>,
    /// Speed of the car.
    #[input(unit = "m/s")]
    speed: SignalIn<f64>,
    /// Steering angle that is wanted.
    #[output(unit = "rad", initial = 0.0)]
    wanted: SignalOut<f64>,
    integral: Integral,
    last: Option<Time>,
}

/// What the controller knows of the car. The defaults are those of `plant.car`.
#[derive(Parameters)]
struct KnownCar {
    /// Wheelbase L.
    #[parameter(unit = "m", default = 2.68, above = 0)]
    wheelbase: f64,
    /// Distance l_r from the centre of mass to the rear axle.
    #[parameter(unit = "m", default = 1.58, above = 0)]
    rear_axle: f64,
    /// Understeer gradient K: steering angle per lateral acceleration.
    #[parameter(unit = "rad*s^2/m", default = 0.001_761)]
    understeer: f64,
    /// Slip angle c of the rear axle per lateral acceleration.
    #[parameter(unit = "rad*s^2/m", default = 0.004_035, min = 0)]
    rear_slip: f64,
}

impl Periodic for LaneController {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, plan) = (step.now(), *step.signal(self.plan));
        let last = self.last.replace(now);
        if !plan.valid {
            step.write(self.wanted, 0.0);
            return;
        }
        let squared = step.signal(self.speed) * step.signal(self.speed);
        let curve = (self.car.wheelbase + self.car.understeer * squared) * plan.curvature;
        let slips = (self.car.rear_slip * squared - self.car.rear_axle) * plan.curvature;
        let ahead = plan.offset + self.look_ahead * (plan.heading - slips);
        let elapsed = last.map_or(0.0, |last| (now - last).as_secs_f64());
        let growth = -self.integral_gain * plan.offset * elapsed;
        let rest = curve - self.gain * ahead;
        let wanted = self.integral.command(rest, growth, -self.limit, self.limit);
        step.write(self.wanted, wanted);
    }
}
