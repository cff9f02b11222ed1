//! out follows in, no faster than its limits.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

use super::block_type::ShapedBlock;

/// Follows a signal no faster than two limits; it begins at the first value of its input.
#[derive(Component)]
#[component(type = "block.rate-limiter", periodic, rate = "100 Hz")]
pub struct RateLimiter {
    /// The most that it rises per second.
    #[parameter(above = 0)]
    rising: f64,
    /// The most that it falls per second.
    #[parameter(above = 0)]
    falling: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// What is followed.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// What follows it.
    #[output]
    out: SignalOut<f64>,
    last: Option<(Time, f64)>,
}

impl ShapedBlock for RateLimiter {}

impl Periodic for RateLimiter {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, input) = (step.now(), *step.signal(self.input));
        let out = match self.last {
            None => input,
            Some((then, before)) => {
                let elapsed = (now - then).as_secs_f64();
                let (fall, rise) = (self.falling * elapsed, self.rising * elapsed);
                before + (input - before).clamp(-fall, rise)
            }
        };
        self.last = Some((now, out));
        step.write(self.out, out);
    }
}
