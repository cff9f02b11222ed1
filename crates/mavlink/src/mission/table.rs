//! Missions as tables of ours.
//!
//! ```csv
//! action,   north, east, altitude, time
//! take-off,      ,     ,       20,
//! waypoint,    50,    0,       20,    5
//! delay,         ,     ,         ,   10
//! land,         0,    0,         ,
//! ```

use ironbird_tables::{Rows, TableError};

use mavlink::dialects::common::{MavCmd, MavFrame};

use super::{Place, PlanItem};

#[derive(Clone, Copy, PartialEq)]
enum Action {
    TakeOff,
    Waypoint,
    Land,
    Delay,
    ReturnToLaunch,
}

const ACTIONS: [(&str, Action); 5] = [
    ("take-off", Action::TakeOff),
    ("waypoint", Action::Waypoint),
    ("land", Action::Land),
    ("delay", Action::Delay),
    ("return-to-launch", Action::ReturnToLaunch),
];

/// The two columns of a place, and whether they are degrees.
#[derive(Clone, Copy)]
struct Columns {
    place: Option<([usize; 2], bool)>,
    altitude: Option<usize>,
    time: Option<usize>,
}

pub(super) fn read(text: &str) -> Result<Vec<PlanItem>, TableError> {
    let mut rows = Rows::new(text.as_bytes())?;
    let action = rows.find("action")?;
    let known = ["action", "north", "east", "latitude", "longitude", "altitude", "time"];
    if let Some(other) = rows.header().iter().find(|name| !known.contains(&name.as_str())) {
        let what = format!(
            "there is no use for a column {other:?}; those of a mission are {}",
            known.join(", ")
        );
        return Err(TableError::InHeader { line: rows.header_line(), what });
    }
    let columns = Columns {
        place: place_columns(&rows)?,
        altitude: rows.find_optional("altitude")?,
        time: rows.find_optional("time")?,
    };
    let mut items = Vec::new();
    while rows.advance()? {
        let word = rows.cell(action);
        let Some((_, kind)) = ACTIONS.iter().find(|(name, _)| *name == word) else {
            let names: Vec<&str> = ACTIONS.iter().map(|(name, _)| *name).collect();
            let what = format!("{word:?} is no action; expected {}", names.join(", "));
            return Err(TableError::InCell { at: rows.at(action), what });
        };
        items.push(item(&rows, *kind, columns)?);
    }
    Ok(items)
}

fn place_columns(rows: &Rows<&[u8]>) -> Result<Option<([usize; 2], bool)>, TableError> {
    let is_there = |name: &str| rows.header().iter().any(|other| other == name);
    let wrong =
        |what: &str| Err(TableError::InHeader { line: rows.header_line(), what: what.to_owned() });
    let offsets = is_there("north") || is_there("east");
    match (offsets, is_there("latitude") || is_there("longitude")) {
        (true, true) => {
            wrong("places are north and east of home, or latitude and longitude; not both")
        }
        (true, false) => Ok(Some(([rows.find("north")?, rows.find("east")?], false))),
        (false, true) => Ok(Some(([rows.find("latitude")?, rows.find("longitude")?], true))),
        (false, false) => Ok(None),
    }
}

/// The number in a cell that may be empty or not there.
fn optional(rows: &Rows<&[u8]>, column: Option<usize>) -> Result<Option<f64>, TableError> {
    let filled = column.filter(|column| !rows.cell(*column).is_empty());
    filled.map(|column| rows.number(column)).transpose()
}

fn item(rows: &Rows<&[u8]>, action: Action, columns: Columns) -> Result<PlanItem, TableError> {
    let missing = |what: &str| TableError::InLine { line: rows.line(), what: what.to_owned() };
    let place = place(rows, columns)?;
    let altitude = optional(rows, columns.altitude)?;
    let time = optional(rows, columns.time)?;
    if let (Some(column), true) = (columns.time, time.is_some_and(|time| time < 0.0)) {
        let what = "a time in seconds is 0 or more".to_owned();
        return Err(TableError::InCell { at: rows.at(column), what });
    }
    let command = match action {
        Action::TakeOff => MavCmd::MAV_CMD_NAV_TAKEOFF,
        Action::Waypoint => MavCmd::MAV_CMD_NAV_WAYPOINT,
        Action::Land => MavCmd::MAV_CMD_NAV_LAND,
        Action::Delay => MavCmd::MAV_CMD_NAV_DELAY,
        Action::ReturnToLaunch => MavCmd::MAV_CMD_NAV_RETURN_TO_LAUNCH,
    };
    match action {
        Action::TakeOff if altitude.is_none() => return Err(missing("take-off needs an altitude")),
        Action::Waypoint if altitude.is_none() || place == Place::Here => {
            return Err(missing(
                "a waypoint needs a place (north and east, or latitude and longitude) and an altitude",
            ));
        }
        Action::Delay if time.is_none() => return Err(missing("delay needs a time")),
        _ => {}
    }
    Ok(PlanItem {
        command: command as u16,
        frame: MavFrame::MAV_FRAME_GLOBAL_RELATIVE_ALT as u8,
        // The time of a delay, and for how long a waypoint is held.
        parameters: [time.unwrap_or(0.0) as f32, 0.0, 0.0, 0.0],
        place,
        z: altitude.unwrap_or(0.0) as f32,
        goes_on: true,
    })
}

fn place(rows: &Rows<&[u8]>, columns: Columns) -> Result<Place, TableError> {
    let Some(([first, second], is_degrees)) = columns.place else { return Ok(Place::Here) };
    match (optional(rows, Some(first))?, optional(rows, Some(second))?) {
        (None, None) => Ok(Place::Here),
        (Some(north), Some(east)) if !is_degrees => Ok(Place::FromHome { north, east }),
        (Some(latitude), Some(longitude)) => {
            for (column, value, most) in [(first, latitude, 90.0), (second, longitude, 180.0)] {
                if value.abs() > most {
                    let what = format!("{value} deg; expected -{most} to {most}");
                    return Err(TableError::InCell { at: rows.at(column), what });
                }
            }
            Ok(Place::Degrees { latitude, longitude })
        }
        _ => {
            let what = "a place has both coordinates, or none".to_owned();
            Err(TableError::InLine { line: rows.line(), what })
        }
    }
}
