//! Notices that a sensor is stuck: a real one is never quite still.

use ironbird_component::Parameters;
use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// What a controller does about a sensor that is stuck.
#[derive(Parameters)]
pub(crate) struct Watchdog {
    /// A reading that has not changed for this long is not believed; 0 s believes everything.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    after: f64,
    /// Share of the time to heat while the reading is not believed.
    #[parameter(unit = "%", default = 30.0, min = 0, max = 100)]
    duty: f64,
    /// Time from one beginning to heat to the next while the reading is not believed.
    #[parameter(unit = "s", default = 600.0, above = 0)]
    period: f64,
}

/// The last change of a reading.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LastChange(Option<(Time, f64)>);

impl LastChange {
    /// For how many seconds the reading has been the same.
    pub fn age(&mut self, now: Time, reading: f64) -> f64 {
        match self.0 {
            Some((since, value)) if value == reading => (now - since).as_secs_f64(),
            _ => {
                self.0 = Some((now, reading));
                0.0
            }
        }
    }
}

impl Watchdog {
    /// Whether a reading of this age is not believed.
    pub fn is_alarmed(&self, age: f64) -> bool {
        self.after > 0.0 && age >= self.after
    }

    /// Whether to heat, `blind` seconds after the reading was last believed.
    pub fn heats(&self, blind: f64) -> bool {
        (blind / self.period).fract() < self.duty / 100.0
    }

    /// For how long a reading of this age has not been believed.
    pub fn blind_for(&self, age: f64) -> f64 {
        age - self.after
    }
}
