//! What drives a vehicle, by its type.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_control::InnerLoop;
use ironbird_control::autopilot::AuvLoop;
use ironbird_control::fixed_wing::{FlightGuidance, FlightLoop, FlightTuning};
use ironbird_control::multirotor::{Mode, MultirotorPilot};
use ironbird_control::rover::{RoverGuidance, RoverLoop, RoverSteering, RoverTuning};
use ironbird_control::stand_in::{KinematicLoop, PointMassLoop, PointMassTuning};
use ironbird_document::{Item, Problem, Table};
use ironbird_kinematics::{Attitude, RigidMotion, STANDARD_GRAVITY};
use ironbird_plant::aircraft::{AircraftFile, AircraftVehicle, Wanted};
use ironbird_plant::fidelity::{
    Fidelity, KinematicVehicle, PointMass, PointMassParts, VelocityFrame,
};
use ironbird_plant::multirotor::Multirotor;
use ironbird_plant::remus::RemusVehicle;
use ironbird_plant::rover::{Rover, Steering};
use ironbird_plant::submersible::Submersible;
use ironbird_plant::vehicle::{Inertia, Vehicle};
use nalgebra::{Matrix3, Vector3};

use super::quantities::{number_within, vector};
use crate::body_plan::Drive;

/// Inner loops by name.
pub type Pilots = Vec<(&'static str, Arc<dyn InnerLoop>)>;

/// A type with its numbers.
pub struct Kind {
    /// What moves it.
    pub drive: Drive,
    /// What can steer it, by name; the usual one first.
    pub pilots: Pilots,
    /// How it moves at the start, where nothing else is said.
    pub start: RigidMotion,
    /// Half of its length, width and height, where no shape is given.
    pub half_size: Option<Vector3<f64>>,
}

#[derive(Clone, Copy)]
enum Word {
    Multirotor,
    Rover,
    Aircraft,
    Submersible,
    Remus,
    Body,
    Outside,
}

const WORDS: [(&str, Word); 7] = [
    ("multirotor", Word::Multirotor),
    ("rover", Word::Rover),
    ("aircraft", Word::Aircraft),
    ("submersible", Word::Submersible),
    ("remus-100", Word::Remus),
    ("body", Word::Body),
    ("outside", Word::Outside),
];

const FIDELITIES: [(&str, Fidelity); 3] =
    [("full", Fidelity::Full), ("simple", Fidelity::Simple), ("kinematic", Fidelity::Kinematic)];

/// The type of a vehicle.
pub fn read(item: &Item, table: &Table, folder: &Path) -> Result<Kind, Problem> {
    let word = table.need("type", &item.place)?.one_of("a type of vehicle", &WORDS)?;
    let file = || -> Result<PathBuf, Problem> {
        Ok(folder.join(table.need("file", &item.place)?.text()?))
    };
    if let (Word::Remus | Word::Body | Word::Outside, Some(item)) = (word, table.get("file")) {
        return Err(Problem::new("this type has no file", &item.place, "leave it out"));
    }
    for (key, fits) in [
        ("mass", matches!(word, Word::Body)),
        ("inertia", matches!(word, Word::Body)),
        ("airspeed", matches!(word, Word::Aircraft)),
        ("adjust", matches!(word, Word::Aircraft | Word::Multirotor)),
    ] {
        if let (Some(item), false) = (table.get(key), fits) {
            let text = format!("\"{key}\" means nothing for this type");
            return Err(Problem::new(text, &item.place, "leave it out"));
        }
    }
    let kind = match word {
        Word::Multirotor => multirotor(&file()?, table)?,
        Word::Rover => rover(Rover::read(&file()?)?),
        Word::Aircraft => aircraft(item, table, &file()?)?,
        Word::Submersible => {
            let vehicle = Submersible::read(&file()?)?;
            driven(Arc::new(vehicle), Vec::new(), Some(Vector3::new(0.25, 0.2, 0.15)))
        }
        Word::Remus => {
            let pilots: Pilots = vec![("depth", Arc::new(AuvLoop::default()))];
            let size = Vector3::new(0.67, 0.095, 0.095);
            driven(Arc::new(RemusVehicle::default()), pilots, Some(size))
        }
        Word::Body => undriven(Drive::Inert(inertia(item, table)?)),
        Word::Outside => undriven(Drive::Outside),
    };
    match table.get("fidelity") {
        Some(item) => {
            let fidelity = item.one_of("a fidelity", &FIDELITIES)?;
            if let (Fidelity::Simple, false) = (fidelity, matches!(word, Word::Multirotor)) {
                let text = "a point mass with thrust stands for multirotors only";
                let problem = Problem::new(text, &item.place, "here");
                return Err(problem.help("take \"kinematic\" or \"full\""));
            }
            simplified(kind, fidelity, item)
        }
        None => Ok(kind),
    }
}

fn undriven(drive: Drive) -> Kind {
    Kind { drive, pilots: Vec::new(), start: RigidMotion::default(), half_size: None }
}

/// Mass and size of a vehicle, with a simpler law of motion: it is told where to be, as the full one is.
fn simplified(kind: Kind, fidelity: Fidelity, item: &Item) -> Result<Kind, Problem> {
    if fidelity == Fidelity::Full {
        return Ok(kind);
    }
    let Drive::Vehicle(vehicle) = &kind.drive else {
        let text = "only a vehicle with forces of its own has simpler models";
        return Err(Problem::new(text, &item.place, "leave it out"));
    };
    let inertia = Inertia { added: None, ..vehicle.inertia().clone() };
    let wrong = |why: String| Problem::new(why, &item.place, "here");
    let (vehicle, law): (Arc<dyn Vehicle>, Arc<dyn InnerLoop>) = match fidelity {
        Fidelity::Kinematic => {
            let made = KinematicVehicle::new(inertia, VelocityFrame::Ned, [0.3, 0.2], [10.0, 2.0]);
            (Arc::new(made.map_err(wrong)?), Arc::new(KinematicLoop::new(1.0, 10.0)))
        }
        _ => {
            let mass = inertia.mass;
            let made = PointMass::new(PointMassParts {
                inertia,
                thrust: 2.0 * mass * STANDARD_GRAVITY,
                thrust_lag: 0.05,
                attitude_lag: 0.15,
                linear_drag: 0.1 * mass,
                quadratic_drag: 0.01 * mass,
                tilt: 0.7,
                yaw_rate: 2.0,
            });
            let law = PointMassLoop::new(PointMassTuning {
                mass,
                place: 1.0,
                velocity: 2.5,
                integral: 0.5,
                speed: 10.0,
                acceleration: 6.0,
                heading: 2.0,
            });
            (Arc::new(made.map_err(wrong)?), Arc::new(law))
        }
    };
    let Kind { start, half_size, .. } = kind;
    Ok(Kind { drive: Drive::Vehicle(vehicle), pilots: vec![("position", law)], start, half_size })
}

/// A fixed-wing aircraft in steady flight at `airspeed`.
fn aircraft(item: &Item, table: &Table, file: &Path) -> Result<Kind, Problem> {
    let adjust = table.get("adjust").map_or(Ok(""), Item::text)?;
    let craft = AircraftFile::read(file, adjust)?;
    let airspeed = number_within(table.need("airspeed", &item.place)?, "m/s", 1.0, 500.0)?;
    let height = match table.get("place") {
        Some(place) => -vector(place, "m")?.z,
        None => 100.0,
    };
    let gravity = STANDARD_GRAVITY;
    let wanted = Wanted { airspeed, height, path_angle: 0.0, gravity, charge: 1.0 };
    let trimmed = AircraftVehicle::trimmed(craft, &wanted).map_err(|error| {
        let text = format!("there is no steady flight at this airspeed: {error}");
        Problem::new(text, &item.place, "this vehicle")
    })?;
    let (vehicle, start, commands) = trimmed;
    let [_, elevator, _, _, throttle] = commands;
    let [_, pitch, _] = Attitude::from(start.attitude).to_euler();
    let tuning =
        FlightTuning { airspeed, trim: [pitch, elevator, throttle], ..FlightTuning::default() };
    let pilots: Pilots = vec![
        ("height", Arc::new(FlightLoop::new(FlightGuidance::Height, tuning))),
        ("attitude", Arc::new(FlightLoop::new(FlightGuidance::Attitude, tuning))),
    ];
    let mut kind = driven(Arc::new(vehicle), pilots, Some(Vector3::new(0.5, 0.6, 0.1)));
    kind.start = start;
    Ok(kind)
}

fn driven(vehicle: Arc<dyn Vehicle>, pilots: Pilots, half_size: Option<Vector3<f64>>) -> Kind {
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
    let modes =
        [("position", Mode::Position), ("velocity", Mode::Velocity), ("attitude", Mode::Attitude)];
    let mut pilots: Pilots = Vec::new();
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
    let parts = vehicle.parts();
    let driven_wheels = || parts.wheels.iter().filter(|wheel| wheel.is_driven);
    let radius = driven_wheels().map(|wheel| wheel.radius).fold(0.1, f64::max);
    let steering = match &parts.steering {
        Steering::Differential => {
            let out = driven_wheels().map(|wheel| wheel.place.y.abs()).fold(0.0, f64::max);
            RoverSteering::Differential { track: 2.0 * out, radius }
        }
        Steering::Ackermann(rack) => {
            RoverSteering::Ackermann { base: rack.base, limit: rack.limit }
        }
    };
    let law = |guidance| RoverLoop::new(steering, guidance, RoverTuning::default());
    let pilots: Pilots = vec![
        ("heading", Arc::new(law(RoverGuidance::Heading))),
        ("place", Arc::new(law(RoverGuidance::Place))),
    ];
    // A hull over the wheels, with room under it.
    let mut half = Vector3::new(0.05, 0.05, 0.5 * height);
    for wheel in &parts.wheels {
        half.x = half.x.max(wheel.place.x.abs() + wheel.radius);
        half.y = half.y.max(wheel.place.y.abs());
    }
    let mut kind = driven(Arc::new(vehicle), pilots, Some(half));
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
