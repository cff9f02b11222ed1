//! What turns a joint with a wanted speed, as the plugins of simulation worlds do.
//!
//! **By force** ([`SpeedPid`], the law of `gz::math::PID` that ArduPilot's plugin runs once a step with e = measured -
//! wanted):
//!
//! ```text
//! I ← clamp(I + kᵢ h e, integral)       u = clamp(offset - kₚ e - I - k_d (e - e_before)/h, command)
//! ```
//!
//! **By speed** ([`SpeedLag`], that of MulticopterMotorModel): the speed follows what is wanted behind a lag with one
//! time constant up and another down, and the joint turns with it whatever acts on it; what that takes acts back on
//! the carrier:
//!
//! ```text
//! Ω ← wanted + (Ω - wanted) e^(-h/τ)
//! ```

/// A speed controller that works by force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedPid {
    /// Force per error.
    pub proportional: f64,
    /// Force per error and second.
    pub integral: f64,
    /// Force per change of the error per second.
    pub derivative: f64,
    /// Added to the command.
    pub offset: f64,
    /// Ends of the integral part.
    pub integral_range: (f64, f64),
    /// Ends of the command.
    pub command_range: (f64, f64),
    /// The integral part now.
    pub held: f64,
    /// The error of the step before.
    pub last_error: f64,
}

impl SpeedPid {
    /// Without limits, at rest.
    pub fn new(proportional: f64, integral: f64, derivative: f64) -> Self {
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        SpeedPid {
            proportional,
            integral,
            derivative,
            offset: 0.0,
            integral_range: everything,
            command_range: everything,
            held: 0.0,
            last_error: 0.0,
        }
    }

    /// The force or torque for the next step of `h` seconds. A range whose upper end is below its lower limits
    /// nothing, as in the files that use it so.
    pub fn force(&mut self, wanted: f64, measured: f64, h: f64) -> f64 {
        let error = measured - wanted;
        if h.is_nan() || h <= 0.0 || !error.is_finite() {
            return 0.0;
        }
        self.held = within(self.held + self.integral * h * error, self.integral_range);
        let change = (error - self.last_error) / h;
        self.last_error = error;
        let command =
            self.offset - self.proportional * error - self.held - self.derivative * change;
        within(command, self.command_range)
    }
}

fn within(value: f64, (low, high): (f64, f64)) -> f64 {
    if high >= low { value.clamp(low, high) } else { value }
}

/// A speed that follows what is wanted, whatever acts on the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedLag {
    /// Time constant in s while the wanted speed is above.
    pub rise: f64,
    /// Time constant in s while it is below.
    pub fall: f64,
    /// The ends of the wanted speed.
    pub range: (f64, f64),
}

impl SpeedLag {
    /// The acceleration to prescribe (see [`Dynamics::prescribe`](super::Dynamics::prescribe)) for the next step of
    /// `h` seconds, so that the joint then has the speed of the lag.
    pub fn acceleration(&self, wanted: f64, speed: f64, h: f64) -> f64 {
        let wanted = within(wanted, self.range);
        if h.is_nan() || h <= 0.0 || !wanted.is_finite() {
            return 0.0;
        }
        let constant = if wanted > speed { self.rise } else { self.fall };
        let left = if constant > 0.0 { libm::exp(-h / constant) } else { 0.0 };
        (wanted - speed) * (1.0 - left) / h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pid_keeps_its_limits() {
        let mut pid = SpeedPid::new(0.2, 10.0, 0.0);
        pid.command_range = (-2.5, 2.5);
        pid.integral_range = (-0.5, 0.5);
        assert_eq!(pid.force(838.0, 0.0, 1e-3), 2.5);
        assert_eq!(pid.held, -0.5);
        // 0.2 x 1 + 0.5 where the error is -1
        assert!((pid.force(838.0, 837.0, 1e-3) - 0.7).abs() < 1e-12);
        pid.command_range = (1.0, -1.0);
        assert!(pid.force(838.0, 0.0, 1e-3) > 100.0, "ends the wrong way round limit nothing");
        assert_eq!(pid.force(f64::NAN, 0.0, 1e-3), 0.0);
    }

    #[test]
    fn the_derivative_counts_changes() {
        let mut pid = SpeedPid::new(0.0, 0.0, 0.1);
        assert_eq!(pid.force(0.0, 1.0, 0.5), -0.2);
        assert_eq!(pid.force(0.0, 1.0, 0.5), 0.0);
    }

    #[test]
    fn the_lag_has_two_time_constants() {
        let lag = SpeedLag { rise: 0.0125, fall: 0.025, range: (0.0, 1000.0) };
        let mut speed = 0.0;
        for _ in 0..25 {
            speed += lag.acceleration(2000.0, speed, 1e-3) * 1e-3;
        }
        assert!((speed - 1000.0 * (1.0 - libm::exp(-2.0))).abs() < 1e-9);
        let before = speed;
        for _ in 0..25 {
            speed += lag.acceleration(0.0, speed, 1e-3) * 1e-3;
        }
        assert!((speed - before * libm::exp(-1.0)).abs() < 1e-9);
    }
}
