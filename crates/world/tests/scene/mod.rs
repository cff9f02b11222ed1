//! Bodies and grounds for the tests of the world.
#![allow(dead_code)]

use std::sync::Arc;

use ironbird_kinematics::{Channel, RigidMotion};
use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Heights, Surface};
use ironbird_world::jointed::{DrivenJoint, Goal, JointController, JointedPlan};
use ironbird_world::joints::{Base, Joint, JointKind, LinkInertia, SpeedPid, TreePlan};
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

/// A cart on two wheels and a skid that drives by itself: `speed` in rad/s of its wheels, forward to the north. Its
/// wheels have a radius of 0.1 m and are 0.4 m apart.
pub fn cart(name: &str, speed: [f64; 2], surface: Surface, place: [f64; 3]) -> BodyPlan {
    let mut plan =
        TreePlan::new(Base::Floating, "body", LinkInertia::principal(2.0, [0.03, 0.05, 0.06]));
    let wheel = LinkInertia::principal(0.3, [8e-4, 1.5e-3, 8e-4]);
    let mut numbers = Vec::new();
    for (name, side) in [("left", -0.2), ("right", 0.2)] {
        let joint = Joint::new(JointKind::Revolute(-Vector3::y()));
        numbers.push(plan.add(0, name, Isometry3::translation(0.1, side, 0.0), joint, wheel));
    }
    let tree = plan.build().unwrap().centred();
    let round =
        Collider::new(Form::Sphere { radius: 0.1 }, Isometry3::identity(), surface).unwrap();
    let slippery = Surface { friction: 0.0, ..surface };
    let skid = Isometry3::translation(-0.2, 0.0, 0.05);
    let skid = Collider::new(Form::Sphere { radius: 0.05 }, skid, slippery).unwrap();
    let half = Vector3::new(0.25, 0.1, 0.05);
    let hull = Collider::new(Form::Box { half }, Isometry3::identity(), surface).unwrap();
    let links: Vec<usize> = numbers.iter().map(|n| tree.attachment(*n).link).collect();
    let mut pid = SpeedPid::new(0.5, 0.0, 0.0);
    pid.command_range = (-1.0, 1.0);
    let actors = links.iter().zip(speed).enumerate().map(|(number, (link, speed))| {
        let controller = JointController {
            joints: vec![DrivenJoint {
                link: *link,
                goal: Goal::Speed(Some(pid)),
                multiplier: 1.0,
                offset: 0.0,
            }],
            command: [Channel {
                name: format!("wheel-{number}"),
                unit: "rad/s",
                range: (-100.0, 100.0),
                rest: speed,
                doc: "",
            }],
        };
        Arc::new(controller) as _
    });
    let plan = JointedPlan {
        actors: actors.collect(),
        positions: vec![],
        shown: links.iter().enumerate().map(|(n, link)| (format!("wheel-{n}"), *link)).collect(),
        tree,
    };
    let colliders = vec![hull, skid, round.clone().on(links[0]), round.on(links[1])];
    let motion = RigidMotion { position: Vector3::from(place), ..RigidMotion::default() };
    BodyPlan {
        name: name.into(),
        drive: Drive::Jointed(Arc::new(plan)),
        pilot: None,
        colliders,
        motion,
    }
}
