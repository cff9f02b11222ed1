//! What a study found, as numbers, CSV and JSON; each says by which parameters.

use std::fmt::Write;

use serde_json::{Value, json};

use super::Study;

/// What a study found.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyResult {
    /// What was studied.
    pub study: Study,
    /// What was found at each value of the varied ratio.
    pub points: Vec<Point>,
}

/// What was found at one value of the varied ratio.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value in per cent.
    pub ratio: u32,
    /// For each policy of the study, how many workloads it simulates in time.
    pub simulatable: Vec<u64>,
    /// Workloads that were accepted: all that were asked for.
    pub accepted: u64,
    /// Workloads that were drawn until then.
    pub drawn: u64,
    /// Jobs in their real schedules.
    pub jobs: u64,
}

impl Point {
    pub(super) fn new(ratio: u32, policies: usize) -> Self {
        Point { ratio, simulatable: vec![0; policies], accepted: 0, drawn: 0, jobs: 0 }
    }

    pub(super) fn add(&mut self, other: &Point) {
        for (sum, part) in self.simulatable.iter_mut().zip(&other.simulatable) {
            *sum += part;
        }
        self.accepted += other.accepted;
        self.drawn += other.drawn;
        self.jobs += other.jobs;
    }

    /// The part of the drawn workloads that were accepted.
    pub fn acceptance(&self) -> f64 {
        self.accepted as f64 / self.drawn.max(1) as f64
    }
}

impl StudyResult {
    /// The part of all drawn workloads that were accepted.
    pub fn acceptance(&self) -> f64 {
        let sum = |of: fn(&Point) -> u64| self.points.iter().map(of).sum::<u64>();
        sum(|point| point.accepted) as f64 / sum(|point| point.drawn).max(1) as f64
    }

    /// Name and value of everything that the result depends on.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let study = &self.study;
        let ratio = |percent: u32| format!("{percent} %");
        vec![
            ("vary", format!("{} ratio", study.vary.name())),
            ("generator", format!("{}: {}", study.generator.name(), study.generator.about())),
            ("ecus", "U[3, 10]".into()),
            ("execution time", "0.2 x period of the chain's timer".into()),
            ("offsets", "0".into()),
            ("executor", "single-threaded, rules dashing, late timers queue".into()),
            ("transaction ratio", ratio(study.ratios.transaction)),
            ("write ratio", ratio(study.ratios.write)),
            ("read ratio", ratio(study.ratios.read)),
            ("writes", "last task of a chain".into()),
            ("reads", "timer of a chain".into()),
            ("simulation speed", format!("{} x ECU", study.speed)),
            ("simulation cores", study.cores.to_string()),
            ("horizon", format!("{} us", study.horizon())),
            ("workloads", study.workloads.to_string()),
            ("seed", study.seed.to_string()),
            ("accepted", format!("{:.2} % of those drawn", 100.0 * self.acceptance())),
        ]
    }

    /// A line for each point under the parameters as comments: the ratio, workloads drawn until enough were
    /// accepted, and how many each policy simulates in time.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.parameters() {
            let varied = format!("{} ratio", self.study.vary.name()) == name;
            let value = if varied { "varied".into() } else { value };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# {name}: {value}");
        }
        let names: Vec<&str> = self.study.policies.iter().map(|policy| policy.name()).collect();
        let _ =
            writeln!(text, "{}_ratio_percent,drawn,{}", self.study.vary.name(), names.join(","));
        for point in &self.points {
            let counts: Vec<String> = point.simulatable.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "{},{},{}", point.ratio, point.drawn, counts.join(","));
        }
        text
    }

    /// The same as one object.
    pub fn to_json(&self) -> Value {
        let study = &self.study;
        let policies: Vec<&str> = study.policies.iter().map(|policy| policy.name()).collect();
        let point = |point: &Point| {
            let simulatable: serde_json::Map<String, Value> = policies
                .iter()
                .zip(&point.simulatable)
                .map(|(name, count)| ((*name).to_owned(), json!(count)))
                .collect();
            json!({
                "ratio_percent": point.ratio,
                "accepted": point.accepted,
                "drawn": point.drawn,
                "jobs": point.jobs,
                "simulatable": simulatable,
            })
        };
        json!({
            "vary": study.vary.name(),
            "generator": study.generator.name(),
            "workloads": study.workloads,
            "seed": study.seed,
            "ratios_percent": {
                "transaction": study.ratios.transaction,
                "write": study.ratios.write,
                "read": study.ratios.read,
            },
            "simulation_speed": study.speed.to_string(),
            "simulation_cores": study.cores,
            "horizon_us": study.horizon(),
            "parameters": self.parameters().into_iter().map(|(name, value)| json!([name, value])).collect::<Value>(),
            "policies": policies,
            "points": self.points.iter().map(point).collect::<Value>(),
        })
    }
}
