//! The latest of the samples that a sensor takes, for readers that want a number or a vector at all times.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};

use crate::sample::{ScalarSample, VectorSample};

/// Holds the latest valid sample of a sensor: a vector at all times, as controllers want it.
///
/// Before the first one it is `initial`, and it keeps its value while samples are not valid; `valid` and `taken` say
/// so. It looks at the sample of each of its steps.
#[derive(Component)]
#[component(type = "adapter.latest", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct Latest {
    /// Unit of what was measured, as in "rad/s"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    /// Frame of what was measured, as in "ned"; "" for none.
    #[parameter(default = "body".to_owned(), fixed)]
    frame: String,
    /// What is shown before the first valid sample, in the unit of the sample.
    #[parameter(default = [0.0; 3], fixed)]
    initial: [f64; 3],
    /// What was measured.
    #[input(name = "in")]
    input: SignalIn<VectorSample>,
    /// The latest of it that was valid.
    #[output(name = "out")]
    output: SignalOut<[f64; 3]>,
    /// Whether the sensor measures now: not before the first sample, and not where the latest was not valid.
    #[output]
    valid: SignalOut<bool>,
    /// When what is shown was measured; 0 before the first.
    #[output(unit = "s")]
    taken: SignalOut<f64>,
}

impl Latest {
    fn begin(&mut self, start: &mut Start<'_>) {
        start.write(self.output, self.initial);
    }
}

impl Periodic for Latest {
    fn step(&mut self, step: &mut Step<'_>) {
        let VectorSample { value, taken, valid } = *step.signal(self.input);
        step.write(self.valid, valid);
        if valid {
            step.write(self.output, value);
            step.write(self.taken, taken.as_secs_f64());
        }
    }
}

/// Holds the latest valid sample of a sensor that measures one number.
///
/// Before the first one it is `initial`, and it keeps its value while samples are not valid; `valid` and `taken` say
/// so. It looks at the sample of each of its steps.
#[derive(Component)]
#[component(type = "adapter.latest-number", periodic, rate = "1 kHz", adapter, start = Self::begin)]
pub(crate) struct LatestNumber {
    /// Unit of what was measured, as in "m"; "" for plain numbers.
    #[parameter(fixed)]
    unit: String,
    /// What is shown before the first valid sample, in the unit of the sample.
    #[parameter(default = 0.0, fixed)]
    initial: f64,
    /// What was measured.
    #[input(name = "in")]
    input: SignalIn<ScalarSample>,
    /// The latest of it that was valid.
    #[output(name = "out")]
    output: SignalOut<f64>,
    /// Whether the sensor measures now: not before the first sample, and not where the latest was not valid.
    #[output]
    valid: SignalOut<bool>,
    /// When what is shown was measured; 0 before the first.
    #[output(unit = "s")]
    taken: SignalOut<f64>,
}

impl LatestNumber {
    fn begin(&mut self, start: &mut Start<'_>) {
        start.write(self.output, self.initial);
    }
}

impl Periodic for LatestNumber {
    fn step(&mut self, step: &mut Step<'_>) {
        let ScalarSample { value, taken, valid } = *step.signal(self.input);
        step.write(self.valid, valid);
        if valid {
            step.write(self.output, value);
            step.write(self.taken, taken.as_secs_f64());
        }
    }
}
