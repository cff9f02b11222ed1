//! Rays on bodies.

use nalgebra::Vector3;
use parry3d_f64::query::Ray;

use crate::body::Body;
use crate::geometry::Hit;
use crate::geometry::convert::{from_parry, to_parry};

/// Where a ray meets a body, if it does within `most` metres.
pub(crate) fn cast_on_body(
    body: &Body,
    origin: &Vector3<f64>,
    way: &Vector3<f64>,
    most: f64,
) -> Option<Hit> {
    let towards = body.state.motion.position - origin;
    let along = towards.dot(way);
    let aside = (towards - way * along).norm_squared();
    if aside > body.reach * body.reach || along < -body.reach || along > most + body.reach {
        return None;
    }
    let ray = Ray::new(to_parry(origin), to_parry(way));
    let mut best: Option<Hit> = None;
    for collider in &body.colliders {
        let nearest = best.map_or(most, |hit| hit.distance);
        let pose = body.pose_of_link(collider.link);
        let hit =
            collider.shape.cast_ray_and_get_normal(&collider.placed(&pose), &ray, nearest, true);
        if let Some(hit) = hit {
            let normal = from_parry(hit.normal);
            best = Some(Hit { distance: hit.time_of_impact, normal });
        }
    }
    best
}
