//! Where a vehicle is to go, and how fast.

use nalgebra::Vector2;

/// Where a vehicle is to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mission {
    /// The way-points in order.
    pub waypoints: Vec<Waypoint>,
    /// What the levels of the way-points are.
    pub level: Level,
}

/// A place of a mission.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waypoint {
    /// Metres north of the origin.
    pub north: f64,
    /// Metres east of the origin.
    pub east: f64,
    /// Depth or height in metres; see [`Mission::level`].
    pub level: f64,
    /// Speed over ground in m/s from here to the next way-point.
    pub speed: f64,
    /// The line of the file where it stands, for messages.
    pub line: u64,
}

/// What the level of a way-point is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// The coordinate down of north, east, down.
    #[default]
    Depth,
    /// Height above the sea bed.
    Height,
}

impl Waypoint {
    /// Its place seen from above: north, east.
    pub fn place(&self) -> Vector2<f64> {
        Vector2::new(self.north, self.east)
    }
}
