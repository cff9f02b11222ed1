//! What became of a requirement.

use serde::{Deserialize, Serialize};

/// Whether a requirement holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It held to the end.
    Passed,
    /// It was violated.
    Failed,
    /// The run ended before it was decided.
    Undecided,
}

impl Status {
    /// The word a user reads.
    pub const fn word(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Failed => "failed",
            Status::Undecided => "undecided",
        }
    }
}

/// One requirement and what became of it; the texts are ready to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its name.
    pub name: String,
    /// What it asks, as the user wrote it.
    pub formula: String,
    /// Whether it holds.
    pub status: Status,
    /// By how much it held or failed: `0.12 m`; empty where there is no such number.
    pub margin: String,
    /// When and by what it was first violated; empty where it was not.
    pub first_violation: String,
}
