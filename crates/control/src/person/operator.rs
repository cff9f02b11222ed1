//! A model of a person who moves one stick: the quasi-linear operator of McRuer.
//!
//! ```text
//!               T_L s + 1                                 e = wanted - seen, beyond the threshold
//! u(s) = K e^-τs ───────── e(s) + n(s)                    K gain, T_L lead, T_N lag of nerves and muscles, τ reaction
//!               T_N s + 1
//!
//! n' = -n / T_n + σ √(2 / T_n) w                          the remnant: what is not explained by e
//! ```
//!
//! and the stick is u between -1 and 1. A person chooses K and T_L so that, with the vehicle, the open loop is about
//! ω_c e^(-τ_e s) / s near its crossover ω_c, with τ_e = τ + T_N - T_L: the crossover model. Its phase margin is
//! π/2 - τ_e ω_c. For a vehicle that answers a stick with a speed, T_L = 0 does it.
//!
//! D. T. McRuer, H. R. Jex, *A Review of Quasi-Linear Pilot Models*, IEEE Transactions on Human Factors in Electronics
//! HFE-8, 1967; D. T. McRuer, E. S. Krendel, *Mathematical Models of Human Pilot Behavior*, AGARDograph 188, 1974.
//!
//! The error is sampled at each step and held. For such an error u is exact at the steps, also where τ is no multiple of
//! them: with e_τ the error of τ ago and x its lag,
//!
//! ```text
//! x' = (e_τ - x) / T_N            u = K (x + T_L (e_τ - x) / T_N) + n
//! ```

use std::collections::VecDeque;

use ironbird_component::{Component, InstantiateError};
use ironbird_kernel::{Duration, Periodic, RandomIn, SignalIn, SignalOut, Step, Time};
use serde::{Deserialize, Serialize};

use crate::blocks::{Shape, ShapedBlock};
use crate::lag::Lag;

/// A model of a person who moves one stick so that what is seen becomes what is wanted.
///
/// It reacts late, is slowed down by nerves and muscles, may look ahead (`lead`), overlooks small errors and is not quite
/// steady. What is wanted and seen have the unit `unit`; the gain is a plain number: full stick per error. Several sticks
/// are several operators, who know nothing of each other.
#[derive(Component)]
#[component(type = "person.operator", periodic, rate = "50 Hz")]
pub struct Operator {
    /// K: full stick per error; negative where the stick must go the other way.
    #[parameter]
    gain: f64,
    /// T_L: how far ahead the error is foreseen, by its rate.
    #[parameter(unit = "s", default = 0.0, min = 0)]
    lead: f64,
    /// τ: the time until a person reacts.
    #[parameter(unit = "s", default = 0.2, min = 0, max = 10)]
    reaction: f64,
    /// T_N: the lag of nerves and muscles.
    #[parameter(unit = "s", default = 0.1, above = 0)]
    lag: f64,
    /// Errors up to this size are not acted on; a plain number in `unit`.
    #[parameter(default = 0.0, min = 0)]
    threshold: f64,
    /// σ: standard deviation of what the hand does by itself, as a part of the full stick.
    #[parameter(default = 0.0, min = 0)]
    remnant: f64,
    /// T_n: how long that lasts.
    #[parameter(unit = "s", default = 0.3, above = 0)]
    remnant_time: f64,
    /// Unit of what is wanted and seen, as in "m"; without it, plain numbers.
    #[parameter(default = "", fixed)]
    unit: String,
    /// What is wanted.
    #[input]
    wanted: SignalIn<f64>,
    /// What is seen.
    #[input]
    seen: SignalIn<f64>,
    /// The stick, from -1 to 1.
    #[output(initial = 0.0)]
    stick: SignalOut<f64>,
    #[random(name = "remnant")]
    stream: RandomIn,
    /// Errors that were seen and not acted on yet, and when they will be.
    pending: VecDeque<(Time, f64)>,
    acting: Acting,
    unsteady: f64,
    last: Option<Time>,
}

/// The part behind the reaction time.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Acting {
    /// e_τ.
    error: f64,
    /// x.
    lagged: Lag,
}

impl ShapedBlock for Operator {
    fn shape(shape: &mut Shape<'_>) -> Result<(), InstantiateError> {
        let unit = shape.unit("unit")?;
        shape.set("wanted", &unit);
        shape.set("seen", &unit);
        Ok(())
    }
}

impl Operator {
    /// Remembers an error until it is time to react.
    fn notice(&mut self, now: Time, error: f64) {
        // No reaction is forgotten where the reaction time becomes shorter, and none overtakes another.
        let reaction = Duration::from_secs_f64_ceil(self.reaction).unwrap_or(Duration::ZERO);
        let earliest = self.pending.back().map_or(Time::ZERO, |(due, _)| *due);
        self.pending.push_back(((now + reaction).max(earliest), error));
    }

    /// Goes from the last step to this one, error by error.
    fn act(&mut self, last: Time, now: Time) {
        let mut at = last;
        while let Some((due, error)) = self.pending.front().copied()
            && due <= now
        {
            self.acting.lagged.follow(self.acting.error, (due - at).as_secs_f64(), self.lag);
            (at, self.acting.error) = (due, error);
            self.pending.pop_front();
        }
        self.acting.lagged.follow(self.acting.error, (now - at).as_secs_f64(), self.lag);
    }
}

impl Periodic for Operator {
    fn step(&mut self, step: &mut Step<'_>) {
        let (now, last) = (step.now(), self.last.unwrap_or(step.now()));
        let error = step.signal(self.wanted) - step.signal(self.seen);
        self.notice(now, error - error.clamp(-self.threshold, self.threshold));
        self.act(last, now);
        self.last = Some(now);

        // Exact for any step: from one to the next the remnant keeps its deviation.
        let kept = libm::exp(-(now - last).as_secs_f64() / self.remnant_time);
        let fresh = (1.0 - kept * kept).sqrt() * step.random(self.stream).normal();
        self.unsteady = kept * self.unsteady + fresh;

        let Acting { error, lagged: Lag(lagged) } = self.acting;
        let meant = self.gain * (lagged + self.lead / self.lag * (error - lagged));
        step.write(self.stick, (meant + self.remnant * self.unsteady).clamp(-1.0, 1.0));
    }
}
