//! out = in, held between limits.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::ShapedBlock;

/// Holds a signal between two limits.
#[derive(Component)]
#[component(type = "block.saturation", periodic, rate = "100 Hz", check = Self::check)]
pub struct Saturation {
    /// Lowest output.
    #[parameter]
    lowest: f64,
    /// Highest output.
    #[parameter]
    highest: f64,
    /// Unit of the signal and the limits, as in "rad"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// What is limited.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// The signal within its limits.
    #[output]
    out: SignalOut<f64>,
}

impl Saturation {
    fn check(&self) -> Result<(), String> {
        let Saturation { lowest, highest, .. } = *self;
        if lowest <= highest {
            return Ok(());
        }
        Err(format!("\"lowest\" ({lowest}) must not be above \"highest\" ({highest})"))
    }
}

impl ShapedBlock for Saturation {}

impl Periodic for Saturation {
    fn step(&mut self, step: &mut Step<'_>) {
        let out = step.signal(self.input).clamp(self.lowest, self.highest);
        step.write(self.out, out);
    }
}
