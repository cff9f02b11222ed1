//! Articulated bodies in a world: they roll, fall, stand, swing and are seen.

mod scene;

use std::sync::Arc;

use ironbird_kinematics::RigidMotion;
use ironbird_world::geometry::{Collider, Form, Surface};
use ironbird_world::jointed::JointedPlan;
use ironbird_world::joints::{Base, Joint, JointKind, LinkInertia, TreePlan};
use ironbird_world::{BodyPlan, Drive};
use nalgebra::{Isometry3, Vector3};
use scene::{cart, ground, world_of};

const SURFACE: Surface = Surface { friction: 0.8, restitution: 0.0 };

#[test]
fn a_cart_rolls_as_fast_as_its_wheels_turn() {
    let mut world =
        world_of(vec![ground(SURFACE)], vec![cart("cart", [10.0; 2], SURFACE, [0.0, 0.0, -0.1])]);
    world.advance(2000).unwrap();
    let before = world.body(0).state.motion.position.x;
    world.advance(1000).unwrap();
    let body = world.body(0);
    let speed = body.state.motion.position.x - before;
    // A P controller turns freely rolling wheels as fast as it is told.
    assert!((speed - 1.0).abs() < 0.005, "{speed} m/s");
    let wheel = body.own().find(|(name, _)| *name == "wheel-0_speed").unwrap().1;
    assert!((wheel * 0.1 - speed).abs() < 0.002, "{wheel} rad/s");
    assert!(body.state.motion.position.y.abs() < 1e-6);
    assert!((body.state.motion.position.z + 0.1).abs() < 1e-3, "{}", body.state.motion.position.z);
    assert!(body.state.reaction.overlap < 1e-3);
    let weight = body.mass() * world.weather.gravity.z;
    assert!(
        (body.state.reaction.force.z + weight).abs() < 0.02 * weight,
        "{}",
        body.state.reaction.force
    );
}

#[test]
fn a_cart_turns_with_the_difference_of_its_wheels() {
    let plan = cart("cart", [6.0, 4.0], SURFACE, [0.0, 0.0, -0.1]);
    let mut world = world_of(vec![ground(SURFACE)], vec![plan]);
    world.advance(3000).unwrap();
    // The left wheel is faster: to starboard, by the difference of the speeds times r / track.
    let body = world.body(0);
    let speeds: Vec<f64> =
        body.own().filter(|(name, _)| name.ends_with("speed")).map(|own| own.1).collect();
    assert!((speeds[0] - 6.0).abs() < 0.2 && (speeds[1] - 4.0).abs() < 0.2, "{speeds:?}");
    let (rate, expected) = (body.state.motion.rates.z, (speeds[0] - speeds[1]) * 0.1 / 0.4);
    assert!((rate / expected - 1.0).abs() < 0.01, "{rate} rad/s, not {expected}");
}

/// A rod of 1 m that hangs from a fixed place by its upper end.
fn pendulum() -> BodyPlan {
    let mut plan = TreePlan::new(Base::Fixed, "hook", LinkInertia::massless());
    let mut rod = LinkInertia::principal(1.0, [1.0 / 12.0, 1.0 / 12.0, 1e-4]);
    rod.centre.z = 0.5;
    let joint = Joint::new(JointKind::Revolute(Vector3::y()));
    plan.add(0, "rod", Isometry3::identity(), joint, rod);
    let shape = Form::Box { half: Vector3::new(0.02, 0.02, 0.5) };
    let shape = Collider::new(shape, Isometry3::translation(0.0, 0.0, 0.5), SURFACE).unwrap().on(1);
    let plan = JointedPlan {
        tree: plan.build().unwrap().centred(),
        actors: vec![],
        positions: vec![0.05],
        shown: vec![("hinge".into(), 1)],
    };
    BodyPlan {
        name: "pendulum".into(),
        drive: Drive::Jointed(Arc::new(plan)),
        pilot: None,
        colliders: vec![shape],
        motion: RigidMotion { position: Vector3::new(0.0, 0.0, -2.0), ..RigidMotion::default() },
    }
}

#[test]
fn a_rod_swings_with_its_period_and_rays_see_it_where_it_is() {
    let mut world = world_of(vec![], vec![pendulum()]);
    let angle = |world: &ironbird_world::World| world.body(0).own().next().unwrap().1;
    let mut crossings = Vec::new();
    let mut last = angle(&world);
    for step in 0..8000_u32 {
        world.advance(1).unwrap();
        let now = angle(&world);
        if last > 0.0 && now <= 0.0 {
            crossings.push(f64::from(step) + last / (last - now));
        }
        last = now;
    }
    let count = crossings.len();
    let period = (crossings[count - 1] - crossings[0]) / (count - 1) as f64 * 1e-3;
    // T = 2π √(2 l / 3 g) (1 + a²/16), a the amplitude.
    let gravity = world.weather.gravity.z;
    let small = std::f64::consts::TAU * (2.0 / (3.0 * gravity)).sqrt();
    let expected = small * (1.0 + 0.05 * 0.05 / 16.0);
    assert!((period / expected - 1.0).abs() < 1e-6, "{period} s, not {expected} s");
    let from = Vector3::new(-5.0, 0.0, -1.1);
    let hit = world.cast(&from, &Vector3::x(), 10.0, None).unwrap();
    let at = 5.0 + 0.9 * libm::tan(angle(&world));
    assert!((hit.distance - at).abs() < 0.03, "{} m", hit.distance);
}

#[test]
fn a_rod_that_is_hit_gives_momentum_to_the_ball_and_not_to_its_hook() {
    let mut plan = pendulum();
    if let Drive::Jointed(tree) = &mut plan.drive {
        *tree = Arc::new(JointedPlan { positions: vec![0.0], ..(**tree).clone() });
    }
    let elastic = Surface { friction: 0.0, restitution: 1.0 };
    plan.colliders[0].surface = elastic;
    let mut ball = scene::ball("ball", 0.05, elastic, [-0.3, 0.0, -1.0 - 1.0 / 3.0]);
    // At the centre of percussion, 2/3 down the rod.
    ball.motion.velocity.x = 2.0;
    let mut world = world_of(vec![], vec![plan, ball]);
    world.weather.gravity = Vector3::zeros();
    world.advance(400).unwrap();
    let (ball, rod) = (world.body(0), world.body(1));
    let speed = rod.own().find(|(name, _)| *name == "hinge_speed").unwrap().1;
    // Of an elastic impact at r = 2/3 with J = 1/3 about the hook: ω = 2 m v r / (J + m r²), v' = v (m r² - J)/(…).
    let (r, j) = (2.0 / 3.0, 1.0 / 3.0);
    assert!((speed - 2.0 * 2.0 * r / (j + r * r)).abs() < 1e-6, "{speed} rad/s");
    let v = ball.state.motion.velocity.x;
    assert!((v - 2.0 * (r * r - j) / (j + r * r)).abs() < 1e-6, "{v} m/s");
}
