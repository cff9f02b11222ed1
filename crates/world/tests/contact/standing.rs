//! Bodies that stand on each other.

use ironbird_kinematics::RigidMotion;
use ironbird_world::World;
use ironbird_world::geometry::{Form, Surface};
use nalgebra::Vector3;

use crate::numbers::Numbers;
use crate::scene::{brick, ground, world_of};
use crate::things::Thing;

#[test]
fn eight_boxes_stand_for_twenty_seconds_within_a_micrometre() {
    let surface = Surface { friction: 0.6, restitution: 0.0 };
    for half in [[0.1, 0.1, 0.1], [0.2, 0.2, 0.1], [0.05, 0.08, 0.1]] {
        let boxes = (0..8).map(|n| {
            let place = [0.0, 0.0, -half[2] * (1.0 + 2.0 * f64::from(n))];
            brick(&format!("box[{n}]"), half, surface, place)
        });
        let mut world = world_of(vec![ground(surface)], boxes.collect());
        let start: Vec<_> = world.bodies().map(|body| body.state.motion).collect();
        for second in 1..=20 {
            world.advance(1000).unwrap();
            for (number, (body, start)) in world.bodies().zip(&start).enumerate() {
                let moved = (body.state.motion.position - start.position).norm();
                let turned = body.state.motion.attitude.angle_to(&start.attitude);
                assert!(moved < 1e-6, "{half:?}: box {number} moved {moved} m in {second} s");
                assert!(turned < 1e-6, "{half:?}: box {number} turned {turned} in {second} s");
            }
        }
    }
}

#[test]
fn boxes_that_fall_in_a_heap_make_no_energy_and_come_to_rest() {
    let mut numbers = Numbers(31);
    for heap in 0..4 {
        let surface = Surface { friction: 0.2 + 0.3 * f64::from(heap), restitution: 0.2 };
        let boxes = (0..12).map(|n| {
            let [x, y] = [0; 2].map(|_| numbers.between(-0.1, 0.1));
            let place = [x, y, -0.3 - 0.35 * f64::from(n)];
            let mut plan = brick(&format!("box[{n}]"), [0.1, 0.15, 0.05], surface, place);
            plan.motion.attitude = numbers.attitude();
            plan
        });
        let half = Vector3::new(0.1, 0.15, 0.05);
        let thing = Thing::new(Form::Box { half }, half, 1.0);
        let mut world = world_of(vec![ground(surface)], boxes.collect());
        let energy = |world: &World| -> f64 {
            let of = |motion: &RigidMotion| thing.energy(motion) - 9.80665 * motion.position.z;
            world.bodies().map(|body| of(&body.state.motion)).sum()
        };
        let mut last = energy(&world);
        for at in 0..500 {
            world.advance(10).unwrap();
            let now = energy(&world);
            assert!(now <= last * (1.0 + 1e-5), "heap {heap}, {at}: {last} J became {now} J");
            last = now;
        }
        let speeds = world.bodies().map(|body| body.state.motion.velocity.norm());
        assert!(speeds.fold(0.0, f64::max) < 0.01, "heap {heap} does not come to rest");
    }
}
