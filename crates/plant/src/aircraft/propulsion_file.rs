//! `[propulsion]` and `[battery]` of an aircraft file.

use ironbird_document::{Item, Place, Problem, Table as TomlTable};

use super::file::Tables;
use super::propulsion::{Battery, Kind, Motor, Propulsion};
use super::table::{Axis, Edge, Grid, Line, Table};
use crate::quantities::{not_negative, point, positive};

/// Reads both; an aircraft without `[propulsion]` is a glider.
pub(super) fn read(whole: &TomlTable, tables: &Tables) -> Result<Propulsion, Problem> {
    let battery = whole.get("battery").map(|item| read_battery(item, tables)).transpose()?;
    let Some(item) = whole.get("propulsion") else {
        return Ok(Propulsion { battery, ..Propulsion::default() });
    };
    let (entries, place) = (item.table()?, &item.place);
    let kind = entries.need("kind", place)?;
    let (kind, own): (Kind, &[&str]) = match kind.text()? {
        "propeller" => {
            let line = |key| line(tables, entries.need(key, place)?, "advance_ratio", "1");
            let (thrust, power) = (line("thrust")?, line("power")?);
            let diameter = positive(entries, place, "diameter", "m")?;
            (Kind::Propeller { diameter, thrust, power }, &["diameter", "thrust", "power"])
        }
        "thrust-table" => {
            let grid = |key, unit| grid(tables, entries.need(key, place)?, unit);
            let (thrust, power) = (grid("thrust", "N")?, grid("power", "W")?);
            let density = positive(entries, place, "density", "kg/m^3")?;
            (Kind::ThrustTable { thrust, power, density }, &["density", "thrust", "power"])
        }
        "beard" => {
            let coefficient = entries.need("coefficient", place)?;
            let area = positive(entries, place, "area", "m^2")? * coefficient.number()?;
            if area <= 0.0 {
                let text = "\"coefficient\" must be above zero";
                return Err(Problem::new(text, &coefficient.place, "here"));
            }
            let constant = positive(entries, place, "motor_constant", "m/s")?;
            (Kind::Disc { area, constant }, &["area", "coefficient", "motor_constant"])
        }
        other => {
            let text = format!("\"{other}\" is no propulsion: propeller, thrust-table or beard");
            return Err(Problem::new(text, &kind.place, "here"));
        }
    };
    let mut known = vec!["kind", "position"];
    known.extend(own);
    let mut propulsion = Propulsion { kind, battery, ..Propulsion::default() };
    if propulsion.has_motor() {
        known.extend(["inertia", "motor"]);
        let motor = entries.need("motor", place)?;
        propulsion.motor = read_motor(motor.table()?, &motor.place, entries, place)?;
        if propulsion.battery.is_none() {
            let text = "a motor needs a [battery]";
            return Err(Problem::new(text, &motor.place, "this motor"));
        }
    }
    entries.only(&known, "[propulsion]")?;
    propulsion.position = entries.get("position").map_or(Ok([0.0; 3]), point)?;
    Ok(propulsion)
}

fn line(tables: &Tables, name: &Item, axis: &str, unit: &str) -> Result<Line, Problem> {
    match tables.over(name, &[axis], unit)? {
        Table::Line(line) => Ok(line.clone()),
        Table::Grid(_) => Err(Problem::new("this table has two axes", &name.place, "one axis")),
    }
}

fn grid(tables: &Tables, name: &Item, unit: &str) -> Result<Grid, Problem> {
    match tables.over(name, &["motor_speed", "airspeed"], unit)? {
        Table::Grid(grid) => Ok(grid.clone()),
        Table::Line(_) => Err(Problem::new("this table has one axis", &name.place, "two axes")),
    }
}

fn read_motor(
    motor: &TomlTable,
    at: &Place,
    entries: &TomlTable,
    place: &Place,
) -> Result<Motor, Problem> {
    motor.only(&["kv", "resistance", "no_load_current"], "[propulsion.motor]")?;
    let no_load = motor.need("no_load_current", at)?;
    let no_load_current = not_negative(Some(no_load), "no_load_current", "A")?;
    Ok(Motor {
        constant: 1.0 / positive(motor, at, "kv", "rad/s/V")?,
        resistance: positive(motor, at, "resistance", "Ohm")?,
        no_load_current,
        inertia: positive(entries, place, "inertia", "kg*m^2")?,
    })
}

fn read_battery(item: &Item, tables: &Tables) -> Result<Battery, Problem> {
    let (entries, place) = (item.table()?, &item.place);
    entries.only(&["voltage", "open_circuit_voltage", "capacity", "resistance"], "[battery]")?;
    let nominal = positive(entries, place, "voltage", "V")?;
    let open_circuit = match entries.get("open_circuit_voltage") {
        Some(name) => line(tables, name, "charge", "V")?,
        // Always the same.
        None => {
            let axis = Axis::new(vec![0.0, 1.0]).unwrap_or_default();
            Line::new(axis, &[nominal, nominal], Edge::Hold)
        }
    };
    let resistance = not_negative(entries.get("resistance"), "resistance", "Ohm")?;
    let capacity = positive(entries, place, "capacity", "A*s")?;
    Ok(Battery { open_circuit, resistance, capacity })
}
