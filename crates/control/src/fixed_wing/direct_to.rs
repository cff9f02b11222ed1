//! An autopilot of a handful of linear loops that steers straight for the next way-point.
//!
//! ```text
//! χ_e     = bearing of the way-point - course                      wrapped
//! φ_d     = limit(1.5 χ_e, ±45°)
//! aileron = 0.64 (φ_d - φ) + 0.20 ∫(φ_d - φ) - 0.07 p
//! rudder  = 0.065 s/(s + 2) r                                      yaw damper with wash-out
//! θ_d     = 0.023 (h_d - h_f) + 0.0010 ∫(h_d - h_f)                h_f: h through 2/(s + 2)
//! elevator = -0.90 (θ_d - θ) - 0.30 ∫(θ_d - θ) + 0.08 q
//! throttle = 0.150 (V_d - V_f) + 0.040 ∫(V_d - V_f)                V_f: V through 2/(s + 2)
//! ```
//!
//! These are the laws that flew the Ultra Stick 25e "Thor" of the University of Minnesota in its flight 75
//! (2012-10-10). They were found from the log of that flight: with them its recorded surfaces and throttle
//! follow from its recorded motion to all digits that the log has. Signs are ours: the integrals run always,
//! and outputs are limited where the surfaces are.

use ironbird_component::Component;
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Start, Step};
use ironbird_kinematics::{Attitude, Leg};

use super::seen::{LastStep, not_a_number};
use crate::autopilot::wrapped;
use crate::lag::Lag;

/// Flies an aircraft straight to the end of its leg, wherever the leg began: the simple autopilot of the
/// University of Minnesota's UAV laboratory, whose recorded flights others are compared with.
///
/// It does not follow the line of the leg: in wind from the side the way is a curve.
#[derive(Component)]
#[component(type = "autopilot.direct-to", periodic, rate = "50 Hz", start = Self::begin)]
pub struct DirectTo {
    /// Demanded roll for each radian of course error.
    #[parameter(default = 1.5, min = 0)]
    course_gain: f64,
    /// Largest demanded roll.
    #[parameter(unit = "deg", default = 45.0, above = 0, max = 80)]
    roll_limit: f64,
    /// Aileron for each radian of roll error, of its integral over time, and of roll rate.
    #[parameter(default = [0.64, 0.20, 0.07])]
    roll_gains: [f64; 3],
    /// Elevator for each radian of pitch error, of its integral over time, and of pitch rate.
    #[parameter(default = [0.90, 0.30, 0.08])]
    pitch_gains: [f64; 3],
    /// Demanded pitch in rad for each metre of height error and of its integral over time.
    #[parameter(default = [0.023, 0.0010])]
    height_gains: [f64; 2],
    /// Throttle for each m/s of airspeed error and of its integral over time.
    #[parameter(default = [0.150, 0.040])]
    speed_gains: [f64; 2],
    /// Rudder for each rad/s of yaw rate that changes quickly.
    #[parameter(unit = "s", default = 0.065)]
    yaw_gain: f64,
    /// Time constant of the filters of height and airspeed, and of the wash-out of the yaw damper.
    #[parameter(unit = "s", default = 0.5, above = 0)]
    filter: f64,
    /// What the integral of the roll error gives to the aileron at the start.
    #[parameter(unit = "rad", default = 0.0, fixed)]
    start_aileron: f64,
    /// What the integral of the pitch error gives to the elevator at the start.
    #[parameter(unit = "rad", default = -0.05, fixed)]
    start_elevator: f64,
    /// What the integral of the height error gives to the demanded pitch at the start.
    #[parameter(unit = "rad", default = 0.06, fixed)]
    start_pitch: f64,
    /// What the integral of the airspeed error gives to the throttle at the start.
    #[parameter(default = 0.65, min = 0, max = 1, fixed)]
    start_throttle: f64,
    /// The leg, of which the end, its height and the speed count.
    #[input(unit = "from: m, to: m, speed: m/s", frame = "ned")]
    leg: SignalIn<Leg>,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Velocity over ground.
    #[input(unit = "m/s", frame = "ned")]
    velocity: SignalIn<[f64; 3]>,
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Angular velocity.
    #[input(unit = "rad/s", frame = "body")]
    angular_velocity: SignalIn<[f64; 3]>,
    /// Airspeed.
    #[input(unit = "m/s")]
    airspeed: SignalIn<f64>,
    /// Deflection of the ailerons.
    #[output(unit = "rad", initial = 0.0)]
    aileron: SignalOut<f64>,
    /// Deflection of the elevator.
    #[output(unit = "rad", initial = 0.0)]
    elevator: SignalOut<f64>,
    /// Deflection of the rudder.
    #[output(unit = "rad", initial = 0.0)]
    rudder: SignalOut<f64>,
    /// Throttle.
    #[output(unit = "1", initial = 0.0)]
    throttle: SignalOut<f64>,
    /// The roll that it wants.
    #[output(unit = "rad", initial = 0.0)]
    roll_demand: SignalOut<f64>,
    /// The pitch that it wants.
    #[output(unit = "rad", initial = 0.0)]
    pitch_demand: SignalOut<f64>,
    /// What the integrals give: aileron, elevator, demanded pitch, throttle.
    integrals: [f64; 4],
    height_filter: Lag,
    speed_filter: Lag,
    yaw_filter: Lag,
    has_filters: bool,
    last: LastStep,
}

impl DirectTo {
    fn begin(&mut self, _: &mut Start<'_>) {
        self.integrals =
            [self.start_aileron, self.start_elevator, self.start_pitch, self.start_throttle];
    }
}

impl Periodic for DirectTo {
    fn step(&mut self, step: &mut Step<'_>) {
        let leg = *step.signal(self.leg);
        let position = *step.signal(self.position);
        let velocity = *step.signal(self.velocity);
        let [roll, pitch, _] = step.signal(self.attitude).to_euler();
        let rates = *step.signal(self.angular_velocity);
        let airspeed = *step.signal(self.airspeed);
        if let Some(wrong) = not_a_number(&[
            ("position", &position),
            ("velocity", &velocity),
            ("attitude", &[roll, pitch]),
            ("angular_velocity", &rates),
            ("airspeed", &[airspeed]),
            ("leg", &leg.to),
        ]) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let height = -position[2];
        if !self.has_filters {
            (self.height_filter, self.speed_filter) = (Lag(height), Lag(airspeed));
            (self.yaw_filter, self.has_filters) = (Lag(rates[2]), true);
        }
        let height = self.height_filter.follow(height, elapsed, self.filter);
        let airspeed = self.speed_filter.follow(airspeed, elapsed, self.filter);
        let slow_yaw = self.yaw_filter.follow(rates[2], elapsed, self.filter);

        let (roll_demand, height_error, speed_error) = match leg.valid {
            true => {
                let bearing = libm::atan2(leg.to[1] - position[1], leg.to[0] - position[0]);
                let course = libm::atan2(velocity[1], velocity[0]);
                let limit = self.roll_limit.to_radians();
                let demand = (self.course_gain * wrapped(bearing - course)).clamp(-limit, limit);
                (demand, -leg.to[2] - height, leg.speed - airspeed)
            }
            // Without a leg it flies level, as high and as fast as it does.
            false => (0.0, 0.0, 0.0),
        };
        self.integrals[2] += self.height_gains[1] * height_error * elapsed;
        let pitch_demand = self.height_gains[0] * height_error + self.integrals[2];
        let (roll_error, pitch_error) = (wrapped(roll_demand - roll), pitch_demand - pitch);
        self.integrals[0] += self.roll_gains[1] * roll_error * elapsed;
        self.integrals[1] -= self.pitch_gains[1] * pitch_error * elapsed;
        self.integrals[3] += self.speed_gains[1] * speed_error * elapsed;
        let [aileron, elevator, _, throttle] = self.integrals;
        let throttle = throttle + self.speed_gains[0] * speed_error;
        let aileron = aileron + self.roll_gains[0] * roll_error - self.roll_gains[2] * rates[0];
        let elevator =
            elevator - self.pitch_gains[0] * pitch_error + self.pitch_gains[2] * rates[1];
        step.write(self.aileron, aileron);
        step.write(self.elevator, elevator);
        step.write(self.rudder, self.yaw_gain * (rates[2] - slow_yaw));
        step.write(self.throttle, throttle.clamp(0.0, 1.0));
        step.write(self.roll_demand, roll_demand);
        step.write(self.pitch_demand, pitch_demand);
    }
}
