//! The integral of a sampled signal.
//!
//! ```text
//! out_k = out_(k-1) + T · in_k              backward
//! out_k = out_(k-1) + T · in_(k-1)          forward
//! out_k = out_(k-1) + T (in_k + in_(k-1))/2 trapezoid
//! ```
//!
//! with the time T since the last step, held between `lowest` and `highest`: at a limit it leaves it with
//! the first input of the other sign (K. J. Åström, T. Hägglund, *Advanced PID Control*, 2006, section
//! 3.5, clamping).

use ironbird_component::{Choice, Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step, Time};

use super::block_type::{Shape, ShapedBlock};
use super::unit_algebra::times;

/// How a sampled signal is integrated.
#[derive(Choice, Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// With its present value.
    Backward,
    /// With its last value.
    Forward,
    /// With the mean of both.
    Trapezoid,
}

/// Integrates a sampled signal over seconds, within limits.
///
/// The unit of the output is that of the input times s. At a limit it does not wind up. While `reset` is
/// true the output is `initial`.
#[derive(Component)]
#[component(
    type = "block.integrator", periodic, rate = "100 Hz", check = Self::check, start = Self::begin
)]
pub struct Integrator {
    /// Unit of the input, as in "rad"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// Which values of the input count between two steps.
    #[parameter(default = Rule::Backward)]
    rule: Rule,
    /// The integral at first and after a reset.
    #[parameter(default = 0.0)]
    initial: f64,
    /// Lowest integral.
    #[parameter(default = -1e300)]
    lowest: f64,
    /// Highest integral.
    #[parameter(default = 1e300)]
    highest: f64,
    /// What is integrated.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// Whether the integral is to be `initial`.
    #[input(default = false)]
    reset: SignalIn<bool>,
    /// The integral.
    #[output]
    out: SignalOut<f64>,
    integral: f64,
    last: Option<(Time, f64)>,
}

impl Integrator {
    fn check(&self) -> Result<(), String> {
        let Integrator { lowest, initial, highest, .. } = *self;
        if lowest <= initial && initial <= highest {
            return Ok(());
        }
        Err(format!(
            "\"initial\" ({initial}) must lie between \"lowest\" ({lowest}) and \"highest\" ({highest})"
        ))
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.integral = self.initial;
        start.write(self.out, self.integral);
    }
}

impl ShapedBlock for Integrator {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.combine_with_seconds(times)
    }
}

impl Periodic for Integrator {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, input) = (step.now(), *step.signal(self.input));
        let (then, before) = self.last.unwrap_or((now, input));
        let slope = match self.rule {
            Rule::Backward => input,
            Rule::Forward => before,
            Rule::Trapezoid => 0.5 * (input + before),
        };
        let grown = self.integral + slope * (now - then).as_secs_f64();
        // A NaN is kept, for all to see.
        self.integral = if *step.signal(self.reset) { self.initial } else { grown };
        self.integral = self.integral.clamp(self.lowest, self.highest);
        self.last = Some((now, input));
        step.write(self.out, self.integral);
    }
}
