//! What drives a vehicle, by its type.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_control::InnerLoop;
use ironbird_control::multirotor::{Mode, MultirotorPilot};
use ironbird_document::{Item, Problem, Table};
use ironbird_kinematics::RigidMotion;
use ironbird_plant::multirotor::Multirotor;
use ironbird_plant::remus::RemusVehicle;
use ironbird_plant::rover::Rover;
use ironbird_plant::submersible::Submersible;
use ironbird_plant::vehicle::{Inertia, Vehicle};
use nalgebra::{Matrix3, Vector3};

use super::quantities::{number_within, one_of, vector};
use crate::body::Drive;

/// A type with its numbers.
pub struct Kind {
    /// What moves it.
    pub drive: Drive,
    /// What can steer it, by name; the usual one first.
    pub pilots: Vec<(&'static str, Arc<dyn InnerLoop>)>,
    /// How it moves at the start, where nothing else is said.
    pub start: RigidMotion,
    /// Half of its length, width and height, where no shape is given.
    pub half_size: Option<Vector3<f64>>,
}

#[derive(Clone, Copy)]
enum Word {
    Multirotor,
    Rover,
    Submersible,
    Remus,
    Body,
    Outside,
}

const WORDS: [(&str, Word); 6] = [
    ("multirotor", Word::Multirotor),
    ("rover", Word::Rover),
    ("submersible", Word::Submersible),
    ("remus-100", Word::Remus),
    ("body", Word::Body),
    ("outside", Word::Outside),
];

/// The type of a vehicle.
pub fn read(item: &Item, table: &Table, folder: &Path) -> Result<Kind, Problem> {
    let word = one_of(table.need("type", &item.place)?, "type of vehicle", &WORDS)?;
    let file = |table: &Table| -> Result<PathBuf, Problem> {
        Ok(folder.join(table.need("file", &item.place)?.text()?))
    };
    let only = |allowed: bool| match table.get("file") {
        Some(item) if !allowed => {
            Err(Problem::new("this type has no file", &item.place, "leave it out"))
        }
        _ => Ok(()),
    };
    Ok(match word {
        Word::Multirotor => multirotor(&file(table)?, table)?,
        Word::Rover => rover(Rover::read(&file(table)?)?),
        Word::Submersible => {
            let vehicle = Submersible::read(&file(table)?)?;
            driven(Arc::new(vehicle), Vec::new(), Some(Vector3::new(0.25, 0.2, 0.15)))
        }
        Word::Remus => {
            only(false)?;
            driven(Arc::new(RemusVehicle::default()), Vec::new(), Some(Vector3::new(0.67, 0.095, 0.095)))
        }
        Word::Body => {
            only(false)?;
            let inertia = inertia(item, table)?;
            Kind {
                drive: Drive::Inert(inertia),
                pilots: Vec::new(),
                start: RigidMotion::default(),
                half_size: None,
            }
        }
        Word::Outside => {
            only(false)?;
            Kind {
                drive: Drive::Outside,
                pilots: Vec::new(),
                start: RigidMotion::default(),
                half_size: None,
            }
        }
    })
}

fn driven(
    vehicle: Arc<dyn Vehicle>,
    pilots: Vec<(&'static str, Arc<dyn InnerLoop>)>,
    half_size: Option<Vector3<f64>>,
) -> Kind {
    Kind { drive: Drive::Vehicle(vehicle), pilots, start: RigidMotion::default(), half_size }
}

fn multirotor(file: &Path, table: &Table) -> Result<Kind, Problem> {
    let adjust = table.get("adjust").map_or(Ok(""), Item::text)?;
    let vehicle = Multirotor::read(file, adjust)?;
    // A box around the hubs of the rotors.
    let mut half = Vector3::new(0.02, 0.02, 0.02);
    for rotor in &vehicle.parts().rotors {
        half = half.sup(&rotor.at.abs());
    }
    let modes = [("position", Mode::Position), ("velocity", Mode::Velocity), ("attitude", Mode::Attitude)];
    let mut pilots: Vec<(&'static str, Arc<dyn InnerLoop>)> = Vec::new();
    for (name, mode) in modes {
        // Some vehicles cannot be steered so: rotors that cannot turn it, say. They fly by commands.
        if let Ok(pilot) = MultirotorPilot::new(&vehicle, mode) {
            pilots.push((name, Arc::new(pilot)));
        }
    }
    let mut kind = driven(Arc::new(vehicle), pilots, Some(half));
    kind.start.position.z = -half.z;
    Ok(kind)
}

fn rover(vehicle: Rover) -> Kind {
    let height = vehicle.resting_height();
    let mut kind = driven(Arc::new(vehicle), Vec::new(), None);
    kind.start.position.z = -height;
    kind
}

/// `mass` and `inertia` (about the three axes) of a body that nothing drives.
fn inertia(item: &Item, table: &Table) -> Result<Inertia, Problem> {
    let mass = number_within(table.need("mass", &item.place)?, "kg", 1e-9, 1e9)?;
    let given = table.need("inertia", &item.place)?;
    let moments = vector(given, "kg*m^2")?;
    if moments.min() <= 0.0 {
        return Err(Problem::new("moments of inertia must be above zero", &given.place, "here"));
    }
    Ok(Inertia { mass, tensor: Matrix3::from_diagonal(&moments), added: None })
}
