//! out = a · b / c …

use ironbird_component::{Component, InstantiateError, Unit};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};
use super::unit_algebra::{per, times};

/// Multiplies and divides up to eight inputs, in their order.
///
/// `operations = "**/"` makes three inputs, `a`, `b` and `c`, and the output a b / c. The unit of the
/// output follows from those of the inputs. A division by zero ends the run.
#[derive(Component)]
#[component(
    type = "block.product", periodic, rate = "100 Hz", check = Self::check, changed = Self::prepare
)]
pub struct Product {
    /// A * or a / for each input.
    #[parameter(default = "**", fixed)]
    operations: String,
    /// Units of the inputs, as in "N, m"; without them, plain numbers. An input without a unit has an
    /// empty place in the list: ", m".
    #[parameter(default = "", fixed)]
    units: String,
    /// The first.
    #[input(default = 1.0)]
    a: SignalIn<f64>,
    /// The second.
    #[input(default = 1.0)]
    b: SignalIn<f64>,
    /// The third.
    #[input(default = 1.0)]
    c: SignalIn<f64>,
    /// The fourth.
    #[input(default = 1.0)]
    d: SignalIn<f64>,
    /// The fifth.
    #[input(default = 1.0)]
    e: SignalIn<f64>,
    /// The sixth.
    #[input(default = 1.0)]
    f: SignalIn<f64>,
    /// The seventh.
    #[input(default = 1.0)]
    g: SignalIn<f64>,
    /// The eighth.
    #[input(default = 1.0)]
    h: SignalIn<f64>,
    /// The product.
    #[output]
    out: SignalOut<f64>,
    #[skip]
    divides: Vec<bool>,
}

const MOST: usize = 8;

impl Product {
    fn check(&self) -> Result<(), String> {
        let operations = &self.operations;
        let fits = (1..=MOST).contains(&operations.len());
        if fits && operations.chars().all(|operation| operation == '*' || operation == '/') {
            return Ok(());
        }
        Err(format!(
            "\"operations\" is \"{operations}\": write a * or a / for each of 1 to {MOST} inputs"
        ))
    }

    fn prepare(&mut self) {
        self.divides = self.operations.chars().map(|operation| operation == '/').collect();
    }
}

impl ShapedBlock for Product {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let wrong = |why: &dyn ToString| InstantiateError::of("units", why.to_string());
        let (operations, list): (String, String) =
            (shape.parameter("operations")?, shape.parameter("units")?);
        let mut units = vec![Unit::none(); operations.len()];
        if !list.trim().is_empty() {
            let names: Vec<&str> = list.split(',').collect();
            if names.len() != units.len() {
                let (inputs, names) = (units.len(), names.len());
                return Err(wrong(&format!("there are {inputs} inputs and {names} units")));
            }
            for (unit, name) in units.iter_mut().zip(names) {
                *unit = name.parse().map_err(|why: ironbird_units::UnitError| wrong(&why))?;
            }
        }
        let mut output = Unit::none();
        for (unit, operation) in units.iter().zip(operations.chars()) {
            let combine = if operation == '/' { per } else { times };
            output = combine(&output, unit).map_err(|why| wrong(&why))?;
        }
        shape.keep_inputs(&units);
        shape.set("out", &output);
        Ok(())
    }
}

impl Periodic for Product {
    fn step(&mut self, step: &mut Step<'_>) {
        let inputs = [self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h];
        let mut product = 1.0;
        for (number, (input, divides)) in inputs.into_iter().zip(&self.divides).enumerate() {
            let x = *step.signal(input);
            if *divides && x == 0.0 {
                let name = char::from(b'a' + number as u8);
                return step.fail(format!("a division by zero: the input \"{name}\" is 0"));
            }
            product = if *divides { product / x } else { product * x };
        }
        step.write(self.out, product);
    }
}
