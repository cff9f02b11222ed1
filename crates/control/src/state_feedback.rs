//! Linear state feedback.
//!
//! ```text
//! F = -(k_x (x - target) + k_v v + k_θ θ + k_ω ω), held between -limit and limit
//! ```

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

/// Balances something that moves and tilts: a force that is a weighted sum of position, angle and
/// their speeds.
///
/// The force is F = -(k_x (x - target) + k_v v + k_a a + k_w w), held within `limit`. The gains belong
/// to the masses, lengths and the rate that they were computed for, for example as the solution of a
/// linear-quadratic problem.
#[derive(Component)]
#[component(type = "control.state-feedback", periodic, rate = "100 Hz")]
pub struct StateFeedback {
    #[group]
    gain: Gains,
    /// Largest force, in both directions.
    #[parameter(unit = "N", default = 10.0, min = 0)]
    limit: f64,
    /// Where to hold the position.
    #[parameter(unit = "m", default = 0.0)]
    target: f64,
    /// Position x.
    #[input(unit = "m")]
    position: SignalIn<f64>,
    /// Velocity v.
    #[input(unit = "m/s")]
    velocity: SignalIn<f64>,
    /// Angle a; 0 rad where it is balanced.
    #[input(unit = "rad")]
    angle: SignalIn<f64>,
    /// Angular velocity w.
    #[input(unit = "rad/s")]
    angular_velocity: SignalIn<f64>,
    /// Force F.
    #[output(unit = "N")]
    force: SignalOut<f64>,
}

/// One gain for each state.
#[derive(Parameters)]
struct Gains {
    /// Gain k_x of the position.
    #[parameter(unit = "N/m")]
    position: f64,
    /// Gain k_v of the velocity.
    #[parameter(unit = "N*s/m")]
    velocity: f64,
    /// Gain k_a of the angle.
    #[parameter(unit = "N/rad")]
    angle: f64,
    /// Gain k_w of the angular velocity.
    #[parameter(unit = "N*s/rad")]
    angular_velocity: f64,
}

impl Periodic for StateFeedback {
    fn step(&mut self, step: &mut Step<'_>) {
        let wanted = self.gain.position * (step.signal(self.position) - self.target)
            + self.gain.velocity * step.signal(self.velocity)
            + self.gain.angle * step.signal(self.angle)
            + self.gain.angular_velocity * step.signal(self.angular_velocity);
        step.write(self.force, (-wanted).clamp(-self.limit, self.limit));
    }
}
