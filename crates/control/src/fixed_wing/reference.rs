//! A demand that an aircraft can follow: no faster than it climbs, sinks or accelerates.

use serde::{Deserialize, Serialize};

use crate::lag::Lag;

/// A demand within limits of its rate, behind a lag.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Reference {
    /// Where the limited demand is, from the first step on.
    ramp: Option<f64>,
    smooth: Lag,
}

impl Reference {
    /// Goes from `present`, at first, towards `goal`. Returns the demand and its rate.
    pub fn follow(
        &mut self,
        goal: f64,
        present: f64,
        [slowest, fastest]: [f64; 2],
        (elapsed, tau): (f64, f64),
    ) -> [f64; 2] {
        let Some(ramp) = &mut self.ramp else {
            self.ramp = Some(present);
            self.smooth = Lag(present);
            return [present, 0.0];
        };
        let before = *ramp;
        *ramp += (goal - *ramp).clamp(slowest * elapsed, fastest * elapsed);
        let ramped = *ramp;
        let rate = match (tau > 0.0, elapsed > 0.0) {
            (true, _) => (ramped - self.smooth.follow(ramped, elapsed, tau)) / tau,
            (false, true) => (ramped - before) / elapsed,
            (false, false) => 0.0,
        };
        [if tau > 0.0 { self.smooth.0 } else { ramped }, rate]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step of 10 m at 2 m/s: it ramps, and its rate is that of the demand.
    #[test]
    fn a_step_becomes_a_ramp_whose_rate_is_its_slope() {
        let (mut reference, mut last) = (Reference::default(), 50.0);
        for n in 0..=500 {
            let [demand, rate] = reference.follow(60.0, 50.0, [-1.0, 2.0], (0.02, 0.5));
            if n > 1 {
                assert!(((demand - last) / 0.02 - rate).abs() < 0.05, "{n}: {rate}");
                assert!((-1e-12..2.0 + 1e-12).contains(&rate), "{n}: {rate}");
            }
            last = demand;
        }
        assert!((last - 60.0).abs() < 1e-3, "{last}");
    }
}
