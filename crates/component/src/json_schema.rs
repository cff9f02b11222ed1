//! A JSON schema of experiment files, from which editors complete and check.
//!
//! It is generous where a file may be part of another one (`extends`): nothing is demanded there, and
//! what cannot be known without the other files is let through. `ironbird check` is the judge.

use ironbird_kernel::Parameter;
use serde_json::{Map, Value, json};

use crate::description::Description;
use crate::interface::Interface;
use crate::parameter::Bound::{Exclusive, Inclusive, Unbounded};
use crate::parameter::{ParameterDescription, ParameterKind, as_real, quantity_text};
use crate::registry::Registry;
use crate::unit::is_plain;

/// The schema (draft 2020-12) of experiment files that use the types of a registry.
pub fn json_schema(registry: &Registry) -> Value {
    let mut definitions = Map::new();
    definitions.insert("node".into(), node());
    definitions.insert("component".into(), component(registry));
    definitions.insert("link".into(), link());
    definitions.insert("computed".into(), computed());
    for component_type in registry.iter() {
        let description = component_type.description();
        definitions.insert(definition_name(&description.name), typed(description));
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ironbird experiment",
        "type": "object",
        "properties": root_properties(),
        "additionalProperties": false,
        "$defs": definitions,
    })
}

fn definition_name(type_name: &str) -> String {
    format!("type {type_name}")
}

fn reference(definition: &str) -> Value {
    // A space stands as it is in a JSON pointer, but not in the URI that holds it.
    json!({ "$ref": format!("#/$defs/{}", definition.replace(' ', "%20")) })
}

fn root_properties() -> Value {
    let tables =
        |doc: &str| json!({ "type": "array", "items": { "type": "object" }, "description": doc });
    json!({
        "ironbird": { "const": 1, "description": "The version of the file format." },
        "extends": {
            "description": "Files on which this one builds; what is said here wins.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        },
        "title": { "type": "string", "description": "What the experiment is called." },
        "doc": { "type": "string", "description": "What the experiment is about." },
        "style": { "enum": ["navidro"], "description": "The architectural style that is asked for." },
        "duration": { "type": "string", "description": "How long it runs, as in \"30 min\"." },
        "seed": { "type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9]+$", "description": "The seed of all random numbers." },
        "stop": { "description": "Conditions that end the run." },
        "timing": {
            "type": "object",
            "description": "The computers that the control software runs on.",
            "properties": {
                "tasks": { "type": "string", "description": "The file of ECUs and their tasks." },
                "times": {
                    "enum": ["worst", "best", "drawn"],
                    "description": "How long jobs take; worst if not given.",
                },
                "cores": {
                    "type": "integer",
                    "minimum": 1,
                    "description": "Cores that run jobs with --simulation-computer.",
                },
            },
            "required": ["tasks"],
            "additionalProperties": false,
        },
        "program": {
            "type": "object",
            "description": "Other programs that are started with a run and ended with it.",
            "additionalProperties": {
                "type": "object",
                "properties": {
                    "doc": { "type": "string" },
                    "command": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
                    "environment": { "type": "object", "additionalProperties": { "type": "string" } },
                    "may_end": { "type": "boolean", "description": "It may end before the run." },
                },
                "required": ["command"],
                "additionalProperties": false,
            },
        },
        "link": {
            "type": "object",
            "description": "Links of programs: `latency` and `interval`, 500 ns if not given.",
            "additionalProperties": { "type": "object" },
        },
        "system": {
            "type": "object",
            "description": "The components.",
            "additionalProperties": reference("component"),
        },
        "template": {
            "type": "object",
            "description": "Sub-systems that can be used several times.",
            "additionalProperties": reference("node"),
        },
        "scenario": { "description": "Named scenarios under one common initialisation." },
        "at": tables("What happens at a time."),
        "when": tables("What happens when a condition comes true."),
        "fault": tables("Faults on signals and components."),
        "require": tables("Requirements that are judged."),
        "record": tables("What is recorded."),
    })
}

/// A table that holds components, or whatever a template needs beside them.
fn node() -> Value {
    json!({ "if": { "type": "object" }, "then": reference("component") })
}

/// A table under `[system]`: with `type` a component, without it a place for others.
fn component(registry: &Registry) -> Value {
    let names: Vec<&str> = registry.iter().map(|known| known.description().name.as_str()).collect();
    let mut cases: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({
                "if": { "properties": { "type": { "const": name } }, "required": ["type"] },
                "then": reference(&definition_name(name)),
            })
        })
        .collect();
    cases.push(json!({
        "if": { "not": { "required": ["type"] } },
        "then": { "additionalProperties": reference("node") },
    }));
    json!({
        "type": "object",
        "properties": {
            "type": {
                "description": "The component type; see `ironbird types`.",
                "anyOf": [{ "enum": names }, { "type": "string", "pattern": "^template\\." }],
            },
        },
        "allOf": cases,
    })
}

/// Where an input gets its value from.
fn link() -> Value {
    json!({
        "anyOf": [
            { "type": "string", "description": "The output, as in \"drone.mission.velocity\"." },
            {
                "type": "object",
                "properties": {
                    "from": { "type": "string", "description": "The output." },
                    "value": { "enum": ["current", "previous"] },
                    "latency": { "type": "string", "description": "As in \"2 ms\"." },
                    "via": { "type": "string", "description": "The type of an adapter between; its parameters stand beside." },
                },
            },
            { "type": "array", "items": reference("link") },
        ],
    })
}

/// A value that differs between the elements of an array, or is taken from elsewhere.
fn computed() -> Value {
    json!({
        "type": "object",
        "properties": {
            "each": { "type": "string", "description": "A formula of the index `i`." },
            "file": { "type": "string", "description": "A CSV file with one row for each element." },
            "column": { "type": "string", "description": "The column of that file." },
        },
    })
}

/// A component of one type: its parameters and what every component has.
fn typed(description: &Description) -> Value {
    let mut properties = fixed_properties(description);
    for parameter in &description.parameters {
        insert(&mut properties, &parameter.path, parameter);
    }
    json!({
        "type": "object",
        "description": description.summary(),
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Puts `mounting.yaw` into the table `mounting`.
fn insert(properties: &mut Map<String, Value>, path: &str, parameter: &ParameterDescription) {
    let Some((group, rest)) = path.split_once('.') else {
        properties.insert(path.into(), parameter_schema(parameter));
        return;
    };
    let table = properties.entry(group).or_insert_with(
        || json!({ "type": "object", "properties": {}, "additionalProperties": false }),
    );
    if let Some(Value::Object(inner)) = table.get_mut("properties") {
        insert(inner, rest, parameter);
    }
}

fn fixed_properties(description: &Description) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut put = |name: &str, schema: Value| properties.insert(name.into(), schema);
    put("type", json!({ "const": description.name, "description": description.summary() }));
    let interface = description.interface.as_deref();
    put(
        "in",
        named(interface, "Where its inputs come from.", "link", |interface| {
            interface.inputs().map(|port| (port.name.clone(), port.doc.clone())).collect()
        }),
    );
    put(
        "bind",
        named(interface, "Who serves its calls and answers its queries.", "link", |i| {
            let calls = i.requires.iter().map(|call| (call.name.clone(), call.doc.clone()));
            calls
                .chain(i.queries.iter().map(|query| (query.name.clone(), query.doc.clone())))
                .collect()
        }),
    );
    put(
        "rate",
        json!({
            "type": "string",
            "description": match description.rate {
                Some(rate) => format!("How often it steps; {rate} if not given."),
                None => "How often it steps, as in \"100 Hz\".".into(),
            },
        }),
    );
    put(
        "timing",
        json!({
            "type": "object",
            "description": "The task of an ECU that it is: it reads when a job starts and writes when it ends.",
            "properties": {
                "ecu": { "type": "string", "description": "The ECU." },
                "task": { "type": "string", "description": "The task." },
            },
            "required": ["ecu", "task"],
            "additionalProperties": false,
        }),
    );
    put("placement", json!({ "description": "Where it runs." }));
    put(
        "enabled",
        json!({
            "description": "Whether it takes part.",
            "anyOf": [{ "type": "boolean" }, reference("computed")],
        }),
    );
    put(
        "count",
        json!({ "type": "integer", "minimum": 1, "description": "How many there are of it." }),
    );
    put(
        "delay",
        json!({
            "type": "string",
            "description": "How much later what it gives reaches others, as in \"20 ms\".",
        }),
    );
    put(
        "priority",
        json!({
            "type": "integer",
            "description": "Who goes first in a circle of periodic components; the lowest number does.",
        }),
    );
    properties
}

/// A table with one entry for each of these names; any name where the interface is not known.
fn named(
    interface: Option<&Interface>,
    doc: &str,
    definition: &str,
    names: impl FnOnce(&Interface) -> Vec<(String, String)>,
) -> Value {
    let Some(interface) = interface else {
        return json!({
            "type": "object",
            "description": doc,
            "additionalProperties": reference(definition),
        });
    };
    let entries: Map<String, Value> = names(interface)
        .into_iter()
        .map(|(name, doc)| {
            let mut entry = reference(definition);
            entry["description"] = doc.into();
            (name, entry)
        })
        .collect();
    // Names of several parts may be nested or stand in a pattern.
    let is_open = entries.keys().any(|name| name.contains(['.', '[']));
    let others = if is_open { reference(definition) } else { false.into() };
    json!({
        "type": "object",
        "description": doc,
        "properties": entries,
        "additionalProperties": others,
    })
}

fn parameter_schema(parameter: &ParameterDescription) -> Value {
    let doc = [parameter.doc.as_str(), &sentence(&parameter.kind.expected())];
    let doc: Vec<&str> = doc.into_iter().filter(|part| !part.is_empty()).collect();
    let mut schema = json!({
        "description": doc.join("\n\n"),
        "anyOf": [value_schema(&parameter.kind), reference("computed")],
    });
    if let Some(values) = &parameter.default {
        let mut leaves = values.iter().map(|value| typed_value(parameter.kind.leaf_kind(), value));
        if let Some(default) = default_value(&parameter.kind, &mut leaves) {
            schema["default"] = default;
        }
    }
    schema
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// The default in the shape in which it would be written.
fn default_value(kind: &ParameterKind, leaves: &mut impl Iterator<Item = Value>) -> Option<Value> {
    match kind {
        ParameterKind::Array { length, of } => {
            let elements = (0..*length).map(|_| default_value(of, leaves));
            elements.collect::<Option<Vec<_>>>().map(Value::Array)
        }
        _ => leaves.next(),
    }
}

/// A leaf as it would be written.
fn typed_value(kind: &ParameterKind, value: &Parameter) -> Value {
    match (kind, value) {
        (ParameterKind::Real { unit, .. }, value) if !is_plain(unit) => {
            quantity_text(as_real(value), unit).into()
        }
        (_, Parameter::Bool(b)) => (*b).into(),
        (_, Parameter::Integer(i)) => (*i).into(),
        (_, Parameter::Real(x)) => (*x).into(),
        (_, Parameter::Text(text)) => text.as_str().into(),
    }
}

fn value_schema(kind: &ParameterKind) -> Value {
    match kind {
        ParameterKind::Real { unit, range } if is_plain(unit) => {
            let mut schema = json!({ "type": "number" });
            match range.low {
                Unbounded => {}
                Inclusive(low) => schema["minimum"] = low.into(),
                Exclusive(low) => schema["exclusiveMinimum"] = low.into(),
            }
            match range.high {
                Unbounded => {}
                Inclusive(high) => schema["maximum"] = high.into(),
                Exclusive(high) => schema["exclusiveMaximum"] = high.into(),
            }
            schema
        }
        ParameterKind::Real { .. } => {
            // A number and a unit: editors cannot do more than look at its shape.
            json!({ "type": "string", "pattern": "^\\s*[-+]?[0-9.]" })
        }
        ParameterKind::Integer { min, max } => {
            json!({ "type": "integer", "minimum": min, "maximum": max })
        }
        ParameterKind::Bool => json!({ "type": "boolean" }),
        ParameterKind::Text
        | ParameterKind::File
        | ParameterKind::Files
        | ParameterKind::Link
        | ParameterKind::Log => {
            json!({ "type": "string" })
        }
        ParameterKind::Command => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" }, "minItems": 1 },
        ] }),
        ParameterKind::Choice { variants } => json!({ "enum": variants }),
        ParameterKind::Array { length, of } => {
            let one = value_schema(of);
            json!({ "anyOf": [
                { "type": "array", "items": one, "minItems": length, "maxItems": length },
                one,
            ] })
        }
    }
}
