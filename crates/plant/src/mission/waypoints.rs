//! A mission from a file of way-points.

use std::path::PathBuf;
use std::sync::Arc;

use ironbird_component::scenery::{Path, Scenery};
use ironbird_component::{Answers, Component};
use ironbird_kernel::Time;
use ironbird_kinematics::{Geodetic, Level, Mission, Origin, Waypoint};
use ironbird_tables::TableError;
use ironbird_tables::table::{Quantity, Table};

use crate::places::{from_geodetic, is_geodetic};

/// A mission from a CSV file of way-points.
///
/// The header names the columns: `north` and `east` in m, or `latitude` and `longitude` in deg; `depth`
/// in m below the surface, or `height` in m above the sea bed; and `speed` over ground in m/s, which holds
/// from a way-point to the next. Other columns are left alone, lines that begin with # too. Beside
/// `north` and `east`, `depth` is the third coordinate of that frame; beside `latitude` and `longitude`
/// it is measured from the ellipsoid.
///
/// ```csv
/// # two lines of a survey
/// north, east, depth, speed
///     0,    0,    20,   2.5
///   500,    0,    20,   2.5
///   500,   60,    20,   2.5
///     0,   60,    20,   2.5
/// ```
#[derive(Clone, Component)]
#[component(
    type = "mission.waypoints",
    provider,
    provides = fn(()) -> Arc<Mission>,
    check = Self::check,
    changed = Self::prepare,
    scenery = Self::scenery
)]
pub struct Waypoints {
    /// The way-points.
    #[parameter]
    file: PathBuf,
    /// Columns with other names or units than expected: "Lat as latitude, z as depth, speed: kn".
    #[parameter(default = "", fixed)]
    columns: String,
    #[group]
    origin: Origin,
    #[skip]
    mission: Arc<Mission>,
}

const QUANTITIES: [Quantity; 7] = [
    Quantity { name: "north", unit: "m" },
    Quantity { name: "east", unit: "m" },
    Quantity { name: "latitude", unit: "deg" },
    Quantity { name: "longitude", unit: "deg" },
    Quantity { name: "depth", unit: "m" },
    Quantity { name: "height", unit: "m" },
    Quantity { name: "speed", unit: "m/s" },
];

impl Waypoints {
    fn check(&self) -> Result<(), String> {
        self.read().map(drop).map_err(|error| error.in_file(&self.file))
    }

    /// A file that has vanished since it was checked leaves a mission without way-points, which no
    /// drone accepts.
    fn prepare(&mut self) {
        self.mission = Arc::new(self.read().unwrap_or_default());
    }

    fn scenery(&self) -> Option<Scenery> {
        let above_ground = self.mission.level == Level::Height;
        let sign = if above_ground { -1.0 } else { 1.0 };
        let points = self.mission.waypoints.iter();
        let points = points.map(|point| [point.north, point.east, sign * point.level]).collect();
        let path = Path { points, above_ground, ..Path::default() };
        Some(Scenery { paths: vec![path], ..Scenery::default() })
    }

    fn read(&self) -> Result<Mission, TableError> {
        let table =
            Table::read(ironbird_files::open_data(&self.file)?, &self.columns, &QUANTITIES)?;
        let (level, name) = match (table.get("depth"), table.get("height")) {
            (Some(_), None) => (Level::Depth, "depth"),
            (None, Some(_)) => (Level::Height, "height"),
            (Some(_), Some(_)) => {
                let both = "there are both \"depth\" and \"height\"; a mission has one";
                return Err(table.wrong_header(both));
            }
            (None, None) => {
                let none = "there is neither \"depth\" nor \"height\"";
                return Err(table.wrong_header(none));
            }
        };
        let (levels, speeds) = (table.need(name)?, table.need("speed")?);
        let mut mission = Mission { waypoints: Vec::new(), level };
        for (row, [north, east, down]) in
            self.places(&table, level, levels)?.into_iter().enumerate()
        {
            let (speed, line) = (speeds[row], table.line(row));
            if speed <= 0.0 {
                let what = format!("a speed of {speed} m/s; expected one above 0");
                return Err(table.wrong_cell(row, "speed", what));
            }
            if level == Level::Height && levels[row] < 0.0 {
                let what = format!("{} m above the sea bed lies in it", levels[row]);
                return Err(table.wrong_cell(row, "height", what));
            }
            let next = Waypoint { north, east, level: down, speed, line };
            if let Some(last) = mission.waypoints.last().filter(|last| last.place() == next.place())
            {
                let what = format!(
                    "the same place as on line {}; a drone goes forward to the next way-point",
                    last.line
                );
                return Err(table.wrong_line(row, what));
            }
            mission.waypoints.push(next);
        }
        match mission.waypoints.len() {
            0 | 1 => {
                let found = mission.waypoints.len();
                let what = format!("{found} way-points; a mission has at least two");
                Err(TableError::Whole(what))
            }
            _ => Ok(mission),
        }
    }

    /// North, east and level of all way-points.
    fn places(
        &self,
        table: &Table,
        level: Level,
        levels: &[f64],
    ) -> Result<Vec<[f64; 3]>, TableError> {
        let geodetic = is_geodetic(table, "a mission")?;
        if !geodetic {
            let (north, east) = (table.need("north")?, table.need("east")?);
            let rows = north.iter().zip(east).zip(levels);
            return Ok(rows.map(|((north, east), level)| [*north, *east, *level]).collect());
        }
        let (latitudes, longitudes) = (table.need("latitude")?, table.need("longitude")?);
        let plane = self.origin.plane();
        let mut places = Vec::with_capacity(levels.len());
        for (row, given) in levels.iter().enumerate() {
            let (latitude, longitude) = (latitudes[row], longitudes[row]);
            let height = if level == Level::Depth { -given } else { 0.0 };
            let place = Geodetic { latitude, longitude, height };
            let ned = from_geodetic(table, row, place, &plane)?;
            let level = if level == Level::Depth { ned.z } else { *given };
            places.push([ned.x, ned.y, level]);
        }
        Ok(places)
    }
}

impl Answers<(), Arc<Mission>> for Waypoints {
    fn answer(&self, _: Time, _: &()) -> Arc<Mission> {
        self.mission.clone()
    }
}
