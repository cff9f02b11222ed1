//! Rust types that a parameter may have, and structs of parameters.

use std::path::PathBuf;

use ironbird_kernel::{LoadError, Parameter, ParameterError, SaveError, StateReader, StateWriter};
use ironbird_units::Unit;

use crate::component_type::{InstantiateError, Place};
use crate::parameter::{Bound, ParameterDescription, ParameterKind, Range, Settings, as_real};

/// A type that a field marked `#[parameter]` may have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter",
    note = "parameters are real and whole numbers, `bool`, `String`, `PathBuf` (a file), enums that \
            derive `Choice`, and arrays of these; a struct that derives `Parameters` is a `#[group]`"
)]
pub trait ParameterValue: Sized {
    /// What a user may give; unit and range are those of the attribute.
    fn kind(unit: Unit, range: Range) -> ParameterKind;

    /// Appends its leaves in order.
    fn write(&self, leaves: &mut Vec<Parameter>);

    /// Takes its leaves, which were checked; `None` if they are not as its kind says.
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self>;
}

macro_rules! reals {
    ($($type:ty),*) => {$(
        impl ParameterValue for $type {
            fn kind(unit: Unit, range: Range) -> ParameterKind {
                ParameterKind::Real { unit, range }
            }
            fn write(&self, leaves: &mut Vec<Parameter>) {
                leaves.push(Parameter::Real(f64::from(*self)));
            }
            fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
                leaves.next().map(|leaf| as_real(&leaf) as $type)
            }
        }
    )*};
}

reals!(f32, f64);

macro_rules! whole_numbers {
    ($($type:ty),*) => {$(
        impl ParameterValue for $type {
            fn kind(_: Unit, range: Range) -> ParameterKind {
                let lowest = i64::try_from(<$type>::MIN).unwrap_or(i64::MIN);
                let highest = i64::try_from(<$type>::MAX).unwrap_or(i64::MAX);
                let (min, max) = whole_range(range);
                ParameterKind::Integer { min: min.max(lowest), max: max.min(highest) }
            }
            fn write(&self, leaves: &mut Vec<Parameter>) {
                leaves.push(Parameter::Integer(i64::try_from(*self).unwrap_or(i64::MAX)));
            }
            fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
                match leaves.next()? {
                    Parameter::Integer(i) => <$type>::try_from(i).ok(),
                    _ => None,
                }
            }
        }
    )*};
}

whole_numbers!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

/// The lowest and the highest whole number of a range.
fn whole_range(range: Range) -> (i64, i64) {
    // The conversion saturates, and ends beyond 64 bits restrict nothing.
    let min = match range.low {
        Bound::Unbounded => i64::MIN,
        Bound::Inclusive(low) => low.ceil() as i64,
        Bound::Exclusive(low) => (low.floor() as i64).saturating_add(1),
    };
    let max = match range.high {
        Bound::Unbounded => i64::MAX,
        Bound::Inclusive(high) => high.floor() as i64,
        Bound::Exclusive(high) => (high.ceil() as i64).saturating_sub(1),
    };
    (min, max)
}

impl ParameterValue for bool {
    fn kind(_: Unit, _: Range) -> ParameterKind {
        ParameterKind::Bool
    }
    fn write(&self, leaves: &mut Vec<Parameter>) {
        leaves.push(Parameter::Bool(*self));
    }
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
        match leaves.next()? {
            Parameter::Bool(b) => Some(b),
            _ => None,
        }
    }
}

/// The text of the next leaf.
pub(crate) fn text(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<String> {
    match leaves.next()? {
        Parameter::Text(text) => Some(text),
        _ => None,
    }
}

impl ParameterValue for String {
    fn kind(_: Unit, _: Range) -> ParameterKind {
        ParameterKind::Text
    }
    fn write(&self, leaves: &mut Vec<Parameter>) {
        leaves.push(Parameter::Text(self.clone()));
    }
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
        text(leaves)
    }
}

impl ParameterValue for PathBuf {
    fn kind(_: Unit, _: Range) -> ParameterKind {
        ParameterKind::File
    }
    fn write(&self, leaves: &mut Vec<Parameter>) {
        leaves.push(Parameter::Text(self.to_string_lossy().into_owned()));
    }
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
        text(leaves).map(PathBuf::from)
    }
}

/// Files that exist: what a parameter of this type is given are their names, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files(pub Vec<PathBuf>);

impl ParameterValue for Files {
    fn kind(_: Unit, _: Range) -> ParameterKind {
        ParameterKind::Files
    }
    fn write(&self, leaves: &mut Vec<Parameter>) {
        let names = self.0.iter().map(|file| file.to_string_lossy());
        leaves.push(Parameter::Text(names.collect::<Vec<_>>().join(",")));
    }
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
        let names = text(leaves)?;
        Some(Files(file_names(&names).map(PathBuf::from).collect()))
    }
}

/// The names in a list of files.
pub fn file_names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty())
}

impl<T: ParameterValue, const N: usize> ParameterValue for [T; N] {
    fn kind(unit: Unit, range: Range) -> ParameterKind {
        ParameterKind::Array { length: N, of: Box::new(T::kind(unit, range)) }
    }
    fn write(&self, leaves: &mut Vec<Parameter>) {
        self.iter().for_each(|element| element.write(leaves));
    }
    fn read(leaves: &mut dyn Iterator<Item = Parameter>) -> Option<Self> {
        let elements = (0..N).map(|_| T::read(leaves)).collect::<Option<Vec<T>>>()?;
        elements.try_into().ok()
    }
}

/// An enumeration without fields, of which a parameter picks one by name. Derive it.
pub trait Choice: Sized + Clone {
    /// The names of the variants, in order: `Fast` is `fast`, `VeryFast` is `very-fast`.
    const NAMES: &'static [&'static str];

    /// The number of this variant.
    fn number(&self) -> usize;

    /// The variant of a number.
    fn from_number(number: usize) -> Option<Self>;
}

/// A struct whose fields are parameters: a `#[group]` of a component, or the component itself.
/// Derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no group of parameters",
    note = "a group is a struct that derives `Parameters`"
)]
pub trait Parameters: Sized {
    /// Its parameters, with paths that begin at this struct.
    fn describe() -> Vec<ParameterDescription>;

    /// Makes one of what a user gave.
    fn read(given: &Given<'_>) -> Result<Self, InstantiateError>;

    /// Changes one leaf while the system runs, after checking it.
    fn set(&mut self, path: &str, value: &Parameter) -> Result<(), ParameterError>;

    /// Writes the parameters that can change.
    fn save(&self, state: &mut StateWriter) -> Result<(), SaveError>;

    /// Reads what [`Parameters::save`] wrote.
    fn load(&mut self, state: &mut StateReader<'_>) -> Result<(), LoadError>;
}

/// What a user gave to a component or a group in it.
#[derive(Clone, Debug)]
pub struct Given<'a> {
    settings: &'a Settings,
    place: &'a Place<'a>,
    prefix: String,
}

impl<'a> Given<'a> {
    /// All parameters of a component.
    pub fn new(settings: &'a Settings, place: &'a Place<'a>) -> Self {
        Given { settings, place, prefix: String::new() }
    }

    /// Those of the group `name`.
    pub fn group(&self, name: &str) -> Self {
        Given { prefix: format!("{}{name}.", self.prefix), ..self.clone() }
    }

    /// The value of a parameter, checked. `parameter` has its path inside the group.
    pub fn read<T: ParameterValue>(
        &self,
        parameter: &ParameterDescription,
    ) -> Result<T, InstantiateError> {
        match self.read_optional(parameter)? {
            Some(value) => Ok(value),
            None => {
                let path = format!("{}{}", self.prefix, parameter.path);
                let message = format!("it must be given: {}", parameter.kind.expected());
                Err(InstantiateError::of(&path, message))
            }
        }
    }

    /// The value of a parameter, checked; `None` where nothing was given and there is no default.
    pub fn read_optional<T: ParameterValue>(
        &self,
        parameter: &ParameterDescription,
    ) -> Result<Option<T>, InstantiateError> {
        let mut leaves = Vec::new();
        let mut missing = None;
        for (path, kind, default) in parameter.leaves() {
            let path = format!("{}{path}", self.prefix);
            let Some(value) = self.settings.get(&path).or(default) else {
                missing.get_or_insert(path);
                continue;
            };
            kind.check(value).map_err(|refused| InstantiateError::of(&path, refused))?;
            leaves.push(match (kind, value) {
                // A file that may be left out has an empty name then.
                (ParameterKind::File, Parameter::Text(name)) if default != Some(value) => {
                    Parameter::Text(self.existing(&path, name)?)
                }
                (ParameterKind::Files, Parameter::Text(names)) => {
                    let files = file_names(names).map(|name| self.existing(&path, name));
                    let files: Vec<String> = files.collect::<Result<_, _>>()?;
                    Parameter::Text(files.join(","))
                }
                _ => value.clone(),
            });
        }
        if let Some(path) = missing {
            if leaves.is_empty() {
                return Ok(None);
            }
            let message = "it must be given too: other elements are";
            return Err(InstantiateError::of(&path, message));
        }
        let value = T::read(&mut leaves.into_iter());
        let message = || format!("expected {}", parameter.kind.expected());
        let path = format!("{}{}", self.prefix, parameter.path);
        value.map(Some).ok_or_else(|| InstantiateError::of(&path, message()))
    }

    /// The file of this name, seen from where the program runs.
    fn existing(&self, path: &str, name: &str) -> Result<String, InstantiateError> {
        let file = self.place.folder.join(name);
        if file.is_file() {
            return Ok(file.to_string_lossy().into_owned());
        }
        let what = match std::fs::metadata(&file) {
            Ok(found) if found.is_dir() => "is a folder".into(),
            Ok(_) => "is not a file: it is a pipe, a device or the like".into(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => "does not exist".into(),
            Err(error) => format!("cannot be read: {error}"),
        };
        let message = format!("the file \"{}\" {what}", file.display());
        Err(InstantiateError::of(path, message))
    }
}
