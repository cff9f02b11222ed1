//! Rover files.
//!
//! ```toml
//! name = "a rover"
//! source = "where its numbers come from"
//! drag_area = "0.1 m^2"                       # not needed
//! [mass]                                      # with the wheels
//! mass = "20 kg"
//! ixx = "0.4 kg*m^2"                          # iyy, izz alike
//! [tyre]
//! friction = [1.0, 0.8]                       # along, across; or one number
//! wet = 0.625                                 # not needed; what is left of it in heavy rain
//! stiffness = "200 1/m"
//! damping = "1 s/m"
//! slip_stiffness = 10
//! rolling_resistance = 0.015
//! [motor]
//! torque = "5 N*m"
//! speed = "60 rad/s"
//! time_constant = "0.2 s"
//! [steering]                                  # not with wheels that all point ahead
//! limit = "30 deg"
//! time_constant = "0.1 s"
//! rate = "60 deg/s"
//! [[wheels]]
//! place = ["0.15 m", "-0.16 m", "0 m"]        # of the hub, from the centre of mass: forward, starboard, down
//! radius = "0.07 m"
//! inertia = "1e-3 kg*m^2"
//! spring = "20 kN/m"
//! damper = "200 N*s/m"
//! driven = true                               # false where it is not said, as the next two
//! steered = true
//! frictionless = true                         # a ball, a caster; needs no inertia
//! ```

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Item, Place, Problem, Source, Table, parse};
use nalgebra::Vector3;

use super::steering::{Rack, Steering};
use super::tyre::Tyre;
use super::wheel::{Motor, Wheel};
use super::{Parts, Rover};
use crate::quantities::{inertia, not_negative, point, positive, share};
use crate::rain::WET_ASPHALT;

impl Rover {
    /// Reads a file.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        from_source(&Source::read(file)?)
    }
}

/// A rover whose text is in the program.
pub(super) fn preset(name: &str, text: &str) -> Result<Rover, Problem> {
    from_source(&Source::built_in(name, text))
}

fn from_source(source: &Arc<Source>) -> Result<Rover, Problem> {
    let document = parse(source)?;
    let whole = document.table()?;
    let keys = ["name", "source", "drag_area", "mass", "tyre", "motor", "steering", "wheels"];
    whole.only(&keys, "a rover")?;
    let place = &document.place;
    for key in ["name", "source"] {
        whole.need(key, place)?.text()?;
    }
    let section = |key| whole.section(key, place);
    let (mass, at) = section("mass")?;
    let inertia = inertia(mass, at)?;
    let (tyre, at) = section("tyre")?;
    let tyre = read_tyre(tyre, at)?;
    let (motor, at) = section("motor")?;
    let motor = read_motor(motor, at)?;
    let item = whole.need("wheels", place)?;
    let wheels = item.tables()?.into_iter().map(|(item, table)| read_wheel(table, &item.place));
    let wheels = wheels.collect::<Result<Vec<_>, _>>()?;
    let steering = match whole.get("steering") {
        Some(item) => Steering::Ackermann(read_steering(item, &wheels)?),
        None => match wheels.iter().any(|wheel| wheel.is_steered) {
            false => Steering::Differential,
            true => {
                let text = "there are steered wheels, but no [steering]";
                return Err(Problem::new(text, &item.place, "here"));
            }
        },
    };
    let drag_area = not_negative(whole.get("drag_area"), "drag_area", "m^2")?;
    let parts = Parts { inertia, wheels, tyre, motor, steering, drag_area };
    Rover::new(parts).map_err(|text| Problem::new(text, &item.place, "here"))
}

fn read_tyre(entries: &Table, place: &Place) -> Result<Tyre, Problem> {
    let keys = ["friction", "wet", "stiffness", "damping", "slip_stiffness", "rolling_resistance"];
    entries.only(&keys, "[tyre]")?;
    let item = entries.need("friction", place)?;
    let friction = match item.items() {
        Ok([along, across]) => [above_zero(along)?, above_zero(across)?],
        Ok(_) => {
            let text = "friction is one number, or two: along and across the wheel";
            return Err(Problem::new(text, &item.place, "here"));
        }
        Err(_) => [above_zero(item)?; 2],
    };
    let resistance = entries.need("rolling_resistance", place)?;
    let wet = entries.get("wet").map_or(Ok(WET_ASPHALT), |item| share(item, "wet"))?;
    if wet == 0.0 {
        let text = "\"wet\" must be above zero: nothing can be said of tyres without friction";
        return Err(Problem::new(text, place, "here"));
    }
    Ok(Tyre {
        friction,
        wet,
        stiffness: positive(entries, place, "stiffness", "1/m")?,
        damping: not_negative(entries.get("damping"), "damping", "s/m")?,
        slip_stiffness: above_zero(entries.need("slip_stiffness", place)?)?,
        rolling_resistance: share(resistance, "rolling_resistance")?,
    })
}

fn above_zero(item: &Item) -> Result<f64, Problem> {
    let value = item.number()?;
    if value > 0.0 {
        return Ok(value);
    }
    Err(Problem::new("expected a number above zero", &item.place, "here"))
}

fn read_motor(entries: &Table, place: &Place) -> Result<Motor, Problem> {
    entries.only(&["torque", "speed", "time_constant"], "[motor]")?;
    Ok(Motor {
        torque: positive(entries, place, "torque", "N*m")?,
        speed: positive(entries, place, "speed", "rad/s")?,
        time_constant: positive(entries, place, "time_constant", "s")?,
    })
}

fn read_steering(item: &Item, wheels: &[Wheel]) -> Result<Rack, Problem> {
    let (entries, place) = (item.table()?, &item.place);
    entries.only(&["limit", "time_constant", "rate"], "[steering]")?;
    let limit = positive(entries, place, "limit", "rad")?;
    if limit >= 1.2 {
        let text = "\"limit\" must be below 1.2 rad: wheels cannot stand across the way";
        return Err(Problem::new(text, place, "here"));
    }
    let wrong = |text: &str| Err(Problem::new(text, place, "see [[wheels]]"));
    let mean = |steered: bool| {
        let chosen = wheels.iter().filter(|w| w.has_friction && w.is_steered == steered);
        let (sum, count) = chosen.fold((0.0, 0.0), |(s, n), w| (s + w.place.x, n + 1.0));
        sum / count
    };
    let (front, rear) = (mean(true), mean(false));
    let base = front - rear;
    // NaN where there are none.
    if base.is_nan() || base.abs() < 1e-3 {
        return wrong("there must be steered wheels, and others before or behind them");
    }
    let width = wheels.iter().fold(0.0, |widest: f64, w| widest.max(w.place.y.abs()));
    if width * libm::tan(limit) >= 0.95 * base.abs() {
        return wrong("at this \"limit\" the rover would turn about a wheel of its own");
    }
    let time_constant = positive(entries, place, "time_constant", "s")?;
    let rate = positive(entries, place, "rate", "rad/s")?;
    Ok(Rack { limit, time_constant, rate, rear, base })
}

fn read_wheel(entries: &Table, place: &Place) -> Result<Wheel, Problem> {
    let keys =
        ["place", "radius", "inertia", "spring", "damper", "driven", "steered", "frictionless"];
    entries.only(&keys, "a wheel")?;
    let flag = |key: &str| entries.get(key).map_or(Ok(false), Item::truth);
    let has_friction = !flag("frictionless")?;
    let inertia = match has_friction || entries.get("inertia").is_some() {
        true => positive(entries, place, "inertia", "kg*m^2")?,
        false => 0.0,
    };
    Ok(Wheel {
        place: Vector3::from(point(entries.need("place", place)?)?),
        radius: positive(entries, place, "radius", "m")?,
        inertia,
        spring: positive(entries, place, "spring", "N/m")?,
        damper: not_negative(entries.get("damper"), "damper", "N*s/m")?,
        is_driven: flag("driven")?,
        is_steered: flag("steered")?,
        has_friction,
    })
}
