//! `[servos]` of an aircraft file.

use ironbird_document::{Place, Problem, Table as TomlTable};

use super::servos::{Limits, Servos, Tail};
use crate::quantities::{not_negative, positive};

/// Reads it.
pub(super) fn read(entries: &TomlTable, place: &Place) -> Result<Servos, Problem> {
    let tail = match entries.get("tail") {
        None => Tail::Conventional,
        Some(item) => match item.text()? {
            "conventional" => Tail::Conventional,
            "v" => Tail::V,
            other => {
                let text = format!("\"{other}\" is no tail: conventional or v");
                return Err(Problem::new(text, &item.place, "here"));
            }
        },
    };
    let surfaces = match tail {
        Tail::Conventional => ["aileron", "elevator", "rudder", "flap"],
        Tail::V => ["aileron", "ruddervator", "ruddervator", "flap"],
    };
    let mut known = vec!["tail", "time_constant", "rate_limit"];
    known.extend(surfaces);
    entries.only(&known, "[servos]")?;
    let limits = |key: &str| -> Result<Limits, Problem> {
        // A surface that the aircraft does not have does not move.
        let Some(item) = entries.get(key) else { return Ok(Limits::default()) };
        let [low, high] = item.items()? else {
            return Err(Problem::new("limits are [lowest, highest]", &item.place, "two angles"));
        };
        let limits = Limits { low: low.quantity("rad")?, high: high.quantity("rad")? };
        if limits.low <= 0.0 && limits.high >= 0.0 {
            return Ok(limits);
        }
        Err(Problem::new("limits enclose 0 rad", &item.place, "here"))
    };
    let lag = entries.need("time_constant", place)?;
    let time_constant = not_negative(Some(lag), "time_constant", "s")?;
    Ok(Servos {
        tail,
        time_constant,
        rate_limit: positive(entries, place, "rate_limit", "rad/s")?,
        limits: [
            limits(surfaces[0])?,
            limits(surfaces[1])?,
            limits(surfaces[2])?,
            limits(surfaces[3])?,
        ],
    })
}
