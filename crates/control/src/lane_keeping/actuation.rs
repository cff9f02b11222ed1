//! What sends the steering angle to the car, no faster than is allowed.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

/// Sends the steering angle that is wanted to the car, within the angle and the rate that a lane-keeping system
/// may ask for. It begins straight ahead.
#[derive(Component)]
#[component(type = "lane.actuation", periodic, rate = "50 Hz")]
pub struct LaneActuation {
    /// Largest steering angle.
    #[parameter(unit = "rad", default = 0.15, above = 0)]
    limit: f64,
    /// Highest rate of the steering angle.
    #[parameter(unit = "rad/s", default = 0.4, above = 0)]
    rate_limit: f64,
    /// Steering angle that is wanted.
    #[input(unit = "rad")]
    wanted: SignalIn<f64>,
    /// Steering angle for the car.
    #[output(unit = "rad", initial = 0.0)]
    steering: SignalOut<f64>,
    last: Option<(Time, f64)>,
}

impl Periodic for LaneActuation {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, wanted) = (step.now(), *step.signal(self.wanted));
        if wanted.is_nan() {
            step.fail("the steering angle that is wanted is not a number");
            return;
        }
        let (elapsed, before) =
            self.last.map_or((0.0, 0.0), |(then, before)| ((now - then).as_secs_f64(), before));
        let most = self.rate_limit * elapsed;
        let change = (wanted.clamp(-self.limit, self.limit) - before).clamp(-most, most);
        self.last = Some((now, before + change));
        step.write(self.steering, before + change);
    }
}
