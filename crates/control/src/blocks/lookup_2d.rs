//! out = f(a, b), by a grid of points between which f is straight along both axes.

use std::path::PathBuf;

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};
use super::interpolation::{Edge, Surface};

/// A function of two numbers given by a CSV file, and straight along both axes between its points.
///
/// The columns `a`, `b` and `out` have a line for every pair of the values of `a` and `b` that occur, in
/// any order.
#[derive(Component)]
#[component(
    type = "block.lookup-2d", periodic, rate = "100 Hz",
    check = Self::check, changed = Self::prepare
)]
pub struct Lookup2d {
    /// The table.
    #[parameter]
    file: PathBuf,
    /// Columns that are called otherwise, as in "alpha as a, speed as b, CL as out".
    #[parameter(default = "", fixed)]
    columns: String,
    /// What it is beyond the ends.
    #[parameter(default = Edge::Hold)]
    edge: Edge,
    /// Unit of `a`, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    a_unit: String,
    /// Unit of `b`, as in "m/s"; without it, a plain number.
    #[parameter(default = "", fixed)]
    b_unit: String,
    /// Unit of the output, as in "N"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// Where the function is looked up.
    #[input]
    a: SignalIn<f64>,
    /// Where the function is looked up.
    #[input]
    b: SignalIn<f64>,
    /// Its value.
    #[output]
    out: SignalOut<f64>,
    #[skip]
    surface: Surface,
}

impl Lookup2d {
    fn check(&self) -> Result<(), String> {
        Surface::read(&self.file, &self.columns).map(drop)
    }

    fn prepare(&mut self) {
        self.surface = Surface::read(&self.file, &self.columns).unwrap_or_default();
    }
}

impl ShapedBlock for Lookup2d {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        for (port, parameter) in [("a", "a_unit"), ("b", "b_unit"), ("out", "output_unit")] {
            let unit = shape.unit(parameter)?;
            shape.set(port, &unit);
        }
        Ok(())
    }
}

impl Periodic for Lookup2d {
    fn step(&mut self, step: &mut Step<'_>) {
        let (a, b) = (*step.signal(self.a), *step.signal(self.b));
        match self.surface.at(a, b, self.edge) {
            Ok(out) => step.write(self.out, out),
            Err(why) => step.fail(why),
        }
    }
}
