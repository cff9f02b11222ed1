//! A diagram as a Mermaid flow chart.

use std::fmt::Write;

use crate::picture::diagram::{Arrow, Diagram, Kind, LEFT, RIGHT};

/// The text of the chart.
pub fn write(diagram: &Diagram) -> String {
    let mut text = String::from("flowchart LR\n");
    if !diagram.title.is_empty() {
        let title = yaml_text(&diagram.title);
        text = format!("---\ntitle: {title}\n---\n{text}");
    }
    for &child in &diagram.blocks[0].children {
        block(diagram, child, 1, &mut text);
    }
    for arrow in &diagram.arrows {
        let line = if arrow.kind == Kind::Binding { "-.->" } else { "-->" };
        let (from, to) = (arrow.from.block, arrow.to.block);
        let label = label(diagram, arrow);
        let _ = writeln!(text, "    c{from} {line}|\"{label}\"| c{to}");
    }
    styles(diagram, &mut text);
    text
}

fn block(diagram: &Diagram, number: usize, depth: usize, text: &mut String) {
    let block = &diagram.blocks[number];
    let indent = "    ".repeat(depth);
    let name = escaped(&format!("{}{}", bolt(diagram, number), block.name));
    if block.children.is_empty() {
        let (open, close) = if block.stacked { ("[[", "]]") } else { ("[", "]") };
        let label = format!("{name}<br/><i>{}</i>", escaped(&block.subtitle));
        let _ = writeln!(text, "{indent}c{number}{open}\"{label}\"{close}");
        return;
    }
    let _ = writeln!(text, "{indent}subgraph c{number}[\"{name}\"]");
    for &child in &block.children {
        self::block(diagram, child, depth + 1, text);
    }
    let _ = writeln!(text, "{indent}end");
}

/// A fault of the block itself, or of a port that no arrow shows.
fn bolt(diagram: &Diagram, block: usize) -> &'static str {
    let arrow_shows = |side: usize, port: usize| {
        diagram.arrows.iter().any(|arrow| match side {
            LEFT => (arrow.to.block, arrow.to.port) == (block, port),
            _ => (arrow.from.block, arrow.from.port) == (block, port),
        })
    };
    let shown = diagram
        .marks
        .iter()
        .filter(|mark| mark.block == block)
        .any(|mark| mark.port.is_none_or(|(side, port)| !arrow_shows(side, port)));
    if shown { "⚡ " } else { "" }
}

/// `power → flow`, or one name if both are the same.
fn label(diagram: &Diagram, arrow: &Arrow) -> String {
    let from = &diagram.blocks[arrow.from.block].ports[RIGHT][arrow.from.port];
    let to = &diagram.blocks[arrow.to.block].ports[LEFT][arrow.to.port];
    let ports = match (from.as_str(), to.as_str()) {
        ("", "") => " ".into(),
        (one, "") | ("", one) => one.into(),
        (from, to) if from == to => from.into(),
        (from, to) => format!("{from} → {to}"),
    };
    let bolt = if diagram.is_broken(arrow) { "⚡ " } else { "" };
    let note = if arrow.note.is_empty() {
        String::new()
    } else {
        format!("<br/>{}", escaped(&arrow.note))
    };
    format!("{bolt}{}{note}", escaped(&ports))
}

fn styles(diagram: &Diagram, text: &mut String) {
    let dormant: Vec<String> = (1..diagram.blocks.len())
        .filter(|&block| diagram.blocks[block].dormant)
        .map(|block| format!("c{block}"))
        .collect();
    if !dormant.is_empty() {
        text.push_str("    classDef dormant stroke-dasharray: 5 5\n");
        let _ = writeln!(text, "    class {} dormant", dormant.join(","));
    }
    for (number, _) in diagram.arrows.iter().enumerate().filter(|(_, a)| diagram.is_broken(a)) {
        let _ = writeln!(text, "    linkStyle {number} stroke:#c62828");
    }
}

/// A label between quotes: what Mermaid would read as syntax is written as an entity.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | '`' | '|' | '\\' => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A YAML text in double quotes.
fn yaml_text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out + "\""
}
