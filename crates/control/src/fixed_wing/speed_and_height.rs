//! Speed and height by two controllers that know nothing of each other.
//!
//! ```text
//! airspeed  throttle = trim + k_p (V_d - V) + I - k_d V'                 I' = k_i (V_d - V)
//! height    pitch    = trim + γ_d + k_p (h_d - h) + I + k_d (h_d' - h')  I' = k_i (h_d - h)
//! ```
//!
//! The paper of the study replaces ArduPilot's total energy control by "two independent PID controllers"
//! (section 5). γ_d is the slope of the leg and h_d' the climb that it means at this airspeed. An integral
//! stands still while it would drive its command further beyond a limit.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::Leg;

use super::level_demand::{HeightProfile, HeldHeight, not_a_leg};
use super::seen::{LastStep, not_a_number};
use crate::integral::Integral;
use crate::lag::Lag;

/// Holds the airspeed of a leg with the throttle and its height with the pitch, by two independent PID
/// controllers.
///
/// While the leg is not valid it holds the height where it was lost, at `cruise_speed`.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e).
#[derive(Component)]
#[component(type = "control.speed-and-height", periodic, rate = "50 Hz", check = Self::check)]
pub struct SpeedAndHeight {
    /// Airspeed while there is no leg.
    #[parameter(unit = "m/s", default = 17.0, above = 0)]
    cruise_speed: f64,
    /// Slowest airspeed that is demanded.
    #[parameter(unit = "m/s", default = 12.0, above = 0)]
    lowest_airspeed: f64,
    /// Fastest airspeed that is demanded.
    #[parameter(unit = "m/s", default = 25.0, above = 0)]
    highest_airspeed: f64,
    /// Height on a leg: `along` it evenly, or at once that of its `end`.
    #[parameter(default = HeightProfile::Along)]
    profile: HeightProfile,
    #[group]
    speed_pid: SpeedGains,
    #[group]
    height_pid: HeightGains,
    /// Airspeed.
    #[input(unit = "m/s")]
    airspeed: SignalIn<f64>,
    /// Position.
    #[input(unit = "m", frame = "ned")]
    position: SignalIn<[f64; 3]>,
    /// Height above the origin.
    #[input(unit = "m")]
    height: SignalIn<f64>,
    /// Vertical speed, positive upwards.
    #[input(unit = "m/s")]
    climb: SignalIn<f64>,
    /// The leg to follow.
    #[input(unit = "from: m, to: m, speed: m/s", frame = "ned")]
    leg: SignalIn<Leg>,
    /// Throttle, from 0 to 1.
    #[output(initial = 0.0)]
    throttle: SignalOut<f64>,
    /// The pitch angle to hold.
    #[output(unit = "rad", initial = 0.0)]
    pitch: SignalOut<f64>,
    /// The height that it wants.
    #[output(unit = "m", initial = 0.0)]
    height_demand: SignalOut<f64>,
    /// The airspeed that it wants.
    #[output(unit = "m/s", initial = 0.0)]
    speed_demand: SignalOut<f64>,
    held: HeldHeight,
    speed_integral: Integral,
    height_integral: Integral,
    acceleration: Lag,
    last_airspeed: Option<f64>,
    last: LastStep,
}

/// From airspeed to throttle.
#[derive(Parameters)]
struct SpeedGains {
    /// Throttle per error of airspeed.
    #[parameter(unit = "s/m", default = 0.15, min = 0)]
    p: f64,
    /// Change of throttle per error of airspeed.
    #[parameter(unit = "1/m", default = 0.03, min = 0)]
    i: f64,
    /// Throttle against acceleration.
    #[parameter(unit = "s^2/m", default = 0.0, min = 0)]
    d: f64,
    /// Time constant of the filter of the acceleration.
    #[parameter(unit = "s", default = 0.5, min = 0)]
    derivative_filter: f64,
    /// Throttle in level flight at cruise speed.
    #[parameter(default = 0.65, min = 0, max = 1)]
    trim_throttle: f64,
    /// Lowest throttle.
    #[parameter(default = 0.0, min = 0, max = 1)]
    lowest_throttle: f64,
    /// Highest throttle.
    #[parameter(default = 1.0, min = 0, max = 1)]
    highest_throttle: f64,
}

/// From height to pitch.
#[derive(Parameters)]
struct HeightGains {
    /// Pitch per error of height.
    #[parameter(unit = "rad/m", default = 0.04, min = 0)]
    p: f64,
    /// Change of pitch per error of height.
    #[parameter(unit = "rad/m/s", default = 0.002, min = 0)]
    i: f64,
    /// Pitch per error of the climb.
    #[parameter(unit = "rad*s/m", default = 0.01, min = 0)]
    d: f64,
    /// Pitch in level flight at cruise speed.
    #[parameter(unit = "deg", default = 3.0)]
    trim_pitch: f64,
    /// Lowest pitch.
    #[parameter(unit = "deg", default = -12.0, min = -90, max = 90)]
    lowest_pitch: f64,
    /// Highest pitch.
    #[parameter(unit = "deg", default = 15.0, min = -90, max = 90)]
    highest_pitch: f64,
}

/// Whether limits are in order; `name` stands for what they limit.
pub(super) fn in_order(
    [lowest_name, highest_name]: [&str; 2],
    [lowest, highest]: [f64; 2],
) -> Result<(), String> {
    if lowest <= highest {
        return Ok(());
    }
    Err(format!("\"{lowest_name}\" ({lowest}) must not be above \"{highest_name}\" ({highest})"))
}

impl SpeedAndHeight {
    fn check(&self) -> Result<(), String> {
        let (speed, height) = (&self.speed_pid, &self.height_pid);
        in_order(
            ["lowest_airspeed", "highest_airspeed"],
            [self.lowest_airspeed, self.highest_airspeed],
        )?;
        in_order(
            ["speed_pid.lowest_throttle", "speed_pid.highest_throttle"],
            [speed.lowest_throttle, speed.highest_throttle],
        )?;
        in_order(
            ["height_pid.lowest_pitch", "height_pid.highest_pitch"],
            [height.lowest_pitch, height.highest_pitch],
        )
    }

    /// The throttle for an error of airspeed.
    fn throttle(&mut self, wanted: f64, airspeed: f64, elapsed: f64) -> f64 {
        let gain = &self.speed_pid;
        let before = self.last_airspeed.replace(airspeed).unwrap_or(airspeed);
        if elapsed > 0.0 {
            let slope = (airspeed - before) / elapsed;
            self.acceleration.follow(slope, elapsed, gain.derivative_filter);
        }
        let error = wanted - airspeed;
        let rest = gain.trim_throttle + gain.p * error - gain.d * self.acceleration.0;
        let (lowest, highest) = (gain.lowest_throttle, gain.highest_throttle);
        self.speed_integral.command(rest, gain.i * error * elapsed, lowest, highest)
    }

    /// The pitch for errors of height and climb on a slope.
    fn pitch(&mut self, error: f64, climb_error: f64, slope: f64, elapsed: f64) -> f64 {
        let gain = &self.height_pid;
        let rest = gain.trim_pitch.to_radians()
            + libm::atan(slope)
            + gain.p * error
            + gain.d * climb_error;
        let (lowest, highest) = (gain.lowest_pitch.to_radians(), gain.highest_pitch.to_radians());
        self.height_integral.command(rest, gain.i * error * elapsed, lowest, highest)
    }
}

impl Periodic for SpeedAndHeight {
    fn step(&mut self, step: &mut Step<'_>) {
        let (airspeed, position) = (*step.signal(self.airspeed), *step.signal(self.position));
        let (height, climb) = (*step.signal(self.height), *step.signal(self.climb));
        let leg = *step.signal(self.leg);
        let wrong = not_a_number(&[
            ("airspeed", &[airspeed]),
            ("position", &position),
            ("height", &[height]),
            ("climb", &[climb]),
        ]);
        if let Some(wrong) = wrong.or_else(|| not_a_leg(&leg)) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let place = (position, height);
        let wanted = self.held.demand(&leg, place, self.profile, self.cruise_speed);
        let speed = wanted.speed.clamp(self.lowest_airspeed, self.highest_airspeed);
        let climb_error = airspeed * libm::sin(libm::atan(wanted.slope)) - climb;
        let throttle = self.throttle(speed, airspeed, elapsed);
        let pitch = self.pitch(wanted.height - height, climb_error, wanted.slope, elapsed);
        step.write(self.throttle, throttle);
        step.write(self.pitch, pitch);
        step.write(self.height_demand, wanted.height);
        step.write(self.speed_demand, speed);
    }
}
