//! out = f(in), by points between which f is straight.

use std::path::PathBuf;

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};
use super::coefficients::numbers;
use super::interpolation::{Curve, Edge};

/// A function given by a few points, and straight between them.
///
/// `points = "0 0, 1 2, 3 5"` is 0 at 0, 2 at 1 and 5 at 3.
#[derive(Component)]
#[component(
    type = "block.lookup", periodic, rate = "100 Hz", check = Self::check, changed = Self::prepare
)]
pub struct Lookup {
    /// Inputs and outputs, in rising order of the inputs: "0 0, 1 2, 3 5".
    #[parameter]
    points: String,
    /// What it is beyond the ends.
    #[parameter(default = Edge::Hold)]
    edge: Edge,
    /// Unit of the input, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the output, as in "N"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// Where the function is looked up.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// Its value.
    #[output]
    out: SignalOut<f64>,
    #[skip]
    curve: Curve,
}

/// A function given by a CSV file, and straight between its points.
///
/// The columns `in` and `out` are numbers in `input_unit` and `output_unit`, in rising order of `in`.
#[derive(Component)]
#[component(
    type = "block.lookup-file", periodic, rate = "100 Hz",
    check = Self::check, changed = Self::prepare
)]
pub struct LookupFile {
    /// The table.
    #[parameter]
    file: PathBuf,
    /// Columns that are called otherwise, as in "alpha as in, CL as out".
    #[parameter(default = "", fixed)]
    columns: String,
    /// What it is beyond the ends.
    #[parameter(default = Edge::Hold)]
    edge: Edge,
    /// Unit of the input, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the output, as in "N"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// Where the function is looked up.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// Its value.
    #[output]
    out: SignalOut<f64>,
    #[skip]
    curve: Curve,
}

impl Lookup {
    fn curve(&self) -> Result<Curve, String> {
        let wrong = |why: &str| format!("\"points\": {why}");
        let mut points = Vec::new();
        for pair in self.points.split(',').filter(|pair| !pair.trim().is_empty()) {
            match numbers(pair).map_err(|why| wrong(&why))?[..] {
                [input, output] => points.push((input, output)),
                _ => {
                    let pair = pair.trim();
                    return Err(wrong(&format!("\"{pair}\" must be two numbers, as in \"0.5 2\"")));
                }
            }
        }
        Curve::of(&points).map_err(|(_, why)| wrong(&why))
    }

    fn check(&self) -> Result<(), String> {
        self.curve().map(drop)
    }

    fn prepare(&mut self) {
        self.curve = self.curve().unwrap_or_default();
    }
}

impl LookupFile {
    fn check(&self) -> Result<(), String> {
        Curve::read(&self.file, &self.columns).map(drop)
    }

    fn prepare(&mut self) {
        self.curve = Curve::read(&self.file, &self.columns).unwrap_or_default();
    }
}

impl ShapedBlock for Lookup {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.convert_units()
    }
}

impl ShapedBlock for LookupFile {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.convert_units()
    }
}

impl Periodic for Lookup {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.curve.at(*step.signal(self.input), self.edge) {
            Ok(out) => step.write(self.out, out),
            Err(why) => step.fail(why),
        }
    }
}

impl Periodic for LookupFile {
    fn step(&mut self, step: &mut Step<'_>) {
        match self.curve.at(*step.signal(self.input), self.edge) {
            Ok(out) => step.write(self.out, out),
            Err(why) => step.fail(why),
        }
    }
}
