//! A transfer function in z.
//!
//! ```text
//!         b0 z^n + b1 z^(n-1) + … + bn         y   = b0 u + s1
//! H(z) = ──────────────────────────────        s_i = b_i u - a_i y + s_(i+1)
//!             z^n + a1 z^(n-1) + … + an
//! ```
//!
//! Direct form II, transposed (A. V. Oppenheim, R. W. Schafer, *Discrete-Time Signal Processing*, 3rd
//! edition, section 6.3.3).

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use super::block_type::{Shape, ShapedBlock};
use super::coefficients::Ratio;

/// A transfer function in z, at rest at first.
///
/// Coefficients are written with the highest power first: `numerator = "1"`, `denominator = "1, -0.9"`
/// is 1/(z - 0.9).
#[derive(Component)]
#[component(
    type = "block.discrete-transfer-function", periodic, rate = "100 Hz",
    check = Self::check, changed = Self::prepare
)]
pub struct DiscreteTransferFunction {
    /// Coefficients of the numerator, highest power of z first.
    #[parameter(fixed)]
    numerator: String,
    /// Coefficients of the denominator, highest power of z first.
    #[parameter(fixed)]
    denominator: String,
    /// Unit of the input, as in "m"; without it, a plain number.
    #[parameter(default = "", fixed)]
    input_unit: String,
    /// Unit of the output, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    output_unit: String,
    /// What goes in.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// What comes out.
    #[output]
    out: SignalOut<f64>,
    state: Vec<f64>,
    #[skip]
    ratio: Ratio,
}

impl DiscreteTransferFunction {
    fn check(&self) -> Result<(), String> {
        Ratio::read(&self.numerator, &self.denominator).map(drop)
    }

    fn prepare(&mut self) {
        self.ratio = Ratio::read(&self.numerator, &self.denominator).unwrap_or_default();
        self.state.resize(self.ratio.order(), 0.0);
    }
}

impl ShapedBlock for DiscreteTransferFunction {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.convert_units()
    }
}

impl Periodic for DiscreteTransferFunction {
    fn step(&mut self, step: &mut Step<'_>) {
        let (b, a) = (&self.ratio.numerator, &self.ratio.denominator);
        let u = *step.signal(self.input);
        let y = b[0] * u + self.state.first().copied().unwrap_or_default();
        for i in 0..self.state.len() {
            let next = self.state.get(i + 1).copied().unwrap_or_default();
            self.state[i] = b[i + 1] * u - a[i + 1] * y + next;
        }
        step.write(self.out, y);
    }
}
