//! Pulses as commands of motors and servos.

use ironbird_component::{Choice, Parameters};

use crate::Pulse;

/// How a command is told by the width of a pulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Choice)]
pub enum Protocol {
    /// Whichever of the others fits the pulse.
    #[default]
    Detect,
    /// As wide as the parameters say.
    Pwm,
    /// An eighth as wide.
    #[choice(name = "oneshot125")]
    OneShot125,
}

/// Which pulses there are.
#[derive(Clone, Debug, Parameters)]
pub struct PulseRange {
    /// How the command is told.
    #[parameter(default = Protocol::Detect, fixed)]
    pub protocol: Protocol,
    /// Width of the pulse of the least command.
    #[parameter(unit = "us", default = 1000.0, min = 500, max = 2400)]
    pub low: f64,
    /// Width of the pulse of the largest command.
    #[parameter(unit = "us", default = 2000.0, min = 600, max = 2500)]
    pub high: f64,
    /// By how much a pulse may be narrower or wider and still count; others are noise.
    #[parameter(unit = "us", default = 200.0, min = 0)]
    pub tolerance: f64,
}

/// A pulse of OneShot125 is shorter than this, one of PWM is longer, in µs.
const BETWEEN: f64 = 450.0;

impl PulseRange {
    /// Whether the parameters fit each other.
    pub fn check(&self) -> Result<(), String> {
        if self.low < self.high {
            return Ok(());
        }
        let (low, high) = (self.low, self.high);
        Err(format!("`pulses.low` = {low} us must be less than `pulses.high` = {high} us"))
    }

    /// By how many µs of PWM a pulse is wider than the lowest, within the range; none if it is noise.
    pub fn place(&self, pulse: &Pulse) -> Option<f64> {
        let width = pulse.width().as_ps() as f64 / 1e6;
        let width = match self.protocol {
            Protocol::Pwm => width,
            Protocol::Detect if width >= BETWEEN => width,
            Protocol::Detect | Protocol::OneShot125 => 8.0 * width,
        };
        let counts = self.low - self.tolerance <= width && width <= self.high + self.tolerance;
        counts.then(|| width.clamp(self.low, self.high) - self.low)
    }

    /// The width of the range in µs.
    pub fn span(&self) -> f64 {
        self.high - self.low
    }
}
