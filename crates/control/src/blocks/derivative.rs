//! The derivative of a sampled signal behind a lag.
//!
//! ```text
//! out_k = out_(k-1) + (1 - exp(-T/τ)) ((in_k - in_(k-1))/T - out_(k-1))
//! ```
//!
//! which is s/(τ s + 1) for an input that is straight between two steps.

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step, Time};

use super::block_type::{Shape, ShapedBlock};
use super::unit_algebra::per;

/// The rate of change of a sampled signal, per second, behind a lag.
///
/// The unit of the output is that of the input per s. It is 0 at the first step.
#[derive(Component)]
#[component(type = "block.derivative", periodic, rate = "100 Hz")]
pub struct Derivative {
    /// Unit of the input, as in "rad"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// Time constant of the lag; 0 s for none.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    filter: f64,
    /// What is differentiated.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// The derivative.
    #[output]
    out: SignalOut<f64>,
    slope: f64,
    last: Option<(Time, f64)>,
}

impl ShapedBlock for Derivative {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.combine_with_seconds(per)
    }
}

impl Periodic for Derivative {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, input) = (step.now(), *step.signal(self.input));
        if let Some((last, before)) = self.last.filter(|(last, _)| *last < now) {
            let elapsed = (now - last).as_secs_f64();
            let weight = if self.filter > 0.0 { -libm::expm1(-elapsed / self.filter) } else { 1.0 };
            self.slope += ((input - before) / elapsed - self.slope) * weight;
        }
        self.last = Some((now, input));
        step.write(self.out, self.slope);
    }
}
