//! The ports of a component as a table for people, or as JSON.

use std::fmt::Write;

use ironbird_component::{Direction, LeafUnits, Part, PortDescription, ValueType};
use ironbird_experiment::checked::Component;
use ironbird_experiment::is_at_or_below;
use ironbird_experiment::ports::{OtherEnd, OtherEnds};
use ironbird_kernel::{Duration, PortKind, PortValues, Scalar, Schema, Time};
use ironbird_record::continuous::TRAJECTORY;
use ironbird_runner::six_digits;
use serde_json::{Value, json};

/// More readers of one output than these are counted, not named.
const MOST_NAMED: usize = 4;
/// More numbers than these of one value are not shown.
const MOST_NUMBERS: usize = 6;

/// The ports of a component.
pub struct PortList<'a> {
    component: &'a Component,
    rows: Vec<Row<'a>>,
}

/// A port, or a part of an output.
struct Row<'a> {
    port: &'a PortDescription,
    part: Option<Part>,
    /// The leaves that it has; nothing where the value is not known, or there is none.
    start: Option<Vec<(String, Option<Scalar>)>>,
    ends: Vec<OtherEnd>,
}

impl<'a> PortList<'a> {
    /// Those of component number `number`, with their links and values.
    pub fn new(
        component: &'a Component,
        number: usize,
        ends: &OtherEnds,
        values: Option<&PortValues>,
    ) -> Self {
        let mut rows = Vec::new();
        for direction in [Direction::Input, Direction::Output] {
            let ports = component.interface.ports.iter();
            for port in ports.filter(|port| port.direction == direction) {
                let known = values.and_then(|values| match direction {
                    Direction::Input => values.inputs.get(&port.name),
                    Direction::Output => values.outputs.get(&port.name),
                });
                let start = known.map(|bytes| leaves(port.value, bytes));
                let first = rows.len();
                rows.push(Row { port, part: None, start: start.clone(), ends: Vec::new() });
                if direction == Direction::Output {
                    rows.extend(port.parts().into_iter().map(|part| {
                        let start = start.as_ref().and_then(|leaves| {
                            leaves.get(part.first..part.first + part.leaves).map(<[_]>::to_vec)
                        });
                        Row { port, part: Some(part), start, ends: Vec::new() }
                    }));
                }
                for end in ends.of(number, direction, &port.name) {
                    let row = match (&end.part, direction) {
                        (Some(part), Direction::Output) => row_of(&rows[first..], part),
                        _ => 0,
                    };
                    rows[first + row].ends.push(end.clone());
                }
            }
        }
        PortList { component, rows }
    }

    /// Only the ports and parts of this name, or whose names go on from it; `None` if there are none.
    pub fn below(mut self, port: &str) -> Option<Self> {
        self.rows.retain(|row| is_at_or_below(&row.name(), port));
        (!self.rows.is_empty()).then_some(self)
    }

    /// As a table.
    pub fn text(&self) -> String {
        let Component { path, type_name, description, rate, .. } = self.component;
        let rate = rate.or(description.rate).map_or_else(String::new, |rate| format!(", {rate}"));
        let mut text = format!("{path}: {type_name}, {}{rate}\n", description.kind);
        if self.rows.is_empty() {
            text.push_str("  no ports\n");
        }
        for direction in [Direction::Input, Direction::Output] {
            let rows = self.rows.iter().filter(|row| row.port.direction == direction);
            let cells: Vec<[String; 6]> = rows.map(Row::cells).collect();
            if cells.is_empty() {
                continue;
            }
            let linked = match direction {
                Direction::Input => "comes from",
                Direction::Output => "goes to",
            };
            let head = [&*direction.to_string(), "type", "unit", "frame", "at the start", linked];
            table(&mut text, [vec![head.map(str::to_owned)], cells].concat());
        }
        text
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let Component { path, type_name, description, rate, .. } = self.component;
        let rate = rate.or(description.rate).map(|rate| rate.to_string());
        let mut ports: Vec<Value> = Vec::new();
        for row in &self.rows {
            let mut object = row.json();
            match (&row.part, ports.last_mut()) {
                (Some(_), Some(port)) => {
                    if let Some(parts) = port["parts"].as_array_mut() {
                        parts.push(object);
                    }
                }
                _ => {
                    object["parts"] = json!([]);
                    ports.push(object);
                }
            }
        }
        json!({
            "component": path,
            "type": type_name,
            "kind": description.kind.to_string(),
            "rate": rate,
            "ports": ports,
        })
    }
}

/// The row of the innermost part that holds another one; the first is that of the whole.
fn row_of(rows: &[Row<'_>], part: &Part) -> usize {
    let holds = |row: &Row<'_>| match &row.part {
        None => true,
        Some(own) => own.first <= part.first && part.first + part.leaves <= own.first + own.leaves,
    };
    rows.iter().rposition(holds).unwrap_or(0)
}

/// The leaves of a value by path; a trajectory has one, the number for which it stands.
fn leaves(value: ValueType, bytes: &[u8]) -> Vec<(String, Option<Scalar>)> {
    if value.is_continuous() {
        let number = (TRAJECTORY.evaluate)(bytes, Time::ZERO);
        return vec![(String::new(), Some(Scalar::Float(number)))];
    }
    let leaves = value.schema().leaves().into_iter();
    leaves.map(|leaf| (leaf.path, value.leaf(bytes, leaf.index).ok().flatten())).collect()
}

impl Row<'_> {
    fn name(&self) -> String {
        match &self.part {
            Some(part) => format!("{}.{}", self.port.name, part.path),
            None => self.port.name.clone(),
        }
    }

    fn schema(&self) -> Schema {
        self.part.as_ref().map_or_else(|| self.port.value.schema(), |part| part.schema.clone())
    }

    fn kind(&self) -> String {
        match self.port.kind {
            PortKind::Signal if self.port.value.is_continuous() => "continuous".into(),
            PortKind::Signal => self.schema().to_string(),
            PortKind::Event => format!("events of {}", self.schema()),
        }
    }

    /// The unit of all its numbers, where they have one.
    fn unit(&self) -> Option<String> {
        let unit = match (&self.part, &self.port.units) {
            (None, LeafUnits::All(unit)) => Some(unit.clone()),
            (None, LeafUnits::ByPath(_)) => None,
            (Some(part), units) => {
                let leaves = self.port.value.schema().leaves().into_iter();
                let inside = leaves.skip(part.first).take(part.leaves);
                let mut own = inside.map(|leaf| units.of(&leaf.path));
                let first = own.next()?;
                own.all(|other| other == first).then_some(first)
            }
        };
        unit.map(|unit| unit.to_string()).filter(|unit| !unit.is_empty())
    }

    fn frame(&self) -> Option<String> {
        self.part.as_ref().map_or_else(|| self.port.frame.clone(), |part| part.frame.clone())
    }

    fn axes(&self) -> Option<[&'static str; 3]> {
        let whole = || self.port.part("");
        self.part.clone().or_else(whole)?.axes()
    }

    /// Name, type, unit, frame, value at the start, links.
    fn cells(&self) -> [String; 6] {
        let frame = match (self.frame(), self.axes()) {
            (Some(frame), Some(axes)) => format!("{frame}: {}", axes.join(", ")),
            (Some(frame), None) => frame,
            (None, _) => String::new(),
        };
        let unit = self.unit().unwrap_or_default();
        [self.name(), self.kind(), unit, frame, self.start_text(), self.links_text()]
    }

    fn start_text(&self) -> String {
        let Some(leaves) = &self.start else { return String::new() };
        if matches!(self.schema(), Schema::Struct { .. }) && !self.port.value.is_continuous() {
            // Its parts say it.
            return String::new();
        }
        if let ([(_, Some(number))], Schema::Choice { variants, .. }) = (&leaves[..], self.schema())
        {
            let variant = variants.get(number.as_f64() as usize);
            return variant.cloned().unwrap_or_else(|| number.to_string());
        }
        if let ([(_, Some(number))], false) = (&leaves[..], self.port.labels.is_empty()) {
            let label = self.port.labels.get(number.as_f64() as usize);
            return label.cloned().unwrap_or_else(|| number.to_string());
        }
        let shown = leaves.iter().take(MOST_NUMBERS).map(|(_, number)| match number {
            Some(Scalar::Float(number)) => six_digits(*number),
            Some(other) => other.to_string(),
            None => "empty".into(),
        });
        let mut shown: Vec<String> = shown.collect();
        if leaves.len() > MOST_NUMBERS {
            shown.push("…".into());
        }
        shown.join(", ")
    }

    fn links_text(&self) -> String {
        let is_input = self.port.direction == Direction::Input;
        if self.ends.is_empty() {
            let nothing = if is_input && self.port.required { "not linked" } else { "-" };
            return if self.part.is_some() { String::new() } else { nothing.into() };
        }
        let mut named: Vec<String> = Vec::new();
        for end in self.ends.iter().take(MOST_NAMED) {
            let mut notes: Vec<String> = Vec::new();
            notes.extend(if is_input { None } else { self.inside(end) });
            notes.extend(end.previous.then(|| "previous".to_owned()));
            let late = (end.latency > Duration::ZERO).then(|| format!("{} later", end.latency));
            notes.extend(late);
            let notes = notes.join(", ");
            let notes = if notes.is_empty() { notes } else { format!(" ({notes})") };
            named.push(format!("{}{notes}", end.name));
        }
        match self.ends.len().checked_sub(MOST_NAMED) {
            Some(more) if more > 0 => format!("{} and {more} more", named.join(", ")),
            _ => named.join(", "),
        }
    }

    /// Which of the numbers of this row a link carries, if not all.
    fn inside(&self, end: &OtherEnd) -> Option<String> {
        let carried = end.part.as_ref()?;
        let own = self.part.as_ref().map_or("", |part| part.path.as_str());
        let inside = carried.path.strip_prefix(own)?.trim_start_matches('.');
        let first = self.part.as_ref().map_or(0, |part| part.first);
        let axis = self.axes().and_then(|axes| axes.get(carried.first - first).copied());
        match (inside, axis.filter(|_| carried.leaves == 1)) {
            ("", _) => None,
            (_, Some(axis)) => Some(axis.into()),
            (inside, None) => Some(inside.into()),
        }
    }

    fn json(&self) -> Value {
        let PortDescription { direction, required, doc, .. } = self.port;
        let kind = match self.port.kind {
            PortKind::Signal if self.port.value.is_continuous() => "continuous",
            PortKind::Signal => "signal",
            PortKind::Event => "events",
        };
        let links = self.ends.iter().map(|end| {
            json!({
                "port": end.name,
                "part": end.part.as_ref().map(|part| &part.path),
                "latency_ps": end.latency.as_ps(),
                "previous": end.previous,
            })
        });
        let mut object = json!({
            "name": self.name(),
            "type": self.schema().to_string(),
            "unit": self.unit(),
            "frame": self.frame(),
            "axes": self.axes(),
            "at_start": self.start.as_deref().map(|leaves| number_or_object(leaves, &self.part)),
            "links": links.collect::<Vec<Value>>(),
        });
        if self.part.is_none() {
            object["direction"] = json!(direction.to_string());
            object["kind"] = json!(kind);
            object["required"] = json!(required);
            object["doc"] = json!(doc);
        }
        object
    }
}

/// One number as it is, several by their paths.
fn number_or_object(leaves: &[(String, Option<Scalar>)], part: &Option<Part>) -> Value {
    let number = |number: &Option<Scalar>| match number {
        Some(Scalar::Bool(truth)) => json!(truth),
        Some(Scalar::Signed(whole)) => json!(whole),
        Some(Scalar::Unsigned(whole)) => json!(whole),
        Some(Scalar::Float(real)) => json!(real),
        None => Value::Null,
    };
    let own = part.as_ref().map_or(0, |part| part.path.len());
    match leaves {
        [(path, only)] if path.len() == own => number(only),
        several => {
            let fields = several.iter();
            let inside = |path: &str| path[own..].trim_start_matches('.').to_owned();
            fields.map(|(path, one)| (inside(path), number(one))).collect()
        }
    }
}

/// Rows of cells in columns, which are as wide as they need to be.
fn table(text: &mut String, rows: Vec<[String; 6]>) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..6).map(|column| width(column).unwrap_or(0)).collect();
    for row in &rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths).filter(|(_, width)| **width > 0) {
            let pad = width - cell.chars().count();
            let _ = write!(line, " {cell}{:pad$} ", "");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}
