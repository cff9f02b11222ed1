//! JSBSim (LGPL-2.1), a flight simulator, in a process of its own: it flies an aircraft file of ours, turned
//! into its own format, without an engine. Its steps are made one by one from Python, as its users make
//! them.

use std::path::Path;

use super::python::{self, python};
use crate::row::{Sample, Side};

/// Why this peer cannot be measured here, and what to do about it.
pub fn missing() -> Option<String> {
    python::missing("jsbsim")
}

/// Flights of an aircraft: `per_step` for each step of `step` seconds, by the time that JSBSim takes.
pub fn steps(aircraft: &'static str, step: f64, count: u64, per_step: f64) -> Side {
    Box::new(move || {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let run = serde_json::json!({
            "step": step, "count": count,
            "initial": { "u": 17.0, "height": 500.0 },
            "deflections": { "elevator": [[0.0, -0.05]] },
        });
        let output = python()
            .arg(root.join("crates/plant/tests/jsbsim/to_jsbsim.py"))
            .arg(root.join(format!("examples/fixed-wing/aircraft/{aircraft}.toml")))
            .arg(run.to_string())
            .output()
            .expect("python was there when the row began");
        let text = String::from_utf8_lossy(&output.stdout);
        let rate: f64 = text.trim().parse().unwrap_or_else(|_| {
            panic!("JSBSim failed: {text}{}", String::from_utf8_lossy(&output.stderr))
        });
        Sample { work: count as f64 * per_step, cost: count as f64 / rate }
    })
}
