//! Collisions as shapes.

use ironbird_sdf::{Collision, Disk, Geometry, Place, SdfError, Surface as Sdf};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::heightmap;
use super::notes::Notes;
use crate::geometry::{Collider, Form, Surface};

/// The most friction: what is infinite in files sticks, whatever pulls.
const MOST_FRICTION: f64 = 1e3;
/// Bits of collisions that touch each other: all, as usual.
const ALL_BITS: u32 = 0xffff;

/// A collision as a shape at `pose`, which holds its own axes (z up); none where it does not touch anything.
/// `moves` is whether it is on something that moves.
pub(super) fn collider(
    collision: &Collision,
    pose: Isometry3<f64>,
    moves: bool,
    place: &Place,
    notes: &mut Notes,
) -> Result<Option<Collider>, SdfError> {
    let mut pose = pose;
    let what = format!("the collision {}", collision.name);
    let form = match &collision.geometry {
        Geometry::Empty => return Ok(None),
        Geometry::Box(size) => Form::Box { half: size * 0.5 },
        Geometry::Sphere(radius) => Form::Sphere { radius: *radius },
        Geometry::Cylinder { radius, length } => {
            Form::Cylinder { radius: *radius, half_length: 0.5 * length }
        }
        Geometry::Capsule { radius, length } => {
            Form::Capsule { radius: *radius, half_length: 0.5 * length }
        }
        Geometry::Cone { radius, length } => {
            Form::Cone { radius: *radius, half_length: 0.5 * length }
        }
        Geometry::Ellipsoid(radii) => Form::Ellipsoid { radii: *radii },
        Geometry::Plane { .. } | Geometry::Heightmap(_) if moves => {
            notes.add(place, format!("{what} has no end and moves; it touches nothing"));
            return Ok(None);
        }
        Geometry::Plane { normal, .. } => {
            // The solid side is its own +z.
            let half_turn =
                UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
            let turn = UnitQuaternion::rotation_between(&Vector3::z(), &-normal);
            pose *= turn.unwrap_or(half_turn);
            Form::HalfSpace
        }
        Geometry::Mesh(file) => {
            if file.path.is_none() {
                notes.add(place, format!("{what} has no mesh; it touches nothing"));
                return Ok(None);
            }
            let mesh = file.load(&Disk)?;
            let points: Vec<Vector3<f64>> = mesh.vertices.iter().map(|v| v.coords).collect();
            if moves {
                notes.add(place, format!("{what} moves; it touches with the hull around its mesh"));
                Form::Hull { points }
            } else {
                Form::Mesh { points, triangles: mesh.triangles }
            }
        }
        Geometry::Heightmap(map) => match heightmap::read(map, place, notes)? {
            Some((form, middle)) => {
                pose *= middle;
                form
            }
            None => return Ok(None),
        },
        Geometry::Polylines(_) => {
            notes.add(place, format!("{what} is a polyline, which is not simulated"));
            return Ok(None);
        }
    };
    let Some(surface) = surface(&collision.surface, &what, place, notes) else { return Ok(None) };
    match Collider::new(form, pose, surface) {
        Ok(shape) => Ok(Some(shape)),
        Err(error) => {
            notes.add(place, format!("{what} touches nothing: {error}"));
            Ok(None)
        }
    }
}

/// Friction and bounce; none where nothing is to touch it.
fn surface(sdf: &Sdf, what: &str, place: &Place, notes: &mut Notes) -> Option<Surface> {
    if sdf.collide_bitmask == 0 {
        return None;
    }
    if sdf.collide_bitmask & ALL_BITS != ALL_BITS {
        notes.add(place, format!("{what} touches everything, whatever its collide_bitmask says"));
    }
    if sdf.mu != sdf.mu2 {
        notes.add(place, format!("the friction of {what} is mu in all directions, not mu2"));
    }
    if sdf.slip1 != 0.0 || sdf.slip2 != 0.0 {
        notes.add(place, format!("the slip of {what} is not simulated"));
    }
    if sdf.torsional.is_some() {
        notes.add(place, format!("the torsional friction of {what} is not simulated"));
    }
    let friction = sdf.mu.min(MOST_FRICTION);
    Some(Surface { friction, restitution: sdf.restitution.clamp(0.0, 1.0) })
}

/// Volume of a shape in m³, and how high it is in m, as it stands; none of those that enclose nothing.
pub(super) fn volume(collision: &Collision) -> Option<(f64, f64)> {
    use std::f64::consts::PI;
    let (volume, half) = match &collision.geometry {
        Geometry::Box(size) => (size.product(), size * 0.5),
        Geometry::Sphere(r) => (4.0 / 3.0 * PI * r * r * r, Vector3::repeat(*r)),
        Geometry::Cylinder { radius: r, length } => {
            (PI * r * r * length, Vector3::new(*r, *r, 0.5 * length))
        }
        Geometry::Capsule { radius: r, length } => {
            (PI * r * r * (length + 4.0 / 3.0 * r), Vector3::new(*r, *r, 0.5 * length + r))
        }
        Geometry::Cone { radius: r, length } => {
            (PI * r * r * length / 3.0, Vector3::new(*r, *r, 0.5 * length))
        }
        Geometry::Ellipsoid(radii) => (4.0 / 3.0 * PI * radii.product(), *radii),
        _ => return None,
    };
    let up = collision.pose.rotation.inverse_transform_vector(&Vector3::z());
    Some((volume, 2.0 * up.abs().dot(&half)))
}
