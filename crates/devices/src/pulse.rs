//! What goes over a servo line: pulses whose width is the command.

use ironbird_kernel::{Duration, Time, Value};

/// A pulse, sent when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Value)]
pub struct Pulse {
    /// When it began.
    pub began: Time,
    /// When it ended.
    pub ended: Time,
}

impl Default for Pulse {
    fn default() -> Self {
        Pulse { began: Time::ZERO, ended: Time::ZERO }
    }
}

impl Pulse {
    /// How long the line was high.
    pub fn width(&self) -> Duration {
        self.ended.since(self.began)
    }
}
