//! Bodies that slide: friction points against the slip, however the load is spread.

use ironbird_kinematics::RigidMotion;
use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Surface};
use ironbird_world::jointed::JointedPlan;
use ironbird_world::joints::{Base, Joint, JointKind, LinkInertia, TreePlan};
use ironbird_world::{BodyPlan, Drive, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use std::sync::Arc;

use crate::numbers::Numbers;
use crate::scene::{body, plane};

const G: f64 = 9.80665;

/// A body that stands on z = 0 with its centre of mass over the middle of its foot, or beside that.
struct Case {
    form: Form,
    /// Half of the height of the shape.
    half_height: f64,
    /// From the centre of the shape to that of mass.
    load: Vector3<f64>,
    mass: f64,
    moments: Vector3<f64>,
    heading: f64,
}

impl Case {
    fn block(half: [f64; 3], load: Vector3<f64>, heading: f64) -> Self {
        let (form, mass) = (Form::Box { half: Vector3::from(half) }, 1.0);
        let tensor = crate::scene::solid_box(mass, half.map(|length| 2.0 * length)).tensor;
        Case { form, half_height: half[2], load, mass, moments: tensor.diagonal(), heading }
    }

    fn drum(radius: f64, half_length: f64, heading: f64) -> Self {
        let form = Form::Cylinder { radius, half_length };
        let across = 0.25 * radius * radius + half_length * half_length / 3.0;
        let moments = Vector3::new(across, across, 0.5 * radius * radius);
        Case { form, half_height: half_length, load: Vector3::zeros(), mass: 1.0, moments, heading }
    }

    /// On a plane through the origin that is turned so, with a velocity in its own directions.
    fn plan(&self, turned: &UnitQuaternion<f64>, surface: Surface, way: [f64; 2]) -> BodyPlan {
        let place = turned * (self.load - Vector3::new(0.0, 0.0, self.half_height));
        let tensor = Matrix3::from_diagonal(&self.moments);
        let inertia = Inertia { mass: self.mass, tensor, added: None };
        let mut plan = body("body", inertia, place.into());
        let heading = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), self.heading);
        // The load is given in the directions of the plane: the shape is where it says.
        let shift = heading.inverse() * -self.load;
        let pose = Isometry3::from_parts(shift.into(), UnitQuaternion::identity());
        plan.colliders = vec![Collider::new(self.form.clone(), pose, surface).unwrap()];
        plan.motion.attitude = turned * heading;
        plan.motion.velocity = turned * Vector3::new(way[0], way[1], 0.0);
        plan
    }
}

fn world(fixed: Vec<Collider>, plan: BodyPlan, gravity: Vector3<f64>, step: f64) -> World {
    let weather = Weather { gravity, ..Weather::default() };
    let stepping = Stepping { step, ..Stepping::default() };
    World::new(Fixed::new(fixed), weather, vec![plan], stepping).unwrap()
}

/// Lets it slide until it stands; its way, and by how much it turned.
fn slide(world: &mut World, most: f64) -> (Vector3<f64>, f64) {
    let start = world.body(0).state.motion;
    while world.time() < most && world.body(0).state.motion.velocity.norm() > 1e-7 {
        world.advance(10).unwrap();
    }
    let end = world.body(0).state.motion;
    (end.position - start.position, start.attitude.angle_to(&end.attitude))
}

/// A body that translates goes v²/(2 μ g) straight on.
fn goes_straight(case: &Case, friction: f64, way: [f64; 2], step: f64, what: &str) {
    let surface = Surface { friction, restitution: 0.0 };
    let level = UnitQuaternion::identity();
    let fixed = vec![plane(level, surface)];
    let mut world = world(fixed, case.plan(&level, surface, way), Vector3::new(0.0, 0.0, G), step);
    let (moved, turned) = slide(&mut world, 5.0);
    let speed = nalgebra::Vector2::from(way).norm();
    let expected = speed * speed / (2.0 * friction * G);
    let along = (moved.x * way[0] + moved.y * way[1]) / speed;
    let aside = (moved.y * way[0] - moved.x * way[1]) / speed;
    assert!((along - expected).abs() < 1e-6, "{what}: {along} m instead of {expected}");
    assert!(aside.abs() < 1e-7 * expected, "{what}: {aside} m aside after {expected} m");
    assert!(turned < 1e-6, "{what}: turned by {turned} rad");
}

#[test]
fn a_long_box_that_is_pushed_askew_goes_straight_on() {
    let case = Case::block([0.4, 0.1, 0.05], Vector3::zeros(), 0.0);
    let way = 3.0 * std::f64::consts::FRAC_1_SQRT_2;
    for step in [0.25e-3, 1e-3, 4e-3] {
        goes_straight(&case, 0.4, [way, way], step, "long box");
    }
}

#[test]
fn bodies_of_every_shape_go_straight_on() {
    let mut numbers = Numbers(11);
    for n in 0..400 {
        let heading = numbers.between(-3.2, 3.2);
        let half = [0; 3].map(|_| numbers.between(0.05, 0.5));
        // Low enough not to tip over.
        let half = [half[0].max(half[2]), half[1].max(half[2]), half[2]];
        let load = Vector3::new(
            numbers.between(-0.3, 0.3) * half[0].min(half[1]),
            numbers.between(-0.3, 0.3) * half[0].min(half[1]),
            numbers.between(-0.8, 0.3) * half[2],
        );
        let mut case = match n % 4 {
            0 => Case::drum(half[0], 0.5 * half[2], heading),
            1 => {
                // Eight corners, of which five stand.
                let ring = |k: usize| libm::sincos(1.256_637 * k as f64);
                let points = (0..5).map(|k| Vector3::new(ring(k).1, ring(k).0, 0.2) * half[0]);
                let tops = (0..3).map(|k| Vector3::new(ring(k).0, ring(k).1, -0.4) * half[2]);
                let form = Form::Hull { points: points.chain(tops).collect() };
                let half_height = 0.2 * half[0];
                Case { form, half_height, ..Case::drum(half[0], half_height, heading) }
            }
            _ => Case::block(half, load, heading),
        };
        case.mass = numbers.between(0.1, 30.0);
        case.moments *= case.mass;
        let friction = numbers.between(0.1, 0.5);
        let (speed, course) = (numbers.between(0.5, 3.0), numbers.between(-3.2, 3.2));
        let way = [speed * libm::cos(course), speed * libm::sin(course)];
        let step = numbers.one_of(&[0.5e-3, 1e-3, 2e-3, 4e-3]);
        goes_straight(&case, friction, way, step, &format!("case {n}"));
    }
}

/// What a point does that slides on a slope: the gravity along it, and friction against its velocity.
fn point_on_slope(pull: Vector3<f64>, brake: f64, start: Vector3<f64>, time: f64) -> Vector3<f64> {
    let rate = |v: Vector3<f64>| pull - v * (brake / v.norm());
    let (mut place, mut v, h) = (Vector3::zeros(), start, 1e-5);
    for _ in 0..(time / h).round() as usize {
        let a = rate(v);
        let b = rate(v + a * (0.5 * h));
        let c = rate(v + b * (0.5 * h));
        let d = rate(v + c * h);
        place += v * h + (a + b + c) * (h * h / 6.0);
        v += (a + b * 2.0 + c * 2.0 + d) * (h / 6.0);
    }
    place
}

#[test]
fn bodies_on_slopes_take_the_course_of_a_point() {
    let mut numbers = Numbers(12);
    for n in 0..60 {
        // The plane is turned, and gravity is along no axis.
        let turned = UnitQuaternion::from_scaled_axis(Vector3::new(
            numbers.between(-0.4, 0.4),
            numbers.between(-0.4, 0.4),
            numbers.between(-3.0, 3.0),
        ));
        let tilt = numbers.vector(0.15);
        let gravity = UnitQuaternion::from_scaled_axis(tilt) * Vector3::new(0.0, 0.0, G);
        let half = [numbers.between(0.2, 0.6), numbers.between(0.1, 0.3), 0.03];
        let load = Vector3::new(0.02, -0.03, 0.01);
        let case = Case::block(half, load, numbers.between(-3.0, 3.0));
        let normal = turned * -Vector3::z();
        let press = -gravity.dot(&normal);
        let pull = gravity + normal * press;
        // Never so slow that it might stick.
        let friction = 0.6 * pull.norm() / press;
        let surface = Surface { friction, restitution: 0.0 };
        let course = numbers.between(-3.2, 3.2);
        let way = [2.0 * libm::cos(course), 2.0 * libm::sin(course)];
        let plan = case.plan(&turned, surface, way);
        let start = plan.motion;
        let mut world = world(vec![plane(turned, surface)], plan, gravity, 1e-3);
        world.advance(800).unwrap();
        let end = world.body(0).state.motion;
        let expected = point_on_slope(pull, friction * press, start.velocity, 0.8);
        let away = (end.position - start.position - expected).norm();
        assert!(away < 1e-5, "case {n}: {away} m away");
        assert!(start.attitude.angle_to(&end.attitude) < 1e-6, "case {n} turned");
    }
}

#[test]
fn a_box_between_ground_and_wall_is_braked_by_both() {
    let mut numbers = Numbers(13);
    for n in 0..40 {
        let friction = numbers.between(0.1, 0.3);
        let surface = Surface { friction, restitution: 0.0 };
        // The wall runs along the way of the box, to its right; gravity presses against both.
        let course =
            UnitQuaternion::from_axis_angle(&Vector3::z_axis(), numbers.between(-3.0, 3.0));
        let upright = -std::f64::consts::FRAC_PI_2;
        let wall = course * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), upright);
        let press = numbers.between(1.0, 8.0);
        let case = Case::block([0.5, 0.2, 0.15], Vector3::zeros(), 0.0);
        let mut plan = case.plan(&course, surface, [2.0, 0.0]);
        plan.motion.position = course * Vector3::new(0.0, -0.2, -0.15);
        let fixed = vec![plane(UnitQuaternion::identity(), surface), plane(wall, surface)];
        let mut world = world(fixed, plan, course * Vector3::new(0.0, press, G), 1e-3);
        let (moved, turned) = slide(&mut world, 5.0);
        let expected = course * Vector3::x() * (4.0 / (2.0 * friction * (press + G)));
        assert!((moved - expected).norm() < 1e-5, "case {n}: {moved:?} not {expected:?}");
        assert!(turned < 1e-6, "case {n}: turned by {turned} rad");
    }
}

#[test]
fn a_box_that_carries_spinning_wheels_goes_straight_on() {
    let surface = Surface { friction: 0.35, restitution: 0.0 };
    let mut numbers = Numbers(14);
    for n in 0..20 {
        let hull = LinkInertia::principal(2.0, [0.02, 0.06, 0.07]);
        let mut tree = TreePlan::new(Base::Floating, "box", hull);
        for name in ["a", "b"] {
            let place = Vector3::new(0.2, 0.1, -0.05).component_mul(&numbers.vector(1.0));
            let axis = numbers.attitude() * Vector3::z();
            let joint = Joint::new(JointKind::Revolute(axis));
            let wheel = LinkInertia::principal(0.3, [2e-3; 3]);
            tree.add(0, name, Isometry3::from(place), joint, wheel);
        }
        let tree = tree.build().unwrap();
        let centre = tree.attachment(0).point(&Vector3::zeros());
        let tree = tree.centred();
        let shift = tree.attachment(0).point(&Vector3::zeros()) - centre;
        let form = Form::Box { half: Vector3::new(0.4, 0.2, 0.05) };
        let shape = Collider::new(form, Isometry3::from(shift), surface).unwrap();
        let joints = JointedPlan { tree, actors: vec![], positions: vec![], shown: vec![] };
        let course = numbers.between(-3.2, 3.2);
        let motion = RigidMotion {
            position: Vector3::new(0.0, 0.0, -0.05),
            velocity: Vector3::new(2.0 * libm::cos(course), 2.0 * libm::sin(course), 0.0),
            ..RigidMotion::default()
        };
        let plan = BodyPlan {
            name: "box".into(),
            drive: Drive::Jointed(Arc::new(joints)),
            pilot: None,
            colliders: vec![shape],
            motion,
        };
        let level = plane(UnitQuaternion::identity(), surface);
        let mut world = world(vec![level], plan, Vector3::new(0.0, 0.0, G), 1e-3);
        let spins = [numbers.between(-50.0, 50.0), numbers.between(-50.0, 50.0)];
        world.body_mut(0).state.joints[2..4].copy_from_slice(&spins);
        let (moved, turned) = slide(&mut world, 3.0);
        let expected = motion.velocity * (2.0 / (2.0 * 0.35 * G));
        assert!((moved - expected).norm() < 1e-5, "case {n}: {moved:?} not {expected:?}");
        assert!(turned < 1e-6, "case {n}: turned by {turned} rad");
    }
}
