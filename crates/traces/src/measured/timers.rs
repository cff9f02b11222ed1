//! When timers fired. rcl keeps a timer on the grid of its creation: release k is at its creation plus
//! k periods, and callbacks start at that time or later. So the earliest start, taken modulo the period, is
//! the best estimate of the grid that a trace gives; the event of the creation comes some microseconds late.

use super::Releases;
use crate::Distribution;
use crate::ros2::{Callback, Trigger};

/// `declared` is the period that the architecture has; that of the trace counts if there is one.
pub(super) fn releases(callback: &Callback, declared: i64) -> Option<Releases> {
    let Trigger::Timer { period_ns, created_ns } = callback.trigger else { return None };
    let period_ns = period_ns.unwrap_or(declared);
    if period_ns <= 0 {
        return None;
    }
    let first_start = callback.executions.first()?.start_ns;
    let period = i128::from(period_ns);
    // Without the creation, the first start may be late itself, by less than half a period.
    let (reference, slack) = match created_ns {
        Some(created) => (created, period / 10),
        None => (first_start, period / 2),
    };
    let number =
        |start: i64| (i128::from(start) - i128::from(reference) + slack).div_euclid(period);
    let starts = || callback.executions.iter().map(|run| run.start_ns);
    let grid = starts().map(|start| i128::from(start) - number(start) * period).min()?;
    let release = |start: i64| grid + number(start) * period;
    let lateness: Distribution =
        starts().map(|start| (i128::from(start) - release(start)) as i64).collect();
    let first_ns = i64::try_from(release(first_start)).ok()?;
    Some(Releases { first_ns, period_ns, lateness })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ros2::Execution;

    #[test]
    fn a_grid_is_found_below_late_starts() {
        let executions = [1040, 1105, 1250, 1303].map(|start_ns| Execution {
            start_ns,
            end_ns: None,
            thread: 0,
            message: None,
        });
        let mut callback = Callback {
            node: None,
            trigger: Trigger::Timer { period_ns: Some(100), created_ns: None },
            symbol: None,
            group: None,
            process: 0,
            executions: executions.to_vec(),
        };
        let found = releases(&callback, 100).unwrap();
        assert_eq!((found.first_ns, found.lateness.samples()), (1003, &[0, 2, 37, 47][..]));
        callback.trigger = Trigger::Timer { period_ns: Some(100), created_ns: Some(905) };
        assert_eq!(releases(&callback, 100).unwrap().first_ns, 1003);
        callback.trigger = Trigger::Timer { period_ns: None, created_ns: None };
        assert_eq!(releases(&callback, 100), Some(found));
        callback.trigger = Trigger::Timer { period_ns: Some(0), created_ns: None };
        assert_eq!(releases(&callback, 100), None);
    }
}
