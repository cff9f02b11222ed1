//! `[air]`: wind, its profile over the height, regions and gusts; rain; density.
//!
//! ```toml
//! [air]
//! wind = ["3 m/s", "0 m/s", "0 m/s"]        # where it goes to: north, east, down
//! profile = "logarithmic"                    # or "power"; the same at all heights where there is none
//! reference_height = "10 m"
//! roughness = "0.03 m"                       # of a logarithmic profile
//! exponent = 0.143                           # of a power law
//! rain = "2 mm/h"
//! temperature = "10 K"                       # above that of the standard atmosphere
//! density = "1.2 kg/m^3"                     # in place of the standard atmosphere
//!
//! [[air.region]]
//! shape = "box"                              # or "cylinder" with a radius and a height
//! place = ["50 m", "0 m", "-20 m"]
//! size = ["20 m", "20 m", "40 m"]
//! edge = "5 m"
//! wind = ["8 m/s", "0 m/s", "0 m/s"]
//!
//! [[air.gust]]
//! shape = "pulse"                            # or "ramp", "step", "doublet"
//! amplitude = ["0 m/s", "6 m/s", "0 m/s"]
//! start = "10 s"
//! duration = "2 s"
//! ```

use ironbird_document::{Item, Problem, Table};
use ironbird_environment::air::{
    DiscreteGust, GustShape, RegionShape, WindField, WindProfile, WindRegion,
};
use nalgebra::Vector3;

use super::quantities::{number_within, plain_within, vector};
use super::tables;
use crate::weather::{Density, Weather};

const KEYS: [&str; 10] = [
    "wind",
    "profile",
    "reference_height",
    "roughness",
    "exponent",
    "rain",
    "temperature",
    "density",
    "region",
    "gust",
];

const SHAPES: [(&str, GustShape); 4] = [
    ("ramp", GustShape::Ramp),
    ("pulse", GustShape::Pulse),
    ("step", GustShape::Step),
    ("doublet", GustShape::Doublet),
];

/// Reads it into the weather of a world so high above sea level.
pub fn read(item: Option<&Item>, elevation: f64, weather: &mut Weather) -> Result<(), Problem> {
    let nothing = Table::default();
    let table = item.map_or(Ok(&nothing), Item::table)?;
    table.only(&KEYS, "[air]")?;
    let offset = match table.get("temperature") {
        Some(item) => number_within(item, "K", -80.0, 80.0)?,
        None => 0.0,
    };
    weather.warmer = offset;
    weather.density = match table.get("density") {
        Some(item) => Density::Uniform(number_within(item, "kg/m^3", 0.0, 10.0)?),
        None => Density::standard(elevation, offset),
    };
    if let Some(item) = table.get("rain") {
        weather.rain = number_within(item, "mm/h", 0.0, 300.0)?;
    }
    if let Some(item) = table.get("wind") {
        weather.wind.steady = vector(item, "m/s")?;
    }
    if let Some(item) = table.get("profile") {
        weather.wind.profile = profile(item, table)?;
    }
    let WindField { regions, gusts, .. } = &mut weather.wind;
    for (item, table) in tables(table.get("region"))? {
        regions.push(region(item, table)?);
    }
    for (item, table) in tables(table.get("gust"))? {
        gusts.push(gust(item, table)?);
    }
    Ok(())
}

fn profile(item: &Item, table: &Table) -> Result<WindProfile, Problem> {
    let height = match table.get("reference_height") {
        Some(item) => number_within(item, "m", 0.1, 1000.0)?,
        None => 10.0,
    };
    let logarithmic = item.one_of("a profile", &[("logarithmic", true), ("power", false)])?;
    if !logarithmic {
        let exponent =
            table.get("exponent").map_or(Ok(0.143), |item| plain_within(item, 0.0, 1.0))?;
        return Ok(WindProfile::power(height, exponent));
    }
    let roughness = match table.get("roughness") {
        Some(item) => number_within(item, "m", 1e-5, 5.0)?,
        None => 0.03,
    };
    if roughness >= height {
        let text = "the roughness must be below the reference height";
        return Err(Problem::new(text, &item.place, "this profile"));
    }
    Ok(WindProfile::logarithmic(height, roughness))
}

fn region(item: &Item, table: &Table) -> Result<WindRegion, Problem> {
    table
        .only(&["shape", "place", "size", "radius", "height", "edge", "wind"], "[[air.region]]")?;
    let centre = table.get("place").map_or(Ok(Vector3::zeros()), |item| vector(item, "m"))?;
    let length = |key: &str| number_within(table.need(key, &item.place)?, "m", 1e-3, 1e6);
    let named = table.need("shape", &item.place)?;
    let shape = if named.one_of("a shape of a region", &[("box", true), ("cylinder", false)])? {
        let half = 0.5 * vector(table.need("size", &item.place)?, "m")?;
        RegionShape::Box { centre, half }
    } else {
        RegionShape::Cylinder {
            centre,
            radius: length("radius")?,
            half_height: 0.5 * length("height")?,
        }
    };
    let edge = table.get("edge").map_or(Ok(0.0), |item| number_within(item, "m", 0.0, 1e6))?;
    Ok(WindRegion { shape, edge, wind: vector(table.need("wind", &item.place)?, "m/s")? })
}

fn gust(item: &Item, table: &Table) -> Result<DiscreteGust, Problem> {
    table.only(&["shape", "amplitude", "start", "duration"], "[[air.gust]]")?;
    Ok(DiscreteGust {
        shape: table
            .get("shape")
            .map_or(Ok(GustShape::Pulse), |item| item.one_of("a gust", &SHAPES))?,
        amplitude: vector(table.need("amplitude", &item.place)?, "m/s")?,
        start: table.get("start").map_or(Ok(0.0), |item| number_within(item, "s", 0.0, 1e9))?,
        duration: number_within(table.need("duration", &item.place)?, "s", 1e-6, 1e9)?,
    })
}
