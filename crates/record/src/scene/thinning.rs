//! Poses that are worth writing: between two of them a body is where a viewer draws it, on the straight way.
//!
//! ```text
//! predicted(t) = p + (p' - p) (t - t₀) / (t' - t₀)      p at t₀ was written, p' at t' came next
//! ```
//!
//! A pose is written when it is away from what the last two predict, and now and then in any case, for those who begin
//! to read in the middle. What is left out follows from what was seen, so equal runs leave out the same.

use ironbird_kernel::{Duration, Time};

/// How far a body may be from where it is predicted, in m.
const AWAY: f64 = 0.01;
/// The same for the parts of its attitude: about half a degree.
const TURNED: f64 = 0.005;
/// The longest time without a pose.
const LONGEST: Duration = Duration::from_secs(2);

type Place = ([f64; 3], [f64; 4]);

/// What was last written of one body, and where it went from there.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinning {
    written: Option<(Time, Place)>,
    next: Option<(Time, Place)>,
}

impl Thinning {
    /// Whether this pose is to be written. Poses come in the order of time.
    pub(super) fn wants(&mut self, time: Time, place: Place) -> bool {
        let Some((since, from)) = self.written else { return self.write(time, place) };
        if time - since >= LONGEST {
            return self.write(time, place);
        }
        let Some((then, to)) = self.next else {
            self.next = Some((time, place));
            return false;
        };
        let seconds = |time: Time| (time - since).as_secs_f64();
        let part = seconds(time) / seconds(then);
        let off = |from: &[f64], to: &[f64], now: &[f64]| {
            let parts = from.iter().zip(to).zip(now);
            parts
                .map(|((from, to), now)| (from + part * (to - from) - now).abs())
                .fold(0.0, f64::max)
        };
        let straight =
            off(&from.0, &to.0, &place.0) <= AWAY && off(&from.1, &to.1, &place.1) <= TURNED;
        !straight && self.write(time, place)
    }

    fn write(&mut self, time: Time, place: Place) -> bool {
        *self = Thinning { written: Some((time, place)), next: None };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times in ms of the poses that are written, of a body that is looked at every 40 ms.
    fn written(count: u64, place: impl Fn(f64) -> Place) -> Vec<u64> {
        let mut thinning = Thinning::default();
        let times = (0..count).map(|number| number * 40);
        let wanted = |ms: &u64| {
            thinning.wants(Time::ZERO + Duration::from_ms(*ms), place(*ms as f64 * 1e-3))
        };
        times.filter(wanted).collect()
    }

    const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

    #[test]
    fn a_straight_way_needs_few_poses() {
        let poses = written(251, |t| ([3.0 * t, -t, 5.0], LEVEL));
        assert_eq!(poses, [0, 2000, 4000, 6000, 8000, 10_000]);
    }

    #[test]
    fn a_bend_is_written_where_it_is() {
        let poses = written(40, |t| ([3.0 * t.min(1.0), 0.0, 0.0], LEVEL));
        assert_eq!(poses, [0, 1040]);
    }

    #[test]
    fn a_curve_is_followed_within_centimetres() {
        let circle = |t: f64| {
            let (sine, cosine) = (libm::sin(t), libm::cos(t));
            ([5.0 * cosine, 5.0 * sine, 0.0], LEVEL)
        };
        let poses = written(250, circle);
        assert!((40..125).contains(&poses.len()), "{poses:?}");
        for pair in poses.windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|ms| circle(ms as f64 * 1e-3).0);
            let middle = circle((pair[0] + pair[1]) as f64 * 0.5e-3).0;
            for axis in 0..3 {
                let drawn = 0.5 * (before[axis] + after[axis]);
                assert!((drawn - middle[axis]).abs() < 0.03, "between {pair:?}");
            }
        }
    }

    #[test]
    fn a_turn_on_the_spot_is_written() {
        let poses = written(50, |t| {
            let half = 0.5 * t.max(1.0);
            ([0.0; 3], [libm::cos(half), 0.0, 0.0, libm::sin(half)])
        });
        assert_eq!(poses[..2], [0, 1040]);
    }
}
