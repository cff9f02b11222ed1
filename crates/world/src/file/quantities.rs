//! Numbers with units, as worlds are described by.

use ironbird_document::{Item, Problem, Table};
use ironbird_kinematics::Attitude;
use ironbird_units::Unit;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// A quantity in this unit.
fn quantity(item: &Item, unit: &str) -> Result<f64, Problem> {
    let base = item.quantity(unit)?;
    // The document gives SI base units, whatever is asked for.
    Ok(unit.parse::<Unit>().map_or(base, |unit| unit.from_base(base)))
}

/// A quantity between two ends, in this unit.
pub fn number_within(item: &Item, unit: &str, low: f64, high: f64) -> Result<f64, Problem> {
    let value = quantity(item, unit)?;
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    let text = format!("{value} {unit} is out of range");
    Err(Problem::new(text, &item.place, format!("between {low} and {high} {unit}")))
}

/// A plain number between two ends.
pub fn plain_within(item: &Item, low: f64, high: f64) -> Result<f64, Problem> {
    let value = item.number()?;
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    let text = format!("{value} is out of range");
    Err(Problem::new(text, &item.place, format!("between {low} and {high}")))
}

/// Three quantities in this unit.
pub fn vector(item: &Item, unit: &str) -> Result<Vector3<f64>, Problem> {
    let [x, y, z] = item.items()? else {
        let text = format!("this must be three numbers in {unit}");
        let example = format!("[\"1 {unit}\", \"0 {unit}\", \"0 {unit}\"]");
        return Err(Problem::new(text, &item.place, "here").help(format!("for example {example}")));
    };
    Ok(Vector3::new(quantity(x, unit)?, quantity(y, unit)?, quantity(z, unit)?))
}

/// Roll, pitch and yaw.
pub fn attitude(item: &Item) -> Result<UnitQuaternion<f64>, Problem> {
    let [roll, pitch, yaw] = vector(item, "deg")?.map(f64::to_radians).into();
    Ok(Attitude::from_euler(roll, pitch, yaw).quaternion())
}

/// `place` and `attitude` of a table; where they are not given, none.
pub fn pose(table: &Table) -> Result<Isometry3<f64>, Problem> {
    let place = table.get("place").map_or(Ok(Vector3::zeros()), |item| vector(item, "m"))?;
    let turned = table.get("attitude").map_or(Ok(UnitQuaternion::identity()), attitude)?;
    Ok(Isometry3::from_parts(Translation3::from(place), turned))
}
