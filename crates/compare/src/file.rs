//! The comparison file, as it is written. What its texts mean is looked at in [`crate::setup`].

use std::collections::BTreeMap;
use std::path::Path;

use ironbird_document::{Place, Problem, Source};
use ironbird_units::Quantity;
use serde::Deserialize;

use crate::error::CompareError;

/// All of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonFile {
    #[serde(default)]
    pub title: String,
    /// The experiment, relative to this file.
    pub experiment: String,
    /// What differs from the experiment, as after `--set`.
    #[serde(default)]
    pub set: Vec<String>,
    #[serde(default)]
    pub log: LogPart,
    #[serde(default)]
    pub columns: BTreeMap<String, ColumnPart>,
    /// Inputs, and the columns that drive them.
    #[serde(default)]
    pub drive: BTreeMap<String, DrivePart>,
    /// Parameters that the log gives at the start of each window.
    #[serde(default)]
    pub initial: BTreeMap<String, InitialPart>,
    /// How far apart the instants are at which model and log are compared.
    #[serde(default = "twenty_milliseconds")]
    pub sample: String,
    pub windows: Option<WindowsPart>,
    #[serde(default)]
    pub compare: Vec<ComparePart>,
    pub path: Option<PathPart>,
    #[serde(default)]
    pub require: Vec<RequirePart>,
    #[serde(default)]
    pub fit: Vec<FitPart>,
}

fn twenty_milliseconds() -> String {
    "20 ms".into()
}

/// Which part of the log, and its clock.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogPart {
    /// The column of time of a CSV file.
    pub time: Option<String>,
    pub time_unit: Option<String>,
    /// `zero` or `first-line`.
    pub start: Option<String>,
    pub from: Option<String>,
    pub until: Option<String>,
    /// A fit looks at what lies before, and is scored on what lies after: an instant, or a part of the windows in %.
    pub fit_until: Option<String>,
}

/// A column: `"de: rad"`, or with more to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ColumnPart {
    Short(String),
    Long(LongColumn),
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LongColumn {
    pub column: Option<String>,
    /// Computed from other columns instead.
    pub expression: Option<String>,
    pub unit: Option<String>,
    pub scale: Option<f64>,
    pub offset: Option<String>,
    /// Standard deviation of the Gaussian that it is smoothed with.
    pub smooth: Option<String>,
    /// Time constant of the lag with which it is followed from zero on.
    pub lag: Option<String>,
    /// Differences are taken the short way round.
    #[serde(default)]
    pub angle: bool,
    /// Leave NaN out instead of refusing it.
    #[serde(default)]
    pub skip_nan: bool,
}

/// What drives an input.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum DrivePart {
    Short(String),
    Long(LongDrive),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LongDrive {
    pub column: String,
    /// `hold` or `line`.
    pub between: Option<String>,
    pub delay: Option<String>,
}

/// What gives a parameter at the start.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum InitialPart {
    One(String),
    Several(Vec<String>),
}

/// Windows; without them all of the log is one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WindowsPart {
    pub length: String,
    pub every: Option<String>,
    /// A condition on columns: windows in which it does not hold throughout are left out.
    #[serde(rename = "where")]
    pub condition: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparePart {
    pub name: Option<String>,
    pub signal: String,
    pub column: String,
    /// What errors are shown in.
    pub unit: Option<String>,
    /// An error of this size counts one in a fit; found from the errors where it is not given.
    pub weight: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathPart {
    /// North and east of the model.
    pub model: [String; 2],
    /// North and east of the flight.
    pub flown: [String; 2],
    /// A condition on columns that holds where the flight turns.
    pub turning: Option<String>,
    /// How far in time the two may be apart at most.
    pub apart: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RequirePart {
    pub name: Option<String>,
    /// What is compared: the name of a `[[compare]]`, `path`, `path straight` or `path turning`.
    pub of: String,
    pub measure: String,
    pub at_most: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FitPart {
    pub name: Option<String>,
    pub parameter: String,
    /// An entry of a parameter that is a text of entries: `Cmq = -8.2, CLalpha = 4.6`.
    pub entry: Option<String>,
    pub start: Option<Bound>,
    pub min: Option<Bound>,
    pub max: Option<Bound>,
    /// Whether each log has a value of its own.
    #[serde(default)]
    pub each_log: bool,
}

/// A number, or a quantity with a unit.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Bound {
    Number(f64),
    Text(String),
}

impl Bound {
    /// In a unit; a bare number is in it already.
    pub fn value(&self, unit: &ironbird_units::Unit) -> Result<f64, String> {
        match self {
            Bound::Number(number) => Ok(*number),
            Bound::Text(text) => {
                let quantity: Quantity = text.parse().map_err(|e| format!("\"{text}\": {e}"))?;
                quantity.to(unit).map_err(|error| format!("\"{text}\": {error}"))
            }
        }
    }
}

impl ComparisonFile {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, CompareError> {
        let source = Source::read(file)?;
        // What is no TOML is told as of an experiment.
        ironbird_document::parse(&source)?;
        toml_edit::de::from_str(&source.text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            wrong(error.message(), &Place { source: source.clone(), span }).into()
        })
    }
}

/// What is wrong in the words of the file, and not in those of the library that reads it.
fn wrong(message: &str, place: &Place) -> Problem {
    let message = message.trim_end();
    if let Some((name, known)) = quoted(message, "unknown field ") {
        let problem = Problem::new(format!("there is no \"{name}\" here"), place, "not known");
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        return match ironbird_kernel::path::nearest(name, known.iter().copied()) {
            Some(near) => problem.did_you_mean(Some(near)),
            None => problem.help(format!("there are {}", known.join(", "))),
        };
    }
    if let Some((name, _)) = quoted(message, "missing field ") {
        return Problem::new(format!("\"{name}\" is missing"), place, "needs it");
    }
    let expected = message.rsplit_once(", expected ").map(|(_, expected)| expected);
    let written = place.source.text.get(place.span.clone()).unwrap_or_default();
    let is_plain =
        written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte));
    match expected {
        Some("a string") if is_plain => Problem::new("a text is needed here", place, "not a text")
            .help(format!(
                "write it in quotes, with the unit where it has one: \"{written}\", \"{written} m\""
            )),
        Some("a string") => Problem::new("a text is needed here", place, "not a text"),
        Some("a sequence") => Problem::new("a list is needed here", place, "not a list"),
        Some("a boolean") => Problem::new("this is true or false", place, "neither"),
        Some("f64") => Problem::new("a number is needed here", place, "not a number"),
        Some(expected) if expected.starts_with("struct ") || expected.starts_with("a map") => {
            Problem::new("a table is needed here", place, "not a table")
        }
        _ if message.starts_with("data did not match any variant") => {
            Problem::new("this is not what can stand here", place, "neither of its forms")
                .help("the chapter about flights shows what can")
        }
        _ => Problem::new(message, place, "here"),
    }
}

/// The word in backquotes behind `beginning`, and what follows.
fn quoted<'m>(message: &'m str, beginning: &str) -> Option<(&'m str, &'m str)> {
    message.strip_prefix(beginning)?.strip_prefix('`')?.split_once('`')
}
