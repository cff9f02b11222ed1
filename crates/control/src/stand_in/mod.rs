//! Inner loops of the stand-ins for vehicles: both hold a place and a heading.

mod kinematic;
mod point_mass;

use std::f64::consts::PI;

use ironbird_kinematics::Channel;

pub use kinematic::KinematicLoop;
pub use point_mass::{PointMassLoop, PointMassTuning};

/// North, east, down and heading.
fn place_and_heading() -> [Channel; 4] {
    let channel = |name: &str, unit, limit: f64, doc| Channel {
        name: name.into(),
        unit,
        range: (-limit, limit),
        rest: 0.0,
        doc,
    };
    let far = f64::INFINITY;
    [
        channel("north", "m", far, "wanted place"),
        channel("east", "m", far, "wanted place"),
        channel("down", "m", far, "wanted place"),
        channel("heading", "rad", PI, "wanted heading"),
    ]
}
