//! Files of submersibles.
//!
//! ```toml
//! name = "a vehicle"
//! source = "where its numbers come from"
//! [mass]
//! mass = "13 kg"
//! ixx = "0.25 kg*m^2"                         # iyy, izz alike
//! [water]                                     # along or about: forward, starboard, down; all positive
//! added_mass = ["1.3 kg", "1.4 kg", "3.7 kg"]
//! added_inertia = ["0.04 kg*m^2", "0.03 kg*m^2", "0.04 kg*m^2"]
//! linear_force = ["13.7 N*s/m", "1 N*s/m", "23 N*s/m"]
//! linear_moment = ["0.5 N*m*s", "0.8 N*m*s", "0.1 N*m*s"]
//! quadratic_force = ["14.1 N*s^2/m^2", "21.7 N*s^2/m^2", "19 N*s^2/m^2"]
//! quadratic_moment = ["0.12 N*m*s^2", "0.05 N*m*s^2", "0.15 N*m*s^2"]
//! [buoyancy]
//! volume = "0.0128 m^3"
//! centre = ["0 m", "0 m", "-0.02 m"]          # from the centre of mass: forward, starboard, down
//! height = "0.25 m"                           # over which it goes through the surface
//! [[thrusters]]
//! place = ["0.14 m", "0.1 m", "0.06 m"]
//! direction = [-0.7071, 0.7071, 0]
//! forward = ["0 N", "45.3 N"]                 # coefficients of a polynomial in the command, at most six
//! reverse = ["0 N", "35.2 N"]
//! time_constant = "0.02 s"
//! ```
//!
//! Matrices that are not diagonal come by [`Submersible::new`].

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Item, Place, Problem, Source, Table, parse};
use nalgebra::{Matrix6, Vector3, Vector6};

use super::thruster::ForcePolynomial;
use super::{Buoyancy, Hydrodynamics, Submersible, Thruster};
use crate::quantities::{inertia, not_negative, point, positive};

impl Submersible {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        from_source(&Source::read(file)?)
    }
}

/// A submersible whose text is in the program.
pub(super) fn preset(name: &str, text: &str) -> Result<Submersible, Problem> {
    from_source(&Source::built_in(name, text))
}

fn from_source(source: &Arc<Source>) -> Result<Submersible, Problem> {
    let document = parse(source)?;
    let whole = document.table()?;
    whole.only(&["name", "source", "mass", "water", "buoyancy", "thrusters"], "a submersible")?;
    let place = &document.place;
    for key in ["name", "source"] {
        whole.need(key, place)?.text()?;
    }
    let section = |key| whole.section(key, place);
    let (mass, at) = section("mass")?;
    let inertia = inertia(mass, at)?;
    let (water, water_place) = section("water")?;
    let hydrodynamics = read_water(water, water_place)?;
    let (buoyancy, at) = section("buoyancy")?;
    let buoyancy = read_buoyancy(buoyancy, at)?;
    let thrusters = match whole.get("thrusters") {
        None => Vec::new(),
        Some(item) => {
            let tables = item.tables()?.into_iter();
            tables
                .map(|(item, table)| read_thruster(table, &item.place))
                .collect::<Result<_, _>>()?
        }
    };
    Submersible::new(inertia, hydrodynamics, buoyancy, thrusters)
        .map_err(|text| Problem::new(text, water_place, "here"))
}

fn read_water(entries: &Table, place: &Place) -> Result<Hydrodynamics, Problem> {
    let keys = [
        "added_mass",
        "added_inertia",
        "linear_force",
        "linear_moment",
        "quadratic_force",
        "quadratic_moment",
    ];
    entries.only(&keys, "[water]")?;
    let three = |key: &str, unit: &str| -> Result<[f64; 3], Problem> {
        let item = entries.need(key, place)?;
        let [x, y, z] = item.items()? else {
            let text = format!("\"{key}\" has three values: forward, starboard, down");
            return Err(Problem::new(text, &item.place, "here"));
        };
        let value = |item: &Item| not_negative(Some(item), key, unit);
        Ok([value(x)?, value(y)?, value(z)?])
    };
    let both = |keys: [&str; 2], units: [&str; 2]| -> Result<Matrix6<f64>, Problem> {
        let [a, b, c] = three(keys[0], units[0])?;
        let [d, e, f] = three(keys[1], units[1])?;
        Ok(Matrix6::from_diagonal(&Vector6::new(a, b, c, d, e, f)))
    };
    Ok(Hydrodynamics {
        added: both(["added_mass", "added_inertia"], ["kg", "kg*m^2"])?,
        linear: both(["linear_force", "linear_moment"], ["N*s/m", "N*m*s"])?,
        quadratic: both(["quadratic_force", "quadratic_moment"], ["N*s^2/m^2", "N*m*s^2"])?,
        origin: Vector3::zeros(),
    })
}

fn read_buoyancy(entries: &Table, place: &Place) -> Result<Buoyancy, Problem> {
    entries.only(&["volume", "centre", "height"], "[buoyancy]")?;
    Ok(Buoyancy {
        volume: positive(entries, place, "volume", "m^3")?,
        centre: Vector3::from(point(entries.need("centre", place)?)?),
        height: positive(entries, place, "height", "m")?,
    })
}

fn read_thruster(entries: &Table, place: &Place) -> Result<Thruster, Problem> {
    let keys = ["place", "direction", "forward", "reverse", "time_constant"];
    entries.only(&keys, "a thruster")?;
    let item = entries.need("direction", place)?;
    let direction = match item.items()? {
        [x, y, z] => Vector3::new(x.number()?, y.number()?, z.number()?),
        _ => Vector3::zeros(),
    };
    let length = direction.norm();
    if length == 0.0 {
        let text = "a direction is three numbers that are not all zero";
        return Err(Problem::new(text, &item.place, "forward, starboard, down"));
    }
    let polynomial = |key: &str| -> Result<ForcePolynomial, Problem> {
        let item = entries.need(key, place)?;
        let items = item.items()?;
        let mut terms = ForcePolynomial::default();
        if items.is_empty() || items.len() > terms.len() {
            let text = format!("\"{key}\" has one to {} coefficients", terms.len());
            return Err(Problem::new(text, &item.place, "here"));
        }
        for (term, item) in terms.iter_mut().zip(items) {
            *term = item.quantity("N")?;
        }
        Ok(terms)
    };
    Ok(Thruster {
        place: Vector3::from(point(entries.need("place", place)?)?),
        direction: direction / length,
        forward: polynomial("forward")?,
        reverse: polynomial("reverse")?,
        time_constant: positive(entries, place, "time_constant", "s")?,
    })
}
