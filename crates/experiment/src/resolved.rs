//! The flat file: what is hashed and recorded, and what `check --resolved` prints.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use ironbird_component::{ParameterKind, file_names};
use ironbird_kernel::Parameter;

use crate::checked::Component;
use crate::expand::absolute;
use crate::system::Components;
use ironbird_document::Place;
use ironbird_document::{Data, Item, Table};

/// Writes an experiment with its templates, arrays and extended files resolved. Names of files are
/// relative to the folder of the experiment.
pub fn resolved(
    experiment: &Item,
    root: &Table,
    components: &Components,
    composites: &BTreeMap<String, Place>,
) -> String {
    let mut out = String::from("ironbird = 1\n");
    let lists = ["at", "when", "fault", "stop", "require", "record"];
    for entry in &root.0 {
        let own = ["ironbird", "system", "template", "scenario"].contains(&entry.key.as_str());
        if !own && !lists.contains(&entry.key.as_str()) {
            let mut item = entry.item.clone();
            if let (Data::Table(table), "timing") = (&mut item.data, entry.key.as_str()) {
                name_tasks(table, &experiment.place.source.folder);
            }
            pair(&mut out, &entry.key, &item);
        }
    }
    if components.written.is_empty() && composites.is_empty() {
        out.push_str("\n[system]\n");
    }
    let mut filled = BTreeSet::new();
    let mut dormant = BTreeSet::new();
    // An adapter at a link is written with the link.
    let pairs = components.written.iter().zip(&components.list);
    let mut as_written: Vec<_> = pairs.filter(|(written, _)| !written.is_at_a_link).collect();
    as_written.sort_by_key(|(written, _)| written.number);
    for (written, component) in as_written {
        header(&mut out, &written.path);
        let mut table = written.table.clone();
        name_files(&mut table, component, &experiment.place.source.folder);
        for entry in &mut table.0 {
            match entry.key.as_str() {
                "in" | "bind" => make_absolute(&mut entry.item, &written.scope),
                _ => make_shared_absolute(&mut entry.item, &written.scope),
            }
        }
        for entry in table.0.iter().filter(|entry| entry.key != "enabled") {
            pair(&mut out, &entry.key, &entry.item);
        }
        if written.dormant.as_deref() == Some(&written.path) {
            out.push_str("enabled = false\n");
        }
        dormant.extend(written.dormant.as_deref());
        let dots = written.path.char_indices().filter(|(_, c)| *c == '.');
        filled.extend(dots.map(|(at, _)| &written.path[..at]));
    }
    for composite in composites.keys().map(String::as_str) {
        // One that holds nothing can still be named.
        if dormant.contains(composite) || !filled.contains(composite) {
            header(&mut out, composite);
        }
        if dormant.contains(composite) {
            out.push_str("enabled = false\n");
        }
    }
    entries(&mut out, "", root, &lists);
    if let Some(Item { data: Data::Table(scenarios), .. }) = root.get("scenario") {
        for scenario in &scenarios.0 {
            let Data::Table(table) = &scenario.item.data else { continue };
            let name = format!("scenario.{}", key(&scenario.key));
            let _ = writeln!(out, "\n[{name}]");
            let lists = ["at", "when", "fault", "stop", "require", "record", "end"];
            for entry in table.0.iter().filter(|entry| !lists.contains(&entry.key.as_str())) {
                pair(&mut out, &entry.key, &entry.item);
            }
            entries(&mut out, &format!("{name}."), table, &lists);
        }
    }
    out
}

fn entries(out: &mut String, prefix: &str, table: &Table, lists: &[&str]) {
    for list in lists {
        let Some(Item { data: Data::Array(items), .. }) = table.get(list) else { continue };
        for item in items {
            let _ = writeln!(out, "\n[[{prefix}{list}]]");
            if let Data::Table(table) = &item.data {
                for entry in &table.0 {
                    pair(out, &entry.key, &entry.item);
                }
            }
        }
    }
}

fn header(out: &mut String, path: &str) {
    let path: Vec<String> = path.split('.').map(key).collect();
    let _ = writeln!(out, "\n[system.{}]", path.join("."));
}

/// The name of the file of tasks, from the folder of the experiment.
fn name_tasks(timing: &mut Table, folder: &Path) {
    let Some(item) = timing.get_mut("tasks") else { return };
    if let Data::Text(name) = &mut item.data {
        let read = item.place.source.folder.join(&*name);
        *name = read.strip_prefix(folder).unwrap_or(&read).display().to_string();
    }
}

/// Names of files that were written in an extended file start from another folder.
fn name_files(table: &mut Table, component: &Component, folder: &Path) {
    let is_file = |kind: &ParameterKind| matches!(kind, ParameterKind::File | ParameterKind::Files);
    for parameter in component.description.parameters.iter().filter(|p| is_file(&p.kind)) {
        let Some(Parameter::Text(read)) = component.settings.get(&parameter.path) else { continue };
        let named = |read: &str| {
            let named = Path::new(read).strip_prefix(folder).unwrap_or(Path::new(read));
            named.to_string_lossy().into_owned()
        };
        let named = match parameter.kind {
            ParameterKind::Files => file_names(read).map(named).collect::<Vec<_>>().join(","),
            _ => named(read),
        };
        let mut at = Some(&mut *table);
        let mut names: Vec<&str> = parameter.path.split('.').collect();
        let last = names.pop().unwrap_or_default();
        for name in names {
            at = at.and_then(|table| match &mut table.get_mut(name)?.data {
                Data::Table(inner) => Some(inner),
                _ => None,
            });
        }
        if let Some(Item { data: Data::Text(text), .. }) = at.and_then(|table| table.get_mut(last))
        {
            *text = named.clone();
        }
    }
}

/// So are those of parameters that follow others.
fn make_shared_absolute(item: &mut Item, scope: &str) {
    let Data::Table(table) = &mut item.data else { return };
    match table.get_mut("from") {
        Some(from) => make_absolute(from, scope),
        None => table.0.iter_mut().for_each(|e| make_shared_absolute(&mut e.item, scope)),
    }
}

/// Paths in links and bindings that are relative to a template are not any more.
fn make_absolute(item: &mut Item, scope: &str) {
    match &mut item.data {
        Data::Text(text) if text.starts_with('.') => *text = absolute(text, scope),
        Data::Array(items) => items.iter_mut().for_each(|item| make_absolute(item, scope)),
        Data::Table(table) => {
            table.0.iter_mut().for_each(|entry| make_absolute(&mut entry.item, scope));
        }
        _ => {}
    }
}

fn pair(out: &mut String, name: &str, item: &Item) {
    let _ = writeln!(out, "{} = {}", key(name), value(item));
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(bare) { name.into() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

fn value(item: &Item) -> String {
    match &item.data {
        Data::Text(text) => quoted(text),
        Data::Integer(number) => number.to_string(),
        Data::Real(number) => toml_edit::Value::from(*number).to_string(),
        Data::Bool(truth) => truth.to_string(),
        Data::Array(items) => {
            let items: Vec<String> = items.iter().map(value).collect();
            format!("[{}]", items.join(", "))
        }
        Data::Table(table) => {
            let pairs = table.0.iter().map(|e| format!("{} = {}", key(&e.key), value(&e.item)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}
