//! Everything about a body that changes.

use ironbird_control::MOST_LOOP_STATES;
use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::MOST_STATES;
use nalgebra::Vector3;

/// What pushes a body where it touches something.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// In N: north, east, down.
    pub force: Vector3<f64>,
    /// About the centre of mass in N m: north, east, down.
    pub moment: Vector3<f64>,
    /// In how many points.
    pub points: u32,
    /// The deepest overlap in m.
    pub overlap: f64,
}

/// What is remembered of a contact from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Warm {
    pub key: u128,
    /// Its force in N: north, east, down.
    pub force: [f64; 3],
    /// What is left of the speed of one surface against the other along the normal and, where it sticks, across.
    pub ended: [f64; 3],
    /// Whether it sticks.
    pub sticks: bool,
}

/// Everything about a body that changes.
#[derive(Clone, Debug)]
pub struct BodyState {
    /// How its centre of mass moves; of a body with joints, that of its first link.
    pub motion: RigidMotion,
    /// Numbers of its vehicle.
    pub own: [f64; MOST_STATES],
    /// Positions and speeds of its joints, and numbers of what acts on them; empty where it has none.
    pub joints: Vec<f64>,
    /// Numbers of its inner loop.
    pub loop_own: [f64; MOST_LOOP_STATES],
    /// What drives it: a number for each of its commands.
    pub commands: Vec<f64>,
    /// What it is to do: a number for each set point of its inner loop.
    pub set_points: Vec<f64>,
    /// Its acceleration over ground in m/s²: north, east, down.
    pub acceleration: Vector3<f64>,
    /// How its angular velocity changes in rad/s², in the body.
    pub angular_acceleration: Vector3<f64>,
    /// What pushes it.
    pub reaction: Reaction,
    /// For the next step; in the order of the contacts.
    pub(crate) warm: Vec<Warm>,
}
