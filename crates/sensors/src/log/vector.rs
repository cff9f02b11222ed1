//! Logs of vectors.

use ironbird_component::{Choice, Component};
use ironbird_kernel::{Atomic, Context, Duration, Inputs, Outputs, SignalIn, SignalOut};
use ironbird_kinematics::VectorSample;

use super::Conversion;
use super::axes::AxisOrder;

/// The frame of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum LogFrame {
    /// That of the sensor, as it is mounted.
    #[default]
    Sensor,
    /// That of the vehicle: forward, starboard, down.
    Body,
}

/// Makes samples of a log: what was written to x, y and z in an instant is one sample of that instant.
///
/// Nothing is made up: where the log has a gap there is no sample. An axis that was not written keeps
/// its number. Inputs `x`, `y`, `z` are in `unit`; the samples at `reading` are in SI units (`deg/s`
/// becomes `rad/s`), in `frame`. A sample is not valid where the input `valid` is 0 or a number is not
/// finite.
#[derive(Component)]
#[component(type = "sensor.log-vector", event_driven, check = Self::check, changed = Self::prepare)]
pub struct LogVector {
    /// Unit of the numbers in the log, as in "deg/s".
    #[parameter(fixed)]
    unit: String,
    /// Frame of the samples.
    #[parameter(default = LogFrame::Sensor, fixed)]
    frame: LogFrame,
    /// Which axes of the log are x, y and z of a sample: "x, -y, -z" turns forward, left, up into
    /// forward, starboard, down; "y, x, -z" east, north, up into north, east, down.
    #[parameter(default = "x, y, z", fixed)]
    axes: String,
    /// First number of the log.
    #[input(waking)]
    x: SignalIn<f64>,
    /// Second number of the log.
    #[input(waking)]
    y: SignalIn<f64>,
    /// Third number of the log.
    #[input(waking)]
    z: SignalIn<f64>,
    /// 0 where the log says that its sensor saw nothing.
    #[input(default = 1.0)]
    valid: SignalIn<f64>,
    /// The sample.
    #[output]
    reading: SignalOut<VectorSample>,
    #[skip]
    conversion: Conversion,
    #[skip]
    order: AxisOrder,
    /// Leaves in the instant in which it came; none is ever saved.
    #[skip]
    next: Option<VectorSample>,
}

impl LogVector {
    fn check(&self) -> Result<(), String> {
        AxisOrder::read(&self.axes).map(drop)
    }

    fn prepare(&mut self) {
        self.conversion = Conversion::from(&self.unit);
        self.order = AxisOrder::read(&self.axes).unwrap_or_default();
    }
}

impl Atomic for LogVector {
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
        let log =
            [self.x, self.y, self.z].map(|port| self.conversion.convert(*inputs.signal(port)));
        let finite = log.iter().all(|number| number.is_finite());
        let valid = finite && *inputs.signal(self.valid) != 0.0;
        let value = if valid { self.order.apply(log) } else { [0.0; 3] };
        self.next = Some(VectorSample { value, taken: context.now(), valid });
    }
}
