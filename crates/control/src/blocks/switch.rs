//! out = a or b

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};

/// Shows one of two signals: `a` while `choose_a` is true, and else `b`.
#[derive(Component)]
#[component(type = "block.switch", periodic, rate = "100 Hz")]
pub struct Switch {
    /// Unit of the signals, as in "rad"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// Shown while `choose_a` is true.
    #[input]
    a: SignalIn<f64>,
    /// Shown while it is not.
    #[input]
    b: SignalIn<f64>,
    /// Which one is shown, as `on` of a `block.hysteresis` says.
    #[input]
    choose_a: SignalIn<bool>,
    /// The one that is shown.
    #[output]
    out: SignalOut<f64>,
}

impl ShapedBlock for Switch {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let unit = shape.unit("unit")?;
        for port in ["a", "b", "out"] {
            shape.set(port, &unit);
        }
        Ok(())
    }
}

impl Periodic for Switch {
    fn step(&mut self, step: &mut Step<'_>) {
        let chosen = if *step.signal(self.choose_a) { self.a } else { self.b };
        let out = *step.signal(chosen);
        step.write(self.out, out);
    }
}
