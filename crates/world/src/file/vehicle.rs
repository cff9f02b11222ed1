//! `[[vehicle]]`: one or several bodies of a kind.

use std::path::Path;

use ironbird_document::{Data, Item, Problem, Table};
use ironbird_kinematics::RigidMotion;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::quantities::{attitude, number_within, vector};
use super::vehicle_models::{self, Kind};
use super::{ground, sensors};
use crate::body_plan::{BodyPlan, Pilot};
use crate::geometry::{Collider, Form, Surface};
use crate::scene::VehiclePlan;

const KEYS: [&str; 23] = [
    "name",
    "type",
    "file",
    "count",
    "columns",
    "place",
    "spacing",
    "heading",
    "attitude",
    "velocity",
    "velocity_body",
    "pilot",
    "pilot_steps",
    "shape",
    "size",
    "friction",
    "restitution",
    "sensor",
    "mass",
    "inertia",
    "adjust",
    "fidelity",
    "airspeed",
];

/// Vehicles of one entry at most.
const MOST: u64 = 10_000;

/// The vehicles of one entry.
pub fn read(item: &Item, table: &Table, folder: &Path) -> Result<Vec<VehiclePlan>, Problem> {
    table.only(&KEYS, "[[vehicle]]")?;
    let named = table.need("name", &item.place)?;
    let name = named.text()?;
    if !ironbird_kernel::path::is_valid_name(name) || name.contains('[') {
        let text = format!("\"{name}\" cannot name a vehicle: use letters, digits, _ and -");
        return Err(Problem::new(text, &named.place, "here"));
    }
    let kind = vehicle_models::read(item, table, folder)?;
    let pilot = pilot(item, table, &kind)?;
    let colliders = shapes(item, table, folder, &kind)?;
    let sensors = match table.get("sensor") {
        Some(list) => {
            let read = list.tables()?.into_iter().map(|(item, table)| sensors::read(item, table));
            read.collect::<Result<Vec<_>, _>>()?
        }
        None => Vec::new(),
    };
    for (number, sensor) in sensors.iter().enumerate() {
        if sensors[..number].iter().any(|other| other.name == sensor.name) {
            let text = format!("\"{name}\" has two sensors \"{}\"", sensor.name);
            return Err(Problem::new(text, &item.place, "this vehicle"));
        }
    }
    let start = start(table, &kind)?;
    let count = match table.get("count") {
        Some(item) => match item.count()? {
            count @ 1..=MOST => Some(count),
            count => {
                let text = format!("{count} vehicles are not possible: 1 to {MOST} are");
                return Err(Problem::new(text, &item.place, "here"));
            }
        },
        None => None,
    };
    let spacing =
        table.get("spacing").map_or(Ok(5.0), |item| number_within(item, "m", 0.0, 1e6))?;
    let columns = match table.get("columns") {
        Some(item) => item.count()?.max(1),
        // As square as it can be.
        None => libm::ceil((count.unwrap_or(1) as f64).sqrt()) as u64,
    };
    let plan = |name: String, motion: RigidMotion| VehiclePlan {
        body: BodyPlan {
            name,
            drive: kind.drive.clone(),
            pilot: pilot.clone(),
            colliders: colliders.clone(),
            motion,
        },
        sensors: sensors.clone(),
    };
    Ok(match count {
        None => vec![plan(name.into(), start)],
        Some(count) => (0..count)
            .map(|number| {
                let mut motion = start;
                motion.position.x += spacing * (number / columns) as f64;
                motion.position.y += spacing * (number % columns) as f64;
                plan(format!("{name}[{number}]"), motion)
            })
            .collect(),
    })
}

/// How it moves at the start.
///
/// `place` and `velocity` are north, east, down, `velocity_body` is in the body; `heading` and `attitude` say how it is
/// turned, and nothing else. Only what its type starts with (steady flight) is turned with it.
fn start(table: &Table, kind: &Kind) -> Result<RigidMotion, Problem> {
    let mut motion = kind.start;
    if let Some(item) = table.get("place") {
        motion.position = vector(item, "m")?;
    }
    match (table.get("attitude"), table.get("heading")) {
        (Some(item), None) => {
            motion.attitude = attitude(item)?;
            let turn = motion.attitude * kind.start.attitude.inverse();
            motion.velocity = turn * kind.start.velocity;
        }
        (None, Some(item)) => {
            let heading = number_within(item, "deg", -360.0, 360.0)?.to_radians();
            let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), heading);
            motion.attitude = turn * kind.start.attitude;
            motion.velocity = turn * kind.start.velocity;
        }
        (Some(item), Some(_)) => {
            let text = "give either \"attitude\" or \"heading\"";
            return Err(Problem::new(text, &item.place, "both are given"));
        }
        (None, None) => {}
    }
    match (table.get("velocity"), table.get("velocity_body")) {
        (Some(item), None) => motion.velocity = vector(item, "m/s")?,
        (None, Some(item)) => motion.velocity = motion.to_ned(&vector(item, "m/s")?),
        (Some(item), Some(other)) => {
            let text = "give either \"velocity\" or \"velocity_body\"";
            let problem = Problem::new(text, &item.place, "north, east, down");
            return Err(problem.also(&other.place, "forward, starboard, down"));
        }
        (None, None) => {}
    }
    Ok(motion)
}

/// Its inner loop: none where `pilot = false`, the usual one of its type, or the one that is named.
fn pilot(item: &Item, table: &Table, kind: &Kind) -> Result<Option<Pilot>, Problem> {
    let every = match table.get("pilot_steps") {
        Some(item) => item.count()?.clamp(1, 1_000_000) as u32,
        None => 1,
    };
    let law = match table.get("pilot") {
        Some(Item { data: Data::Bool(false), .. }) => return Ok(None),
        Some(Item { data: Data::Bool(true), .. }) | None => kind.pilots.first(),
        Some(named) => {
            let name = named.text()?;
            let known = || kind.pilots.iter().map(|(known, _)| *known);
            let found = kind.pilots.iter().find(|(known, _)| *known == name);
            Some(found.ok_or_else(|| {
                let near = ironbird_kernel::path::nearest(name, known());
                let text = format!("this type has no inner loop \"{name}\"");
                let names: Vec<&str> = known().collect();
                let help = match names.is_empty() {
                    true => "it has none".into(),
                    false => format!("it has {}", names.join(", ")),
                };
                Problem::new(text, &named.place, "not known").did_you_mean(near).help(help)
            })?)
        }
    };
    match (law, table.get("pilot").or(table.get("pilot_steps"))) {
        (Some((_, law)), _) => Ok(Some(Pilot { law: law.clone(), every })),
        (None, Some(given)) => {
            let text = "this type has no inner loop";
            Err(Problem::new(text, &given.place, "leave it out").also(&item.place, "this vehicle"))
        }
        (None, None) => Ok(None),
    }
}

/// Its shapes: those that are listed; or a box of its `size`; or what its type usually is.
fn shapes(
    item: &Item,
    table: &Table,
    folder: &Path,
    kind: &Kind,
) -> Result<Vec<Collider>, Problem> {
    if let Some(list) = table.get("shape") {
        for key in ["friction", "restitution", "size"] {
            if let Some(item) = table.get(key) {
                let text = format!("\"{key}\" belongs to each shape where shapes are listed");
                return Err(Problem::new(text, &item.place, "move it there"));
            }
        }
        let read = list.tables()?.into_iter().map(|(item, table)| {
            let collider = ground::read(item, table, folder)?;
            if collider.form.is_ground_only() {
                let text = "a plane or a height field cannot be part of a vehicle";
                return Err(Problem::new(text, &item.place, "this shape"));
            }
            Ok(collider)
        });
        return read.collect();
    }
    let surface = ground::surface(table, Surface::default())?;
    let half = match table.get("size") {
        Some(item) => Some(0.5 * vector(item, "m")?),
        None => kind.half_size,
    };
    let Some(half) = half else { return Ok(Vec::new()) };
    let collider = Collider::new(Form::Box { half }, Isometry3::identity(), surface)
        .map_err(|error| Problem::new(error.to_string(), &item.place, "this vehicle"))?;
    Ok(vec![collider])
}

#[cfg(test)]
mod tests {
    use ironbird_document::{Source, parse};

    use super::*;

    /// The start of a vehicle of which this is said.
    fn started(kind: &str, said: &str) -> RigidMotion {
        let text = format!("[[vehicle]]\nname = \"it\"\n{kind}\n{said}\n");
        let document = parse(&Source::built_in("world.toml", &text)).unwrap();
        let list = document.table().unwrap().get("vehicle").unwrap();
        let (item, table) = list.tables().unwrap()[0];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        read(item, table, &folder).unwrap()[0].body.motion
    }

    const STONE: &str =
        "type = \"body\"\nmass = \"1 kg\"\ninertia = [\"1 kg*m^2\", \"1 kg*m^2\", \"1 kg*m^2\"]";
    const FORWARD: Vector3<f64> = Vector3::new(3.0, 0.5, -1.0);
    const VELOCITY: &str = "velocity = [\"3 m/s\", \"0.5 m/s\", \"-1 m/s\"]";
    const VELOCITY_BODY: &str = "velocity_body = [\"3 m/s\", \"0.5 m/s\", \"-1 m/s\"]";

    #[test]
    fn velocity_is_north_east_down_however_a_vehicle_is_turned() {
        for turned in
            ["", "heading = \"90 deg\"", "attitude = [\"10 deg\", \"20 deg\", \"90 deg\"]"]
        {
            let motion = started(STONE, &format!("{VELOCITY}\n{turned}"));
            assert_eq!(motion.velocity, FORWARD, "{turned}");
        }
    }

    #[test]
    fn velocity_in_the_body_turns_with_it() {
        for turned in
            ["", "heading = \"90 deg\"", "attitude = [\"10 deg\", \"20 deg\", \"90 deg\"]"]
        {
            let motion = started(STONE, &format!("{VELOCITY_BODY}\n{turned}"));
            assert!((motion.to_body(&motion.velocity) - FORWARD).norm() < 1e-12, "{turned}");
        }
        let motion = started(STONE, &format!("{VELOCITY_BODY}\nheading = \"90 deg\""));
        assert!((motion.velocity - Vector3::new(-0.5, 3.0, -1.0)).norm() < 1e-12);
    }

    #[test]
    fn an_aircraft_starts_in_steady_flight_wherever_it_heads() {
        let kind = "type = \"aircraft\"\nfile = \"fixed-wing/aircraft/aerosonde.toml\"\nairspeed = \"30 m/s\"";
        let north = started(kind, "");
        assert!(north.velocity.x > 29.9 && north.velocity.y.abs() < 1e-9);
        let flow = north.to_body(&north.velocity);
        for turned in ["heading = \"90 deg\"", "attitude = [\"0 deg\", \"5 deg\", \"90 deg\"]"] {
            let east = started(kind, turned);
            assert!((east.to_body(&east.velocity) - flow).norm() < 1e-9, "{turned}");
            assert!(east.velocity.y > 29.0, "{turned}: {}", east.velocity);
        }
        let drifting = started(kind, &format!("{VELOCITY}\nheading = \"90 deg\""));
        assert_eq!(drifting.velocity, FORWARD);
    }
}
