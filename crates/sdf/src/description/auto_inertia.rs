//! Mass and moments of a link worked out from its collisions (`<inertial auto="true">`, SDF 1.11), each taken as a
//! solid of one density.
//!
//! A solid of mass m has about its own middle, along its own axes (Meriam & Kraige, *Dynamics*, table D/4):
//!
//! | | Ixx | Iyy | Izz |
//! |---|---|---|---|
//! | box a, b, c | m (b² + c²)/12 | m (a² + c²)/12 | m (a² + b²)/12 |
//! | cylinder r, l | m (3 r² + l²)/12 | the same | m r²/2 |
//! | ellipsoid a, b, c | m (b² + c²)/5 | m (a² + c²)/5 | m (a² + b²)/5 |
//! | cone r, l; middle l/4 above its base | m (3/20 r² + 3/80 l²) | the same | 3/10 m r² |
//!
//! A capsule is a cylinder and two half spheres, whose middles are 3/8 r outside of its ends. The moments of a body
//! about another point at d are larger by m (d² 1 − d dᵀ).

use std::f64::consts::PI;

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::{Collision, Geometry, Inertial};

/// Mass, middle and moments about the middle, in the axes of a link.
struct Solid {
    mass: f64,
    middle: Vector3<f64>,
    moments: Matrix3<f64>,
}

/// Fills in the inertia of a link that asks for it, and says what could not be taken into account. `mass` is what the
/// whole is to weigh, where that is said.
pub(super) fn work_out(
    inertial: &mut Inertial,
    density: f64,
    mass: Option<f64>,
    collisions: &[Collision],
) -> Option<String> {
    let mut left_out = Vec::new();
    let mut solids = Vec::new();
    for collision in collisions {
        match solid(&collision.geometry, collision.density.unwrap_or(density)) {
            Some(solid) => solids.push(moved(solid, &collision.pose)),
            None => left_out.push(collision.name.as_str()),
        }
    }
    let total: f64 = solids.iter().map(|solid| solid.mass).sum();
    if total <= 0.0 || !total.is_finite() {
        return Some("no collision gives it a mass, so it has the default one".into());
    }
    let middle = solids.iter().map(|solid| solid.middle * solid.mass).sum::<Vector3<f64>>() / total;
    let about_middle =
        solids.iter().map(|solid| solid.moments + solid.mass * from_offset(solid.middle - middle));
    let factor = mass.unwrap_or(total) / total;
    inertial.mass = total * factor;
    inertial.pose = Isometry3::translation(middle.x, middle.y, middle.z);
    inertial.moments = about_middle.sum::<Matrix3<f64>>() * factor;
    (!left_out.is_empty())
        .then(|| format!("the inertia is worked out without {}", left_out.join(", ")))
}

/// d² 1 − d dᵀ.
fn from_offset(d: Vector3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * d.norm_squared() - d * d.transpose()
}

fn moved(solid: Solid, pose: &Isometry3<f64>) -> Solid {
    let turn = pose.rotation.to_rotation_matrix();
    let moments = turn * solid.moments * turn.inverse();
    Solid {
        mass: solid.mass,
        middle: (pose * nalgebra::Point3::from(solid.middle)).coords,
        moments,
    }
}

/// A solid in its own axes; none for shapes that are not solids of a simple kind.
fn solid(geometry: &Geometry, density: f64) -> Option<Solid> {
    let centred = |mass: f64, [x, y, z]: [f64; 3]| Solid {
        mass,
        middle: Vector3::zeros(),
        moments: Matrix3::from_diagonal(&(Vector3::new(x, y, z) * mass)),
    };
    let ellipsoid = |radii: &Vector3<f64>| {
        let squares = radii.component_mul(radii);
        let mass = density * 4.0 / 3.0 * PI * radii.product();
        let [x, y, z] = [squares.x, squares.y, squares.z];
        centred(mass, [(y + z) / 5.0, (x + z) / 5.0, (x + y) / 5.0])
    };
    Some(match geometry {
        Geometry::Box(size) => {
            let squares = size.component_mul(size);
            let [x, y, z] = [squares.x, squares.y, squares.z];
            centred(density * size.product(), [(y + z) / 12.0, (x + z) / 12.0, (x + y) / 12.0])
        }
        Geometry::Sphere(radius) => ellipsoid(&Vector3::repeat(*radius)),
        Geometry::Ellipsoid(radii) => ellipsoid(radii),
        Geometry::Cylinder { radius, length } => {
            let (r2, l2) = (radius * radius, length * length);
            let across = (3.0 * r2 + l2) / 12.0;
            centred(density * PI * r2 * length, [across, across, r2 / 2.0])
        }
        Geometry::Capsule { radius, length } => {
            let (r2, l2) = (radius * radius, length * length);
            let (tube, ball) = (density * PI * r2 * length, density * 4.0 / 3.0 * PI * r2 * radius);
            let along = tube * r2 / 2.0 + ball * 0.4 * r2;
            // Of both halves: that of a ball, moved from its middle out to the ends.
            let ends = 0.4 * r2 + l2 / 4.0 + 0.375 * radius * length;
            let across = tube * (3.0 * r2 + l2) / 12.0 + ball * ends;
            let moments = Matrix3::from_diagonal(&Vector3::new(across, across, along));
            Solid { mass: tube + ball, middle: Vector3::zeros(), moments }
        }
        Geometry::Cone { radius, length } => {
            let (r2, l2) = (radius * radius, length * length);
            let across = 0.15 * r2 + 0.0375 * l2;
            let mut cone = centred(density * PI * r2 * length / 3.0, [across, across, 0.3 * r2]);
            // Its frame is half way up.
            cone.middle.z = -length / 4.0;
            cone
        }
        Geometry::Empty
        | Geometry::Plane { .. }
        | Geometry::Mesh(_)
        | Geometry::Heightmap(_)
        | Geometry::Polylines(_) => return None,
    })
}
