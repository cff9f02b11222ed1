//! Total energy control of speed and height.
//!
//! ```text
//! E  = g h + V²/2                          specific total energy: the throttle adds and takes it
//! B  = w_p g h - w_k V²/2                  energy balance: the pitch exchanges speed and height
//!
//! Ė_d      = g h_d' + V V_d' + k_φ (1/cos²φ - 1)          within what climb and sink allow
//! throttle = trim + (Ė_d + (E_d - E)/τ + I + d_t (Ė_d - Ė)/τ) / (Ė per throttle)
//! pitch    = trim + (B_d - B + τ Ḃ_d + d_p (Ḃ_d - Ḃ) + I) / (V g τ)
//! w_k = speed weight, w_p = 2 - w_k
//! ```
//!
//! A. A. Lambregts, "Vertical flight path and speed control autopilot design using total energy
//! principles", AIAA Guidance and Control Conference, 1983; in the form of ArduPilot (*TECS (Total Energy
//! Control System) for Speed and Height Tuning Guide*), whose names stand beside the parameters. An
//! integral stands still while it would drive its command further beyond a limit.
//!
//! Full throttle gives the climb `climb_limit` at cruise speed, none the sink `lowest_sink`: this is what
//! a unit of throttle is worth. Drag grows in turns with the square of the load factor, hence k_φ.
//! Below 0.9 of the lowest airspeed with the throttle nearly open the wing is about to stall: then the
//! throttle opens fully and the pitch cares for the speed alone, until the lowest airspeed is back.

use ironbird_component::{Component, Parameters};
use ironbird_kernel::{Periodic, SignalIn, SignalOut, Step};
use ironbird_kinematics::{Attitude, Leg, STANDARD_GRAVITY};

use super::airspeed_filter::AirspeedFilter;
use super::energy::Energies;
use super::level_demand::{HeightProfile, HeldHeight, not_a_leg};
use super::reference::Reference;
use super::seen::{LastStep, not_a_number};
use super::speed_and_height::in_order;
use crate::integral::Integral;

/// Holds the airspeed and height of a leg together by total energy control: the throttle holds the sum of
/// potential and kinetic energy, the pitch their balance.
///
/// While the leg is not valid it holds the height where it was lost, at `cruise_speed`.
///
/// The defaults suit a UAV of 2 kg and 1.27 m span at 17 m/s (Ultra Stick 25e).
#[derive(Component)]
#[component(type = "control.tecs", periodic, rate = "50 Hz", check = Self::check)]
pub struct Tecs {
    /// Airspeed while there is no leg.
    #[parameter(unit = "m/s", default = 17.0, above = 0)]
    cruise_speed: f64,
    /// Height on a leg: `along` it evenly, or at once that of its `end`.
    #[parameter(default = HeightProfile::Along)]
    profile: HeightProfile,
    #[group]
    gain: EnergyGains,
    #[group]
    limit: EnergyLimits,
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
    /// Attitude.
    #[input]
    attitude: SignalIn<Attitude>,
    /// Specific force, as an accelerometer measures it.
    #[input(unit = "m/s^2", frame = "body")]
    specific_force: SignalIn<[f64; 3]>,
    /// The leg to follow.
    #[input(unit = "from: m, to: m, speed: m/s", frame = "ned")]
    leg: SignalIn<Leg>,
    /// Throttle, from 0 to 1.
    #[output(initial = 0.0)]
    throttle: SignalOut<f64>,
    /// The pitch angle to hold.
    #[output(unit = "rad", initial = 0.0)]
    pitch: SignalOut<f64>,
    /// The height that it wants, within what the aircraft can climb and sink.
    #[output(unit = "m", initial = 0.0)]
    height_demand: SignalOut<f64>,
    /// The airspeed that it wants, within what the aircraft can accelerate.
    #[output(unit = "m/s", initial = 0.0)]
    speed_demand: SignalOut<f64>,
    /// Specific total energy that is missing.
    #[output(unit = "m^2/s^2", initial = 0.0)]
    energy_error: SignalOut<f64>,
    /// Rate of specific total energy that is missing.
    #[output(unit = "m^2/s^3", initial = 0.0)]
    energy_rate_error: SignalOut<f64>,
    /// Error of the balance of specific energies: positive where height is missing and speed is not.
    #[output(unit = "m^2/s^2", initial = 0.0)]
    balance_error: SignalOut<f64>,
    /// Error of the rate of the balance.
    #[output(unit = "m^2/s^3", initial = 0.0)]
    balance_rate_error: SignalOut<f64>,
    /// Whether it is so slow that only the speed counts.
    #[output(initial = false)]
    underspeed: SignalOut<bool>,
    held: HeldHeight,
    height_reference: Reference,
    speed_reference: Reference,
    filter: AirspeedFilter,
    throttle_integral: Integral,
    pitch_integral: Integral,
    last_throttle: Option<f64>,
    last_pitch: Option<f64>,
    is_slow: bool,
    last: LastStep,
}

/// Gains and time constants.
#[derive(Parameters)]
struct EnergyGains {
    /// Time in which errors are closed (TECS_TIME_CONST).
    #[parameter(unit = "s", default = 3.0, above = 0)]
    time_constant: f64,
    /// Gain of the integrals (TECS_INTEG_GAIN).
    #[parameter(unit = "1/s", default = 0.2, min = 0)]
    integral: f64,
    /// Damping by throttle (TECS_THR_DAMP).
    #[parameter(unit = "s", default = 1.0, min = 0)]
    throttle_damping: f64,
    /// Damping by pitch (TECS_PTCH_DAMP).
    #[parameter(unit = "s", default = 1.0, min = 0)]
    pitch_damping: f64,
    /// What the pitch cares for: 0 is height alone, 2 is airspeed alone (TECS_SPDWEIGHT).
    #[parameter(default = 1.0, min = 0, max = 2)]
    speed_weight: f64,
    /// Rate of energy that a turn costs, per 1/cos² of the bank less 1 (TECS_RLL2THR).
    #[parameter(unit = "m^2/s^3", default = 2.5, min = 0)]
    roll_compensation: f64,
    /// Time constant by which the demanded height is smoothed.
    #[parameter(unit = "s", default = 1.0, min = 0)]
    height_filter: f64,
    /// Time constant by which the demanded airspeed is smoothed.
    #[parameter(unit = "s", default = 1.0, min = 0)]
    speed_filter: f64,
    /// Where airspeed and accelerometer part in the estimate of the airspeed (TECS_SPD_OMEGA).
    #[parameter(unit = "rad/s", default = 2.0, above = 0)]
    airspeed_frequency: f64,
    /// Throttle in level flight at cruise speed (TRIM_THROTTLE).
    #[parameter(default = 0.65, min = 0, max = 1)]
    trim_throttle: f64,
    /// Pitch in level flight at cruise speed.
    #[parameter(unit = "deg", default = 3.0)]
    trim_pitch: f64,
}

/// Limits.
#[derive(Parameters)]
struct EnergyLimits {
    /// Fastest climb, with full throttle (TECS_CLMB_MAX).
    #[parameter(unit = "m/s", default = 3.5, above = 0)]
    climb: f64,
    /// Sink without throttle at cruise speed (TECS_SINK_MIN).
    #[parameter(unit = "m/s", default = 4.0, above = 0)]
    lowest_sink: f64,
    /// Fastest sink that is demanded (TECS_SINK_MAX).
    #[parameter(unit = "m/s", default = 4.0, above = 0)]
    highest_sink: f64,
    /// Slowest airspeed.
    #[parameter(unit = "m/s", default = 12.0, above = 0)]
    lowest_airspeed: f64,
    /// Fastest airspeed.
    #[parameter(unit = "m/s", default = 25.0, above = 0)]
    highest_airspeed: f64,
    /// Lowest throttle.
    #[parameter(default = 0.0, min = 0, max = 1)]
    lowest_throttle: f64,
    /// Highest throttle.
    #[parameter(default = 1.0, above = 0, max = 1)]
    highest_throttle: f64,
    /// Fastest change of the throttle (THR_SLEWRATE).
    #[parameter(unit = "1/s", default = 1.0, above = 0)]
    throttle_slew: f64,
    /// Lowest pitch.
    #[parameter(unit = "deg", default = -15.0, min = -90, max = 90)]
    lowest_pitch: f64,
    /// Highest pitch.
    #[parameter(unit = "deg", default = 20.0, min = -90, max = 90)]
    highest_pitch: f64,
    /// Vertical acceleration that a change of the demanded pitch means at most (TECS_VERT_ACC).
    #[parameter(unit = "m/s^2", default = 7.0, above = 0)]
    vertical_acceleration: f64,
}

/// What one step works on.
struct Sight {
    airspeed: f64,
    bank: f64,
    elapsed: f64,
    wanted: Energies,
    present: Energies,
}

impl Tecs {
    fn check(&self) -> Result<(), String> {
        let limit = &self.limit;
        in_order(
            ["limit.lowest_airspeed", "limit.highest_airspeed"],
            [limit.lowest_airspeed, limit.highest_airspeed],
        )?;
        in_order(
            ["limit.lowest_pitch", "limit.highest_pitch"],
            [limit.lowest_pitch, limit.highest_pitch],
        )?;
        if limit.lowest_throttle < limit.highest_throttle {
            return Ok(());
        }
        let (lowest, highest) = (limit.lowest_throttle, limit.highest_throttle);
        Err(format!(
            "\"limit.lowest_throttle\" ({lowest}) must be below \"limit.highest_throttle\" ({highest})"
        ))
    }

    /// The lowest and highest rate of energy.
    fn energy_rates(&self) -> [f64; 2] {
        [-STANDARD_GRAVITY * self.limit.lowest_sink, STANDARD_GRAVITY * self.limit.climb]
    }

    /// Whether it has become, or stays, too slow.
    fn watch_speed(&mut self, airspeed: f64) {
        let limit = &self.limit;
        let open = self.last_throttle.is_some_and(|t| t >= 0.95 * limit.highest_throttle);
        self.is_slow = if self.is_slow {
            airspeed < limit.lowest_airspeed
        } else {
            airspeed < 0.9 * limit.lowest_airspeed && open
        };
    }

    /// The throttle that holds the sum of the energies.
    fn throttle(&mut self, sight: &Sight) -> f64 {
        let (gain, limit) = (&self.gain, &self.limit);
        let (lowest, highest) = (limit.lowest_throttle, limit.highest_throttle);
        let [sinks, climbs] = self.energy_rates();
        let worth = (climbs - sinks) / (highest - lowest);
        // 1/cos² stays within 10, a bank of 72 degrees.
        let cosine = libm::cos(sight.bank);
        let turn = gain.roll_compensation * (1.0 / (cosine * cosine).max(0.1) - 1.0);
        let wanted_rate = sight.wanted.total_rate().clamp(sinks, climbs);
        let error = sight.wanted.total() - sight.present.total();
        let rate_error = wanted_rate - sight.present.total_rate();
        let close = (error + gain.throttle_damping * rate_error) / gain.time_constant;
        let rest = gain.trim_throttle + (wanted_rate + turn + close) / worth;
        let growth = gain.integral * error * sight.elapsed / (gain.time_constant * worth);
        let throttle = self.throttle_integral.command(rest, growth, lowest, highest);
        let throttle = if self.is_slow { highest } else { throttle };
        let slew = limit.throttle_slew * sight.elapsed;
        let last = self.last_throttle.unwrap_or(throttle);
        let throttle = throttle.clamp(last - slew, last + slew);
        self.last_throttle = Some(throttle);
        throttle
    }

    /// The pitch that holds the balance of the energies; and the errors of the balance and its rate.
    fn pitch(&mut self, sight: &Sight) -> [f64; 3] {
        let (gain, limit) = (&self.gain, &self.limit);
        let weight = if self.is_slow { 2.0 } else { gain.speed_weight };
        let [wanted, wanted_rate] = sight.wanted.balance(weight);
        let [is, is_rate] = sight.present.balance(weight);
        let (error, rate_error) = (wanted - is, wanted_rate - is_rate);
        let airspeed = sight.airspeed.max(limit.lowest_airspeed);
        let worth = airspeed * gain.time_constant * STANDARD_GRAVITY;
        let moves = error + gain.time_constant * wanted_rate + gain.pitch_damping * rate_error;
        let rest = gain.trim_pitch.to_radians() + moves / worth;
        let growth = gain.integral * error * sight.elapsed / worth;
        let (lowest, highest) = (limit.lowest_pitch.to_radians(), limit.highest_pitch.to_radians());
        let pitch = self.pitch_integral.command(rest, growth, lowest, highest);
        let slew = limit.vertical_acceleration / airspeed * sight.elapsed;
        let last = self.last_pitch.unwrap_or(pitch);
        let pitch = pitch.clamp(last - slew, last + slew);
        self.last_pitch = Some(pitch);
        [pitch, error, rate_error]
    }
}

impl Periodic for Tecs {
    fn step(&mut self, step: &mut Step<'_>) {
        let (measured, position) = (*step.signal(self.airspeed), *step.signal(self.position));
        let (height, climb) = (*step.signal(self.height), *step.signal(self.climb));
        let [bank, attitude, _] = step.signal(self.attitude).to_euler();
        let [forward, ..] = *step.signal(self.specific_force);
        let leg = *step.signal(self.leg);
        let wrong = not_a_number(&[
            ("airspeed", &[measured]),
            ("position", &position),
            ("height", &[height]),
            ("climb", &[climb]),
            ("attitude", &[bank, attitude]),
            ("specific_force", &[forward]),
        ]);
        if let Some(wrong) = wrong.or_else(|| not_a_leg(&leg)) {
            return step.fail(wrong);
        }
        let elapsed = self.last.elapsed(step.now());
        let (gain, limit) = (&self.gain, &self.limit);
        let acceleration = forward - STANDARD_GRAVITY * libm::sin(attitude);
        let frequency = gain.airspeed_frequency;
        let [airspeed, rate] = self.filter.update(measured, acceleration, frequency, elapsed);
        let goal = self.held.demand(&leg, (position, height), self.profile, self.cruise_speed);
        let climbs = [-limit.highest_sink, limit.climb];
        let smooth = (elapsed, gain.height_filter);
        let heights = self.height_reference.follow(goal.height, height, climbs, smooth);
        let speed = goal.speed.clamp(limit.lowest_airspeed, limit.highest_airspeed);
        // Half of what the engine can do is for speed, half for height.
        let divisor = 2.0 * airspeed.max(limit.lowest_airspeed);
        let accelerates = self.energy_rates().map(|rate| rate / divisor);
        let smooth = (elapsed, gain.speed_filter);
        let speeds = self.speed_reference.follow(speed, airspeed, accelerates, smooth);
        let wanted = Energies::of(heights, speeds);
        let present = Energies::of([height, climb], [airspeed, rate]);
        let sight = Sight { airspeed, bank, elapsed, wanted, present };
        self.watch_speed(airspeed);
        let throttle = self.throttle(&sight);
        let [pitch, balance_error, balance_rate_error] = self.pitch(&sight);
        step.write(self.throttle, throttle);
        step.write(self.pitch, pitch);
        step.write(self.height_demand, heights[0]);
        step.write(self.speed_demand, speeds[0]);
        step.write(self.energy_error, wanted.total() - present.total());
        step.write(self.energy_rate_error, wanted.total_rate() - present.total_rate());
        step.write(self.balance_error, balance_error);
        step.write(self.balance_rate_error, balance_rate_error);
        step.write(self.underspeed, self.is_slow);
    }
}
