//! The source file of a component type.

use crate::skeleton::body;
use crate::skeleton::description::{Description, Kind, Service, Setting};
use crate::skeleton::names::{camel, field, struct_name, type_name};
use crate::skeleton::regions::{RegionError, Regions};
use crate::skeleton::value::RustType;

/// Arguments of an attribute that are longer than this stand below each other, as rustfmt does it.
const ATTRIBUTE: usize = 70;

/// Writes the file; the user's code is taken from the file as it is now, if there is one.
pub fn generate(description: &Description, existing: Option<&str>) -> Result<String, RegionError> {
    let mut regions = match existing.filter(|text| !text.trim().is_empty()) {
        Some(text) => Regions::read(text)?,
        None => Regions::default(),
    };
    let mut out = String::new();
    head(description, &mut regions, &mut out);
    for parameter in &description.parameters {
        choice(description, parameter, &mut out);
    }
    for service in &description.services {
        arguments(service, &mut out);
    }
    structure(description, &mut regions, &mut out);
    body::write(description, &mut regions, &mut out);
    tail(description, &mut regions, &mut out);
    regions.write_rest(&mut out);
    Ok(out)
}

fn head(description: &Description, regions: &mut Regions, out: &mut String) {
    out.push_str(&format!(
        "//! The component type `{}`.\n\
         //!\n\
         //! Written by `ironbird new component`: lines between `your code` and `end` are yours and stay;\n\
         //! everything else follows the description and is written anew when that changes.\n\n",
        description.type_name
    ));
    let has_choice = description.parameters.iter().any(|p| matches!(p.of, RustType::Choice(_)));
    let mut names = vec!["Component", "Registry", "RegistryError"];
    names.extend(has_choice.then_some("Choice"));
    match description.kind {
        Kind::Continuous => {
            let ports = &description.outputs;
            names.extend(description.inputs.iter().any(|i| i.follows).then_some("Followed"));
            names.extend(description.inputs.iter().any(|i| !i.follows).then_some("Held"));
            names.extend(ports.iter().any(|o| !o.event).then_some("Shown"));
            names.extend(ports.iter().any(|o| o.event).then_some("Announced"));
        }
        Kind::Provider(..) => names.push("Answers"),
        _ => {}
    }
    names.sort_unstable();
    let one_line = format!("use ironbird_component::{{{}}};\n", names.join(", "));
    if one_line.trim_end().len() <= body::WIDEST {
        out.push_str(&one_line);
    } else {
        // All that a kind can need fits into one line more.
        out.push_str(&format!("use ironbird_component::{{\n    {},\n}};\n", names.join(", ")));
    }
    match description.kind {
        Kind::Continuous => out.push_str("use ironbird_solvers::*;\n"),
        Kind::Provider(..) => out.push_str("use ironbird_kernel::Time;\n"),
        _ => out.push_str("use ironbird_kernel::*;\n"),
    }
    if description.kind == Kind::Continuous {
        out.push_str("use serde::{Deserialize, Serialize};\n");
    }
    if description.parameters.iter().any(|parameter| parameter.of.rust().contains("PathBuf")) {
        out.push_str("use std::path::PathBuf;\n");
    }
    out.push('\n');
    regions.write("imports", "", "", out);
}

/// The enum of a parameter that is a choice.
fn choice(description: &Description, parameter: &Setting, out: &mut String) {
    let RustType::Choice(name) = &parameter.of else { return };
    let serde = if description.kind == Kind::Continuous { ", Serialize, Deserialize" } else { "" };
    out.push_str(&format!("\n/// What `{}` may be.\n", parameter.name));
    out.push_str(&format!("#[derive(Clone, Copy, Debug, PartialEq, Choice{serde})]\n"));
    out.push_str(&format!("pub enum {name} {{\n"));
    for choice in &parameter.choices {
        out.push_str(&format!("    /// `{choice}`\n    #[choice(name = \"{choice}\")]\n"));
        out.push_str(&format!("    {},\n", camel(choice)));
    }
    out.push_str("}\n");
}

/// The struct of a service that has several arguments.
fn arguments(service: &Service, out: &mut String) {
    if service.arguments.len() < 2 {
        return;
    }
    out.push_str(&format!("\n/// What `{}` is asked.\n", service.name));
    out.push_str("#[derive(Clone, Debug, PartialEq, Value)]\n");
    out.push_str(&format!("pub struct {} {{\n", argument_type(service)));
    for (name, of, unit) in &service.arguments {
        let unit = unit.as_ref().map(|unit| format!(" in {unit}")).unwrap_or_default();
        out.push_str(&format!("    /// {name}{unit}.\n    pub {}: {},\n", field(name), of.rust()));
    }
    out.push_str("}\n");
}

/// The type of what a service is asked.
pub fn argument_type(service: &Service) -> String {
    match &service.arguments[..] {
        [] => "()".into(),
        [(_, of, _)] => of.rust(),
        _ => type_name(&format!("{}-argument", service.name)),
    }
}

fn structure(description: &Description, regions: &mut Regions, out: &mut String) {
    let model = matches!(description.kind, Kind::Periodic | Kind::EventDriven);
    let (kind, derives) = match &description.kind {
        Kind::Periodic => ("periodic".to_owned(), "Component"),
        Kind::EventDriven => ("event_driven".into(), "Component"),
        Kind::Continuous => ("continuous".into(), "Component, Serialize, Deserialize"),
        Kind::Provider(argument, answer) => (
            format!("provider,\n    provides = fn({}) -> {}", argument.rust(), answer.rust()),
            "Clone, Component",
        ),
    };
    out.push('\n');
    doc(&description.doc, &format!("The component type `{}`.", description.type_name), "", out);
    out.push_str(&format!("#[derive({derives})]\n#[component(\n"));
    out.push_str(&format!("    type = \"{}\",\n    {kind},\n", description.type_name));
    if let Some(rate) = &description.rate {
        out.push_str(&format!("    rate = {rate:?},\n"));
    }
    if model {
        out.push_str("    start = Self::start,\n");
    }
    out.push_str("    changed = Self::changed\n)]\n");
    out.push_str(&format!("pub struct {} {{\n", struct_name(&description.type_name)));
    fields(description, out);
    regions.write("state", "    ", "", out);
    out.push_str("}\n");
}

fn fields(description: &Description, out: &mut String) {
    for one in &description.parameters {
        let mut entries = text_entry("unit", one.unit.as_ref());
        entries.extend(one.default.iter().map(|value| format!("default = {}", value.0)));
        entries.extend(one.limits.iter().map(|(key, value)| format!("{key} = {}", value.0)));
        entries.extend(one.fixed.then(|| "fixed".to_owned()));
        part("parameter", &one.name, entries, &one.of.rust(), &one.doc, out);
    }
    let continuous = description.kind == Kind::Continuous;
    for (index, one) in description.inputs.iter().enumerate() {
        let mut entries = text_entry("unit", one.unit.as_ref());
        entries.extend(text_entry("frame", one.frame.as_ref()));
        entries.extend(one.default.iter().map(|value| format!("default = {}", value.0)));
        entries.extend(one.waking.then(|| "waking".to_owned()));
        entries.extend(continuous.then(|| format!("index = {index}")));
        let of = match (continuous, one.follows, one.event) {
            (true, true, _) => "Followed".into(),
            (true, false, _) => "Held".into(),
            (_, _, true) => format!("EventIn<{}>", one.of.rust()),
            _ => format!("SignalIn<{}>", one.of.rust()),
        };
        part("input", &one.name, entries, &of, &one.doc, out);
    }
    let mut states = 0..;
    for one in &description.outputs {
        let mut entries = text_entry("unit", one.unit.as_ref());
        entries.extend(text_entry("frame", one.frame.as_ref()));
        let of = match (continuous, one.event) {
            (true, true) => "Announced".into(),
            (true, false) => {
                entries.extend(states.next().map(|state: usize| format!("state = {state}")));
                "Shown".into()
            }
            (false, true) => format!("EventOut<{}>", one.of.rust()),
            (false, false) => {
                entries.extend(one.initial.iter().map(|value| format!("initial = {}", value.0)));
                format!("SignalOut<{}>", one.of.rust())
            }
        };
        part("output", &one.name, entries, &of, &one.doc, out);
    }
    for one in &description.services {
        let of = format!("CallIn<{}, {}>", argument_type(one), one.reply.rust());
        let units: Vec<String> = match &one.arguments[..] {
            [(_, _, unit)] => unit.iter().cloned().collect(),
            several => several
                .iter()
                .filter_map(|(name, _, unit)| Some(format!("{}: {}", field(name), unit.as_ref()?)))
                .collect(),
        };
        let units = (!units.is_empty()).then(|| units.join(", "));
        part("service", &one.name, text_entry("units", units.as_ref()), &of, &one.doc, out);
        if description.kind == Kind::EventDriven {
            let reply = one.reply.rust();
            out.push_str("    /// Who called, the number of the call, and the answer.\n");
            out.push_str(&format!("    {}_replies: Vec<(u64, u64, {reply})>,\n", field(&one.name)));
        }
    }
    for one in &description.requires {
        let mut entries = text_entry("units", one.unit.as_ref());
        entries.extend(one.optional.then(|| "optional".to_owned()));
        let of = format!("CallOut<{}, {}>", one.argument.rust(), one.reply.rust());
        part("requires", &one.name, entries, &of, &one.doc, out);
    }
    for one in &description.queries {
        let of = format!("QueryIn<{}, {}>", one.argument.rust(), one.answer.rust());
        part("query", &one.name, Vec::new(), &of, &one.doc, out);
    }
    for one in &description.random {
        part("random", &one.name, Vec::new(), "RandomIn", &one.doc, out);
    }
}

fn text_entry(key: &str, text: Option<&String>) -> Vec<String> {
    text.iter().map(|text| format!("{key} = {text:?}")).collect()
}

/// A field with its attribute.
fn part(role: &str, name: &str, mut entries: Vec<String>, of: &str, about: &str, out: &mut String) {
    let ident = field(name);
    if ident != name {
        entries.insert(0, format!("name = \"{name}\""));
    }
    if !about.is_empty() {
        doc(about, "", "    ", out);
    }
    let line = entries.join(", ");
    if entries.is_empty() {
        out.push_str(&format!("    #[{role}]\n"));
    } else if line.len() <= ATTRIBUTE {
        out.push_str(&format!("    #[{role}({line})]\n"));
    } else {
        let lines = entries.join(",\n        ");
        out.push_str(&format!("    #[{role}(\n        {lines}\n    )]\n"));
    }
    out.push_str(&format!("    {ident}: {of},\n"));
}

/// A doc comment.
pub fn doc(text: &str, otherwise: &str, indent: &str, out: &mut String) {
    let text = if text.is_empty() { otherwise } else { text };
    // A comment cannot hold what ends lines in other ways.
    let text: String =
        text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    for line in text.lines() {
        out.push_str(format!("{indent}/// {}", line.trim_end()).trim_end());
        out.push('\n');
    }
}

fn tail(description: &Description, regions: &mut Regions, out: &mut String) {
    let name = struct_name(&description.type_name);
    out.push_str(&format!(
        "\n/// Makes the type known.\n\
         pub fn register(registry: &mut Registry) -> Result<(), RegistryError> {{\n    \
         registry.register::<{name}>()\n}}\n\n"
    ));
    regions.write("items", "", "", out);
    out.push_str("\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n");
    let test = "#[test]\nfn the_type_can_be_registered() {\n    \
                let mut registry = Registry::empty();\n    \
                assert_eq!(register(&mut registry), Ok(()));\n}";
    regions.write("tests", "    ", test, out);
    out.push_str("}\n");
}
