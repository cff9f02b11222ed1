//! Who waited for whom: how the threads or processes of a run spent their time on the wall.

use ironbird_kernel::{Simulation, Statistics};

/// Below so many hundredths of the speed of one, several are not worth their while.
const HARDLY: u32 = 110;

/// What one partition did with its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Paths of the components that it advanced.
    pub components: Vec<String>,
    /// The share of the time in which it waited for each other partition, the longest first.
    pub waited: Vec<(usize, f64)>,
}

impl Part {
    /// What each partition did in `seconds` of wall time, or in that part of them in which all advanced the system;
    /// nothing where there is only one.
    pub(crate) fn all(simulation: &Simulation, statistics: &Statistics, seconds: f64) -> Vec<Part> {
        let count = statistics.placement.partitions;
        let shared = statistics.sharing.as_ref().map(|sharing| sharing.shared.as_secs_f64());
        let seconds = shared.unwrap_or(seconds);
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

/// How many partitions a run has used, of how many there could be, and why: `1 of at most 3 partitions: 2 were
/// slower, 0.31x`.
pub fn partitions_used(statistics: &Statistics) -> String {
    let (used, units) = (statistics.placement.partitions, statistics.placement.units);
    let text = format!("{used} of at most {units} partitions");
    let Some(sharing) = &statistics.sharing else { return text };
    let several = sharing.partitions;
    let Some(percent) = sharing.percent else {
        return format!("{text}: it was over before {several} were tried");
    };
    let factor = format!("{:.2}x", f64::from(percent) / 100.0);
    let time = sharing.shared.as_secs_f64() / (sharing.shared + sharing.alone).as_secs_f64();
    match percent {
        _ if sharing.is_shared() => format!("{text}: {factor} as fast as 1"),
        ..100 => format!("{text}: {several} were slower, {factor}"),
        100..=HARDLY => format!("{text}: {several} were hardly faster, {factor}"),
        _ => format!("{text}: {several} for {:.0} % of the time, {factor} as fast", 100.0 * time),
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
    use std::time::Duration;

    use ironbird_kernel::{PlacementReport, SharingReport};

    use super::*;

    #[test]
    fn what_was_used_is_told_with_the_reason() {
        let told = |partitions, sharing| {
            let placement = PlacementReport { partitions, units: 3, ..PlacementReport::default() };
            partitions_used(&Statistics { placement, sharing, ..Statistics::default() })
        };
        let measured = |alone, shared, percent| {
            let [alone, shared] = [alone, shared].map(Duration::from_millis);
            Some(SharingReport { partitions: 2, alone, shared, percent })
        };
        assert_eq!(told(3, None), "3 of at most 3 partitions");
        let tried = |alone, shared, percent| {
            let (used, text) = (if shared > alone { 2 } else { 1 }, "of at most 3 partitions: ");
            told(used, measured(alone, shared, percent)).replace(&format!("{used} {text}"), "")
        };
        assert_eq!(tried(300, 0, None), "it was over before 2 were tried");
        assert_eq!(tried(900, 20, Some(31)), "2 were slower, 0.31x");
        assert_eq!(tried(900, 20, Some(104)), "2 were hardly faster, 1.04x");
        assert_eq!(tried(900, 300, Some(172)), "2 for 25 % of the time, 1.72x as fast");
        assert_eq!(tried(400, 3_000, Some(172)), "1.72x as fast as 1");
    }

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
