//! The motor of a propeller.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};

use super::follow;

/// The motor of a propeller: follows the commanded revolutions with a lag, within limits.
///
/// The default limits let a REMUS 100 go 2.5 m/s, which it can, and do not let it go astern. Lag and
/// largest acceleration are typical of a small electric motor.
#[derive(Component)]
#[component(
    type = "actuator.propeller",
    periodic,
    rate = "100 Hz",
    start = Self::begin,
    check = Self::check
)]
pub struct Propeller {
    /// Time constant of the lag; 0 s for none.
    #[parameter(unit = "s", default = 0.3, min = 0)]
    time_constant: f64,
    /// Largest change of the revolutions per second.
    #[parameter(unit = "rpm/s", default = 3000.0, above = 0)]
    rate_limit: f64,
    /// Lowest revolutions.
    #[parameter(unit = "rpm", default = 0.0)]
    lowest: f64,
    /// Highest revolutions.
    #[parameter(unit = "rpm", default = 2500.0)]
    highest: f64,
    /// Revolutions at the start.
    #[parameter(unit = "rpm", default = 0.0, fixed)]
    initial: f64,
    /// Revolutions that are wanted.
    #[input(unit = "rpm")]
    command: SignalIn<f64>,
    /// Revolutions.
    #[output(unit = "rpm")]
    revolutions: SignalOut<f64>,
    turning: f64,
    last: Time,
}

impl Propeller {
    fn check(&self) -> Result<(), String> {
        let (lowest, highest) = (self.lowest, self.highest);
        if lowest <= highest {
            return Ok(());
        }
        Err(format!("\"lowest\" ({lowest} rpm) must not be above \"highest\" ({highest} rpm)"))
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.turning = self.initial.clamp(self.lowest, self.highest);
        self.last = start.now();
        start.write(self.revolutions, self.turning);
    }
}

impl Periodic for Propeller {
    fn step(&mut self, step: &mut Step<'_>) {
        let command = *step.signal(self.command);
        if command.is_nan() {
            return step.fail("the input \"command\" is NaN: it must be a number");
        }
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.last = step.now();
        let wanted = command.clamp(self.lowest, self.highest);
        let (lag, rate) = (self.time_constant, self.rate_limit);
        self.turning = follow(self.turning, wanted, elapsed, lag, rate);
        step.write(self.revolutions, self.turning);
    }
}
