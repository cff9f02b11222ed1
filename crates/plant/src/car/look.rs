//! How a car is drawn.

use ironbird_component::scenery::{Body, BodyKind, Coordinate, Motion, MotionPart, Reading, Wheel};

/// Usual measures of a saloon car, in m.
const WIDTH: f64 = 1.8;
const HEIGHT: f64 = 1.45;
const TRACK: f64 = 1.55;
const WHEEL_RADIUS: f64 = 0.32;
/// What stands over the axles at both ends together.
const OVERHANG: f64 = 1.8;

/// A car with these distances from its centre of mass to its axles, on a road at down = 0.
pub(super) fn body(front_axle: f64, rear_axle: f64) -> Body {
    let axles = [(front_axle, Some(Reading::output("wheel_angle"))), (-rear_axle, None)];
    let wheels = axles.into_iter().flat_map(|(along, steer)| {
        [-0.5, 0.5].map(|side| Wheel {
            position: [along, side * TRACK, 0.5 * HEIGHT - WHEEL_RADIUS],
            radius: WHEEL_RADIUS,
            steer: steer.clone(),
        })
    });
    let parts = vec![
        MotionPart::new(Coordinate::North, "north"),
        MotionPart::new(Coordinate::East, "east"),
        MotionPart::new(Coordinate::Yaw, "heading"),
    ];
    Body {
        kind: BodyKind::Car,
        motion: Motion::Parts { parts, rest: [0.0, 0.0, -0.5 * HEIGHT] },
        size: [front_axle + rear_axle + OVERHANG, WIDTH, HEIGHT],
        wheels: wheels.collect(),
        ..Body::default()
    }
}
