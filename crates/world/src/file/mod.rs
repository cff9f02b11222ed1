//! Files that describe a world.
//!
//! ```toml
//! step = "1 ms"
//! sdf = "field.sdf"                      # what an SDF file describes, too
//!
//! [origin]
//! latitude = "47.4 deg"
//! longitude = "8.5 deg"
//! height = "430 m"
//!
//! [air]
//! wind = ["3 m/s", "0 m/s", "0 m/s"]     # north, east, down: where it goes to
//! rain = "2 mm/h"
//!
//! [water]
//! surface = "0 m"                        # down from the origin
//! current = ["0.2 m/s", "0 m/s", "0 m/s"]
//!
//! [[ground]]
//! shape = "plane"                        # box, cylinder, sphere, capsule, mesh, heights
//! friction = 0.8
//!
//! [[vehicle]]
//! name = "quad"                          # quad[0], quad[1] … where there are several
//! type = "multirotor"
//! file = "x500.toml"
//! count = 16
//! place = ["0 m", "0 m", "-0.3 m"]
//! spacing = "5 m"
//!
//! [[vehicle.sensor]]
//! name = "sonar"
//! type = "range"
//! ```

mod air;
mod ground;
mod quantities;
mod sensors;
mod vehicle;
mod vehicle_models;

use std::path::{Path, PathBuf};

use ironbird_document::{Item, Place, Problem, Source, Table, parse};
use ironbird_environment::magnetic::LocalField;
use ironbird_kinematics::Geodetic;
use nalgebra::Vector3;

use crate::scene::Scene;
use crate::sensor::Sound;
use crate::weather::Weather;
use quantities::{number_within, vector};

/// Reads a world: SDF where the name ends so, TOML otherwise. `folders` are where models of SDF files are looked for.
pub fn read(path: &Path, folders: &[PathBuf]) -> Result<Scene, Problem> {
    let extension = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match extension {
        "sdf" | "world" | "xml" => from_sdf(path, folders),
        _ => toml(path, folders),
    }
}

/// What an SDF file describes.
fn from_sdf(path: &Path, folders: &[PathBuf]) -> Result<Scene, Problem> {
    crate::sdf::read(path, folders).map_err(|error| Problem::somewhere(error.to_string()))
}

fn toml(path: &Path, folders: &[PathBuf]) -> Result<Scene, Problem> {
    let source = Source::read(path)?;
    let document = parse(&source)?;
    let whole = document.table()?;
    let known =
        ["step", "sdf", "origin", "air", "water", "ground", "vehicle", "sound", "magnetic_field"];
    whole.only(&known, "a world")?;
    let mut scene = match whole.get("sdf") {
        Some(item) => from_sdf(&source.folder.join(item.text()?), folders)
            .map_err(|problem| problem.also(&item.place, "named here"))?,
        None => Scene::default(),
    };
    if let Some(item) = whole.get("step") {
        scene.step = Some(number_within(item, "s", 1e-6, 0.1)?);
    }
    if let Some(item) = whole.get("origin") {
        scene.origin = Some(origin(item)?);
    }
    let elevation = scene.origin.map_or(0.0, |origin| origin.height);
    air::read(whole.get("air"), elevation, &mut scene.weather)?;
    if let Some(item) = whole.get("water") {
        water(item, &mut scene.weather)?;
    }
    if let Some(item) = whole.get("magnetic_field") {
        scene.magnetic_field = Some(vector(item, "T")?);
    }
    for (item, table) in tables(whole.get("ground"))? {
        scene.fixed.push(ground::read(item, table, &source.folder)?);
    }
    let mut names: Vec<(String, Place)> = Vec::new();
    for (item, table) in tables(whole.get("vehicle"))? {
        for vehicle in vehicle::read(item, table, &source.folder)? {
            let name = &vehicle.body.name;
            let taken = scene.vehicles.iter().any(|other| other.body.name == *name);
            if taken {
                let text = format!("there are two vehicles \"{name}\"");
                let problem = Problem::new(text, &item.place, "the second");
                let first = names.iter().find(|(other, _)| other == name);
                return Err(match first {
                    Some((_, place)) => problem.also(place, "the first"),
                    None => problem.help("the other one is in the SDF file"),
                });
            }
            names.push((name.clone(), item.place.clone()));
            scene.vehicles.push(vehicle);
        }
    }
    for (_, table) in tables(whole.get("sound"))? {
        scene.sounds.push(sound(table, &scene)?);
    }
    Ok(scene)
}

fn tables(item: Option<&Item>) -> Result<Vec<(&Item, &Table)>, Problem> {
    item.map_or(Ok(Vec::new()), Item::tables)
}

fn origin(item: &Item) -> Result<Geodetic, Problem> {
    let table = item.table()?;
    table.only(&["latitude", "longitude", "height"], "[origin]")?;
    let angle =
        |key: &str, most: f64| number_within(table.need(key, &item.place)?, "deg", -most, most);
    let height = table.get("height").map_or(Ok(0.0), |item| number_within(item, "m", -1e4, 1e5))?;
    Ok(Geodetic::from_degrees(angle("latitude", 90.0)?, angle("longitude", 180.0)?, height))
}

fn water(item: &Item, weather: &mut Weather) -> Result<(), Problem> {
    let table = item.table()?;
    table.only(&["surface", "density", "current"], "[water]")?;
    let water = &mut weather.water;
    water.surface = match table.get("surface") {
        Some(item) => number_within(item, "m", -1e5, 1e5)?,
        None => 0.0,
    };
    if let Some(item) = table.get("density") {
        water.density = number_within(item, "kg/m^3", 100.0, 2000.0)?;
    }
    if let Some(item) = table.get("current") {
        water.current = vector(item, "m/s")?;
    }
    Ok(())
}

fn sound(table: &Table, scene: &Scene) -> Result<Sound, Problem> {
    table.only(&["place", "on", "level"], "[[sound]]")?;
    let on = match table.get("on") {
        Some(item) => {
            let name = item.text()?;
            let known = || scene.vehicles.iter().map(|vehicle| vehicle.body.name.as_str());
            if !known().any(|other| other == name) {
                let near = ironbird_kernel::path::nearest(name, known());
                let text = format!("there is no vehicle \"{name}\"");
                return Err(Problem::new(text, &item.place, "not a vehicle").did_you_mean(near));
            }
            Some(name.to_owned())
        }
        None => None,
    };
    let place = table.get("place").map_or(Ok(Vector3::zeros()), |item| vector(item, "m"))?;
    let level = table.get("level").map_or(Ok(60.0), Item::number)?;
    Ok(Sound { place, on, level })
}

/// The magnetic field of a world: what its file says; or that of the Earth where its origin is; or none.
pub(crate) fn magnetic_field(scene: &Scene, year: f64) -> LocalField {
    match (scene.magnetic_field, scene.origin) {
        (Some(field), _) => LocalField::uniform(field),
        (None, Some(origin)) => LocalField::around(origin, year),
        (None, None) => LocalField::uniform(Vector3::zeros()),
    }
}
