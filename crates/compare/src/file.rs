//! The comparison file, as it is written. What its texts mean is looked at in [`crate::setup`].

use std::collections::BTreeMap;
use std::path::Path;

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
        let name = file.display().to_string();
        let text = std::fs::read_to_string(file)
            .map_err(|error| CompareError::file(&name, format!("it cannot be read: {error}")))?;
        toml_edit::de::from_str(&text)
            .map_err(|error| CompareError::file(&name, error.to_string().trim_end()))
    }
}
