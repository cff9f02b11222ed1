//! From what was written to the values of parameters and arguments, in the declared units.

use ironbird_component::{
    Description, ParameterDescription, ParameterKind, Settings, file_names, join_words, split_words,
};
use ironbird_kernel::path::nearest;
use ironbird_kernel::{Duration, Parameter, Rate, Scalar, Time};
use ironbird_units::{Quantity, Unit, exact};

use ironbird_document::{Data, Entry, Item, Table};
use ironbird_document::{Place, Problem, Problems};

/// Keys of a component that are not parameters.
pub const FIXED_KEYS: [&str; 11] = [
    "type",
    "in",
    "rate",
    "delay",
    "timing",
    "placement",
    "enabled",
    "count",
    "priority",
    "bind",
    "doc",
];

/// A value that is shared with another component's parameter.
pub struct Shared<'a> {
    /// Path of the parameter here.
    pub parameter: String,
    /// Path of the parameter there, with its component.
    pub from: &'a str,
    /// Whether changes are seen one instant later.
    pub previous: bool,
    /// Where it was written.
    pub place: &'a Place,
}

/// Reads the parameters of a component.
pub fn settings<'a>(
    table: &'a Table,
    description: &Description,
    path: &str,
    problems: &mut Problems,
) -> (Settings, Vec<Shared<'a>>) {
    let mut reader =
        Reader { description, path, settings: Settings::new(), shared: Vec::new(), problems };
    for entry in &table.0 {
        if !FIXED_KEYS.contains(&entry.key.as_str()) {
            reader.entry(&entry.key, entry);
        }
    }
    (reader.settings, reader.shared)
}

struct Reader<'p, 'a> {
    description: &'p Description,
    path: &'p str,
    settings: Settings,
    shared: Vec<Shared<'a>>,
    problems: &'p mut Problems,
}

impl<'a> Reader<'_, 'a> {
    /// A parameter, or a group of them.
    fn entry(&mut self, path: &str, entry: &'a Entry) {
        if let Some(parameter) = self.description.parameters.iter().find(|p| p.path == path) {
            let read = match &entry.item.data {
                Data::Table(table) if table.get("each").or(table.get("column")).is_some() => {
                    let message =
                        format!("\"{path}\" differs between elements, but this is no array");
                    let problem = Problem::new(message, &entry.item.place, "for arrays");
                    Err(problem.help("give the component a `count`"))
                }
                Data::Table(table) if table.get("from").is_some() => {
                    shared(path, table).map(|shared| self.shared.push(shared))
                }
                _ => parameter_values(parameter, &entry.item)
                    .map(|values| self.settings.extend(values)),
            };
            self.problems.take(read);
            return;
        }
        let inside = format!("{path}.");
        let is_group = self.description.parameters.iter().any(|p| p.path.starts_with(&inside));
        match &entry.item.data {
            Data::Table(table) if is_group => {
                for inner in &table.0 {
                    self.entry(&format!("{path}.{}", inner.key), inner);
                }
            }
            _ => self.unknown(path, entry, is_group),
        }
    }

    fn unknown(&mut self, path: &str, entry: &Entry, is_group: bool) {
        let type_name = &self.description.name;
        let problem = if is_group {
            let message = format!("\"{path}\" is a group of parameters, not one");
            let inside = format!("{path}.");
            let parameters = self.description.parameters.iter();
            let inner = parameters.filter(|p| p.path.starts_with(&inside));
            let names: Vec<&str> = inner.map(|p| p.path.as_str()).collect();
            Problem::new(message, &entry.place, "a group").help(format!("set {}", names.join(", ")))
        } else {
            let message =
                format!("\"{}\" has no parameter \"{path}\": its type is {type_name}", self.path);
            let parameters = self.description.parameters.iter().map(|p| p.path.as_str());
            let near = nearest(path, parameters.chain(FIXED_KEYS));
            let problem = Problem::new(message, &entry.place, "not a parameter");
            match near {
                Some(near) => problem.did_you_mean(Some(near)),
                None => problem.help(format!("`ironbird types {type_name}` lists its parameters")),
            }
        };
        self.problems.push(problem);
    }
}

fn shared<'a>(path: &str, table: &'a Table) -> Result<Shared<'a>, Problem> {
    table.only(&["from", "value"], "a shared parameter")?;
    let from = table.get("from").expect("it was found");
    let parameter = path.into();
    Ok(Shared { parameter, from: from.text()?, previous: is_previous(table)?, place: &from.place })
}

/// `value = "current"` or `"previous"`.
pub fn is_previous(table: &Table) -> Result<bool, Problem> {
    match table.get("value") {
        None => Ok(false),
        Some(item) => match item.text()? {
            "current" => Ok(false),
            "previous" => Ok(true),
            other => {
                let near = nearest(other, ["current", "previous"].into_iter());
                let message = format!("a value is \"current\" or \"previous\", not \"{other}\"");
                Err(Problem::new(message, &item.place, "here").did_you_mean(near))
            }
        },
    }
}

/// The leaves of a parameter as they were written.
pub fn parameter_values(
    parameter: &ParameterDescription,
    item: &Item,
) -> Result<Vec<(String, Parameter)>, Problem> {
    let mut values = Vec::new();
    read_kind(&parameter.kind, &parameter.path, item, &mut values)?;
    Ok(values)
}

/// A command line whose program is seen from where Ironbird runs.
fn command(item: &Item, path: &str) -> Result<String, Problem> {
    let wrong =
        |place: &Place, why: &str| Problem::new(format!("\"{path}\": {why}"), place, "here");
    let mut words: Vec<String> = match &item.data {
        Data::Text(line) => split_words(line).map_err(|why| wrong(&item.place, &why))?,
        Data::Array(items) => {
            let words = items.iter().map(|word| match &word.data {
                Data::Text(text) => Ok(text.clone()),
                _ => Err(wrong(&word.place, "every word of a command is a text in quotes")),
            });
            words.collect::<Result<_, _>>()?
        }
        _ => Vec::new(),
    };
    // A program without a / is looked for where programs are.
    if let Some(program) = words.first_mut().filter(|program| program.contains('/')) {
        *program = item.place.source.folder.join(&*program).to_string_lossy().into_owned();
    }
    Ok(join_words(words.iter().map(String::as_str)))
}

fn read_kind(
    kind: &ParameterKind,
    path: &str,
    item: &Item,
    values: &mut Vec<(String, Parameter)>,
) -> Result<(), Problem> {
    if let ParameterKind::Array { length, of } = kind {
        let items: Vec<&Item> = match &item.data {
            Data::Array(items) => items.iter().collect(),
            Data::Table(_) => {
                let message = format!("\"{path}\" needs a list of {length}, not {}", item.kind());
                return Err(Problem::new(message, &item.place, "here"));
            }
            // One value stands for all.
            _ => vec![item; *length],
        };
        if items.len() != *length {
            let message = format!("\"{path}\" needs {length} values, not {}", items.len());
            let problem = Problem::new(message, &item.place, "here");
            return Err(problem.help("one value without brackets stands for all of them"));
        }
        for (index, item) in items.into_iter().enumerate() {
            read_kind(of, &format!("{path}[{index}]"), item, values)?;
        }
        return Ok(());
    }
    let value = match (kind, &item.data) {
        (ParameterKind::Real { unit, .. }, _) => Parameter::Real(real(item, unit, path)?),
        (ParameterKind::Integer { .. }, Data::Integer(number)) => Parameter::Integer(*number),
        (ParameterKind::Bool, Data::Bool(truth)) => Parameter::Bool(*truth),
        (
            ParameterKind::Text
            | ParameterKind::Link
            | ParameterKind::Log
            | ParameterKind::Choice { .. },
            Data::Text(text),
        ) => Parameter::Text(text.clone()),
        (ParameterKind::Command, Data::Text(_) | Data::Array(_)) => {
            Parameter::Text(command(item, path)?)
        }
        (ParameterKind::File, Data::Text(name)) => {
            // A name is relative to the file it is written in.
            let joined = item.place.source.folder.join(name);
            Parameter::Text(joined.to_string_lossy().into_owned())
        }
        (ParameterKind::Files, Data::Text(names)) => {
            let folder = &item.place.source.folder;
            let files =
                file_names(names).map(|name| folder.join(name).to_string_lossy().into_owned());
            Parameter::Text(files.collect::<Vec<_>>().join(","))
        }
        (kind, _) => {
            let expected = match kind {
                ParameterKind::Integer { .. } => "a whole number",
                ParameterKind::Bool => "true or false",
                ParameterKind::File => "the name of a file in quotes",
                ParameterKind::Files => "names of files in quotes, separated by commas",
                ParameterKind::Link => "the name of a link in quotes",
                ParameterKind::Command => "a command line in quotes, or a list of words",
                _ => "a text in quotes",
            };
            let message = format!("\"{path}\" needs {expected}, not {}", item.kind());
            return Err(Problem::new(message, &item.place, "here"));
        }
    };
    kind.check(&value).map_err(|refused| {
        Problem::new(format!("\"{path}\": {refused}"), &item.place, "not allowed")
    })?;
    values.push((path.into(), value));
    Ok(())
}

/// A real number in a declared unit.
pub fn real(item: &Item, unit: &Unit, what: &str) -> Result<f64, Problem> {
    let bare = |number: f64| {
        if unit.is_none() {
            return Ok(number);
        }
        let message = format!("\"{what}\" needs a unit: it is measured in {unit}");
        let problem = Problem::new(message, &item.place, "a bare number");
        Err(problem.help(format!("write \"{number} {unit}\"")))
    };
    match &item.data {
        Data::Integer(number) => bare(*number as f64),
        Data::Real(number) if !number.is_finite() => {
            let message = format!("\"{what}\": the number must be finite, not {number}");
            Err(Problem::new(message, &item.place, "not allowed"))
        }
        Data::Real(number) => bare(*number),
        Data::Text(text) => {
            let quantity: Quantity = text.parse().map_err(|error: ironbird_units::UnitError| {
                Problem::new(format!("\"{what}\": {error}"), &item.place, "not a quantity")
            })?;
            if quantity.unit().is_none() && !unit.is_none() {
                return bare(quantity.number());
            }
            if quantity.unit().has_offset() && !unit.has_offset() && !unit.is_none() {
                // Half a degree more, or half a degree above freezing?
                let (number, written) = (quantity.number(), quantity.unit());
                let message = format!("\"{what}\" is measured in {unit}, not in {written}");
                let problem = Problem::new(message, &item.place, "from another zero");
                return Err(problem.help(format!("for a difference write \"{number} K\"")));
            }
            quantity.to(unit).map_err(|error| {
                let message = format!("\"{what}\": {error}");
                let problem = Problem::new(message, &item.place, "wrong unit");
                match unit.is_none() {
                    true => problem.help(format!("write {}", quantity.number())),
                    false => problem.help(format!("it is measured in {unit}")),
                }
            })
        }
        _ => {
            let example = if unit.is_none() { "1.5".into() } else { format!("\"1.5 {unit}\"") };
            let message = format!("\"{what}\" needs a number, not {}", item.kind());
            Err(Problem::new(message, &item.place, "here").help(format!("for example {example}")))
        }
    }
}

/// A span of time, exact to the picosecond.
pub fn duration(item: &Item, what: &str) -> Result<Duration, Problem> {
    let text = match &item.data {
        Data::Text(text) => text,
        Data::Integer(_) | Data::Real(_) => {
            let problem =
                Problem::new(format!("{what} needs a unit"), &item.place, "a bare number");
            return Err(problem.help("for example \"10 s\", \"2 ms\" or \"30 min\""));
        }
        _ => {
            let message = format!("{what} is a span of time, not {}", item.kind());
            return Err(Problem::new(message, &item.place, "here").help("for example \"10 s\""));
        }
    };
    exact::duration_ps(text).map(Duration::from_ps).map_err(|error| {
        let problem = Problem::new(format!("{what}: {error}"), &item.place, "not a span of time");
        match error {
            ironbird_units::UnitError::TooLarge { .. } => problem.help("213 days are the most"),
            _ => problem,
        }
    })
}

/// An instant, counted from the start.
pub fn time(item: &Item, what: &str) -> Result<Time, Problem> {
    duration(item, what).map(|since| Time::ZERO + since)
}

/// A rate, exact.
pub fn rate(item: &Item) -> Result<Rate, Problem> {
    let text = match &item.data {
        Data::Text(text) => text,
        _ => {
            let message = format!("a rate needs a number with a unit, not {}", item.kind());
            return Err(Problem::new(message, &item.place, "here").help("for example \"100 Hz\""));
        }
    };
    let wrong = |why: String| Problem::new(format!("rate: {why}"), &item.place, "not a rate");
    let (numerator, denominator) = exact::rate(text).map_err(|error| wrong(error.to_string()))?;
    Rate::new(numerator, denominator).map_err(|error| wrong(error.to_string()))
}

/// The numbers of a service's argument: by name, or one value for all of a plain argument.
pub fn scalar(
    kind: ironbird_kernel::LeafKind,
    unit: &Unit,
    what: &str,
    item: &Item,
) -> Result<Scalar, Problem> {
    use ironbird_kernel::LeafKind;
    match (kind, &item.data) {
        (LeafKind::Bool, _) => item.truth().map(Scalar::Bool),
        (LeafKind::F32 | LeafKind::F64, _) => real(item, unit, what).map(Scalar::Float),
        (_, Data::Integer(number)) => Ok(Scalar::Signed(*number)),
        _ => real(item, unit, what).map(Scalar::Float),
    }
}
