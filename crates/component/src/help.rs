//! The text that `ironbird types NAME` prints.

use std::fmt::Write;

use ironbird_kernel::{LeafKind, PortKind};

use crate::description::Description;
use crate::interface::{Interface, PortDescription, ServiceDescription};
use crate::parameter::ParameterDescription;
use crate::unit::{LeafUnits, is_plain};

/// One entry of a list: a name, what it may be, and what it means.
struct Entry {
    name: String,
    kind: String,
    doc: String,
}

/// Everything a user needs to know of a type, in plain text of at most about 100 columns.
pub fn help_text(description: &Description) -> String {
    let mut text = format!("{}: {}\n", description.name, headline(description));
    if !description.doc.is_empty() {
        let _ = write!(text, "\n{}\n", description.doc);
    }
    if description.foreign {
        text.push_str("\nIt is foreign: its results may differ between machines.\n");
    }
    if !description.saves_state {
        text.push_str("\nIt cannot be saved in a checkpoint or reset.\n");
    }
    let parameters = description.parameters.iter().map(parameter).collect();
    list(&mut text, "Parameters", parameters);
    match &description.interface {
        Some(interface) => interface_text(&mut text, interface),
        None => text.push_str("\nIts ports depend on its parameters.\n"),
    }
    let configurations = description.configurations.iter().map(|configuration| Entry {
        name: configuration.name.clone(),
        kind: format!("({})", configuration.parameters.join(", ")),
        doc: configuration.doc.clone(),
    });
    list(&mut text, "Services that set parameters", configurations.collect());
    text
}

fn headline(description: &Description) -> String {
    match description.rate {
        Some(rate) => format!("{}, {rate} if no rate is given", description.kind),
        None => description.kind.to_string(),
    }
}

fn parameter(parameter: &ParameterDescription) -> Entry {
    let mut kind = parameter.kind.expected();
    match parameter.default_text() {
        Some(default) => kind += &format!("; {default} if not given"),
        None if parameter.required => kind += "; must be given",
        None => {}
    }
    if !parameter.changeable {
        kind += "; cannot be changed while running";
    }
    Entry { name: parameter.path.clone(), kind, doc: parameter.doc.clone() }
}

fn interface_text(text: &mut String, interface: &Interface) {
    list(text, "Inputs", interface.inputs().map(port).collect());
    list(text, "Outputs", interface.outputs().map(port).collect());
    list(text, "Services", interface.services.iter().map(|s| service(s, false)).collect());
    list(text, "Requires", interface.requires.iter().map(|s| service(s, s.optional)).collect());
    let queries = interface.queries.iter().map(|query| Entry {
        name: query.name.clone(),
        kind: query.signature.to_string(),
        doc: query.doc.clone(),
    });
    list(text, "Asks", queries.collect());
    if let Some(signature) = &interface.answers {
        let _ = write!(text, "\nAnswers\n  {signature}\n");
    }
}

fn port(port: &PortDescription) -> Entry {
    let mut kind = match port.kind {
        PortKind::Signal if port.value.is_continuous() => "continuous signal".into(),
        PortKind::Signal => format!("signal of {}", port.value),
        PortKind::Event => format!("events of {}", port.value),
    };
    kind += &units_text(&port.units);
    if let Some(frame) = &port.frame {
        kind += &format!(", frame {frame}");
    }
    let may_stay_open = port.direction == crate::Direction::Input && !port.required;
    if may_stay_open {
        kind += "; need not be linked";
    }
    Entry { name: port.name.clone(), kind, doc: port.doc.clone() }
}

fn units_text(units: &LeafUnits) -> String {
    match units {
        LeafUnits::All(unit) if is_plain(unit) => String::new(),
        LeafUnits::All(unit) => format!(" in {unit}"),
        LeafUnits::ByPath(units) => {
            let parts: Vec<_> =
                units.iter().map(|(path, unit)| format!("{path} in {unit}")).collect();
            format!(" ({})", parts.join(", "))
        }
    }
}

fn service(service: &ServiceDescription, optional: bool) -> Entry {
    let arguments: Vec<String> = service
        .arguments()
        .iter()
        .map(|argument| {
            let name = if argument.name.is_empty() { "value" } else { &argument.name };
            let above = if argument.is_positive { " above 0" } else { "" };
            match argument.kind {
                LeafKind::F32 | LeafKind::F64 if !is_plain(&argument.unit) => {
                    format!("{name} in {}{above}", argument.unit)
                }
                _ => format!("{name}{above}"),
            }
        })
        .collect();
    let reply = service.service.reply();
    let mut kind = format!("({})", arguments.join(", "));
    if reply.schema().size() > 0 {
        kind += &format!(" -> {reply}");
    }
    if optional {
        kind += "; need not be bound";
    }
    Entry { name: service.name.clone(), kind, doc: service.doc.clone() }
}

fn list(text: &mut String, title: &str, entries: Vec<Entry>) {
    let Some(width) = entries.iter().map(|entry| entry.name.chars().count()).max() else { return };
    let _ = write!(text, "\n{title}\n");
    for Entry { name, kind, doc } in entries {
        let _ = writeln!(text, "  {name:width$}  {kind}");
        for line in doc.lines() {
            let line = format!("  {:width$}    {line}", "");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
}
