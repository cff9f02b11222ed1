//! out_k = in_(k-n)

use std::collections::VecDeque;

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use super::block_type::ShapedBlock;

/// Shows what its input was a number of steps ago.
///
/// In a loop of blocks the link into it still has to read the `previous` value, which is a step of delay
/// already.
#[derive(Component)]
#[component(type = "block.delay", periodic, rate = "100 Hz", start = Self::begin)]
pub struct Delay {
    /// How many steps.
    #[parameter(default = 1, min = 0, max = 100_000, fixed)]
    steps: usize,
    /// What it shows at first.
    #[parameter(default = 0.0, fixed)]
    initial: f64,
    /// Unit of the signal, as in "rad"; without it, a plain number.
    #[parameter(default = "", fixed)]
    unit: String,
    /// What is delayed.
    #[input(name = "in")]
    input: SignalIn<f64>,
    /// The input of `steps` steps ago.
    #[output]
    out: SignalOut<f64>,
    kept: VecDeque<f64>,
}

impl Delay {
    fn begin(&mut self, start: &mut Start<'_>) {
        // One more than are kept between two steps, so that no step allocates.
        self.kept = VecDeque::with_capacity(self.steps + 1);
        self.kept.extend(std::iter::repeat_n(self.initial, self.steps));
        start.write(self.out, self.initial);
    }
}

impl ShapedBlock for Delay {}

impl Periodic for Delay {
    fn step(&mut self, step: &mut Step<'_>) {
        let input = *step.signal(self.input);
        self.kept.push_back(input);
        let oldest = self.kept.pop_front().unwrap_or(input);
        step.write(self.out, oldest);
    }
}
