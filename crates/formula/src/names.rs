//! What a formula asks of the system it speaks about.

use ironbird_units::Unit;

/// Finds signals by their path.
pub trait Names {
    /// The signal at `path`, written as in the formula without quotes: `quad[3].imu.rate`,
    /// `pose.position[2]`, or `.imu.rate` relative to where the formula stands.
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal>;
}

/// What a formula must know of a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalInfo {
    /// How its samples will be labelled.
    pub id: u32,
    /// The unit of its samples.
    pub unit: Unit,
    /// How many numbers one sample has: 1 for scalars, 3 for a vector in space.
    pub leaves: usize,
    /// What the numbers mean.
    pub kind: SignalKind,
}

/// What the numbers of a signal mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// Quantities in the signal's unit.
    Number,
    /// Truth values: 0 is false, everything else is true.
    Bool,
}

/// No signal has this path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchSignal {
    /// The path that was most likely meant.
    pub nearest: Option<String>,
}
