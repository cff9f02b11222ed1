//! One model beside several logs: what its errors come to over all of them.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::comparison::Comparison;
use crate::statistics::{quantile, rms};
use crate::tables::{aligned, short};

/// Comparisons by one file with several logs.
#[derive(Clone, Debug)]
pub struct Several {
    /// In the order of the logs.
    pub comparisons: Vec<Comparison>,
}

/// What the errors of a signal come to over all logs.
#[derive(Clone, Debug, PartialEq)]
pub struct Overall {
    /// The signal.
    pub signal: String,
    /// Its unit.
    pub unit: String,
    /// Median over the logs of their root mean squares: of the model, and of one that holds what it starts with.
    pub median: (f64, f64),
    /// Root mean square over all errors of all logs, of both.
    pub pooled: (f64, f64),
}

impl Several {
    /// Whether all bounds hold in all logs.
    pub fn holds(&self) -> bool {
        self.comparisons.iter().all(Comparison::holds)
    }

    /// What the errors come to, by signal.
    pub fn overall(&self) -> Vec<Overall> {
        let Some(first) = self.comparisons.first() else { return Vec::new() };
        let of = |number: usize| {
            let signals = || self.comparisons.iter().map(move |c| &c.signals[number]);
            let median = |mut all: Vec<f64>| {
                all.sort_by(f64::total_cmp);
                quantile(&all, 0.5)
            };
            let errors: Vec<f64> = signals().flat_map(|s| s.errors.iter().copied()).collect();
            let held = signals().map(|s| s.held.rms * s.held.rms * s.held.count as f64);
            let count: usize = signals().map(|s| s.held.count).sum();
            Overall {
                signal: first.signals[number].name.clone(),
                unit: first.signals[number].unit.clone(),
                median: (
                    median(signals().map(|s| s.all.rms).collect()),
                    median(signals().map(|s| s.held.rms).collect()),
                ),
                pooled: (rms(&errors), (held.sum::<f64>() / count.max(1) as f64).sqrt()),
            }
        };
        (0..first.signals.len()).map(of).collect()
    }

    /// For people: a line for each log, and what they come to. The errors are root mean squares; in brackets those of a
    /// model that holds what it starts with.
    pub fn text(&self) -> String {
        let Some(first) = self.comparisons.first() else { return String::new() };
        let mut text = format!(
            "{}\n  {} logs; root mean squares of errors, in brackets of a model that holds what it starts with\n",
            first.title,
            self.comparisons.len()
        );
        let both = |(model, held): (f64, f64)| format!("{} ({})", short(model), short(held));
        let mut heads = vec!["log".to_owned(), "windows".to_owned()];
        heads.extend(first.signals.iter().map(|s| format!("{} [{}]", s.name, s.unit)));
        heads.push("bounds".into());
        let mut rows = vec![heads];
        for comparison in &self.comparisons {
            let name = std::path::Path::new(&comparison.log).file_name();
            let name = name.map_or_else(|| comparison.log.clone(), |n| n.to_string_lossy().into());
            let mut row = vec![name, comparison.starts.len().to_string()];
            row.extend(comparison.signals.iter().map(|s| both((s.all.rms, s.held.rms))));
            row.push(if comparison.holds() { "hold" } else { "broken" }.into());
            rows.push(row);
        }
        let overall = self.overall();
        let broken = self.comparisons.iter().filter(|comparison| !comparison.holds()).count();
        for (name, of) in [("median", 0), ("all errors", 1)] {
            let mut row = vec![name.to_owned(), String::new()];
            row.extend(overall.iter().map(|o| both(if of == 0 { o.median } else { o.pooled })));
            row.push(if of == 0 { String::new() } else { format!("{broken} broken") });
            rows.push(row);
        }
        text.push_str(&aligned(&rows));
        for comparison in &self.comparisons {
            for note in comparison.notes.iter().chain(comparison.damage.iter()) {
                let _ = writeln!(text, "  warning: {}: {note}", comparison.log);
            }
            if let Some(broken) = comparison.broken.first() {
                let _ = writeln!(text, "  {}: the model broke; {broken}", comparison.log);
            }
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let overall = self.overall().into_iter().map(|o| {
            json!({"signal": o.signal, "unit": o.unit, "median_rms": o.median.0, "median_held": o.median.1,
                "rms": o.pooled.0, "held": o.pooled.1})
        });
        json!({"overall": overall.collect::<Vec<_>>(), "holds": self.holds(),
            "logs": self.comparisons.iter().map(Comparison::json).collect::<Vec<_>>()})
    }
}
