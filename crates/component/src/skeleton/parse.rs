//! From TOML to a description.

use std::collections::BTreeMap;

use ironbird_units::exact;
use toml_edit::{Document, Item};

use crate::registry::COMPONENT_KEYS;
use crate::skeleton::description::{
    Description, InputPort, Kind, OutputPort, Query, Required, Service, Setting, Stream,
};
use crate::skeleton::entries::{DescriptionError, Entries, wrong};
use crate::skeleton::names::{camel, field, struct_name, type_name};
use crate::skeleton::value::{RustType, RustValue};

/// Longer names make lines that nobody reads.
const LONGEST: usize = 30;

type Parsed<T> = Result<T, DescriptionError>;

impl Description {
    /// Reads a description.
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        let document = Document::parse(text).map_err(|error| {
            let message = error.message().lines().next().unwrap_or("this").to_owned();
            wrong(text, error.span().unwrap_or(0..0), format!("not valid TOML: {message}"))
        })?;
        let mut root = Entries::new(text, document.as_table(), 0..0, "a component type");
        let type_name = read_type(&mut root)?;
        let kind = read_kind(&mut root)?;
        let rate = read_rate(&mut root, &kind)?;
        let doc = root.doc()?;
        let mut names = Names { taken: BTreeMap::new() };
        let of_struct = struct_name(&type_name);
        let continuous = kind == Kind::Continuous;
        let parameters = each(&mut root, "parameters", &mut names, |name, entries| {
            parameter(name, entries, &of_struct)
        })?;
        let inputs = each(&mut root, "inputs", &mut names, |name, e| input(name, e, continuous))?;
        let outputs =
            each(&mut root, "outputs", &mut names, |name, e| output(name, e, continuous))?;
        let services = each(&mut root, "services", &mut names, service)?;
        let requires = each(&mut root, "requires", &mut names, required)?;
        let queries = each(&mut root, "queries", &mut names, query)?;
        let random = each(&mut root, "random", &mut names, |name, entries| {
            Ok(Stream { name, doc: entries.doc()? })
        })?;
        refuse_what_the_kind_lacks(&mut root, &kind)?;
        for service in &services {
            // The generated file keeps replies in a field of this name.
            if let Some(other) = names.taken.get(&format!("{}_replies", field(&service.name))) {
                let message = format!(
                    "{other} and services.{} get in each other's way: rename one",
                    service.name
                );
                return Err(root.incomplete(message));
            }
        }
        root.finish()?;
        Ok(Description {
            type_name,
            kind,
            rate,
            doc,
            parameters,
            inputs,
            outputs,
            services,
            requires,
            queries,
            random,
        })
    }
}

/// Fields of the struct, and the tables that named them.
struct Names {
    taken: BTreeMap<String, String>,
}

/// Reads all tables under a key.
fn each<'a, T>(
    root: &mut Entries<'a>,
    key: &'static str,
    names: &mut Names,
    mut read: impl FnMut(String, &mut Entries<'a>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut all = Vec::new();
    for (name, mut entries) in root.tables(key)? {
        if name.len() > LONGEST {
            let message = format!("\"{name}\" is longer than {LONGEST} letters");
            return Err(entries.incomplete(message));
        }
        let here = format!("{key}.{name}");
        if let Some(other) = names.taken.insert(field(&name), here) {
            let message = format!("\"{name}\" is the name of {other} already: give it another one");
            return Err(entries.incomplete(message));
        }
        all.push(read(name, &mut entries)?);
        entries.finish()?;
    }
    Ok(all)
}

fn read_type(root: &mut Entries<'_>) -> Parsed<String> {
    let Some((name, span)) = root.text("type")? else {
        return Err(root.incomplete("say what it is called: type = \"thermal.radiator\""));
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let word = |word: &str| !word.is_empty() && word.chars().all(plain);
    if name.split('.').all(word) && name.len() <= 2 * LONGEST {
        return Ok(name);
    }
    let message = "the name of a type is words of small letters, digits and `-`, joined by dots, \
                   no longer than 60 letters";
    Err(root.wrong(&span, message))
}

fn read_kind(root: &mut Entries<'_>) -> Parsed<Kind> {
    let kinds = "periodic, event-driven, continuous or provider";
    let Some((kind, span)) = root.text("kind")? else {
        return Err(root.incomplete(format!("say how it is advanced: kind is {kinds}")));
    };
    Ok(match kind.as_str() {
        "periodic" => Kind::Periodic,
        "event-driven" => Kind::EventDriven,
        "continuous" => Kind::Continuous,
        "provider" => {
            let (argument, answer) = (port_type(root, "argument")?, port_type(root, "answer")?);
            let (Some(argument), Some(answer)) = (argument, answer) else {
                let message = "a provider says what is asked and answered: argument = \"f64\", \
                               answer = \"f64\"";
                return Err(root.wrong(&span, message));
            };
            Kind::Provider(argument, answer)
        }
        other => {
            let message = format!("\"{other}\" is no kind: it is {kinds}");
            return Err(root.wrong(&span, message));
        }
    })
}

fn read_rate(root: &mut Entries<'_>, kind: &Kind) -> Parsed<Option<String>> {
    let Some((rate, span)) = root.text("rate")? else { return Ok(None) };
    if *kind != Kind::Periodic {
        return Err(root.wrong(&span, "only a periodic component has a rate"));
    }
    exact::rate(&rate).map_err(|error| root.wrong(&span, error.to_string()))?;
    Ok(Some(rate))
}

fn refuse_what_the_kind_lacks(root: &mut Entries<'_>, kind: &Kind) -> Parsed<()> {
    let (lacks, has): (&[&'static str], &str) = match kind {
        Kind::Provider(..) => (
            &["inputs", "outputs", "services", "requires", "queries", "random"],
            "a provider has parameters only",
        ),
        Kind::Continuous => (
            &["services", "requires", "queries", "random"],
            "a continuous component has parameters, inputs and outputs only",
        ),
        _ => (&[], ""),
    };
    for key in lacks {
        if let Some(entry) = root.take(key) {
            return Err(root.wrong(&entry.span, has));
        }
    }
    Ok(())
}

/// The value under a key, of a type.
fn value(entries: &mut Entries<'_>, key: &'static str, of: &RustType) -> Parsed<Option<RustValue>> {
    let Some(entry) = entries.take(key) else { return Ok(None) };
    let value = match entry.item {
        Item::Value(value) => of.value(value),
        _ => Err(format!("`{key}` is a value, not a table")),
    };
    value.map(Some).map_err(|message| entries.wrong(&entry.span, message))
}

fn parameter(name: String, entries: &mut Entries<'_>, of_struct: &str) -> Parsed<Setting> {
    if COMPONENT_KEYS.contains(&name.as_str()) {
        let message = format!("every component has a key `{name}` already: call it otherwise");
        return Err(entries.incomplete(message));
    }
    let mut of = needed(entries, "type")?;
    if !of.is_for_parameters() {
        let message = "a parameter is f64, i64, bool, text, file, choice or an array of these";
        return Err(entries.incomplete(message));
    }
    let choices = match &mut of {
        RustType::Choice(enumeration) => {
            *enumeration = type_name(&name);
            if enumeration == of_struct {
                enumeration.push_str("Choice");
            }
            choices(entries)?
        }
        _ => Vec::new(),
    };
    let default = value(entries, "default", &of)?;
    if let (Some(RustValue(default)), RustType::Choice(enumeration)) = (&default, &of) {
        let known = |choice: &String| *default == format!("{enumeration}::{}", camel(choice));
        if !choices.iter().any(known) {
            let message = format!("the default is one of {}", choices.join(", "));
            return Err(entries.incomplete(message));
        }
    }
    let mut limits = Vec::new();
    for key in ["min", "max", "above", "below"] {
        if let Some(limit) = value(entries, key, &RustType::Real("f64"))? {
            limits.push((key, limit));
        }
    }
    let has = |key: &str| limits.iter().any(|(other, _)| *other == key);
    if (has("min") && has("above")) || (has("max") && has("below")) {
        let message = "give `min` or `above`, and `max` or `below`, not both";
        return Err(entries.incomplete(message));
    }
    let (unit, fixed) = (entries.unit(false)?, entries.flag("fixed")?);
    if unit.is_some() && !of.is_real() {
        return Err(entries.incomplete("only real numbers have a unit: type = \"f64\""));
    }
    if !limits.is_empty() && !of.is_number() {
        return Err(entries.incomplete("only numbers have limits"));
    }
    Ok(Setting { name, of, unit, default, limits, fixed, choices, doc: entries.doc()? })
}

fn choices(entries: &mut Entries<'_>) -> Parsed<Vec<String>> {
    let example = "say what may be chosen: choices = [\"slow\", \"fast\"]";
    let Some(entry) = entries.take("choices") else { return Err(entries.incomplete(example)) };
    let list = entry.item.as_array().ok_or_else(|| entries.wrong(&entry.span, example))?;
    let mut choices: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (place, item) in list.iter().enumerate() {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let name = item.as_str().filter(|name| name.chars().all(plain) && !name.is_empty());
        let name = name.ok_or_else(|| entries.wrong(&entry.span, example))?;
        if choices.insert(camel(name), (place, name.to_owned())).is_some() {
            let message = format!("\"{name}\" is there twice");
            return Err(entries.wrong(&entry.span, message));
        }
    }
    if choices.is_empty() {
        return Err(entries.wrong(&entry.span, example));
    }
    let mut sorted: Vec<(usize, String)> = choices.into_values().collect();
    sorted.sort();
    Ok(sorted.into_iter().map(|(_, name)| name).collect())
}

/// A type that must be there.
fn needed(entries: &mut Entries<'_>, key: &'static str) -> Parsed<RustType> {
    let found = entries.rust_type(key)?;
    found.ok_or_else(|| entries.incomplete(format!("say of which type it is: {key} = \"f64\"")))
}

/// A type whose values can cross a port.
fn port_type(entries: &mut Entries<'_>, key: &'static str) -> Parsed<Option<RustType>> {
    let found = entries.rust_type(key)?;
    match found {
        Some(of) if !of.is_for_ports() => {
            let message = "text, file and choice are for parameters; here numbers are needed";
            Err(entries.incomplete(message))
        }
        found => Ok(found),
    }
}

fn needed_port_type(entries: &mut Entries<'_>, continuous: bool) -> Parsed<RustType> {
    let of = port_type(entries, "type")?;
    match of {
        None if continuous => Ok(RustType::Real("f64")),
        None => Err(entries.incomplete("say of which type it is: type = \"f64\"")),
        Some(of) if continuous && of != RustType::Real("f64") => {
            Err(entries.incomplete("a continuous component reads and shows f64"))
        }
        Some(of) => Ok(of),
    }
}

fn input(name: String, entries: &mut Entries<'_>, continuous: bool) -> Parsed<InputPort> {
    let of = needed_port_type(entries, continuous)?;
    let (unit, frame) = (entries.unit(true)?, entries.text("frame")?.map(|(frame, _)| frame));
    let doc = entries.doc()?;
    let mut port = InputPort {
        name,
        of,
        unit,
        frame,
        default: None,
        event: false,
        waking: false,
        follows: false,
        doc,
    };
    if continuous {
        port.follows = entries.flag("follows")?;
        return Ok(port);
    }
    port.event = entries.flag("event")?;
    if !port.event {
        port.default = value(entries, "default", &port.of)?;
        port.waking = entries.flag("waking")?;
    }
    Ok(port)
}

fn output(name: String, entries: &mut Entries<'_>, continuous: bool) -> Parsed<OutputPort> {
    let event = entries.flag("event")?;
    // An event of a continuous component is the number of its crossing.
    let of = needed_port_type(entries, continuous)?;
    let (unit, frame) = (entries.unit(true)?, entries.text("frame")?.map(|(frame, _)| frame));
    let initial = if event { None } else { value(entries, "initial", &of)? };
    Ok(OutputPort { name, of, unit, frame, initial, event, doc: entries.doc()? })
}

fn service(name: String, entries: &mut Entries<'_>) -> Parsed<Service> {
    let mut arguments: Vec<(String, RustType, Option<String>)> = Vec::new();
    for (argument, mut about) in entries.tables("arguments")? {
        let of = needed_port_type(&mut about, false)?;
        let unit = about.unit(true)?;
        if arguments.iter().any(|(other, ..)| field(other) == field(&argument)) {
            return Err(about.incomplete(format!("there are two arguments \"{argument}\"")));
        }
        arguments.push((argument, of, unit));
        about.finish()?;
    }
    let reply = port_type(entries, "reply")?.unwrap_or(RustType::Nothing);
    Ok(Service { name, arguments, reply, doc: entries.doc()? })
}

fn required(name: String, entries: &mut Entries<'_>) -> Parsed<Required> {
    let argument = port_type(entries, "argument")?.unwrap_or(RustType::Nothing);
    let reply = port_type(entries, "reply")?.unwrap_or(RustType::Nothing);
    let (unit, optional) = (entries.unit(true)?, entries.flag("optional")?);
    Ok(Required { name, argument, unit, reply, optional, doc: entries.doc()? })
}

fn query(name: String, entries: &mut Entries<'_>) -> Parsed<Query> {
    let (argument, answer) = (port_type(entries, "argument")?, port_type(entries, "answer")?);
    let (Some(argument), Some(answer)) = (argument, answer) else {
        let message = "say what is asked and answered: argument = \"f64\", answer = \"f64\"";
        return Err(entries.incomplete(message));
    };
    Ok(Query { name, argument, answer, doc: entries.doc()? })
}
