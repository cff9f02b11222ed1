//! What a component looks like, for those who draw it. It never changes a result.
//!
//! Lengths are in m. Places are north, east, down; on a body forward, starboard, down from its centre of mass. Attitudes
//! are quaternions (w, x, y, z). What changes while a run goes on is named by ports of the component.

mod body;
mod ground;

pub use body::{
    Beams, Body, BodyKind, ControlSurface, Coordinate, Motion, MotionPart, Reading, Rotor, Wheel,
};
pub use ground::{Grid, Ground, Sea, Surface};
use serde::{Deserialize, Serialize};

/// Everything of a component that can be drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Scenery {
    /// Where its origin is on the Earth: latitude and longitude in degrees, height in m.
    pub origin: Option<[f64; 3]>,
    /// The ground.
    pub ground: Ground,
    /// The water.
    pub sea: Option<Sea>,
    /// What does not move.
    pub fixed: Vec<Placed>,
    /// What moves.
    pub bodies: Vec<Body>,
    /// What is to be reached.
    pub paths: Vec<Path>,
    /// How close is close enough to the points of the paths that it asks others for.
    pub reach: Option<f64>,
    /// Areas of a mission.
    pub cells: Vec<Cell>,
    /// A road.
    pub road: Option<Road>,
}

/// A form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Shape {
    Box { size: [f64; 3] },
    Sphere { radius: f64 },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Mesh { points: Vec<[f64; 3]>, triangles: Vec<[u32; 3]> },
}

/// A form at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Placed {
    /// What it is.
    pub shape: Shape,
    /// Where its centre is.
    pub position: [f64; 3],
    /// How it is turned.
    pub attitude: [f64; 4],
}

/// Points that are to be reached one after another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Path {
    /// What to call it.
    pub name: String,
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// How close is close enough; 0 where it is not known.
    pub radius: f64,
    /// The points count down from the ground below them, not from the origin.
    pub above_ground: bool,
}

/// An area of a mission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// What to call it.
    pub name: String,
    /// Its corners: north, east.
    pub corners: Vec<[f64; 2]>,
}

/// The edges of a road, as many points on either side: north, east.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Road {
    pub left: Vec<[f64; 2]>,
    pub right: Vec<[f64; 2]>,
}
