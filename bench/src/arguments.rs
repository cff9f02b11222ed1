//! The command line.

use crate::suites::{self, Suite};

pub const USAGE: &str = "\
usage: ironbird-bench <suite>... [--only <row-prefix>] [--json] [--repetitions <n>]
       ironbird-bench instructions [--only <row-prefix>] [--json]
       ironbird-bench --list";

/// What to do.
pub enum Order {
    /// Print the suites and their rows.
    List,
    /// Measure the rows of some suites.
    /// So often, if the command line says how often.
    Measure { suites: Vec<&'static Suite>, repetitions: Option<usize>, output: Output },
    /// Count instructions.
    Instructions { output: Output },
    /// Be one of several processes that are measured together; not for people.
    Steps(Vec<String>),
    /// Run one workload for the process that counts its instructions; not for people.
    Workload(String),
}

/// Which rows to show, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Only rows whose name starts with this.
    pub only: Option<String>,
    pub json: bool,
}

impl Output {
    /// Whether a row of this name was asked for.
    pub fn wants(&self, row: &str) -> bool {
        self.only.as_ref().is_none_or(|prefix| row.starts_with(prefix.as_str()))
    }
}

/// What is wrong with a command line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    #[error("there is no suite called {0:?}; --list shows those there are\n{USAGE}")]
    UnknownSuite(String),
    #[error("there is no option {0}\n{USAGE}")]
    UnknownOption(String),
    #[error("{0} needs a value\n{USAGE}")]
    MissingValue(&'static str),
    #[error("--repetitions needs a number above zero, not {0:?}")]
    BadRepetitions(String),
    #[error("name at least one suite\n{USAGE}")]
    Nothing,
    #[error("`instructions` counts once and stands alone: leave out suites and --repetitions")]
    InstructionsAlone,
}

/// Reads the arguments after the program's name.
pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Order, ArgumentError> {
    let mut arguments = arguments.into_iter();
    let mut output = Output::default();
    let mut names = Vec::new();
    let mut repetitions = None;
    while let Some(argument) = arguments.next() {
        let mut value = |option| arguments.next().ok_or(ArgumentError::MissingValue(option));
        match argument.as_str() {
            "--list" => return Ok(Order::List),
            "--json" => output.json = true,
            "--only" => output.only = Some(value("--only")?),
            "--repetitions" => repetitions = Some(positive(value("--repetitions")?)?),
            "steps" => return Ok(Order::Steps(arguments.collect())),
            "workload" => return Ok(Order::Workload(value("workload")?)),
            option if option.starts_with('-') => {
                return Err(ArgumentError::UnknownOption(argument));
            }
            _ => names.push(argument),
        }
    }
    if names.iter().any(|name| name == "instructions") {
        let stands_alone = names.len() == 1 && repetitions.is_none();
        return if stands_alone {
            Ok(Order::Instructions { output })
        } else {
            Err(ArgumentError::InstructionsAlone)
        };
    }
    if names.is_empty() {
        return Err(ArgumentError::Nothing);
    }
    let find = |name: String| suites::find(&name).ok_or(ArgumentError::UnknownSuite(name));
    let suites = names.into_iter().map(find).collect::<Result<_, _>>()?;
    Ok(Order::Measure { suites, repetitions, output })
}

fn positive(text: String) -> Result<usize, ArgumentError> {
    text.parse().ok().filter(|&n| n > 0).ok_or(ArgumentError::BadRepetitions(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Order, ArgumentError> {
        parse(line.split_whitespace().map(String::from))
    }

    fn complaint(line: &str) -> ArgumentError {
        parsed(line).err().unwrap_or_else(|| panic!("{line:?} was accepted"))
    }

    #[test]
    fn several_suites_and_options_in_any_order() {
        let order = parsed("devs --only timers qss --json --repetitions 3");
        let Ok(Order::Measure { suites, repetitions, output }) = order else {
            panic!("not an order to measure");
        };
        let names: Vec<_> = suites.iter().map(|suite| suite.name).collect();
        assert_eq!(names, ["devs", "qss"]);
        assert_eq!(repetitions, Some(3));
        assert_eq!(output, Output { only: Some("timers".into()), json: true });
        assert!(output.wants("timers-1k") && !output.wants("devstone-hi-200"));
    }

    #[test]
    fn what_is_unknown_or_missing_is_named() {
        assert_eq!(complaint("devs nonsense"), ArgumentError::UnknownSuite("nonsense".into()));
        assert_eq!(complaint("devs --quick"), ArgumentError::UnknownOption("--quick".into()));
        assert_eq!(complaint("devs --only"), ArgumentError::MissingValue("--only"));
        assert_eq!(complaint("devs --repetitions 0"), ArgumentError::BadRepetitions("0".into()));
        assert_eq!(complaint(""), ArgumentError::Nothing);
        assert_eq!(complaint("instructions devs"), ArgumentError::InstructionsAlone);
    }
}
