//! Tables in files.
//!
//! ```text
//! # one axis                          # two axes
//! alpha [deg],value                   alpha [deg] \ beta [deg],-10,0,10
//! -5,-0.2                             -5,-0.21,-0.2,-0.21
//! 10,1.1                              10,1.08,1.1,1.08
//! ```
//!
//! The unit in brackets is left out where an axis is a plain number. Lines that begin with `#` and empty
//! lines do not count.

use std::path::Path;

use ironbird_component::Unit;
use ironbird_document::{Item, Place, Problem, Table as TomlTable};
use ironbird_tables::{Rows, TableError};

use super::coefficients::Variable;
use super::table::{Axis, AxisError, Edge, Grid, Line, Table};

/// A table with the names of its axes.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTable {
    /// The names of its axes: one or two.
    pub axes: Vec<String>,
    /// The table.
    pub table: Table,
    /// What its values are in, before they were converted.
    unit: Unit,
}

impl NamedTable {
    /// Refuses a table of another dimension; `used` is where its name is written. Values without a unit
    /// are in base units.
    pub fn need_unit(&self, unit: &str, used: &Item) -> Result<(), Problem> {
        let is_wanted = |unit: Unit| unit.dimension() == self.unit.dimension();
        if self.unit.is_none() || unit.parse().is_ok_and(is_wanted) {
            return Ok(());
        }
        let text = format!("this table is in {}: it must be in {unit}", self.unit.name());
        Err(Problem::new(text, &used.place, "here"))
    }
}

/// What can stand on an axis beside the variables of coefficients.
const OTHER_AXES: [&str; 3] = ["advance_ratio", "motor_speed", "charge"];

/// Refuses an axis that is none, or that is in a unit of something else.
fn check_axis(name: &str, unit: &Unit) -> Result<(), String> {
    let wanted = match name {
        "alpha" | "beta" | "aileron" | "elevator" | "rudder" | "flap" => "rad",
        "airspeed" => "m/s",
        "motor_speed" => "rad/s",
        "alpha_rate_hat" => {
            return Err("\"alpha_rate_hat\" stands in `times`, not on the axis of a table".into());
        }
        _ => "1",
    };
    let known = || Variable::NAMES.iter().map(|(_, name)| *name).chain(OTHER_AXES);
    if !known().any(|other| other == name) {
        return Err(match ironbird_kernel::path::nearest(name, known()) {
            Some(near) => format!("there is no variable \"{name}\"; did you mean \"{near}\"?"),
            None => {
                let known: Vec<&str> = known().collect();
                format!("there is no variable \"{name}\"; there are {}", known.join(", "))
            }
        });
    }
    let fits = |wanted: Unit| wanted.dimension() == unit.dimension();
    if unit.is_none() || wanted.parse().is_ok_and(fits) {
        return Ok(());
    }
    let wanted = if wanted == "1" { "a plain number" } else { wanted };
    Err(format!("the axis \"{name}\" is in {}: it must be in {wanted}", unit.name()))
}

/// Refuses an axis of a file whose unit is left to guessing.
fn check_unit_is_said(name: &str, unit: &Unit) -> Result<(), String> {
    let usual = match name {
        "alpha" | "beta" | "aileron" | "elevator" | "rudder" | "flap" => "deg",
        "airspeed" => "m/s",
        "motor_speed" => "rpm",
        _ => return Ok(()),
    };
    if !unit.is_none() {
        return Ok(());
    }
    Err(format!("the axis \"{name}\" has no unit: write it as \"{name} [{usual}]\""))
}

/// Reads `[tables.NAME]`; file names start from `folder`.
pub fn read(item: &Item, folder: &Path) -> Result<NamedTable, Problem> {
    let entries = item.table()?;
    let edge = match entries.get("edge") {
        None => Edge::Hold,
        Some(edge) => match edge.text()? {
            "hold" => Edge::Hold,
            "extrapolate" => Edge::Extrapolate,
            "fail" => Edge::Fail,
            other => {
                let text = format!("\"{other}\" is no edge: hold, extrapolate or fail");
                return Err(Problem::new(text, &edge.place, "here"));
            }
        },
    };
    let unit = match entries.get("unit") {
        None => Unit::none(),
        Some(unit) => unit
            .text()?
            .parse()
            .map_err(|error| Problem::new(format!("{error}"), &unit.place, "here"))?,
    };
    let (axes, table) = match entries.get("file") {
        Some(file) => {
            entries.only(&["file", "edge", "unit"], "a table in a file")?;
            let path = folder.join(file.text()?);
            let wrong = |text: String| Problem::new(text, &file.place, "this file");
            let input = ironbird_files::open_data(&path)
                .map_err(|error| wrong(format!("{} cannot be read: {error}", path.display())))?;
            from_csv(input, &unit, edge).map_err(|error| wrong(error.in_file(&path)))?
        }
        None => inline(entries, &item.place, &unit, edge)?,
    };
    Ok(NamedTable { axes, table, unit })
}

/// `alpha = [..]`, `values = [..]`: one axis, in base units.
fn inline(
    entries: &TomlTable,
    place: &Place,
    unit: &Unit,
    edge: Edge,
) -> Result<(Vec<String>, Table), Problem> {
    let numbers = |item: &Item| -> Result<Vec<f64>, Problem> {
        item.items()?.iter().map(Item::number).collect()
    };
    let is_axis = |key: &str| !["edge", "unit", "values"].contains(&key);
    let axes: Vec<_> = entries.0.iter().filter(|entry| is_axis(&entry.key)).collect();
    let [entry] = axes[..] else {
        let text =
            "a table is `file = \"...\"`, or one axis such as `alpha = [...]` and its `values`";
        return Err(Problem::new(text, place, "here"));
    };
    check_axis(&entry.key, &Unit::none())
        .map_err(|text| Problem::new(text, &entry.place, "here"))?;
    let given = entries.need("values", place)?;
    let values: Vec<f64> = numbers(given)?.into_iter().map(|value| unit.to_base(value)).collect();
    let points = numbers(&entry.item)?;
    if points.len() != values.len() {
        let text = format!("{} points have {} values", points.len(), values.len());
        return Err(Problem::new(text, &given.place, "one value for each point"));
    }
    let axis = Axis::new(points).map_err(|AxisError { what, .. }| {
        Problem::new(format!("the axis \"{}\" {what}", entry.key), &entry.item.place, "here")
    })?;
    Ok((vec![entry.key.clone()], Table::Line(Line::new(axis, &values, edge))))
}

/// `alpha [deg]` -> alpha, deg
fn name_and_unit(text: &str) -> Result<(String, Unit), String> {
    let Some((name, rest)) = text.split_once('[') else {
        return Ok((text.trim().to_owned(), Unit::none()));
    };
    let unit = rest.trim().strip_suffix(']').ok_or_else(|| format!("\"{text}\" has no \"]\""))?;
    let unit = unit.trim().parse().map_err(|error| format!("\"{text}\": {error}"))?;
    Ok((name.trim().to_owned(), unit))
}

/// Reads a table of one or two axes.
fn from_csv(
    input: impl std::io::Read,
    unit: &Unit,
    edge: Edge,
) -> Result<(Vec<String>, Table), TableError> {
    let mut rows = Rows::new(input)?;
    let header = rows.header().to_vec();
    let header_line = rows.header_line();
    let in_header = |text: String| TableError::InHeader { line: header_line, what: text };
    let corner = header.first().map_or("", String::as_str);
    if header.len() < 2 {
        return Err(in_header("a table has at least two columns".into()));
    }
    let mut lines: Vec<u64> = Vec::new();
    let mut cells: Vec<Vec<f64>> = Vec::new();
    while rows.advance()? {
        lines.push(rows.line());
        let filled = |k: usize| match rows.cell(k) {
            "" => {
                let what = "this cell is empty: a table has no gaps".into();
                Err(TableError::InCell { at: rows.at(k), what })
            }
            _ => rows.number(k),
        };
        cells.push((0..header.len()).map(filled).collect::<Result<_, _>>()?);
    }
    let (first, second) = match corner.split_once('\\') {
        Some((first, second)) => (first, Some(second)),
        None => (corner, None),
    };
    let (name, axis_unit) = name_and_unit(first).map_err(in_header)?;
    check_axis(&name, &axis_unit).map_err(in_header)?;
    check_unit_is_said(&name, &axis_unit).map_err(in_header)?;
    let points = cells.iter().map(|row| row[0]).collect();
    let axis = Axis::in_unit(points, &axis_unit).map_err(|AxisError { at, what }| {
        let line = lines.get(at).copied().unwrap_or(header_line);
        TableError::InLine { line, what: format!("the axis \"{name}\" {what}") }
    })?;
    let values: Vec<Vec<f64>> =
        cells.iter().map(|row| row[1..].iter().map(|cell| unit.to_base(*cell)).collect()).collect();
    let Some(second) = second else {
        if header.len() > 2 {
            let text = format!(
                "the first column is headed \"{corner}\": a table of two axes has both in it, as in \
                 \"alpha [deg] \\ beta [deg]\""
            );
            return Err(in_header(text));
        }
        let values: Vec<f64> = values.iter().map(|row| row[0]).collect();
        return Ok((vec![name], Table::Line(Line::new(axis, &values, edge))));
    };
    let (other, other_unit) = name_and_unit(second).map_err(in_header)?;
    check_axis(&other, &other_unit).map_err(in_header)?;
    check_unit_is_said(&other, &other_unit).map_err(in_header)?;
    if other == name {
        return Err(in_header(format!("both axes are \"{name}\"")));
    }
    let columns = header[1..].iter().map(|text| {
        let number: Option<f64> = text.trim().parse().ok();
        number.ok_or_else(|| in_header(format!("\"{text}\" is no point of the axis \"{other}\"")))
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    let across = Axis::in_unit(columns, &other_unit)
        .map_err(|AxisError { what, .. }| in_header(format!("the axis \"{other}\" {what}")))?;
    Ok((vec![name, other], Table::Grid(Grid::new(axis, across, &values, edge))))
}
