//! out = gain · in

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};
use super::unit_algebra::times;

/// Multiplies its input by a number.
///
/// The unit of the output is that of the gain times that of the input.
#[derive(Component)]
#[component(type = "block.gain", periodic, rate = "100 Hz")]
pub struct Gain {
    /// The number.
    #[parameter]
    gain: f64,
    /// Unit of the gain, as in "rad/m"; without it, a plain number.
    #[parameter(default = "", fixed)]
    gain_unit: String,
    /// Unit of the input, as in "m"; without it, a plain number.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// What is multiplied.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// The product.
    #[output]
    out: SignalOut<f64>,
}

impl ShapedBlock for Gain {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let (gain, input) = (shape.unit("gain_unit")?, shape.unit("input_unit")?);
        let output = times(&gain, &input).map_err(|why| InstantiateError::of("gain_unit", why))?;
        shape.set("in", &input);
        shape.set("out", &output);
        Ok(())
    }
}

impl Periodic for Gain {
    fn step(&mut self, step: &mut Step<'_>) {
        let out = self.gain * step.signal(self.input);
        step.write(self.out, out);
    }
}
