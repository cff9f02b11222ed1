//! Bodies and grounds for the tests of the world.
#![allow(dead_code)]

use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Heights, Surface};
use ironbird_world::{BodyPlan, Drive, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

pub fn solid_box(mass: f64, size: [f64; 3]) -> Inertia {
    let [x, y, z] = size.map(|length| length * length);
    let moments = Vector3::new(y + z, x + z, x + y) * (mass / 12.0);
    Inertia { mass, tensor: Matrix3::from_diagonal(&moments), added: None }
}

pub fn sphere_inertia(mass: f64, radius: f64) -> Inertia {
    let moment = 0.4 * mass * radius * radius;
    Inertia { mass, tensor: Matrix3::identity() * moment, added: None }
}

/// A body without shape.
pub fn body(name: &str, inertia: Inertia, place: [f64; 3]) -> BodyPlan {
    BodyPlan {
        name: name.into(),
        drive: Drive::Inert(inertia),
        pilot: None,
        colliders: vec![],
        motion: RigidMotion { position: Vector3::from(place), ..RigidMotion::default() },
    }
}

fn shaped(mut plan: BodyPlan, form: Form, surface: Surface) -> BodyPlan {
    plan.colliders = vec![Collider::new(form, Isometry3::identity(), surface).unwrap()];
    plan
}

/// A ball of 1 kg.
pub fn ball(name: &str, radius: f64, surface: Surface, place: [f64; 3]) -> BodyPlan {
    shaped(body(name, sphere_inertia(1.0, radius), place), Form::Sphere { radius }, surface)
}

/// A box of 1 kg with half edges.
pub fn brick(name: &str, half: [f64; 3], surface: Surface, place: [f64; 3]) -> BodyPlan {
    let inertia = solid_box(1.0, half.map(|half| 2.0 * half));
    shaped(body(name, inertia, place), Form::Box { half: Vector3::from(half) }, surface)
}

/// Level ground at zero.
pub fn ground(surface: Surface) -> Collider {
    plane(UnitQuaternion::identity(), surface)
}

/// Ground through the origin, turned.
pub fn plane(turned: UnitQuaternion<f64>, surface: Surface) -> Collider {
    let pose = Isometry3::from_parts(Default::default(), turned);
    Collider::new(Form::HalfSpace, pose, surface).unwrap()
}

/// How a slope is turned that falls to the north, and its normal.
pub fn slope(angle: f64) -> (UnitQuaternion<f64>, Vector3<f64>) {
    let turned = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), -angle);
    (turned, turned * -Vector3::z())
}

pub fn flat_mesh(half: f64) -> Form {
    let corner = |x: f64, y: f64| Vector3::new(x * half, y * half, 0.0);
    let points = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    // Counter-clockwise from above, where z points down.
    Form::Mesh { points, triangles: vec![[0, 2, 1], [0, 3, 2]] }
}

pub fn flat_heights(size: f64) -> Form {
    Form::HeightField(Heights { rows: 9, columns: 7, size: [size, size], z: vec![0.0; 63] })
}

pub fn world_of(fixed: Vec<Collider>, plans: Vec<BodyPlan>) -> World {
    World::new(Fixed::new(fixed), Weather::default(), plans, Stepping::default()).unwrap()
}
