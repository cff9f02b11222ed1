//! SimSo 0.8.5 (CeCILL 2.1), a simulator of real-time schedulers in Python, in a process of its own.

use super::python::{self, python};
use crate::ours_tasks::{PERIODS, execution, finished, one_ecu};
use crate::row::{Sample, Side};

const SCRIPT: &str = include_str!("simso.py");

/// Why this peer cannot be measured here, and what to do about it.
pub fn missing() -> Option<String> {
    python::missing("simso")
}

/// Runs of the tasks of one ECU up to `horizon` microseconds: jobs by the CPU time of the run alone. They must
/// end when ours do.
pub fn jobs(horizon: u64) -> Side {
    Box::new(move || {
        let tasks = PERIODS.into_iter().flat_map(|period| [period, execution(period)]);
        let numbers = [horizon].into_iter().chain(tasks).map(|number| number.to_string());
        let output = python().args(["-c", SCRIPT]).args(numbers).output();
        let output = output.expect("python was there when the row began");
        let text = String::from_utf8_lossy(&output.stdout);
        let figures: Vec<f64> =
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [count, seconds, ends] = figures[..] else {
            panic!("SimSo failed: {text}{}", String::from_utf8_lossy(&output.stderr))
        };
        let ours = finished(&one_ecu(), horizon);
        assert_eq!((count, ends), (ours.0 as f64, ours.1 as f64), "the schedules differ");
        Sample { work: count, cost: seconds }
    })
}
