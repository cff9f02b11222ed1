//! A number.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalOut, Step};

use super::block_type::ShapedBlock;

/// A number that scenarios can change.
#[derive(Component)]
#[component(type = "block.constant", periodic, rate = "100 Hz")]
pub struct Constant {
    /// The number.
    #[parameter]
    value: f64,
    /// Its unit, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The number.
    #[output]
    out: SignalOut<f64>,
}

impl ShapedBlock for Constant {}

impl Periodic for Constant {
    fn step(&mut self, step: &mut Step<'_>) {
        step.write(self.out, self.value);
    }
}
