//! The latest of the samples that a sensor takes, for readers that want a vector at all times.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};

use crate::sample::VectorSample;

/// Holds the latest valid sample of a sensor: a vector at all times, as controllers want it.
///
/// It is zero before the first one, and keeps its value while samples are not valid.
#[derive(Component)]
#[component(type = "adapter.latest", periodic, rate = "1 kHz", adapter)]
pub(crate) struct Latest {
    /// Unit of what was measured, as in "rad/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    /// What was measured, in the body.
    #[input(name = "in", frame = "body")]
    input: SignalIn<VectorSample>,
    /// The latest of it.
    #[output(name = "out", frame = "body")]
    output: SignalOut<[f64; 3]>,
}

impl Periodic for Latest {
    fn step(&mut self, step: &mut Step<'_>) {
        let VectorSample { value, valid, .. } = *step.signal(self.input);
        if valid {
            step.write(self.output, value);
        }
    }
}
