//! Quantities in files of vehicles: above zero, not negative, places, masses.

use ironbird_document::{Item, Place, Problem, Table};
use nalgebra::Matrix3;

use crate::vehicle::Inertia;

/// A quantity that is above zero.
pub fn positive(entries: &Table, place: &Place, key: &str, unit: &str) -> Result<f64, Problem> {
    let item = entries.need(key, place)?;
    let value = item.quantity(unit)?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(Problem::new(format!("\"{key}\" must be above zero"), &item.place, "here"))
}

/// A quantity that is zero or more; zero where it is not given.
pub fn not_negative(item: Option<&Item>, key: &str, unit: &str) -> Result<f64, Problem> {
    let Some(item) = item else { return Ok(0.0) };
    let value = item.quantity(unit)?;
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Problem::new(format!("\"{key}\" must not be negative"), &item.place, "here"))
}

/// A place in the body: forward, starboard, down.
pub fn point(item: &Item) -> Result<[f64; 3], Problem> {
    let [x, y, z] = item.items()? else {
        let text = "a place is [forward, starboard, down]";
        return Err(Problem::new(text, &item.place, "three lengths"));
    };
    Ok([x.quantity("m")?, y.quantity("m")?, z.quantity("m")?])
}

/// The key of `[mass]` that admits moments of inertia that no body has: some are published, and there are no others.
pub const ANY_INERTIA: &str = "allow_impossible_inertia";

/// No moment of inertia is above the sum of the other two, as ixx + iyy - izz is twice the integral of z²: this is an
/// error, unless the table says that it knows.
pub fn possible(moments: [f64; 3], entries: &Table, place: &Place) -> Result<(), Problem> {
    let [xx, yy, zz] = moments;
    let known = entries.get(ANY_INERTIA).map_or(Ok(false), Item::truth)?;
    if known || (xx + yy >= zz && yy + zz >= xx && zz + xx >= yy) {
        return Ok(());
    }
    let text =
        "no body has such inertia: one of ixx, iyy and izz is above the sum of the other two";
    let help = format!("where there are no better numbers, add {ANY_INERTIA} = true to [mass]");
    Err(Problem::new(text, place, "here").help(help))
}

/// A table of the mass (kg) and of ixx, iyy, izz and, where it is not zero, ixz (the integral of x z, kg m²).
pub fn mass_and_inertia(entries: &Table, place: &Place) -> Result<(f64, [f64; 4]), Problem> {
    entries.only(&["mass", "ixx", "iyy", "izz", "ixz", ANY_INERTIA], "[mass]")?;
    let inertia = |key: &str| positive(entries, place, key, "kg*m^2");
    let [xx, yy, zz] = [inertia("ixx")?, inertia("iyy")?, inertia("izz")?];
    let xz = entries.get("ixz").map_or(Ok(0.0), |item| item.quantity("kg*m^2"))?;
    if xz * xz >= xx * zz {
        let text = "no body has such inertia: ixz² must be below ixx izz";
        return Err(Problem::new(text, place, "here"));
    }
    possible([xx, yy, zz], entries, place)?;
    Ok((positive(entries, place, "mass", "kg")?, [xx, yy, zz, xz]))
}

/// The same as what resists acceleration of a vehicle.
pub fn inertia(entries: &Table, place: &Place) -> Result<Inertia, Problem> {
    let (mass, [xx, yy, zz, xz]) = mass_and_inertia(entries, place)?;
    let tensor = Matrix3::new(xx, 0.0, -xz, 0.0, yy, 0.0, -xz, 0.0, zz);
    Ok(Inertia { mass, tensor, added: None })
}

/// A share from 0 to 1.
pub fn share(item: &Item, key: &str) -> Result<f64, Problem> {
    let value = item.number()?;
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(Problem::new(format!("\"{key}\" must be from 0 to 1"), &item.place, "here"))
}
