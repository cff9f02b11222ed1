//! Multirotor files: mass, rotors, motors and drag of one vehicle.
//!
//! ```toml
//! name = "X500"
//! source = "..."
//!
//! [mass]
//! mass = "2.064 kg"
//! ixx = "0.024 kg*m^2"                    # iyy, izz; ixy, ixz, iyz where they are not zero
//!
//! [rotors]                                # what all share
//! thrust = "8.55e-6 N*s^2/rad^2"          # also: torque, inertia, drag, rolling_moment, inflow, radius
//! max_speed = "1000 rad/s"
//! rise = "12.5 ms"                        # time constants of the motors
//! fall = "25 ms"
//! count = 4                               # in a ring, clockwise as seen from above, that turn in turns
//! arm = "0.25 m"
//! first = "45 deg"                        # where the first is, from forward to starboard
//! first_turns = "ccw"
//! height = "60 mm"                        # above the centre of mass
//! scale = [1.0, 1.02, 1.0, 0.97]          # of thrust and torque of each; all 1 where not given
//!
//! [[rotor]]                               # one after the other, instead of count and all after it
//! at = ["0.174 m", "0.174 m", "-0.06 m"]  # forward, starboard, down
//! turns = "ccw"                           # as seen from where its thrust points to
//! axis = [0, 0, -1]                       # of its thrust; upwards where it is not given
//! scale = 1.02                            # of its thrust and torque; 1 where it is not given
//!
//! [command]
//! kind = "speed"                          # or "throttle", or "pwm" with a voltage
//! curve = ["100 rad/s", "900 rad/s"]      # over the throttle, or over the mean voltage: "rad/s", "rad/s/V"
//! voltage = "3.7 V"
//! felt = 0.7                              # the part of a change of the voltage that motors feel; all where not given
//!
//! [warming]                               # of the motors
//! loss = 0.026                            # of their speed, after a long hover
//! time_constant = "20 s"
//!
//! [trim]
//! moment = ["0 N*m", "2e-4 N*m", "0 N*m"] # always there, about forward, starboard, down
//!
//! [drag]                                  # of the body, along its axes
//! linear = ["0.1 N*s/m", "0.1 N*s/m", "0.2 N*s/m"]
//! quadratic = ["0.02 N*s^2/m^2", "0.02 N*s^2/m^2", "0.03 N*s^2/m^2"]
//!
//! [rain]
//! area = "0.04 m^2"                       # that it shows to the drops
//! ```

use std::path::Path;

use ironbird_document::{Item, Place, Problem, Source, Table, parse};
use nalgebra::{Matrix3, Vector3};

use super::adjust::adjust_all;
use super::drive::Drive;
use super::forces::{MOST_ROTORS, Multirotor, MultirotorParts};
use super::rotor::{Rotor, Turns};
use super::warming::Warming;
use crate::quantities::{ANY_INERTIA, not_negative, point, positive, possible};
use crate::vehicle::Inertia;

const THRUST: &str = "N*s^2/rad^2";
const TORQUE: &str = "N*m*s^2/rad^2";
const DRAG: &str = "N*s^2/m/rad";

impl Multirotor {
    /// Reads a file; `adjust` overrides numbers of it, in the units of the file: `mass.mass = 27, rotors.thrust = 8e-6`.
    pub fn read(file: &Path, adjust: &str) -> Result<Self, Problem> {
        let source = Source::read(file)?;
        let mut document = parse(&source)?;
        adjust_all(&mut document, adjust)?;
        Multirotor::from_document(&document)
    }

    /// The same from what has been parsed.
    pub fn from_document(document: &Item) -> Result<Self, Problem> {
        let whole = document.table()?;
        let known = [
            "name", "source", "mass", "rotors", "rotor", "command", "warming", "trim", "drag",
            "rain",
        ];
        whole.only(&known, "a multirotor")?;
        let place = &document.place;
        let section = |key| whole.section(key, place);
        let (mass, at) = section("mass")?;
        let inertia = read_mass(mass, at)?;
        let (rotors, at) = section("rotors")?;
        let rotors = read_rotors(rotors, at, whole.get("rotor"))?;
        let (command, at) = section("command")?;
        let drive = read_drive(command, at)?;
        let [linear_drag, quadratic_drag] = match whole.get("drag") {
            None => [Vector3::zeros(); 2],
            Some(item) => {
                let drag = item.table()?;
                drag.only(&["linear", "quadratic"], "[drag]")?;
                let read = |key, unit| {
                    axes(drag.get(key), "drag", |part| not_negative(Some(part), key, unit))
                };
                [read("linear", "N*s/m")?, read("quadratic", "N*s^2/m^2")?]
            }
        };
        let trim = match whole.get("trim") {
            None => Vector3::zeros(),
            Some(item) => {
                let trim = item.table()?;
                trim.only(&["moment"], "[trim]")?;
                let moment = trim.need("moment", &item.place)?;
                axes(Some(moment), "a moment", |part| part.quantity("N*m"))?
            }
        };
        let warming = whole.get("warming").map(read_warming).transpose()?;
        let rain_area = match whole.get("rain") {
            None => 0.0,
            Some(item) => {
                let rain = item.table()?;
                rain.only(&["area"], "[rain]")?;
                positive(rain, &item.place, "area", "m^2")?
            }
        };
        let text = |key: &str| whole.need(key, place)?.text().map(str::to_owned);
        let parts = MultirotorParts {
            name: text("name")?,
            source: text("source")?,
            inertia,
            rotors,
            drive,
            linear_drag,
            quadratic_drag,
            rain_area,
            trim,
            warming,
        };
        Multirotor::new(parts).map_err(|why| Problem::new(why, place, "in this file"))
    }
}

fn read_mass(entries: &Table, place: &Place) -> Result<Inertia, Problem> {
    let known = ["mass", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", ANY_INERTIA];
    entries.only(&known, "[mass]")?;
    let about = |key: &str| positive(entries, place, key, "kg*m^2");
    let between = |key: &str| entries.get(key).map_or(Ok(0.0), |item| item.quantity("kg*m^2"));
    let [xx, yy, zz] = [about("ixx")?, about("iyy")?, about("izz")?];
    let [xy, xz, yz] = [between("ixy")?, between("ixz")?, between("iyz")?];
    possible([xx, yy, zz], entries, place)?;
    // Products of inertia as ∫ x y dm, as the aircraft files have them; the tensor has their negative.
    let tensor = Matrix3::new(xx, -xy, -xz, -xy, yy, -yz, -xz, -yz, zz);
    if tensor.cholesky().is_none() {
        let text = "no body has such inertia: ixy, ixz and iyz are too large for ixx, iyy and izz";
        return Err(Problem::new(text, place, "here"));
    }
    Ok(Inertia { mass: positive(entries, place, "mass", "kg")?, tensor, added: None })
}

const RING: [&str; 6] = ["count", "arm", "first", "first_turns", "height", "scale"];

fn read_rotors(
    entries: &Table,
    place: &Place,
    listed: Option<&Item>,
) -> Result<Vec<Rotor>, Problem> {
    let shared =
        ["thrust", "torque", "inertia", "drag", "rolling_moment", "inflow", "radius", "max_speed"];
    let known: Vec<&str> = shared.into_iter().chain(["rise", "fall"]).chain(RING).collect();
    entries.only(&known, "[rotors]")?;
    let none_or_more = |key: &str, unit: &str| not_negative(entries.get(key), key, unit);
    let shared = Rotor {
        thrust: positive(entries, place, "thrust", THRUST)?,
        torque: none_or_more("torque", TORQUE)?,
        inertia: none_or_more("inertia", "kg*m^2")?,
        drag: none_or_more("drag", DRAG)?,
        rolling: none_or_more("rolling_moment", "N*s^2/rad")?,
        inflow: none_or_more("inflow", DRAG)?,
        radius: none_or_more("radius", "m")?,
        rise: positive(entries, place, "rise", "s")?,
        fall: positive(entries, place, "fall", "s")?,
        fastest: positive(entries, place, "max_speed", "rad/s")?,
        ..Rotor::default()
    };
    if let Some(listed) = listed {
        if let Some(entry) = entries.0.iter().find(|entry| RING.contains(&entry.key.as_str())) {
            let text = format!("\"{}\" is for rotors in a ring: they are listed here", entry.key);
            let problem = Problem::new(text, &entry.place, "not with [[rotor]]");
            return Err(problem.also(&listed.place, "listed"));
        }
        let listed = listed.tables()?;
        return listed.iter().map(|(item, table)| read_rotor(&shared, item, table)).collect();
    }
    let count = entries.need("count", place).map_err(|problem| {
        problem.help("write count and arm in [rotors], or a [[rotor]] for each")
    })?;
    let number = count.count()?;
    if !(1..=MOST_ROTORS as u64).contains(&number) {
        let text = format!("{number} rotors: there may be 1 to {MOST_ROTORS}");
        return Err(Problem::new(text, &count.place, "here"));
    }
    let arm = positive(entries, place, "arm", "m")?;
    let first = entries.get("first").map_or(Ok(0.0), |item| item.quantity("rad"))?;
    let up = entries.get("height").map_or(Ok(0.0), |item| item.quantity("m"))?;
    let turns = read_turns(entries.need("first_turns", place)?)?;
    let rotor = Rotor { at: Vector3::new(0.0, 0.0, -up), turns, ..shared };
    let mut ring = rotor.ring(number as usize, arm, first);
    if let Some(item) = entries.get("scale") {
        let scales = item.items()?;
        if scales.len() != ring.len() {
            let text =
                format!("{} scales for {} rotors: write one for each", scales.len(), ring.len());
            return Err(Problem::new(text, &item.place, "here"));
        }
        for (rotor, scale) in ring.iter_mut().zip(scales) {
            *rotor = scaled(*rotor, scale)?;
        }
    }
    Ok(ring)
}

/// A rotor with so many times the thrust and torque.
fn scaled(rotor: Rotor, item: &Item) -> Result<Rotor, Problem> {
    let scale = item.number()?;
    if !(scale > 0.0 && scale.is_finite()) {
        return Err(Problem::new("the scale of a rotor must be above zero", &item.place, "here"));
    }
    Ok(Rotor { thrust: scale * rotor.thrust, torque: scale * rotor.torque, ..rotor })
}

fn read_rotor(shared: &Rotor, item: &Item, entries: &Table) -> Result<Rotor, Problem> {
    entries.only(&["at", "turns", "axis", "scale"], "a rotor")?;
    let axis = match entries.get("axis") {
        None => shared.axis,
        Some(item) => {
            let [x, y, z] = item.items()? else {
                let text = "an axis is [forward, starboard, down]";
                return Err(Problem::new(text, &item.place, "three numbers"));
            };
            let axis = Vector3::new(x.number()?, y.number()?, z.number()?);
            let problem = || Problem::new("an axis needs a direction", &item.place, "all zero");
            // Whole numbers along an axis stay exact.
            axis.try_normalize(1e-9).ok_or_else(problem)?
        }
    };
    let at = Vector3::from(point(entries.need("at", &item.place)?)?);
    let rotor =
        Rotor { at, axis, turns: read_turns(entries.need("turns", &item.place)?)?, ..*shared };
    entries.get("scale").map_or(Ok(rotor), |item| scaled(rotor, item))
}

fn read_turns(item: &Item) -> Result<Turns, Problem> {
    match item.text()? {
        "cw" => Ok(Turns::Clockwise),
        "ccw" => Ok(Turns::CounterClockwise),
        other => {
            let text = format!("a rotor turns \"cw\" or \"ccw\", not \"{other}\"");
            Err(Problem::new(text, &item.place, "here"))
        }
    }
}

fn read_drive(entries: &Table, place: &Place) -> Result<Drive, Problem> {
    let kind = entries.need("kind", place)?;
    let (known, units): (&[&str], _) = match kind.text()? {
        "speed" => (&["kind"], ["", "", ""]),
        "throttle" => (&["kind", "curve"], ["rad/s", "rad/s", "rad/s"]),
        "pwm" => (&["kind", "curve", "voltage", "felt"], ["rad/s", "rad/s/V", "rad/s/V^2"]),
        other => {
            let text = format!("\"{other}\" is no kind of command: speed, throttle or pwm");
            return Err(Problem::new(text, &kind.place, "here"));
        }
    };
    entries.only(known, "[command] of this kind")?;
    if known.len() == 1 {
        return Ok(Drive::Speed);
    }
    let item = entries.need("curve", place)?;
    let written = item.items()?;
    if !(2..=3).contains(&written.len()) {
        let text = "a curve has two or three numbers: a + b x, or a + b x + c x^2";
        return Err(Problem::new(text, &item.place, "here"));
    }
    let mut curve = [0.0; 3];
    for ((item, unit), number) in written.iter().zip(units).zip(&mut curve) {
        *number = item.quantity(unit)?;
    }
    let drive = if known.contains(&"voltage") {
        let felt = entries.get("felt").map_or(Ok(1.0), Item::number)?;
        Drive::Pwm { curve, voltage: positive(entries, place, "voltage", "V")?, felt }
    } else {
        Drive::Throttle { curve }
    };
    drive.check().map_err(|why| Problem::new(why, &item.place, "here"))?;
    Ok(drive)
}

fn read_warming(item: &Item) -> Result<Warming, Problem> {
    let entries = item.table()?;
    entries.only(&["loss", "time_constant"], "[warming]")?;
    Ok(Warming {
        loss: entries.need("loss", &item.place)?.number()?,
        time_constant: positive(entries, &item.place, "time_constant", "s")?,
    })
}

/// Something along each axis; zero where it is not given.
fn axes(
    item: Option<&Item>,
    what: &str,
    read: impl Fn(&Item) -> Result<f64, Problem>,
) -> Result<Vector3<f64>, Problem> {
    let Some(item) = item else { return Ok(Vector3::zeros()) };
    let [x, y, z] = item.items()? else {
        let text = format!("{what} is [forward, starboard, down]");
        return Err(Problem::new(text, &item.place, "three quantities"));
    };
    Ok(Vector3::new(read(x)?, read(y)?, read(z)?))
}
