//! What a file describes, with every name resolved and every default of the specification filled in.
//!
//! Axes are those of SDF: x forward or east, y left or north, z up; lengths in metres, angles in radians.

mod auto_inertia;
mod camera_and_lidar;
mod geometry;
mod inertial;
mod joint;
mod light;
mod link;
mod model;
mod plugin;
mod sensor;
mod sensor_contents;
mod surface;
mod world;

pub use camera_and_lidar::{Camera, Lidar, Range, Scan, Sonar};
pub use geometry::{Geometry, Heightmap, MeshFile, Polyline};
pub use inertial::Inertial;
pub use joint::{Axis, Joint, JointKind, Mimic};
pub use light::{Attenuation, Light, LightKind, Spot};
pub use link::{Collision, Link, Material, VelocityDecay, Visual};
pub use model::{Frame, Model, NestedModel};
pub use plugin::Plugin;
pub use sensor::{Noise, NoiseKind, Sensor, SensorKind};
pub use sensor_contents::{AirPressure, Altimeter, Contact, ForceTorque, Imu, NavSat};
pub use surface::Surface;
pub use world::{Atmosphere, JointPosition, Physics, Scene, SphericalCoordinates, World};

pub(crate) use model::models;
pub(crate) use world::worlds;

use crate::frames::{Frames, NodeId, ScopeId};
use crate::search::Search;

/// What the readers of elements need to know of their surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    frames: &'a Frames,
    search: Search<'a>,
    scope: ScopeId,
    /// The frame that poses without `relative_to` are in.
    base: NodeId,
    /// Whether the model around cannot move.
    is_static: bool,
}
