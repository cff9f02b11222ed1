//! Impacts of bodies in the air: momentum and angular momentum stay, energy does not grow.

use std::sync::Arc;

use ironbird_kinematics::RigidMotion;
use ironbird_world::geometry::{Collider, Form, Surface};
use ironbird_world::jointed::JointedPlan;
use ironbird_world::joints::{Base, Dynamics, Joint, JointKind, LinkInertia, TreePlan, TreeState};
use ironbird_world::{BodyPlan, Drive};
use nalgebra::{Isometry3, Vector3};

use crate::numbers::Numbers;
use crate::things::{Thing, any_surface, weightless};

/// Of what the bodies have, each for itself.
const KEPT: f64 = 1e-12;
const ROUNDING: f64 = 1e-11;

/// Momentum, angular momentum and energy, and how large they are of each body by itself.
#[derive(Default)]
struct Totals {
    sums: [Vector3<f64>; 2],
    sizes: [f64; 2],
    energy: f64,
}

impl Totals {
    fn add(&mut self, [linear, angular]: [Vector3<f64>; 2], energy: f64) {
        self.sums = [self.sums[0] + linear, self.sums[1] + angular];
        self.sizes = [self.sizes[0] + linear.norm(), self.sizes[1] + angular.norm()];
        self.energy += energy;
    }

    fn check(&self, before: &Totals, what: &str) {
        for (name, kind) in [("momentum", 0), ("angular momentum", 1)] {
            let jump = (self.sums[kind] - before.sums[kind]).norm();
            let size = before.sizes[kind].max(self.sizes[kind]);
            assert!(jump <= KEPT * size, "{what}: {name} jumps by {jump} of {size}");
        }
        let (old, new) = (before.energy, self.energy);
        assert!(new <= old * (1.0 + ROUNDING), "{what}: {old} J became {new} J");
    }
}

/// Two bodies that fly at each other, `gap` apart.
fn meeting(things: [&Thing; 2], numbers: &mut Numbers, gap: f64) -> [RigidMotion; 2] {
    let mut motions = [0, 1].map(|_| RigidMotion {
        attitude: numbers.attitude(),
        rates: numbers.vector(1.0),
        velocity: numbers.vector(0.5),
        position: Vector3::zeros(),
    });
    let way = numbers.attitude() * Vector3::x();
    let apart = things[0].reach(&motions[0], &way) + things[1].reach(&motions[1], &way) + gap;
    motions[1].position = way * apart;
    motions[0].velocity += way * numbers.between(1.0, 4.0);
    motions
}

fn collide(things: [Thing; 2], numbers: &mut Numbers, what: &str) -> bool {
    let surface = any_surface(numbers);
    let step = numbers.one_of(&[0.25e-3, 1e-3]);
    let gap = numbers.between(0.0, 2e-3);
    let motions = meeting([&things[0], &things[1]], numbers, gap);
    let plans = [0, 1].map(|n| things[n].plan(["a", "b"][n], motions[n], surface));
    let mut world = weightless(vec![], plans.to_vec(), step);
    let totals = |motions: [&RigidMotion; 2]| {
        let mut totals = Totals::default();
        for (thing, motion) in things.iter().zip(motions) {
            totals.add(thing.momentum(motion), thing.energy(motion));
        }
        totals
    };
    let mut before = totals([&motions[0], &motions[1]]);
    for _ in 0..300 {
        world.advance(1).unwrap();
        let after = totals([&world.body(0).state.motion, &world.body(1).state.motion]);
        after.check(&before, what);
        if world.body(0).state.reaction.points > 0 {
            return true;
        }
        before = after;
    }
    false
}

#[test]
fn bodies_that_collide_keep_momentum_and_angular_momentum_and_make_no_energy() {
    let mut numbers = Numbers(31);
    let mut hits = 0;
    for n in 0..25_000 {
        let things = [Thing::any(&mut numbers), Thing::any(&mut numbers)];
        hits += u32::from(collide(things, &mut numbers, &format!("case {n}")));
    }
    assert!(hits > 8_000, "only {hits} impacts");
}

#[test]
fn a_ball_and_a_box_that_collide_make_no_energy() {
    let mut numbers = Numbers(32);
    let mut hits = 0;
    for n in 0..10_000 {
        let radius = numbers.between(0.05, 0.3);
        let ball = Thing::new(Form::Sphere { radius }, Vector3::repeat(radius), 1.0);
        let half = Vector3::from_fn(|_, _| numbers.between(0.1, 0.4));
        let brick = Thing::new(Form::Box { half }, half, numbers.between(0.2, 4.0));
        hits += u32::from(collide([ball, brick], &mut numbers, &format!("case {n}")));
    }
    assert!(hits > 4_000, "only {hits} impacts");
}

#[test]
fn balls_that_meet_centrally_without_friction_part_with_e_of_their_speed() {
    let mut numbers = Numbers(33);
    for n in 0..5_000 {
        let things = [0, 1].map(|_| {
            let radius = numbers.between(0.02, 0.4);
            let mass = numbers.between(0.05, 20.0);
            Thing::new(Form::Sphere { radius }, Vector3::repeat(radius), mass)
        });
        let surface = Surface { friction: 0.0, restitution: numbers.between(0.0, 1.0) };
        let way = numbers.attitude() * Vector3::x();
        let (drift, approach) = (numbers.vector(1.0), numbers.between(0.1, 10.0));
        let apart = things[0].half.x + things[1].half.x + numbers.between(0.0, 3e-3);
        let motions = [0.0, 1.0].map(|n| RigidMotion {
            position: way * (n * apart),
            velocity: drift + way * ((1.0 - n) * approach),
            ..RigidMotion::default()
        });
        let plans = [0, 1].map(|n| things[n].plan(["a", "b"][n], motions[n], surface));
        let step = numbers.one_of(&[0.25e-3, 1e-3, 4e-3]);
        let mut world = weightless(vec![], plans.to_vec(), step);
        assert!(crate::things::until_pushed(&mut world, 400), "case {n} hits nothing");
        let [a, b] = [0, 1].map(|n| world.body(n).state.motion.velocity);
        let expected = way * (surface.restitution * approach);
        let error = (b - a - expected).norm();
        assert!(error <= 1e-9 * approach, "case {n}: {error} m/s of {approach} m/s");
    }
}

/// A chain of four links in a row, on joints of all kinds.
fn chain(numbers: &mut Numbers) -> JointedPlan {
    let inertia = |numbers: &mut Numbers| {
        let mass = numbers.between(0.5, 2.0);
        LinkInertia::principal(mass, [0.02 * mass, 0.1 * mass, 0.11 * mass])
    };
    let mut plan = TreePlan::new(Base::Floating, "link", inertia(numbers));
    for number in 1..4 {
        let axis = numbers.attitude() * Vector3::z();
        let kind = numbers.one_of(&[JointKind::Revolute(axis), JointKind::Ball]);
        let joint = Joint { place: Isometry3::translation(-0.3, 0.0, 0.0), ..Joint::new(kind) };
        let place = Isometry3::translation(0.6, 0.0, 0.0);
        plan.add(number - 1, &format!("link {number}"), place, joint, inertia(numbers));
    }
    let tree = plan.build().unwrap().centred();
    JointedPlan { tree, actors: vec![], positions: vec![], shown: vec![] }
}

#[test]
fn a_ball_that_hits_a_chain_keeps_momentum_and_angular_momentum_and_makes_no_energy() {
    let mut numbers = Numbers(34);
    let mut hits = 0;
    for n in 0..10_000 {
        let surface = any_surface(&mut numbers);
        let joints = chain(&mut numbers);
        let tree = joints.tree.clone();
        let colliders = (0..4).map(|link| {
            let attachment = tree.attachment(link);
            let centre = attachment.point(&Vector3::zeros());
            let form = Form::Sphere { radius: 0.2 };
            let pose = Isometry3::from(centre);
            Collider::new(form, pose, surface).unwrap().on(attachment.link)
        });
        let motion = RigidMotion { rates: numbers.vector(0.5), ..RigidMotion::default() };
        let plan = BodyPlan {
            name: "chain".into(),
            colliders: colliders.collect(),
            drive: Drive::Jointed(Arc::new(joints)),
            pilot: None,
            motion,
        };
        let thing = Thing::new(Form::Sphere { radius: 0.2 }, Vector3::repeat(0.2), 1.0);
        // From the side, at one of the links.
        let target = Vector3::new(numbers.between(-0.2, 2.0), numbers.between(-0.2, 0.2), 0.0);
        let flying = RigidMotion {
            position: target - Vector3::new(0.0, 0.0, 0.401 + numbers.between(0.0, 2e-3)),
            velocity: Vector3::new(0.3, -0.2, numbers.between(0.5, 1.5)),
            rates: numbers.vector(1.0),
            ..RigidMotion::default()
        };
        let ball = thing.plan("other", flying, surface);
        let mut world = weightless(vec![], vec![plan, ball], 0.25e-3);
        let mut dynamics = Dynamics::new(tree.clone());
        let mut state = TreeState::at_rest(&tree);
        let mut totals = |world: &ironbird_world::World| {
            let body = &world.body(0).state;
            let (positions, velocities) = body.joints.split_at(state.positions.len());
            state.base = body.motion;
            state.positions.copy_from_slice(positions);
            state.velocities.copy_from_slice(velocities);
            let motions = dynamics.place(&state);
            let momentum = motions.momentum(&tree);
            let mut totals = Totals::default();
            totals.add([momentum.linear, momentum.angular], motions.kinetic_energy(&tree));
            let ball = &world.body(1).state.motion;
            totals.add(thing.momentum(ball), thing.energy(ball));
            totals
        };
        let mut before = totals(&world);
        for _ in 0..400 {
            world.advance(1).unwrap();
            let after = totals(&world);
            after.check(&before, &format!("case {n}"));
            if world.body(0).state.reaction.points > 0 {
                hits += 1;
                break;
            }
            before = after;
        }
    }
    assert!(hits > 6_000, "only {hits} impacts");
}
