//! What encoders have in common: they count marks.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

use crate::lag::Lag;

/// The count at the last sample, and the speed that follows from the counts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counter {
    last: Option<(Time, f64)>,
    speed: Lag,
}

impl Counter {
    /// The nearest mark to `measured` and the speed: the difference to the mark at the last sample
    /// over the time between, behind a lag.
    pub fn sample(&mut self, now: Time, measured: f64, resolution: f64, filter: f64) -> (f64, f64) {
        let mark = nearest_mark(measured, resolution);
        let difference = match self.last {
            Some((last, mark_then)) if last < now => {
                (mark - mark_then) / (now - last).as_secs_f64()
            }
            _ => 0.0,
        };
        self.last = Some((now, mark));
        (mark, self.speed.follow(now, difference, filter))
    }
}

/// The multiple of the resolution that is nearest; without a resolution, the number itself.
pub(crate) fn nearest_mark(measured: f64, resolution: f64) -> f64 {
    if resolution > 0.0 { (measured / resolution).round() * resolution } else { measured }
}
