//! MuJoCo (Apache-2.0), a physics engine, in a process of its own: it flies the same quadrotors as we do.

use super::python::{self, python};
use crate::row::{Sample, Side};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peers/mujoco_quadrotors.py");

/// Why this peer cannot be measured here, and what to do about it.
pub fn missing() -> Option<String> {
    python::missing("mujoco")
}

/// Simulated seconds of so many quadrotors that hover, rest on the ground, or land on it; by the CPU time of the steps.
pub fn quadrotors(count: usize, manner: &'static str) -> Side {
    let steps = (40_000 / count).clamp(1_000, 20_000);
    Box::new(move || {
        let output = python()
            .args([PROGRAM, &count.to_string(), &steps.to_string(), manner])
            .output()
            .expect("python was there when the row began");
        let text = String::from_utf8_lossy(&output.stdout);
        let took = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
        let cost = took.unwrap_or_else(|| {
            panic!("MuJoCo failed: {text}{}", String::from_utf8_lossy(&output.stderr))
        });
        Sample { work: steps as f64 * 1e-3, cost }
    })
}
