//! Parameters of a component type: what they are called, what they may be, and what was given.

use std::collections::BTreeMap;
use std::fmt;

use ironbird_kernel::Parameter;
use ironbird_kernel::path::nearest;
use ironbird_units::Unit;

/// The parameters that a user gave to one component, by leaf path (`noise`, `mounting.yaw`,
/// `position[0]`). Numbers are in the declared units.
pub type Settings = BTreeMap<String, Parameter>;

/// One parameter of a component type.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterDescription {
    /// Where it lies: `noise`, or `mounting.yaw` for one in a group.
    pub path: String,
    /// What it may be.
    pub kind: ParameterKind,
    /// Its value where none is given: one for each leaf, in order.
    pub default: Option<Vec<Parameter>>,
    /// Whether it must be given. One that has neither a default nor must be given is left to the
    /// component, as its documentation says.
    pub required: bool,
    /// What it means.
    pub doc: String,
    /// Whether a scenario may change it while the system runs.
    pub changeable: bool,
}

/// What a parameter may be.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterKind {
    /// A finite real number.
    Real {
        /// Its unit.
        unit: Unit,
        /// The numbers that are allowed, in that unit.
        range: Range,
    },
    /// A whole number.
    Integer {
        /// The lowest.
        min: i64,
        /// The highest.
        max: i64,
    },
    /// A truth value.
    Bool,
    /// A text.
    Text,
    /// One of several names.
    Choice {
        /// The names, in the order of their declaration.
        variants: Vec<String>,
    },
    /// The name of a file that exists, relative to the folder of the experiment.
    File,
    /// Names of such files, separated by commas.
    Files,
    /// A link to another program: its name in the experiment, or a URL.
    Link,
    /// A program and its arguments: a text, or a list of words. The path of a program is relative to the folder of the
    /// experiment.
    Command,
    /// The name of a file that a component writes while it runs. A run that is recorded gives it one beside the recording.
    Log,
    /// Several of one kind.
    Array {
        /// How many.
        length: usize,
        /// What each may be.
        of: Box<ParameterKind>,
    },
}

/// A range of real numbers; each end is open, closed or absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Range {
    /// The low end.
    pub low: Bound,
    /// The high end.
    pub high: Bound,
}

/// One end of a [`Range`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bound {
    /// There is no end.
    #[default]
    Unbounded,
    /// The end itself is allowed.
    Inclusive(f64),
    /// The end itself is not allowed.
    Exclusive(f64),
}

impl Range {
    /// Every number.
    pub const ALL: Range = Range { low: Bound::Unbounded, high: Bound::Unbounded };

    /// Whether `x` lies in it.
    pub fn contains(&self, x: f64) -> bool {
        let above = match self.low {
            Bound::Unbounded => true,
            Bound::Inclusive(low) => x >= low,
            Bound::Exclusive(low) => x > low,
        };
        let below = match self.high {
            Bound::Unbounded => true,
            Bound::Inclusive(high) => x <= high,
            Bound::Exclusive(high) => x < high,
        };
        above && below
    }

    /// The range in words, with its unit; empty where everything is allowed.
    pub fn describe(&self, unit: &Unit) -> String {
        let with_unit = |x: f64| quantity_text(x, unit);
        match (self.low, self.high) {
            (Bound::Unbounded, Bound::Unbounded) => String::new(),
            (Bound::Inclusive(low), Bound::Inclusive(high)) => {
                format!("from {} to {}", with_unit(low), with_unit(high))
            }
            (low, high) => {
                let low = match low {
                    Bound::Unbounded => None,
                    Bound::Inclusive(low) => Some(format!("at least {}", with_unit(low))),
                    Bound::Exclusive(low) => Some(format!("above {}", with_unit(low))),
                };
                let high = match high {
                    Bound::Unbounded => None,
                    Bound::Inclusive(high) => Some(format!("at most {}", with_unit(high))),
                    Bound::Exclusive(high) => Some(format!("below {}", with_unit(high))),
                };
                low.into_iter().chain(high).collect::<Vec<_>>().join(" and ")
            }
        }
    }
}

/// A number with its unit as one would type it: `0.1 K`, or `3` for a plain number.
pub(crate) fn quantity_text(x: f64, unit: &Unit) -> String {
    let number = number_text(x);
    if crate::unit::is_plain(unit) { number } else { format!("{number} {unit}") }
}

/// A number as one would type it: very large and very small ones with an exponent.
fn number_text(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) { format!("{x:e}") } else { format!("{x}") }
}

/// Why a value is refused for a parameter: what would be accepted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Refused {
    #[error("expected {expected}, got {got}")]
    WrongKind { expected: String, got: String },
    #[error("{value} is not allowed: it must be {allowed}")]
    OutOfRange { value: String, allowed: String },
    #[error("there is no \"{value}\"; choose one of {}{}", quoted(.variants), suggestion(.nearest))]
    NoSuchChoice { value: String, variants: Vec<String>, nearest: Option<String> },
    #[error("the number must be finite, not {value}")]
    NotFinite { value: f64 },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// `; did you mean "x"?`, or nothing.
pub(crate) fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

impl ParameterKind {
    /// Whether `value` is allowed for one leaf of this kind. A whole number is a real one too.
    pub fn check(&self, value: &Parameter) -> Result<(), Refused> {
        match (self, value) {
            (ParameterKind::Real { unit, range }, Parameter::Real(_) | Parameter::Integer(_)) => {
                let x = as_real(value);
                if !x.is_finite() {
                    return Err(Refused::NotFinite { value: x });
                }
                if !range.contains(x) {
                    let (value, allowed) = (quantity_text(x, unit), range.describe(unit));
                    return Err(Refused::OutOfRange { value, allowed });
                }
                Ok(())
            }
            (ParameterKind::Integer { min, max }, Parameter::Integer(i)) => {
                if (min..=max).contains(&i) {
                    return Ok(());
                }
                let allowed = integer_range(*min, *max);
                Err(Refused::OutOfRange { value: i.to_string(), allowed })
            }
            (ParameterKind::Choice { variants }, Parameter::Text(name)) => {
                if variants.contains(name) {
                    return Ok(());
                }
                let near = nearest(name, variants.iter().map(String::as_str)).map(Into::into);
                let (value, variants) = (name.clone(), variants.clone());
                Err(Refused::NoSuchChoice { value, variants, nearest: near })
            }
            (ParameterKind::Bool, Parameter::Bool(_))
            | (
                ParameterKind::Text
                | ParameterKind::File
                | ParameterKind::Files
                | ParameterKind::Link
                | ParameterKind::Command
                | ParameterKind::Log,
                Parameter::Text(_),
            ) => Ok(()),
            _ => {
                let got = match value {
                    Parameter::Bool(b) => b.to_string(),
                    Parameter::Integer(i) => i.to_string(),
                    Parameter::Real(x) => number_text(*x),
                    Parameter::Text(text) => format!("\"{text}\""),
                };
                Err(Refused::WrongKind { expected: self.expected(), got })
            }
        }
    }

    /// What a user may write, in a few words: `a number in K, at least 0 K`.
    pub fn expected(&self) -> String {
        match self {
            ParameterKind::Real { unit, range } => {
                let mut text = String::from("a number");
                if !crate::unit::is_plain(unit) {
                    text += &format!(" in {unit}");
                }
                let range = range.describe(unit);
                if range.is_empty() { text } else { format!("{text}, {range}") }
            }
            ParameterKind::Integer { min, max } => {
                let range = integer_range(*min, *max);
                let comma = if range.is_empty() { "" } else { ", " };
                format!("a whole number{comma}{range}")
            }
            ParameterKind::Bool => "true or false".into(),
            ParameterKind::Text => "a text".into(),
            ParameterKind::Choice { variants } => format!("one of {}", quoted(variants)),
            ParameterKind::File => "the name of a file".into(),
            ParameterKind::Files => "names of files, separated by commas".into(),
            ParameterKind::Link => "the name of a link, or a URL".into(),
            ParameterKind::Command => "a program and its arguments".into(),
            ParameterKind::Log => "the name of a file that will be written".into(),
            ParameterKind::Array { length, of } => {
                format!("{length} values, each {}", of.expected())
            }
        }
    }

    /// The leaves of a parameter at `path`: itself, or `path[0]`, `path[1]`, …
    pub fn leaves(&self, path: &str) -> Vec<(String, &ParameterKind)> {
        match self {
            ParameterKind::Array { length, of } => {
                (0..*length).flat_map(|i| of.leaves(&format!("{path}[{i}]"))).collect()
            }
            leaf => vec![(path.into(), leaf)],
        }
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        match self {
            ParameterKind::Array { length, of } => length * of.leaf_count(),
            _ => 1,
        }
    }

    /// What every leaf is.
    pub fn leaf_kind(&self) -> &ParameterKind {
        match self {
            ParameterKind::Array { of, .. } => of.leaf_kind(),
            leaf => leaf,
        }
    }
}

fn integer_range(min: i64, max: i64) -> String {
    match (min, max) {
        (i64::MIN, i64::MAX) => String::new(),
        (min, i64::MAX) => format!("at least {min}"),
        (i64::MIN, max) => format!("at most {max}"),
        (min, max) => format!("from {min} to {max}"),
    }
}

/// A checked number as a real one.
pub(crate) fn as_real(value: &Parameter) -> f64 {
    match value {
        Parameter::Real(x) => *x,
        Parameter::Integer(i) => *i as f64,
        Parameter::Bool(_) | Parameter::Text(_) => f64::NAN,
    }
}

impl ParameterDescription {
    /// A parameter that must be given and may be changed while the system runs.
    pub fn required(path: &str, kind: ParameterKind, doc: &str) -> Self {
        ParameterDescription {
            path: path.into(),
            kind,
            default: None,
            required: true,
            doc: doc.into(),
            changeable: true,
        }
    }

    /// Gives it a default: one value for each leaf.
    pub fn or(mut self, default: impl Into<Vec<Parameter>>) -> Self {
        self.default = Some(default.into());
        self.required = false;
        self
    }

    /// It need not be given.
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// It cannot be changed while the system runs.
    pub fn fixed(mut self) -> Self {
        self.changeable = false;
        self
    }

    /// Its leaves with their paths and defaults.
    pub fn leaves(&self) -> Vec<(String, &ParameterKind, Option<&Parameter>)> {
        let default = |index: usize| self.default.as_ref().and_then(|values| values.get(index));
        let leaves = self.kind.leaves(&self.path).into_iter().enumerate();
        leaves.map(|(index, (path, kind))| (path, kind, default(index))).collect()
    }

    /// The default as one would type it.
    pub fn default_text(&self) -> Option<String> {
        let values = self.default.as_ref()?;
        let kind = self.kind.leaf_kind();
        let texts: Vec<_> = values.iter().map(|value| value_text(kind, value)).collect();
        Some(match &self.kind {
            ParameterKind::Array { .. } => format!("[{}]", texts.join(", ")),
            _ => texts.join(", "),
        })
    }
}

/// A value of a leaf as one would type it.
fn value_text(kind: &ParameterKind, value: &Parameter) -> String {
    match (kind, value) {
        (ParameterKind::Real { unit, .. }, value) => quantity_text(as_real(value), unit),
        (_, Parameter::Bool(b)) => b.to_string(),
        (_, Parameter::Integer(i)) => i.to_string(),
        (_, Parameter::Real(x)) => number_text(*x),
        (_, Parameter::Text(text)) => format!("\"{text}\""),
    }
}

/// The parameter and the kind of its leaf at `path` (`position[0]`).
pub fn find_leaf<'a>(
    parameters: &'a [ParameterDescription],
    path: &str,
) -> Option<(&'a ParameterDescription, &'a ParameterKind)> {
    parameters.iter().filter(|p| path.starts_with(&p.path)).find_map(|parameter| {
        let leaves = parameter.kind.leaves(&parameter.path);
        let (_, kind) = leaves.into_iter().find(|(leaf, _)| leaf == path)?;
        Some((parameter, kind))
    })
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.expected())
    }
}
