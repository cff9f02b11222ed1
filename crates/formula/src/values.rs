//! The latest values of the signals that a formula reads.

use std::sync::Arc;

use ironbird_kernel::Time;
use ironbird_units::Unit;

use crate::names::SignalKind;

/// A signal that a formula reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// Its path as written in the formula.
    pub path: String,
    /// The label of its samples.
    pub id: u32,
    /// How many numbers a sample has.
    pub leaves: usize,
    pub(crate) kind: SignalKind,
    pub(crate) unit: Unit,
    /// Where its first leaf lies.
    pub(crate) place: usize,
}

/// Where each signal lies in [`Values`].
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub signals: Vec<Needed>,
    /// Signals by their label: (id, place in `signals`), sorted.
    by_id: Vec<(u32, usize)>,
    length: usize,
}

impl Layout {
    pub(crate) fn new(signals: Vec<Needed>) -> Self {
        let mut by_id: Vec<_> = signals.iter().enumerate().map(|(i, s)| (s.id, i)).collect();
        by_id.sort_unstable();
        let length = signals.last().map_or(0, |s| s.place + s.leaves);
        Layout { signals, by_id, length }
    }
}

/// Samples that do not fit a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum SampleError {
    #[error("the formula reads no signal with the number {id}")]
    UnknownSignal { id: u32 },
    #[error("a sample of \"{path}\" has {expected} values, not {found}")]
    Leaves { path: String, expected: usize, found: usize },
    #[error("a sample at {found} comes after one at {latest}")]
    Backwards { latest: Time, found: Time },
    #[error("\"{path}\" has no value at {time}, where the trace starts")]
    Missing { path: String, time: Time },
    #[error("a bound of the formula is no multiple of the sampling period")]
    OffGrid,
    #[error("the samples of \"{path}\" are {found}, but those of other signals are {expected}")]
    Lengths { path: String, expected: usize, found: usize },
}

/// The latest values of a formula's signals, in SI base units.
#[derive(Clone, Debug)]
pub struct Values {
    layout: Arc<Layout>,
    pub(crate) leaves: Vec<f64>,
    known: Vec<bool>,
    missing: usize,
    /// The instant that is looked at.
    pub(crate) now: Time,
    /// The instant of the latest samples: what `time` means inside a calculation.
    pub(crate) sampled: Time,
}

impl Values {
    pub(crate) fn new(layout: Arc<Layout>) -> Self {
        let leaves = vec![f64::NAN; layout.length];
        let missing = layout.signals.len();
        let known = vec![false; missing];
        Values { layout, leaves, known, missing, now: Time::ZERO, sampled: Time::ZERO }
    }

    /// The instant at which the formula is looked at.
    pub fn set_time(&mut self, time: Time) {
        (self.now, self.sampled) = (time, time);
    }

    /// The new value of a signal, in the signal's own unit.
    pub fn set(&mut self, id: u32, leaves: &[f64]) -> Result<(), SampleError> {
        let layout = &self.layout;
        let start = layout.by_id.partition_point(|(other, _)| *other < id);
        let matching = layout.by_id[start..].iter().take_while(|(other, _)| *other == id);
        let mut any = false;
        for &(_, index) in matching {
            let signal = &layout.signals[index];
            if leaves.len() != signal.leaves {
                let (path, expected) = (signal.path.clone(), signal.leaves);
                return Err(SampleError::Leaves { path, expected, found: leaves.len() });
            }
            let places = &mut self.leaves[signal.place..][..signal.leaves];
            for (place, leaf) in places.iter_mut().zip(leaves) {
                *place = match signal.kind {
                    SignalKind::Number => signal.unit.to_base(*leaf),
                    SignalKind::Bool => f64::from(*leaf != 0.0 && !leaf.is_nan()),
                };
            }
            self.missing -= usize::from(!self.known[index]);
            self.known[index] = true;
            any = true;
        }
        if any { Ok(()) } else { Err(SampleError::UnknownSignal { id }) }
    }

    /// An error for the first signal that has no value yet.
    pub fn complete(&self) -> Result<(), SampleError> {
        if self.missing == 0 {
            return Ok(());
        }
        let first = self.layout.signals.iter().zip(&self.known).find(|(_, known)| !**known);
        let path = first.map_or(String::new(), |(signal, _)| signal.path.clone());
        Err(SampleError::Missing { path, time: self.now })
    }
}
