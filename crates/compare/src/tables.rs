//! The results as text, CSV and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::comparison::Comparison;
use crate::fit::Identified;
use crate::statistics::{Statistics, quantile};

/// Rows of cells with the columns set under each other; the first to the left, numbers to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(line, " {cell:<width$}"),
                _ => write!(line, "  {cell:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Four digits that count.
pub(crate) fn short(number: f64) -> String {
    let digits = match number.abs() {
        size if !(1e-4..1e6).contains(&size) && size != 0.0 => return format!("{number:.3e}"),
        size if size >= 1000.0 || size == 0.0 => 0,
        size => (3 - libm::floor(libm::log10(size)) as i32).clamp(0, 8) as usize,
    };
    format!("{number:.digits$}")
}

impl Comparison {
    /// Heads and rows of the table of errors.
    pub(crate) fn table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let heads = [
            "what",
            "unit",
            "rms",
            "median",
            "95 %",
            "max",
            "held rms",
            "window rms 5 %",
            "50 %",
            "95 %",
        ];
        let numbers = |of: &Statistics| [of.rms, of.median, of.most, of.max].map(short).to_vec();
        let mut rows = Vec::new();
        for signal in &self.signals {
            let mut row = vec![signal.name.clone(), signal.unit.clone()];
            row.extend(numbers(&signal.all));
            row.push(short(signal.held.rms));
            let mut rms: Vec<f64> = signal.windows.iter().map(|(_, of)| of.rms).collect();
            rms.sort_by(f64::total_cmp);
            row.extend([0.05, 0.5, 0.95].map(|part| short(quantile(&rms, part))));
            rows.push(row);
        }
        let path = self.path.iter();
        for (name, unit, of) in path.flat_map(|p| {
            let rows =
                [("path", p.all), ("path straight", p.straight), ("path turning", p.turning)];
            rows.map(|(name, of)| (name, p.unit.clone(), of))
        }) {
            let mut row = vec![name.to_owned(), unit];
            row.extend(numbers(&of));
            row.extend(["", "", "", ""].map(str::to_owned));
            rows.push(row);
        }
        (heads.map(str::to_owned).to_vec(), rows)
    }

    /// For people: what was compared, the table of errors, and the verdicts.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n  log {}\n", self.title, self.log);
        if let Some(damage) = &self.damage {
            let _ = writeln!(text, "  the log is damaged: {damage}");
        }
        for note in &self.notes {
            let _ = writeln!(text, "  warning: {note}");
        }
        let (count, length) = (self.starts.len(), self.length);
        let windows = if count == 1 { "window" } else { "windows" };
        let _ = writeln!(text, "  {count} {windows} of {} s", short(length));
        if let Some(first) = self.broken.first() {
            let _ = writeln!(text, "  the model broke in {} of them; {first}", self.broken.len());
        }
        let (heads, rows) = self.table();
        let mut all = vec![heads];
        all.extend(rows);
        text.push_str(&aligned(&all));
        for verdict in &self.verdicts {
            let word = verdict.status.word();
            let _ = writeln!(text, "  {word}: {} (margin {})", verdict.name, verdict.margin);
        }
        text
    }

    /// One line for each window and signal.
    pub fn csv(&self) -> String {
        let mut text = String::from("signal,unit,window_s,mean,rms,median,p95,max\n");
        for signal in &self.signals {
            let name = signal.name.replace('"', "\"\"");
            for (start, of) in &signal.windows {
                let numbers = [*start, of.mean, of.rms, of.median, of.most, of.max];
                let numbers: Vec<String> =
                    numbers.iter().map(|number| format!("{number}")).collect();
                let _ = writeln!(text, "\"{name}\",{},{}", signal.unit, numbers.join(","));
            }
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let of = |of: &Statistics| {
            json!({"count": of.count, "mean": of.mean, "rms": of.rms, "median": of.median,
                "p95": of.most, "max": of.max})
        };
        let signals = self.signals.iter().map(|signal| {
            json!({"name": signal.name, "unit": signal.unit, "errors": of(&signal.all),
                "held": of(&signal.held),
                "windows": signal.windows.iter().map(|(start, o)| json!({"start": start, "errors": of(o)}))
                    .collect::<Vec<_>>()})
        });
        let verdicts = self.verdicts.iter().map(|verdict| {
            json!({"name": verdict.name, "formula": verdict.formula, "status": verdict.status.word(),
                "margin": verdict.margin})
        });
        let path = self.path.as_ref().map(|path| {
            json!({"unit": path.unit, "all": of(&path.all), "straight": of(&path.straight),
                "turning": of(&path.turning)})
        });
        json!({"title": self.title, "log": self.log, "damage": self.damage, "notes": self.notes, "broken": self.broken,
            "window_length_s": self.length, "signals": signals.collect::<Vec<_>>(), "path": path,
            "verdicts": verdicts.collect::<Vec<_>>(), "holds": self.holds()})
    }
}

impl Identified {
    /// For people: values, what the log cannot tell, and the scores.
    pub fn text(&self) -> String {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let shown = |number: Option<f64>| number.map_or("-".into(), short);
        let mut rows =
            vec![row(&["parameter", "unit", "start", "found", "deviation", "Cramer-Rao"])];
        for parameter in &self.parameters {
            let mut cells =
                vec![parameter.name.clone(), parameter.unit.clone(), short(parameter.start)];
            let bound = if parameter.at_bound { " (at its bound)" } else { "" };
            cells.push(format!("{}{bound}", short(parameter.value)));
            cells.extend([shown(parameter.deviation), shown(parameter.cramer_rao)]);
            rows.push(cells);
        }
        let mut text = aligned(&rows);
        let _ = writeln!(text, "  deviations are those between {}", self.parts);
        for parameter in self.parameters.iter().filter(|parameter| !parameter.each.is_empty()) {
            let each: Vec<String> = parameter.each.iter().map(|value| short(*value)).collect();
            let _ = writeln!(text, "  {} of each log: {}", parameter.name, each.join(", "));
        }
        for note in &self.notes {
            let _ = writeln!(text, "  warning: {note}");
        }
        for name in &self.without_effect {
            let _ = writeln!(text, "  warning: {name} changes nothing of what is compared");
        }
        for (a, b, correlation) in &self.alike {
            let _ = writeln!(
                text,
                "  warning: the log can hardly tell {a} from {b} (correlation {correlation:.3})"
            );
        }
        let (before, after) = self.costs;
        let _ = writeln!(
            text,
            "  sum of squares {} -> {} in {} steps",
            short(before),
            short(after),
            self.iterations
        );
        let mut rows = vec![row(&["signal", "unit", "rms before", "rms after", "log"])];
        for score in &self.scores {
            let log = if score.fitted { "fitted: " } else { "other: " };
            let mut cells = vec![score.signal.clone(), score.unit.clone()];
            cells.extend([short(score.before), short(score.after), format!("{log}{}", score.log)]);
            rows.push(cells);
        }
        text.push_str(&aligned(&rows));
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let parameters = self.parameters.iter().map(|p| {
            json!({"name": p.name, "unit": p.unit, "start": p.start, "value": p.value,
                "deviation": p.deviation, "cramer_rao": p.cramer_rao, "each": p.each, "at_bound": p.at_bound})
        });
        let scores = self.scores.iter().map(|s| {
            json!({"log": s.log, "fitted": s.fitted, "signal": s.signal, "unit": s.unit,
                "rms_before": s.before, "rms_after": s.after})
        });
        json!({"parameters": parameters.collect::<Vec<_>>(), "alike": self.alike,
            "without_effect": self.without_effect, "notes": self.notes, "deviations_between": self.parts, "cost_before": self.costs.0,
            "cost_after": self.costs.1, "iterations": self.iterations,
            "scores": scores.collect::<Vec<_>>()})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_that_count() {
        let shown = [0.0, 0.012345, 1.2345, 123.456, 4321.5, 1.2e-7].map(short);
        assert_eq!(shown, ["0", "0.01235", "1.234", "123.5", "4322", "1.200e-7"]);
    }
}
