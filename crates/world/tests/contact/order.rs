//! Places of bodies that slide and roll are of the second order: half the step, a quarter of the error.

use std::sync::Arc;

use ironbird_plant::vehicle::Inertia;
use ironbird_world::geometry::{Collider, Fixed, Form, Surface};
use ironbird_world::jointed::JointedPlan;
use ironbird_world::{BodyPlan, Drive, Stepping, Weather, World};
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

use crate::scene::{ball, brick, cart, ground, plane, slope};

const G: f64 = 9.80665;
/// Steps in s.
const STEPS: [f64; 5] = [4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3];
/// Surfaces within 1e-7 m touch: places are not known better than by twice that, in m.
const KNOWN: f64 = 2e-7;

fn surface(friction: f64) -> Surface {
    Surface { friction, restitution: 0.0 }
}

fn world(fixed: Collider, plan: BodyPlan, step: f64) -> World {
    let weather = Weather { gravity: Vector3::new(0.0, 0.0, G), ..Weather::default() };
    let stepping = Stepping { step, ..Stepping::default() };
    World::new(Fixed::new(vec![fixed]), weather, vec![plan], stepping).unwrap()
}

/// Where the body is in the end.
fn end(make: &dyn Fn(f64) -> World, time: f64, step: f64) -> Vector3<f64> {
    let mut world = make(step);
    world.advance((time / step).round() as u32).unwrap();
    world.body(0).state.motion.position
}

/// Half the step, at most 1/3.5 of the error: against a step of 1/32 ms.
fn is_of_second_order(name: &str, time: f64, make: &dyn Fn(f64) -> World) {
    let truth = end(make, time, 1e-3 / 32.0);
    let errors = STEPS.map(|step| (end(make, time, step) - truth).norm());
    println!("{name}: {errors:?} m");
    assert!(errors[0] < 1e-4, "{name}: {} m away at 4 ms", errors[0]);
    for (pair, step) in errors.windows(2).zip(STEPS) {
        let ratio = pair[0] / pair[1];
        assert!(ratio >= 3.5 || pair[1] < KNOWN, "{name}: {errors:?} m, {ratio} from {step} s");
    }
}

/// As far as the closed form says, at any step.
fn goes(name: &str, time: f64, expected: f64, make: &dyn Fn(f64) -> World) {
    for step in STEPS {
        let start = make(step).body(0).state.motion.position;
        let moved = (end(make, time, step) - start).norm();
        assert!((moved - expected).abs() < 1e-9, "{name} at {step} s: {moved} not {expected} m");
    }
}

/// On a slope, with its foot on it.
fn on_slope(mut plan: BodyPlan, angle: f64, height: f64, friction: f64, step: f64) -> World {
    let (turned, up) = slope(angle);
    plan.motion.attitude = turned;
    plan.motion.position = up * height;
    world(plane(turned, surface(friction)), plan, step)
}

#[test]
fn what_is_braked_or_pulled_evenly_is_where_the_closed_form_says() {
    let level = |plan: BodyPlan, friction, step| world(ground(surface(friction)), plan, step);
    goes("a box that stops", 1.0, (2.1 * 2.1 + 1.3 * 1.3) / (2.0 * 0.4 * G), &|step| {
        let mut plan = brick("box", [0.4, 0.1, 0.05], surface(0.4), [0.0, 0.0, -0.05]);
        plan.motion.velocity = Vector3::new(2.1, 1.3, 0.0);
        level(plan, 0.4, step)
    });
    let down = |pull: f64, time: f64| 0.5 * pull * time * time;
    let (sine, cosine) = libm::sincos(0.5);
    goes("a box down a slope", 2.0, down(G * (sine - 0.3 * cosine), 2.0), &|step| {
        let plan = brick("box", [0.4, 0.1, 0.05], surface(0.3), [0.0; 3]);
        on_slope(plan, 0.5, 0.05, 0.3, step)
    });
    goes("a ball down a slope", 2.0, down(5.0 / 7.0 * G * sine, 2.0), &|step| {
        on_slope(ball("ball", 0.1, surface(0.8), [0.0; 3]), 0.5, 0.1, 0.8, step)
    });
    // It rolls from 2 v / (7 μ g) on, with 5/7 of v.
    let brake = 0.2 * G;
    let rolls = 2.0 * 3.0 / (7.0 * brake);
    let way = 3.0 * rolls - down(brake, rolls) + 5.0 / 7.0 * 3.0 * (2.0 - rolls);
    goes("a ball that comes to roll", 2.0, way, &|step| {
        let mut plan = ball("ball", 0.1, surface(0.2), [0.0, 0.0, -0.1]);
        plan.motion.velocity.x = 3.0;
        level(plan, 0.2, step)
    });
}

#[test]
fn sliding_bodies_are_of_second_order() {
    is_of_second_order("a box across a slope", 1.0, &|step| {
        let mut plan = brick("box", [0.4, 0.1, 0.05], surface(0.5), [0.0; 3]);
        plan.motion.velocity.y = 3.0;
        on_slope(plan, 0.3, 0.05, 0.5, step)
    });
    is_of_second_order("a ball across a slope", 1.0, &|step| {
        let mut plan = ball("ball", 0.1, surface(0.1), [0.0; 3]);
        plan.motion.velocity.y = 3.0;
        on_slope(plan, 0.4, 0.1, 0.1, step)
    });
    let on_three = [[0.3, 0.0], [-0.2, 0.2], [-0.2, -0.25]].map(|[x, y]| {
        let foot = Form::Sphere { radius: 0.02 };
        Collider::new(foot, Isometry3::translation(x, y, 0.03), surface(0.3)).unwrap()
    });
    let drum = Form::Cylinder { radius: 0.3, half_length: 0.05 };
    let drum = Collider::new(drum, Isometry3::identity(), surface(0.3)).unwrap();
    let own = brick("box", [0.3, 0.2, 0.05], surface(0.3), [0.0; 3]).colliders;
    let feet = [("a box", own), ("a tripod", on_three.to_vec()), ("a drum", vec![drum])];
    for (name, colliders) in feet {
        // Half a second: it slides. Two: it has come to stand.
        for time in if name == "a box" { [0.5, 2.0] } else { [0.3, 0.5] } {
            is_of_second_order(&format!("{name} that spins, after {time} s"), time, &|step| {
                let mut plan = brick("box", [0.3, 0.2, 0.05], surface(0.3), [0.0, 0.0, -0.05]);
                plan.colliders = colliders.clone();
                plan.motion.velocity.x = 2.5;
                plan.motion.rates.z = 8.0;
                world(ground(surface(0.3)), plan, step)
            });
        }
    }
}

#[test]
fn rolling_bodies_are_of_second_order() {
    for friction in [0.0, 0.9] {
        is_of_second_order(&format!("a ball off a ball, friction {friction}"), 0.6, &|step| {
            let height = -(1.1_f64 * 1.1 - 0.01).sqrt();
            let plan = ball("ball", 0.1, surface(friction), [0.1, 0.0, height]);
            let large = Form::Sphere { radius: 1.0 };
            let large = Collider::new(large, Isometry3::identity(), surface(friction)).unwrap();
            world(large, plan, step)
        });
    }
    is_of_second_order("a coin", 1.0, &|step| {
        let mut plan = brick("coin", [0.1, 0.1, 0.02], surface(0.9), [0.0; 3]);
        let moments = Vector3::new(0.0026, 0.0026, 0.005);
        let tensor = Matrix3::from_diagonal(&moments);
        plan.drive = Drive::Inert(Inertia { mass: 1.0, tensor, added: None });
        let form = Form::Cylinder { radius: 0.1, half_length: 0.01 };
        plan.colliders = vec![Collider::new(form, Isometry3::identity(), surface(0.9)).unwrap()];
        plan.motion.attitude = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 1.3);
        let (sine, cosine) = libm::sincos(1.3);
        plan.motion.position.z = -(0.1 * sine + 0.01 * cosine);
        plan.motion.rates.z = 15.0;
        plan.motion.velocity.x = 1.5;
        world(ground(surface(0.9)), plan, step)
    });
    // A cart on two wheels with joints and a skid, that rolls freely through a bend.
    is_of_second_order("a cart", 2.0, &|step| {
        let mut plan = cart("cart", [0.0; 2], surface(0.8), [0.0, 0.0, -0.1]);
        if let Drive::Jointed(tree) = &mut plan.drive {
            *tree = Arc::new(JointedPlan { actors: vec![], ..(**tree).clone() });
        }
        plan.motion.velocity = Vector3::new(1.0, -0.2, 0.0);
        plan.motion.rates.z = 2.0;
        let mut world = world(ground(surface(0.8)), plan, step);
        // Its wheels turn as they roll: 0.1 m times their speed is 1 ± 2 · 0.2 m/s.
        world.body_mut(0).state.joints[2..4].copy_from_slice(&[14.0, 6.0]);
        world
    });
}
