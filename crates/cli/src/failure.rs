//! Why a command failed, and the exit status that follows.

use std::io::{IsTerminal, stderr};

use crate::output::complain;
use ironbird_experiment::{Problem, Problems};
use ironbird_runner::RunError;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// What the user wrote is wrong.
    Input(Problems),
    /// The run itself failed.
    Run(String),
}

impl Failure {
    /// Wrong input, without a place.
    pub fn input(message: impl Into<String>) -> Self {
        Failure::Input(Problem::somewhere(message).into())
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self {
            Failure::Input(problems) => {
                let mut errors = problems.0.iter().filter(|problem| !problem.is_warning).peekable();
                let is_input = errors.peek().is_none() || errors.any(|error| !error.is_failure);
                if is_input { 2 } else { crate::FAILED }
            }
            Failure::Run(_) => crate::FAILED,
        }
    }

    /// Tells the user.
    pub fn print(&self) {
        match self {
            Failure::Input(problems) => print_problems(problems),
            Failure::Run(message) => complain(format_args!("error: {message}\n")),
        }
    }

    /// What is told, without colours.
    pub fn text(&self) -> String {
        match self {
            Failure::Input(problems) => problems.render(false, 100),
            Failure::Run(message) => message.clone(),
        }
    }

    /// As [`of_run`](Self::of_run), where nothing was to be run.
    pub fn of_check(error: RunError, experiment: &ironbird_experiment::Experiment) -> Self {
        match error.into_problems_of_check(experiment) {
            Ok(problems) => Failure::Input(problems),
            Err(error) => Failure::Run(error.to_string()),
        }
    }

    /// A system that cannot be built is wrong input; everything else is a failed run.
    pub fn of_run(error: RunError, experiment: &ironbird_experiment::Experiment) -> Self {
        match error.into_problems(experiment) {
            Ok(problems) => Failure::Input(problems),
            Err(error) => Failure::Run(error.to_string()),
        }
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Failure::Input(problems)
    }
}

impl From<ironbird_record::RecordError> for Failure {
    fn from(error: ironbird_record::RecordError) -> Self {
        use ironbird_record::RecordError as E;
        match error {
            E::NotARecording { .. } | E::UnknownChannel { .. } | E::NoFrames => {
                Failure::input(error.to_string())
            }
            E::File { doing: "read", .. } => Failure::input(error.to_string()),
            other => Failure::Run(other.to_string()),
        }
    }
}

impl From<ironbird_compare::CompareError> for Failure {
    fn from(error: ironbird_compare::CompareError) -> Self {
        use ironbird_compare::CompareError as E;
        match error {
            E::Experiment(problems) => Failure::Input(problems),
            E::Run { .. } => Failure::Run(error.to_string()),
            E::File { .. } | E::Log(_) => Failure::input(error.to_string()),
        }
    }
}

/// Problems with the lines they point at; in colour on a terminal.
pub fn print_problems(problems: &Problems) {
    let colour = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    complain(problems.render(colour, 100));
    let errors = problems.0.iter().filter(|problem| !problem.is_warning).count();
    match errors {
        0 => {}
        1 => complain("1 problem\n"),
        several => complain(format_args!("{several} problems\n")),
    }
}
