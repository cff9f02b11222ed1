//! out' = in

use ironbird_component::{Component, Held, InstantiateError, Shown};
use ironbird_solvers::{Block, Number, Point};
use serde::{Deserialize, Serialize};

use super::block_type::{Shape, ShapedBlock};
use super::continuous_type::InputSignal;
use super::unit_algebra::times;

/// Integrates a sampled or a continuous signal over seconds, by any solver.
///
/// The unit of the output is that of the input times s.
#[derive(Component, Serialize, Deserialize)]
#[component(type = "block.continuous-integrator", continuous)]
pub struct ContinuousIntegrator {
    /// Unit of the input, as in "m/s"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// The integral at first.
    #[parameter(default = 0.0, fixed)]
    initial: f64,
    /// Whether the input is a sampled or a continuous signal.
    #[parameter(default = InputSignal::Sampled, fixed)]
    signal: InputSignal,
    /// What is integrated; a continuous signal with `signal = "continuous"`.
    #[input(name = "in", index = 0)]
    input: Held,
    /// The integral.
    #[output(state = 0)]
    out: Shown,
}

impl ShapedBlock for ContinuousIntegrator {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        shape.combine_with_seconds(times)
    }
}

impl Block for ContinuousIntegrator {
    fn states(&self) -> usize {
        1
    }

    fn inputs(&self) -> usize {
        1
    }

    fn initial(&self, _: usize) -> f64 {
        self.initial
    }

    fn derivative<N: Number>(&self, _: usize, at: &impl Point<N>) -> N {
        at.u(0)
    }
}
