//! How much deflection a surface needs at an airspeed, against that for which the gains are.

use ironbird_component::Parameters;

/// Scaling with airspeed: gains are for `speed`; slower flight needs more deflection, faster flight less.
#[derive(Parameters)]
pub(super) struct SpeedScaling {
    /// Airspeed for which the gains are (ArduPilot: SCALING_SPEED).
    #[parameter(unit = "m/s", default = 17.0, above = 0)]
    pub(super) speed: f64,
    /// Smallest factor, in fast flight.
    #[parameter(default = 0.5, above = 0, max = 1)]
    pub(super) lowest: f64,
    /// Largest factor, in slow flight.
    #[parameter(default = 2.0, min = 1)]
    pub(super) highest: f64,
}

impl SpeedScaling {
    /// The factor at an airspeed.
    pub fn at(&self, airspeed: f64) -> f64 {
        if airspeed > 0.0 {
            (self.speed / airspeed).clamp(self.lowest, self.highest)
        } else {
            self.highest
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_flight_needs_more_deflection_within_limits() {
        let scaling = SpeedScaling { speed: 17.0, lowest: 0.5, highest: 2.0 };
        for (airspeed, factor) in [
            (17.0, 1.0),
            (34.0, 0.5),
            (60.0, 0.5),
            (10.0, 1.7),
            (5.0, 2.0),
            (0.0, 2.0),
            (-1.0, 2.0),
        ] {
            assert_eq!(scaling.at(airspeed), factor);
        }
    }
}
