//! What a run shows while it runs: chosen outputs, streamed to a sink as values settle.
//!
//! Partitions run at their own pace, so each hands over batches of what it has seen, and says up to
//! which instant it is done. Nothing that was handed over is taken back: what a stop or a fault in
//! another partition makes void never leaves the engine.

use crate::time::{Rate, Time};

/// An output that is streamed.
#[derive(Clone, Debug, PartialEq)]
pub struct Tap {
    /// Path of the component.
    pub component: String,
    /// Name of the output.
    pub port: String,
    /// When its value is taken.
    pub sampling: Sampling,
    /// The component may be added later, or be there for a time only.
    pub transient: bool,
}

/// When the value of an output is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// Every message; the settled value of a signal in every instant in which it was written, and its
    /// value at the start.
    EveryWrite,
    /// The settled value of a signal at every tick of this rate from the start of the run, whether it
    /// was written or not.
    Every(Rate),
}

/// One value that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// When.
    pub time: Time,
    /// Number of the tap, in the order given; after the taps come the graph's monitors, in the order
    /// in which they were added, each with no bytes at the instants at which it responded.
    pub tap: u32,
    /// Where its bytes end in the batch; they start where those before end.
    pub end: u32,
}

/// What one partition saw, in the order of time. Within an instant the values of one tap are in the order
/// in which they were taken; those of different taps are in no promised order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// What was taken.
    pub taken: Vec<Taken>,
    /// The values: each is its fixed part, [`crate::Schema::size`] bytes, then the contents of its
    /// payloads, whose lengths stand in the fixed part.
    pub bytes: Vec<u8>,
}

impl Batch {
    /// The values with their times and taps.
    pub fn iter(&self) -> impl Iterator<Item = (Time, u32, &[u8])> {
        let mut start = 0;
        self.taken.iter().map(move |taken| {
            let bytes = &self.bytes[start..taken.end as usize];
            start = taken.end as usize;
            (taken.time, taken.tap, bytes)
        })
    }

    /// What follows the first `count` values, which stay.
    pub(crate) fn split_off(&mut self, count: usize) -> Batch {
        let start = self.taken[..count].last().map_or(0, |taken| taken.end);
        let bytes = self.bytes.split_off(start as usize);
        let shifted = |taken: Taken| Taken { end: taken.end - start, ..taken };
        Batch { taken: self.taken.drain(count..).map(shifted).collect(), bytes }
    }

    /// Adds a value; times never go back.
    pub fn push(&mut self, time: Time, tap: u32, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.taken.push(Taken { time, tap, end: self.bytes.len() as u32 });
    }
}

/// Where batches go. Called from the threads of all partitions.
pub trait Sink: Send + Sync {
    /// Partition `partition` of `partitions` has seen `batch` and nothing else before `until`; it will
    /// not come back to anything before `until`. The number of partitions changes only between two
    /// runs of the clock, when all have arrived at the same instant.
    fn take(&self, partition: usize, partitions: usize, batch: Batch, until: Time);
}
