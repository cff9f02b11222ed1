//! A transfer function in s.
//!
//! ```text
//!          b1 s^(n-1) + … + bn                 x1' = -a1 x1 + x2 + b1 u
//! H(s) = ────────────────────────────          x2' = -a2 x1 + x3 + b2 u
//!         s^n + a1 s^(n-1) + … + an            …
//!                                              xn' = -an x1      + bn u,        y = x1
//! ```
//!
//! The observable canonical form (T. Kailath, *Linear Systems*, 1980, section 2.1): the output is a
//! state, so that its trajectory is that of the solver.

use ironbird_component::{Component, Held, InstantiateError, Shown};
use ironbird_solvers::{Block, Number, Point};
use serde::{Deserialize, Serialize};

use super::block_type::{Shape, ShapedBlock};
use super::coefficients::Ratio;
use super::continuous_type::InputSignal;

/// A transfer function in s, solved by any solver; at rest at first.
///
/// Coefficients are written with the highest power first, for time in seconds: `numerator = "2"`,
/// `denominator = "0.5, 1"` is 2/(0.5 s + 1). The numerator's order must be below the denominator's: what
/// passes straight through is a `block.gain` beside it.
#[derive(Component, Serialize, Deserialize)]
#[component(
    type = "block.transfer-function", continuous, check = Self::check, changed = Self::prepare
)]
pub struct TransferFunction {
    /// Coefficients of the numerator, highest power of s first.
    #[parameter(fixed)]
    numerator: String,
    /// Coefficients of the denominator, highest power of s first.
    #[parameter(fixed)]
    denominator: String,
    /// Unit of the input, as in "m"; without it, a plain number.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the output, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// Whether the input is a sampled or a continuous signal.
    #[parameter(default = InputSignal::Sampled, fixed)]
    signal: InputSignal,
    /// What goes in; a continuous signal with `signal = "continuous"`.
    #[input(name = "in", index = 0)]
    input: Held,
    /// What comes out.
    #[output(state = 0)]
    out: Shown,
    #[skip]
    #[serde(skip)]
    ratio: Ratio,
}

impl TransferFunction {
    fn check(&self) -> Result<(), String> {
        let ratio = Ratio::read(&self.numerator, &self.denominator)?;
        if ratio.numerator[0] == 0.0 {
            return Ok(());
        }
        let order = ratio.order();
        Err(format!(
            "\"numerator\" and \"denominator\" are both of order {order}: the numerator's must be lower; \
             what passes straight through is a block.gain beside it"
        ))
    }

    fn prepare(&mut self) {
        self.ratio = Ratio::read(&self.numerator, &self.denominator).unwrap_or_default();
    }
}

impl ShapedBlock for TransferFunction {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.convert_units()
    }
}

impl Block for TransferFunction {
    fn states(&self) -> usize {
        self.ratio.order()
    }

    fn inputs(&self) -> usize {
        1
    }

    fn initial(&self, _: usize) -> f64 {
        0.0
    }

    fn derivative<N: Number>(&self, state: usize, at: &impl Point<N>) -> N {
        let (b, a) = (self.ratio.numerator[state + 1], self.ratio.denominator[state + 1]);
        let mut slope = at.x(0) * -a;
        if b != 0.0 {
            slope = slope + at.u(0) * b;
        }
        if state + 1 < self.ratio.order() {
            slope = slope + at.x(state + 1);
        }
        slope
    }
}
