//! Where two shapes touch.

use nalgebra::{Isometry3, Vector3};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};

use super::collider::Collider;
use super::convert::from_parry;
use super::form::Form;
use super::plane;

/// One point where two shapes touch, or nearly do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// Midway between the two surfaces, in the world.
    pub point: Vector3<f64>,
    /// Away from the second shape, in the world.
    pub normal: Vector3<f64>,
    /// How far apart the surfaces are, in m; negative where they overlap.
    pub gap: f64,
    /// Which part of the shapes it is: the same in the next step as long as the same parts touch.
    pub feature: u64,
}

/// The points where `first` on a body at `body` touches `second` on one at `other`, as far as the gap is below
/// `margin`.
pub(crate) fn touches(
    first: &Collider,
    body: &Isometry3<f64>,
    second: &Collider,
    other: &Isometry3<f64>,
    margin: f64,
    into: &mut Vec<Touch>,
) {
    if let Form::HalfSpace = second.form {
        return plane_touches(first, body, second, other, margin, into);
    }
    let (pose_a, pose_b) = (first.placed(body), second.placed(other));
    if (pose_a.translation - pose_b.translation).length() > first.reach + second.reach + margin {
        return;
    }
    // Manifolds are made anew each time: what the library would keep from step to step is state that a checkpoint
    // would have to hold.
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let between = pose_a.inv_mul(&pose_b);
    let found = DefaultQueryDispatcher.contact_manifolds(
        &between,
        &*first.shape,
        &*second.shape,
        margin,
        &mut manifolds,
        &mut None,
    );
    // Shapes between which the library knows no contact do not touch; `World::add` refuses them.
    if found.is_err() {
        return;
    }
    for manifold in &manifolds {
        let turned = manifold.subshape_pos1().map_or(pose_a, |part| pose_a * *part);
        let normal = -from_parry(turned.transform_vector(manifold.local_n1));
        let parts = (u64::from(manifold.subshape1) << 20 ^ u64::from(manifold.subshape2)) << 12;
        for (number, point) in manifold.points.iter().enumerate() {
            if point.dist > margin {
                continue;
            }
            let on_first = from_parry(turned.transform_point(point.local_p1));
            let point_between = on_first - normal * (0.5 * point.dist);
            let feature = parts | number as u64;
            into.push(Touch { point: point_between, normal, gap: point.dist, feature });
        }
    }
}

/// Where `first` touches the plane `second`.
pub(crate) fn plane_touches(
    first: &Collider,
    body: &Isometry3<f64>,
    second: &Collider,
    other: &Isometry3<f64>,
    margin: f64,
    into: &mut Vec<Touch>,
) {
    let plane = other * second.pose;
    // The half space is where z of its own is positive.
    let normal = -(plane.rotation * Vector3::z());
    plane::touches(first, &(body * first.pose), &plane.translation.vector, &normal, margin, into);
}
