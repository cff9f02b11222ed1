//! The servo of a fin.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};

use super::follow;
use crate::remus::coefficients::FIN_LIMIT;

/// The servo of a fin: follows the commanded deflection with a lag, a largest rate and a largest
/// deflection.
///
/// The default limit is that of the REMUS 100 (Prestero 2001); lag and rate are typical of a small
/// servo, which he does not give.
#[derive(Component)]
#[component(type = "actuator.fin", periodic, rate = "100 Hz", start = Self::begin)]
pub struct Fin {
    /// Time constant of the lag; 0 s for none.
    #[parameter(unit = "s", default = 0.1, min = 0)]
    time_constant: f64,
    /// Largest rate.
    #[parameter(unit = "deg/s", default = 60.0, above = 0)]
    rate_limit: f64,
    /// Largest deflection, in both directions.
    #[parameter(unit = "deg", default = FIN_LIMIT, min = 0, max = 90)]
    limit: f64,
    /// Deflection that is wanted.
    #[input(unit = "rad")]
    command: SignalIn<f64>,
    /// Deflection.
    #[output(unit = "rad", initial = 0.0)]
    deflection: SignalOut<f64>,
    angle: f64,
    last: Time,
}

impl Fin {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.last = start.now();
    }
}

impl Periodic for Fin {
    fn step(&mut self, step: &mut Step<'_>) {
        let command = *step.signal(self.command);
        if command.is_nan() {
            return step.fail("the input \"command\" is NaN: it must be a number");
        }
        let elapsed = (step.now() - self.last).as_secs_f64();
        self.last = step.now();
        let limit = self.limit.to_radians();
        let (wanted, rate) = (command.clamp(-limit, limit), self.rate_limit.to_radians());
        self.angle = follow(self.angle, wanted, elapsed, self.time_constant, rate);
        step.write(self.deflection, self.angle);
    }
}
