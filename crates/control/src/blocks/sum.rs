//! out = ± a ± b ± c …

use ironbird_component::{Component, InstantiateError, Unit};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};

/// Adds and subtracts up to eight inputs, in their order.
///
/// `signs = "+-"` makes two inputs, `a` and `b`, and the output a - b. All have the unit `unit`. A
/// difference of temperatures in degC is in K.
#[derive(Component)]
#[component(
    type = "block.sum", periodic, rate = "100 Hz", check = Self::check, changed = Self::prepare
)]
pub struct Sum {
    /// A + or a - for each input.
    #[parameter(default = "++", fixed)]
    signs: String,
    /// Unit of all inputs, as in "m"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The first.
    #[input(default = 0.0)]
    a: SignalIn<f64>,
    /// The second.
    #[input(default = 0.0)]
    b: SignalIn<f64>,
    /// The third.
    #[input(default = 0.0)]
    c: SignalIn<f64>,
    /// The fourth.
    #[input(default = 0.0)]
    d: SignalIn<f64>,
    /// The fifth.
    #[input(default = 0.0)]
    e: SignalIn<f64>,
    /// The sixth.
    #[input(default = 0.0)]
    f: SignalIn<f64>,
    /// The seventh.
    #[input(default = 0.0)]
    g: SignalIn<f64>,
    /// The eighth.
    #[input(default = 0.0)]
    h: SignalIn<f64>,
    /// The sum.
    #[output]
    out: SignalOut<f64>,
    #[skip]
    subtracts: Vec<bool>,
}

const MOST: usize = 8;

impl Sum {
    fn check(&self) -> Result<(), String> {
        let fits = (1..=MOST).contains(&self.signs.len());
        if fits && self.signs.chars().all(|sign| sign == '+' || sign == '-') {
            return Ok(());
        }
        Err(format!(
            "\"signs\" is \"{}\": write a + or a - for each of 1 to {MOST} inputs",
            self.signs
        ))
    }

    fn prepare(&mut self) {
        self.subtracts = self.signs.chars().map(|sign| sign == '-').collect();
    }
}

impl ShapedBlock for Sum {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let unit = shape.unit("unit")?;
        let signs: String = shape.parameter("signs")?;
        let surplus: i32 = signs.chars().map(|sign| if sign == '+' { 1 } else { -1 }).sum();
        // What has a zero of its own can be subtracted, not added.
        let base = Unit::base(unit.dimension());
        let output = match surplus {
            _ if !unit.has_offset() => unit.clone(),
            1 => unit.clone(),
            0 if unit.scale() == base.scale() => base,
            _ => {
                let why = format!("temperatures in {unit} cannot be added like this: use K");
                return Err(InstantiateError::of("unit", why));
            }
        };
        shape.keep_inputs(&vec![unit; signs.len()]);
        shape.set("out", &output);
        Ok(())
    }
}

impl Periodic for Sum {
    fn step(&mut self, step: &mut Step<'_>) {
        let inputs = [self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h];
        let mut sum = 0.0;
        for (input, subtracts) in inputs.into_iter().zip(&self.subtracts) {
            let x = *step.signal(input);
            sum += if *subtracts { -x } else { x };
        }
        step.write(self.out, sum);
    }
}
