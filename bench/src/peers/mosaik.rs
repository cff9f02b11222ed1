//! mosaik (LGPL-2.1), a co-simulation framework in Python, in a process of its own: all its
//! simulators are in that process too, so that nothing is sent over a socket.

use std::process::Output;

use super::python::{self, python};
use crate::row::{Sample, Side};
use ironbird_workloads::chain::{Chain, TICKS_PER_KEPT};

const SCRIPT: &str = include_str!("mosaik_chain.py");

/// Why this peer cannot be measured here, and what to do about it.
pub fn missing() -> Option<String> {
    python::missing("mosaik")
}

/// Runs of a chain: component steps by the CPU time of the process that makes them.
pub fn chain(chain: Chain) -> Side {
    Box::new(move || {
        let numbers = [
            chain.length.to_string(),
            chain.ticks.to_string(),
            chain.changed_tick().to_string(),
            TICKS_PER_KEPT.to_string(),
        ];
        let output = python().args(["-c", SCRIPT]).args(numbers).output();
        let output = output.expect("python was there when the row began");
        let [steps, seconds, last] = figures(&output);
        assert_eq!(Some(&last), chain.kept().last(), "mosaik miscalculates");
        Sample { work: steps, cost: seconds }
    })
}

fn figures(output: &Output) -> [f64; 3] {
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    figures.try_into().unwrap_or_else(|_| {
        panic!("mosaik failed: {text}{}", String::from_utf8_lossy(&output.stderr))
    })
}
