//! The temperature of the air outside.
//!
//! ```text
//! T(t) = mean + amplitude cos(2π (h + t - warmest) / 24 h) - sum of the drops of cold snaps at t
//! ```
//!
//! with h the time of day at the start. Between two writes it is a cubic polynomial, the Taylor series
//! at the write: after 10 minutes it is off by no more than 2·10⁻⁷ of the amplitude.

use std::f64::consts::TAU;

use ironbird_component::Component;
use ironbird_kernel::{
    Atomic, CallIn, Context, Duration, Inputs, Outputs, Reply, SignalOut, Start, Time, Value,
};
use ironbird_solvers::Trajectory;
use serde::{Deserialize, Serialize};

const DAY: f64 = 86_400.0;

/// How long one polynomial holds.
const SEGMENT: Duration = Duration::from_secs(600);

/// The temperature of the air outside: warm in the afternoon, cold before dawn, colder still while a
/// cold snap lasts.
///
/// It follows a cosine with a period of 24 h. A scenario makes it colder through the service
/// `cold-snap`; several cold snaps add up.
#[derive(Component)]
#[component(type = "environment.outside-air", event_driven, start = Self::begin)]
pub struct OutsideAir {
    /// Mean of a day.
    #[parameter(unit = "degC", default = 10.0, min = -100, max = 100, fixed)]
    mean: f64,
    /// How much warmer than the mean it gets, and how much colder.
    #[parameter(unit = "K", default = 5.0, min = 0, max = 100, fixed)]
    amplitude: f64,
    /// Time of day at the start of the run.
    #[parameter(unit = "h", default = 0.0, min = 0, below = 24, fixed)]
    time_of_day: f64,
    /// Time of day at which it is warmest.
    #[parameter(unit = "h", default = 15.0, min = 0, below = 24, fixed)]
    warmest: f64,
    /// Makes it colder by `drop` for `duration`, beginning at once. The reply says whether it did: not
    /// for a drop or a duration that is not positive.
    #[service(name = "cold-snap", units = "drop: K, duration: s", positive = "drop, duration")]
    cold_snap: CallIn<ColdSnap, bool>,
    /// Temperature of the air.
    #[output(unit = "degC")]
    temperature: SignalOut<Trajectory>,
    snaps: Vec<Snap>,
    /// The last transition, and what ends the present polynomial.
    now: Time,
    until: Time,
    /// Replies leave in the instant of the call; none is ever saved.
    #[skip]
    replies: Vec<Reply<bool>>,
}

/// What the service `cold-snap` is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Value)]
pub struct ColdSnap {
    /// How much colder it gets, in kelvin.
    pub drop: f64,
    /// How long it lasts, in seconds.
    pub duration: f64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct Snap {
    drop: f64,
    until: Time,
}

impl OutsideAir {
    fn begin(&mut self, start: &mut Start<'_>) {
        self.plan(start.now());
        start.write(self.temperature, self.from(start.now()));
    }

    /// The temperature from `now` on, until the next write.
    fn from(&self, now: Time) -> Trajectory {
        let present = self.snaps.iter().filter(|snap| now < snap.until);
        let drop: f64 = present.map(|snap| snap.drop).sum();
        let omega = TAU / DAY;
        let phase = omega * (now.as_secs_f64() + 3600.0 * (self.time_of_day - self.warmest));
        let (sin, cos) = libm::sincos(phase);
        let a = self.amplitude;
        let coefficients = [
            self.mean + a * cos - drop,
            -a * omega * sin,
            -a * omega * omega * cos / 2.0,
            a * omega * omega * omega * sin / 6.0,
        ];
        Trajectory { start: now, coefficients }
    }

    /// Forgets what is over, and sets when the next polynomial begins.
    fn plan(&mut self, now: Time) {
        self.snaps.retain(|snap| now < snap.until);
        let ends = self.snaps.iter().map(|snap| snap.until);
        self.now = now;
        self.until = ends.fold(now + SEGMENT, Time::min);
    }

    fn take(&mut self, now: Time, snap: &ColdSnap) -> bool {
        let duration = Duration::from_secs_f64_ceil(snap.duration);
        let Some(duration) = duration.filter(|duration| *duration > Duration::ZERO) else {
            return false;
        };
        let is_colder = snap.drop.is_finite() && snap.drop > 0.0;
        if is_colder {
            self.snaps.push(Snap { drop: snap.drop, until: now + duration });
        }
        is_colder
    }
}

impl Atomic for OutsideAir {
    fn time_advance(&self) -> Duration {
        self.until - self.now
    }

    fn output(&mut self, out: &mut Outputs<'_>) {
        out.write(self.temperature, self.from(out.now()));
        for reply in self.replies.drain(..) {
            out.send(self.cold_snap.reply, reply);
        }
    }

    fn internal(&mut self, context: &mut Context<'_>) {
        self.plan(context.now());
    }

    fn external(&mut self, context: &mut Context<'_>, _: Duration, inputs: &Inputs<'_>) {
        for request in inputs.events(self.cold_snap.request) {
            let taken = self.take(context.now(), &request.content);
            self.replies.push(request.reply(taken));
        }
        (self.now, self.until) = (context.now(), context.now());
    }
}
