//! What `in` of a component gives to which input: nested tables and patterns become single inputs.
//!
//! ```text
//! in."quad[3].motors" = "controller.motors"            the input quad[3].motors
//! in.rover.motors = "driver.motors"                    the input rover.motors
//! in."quad[*].set_point" = "guide[*].set_point"        every input that fits, each from its own guide
//! ```

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ironbird_component::PortDescription;
use ironbird_kernel::path::{captures, nearest};

use crate::checked::Component;
use crate::expand::join;
use crate::names::listed;
use crate::via::VIA;
use ironbird_document::{Data, Entry, Item, Table};
use ironbird_document::{Place, Problem, Problems};

/// Keys of a link that is written as a table; other tables inside `in` are parts of names. With `via` it has those of
/// its adapter, too.
pub(crate) const LINK_KEYS: [&str; 4] = ["from", "value", "latency", VIA];

/// An input with where it comes from.
pub struct Given<'a> {
    /// The input.
    pub input: &'a PortDescription,
    /// What was written, with the stars of a pattern filled in.
    pub source: Cow<'a, Item>,
}

/// What is written for the inputs of a component.
#[derive(Default)]
pub struct Inputs<'a> {
    /// In the order of the file.
    pub given: Vec<Given<'a>>,
    /// Inputs that were meant, even if wrongly.
    pub linked: BTreeSet<&'a str>,
}

/// Reads the table `in` of a component.
pub fn inputs<'a>(
    component: &'a Component,
    table: &'a Table,
    is_consequence: bool,
    problems: &mut Problems,
) -> Inputs<'a> {
    let known: BTreeMap<&str, &PortDescription> =
        component.interface.inputs().map(|port| (port.name.as_str(), port)).collect();
    let mut written = Vec::new();
    flatten("", table, &known, &mut written);
    // An input that is named goes before patterns that fit it, wherever they stand.
    let named: BTreeSet<&str> = written
        .iter()
        .filter_map(|(name, _)| Some(*known.get_key_value(name.as_str())?.0))
        .collect();
    let mut found = Inputs { given: Vec::new(), linked: named.clone() };
    let mut given: BTreeMap<&str, &Place> = BTreeMap::new();
    for (name, entry) in &written {
        if let Some(input) = known.get(name.as_str()) {
            match given.insert(&input.name, &entry.place) {
                Some(first) => problems.push(twice(component, name, &entry.place, first)),
                None => {
                    found.given.push(Given { input, source: Cow::Borrowed(&entry.item) });
                }
            }
            continue;
        }
        let fitting = component
            .interface
            .inputs()
            .filter_map(|input| Some((input, captures(name, &input.name)?)));
        let fitting: Vec<_> = if name.contains('*') { fitting.collect() } else { Vec::new() };
        if fitting.is_empty() {
            let problem = no_input(component, name, &entry.place);
            problems.push(problem.consequence(is_consequence));
            found.linked.extend(meant(name, &known));
            continue;
        }
        found.linked.extend(fitting.iter().map(|(input, _)| input.name.as_str()));
        for (input, stars) in fitting {
            if named.contains(input.name.as_str()) {
                continue;
            }
            let mut source = entry.item.clone();
            if let Err(problem) = fill_in(&mut source, &stars, name) {
                problems.push(problem);
                break;
            }
            if let Some(first) = given.insert(&input.name, &entry.place) {
                problems.push(twice(component, &input.name, &entry.place, first));
                break;
            }
            found.given.push(Given { input, source: Cow::Owned(source) });
        }
    }
    found
}

/// The inputs that a name or pattern that fits none may have been meant for.
fn meant<'a>(name: &str, known: &BTreeMap<&'a str, &PortDescription>) -> Vec<&'a str> {
    let names = known.keys().copied();
    if !name.contains('*') {
        return nearest(name, names).into_iter().collect();
    }
    let patterns: BTreeSet<String> = names.clone().map(any_index).collect();
    let near = nearest(name, patterns.iter().map(String::as_str));
    names.filter(|input| near == Some(&any_index(input))).collect()
}

/// All entries with their whole names: a table that is no link holds inputs whose names go on.
fn flatten<'a>(
    prefix: &str,
    table: &'a Table,
    known: &BTreeMap<&str, &PortDescription>,
    written: &mut Vec<(String, &'a Entry)>,
) {
    for entry in &table.0 {
        let name = join(prefix, &entry.key);
        match &entry.item.data {
            Data::Table(inner)
                if !known.contains_key(name.as_str())
                    && !inner.0.is_empty()
                    && LINK_KEYS.iter().all(|key| inner.get(key).is_none()) =>
            {
                flatten(&name, inner, known, written);
            }
            _ => written.push((name, entry)),
        }
    }
}

/// Puts what the stars of the input stand for into the stars of its source.
fn fill_in(source: &mut Item, stars: &[&str], pattern: &str) -> Result<(), Problem> {
    match &mut source.data {
        Data::Text(text) => {
            let pieces: Vec<&str> = text.split('*').collect();
            let (mine, theirs) = (stars.len(), pieces.len() - 1);
            if mine != theirs {
                let message = format!("\"{pattern}\" has {mine} *, its source \"{text}\" {theirs}");
                let problem = Problem::new(message, &source.place, "another number of *");
                return Err(problem.help(
                    "what each * of an input stands for is put into the * of its source, in order",
                ));
            }
            let mut filled = String::from(pieces[0]);
            for (star, piece) in stars.iter().zip(&pieces[1..]) {
                filled.push_str(star);
                filled.push_str(piece);
            }
            *text = filled;
            Ok(())
        }
        Data::Array(items) => items.iter_mut().try_for_each(|item| fill_in(item, stars, pattern)),
        Data::Table(table) => match table.get_mut("from") {
            Some(from) => fill_in(from, stars, pattern),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}

fn twice(component: &Component, name: &str, place: &Place, first: &Place) -> Problem {
    let message = format!("input \"{}.{name}\" is linked twice", component.path);
    Problem::new(message, place, "and here").also(first, "here").help(
        "write it once; to say in another file what it shall be, write its name in the same way",
    )
}

fn no_input(component: &Component, name: &str, place: &Place) -> Problem {
    let names = component.interface.inputs().map(|port| port.name.as_str());
    let (message, inputs): (String, Vec<String>) = match name.contains('*') {
        false => {
            let message = format!("\"{}\" has no input \"{name}\"", component.path);
            (message, names.map(str::to_owned).collect())
        }
        true => {
            let message = format!("no input of \"{}\" fits \"{name}\"", component.path);
            let patterns: BTreeSet<String> = names.map(any_index).collect();
            (message, patterns.into_iter().collect())
        }
    };
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let problem = Problem::new(message, place, "not an input");
    match nearest(name, inputs.iter().copied()) {
        Some(near) => problem.did_you_mean(Some(near)),
        None if inputs.is_empty() => problem.help("it has no inputs"),
        None => problem.help(format!("its inputs are {}", listed(&inputs))),
    }
}

/// `quad[3].motors` as the pattern `quad[*].motors`.
fn any_index(name: &str) -> String {
    let mut pattern = String::new();
    for (number, piece) in name.split('[').enumerate() {
        if number > 0 {
            pattern.push_str("[*");
        }
        let rest = if number > 0 { piece.find(']').map(|end| &piece[end..]) } else { None };
        pattern.push_str(rest.unwrap_or(piece));
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_names_become_stars() {
        assert_eq!(any_index("quad[3].motor[12].speed"), "quad[*].motor[*].speed");
        assert_eq!(any_index("plain.name"), "plain.name");
    }
}
