//! ```text
//!            ╱
//!       ────╱      out = 0 between start and end, and in beyond them, less the end that it passed
//!      ╱
//! ```

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::ShapedBlock;

/// Is 0 while its input lies in a zone, and follows it beyond, without a jump.
#[derive(Component)]
#[component(type = "block.dead-zone", periodic, rate = "100 Hz", check = Self::check)]
pub struct DeadZone {
    /// Low end of the zone.
    #[parameter]
    low: f64,
    /// High end of the zone.
    #[parameter]
    high: f64,
    /// Unit of the signal and the zone, as in "rad"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// What goes in.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// How far the input lies beyond the zone.
    #[output]
    out: SignalOut<f64>,
}

impl DeadZone {
    fn check(&self) -> Result<(), String> {
        let DeadZone { low, high, .. } = *self;
        if low <= high {
            return Ok(());
        }
        Err(format!("\"low\" ({low}) must not be above \"high\" ({high})"))
    }
}

impl ShapedBlock for DeadZone {}

impl Periodic for DeadZone {
    fn step(&mut self, step: &mut Step<'_>) {
        let input = *step.signal(self.input);
        step.write(self.out, input - input.clamp(self.low, self.high));
    }
}
