//! Why a comparison could not be made.

use ironbird_experiment::{Problem, Problems};
use ironbird_logs::LogError;
use ironbird_runner::RunError;

/// Why a comparison could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The comparison file, or what it names, is wrong.
    #[error("{file}: {what}")]
    File {
        /// The comparison file.
        file: String,
        /// What is wrong, and where.
        what: String,
    },
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The experiment is wrong.
    #[error("the experiment is wrong")]
    Experiment(Problems),
    /// A run failed.
    #[error("window at {at}: {what}")]
    Run {
        /// Where in the log.
        at: String,
        /// Why.
        what: String,
    },
}

impl CompareError {
    /// What is wrong with the comparison file.
    pub(crate) fn file(file: &str, what: impl Into<String>) -> Self {
        CompareError::File { file: file.into(), what: what.into() }
    }

    /// A run of a window that could not be made.
    pub(crate) fn run(at: String, error: &RunError) -> Self {
        CompareError::Run { at, what: error.to_string() }
    }
}

impl From<Problems> for CompareError {
    fn from(problems: Problems) -> Self {
        CompareError::Experiment(problems)
    }
}

impl From<Problem> for CompareError {
    fn from(problem: Problem) -> Self {
        CompareError::Experiment(problem.into())
    }
}
