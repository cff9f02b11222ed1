//! How fast motors turn for what an autopilot wants of them.
//!
//! ```text
//! speed = idle + share · (full - idle)             curve = "speed"
//! speed = √(idle² + share · (full² - idle²))       curve = "thrust": thrust, which grows with speed², is linear in the share
//! ```

use ironbird_component::Parameters;
use ironbird_devices::Curve;
use ironbird_kernel::{SignalOut, Step};

/// Motors and their speed controllers.
#[derive(Clone, Debug, Parameters)]
pub struct MotorParameters {
    /// Speed at full throttle.
    #[parameter(unit = "rad/s", default = 1000.0, above = 0)]
    pub full_speed: f64,
    /// Speed without throttle, while motors may turn.
    #[parameter(unit = "rad/s", default = 0.0, min = 0)]
    pub idle_speed: f64,
    /// What is linear in the throttle.
    #[parameter(default = Curve::Speed)]
    pub curve: Curve,
}

impl MotorParameters {
    /// The speed for a throttle from 0 to 1, in rad/s; what is no number is none.
    pub fn speed(&self, throttle: f64) -> f64 {
        let share = if throttle.is_finite() { throttle.clamp(0.0, 1.0) } else { 0.0 };
        let (idle, full) = (self.idle_speed, self.full_speed);
        match self.curve {
            Curve::Speed => idle + share * (full - idle),
            Curve::Thrust => libm::sqrt(idle * idle + share * (full * full - idle * idle)),
        }
    }

    /// Shows the speeds for these throttles; `None` is a motor that must stand still.
    pub fn show<const N: usize>(
        &self,
        step: &mut Step<'_>,
        motors: [SignalOut<f64>; N],
        throttles: [Option<f64>; N],
    ) {
        for (motor, throttle) in motors.into_iter().zip(throttles) {
            step.write(motor, throttle.map_or(0.0, |throttle| self.speed(throttle)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_or_thrust_is_linear_in_the_throttle() {
        let speed = MotorParameters { full_speed: 1100.0, idle_speed: 100.0, curve: Curve::Speed };
        assert_eq!(
            [-1.0, 0.0, 0.5, 2.0, f64::NAN].map(|x| speed.speed(x)),
            [100.0, 100.0, 600.0, 1100.0, 100.0]
        );
        let thrust = MotorParameters { full_speed: 1000.0, idle_speed: 0.0, curve: Curve::Thrust };
        assert_eq!([0.0, 0.25, 1.0].map(|x| thrust.speed(x)), [0.0, 500.0, 1000.0]);
    }
}
