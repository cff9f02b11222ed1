//! Who waited for whom: how the threads or processes of a run spent their time on the wall.

use ironbird_kernel::{Simulation, Statistics};

/// What one partition did with its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Paths of the components that it advanced.
    pub components: Vec<String>,
    /// The share of the time in which it waited for each other partition, the longest first.
    pub waited: Vec<(usize, f64)>,
}

impl Part {
    /// What each partition did in `seconds` of wall time; nothing where there is only one.
    pub(crate) fn all(simulation: &Simulation, statistics: &Statistics, seconds: f64) -> Vec<Part> {
        let count = statistics.placement.partitions;
        if count < 2 || seconds <= 0.0 {
            return Vec::new();
        }
        let part = |number: usize| {
            let own = statistics.waits.iter().filter(|wait| wait.waiting == number);
            let share = |nanoseconds: u64| (nanoseconds as f64 * 1e-9 / seconds).min(1.0);
            let mut waited: Vec<_> =
                own.map(|wait| (wait.awaited, share(wait.nanoseconds))).collect();
            waited.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            Part { components: simulation.components_of(number), waited }
        };
        (0..count).map(part).collect()
    }

    /// The share of the time in which it did not wait.
    pub fn computed(&self) -> f64 {
        (1.0 - self.waited.iter().map(|(_, share)| share).sum::<f64>()).max(0.0)
    }

    /// In words: `cart, x: computed 71 %, waited 22 % for 4, 7 % for 2`.
    pub fn describe(&self) -> String {
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let waited = self.waited.iter().filter(|(_, share)| *share >= 0.005);
        let waited: Vec<_> =
            waited.map(|(other, share)| format!("{} for {other}", percent(*share))).collect();
        let few = short_list(&self.components);
        let waited = match waited.is_empty() {
            true => String::new(),
            false => format!(", waited {}", waited.join(", ")),
        };
        format!("{few}: computed {}{waited}", percent(self.computed()))
    }
}

/// Components of a partition: four of them, and how many more there are.
pub(crate) fn short_list(components: &[String]) -> String {
    let few = components.iter().take(4).map(String::as_str).collect::<Vec<_>>().join(", ");
    match components.len().saturating_sub(4) {
        0 => few,
        more => format!("{few} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_in_words() {
        let components = ["a", "b", "c", "d", "e"].map(String::from).to_vec();
        let part = Part { components, waited: vec![(2, 0.25), (0, 0.1), (1, 0.001)] };
        assert_eq!(
            part.describe(),
            "a, b, c, d and 1 more: computed 65 %, waited 25 % for 2, 10 % for 0"
        );
        assert_eq!(Part::default().describe(), ": computed 100 %");
    }
}
