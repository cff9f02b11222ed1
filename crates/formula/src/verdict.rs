//! What the evaluation of a formula comes to.

use ironbird_kernel::Time;

use crate::checked::Atom;
use crate::scalar::holds;

/// Whether a formula was fulfilled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It holds, whatever might have followed.
    Pass,
    /// It does not hold, whatever might have followed.
    Fail,
    /// The trace ends before it is decided.
    Inconclusive,
}

/// The verdict on a formula at the start of the trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whether the formula holds. At a margin of zero a non-strict comparison (`<=`, `>=`, `==`)
    /// passes and a strict one fails.
    pub status: Status,
    /// By how much the formula holds (positive) or fails (negative), in SI base units. Where the
    /// end of the trace leaves a range, the end of the range that is nearest to zero.
    pub margin: f64,
    /// The least and the greatest margin that any continuation of the trace could give.
    pub bounds: (f64, f64),
    /// The unit of the margin; "mixed units" if the formula compares several kinds of quantities.
    pub margin_unit: String,
    /// For a failed formula, where it failed first.
    pub first_violation: Option<Violation>,
}

/// Where a formula failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The instant.
    pub time: Time,
    /// The comparison or signal to blame, as written in the formula.
    pub text: String,
    /// The value of its left side in SI base units, or 1 and 0 for what is merely true or false;
    /// nothing for a `for` that could not have lasted yet.
    pub value: Option<f64>,
    /// The unit of the value.
    pub unit: String,
}

impl Verdict {
    pub(crate) fn new(low: f64, high: f64, unit: String, violation: Option<Violation>) -> Self {
        let (status, first_violation) = match (holds(low), holds(high)) {
            (true, _) => (Status::Pass, None),
            (_, false) => (Status::Fail, violation),
            _ => (Status::Inconclusive, None),
        };
        let nearest = if low.abs() <= high.abs() { low } else { high };
        Verdict {
            status,
            // The sign of a zero has said its part.
            margin: nearest + 0.0,
            bounds: (low + 0.0, high + 0.0),
            margin_unit: unit,
            first_violation,
        }
    }
}

impl Violation {
    pub(crate) fn of(atom: &Atom, time: Time, value: f64) -> Self {
        let unit =
            if atom.dimension.is_none() { String::new() } else { atom.dimension.to_string() };
        Violation { time, text: atom.text.clone(), value: Some(value), unit }
    }

    /// A `for` that cannot have lasted its duration.
    pub(crate) fn too_early(text: String, time: Time) -> Self {
        Violation { time, text, value: None, unit: String::new() }
    }
}
