//! Impacts on what does not move: they never make energy, and give back what restitution says.

use ironbird_kinematics::RigidMotion;
use ironbird_world::geometry::{Form, Surface};
use nalgebra::{UnitQuaternion, Vector3};

use crate::numbers::Numbers;
use crate::scene::{ground, plane};
use crate::things::{Thing, any_surface, until_pushed, weightless};

/// Energy may grow by this part.
const ROUNDING: f64 = 1e-11;
/// So much in a step without events, where a body is jammed.
const JAMMED: f64 = 1e-6;

/// The part by which the energy of a body that spins so may grow in its flight for a step: by a Runge-Kutta method of
/// fourth order.
fn flown(motion: &RigidMotion, step: f64) -> f64 {
    ROUNDING + 0.1 * libm::pow(motion.rates.norm() * step, 5.0)
}

/// A body over the ground that comes down within a few steps.
fn falling(thing: &Thing, numbers: &mut Numbers, step: f64) -> RigidMotion {
    let mut motion = RigidMotion { attitude: numbers.attitude(), ..RigidMotion::default() };
    motion.velocity = numbers.vector(3.0) + Vector3::new(0.0, 0.0, 4.0);
    motion.rates = numbers.vector(2.0);
    let gap = numbers.between(0.0, 3.0) * step * motion.velocity.z;
    motion.position.z = -gap - thing.reach(&motion, &Vector3::z());
    motion
}

#[test]
fn a_rod_that_lost_nothing_gains_nothing_by_friction() {
    // A rod of 1 m and 1 kg at 45 degrees with 2.236 m/s: 2.5 J.
    let half = Vector3::new(0.5, 0.01, 0.01);
    let thing = Thing::new(Form::Box { half }, half, 1.0);
    for (friction, tilt) in [(0.8, 0.785), (0.8, -0.785), (0.4, 0.9), (3.0, 1.2)] {
        for speed in [-1.0, 0.0, 1.0] {
            let surface = Surface { friction, restitution: 1.0 };
            let attitude = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), tilt);
            let mut motion = RigidMotion { attitude, ..RigidMotion::default() };
            motion.velocity = Vector3::new(speed, 0.0, 5.0_f64.sqrt());
            motion.position.z = -0.01 - thing.reach(&motion, &Vector3::z());
            let before = thing.energy(&motion);
            let plan = thing.plan("rod", motion, surface);
            let mut world = weightless(vec![ground(surface)], vec![plan], 1e-3);
            assert!(until_pushed(&mut world, 100));
            world.advance(3).unwrap();
            let after = thing.energy(&world.body(0).state.motion);
            assert!(after <= before * (1.0 + ROUNDING), "{before} J became {after} J");
        }
    }
}

#[test]
fn impacts_of_any_body_on_the_ground_make_no_energy() {
    let mut numbers = Numbers(21);
    let mut hits = 0;
    for n in 0..40_000 {
        let (thing, surface) = (Thing::any(&mut numbers), any_surface(&mut numbers));
        let step = numbers.one_of(&[0.25e-3, 1e-3, 4e-3]);
        let motion = falling(&thing, &mut numbers, step);
        let mut world =
            weightless(vec![ground(surface)], vec![thing.plan("body", motion, surface)], step);
        let mut last = thing.energy(&motion);
        for _ in 0..8 {
            world.advance(1).unwrap();
            let body = world.body(0);
            let energy = thing.energy(&body.state.motion);
            let more = flown(&body.state.motion, step);
            assert!(energy <= last * (1.0 + more), "case {n}: {last} J became {energy} J");
            last = energy;
            if body.state.reaction.points > 0 {
                hits += 1;
                break;
            }
        }
    }
    assert!(hits > 20_000, "only {hits} impacts");
}

#[test]
fn without_friction_and_losses_every_body_keeps_its_energy_however_it_meets_the_ground() {
    let surface = Surface { friction: 0.0, restitution: 1.0 };
    let mut numbers = Numbers(25);
    let mut hits = 0;
    for n in 0..4_000 {
        let thing = Thing::any(&mut numbers);
        let step = numbers.one_of(&[0.25e-3, 1e-3, 4e-3]);
        let mut motion = falling(&thing, &mut numbers, step);
        if n % 2 == 0 {
            // Nearly flat: one corner after the other, some of them in one step.
            let axis = nalgebra::Unit::new_normalize(numbers.vector(1.0));
            let tilt = numbers.one_of(&[1e-6, 1e-4, 0.01]);
            motion.attitude = UnitQuaternion::from_axis_angle(&axis, tilt);
            motion.rates = Vector3::zeros();
            motion.position.z = -0.01 - thing.reach(&motion, &Vector3::z());
        }
        let plan = thing.plan("body", motion, surface);
        let mut world = weightless(vec![ground(surface)], vec![plan], step);
        let before = thing.energy(&motion);
        let (mut more, mut less) = (0.0, 0.0);
        for at in 0..40 {
            world.advance(1).unwrap();
            let state = &world.body(0).state;
            more += flown(&state.motion, step);
            let energy = thing.energy(&state.motion);
            let change = energy / before - 1.0;
            if state.reaction.points > 0 {
                hits += 1;
                // What approaches with less than 0.02 m/s does not bounce.
                less += thing.mass * 0.02 * 0.02 / before;
            }
            assert!(
                change < 1e-9 + more && change > -1e-9 - more - less,
                "case {n}, step {at} of {step}: {before} J became {energy} J, {:?} {motion:?}",
                thing.form
            );
        }
    }
    assert!(hits > 4_000, "only {hits} impacts");
}

#[test]
fn a_box_that_falls_on_its_four_corners_makes_no_energy() {
    let mut numbers = Numbers(22);
    for n in 0..10_000 {
        let half = Vector3::from_fn(|_, _| numbers.between(0.05, 0.4));
        let thing = Thing::new(Form::Box { half }, half, numbers.between(0.1, 5.0));
        let surface = any_surface(&mut numbers);
        let heading = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), numbers.between(-3., 3.));
        let mut motion = RigidMotion { attitude: heading, ..RigidMotion::default() };
        motion.position.z = -half.z - numbers.between(0.0, 5e-3);
        motion.velocity = Vector3::new(0.0, 0.0, numbers.between(0.5, 5.0));
        if surface.friction > 0.0 {
            motion.velocity += numbers.vector(0.4);
            motion.rates.z = numbers.between(-5.0, 5.0);
        }
        let before = thing.energy(&motion);
        let plan = thing.plan("box", motion, surface);
        let mut world = weightless(vec![ground(surface)], vec![plan], 1e-3);
        assert!(until_pushed(&mut world, 60), "case {n} hits nothing");
        let after = world.body(0).state.motion;
        assert!(thing.energy(&after) <= before * (1.0 + ROUNDING), "case {n}");
        if surface.friction == 0.0 {
            let expected = -surface.restitution * motion.velocity.z;
            let error = (after.velocity.z - expected).abs();
            assert!(error <= 1e-9 * motion.velocity.z, "case {n}: {error} m/s");
            assert!(after.rates.norm() < 1e-9, "case {n} turns");
        }
    }
}

#[test]
fn a_body_that_falls_into_a_groove_makes_no_energy() {
    let mut numbers = Numbers(23);
    let mut hits = 0;
    for n in 0..10_000 {
        let (thing, surface) = (Thing::any(&mut numbers), any_surface(&mut numbers));
        // A wedge of air between two planes, down to the origin.
        let half_angle = numbers.between(0.3, 1.2);
        let tilt = std::f64::consts::FRAC_PI_2 - half_angle;
        let sides = [tilt, -tilt]
            .map(|tilt| plane(UnitQuaternion::from_axis_angle(&Vector3::y_axis(), tilt), surface));
        let mut motion = RigidMotion { attitude: numbers.attitude(), ..RigidMotion::default() };
        motion.position.z = -thing.half.norm() / libm::sin(half_angle) - 1e-3;
        motion.velocity = Vector3::new(0.0, numbers.between(-2.0, 2.0), numbers.between(2.0, 8.0));
        let mut last = thing.energy(&motion);
        let plan = thing.plan("body", motion, surface);
        let mut world = weightless(sides.to_vec(), vec![plan], 1e-3);
        let mut pushed = 0;
        for _ in 0..300 {
            world.advance(1).unwrap();
            let body = world.body(0);
            let energy = thing.energy(&body.state.motion);
            // Later it may be jammed.
            let jammed = if pushed == 0 { 0.0 } else { JAMMED };
            let most = last * (1.0 + jammed + flown(&body.state.motion, 1e-3));
            assert!(energy <= most, "case {n}: {most} J became {energy} J");
            last = energy;
            pushed += u32::from(body.state.reaction.points > 0);
            if pushed == 4 {
                break;
            }
        }
        hits += pushed;
    }
    assert!(hits > 15_000, "only {hits} impacts");
}

#[test]
fn a_ball_that_hits_the_ground_without_friction_keeps_e_of_its_speed() {
    let mut numbers = Numbers(24);
    for n in 0..5_000 {
        let radius = numbers.between(0.02, 0.5);
        let thing = Thing::new(Form::Sphere { radius }, Vector3::repeat(radius), 1.0);
        let surface = Surface { friction: 0.0, restitution: numbers.between(0.0, 1.0) };
        let turned = UnitQuaternion::from_scaled_axis(numbers.vector(0.8));
        let normal = turned * -Vector3::z();
        let speed = numbers.between(0.1, 10.0);
        let along = turned * Vector3::new(numbers.between(-3.0, 3.0), 1.0, 0.0);
        let motion = RigidMotion {
            position: normal * (radius + numbers.between(0.0, 3e-3)),
            velocity: along - normal * speed,
            ..RigidMotion::default()
        };
        let plan = thing.plan("ball", motion, surface);
        let step = numbers.one_of(&[0.25e-3, 1e-3, 4e-3]);
        let mut world = weightless(vec![plane(turned, surface)], vec![plan], step);
        assert!(until_pushed(&mut world, 400), "case {n} hits nothing");
        let after = world.body(0).state.motion.velocity;
        let expected = along + normal * (surface.restitution * speed);
        assert!((after - expected).norm() <= 1e-9 * speed, "case {n}: {after:?} not {expected:?}");
    }
}
