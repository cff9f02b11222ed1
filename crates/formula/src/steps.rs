//! Functions of time that change in steps, and the temporal operators on them.
//!
//! Time counts in whole ticks: picoseconds, the resolution of time, or the samples of a sampled
//! signal. A function holds its value from one step until just before the next, so the values in a
//! closed window are those at the ticks in it.

use crate::ast::Window;
use crate::scalar::{greater, lesser};

/// A function from instant 0 to the end of a trace: the ticks where it changes, the first being 0,
/// and the value from there on.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Steps(Vec<(u64, f64)>);

/// How a trace ends for an operator whose window reaches past it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Horizon {
    /// The last instant of the trace.
    pub end: u64,
    /// What is assumed after it; `None` cuts windows off at the end.
    pub beyond: Option<f64>,
}

impl Steps {
    /// Appends a value from `time` on, unless it is the one that holds already.
    pub(crate) fn push(&mut self, time: u64, value: f64) {
        match self.0.last_mut() {
            Some((last, held)) if *last == time => *held = value,
            Some((_, held)) if held.to_bits() == value.to_bits() => {}
            _ => self.0.push((time, value)),
        }
    }

    /// The same function with time counted in multiples of `period`, at which all its steps lie.
    pub(crate) fn in_ticks_of(&self, period: u64) -> Steps {
        Steps(self.0.iter().map(|(time, value)| (time / period, *value)).collect())
    }

    /// How many steps are kept.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value at an instant.
    pub(crate) fn at(&self, time: u64) -> f64 {
        let after = self.0.partition_point(|(start, _)| *start <= time);
        self.0[after.saturating_sub(1)].1
    }

    /// The first instant in the window at which the value fulfils `wanted`.
    pub(crate) fn first(&self, from: u64, to: u64, wanted: fn(f64) -> bool) -> Option<u64> {
        let start = self.0.partition_point(|(start, _)| *start <= from).saturating_sub(1);
        let steps = self.0[start..].iter().take_while(|(start, _)| *start <= to);
        steps.filter(|(_, value)| wanted(*value)).map(|(start, _)| (*start).max(from)).next()
    }

    pub(crate) fn negated(&self) -> Steps {
        Steps(self.0.iter().map(|(time, value)| (*time, -value)).collect())
    }

    pub(crate) fn both(&self, other: &Steps) -> Steps {
        self.joined(other, lesser)
    }

    pub(crate) fn either(&self, other: &Steps) -> Steps {
        self.joined(other, greater)
    }

    fn joined(&self, other: &Steps, with: fn(f64, f64) -> f64) -> Steps {
        let mut result = Steps::default();
        for (time, a, b) in merge(self, other) {
            result.push(time, with(a, b));
        }
        result
    }

    /// The greatest value in the window `[t + from, t + to]`, for every t.
    pub(crate) fn eventually(&self, window: Option<Window>, horizon: Horizon) -> Steps {
        match window {
            Some(window) => self.greatest_within(window, horizon),
            None => self.greatest_from_here(horizon),
        }
    }

    /// The greatest value from t to the end: a running maximum, backwards.
    fn greatest_from_here(&self, horizon: Horizon) -> Steps {
        let mut best = horizon.beyond.unwrap_or(f64::NEG_INFINITY);
        let mut reversed: Vec<(u64, f64)> = Vec::with_capacity(self.len());
        for &(time, value) in self.0.iter().rev() {
            best = greater(best, value);
            reversed.push((time, best));
        }
        collected(reversed)
    }

    /// A segment enters the window when t + to reaches its start and leaves it when t + from
    /// reaches its end. Both happen in the order of the segments, so a queue that keeps only
    /// segments with no greater one behind them has the maximum in front (Lemire 2006).
    fn greatest_within(&self, window: Window, horizon: Horizon) -> Steps {
        let after_end = u128::from(horizon.end) + 1;
        let mut segments: Vec<(u128, f64)> =
            self.0.iter().map(|(start, value)| (u128::from(*start), *value)).collect();
        if let Some(beyond) = horizon.beyond {
            segments.push((after_end, beyond));
        }
        let stop = |i: usize| match segments.get(i + 1) {
            Some((start, _)) => *start,
            None if horizon.beyond.is_some() => u128::MAX,
            None => after_end,
        };
        let (from, to) = (u128::from(window.from), u128::from(window.to));
        let mut result = Steps::default();
        let mut queue = std::collections::VecDeque::<usize>::new();
        let (mut entering, mut leaving) = (0, 0);
        let mut now = 0u128;
        loop {
            while entering < segments.len() && segments[entering].0 <= now + to {
                let value = segments[entering].1;
                while queue.back().is_some_and(|b| segments[*b].1.total_cmp(&value).is_le()) {
                    queue.pop_back();
                }
                queue.push_back(entering);
                entering += 1;
            }
            while leaving < segments.len() && stop(leaving) <= now + from {
                leaving += 1;
            }
            while queue.front().is_some_and(|front| *front < leaving) {
                queue.pop_front();
            }
            let value = queue.front().map_or(f64::NEG_INFINITY, |front| segments[*front].1);
            // `now` is at most the end of the trace, which has 64 bits.
            result.push(now as u64, value);
            let next_in = segments.get(entering).map(|(start, _)| start.saturating_sub(to));
            let next_out = (leaving < segments.len()).then(|| stop(leaving).saturating_sub(from));
            let next = match (next_in, next_out) {
                (Some(a), Some(b)) => a.min(b),
                (Some(a), None) | (None, Some(a)) => a,
                (None, None) => return result,
            };
            if next > u128::from(horizon.end) {
                return result;
            }
            now = next;
        }
    }

    /// The least value of the last `duration`; nothing holds before so much time has passed.
    pub(crate) fn held_for(&self, duration: u64, end: u64) -> Steps {
        let window = Window { from: 0, to: duration };
        let cut = Horizon { end, beyond: None };
        let ahead = self.negated().eventually(Some(window), cut).negated();
        let mut result = Steps::default();
        if duration > 0 {
            result.push(0, f64::NEG_INFINITY);
        }
        for (time, value) in ahead.0 {
            let Some(time) = time.checked_add(duration).filter(|time| *time <= end) else { break };
            result.push(time, value);
        }
        result
    }

    /// `self until other`: the greatest, over t' in the window, of the lesser of `other` at t' and
    /// the least of `self` from t to just before t'.
    pub(crate) fn until(&self, other: &Steps, window: Option<Window>, horizon: Horizon) -> Steps {
        let Some(window) = window else { return self.until_unbounded(other, horizon) };
        // f U[a,b] g = (eventually[a,b] g) and (f during [0,a)) and (f U g) at a: a later t' than b
        // would need f on all of [t, t + b], where the best g of the window is as good (Donze,
        // Ferrere and Maler, CAV 2013).
        let seen = other.eventually(Some(window), horizon);
        let unbounded = self.until_unbounded(other, horizon).earlier(window.from, horizon);
        let result = seen.both(&unbounded);
        if window.from == 0 {
            return result;
        }
        let before = Window { from: 0, to: window.from - 1 };
        let negated = Horizon { beyond: horizon.beyond.map(|value| -value), ..horizon };
        result.both(&self.negated().eventually(Some(before), negated).negated())
    }

    fn until_unbounded(&self, other: &Steps, horizon: Horizon) -> Steps {
        let mut best = horizon.beyond.unwrap_or(f64::NEG_INFINITY);
        let mut reversed = Vec::with_capacity(self.len() + other.len());
        for (time, left, right) in merge(self, other).into_iter().rev() {
            best = greater(right, lesser(left, best));
            reversed.push((time, best));
        }
        collected(reversed)
    }

    /// The function as it is `by` ticks later.
    fn earlier(&self, by: u64, horizon: Horizon) -> Steps {
        let mut result = Steps::default();
        for &(time, value) in &self.0 {
            result.push(time.saturating_sub(by), value);
        }
        if by > 0 {
            let after_end = (u128::from(horizon.end) + 1).saturating_sub(u128::from(by));
            result.push(after_end as u64, horizon.beyond.unwrap_or(f64::NEG_INFINITY));
        }
        result
    }
}

/// Steps that were found from the end to the start.
fn collected(reversed: Vec<(u64, f64)>) -> Steps {
    let mut result = Steps::default();
    for (time, value) in reversed.into_iter().rev() {
        result.push(time, value);
    }
    result
}

/// The instants at which one of two functions changes, with the values of both.
fn merge(a: &Steps, b: &Steps) -> Vec<(u64, f64, f64)> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    loop {
        let time = a.0[i].0.max(b.0[j].0);
        merged.push((time, a.0[i].1, b.0[j].1));
        match (a.0.get(i + 1), b.0.get(j + 1)) {
            (None, None) => return merged,
            (Some(_), None) => i += 1,
            (None, Some(_)) => j += 1,
            (Some((next_a, _)), Some((next_b, _))) => {
                let (advance_a, advance_b) = (next_a <= next_b, next_b <= next_a);
                i += usize::from(advance_a);
                j += usize::from(advance_b);
            }
        }
    }
}
