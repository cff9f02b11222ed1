//! What a world is made of, whatever file it comes from.

use ironbird_kinematics::Geodetic;
use nalgebra::Vector3;

use crate::body_plan::BodyPlan;
use crate::geometry::Collider;
use crate::sensor::{SensorPlan, Sound};
use crate::weather::Weather;

/// A world before it begins.
#[derive(Clone, Default)]
pub struct Scene {
    /// What does not move.
    pub fixed: Vec<Collider>,
    /// What moves.
    pub vehicles: Vec<VehiclePlan>,
    /// What surrounds it.
    pub weather: Weather,
    /// The length of a step in s that its file asks for.
    pub step: Option<f64>,
    /// Where its origin is on the Earth, if somewhere.
    pub origin: Option<Geodetic>,
    /// The magnetic field in T: north, east, down; where its file gives one.
    pub magnetic_field: Option<Vector3<f64>>,
    /// What is to be heard.
    pub sounds: Vec<Sound>,
    /// What its file asks for and it does not do.
    pub warnings: Vec<String>,
}

/// A body with its sensors.
#[derive(Clone)]
pub struct VehiclePlan {
    /// The body.
    pub body: BodyPlan,
    /// What it carries.
    pub sensors: Vec<SensorPlan>,
}
