//! Where a vehicle is to go.

/// A place to pass, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waypoint {
    /// Place in m: north, east, down; down is the depth.
    pub position: [f64; 3],
    /// Height above the sea bed in m that takes the place of the depth, where given.
    pub above_bed: Option<f64>,
    /// Speed in m/s on the way to it.
    pub speed: f64,
}

/// Way-points in the order in which they are passed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mission {
    /// The way-points.
    pub waypoints: Vec<Waypoint>,
}
