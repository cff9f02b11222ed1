//! The type `world`.

use std::f64::consts::FRAC_PI_2;
use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::{
    Bound, ComponentType, Description, Given, Instance, InstantiateError, Interface, Kind, Made,
    ParameterDescription, ParameterKind, Place, Range, Settings, Unit,
};
use ironbird_kernel::{Duration, Parameter, Rate};

use super::model::WorldModel;
use super::scenery::scenery;
use crate::file;
use crate::geometry::Fixed;
use crate::world::{Stepping, World};

const DOC: &str = "\
A world with everything that moves in it: vehicles, obstacles, ground, weather.

The file is a world of ours (TOML: `[[vehicle]]`, `[[ground]]`, …) or an SDF file as Gazebo's users have it. Each \
vehicle has ports that begin with its name: what drives it (`quad.north`, where an inner loop steers it; \
`rover.left` …), what is true of it (`quad.motion`, `quad.specific_force` …), and what its sensors measure. The world \
steps by `step`, as often as fits into a step of the component; vehicles that cannot meet are advanced in parallel. \
In a closed loop let what drives a vehicle show the value of the instant before: value = \"previous\".";

/// The type `world`.
pub struct WorldType {
    description: Description,
}

/// Ports of all bodies at most: a component counts its own with 16 bits.
const MOST_PORTS: usize = 60_000;

const FILE: usize = 0;
const STEP: usize = 1;
const THREADS: usize = 2;
const ISLANDS: usize = 3;
const FOLDERS: usize = 4;
const WIND: usize = 5;
const RAIN: usize = 6;
const SUN: usize = 7;
const CLOUD: usize = 8;
const YEAR: usize = 9;

impl Default for WorldType {
    fn default() -> Self {
        let real = |unit: &str, low, high| ParameterKind::Real {
            unit: unit.parse().unwrap_or_else(|_| Unit::none()),
            range: Range { low, high },
        };
        let (threads, speed) = (
            ParameterKind::Integer { min: 0, max: 256 },
            real("m/s", Bound::Inclusive(-200.0), Bound::Inclusive(200.0)),
        );
        let mut description = Description::new("world", Kind::Periodic, DOC);
        description.rate = Some(Rate::hz(1000));
        description.parameters = vec![
            ParameterDescription::required("file", ParameterKind::File, "The world: TOML or SDF.").fixed(),
            ParameterDescription::required(
                "step",
                real("s", Bound::Exclusive(0.0), Bound::Inclusive(0.1)),
                "Length of a step; by default what the file says, or 1 ms.",
            )
            .optional()
            .fixed(),
            ParameterDescription::required(
                "threads",
                threads,
                "Threads that advance vehicles; 0 takes as many as there are cores. It never changes a result.",
            )
            .or([Parameter::Integer(1)])
            .fixed(),
            ParameterDescription::required(
                "islands",
                ParameterKind::Bool,
                "Whether vehicles that cannot meet are advanced apart. It never changes a result.",
            )
            .or([Parameter::Bool(true)])
            .fixed(),
            ParameterDescription::required(
                "folders",
                ParameterKind::Text,
                "Folders in which models of SDF files are looked for, separated by colons.",
            )
            .or([Parameter::Text(String::new())])
            .fixed(),
            ParameterDescription::required(
                "wind",
                ParameterKind::Array { length: 3, of: Box::new(speed) },
                "Velocity of the air, added to that of the file: north, east, down.",
            )
            .or([Parameter::Real(0.0), Parameter::Real(0.0), Parameter::Real(0.0)]),
            ParameterDescription::required(
                "rain",
                real("mm/h", Bound::Inclusive(0.0), Bound::Inclusive(300.0)),
                "Rain, added to that of the file.",
            )
            .or([Parameter::Real(0.0)]),
            ParameterDescription::required(
                "sun",
                real("rad", Bound::Inclusive(-FRAC_PI_2), Bound::Inclusive(FRAC_PI_2)),
                "Height of the sun above the horizon.",
            )
            .or([Parameter::Real(0.7)]),
            ParameterDescription::required(
                "cloud",
                real("1", Bound::Inclusive(0.0), Bound::Inclusive(1.0)),
                "How much of the sky is covered.",
            )
            .or([Parameter::Real(0.0)]),
            ParameterDescription::required(
                "year",
                real("1", Bound::Inclusive(2025.0), Bound::Inclusive(2030.0)),
                "The year with its fraction, for the magnetic field of the Earth.",
            )
            .or([Parameter::Real(2026.0)])
            .fixed(),
        ];
        WorldType { description }
    }
}

impl ComponentType for WorldType {
    fn description(&self) -> &Description {
        &self.description
    }

    fn create(
        &self,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<Box<dyn Instance>, InstantiateError> {
        let (given, known) = (Given::new(settings, place), &self.description.parameters);
        let path: PathBuf = given.read(&known[FILE])?;
        let folders: String = given.read(&known[FOLDERS])?;
        let folders: Vec<PathBuf> = folders
            .split(':')
            .filter(|folder| !folder.is_empty())
            .map(|folder| place.folder.join(folder))
            .collect();
        let wrong = |why: &dyn std::fmt::Display| InstantiateError::of("file", why);
        let scene = file::read(&path, &folders).map_err(|why| wrong(&why))?;
        let step: Option<f64> = given.read_optional(&known[STEP])?;
        let step = step.or(scene.step).unwrap_or(1e-3);
        // Picoseconds, so that steps and the clock of the system are the same for ever.
        let exact = Duration::from_ps((step * 1e12).round().max(1.0) as u64);
        let threads: i64 = given.read(&known[THREADS])?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let stepping = Stepping {
            step: exact.as_secs_f64(),
            epoch: (0.01 / step).round().max(1.0) as u32,
            threads: if threads == 0 { cores() } else { threads as usize },
            one_island: !given.read::<bool>(&known[ISLANDS])?,
            feel: true,
        };
        let plans = scene.vehicles.iter().map(|vehicle| vehicle.body.clone()).collect();
        let fixed = Fixed::new(scene.fixed.clone());
        let world = World::new(fixed, scene.weather.clone(), plans, stepping);
        let world = world.map_err(|why| wrong(&why))?;
        let field = file::magnetic_field(&scene, given.read(&known[YEAR])?);
        let warnings = scene.warnings.clone();
        let scenery = Some(Arc::new(scenery(&scene)));
        let mut model = WorldModel::new(world, scene, exact, field);
        model.wind = given.read(&known[WIND])?;
        model.rain = given.read(&known[RAIN])?;
        model.sun = given.read(&known[SUN])?;
        model.cloud = given.read(&known[CLOUD])?;
        let ports = model.describe();
        if ports.len() > MOST_PORTS {
            let (bodies, found) = (model.world.bodies().len(), ports.len());
            let why = format!(
                "{bodies} bodies have {found} ports together: {MOST_PORTS} are allowed, so make several worlds of them"
            );
            return Err(wrong(&why));
        }
        let interface = Interface { ports, scenery, ..Interface::default() };
        let made = Made::periodic(model, self.description.rate);
        Ok(made.with_warnings(Arc::new(interface), warnings))
    }
}
