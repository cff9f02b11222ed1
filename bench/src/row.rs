//! A row of the table: one job, done by us and by one peer.

use serde::Serialize;

/// What one repetition of one side did, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// How much was done: transitions, events, holds, crossings, atomics.
    pub work: f64,
    /// What it cost: seconds, or bytes in rows about memory, or instructions.
    pub cost: f64,
}

impl Sample {
    /// What one unit of work cost: every figure of the table follows from this number.
    pub fn cost_of_one(self) -> f64 {
        self.cost / self.work
    }
}

/// How a row's figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Work in a second: more is better.
    PerSecond(&'static str),
    /// The same, where the median repetition counts instead of the best.
    PerSecondAtMedian(&'static str),
    /// Nanoseconds for one unit of work: less is better.
    NanosecondsPer(&'static str),
    /// Live heap bytes for one unit of work: less is better.
    BytesPer(&'static str),
    /// Instructions for one unit of work: less is better.
    InstructionsPer(&'static str),
}

impl Figure {
    /// The unit of the figures, as printed.
    pub fn unit(self) -> String {
        match self {
            Figure::PerSecond(work) | Figure::PerSecondAtMedian(work) => format!("{work}s/s"),
            Figure::NanosecondsPer(work) => format!("ns/{work}"),
            Figure::BytesPer(work) => format!("bytes/{work}"),
            Figure::InstructionsPer(work) => format!("instructions/{work}"),
        }
    }

    /// Whether every repetition gives the same number, so that one is enough.
    pub fn is_exact(self) -> bool {
        matches!(self, Figure::BytesPer(_) | Figure::InstructionsPer(_))
    }

    /// Whether the median repetition counts.
    pub fn is_median(self) -> bool {
        matches!(self, Figure::PerSecondAtMedian(_))
    }

    /// The figure of a side whose unit of work cost this much.
    pub fn of(self, cost_of_one: f64) -> f64 {
        match self {
            Figure::PerSecond(_) | Figure::PerSecondAtMedian(_) => 1.0 / cost_of_one,
            Figure::NanosecondsPer(_) => cost_of_one * 1e9,
            Figure::BytesPer(_) | Figure::InstructionsPer(_) => cost_of_one,
        }
    }
}

/// One side of a row: does the job once and says what it cost. It builds what it needs first and
/// reports the cost of the run alone; nothing happens before its first call.
pub type Side = Box<dyn FnMut() -> Sample>;

/// One job, done by us and by one peer. (`name`, `peer`) is unique in the whole program.
pub struct Row {
    /// The job.
    pub name: &'static str,
    /// Who else does it.
    pub peer: &'static str,
    /// Why the peer is not on this machine and how to get it; asked before its first run.
    pub missing: fn() -> Option<String>,
    /// How the figures are written.
    pub figure: Figure,
    /// Our side.
    pub ours: Side,
    /// The peer's side.
    pub theirs: Side,
}

/// For peers that are part of this program.
pub fn always_there() -> Option<String> {
    None
}

/// A measured row, with the keys the JSON output has.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub name: &'static str,
    pub peer: &'static str,
    /// Our figure, unless the row has failed.
    pub ours: Option<f64>,
    /// The peer's figure, unless the peer is missing or the row has failed.
    pub theirs: Option<f64>,
    pub unit: String,
    /// Repetitions that count, of each side.
    pub repetitions: usize,
    /// How many times faster (or smaller) we are: above 1 we win, whatever the unit.
    pub ratio: Option<f64>,
    /// How far the median repetition was from the best one, on the noisier side: 0.1 is 10 %.
    pub noise: f64,
    /// Why the peer is missing and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Why there are no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

impl Outcome {
    /// The outcome of a row from both sides' samples, of which the cheapest counts, or the median.
    ///
    /// # Panics
    /// If we have no samples.
    pub fn new(
        name: &'static str,
        peer: &'static str,
        figure: Figure,
        ours: &[Sample],
        theirs: &[Sample],
    ) -> Self {
        let repetitions = ours.len();
        let ours = Spread::of(ours);
        let theirs = (!theirs.is_empty()).then(|| Spread::of(theirs));
        Outcome {
            name,
            peer,
            ours: Some(figure.of(ours.counted(figure))),
            theirs: theirs.map(|theirs| figure.of(theirs.counted(figure))),
            unit: figure.unit(),
            repetitions,
            ratio: theirs.map(|theirs| theirs.counted(figure) / ours.counted(figure)),
            noise: theirs.map_or(ours.noise(), |theirs| ours.noise().max(theirs.noise())),
            missing: None,
            failed: None,
        }
    }

    /// A row without figures.
    pub fn failed(name: &'static str, peer: &'static str, figure: Figure, why: String) -> Self {
        Outcome {
            name,
            peer,
            ours: None,
            theirs: None,
            unit: figure.unit(),
            repetitions: 0,
            ratio: None,
            noise: 0.0,
            missing: None,
            failed: Some(why),
        }
    }
}

/// The cheapest and the median repetition, in cost of one unit of work.
#[derive(Clone, Copy)]
struct Spread {
    best: f64,
    median: f64,
}

impl Spread {
    fn of(samples: &[Sample]) -> Self {
        let mut costs: Vec<f64> = samples.iter().map(|sample| sample.cost_of_one()).collect();
        costs.sort_by(f64::total_cmp);
        Spread { best: costs[0], median: costs[costs.len() / 2] }
    }

    fn counted(self, figure: Figure) -> f64 {
        if figure.is_median() { self.median } else { self.best }
    }

    fn noise(self) -> f64 {
        self.median / self.best - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(figure: Figure, ours: f64, theirs: f64) -> Outcome {
        let sample = |cost| [Sample { work: 2.0, cost }];
        Outcome::new("job", "peer", figure, &sample(ours), &sample(theirs))
    }

    #[test]
    fn a_ratio_above_one_means_we_are_better_in_every_unit() {
        for figure in [
            Figure::PerSecond("event"),
            Figure::NanosecondsPer("event"),
            Figure::BytesPer("atomic"),
            Figure::InstructionsPer("event"),
        ] {
            assert_eq!(outcome(figure, 1.0, 4.0).ratio, Some(4.0), "{figure:?}");
            assert_eq!(outcome(figure, 4.0, 1.0).ratio, Some(0.25), "{figure:?}");
        }
    }

    #[test]
    fn figures_follow_their_unit() {
        let rate = outcome(Figure::PerSecond("event"), 1.0, 4.0);
        assert_eq!((rate.ours, rate.theirs), (Some(2.0), Some(0.5)));
        assert_eq!(rate.unit, "events/s");
        let span = outcome(Figure::NanosecondsPer("hold"), 1e-9, 4e-9);
        assert!(span.theirs.is_some_and(|theirs| (theirs - 2.0).abs() < 1e-12));
        assert_eq!(span.unit, "ns/hold");
        let memory = outcome(Figure::BytesPer("atomic"), 100.0, 3000.0);
        assert_eq!((memory.ours, memory.theirs), (Some(50.0), Some(1500.0)));
    }

    #[test]
    fn the_cheapest_repetition_counts_and_the_median_tells_the_noise() {
        let ours = [Sample { work: 1.0, cost: 2.0 }];
        let theirs = [3.0, 1.0, 1.5].map(|cost| Sample { work: 1.0, cost });
        let outcome = Outcome::new("job", "peer", Figure::PerSecond("event"), &ours, &theirs);
        assert_eq!(outcome.theirs, Some(1.0));
        assert_eq!(outcome.noise, 0.5);
        let figure = Figure::PerSecondAtMedian("event");
        let outcome = Outcome::new("job", "peer", figure, &ours, &theirs);
        assert_eq!(outcome.theirs, Some(1.0 / 1.5));
    }
}
