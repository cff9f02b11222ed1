//! Where a shape touches a plane, in closed form.
//!
//! With n the normal of the plane, away from the solid, and o a point on it, the gap of a point p is n · (p - o). A
//! shape touches where this is least: at corners; for a sphere at its centre minus r n; for a cylinder on the rims of
//! its ends, at the lowest point of each and at the quarters of the rim from there, so that it can stand on its end
//! and lie on its side.

use nalgebra::{Isometry3, Vector3};

use super::collider::Collider;
use super::form::Form;
use super::touch::Touch;

/// Points on one body and one plane at most; of more, the outermost are taken.
const MOST: usize = 8;

pub(super) fn touches(
    collider: &Collider,
    pose: &Isometry3<f64>,
    on_plane: &Vector3<f64>,
    normal: &Vector3<f64>,
    margin: f64,
    into: &mut Vec<Touch>,
) {
    let centre = normal.dot(&(pose.translation.vector - on_plane));
    if centre > collider.reach + margin {
        return;
    }
    let begin = into.len();
    let mut point = |p: Vector3<f64>, feature: u64| {
        let gap = normal.dot(&(p - on_plane));
        if gap <= margin {
            into.push(Touch { point: p - normal * (0.5 * gap), normal: *normal, gap, feature });
        }
    };
    match collider.form {
        Form::Sphere { radius } => point(pose.translation.vector - normal * radius, 0),
        Form::Capsule { radius, half_length } => {
            for (number, end) in [half_length, -half_length].into_iter().enumerate() {
                let centre = pose.translation.vector + pose.rotation * Vector3::new(0.0, 0.0, end);
                point(centre - normal * radius, number as u64);
            }
        }
        Form::Cylinder { radius, half_length } => {
            let axis = pose.rotation * Vector3::z();
            let across = normal - axis * axis.dot(normal);
            let size = across.norm();
            // Upright, no point of a rim is lower than the others: any will do, always the same.
            let lowest = if size > 1e-9 { across / -size } else { pose.rotation * Vector3::x() };
            let aside = axis.cross(&lowest);
            for (number, end) in [half_length, -half_length].into_iter().enumerate() {
                let centre = pose.translation.vector + axis * end;
                for (quarter, way) in [lowest, aside, -lowest, -aside].into_iter().enumerate() {
                    point(centre + way * radius, (4 * number + quarter) as u64);
                }
            }
        }
        _ => {
            for (number, corner) in collider.corners.iter().enumerate() {
                point(pose.translation.vector + pose.rotation * corner, number as u64);
            }
        }
    }
    if into.len() - begin > MOST {
        keep_outermost(into, begin, normal);
    }
}

/// Of many points keeps those that lie farthest out in eight directions along the plane, and the deepest.
fn keep_outermost(touches: &mut Vec<Touch>, begin: usize, normal: &Vector3<f64>) {
    let (east, north) = crate::contact::tangents(normal);
    let mut kept: Vec<usize> = Vec::with_capacity(MOST + 1);
    let found = &touches[begin..];
    let best = |score: &dyn Fn(&Touch) -> f64| {
        let mut best = 0;
        for (number, touch) in found.iter().enumerate() {
            if score(touch) > score(&found[best]) {
                best = number;
            }
        }
        best
    };
    kept.push(best(&|touch| -touch.gap));
    for (a, b) in
        [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0)]
    {
        let way = east * a + north * b;
        kept.push(best(&|touch| way.dot(&touch.point)));
    }
    kept.sort_unstable();
    kept.dedup();
    let kept: Vec<Touch> = kept.into_iter().map(|number| found[number]).collect();
    touches.truncate(begin);
    touches.extend(kept);
}
