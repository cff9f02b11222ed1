//! Shifts recorded times, to the picosecond.

use ironbird_kernel::{Duration, PortKind, Time};
use ironbird_units::exact::duration_ps;

/// How much later or earlier samples are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Offset {
    Later(Duration),
    Earlier(Duration),
}

impl Offset {
    /// Reads `2.5 s` or `-2.5 s`.
    pub fn read(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (positive, make): (&str, fn(Duration) -> Offset) = match text.strip_prefix('-') {
            Some(rest) => (rest, Offset::Earlier),
            None => (text, Offset::Later),
        };
        let ps = duration_ps(positive).map_err(|error| error.to_string())?;
        Ok(make(Duration::from_ps(ps)))
    }

    /// Shifts samples. Of the values of a signal before the start only the last is kept, as `skip`
    /// makes it after that much of it has passed; messages before the start are left out, and so is
    /// what comes after the end of time.
    pub fn shift<T>(
        self,
        samples: Vec<(Time, T)>,
        kind: PortKind,
        skip: impl Fn(T, Duration) -> T,
    ) -> Vec<(Time, T)> {
        let by = match self {
            Offset::Later(by) => {
                let later = |time: Time| time.as_ps().checked_add(by.as_ps()).map(Time::from_ps);
                let shifted = samples.into_iter().filter_map(|(t, value)| Some((later(t)?, value)));
                return shifted.filter(|(time, _)| !time.is_never()).collect();
            }
            Offset::Earlier(by) => by,
        };
        let zero = Time::ZERO + by;
        let before = samples.partition_point(|(time, _)| *time < zero);
        let kept = if kind == PortKind::Signal { before.saturating_sub(1) } else { before };
        let rest = samples.into_iter().skip(kept);
        rest.map(|(time, value)| match time < zero {
            true => (Time::ZERO, skip(value, zero.since(time))),
            false => (Time::ZERO + time.since(zero), value),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shifted(text: &str, kind: PortKind) -> Vec<(u64, &'static str)> {
        let times = [(1, "a"), (2, "b"), (4, "c")];
        let samples = times.map(|(ps, name)| (Time::from_ps(ps), name)).to_vec();
        let shifted = Offset::read(text).unwrap().shift(samples, kind, |name, _| name);
        shifted.into_iter().map(|(time, name)| (time.as_ps(), name)).collect()
    }

    #[test]
    fn what_lies_before_the_start_is_left_out_but_for_the_value_that_holds_there() {
        use PortKind::{Event, Signal};
        assert_eq!(shifted("3 ps", Signal), [(4, "a"), (5, "b"), (7, "c")]);
        assert_eq!(shifted("-3 ps", Signal), [(0, "b"), (1, "c")]);
        assert_eq!(shifted("-3 ps", Event), [(1, "c")]);
        assert_eq!(shifted("-9 ps", Signal), [(0, "c")]);
        assert_eq!(shifted("-9 ps", Event), []);
    }

    #[test]
    fn what_would_come_after_the_end_of_time_is_left_out() {
        let last = u64::MAX - 3;
        assert_eq!(
            shifted(&format!("{last} ps"), PortKind::Event),
            [(last + 1, "a"), (last + 2, "b")]
        );
    }

    #[test]
    fn an_offset_is_a_time() {
        assert!(Offset::read("2 m").unwrap_err().contains("length"));
        assert!(Offset::read("--2 s").is_err());
    }
}
