//! A relay with hysteresis.

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::block_type::{Shape, ShapedBlock};

/// A relay: on when its input comes to `on_at` or above, off when it comes to `off_at` or below.
///
/// In between it stays as it is. With `off_at` equal to `on_at` it compares.
#[derive(Component)]
#[component(
    type = "block.hysteresis", periodic, rate = "100 Hz", check = Self::check, start = Self::begin
)]
pub struct Hysteresis {
    /// It goes on at this input or above.
    #[parameter]
    on_at: f64,
    /// It goes off at this input or below.
    #[parameter]
    off_at: f64,
    /// Output while it is on.
    #[parameter(default = 1.0)]
    on_value: f64,
    /// Output while it is off.
    #[parameter(default = 0.0)]
    off_value: f64,
    /// Whether it is on at first.
    #[parameter(default = false, fixed)]
    initially_on: bool,
    /// Unit of the input, as in "m"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the output, as in "W"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// What decides.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// `on_value` or `off_value`.
    #[output]
    out: SignalOut<f64>,
    /// Whether it is on.
    #[output]
    on: SignalOut<bool>,
    is_on: bool,
}

impl Hysteresis {
    fn check(&self) -> Result<(), String> {
        let Hysteresis { on_at, off_at, .. } = *self;
        if off_at <= on_at {
            return Ok(());
        }
        Err(format!("\"off_at\" ({off_at}) must not be above \"on_at\" ({on_at})"))
    }

    fn begin(&mut self, start: &mut Start<'_>) {
        self.is_on = self.initially_on;
        start.write(self.out, self.value());
        start.write(self.on, self.is_on);
    }

    fn value(&self) -> f64 {
        if self.is_on { self.on_value } else { self.off_value }
    }
}

impl ShapedBlock for Hysteresis {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.convert_units()
    }
}

impl Periodic for Hysteresis {
    fn step(&mut self, step: &mut Step<'_>) {
        let input = *step.signal(self.input);
        if input >= self.on_at {
            self.is_on = true;
        } else if input <= self.off_at {
            self.is_on = false;
        }
        step.write(self.out, self.value());
        step.write(self.on, self.is_on);
    }
}
