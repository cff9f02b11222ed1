//! The flat file: what is hashed and recorded, and what `check --resolved` prints.

use std::fmt::Write;

use crate::expand::{Expanded, absolute};
use crate::tree::{Data, Item, Table};

/// Writes an experiment with its templates, arrays and extended files resolved.
pub fn resolved(root: &Table, expanded: &Expanded) -> String {
    let mut out = String::from("ironbird = 1\n");
    let lists = ["at", "when", "fault", "stop", "require", "record"];
    for entry in &root.0 {
        let own = ["ironbird", "system", "template", "scenario"].contains(&entry.key.as_str());
        if !own && !lists.contains(&entry.key.as_str()) {
            pair(&mut out, &entry.key, &entry.item);
        }
    }
    for component in &expanded.components {
        let path: Vec<String> = component.path.split('.').map(key).collect();
        let _ = writeln!(out, "\n[system.{}]", path.join("."));
        for entry in &component.table.0 {
            match entry.key.as_str() {
                "in" | "bind" => {
                    let mut item = entry.item.clone();
                    make_absolute(&mut item, &component.scope);
                    pair(&mut out, &entry.key, &item);
                }
                "enabled" => {}
                name => pair(&mut out, name, &entry.item),
            }
        }
        if component.dormant.as_deref() == Some(&component.path) {
            out.push_str("enabled = false\n");
        }
    }
    let dormant = expanded.components.iter().filter_map(|c| c.dormant.as_deref());
    let dormant: std::collections::BTreeSet<&str> = dormant.collect();
    for composite in expanded.composites.keys() {
        if dormant.contains(composite.as_str()) {
            let path: Vec<String> = composite.split('.').map(key).collect();
            let _ = writeln!(out, "\n[system.{}]\nenabled = false", path.join("."));
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
