//! Instants and durations of which only bounds are known.

use crate::system::{Execution, Ticks};

/// From the earliest to the latest, both possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Not before.
    pub earliest: Ticks,
    /// Not after.
    pub latest: Ticks,
}

impl Span {
    /// Known exactly.
    pub fn at(time: Ticks) -> Self {
        Span { earliest: time, latest: time }
    }

    /// How long the jobs of a task take.
    pub fn of(execution: &Execution) -> Self {
        Span { earliest: execution.best, latest: execution.worst }
    }

    /// The one value that is left, if there is but one.
    pub fn known(self) -> Option<Ticks> {
        (self.earliest == self.latest).then_some(self.earliest)
    }

    /// Whether it may be this.
    pub fn contains(self, time: Ticks) -> bool {
        self.earliest <= time && time <= self.latest
    }

    /// The least span with all values of both.
    pub fn hull(self, other: Span) -> Self {
        let earliest = self.earliest.min(other.earliest);
        Span { earliest, latest: self.latest.max(other.latest) }
    }
}

impl std::ops::Add for Span {
    type Output = Span;

    fn add(self, other: Span) -> Span {
        Span {
            earliest: self.earliest.saturating_add(other.earliest),
            latest: self.latest.saturating_add(other.latest),
        }
    }
}
