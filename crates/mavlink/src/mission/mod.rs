//! Missions from files: what a vehicle is to do, one item after the other.

mod path;
mod plain_text;
mod table;

use std::path::Path;

use ironbird_kinematics::{Geodetic, TangentPlane};
use ironbird_tables::TableError;
use nalgebra::Vector3;

use crate::exchange::Item;

/// A mission as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    items: Vec<PlanItem>,
}

/// The most items that `MISSION_COUNT` can announce.
const MOST: usize = u16::MAX as usize;

#[derive(Clone, Debug, PartialEq)]
struct PlanItem {
    /// Number of a `MAV_CMD`.
    command: u16,
    /// Number of a `MAV_FRAME`.
    frame: u8,
    parameters: [f32; 4],
    place: Place,
    /// Metres; above home where the frame says so.
    z: f32,
    goes_on: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// Where the vehicle is then.
    Here,
    /// Metres from home.
    FromHome {
        north: f64,
        east: f64,
    },
    Degrees {
        latitude: f64,
        longitude: f64,
    },
}

impl Plan {
    /// Reads a file. The message points into it.
    pub(crate) fn read(file: &Path) -> Result<Plan, String> {
        let text =
            ironbird_files::read_text(file, ironbird_files::LARGEST_TEXT).map_err(TableError::from);
        text.and_then(|text| Plan::parse(&text)).map_err(|error| error.in_file(file))
    }

    /// Reads a text: "QGC WPL 110" if it begins so, a table of ours otherwise.
    pub fn parse(text: &str) -> Result<Plan, TableError> {
        let items =
            if plain_text::is_meant(text) { plain_text::read(text)? } else { table::read(text)? };
        match items.len() {
            0 => Err(TableError::Whole("the mission has no items".into())),
            1..=MOST => Ok(Plan { items }),
            many => {
                let what = format!("{many} items; a mission has {MOST} at most");
                Err(TableError::Whole(what))
            }
        }
    }

    /// The mission for a vehicle with this home; none if it needs a home that is not known.
    pub(crate) fn resolve(&self, home: Option<Geodetic>) -> Option<Vec<Item>> {
        let plane = home.map(TangentPlane::at);
        let items = self.items.iter().map(|item| {
            let (x, y) = match item.place {
                Place::Here => (0, 0),
                Place::Degrees { latitude, longitude } => (e7(latitude), e7(longitude)),
                Place::FromHome { north, east } => from_home(plane.as_ref()?, north, east),
            };
            let PlanItem { command, frame, parameters, z, goes_on, .. } = *item;
            Some(Item { command, frame, parameters, x, y, z, goes_on })
        });
        items.collect()
    }
}

/// Degrees as they go over the air.
pub(crate) fn e7(degrees: f64) -> i32 {
    (degrees * 1e7).round() as i32
}

/// Latitude and longitude of a place so many metres from home, as they go over the air.
pub(crate) fn from_home(plane: &TangentPlane, north: f64, east: f64) -> (i32, i32) {
    let place = plane.to_geodetic(Vector3::new(north, east, 0.0));
    (e7(place.latitude.to_degrees()), e7(place.longitude.to_degrees()))
}
