//! Logs of numbers.

use ironbird_component::Component;
use ironbird_kernel::{Atomic, Context, Duration, Inputs, Outputs, SignalIn, SignalOut};
use ironbird_kinematics::ScalarSample;

use super::Conversion;

/// Makes samples of a log: each number that is written is a sample of that instant.
///
/// The input `value` is in `unit`; the samples at `reading` are in SI units (`deg` becomes `rad`). A
/// sample is not valid where the input `valid` is 0 or the number is not finite.
#[derive(Component)]
#[component(type = "sensor.log-scalar", event_driven, changed = Self::prepare)]
pub struct LogScalar {
    /// Unit of the numbers in the log, as in "bar".
    #[parameter(fixed)]
    unit: String,
    /// By what the numbers are multiplied: -1 turns a height into a depth.
    #[parameter(default = 1.0, fixed)]
    factor: f64,
    /// The number of the log.
    #[input(waking)]
    value: SignalIn<f64>,
    /// 0 where the log says that its sensor saw nothing.
    #[input(default = 1.0)]
    valid: SignalIn<f64>,
    /// The sample.
    #[output]
    reading: SignalOut<ScalarSample>,
    #[skip]
    conversion: Conversion,
    /// Leaves in the instant in which it came; none is ever saved.
    #[skip]
    next: Option<ScalarSample>,
}

impl LogScalar {
    fn prepare(&mut self) {
        self.conversion = Conversion::from(&self.unit);
    }
}

impl Atomic for LogScalar {
    fn time_advance(&self) -> Duration {
        if self.next.is_some() { Duration::ZERO } else { Duration::FOREVER }
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        if let Some(sample) = self.next {
            out.write(self.reading, sample);
        }
    }

    fn internal(&mut self, _: &mut Context<'_>) {
        self.next = None;
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        let number = self.factor * self.conversion.convert(*inputs.signal(self.value));
        let valid = number.is_finite() && *inputs.signal(self.valid) != 0.0;
        let value = if valid { number } else { 0.0 };
        self.next = Some(ScalarSample { value, taken: context.now(), valid });
    }
}
