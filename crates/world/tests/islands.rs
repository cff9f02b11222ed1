//! Islands and threads never show in a result.

mod scene;

use std::sync::Arc;

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use ironbird_world::geometry::{Fixed, Surface};
use ironbird_world::{BodyPlan, Drive, Stepping, Tally, Weather, World};
use nalgebra::Vector3;
use proptest::prelude::*;
use scene::{ball, brick, cart, ground};

/// A spring that pulls a body to a place, and holds its weight.
struct Spring {
    inertia: Inertia,
    home: Vector3<f64>,
    stiffness: f64,
}

impl Vehicle for Spring {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }
    fn commands(&self) -> &[Channel] {
        &[]
    }
    fn forces(
        &self,
        motion: &RigidMotion,
        _: &[f64],
        _: &[f64],
        around: &Surroundings,
        _: &mut [f64],
    ) -> Wrench {
        let pull = (self.home - motion.position) * self.stiffness;
        let force = motion.to_body(&(pull - around.gravity * self.inertia.mass));
        Wrench { force, moment: Vector3::zeros() }
    }
}

/// Two bodies on springs that meet, knock against each other and part, again and again.
fn pair(number: usize) -> [BodyPlan; 2] {
    let surface = Surface { friction: 0.3, restitution: 0.95 };
    let (north, east) = (10.0 * (number % 8) as f64, 10.0 * (number / 8) as f64);
    [("a", 1.0), ("b", -1.0)].map(|(name, side)| {
        let place = [north, east + side * (1.0 + 0.01 * number as f64), -5.0];
        let mut plan = ball(&format!("{name}[{number}]"), 0.1, surface, place);
        let home = Vector3::new(north, east + 0.02 * side, -5.0);
        let inertia = scene::sphere_inertia(1.0, 0.1);
        let stiffness = 30.0 + number as f64;
        plan.drive = Drive::Vehicle(Arc::new(Spring { inertia, home, stiffness }));
        plan
    })
}

fn bits(world: &World) -> Vec<u64> {
    let bodies = world.bodies().flat_map(|body| {
        let RigidMotion { position, velocity, attitude, rates } = body.state.motion;
        let felt = body.specific_force();
        let parts = [position, velocity, rates, felt, body.state.reaction.force];
        let vectors = parts.into_iter().flat_map(|v| [v.x, v.y, v.z]);
        let joints = body.state.joints.iter().copied();
        vectors.chain(attitude.coords.iter().copied()).chain(joints).collect::<Vec<_>>()
    });
    bodies.map(f64::to_bits).collect()
}

fn run(plans: &[BodyPlan], stepping: Stepping, calls: &[u32]) -> (Vec<u64>, Tally) {
    let fixed = Fixed::new(vec![ground(Surface { friction: 0.5, restitution: 0.3 })]);
    let mut world = World::new(fixed, Weather::default(), plans.to_vec(), stepping).unwrap();
    for &steps in calls {
        world.advance(steps).unwrap();
    }
    (bits(&world), world.tally())
}

#[test]
fn pairs_that_meet_and_part_do_the_same_in_one_island_as_in_many() {
    let plans: Vec<BodyPlan> = (0..32).flat_map(pair).collect();
    let (many, tally) = run(&plans, Stepping::default(), &[6000]);
    assert!(tally.changes >= 100, "islands merged or split {} times", tally.changes);
    let (one, single) = run(&plans, Stepping { one_island: true, ..Stepping::default() }, &[6000]);
    assert_eq!(single.islands, 1);
    assert_eq!(many, one);
    for threads in [2, 4, 8] {
        let (other, _) = run(&plans, Stepping { threads, ..Stepping::default() }, &[6000]);
        assert_eq!(many, other, "{threads} threads");
    }
}

#[test]
fn a_body_that_is_hit_harder_than_its_box_allows_is_computed_again() {
    let surface = Surface { friction: 0.3, restitution: 0.9 };
    let light = ball("light", 0.05, surface, [0.0, 0.0, -5.0]);
    let mut heavy = ball("heavy", 0.05, surface, [-0.35, 0.0, -5.0]);
    heavy.drive = Drive::Inert(scene::sphere_inertia(50.0, 0.05));
    heavy.motion.velocity.x = 60.0;
    let plans = [light, heavy];
    let (all, tally) = run(&plans, Stepping::default(), &[100]);
    assert!(tally.repeated >= 1, "it never left its box");
    let (single, _) = run(&plans, Stepping { one_island: true, ..Stepping::default() }, &[100]);
    let (steps, _) = run(&plans, Stepping::default(), &[1; 100]);
    assert_eq!(all, single);
    assert_eq!(all, steps);
}

/// Something with one command.
struct Lifted(Inertia, [Channel; 1]);

impl Vehicle for Lifted {
    fn inertia(&self) -> &Inertia {
        &self.0
    }
    fn commands(&self) -> &[Channel] {
        &self.1
    }
    fn forces(
        &self,
        motion: &RigidMotion,
        _: &[f64],
        commands: &[f64],
        _: &Surroundings,
        _: &mut [f64],
    ) -> Wrench {
        let force = motion.to_body(&Vector3::new(0.0, 0.0, -commands[0]));
        Wrench { force, moment: Vector3::zeros() }
    }
}

#[test]
fn a_command_outlives_a_step_that_is_computed_again() {
    let surface = Surface { friction: 0.3, restitution: 0.9 };
    let mut light = ball("light", 0.05, surface, [0.0, 0.0, -5.0]);
    let channel =
        Channel { name: "lift".into(), unit: "N", range: (0.0, 100.0), rest: 0.0, doc: "Up." };
    let inertia = scene::sphere_inertia(1.0, 0.05);
    light.drive = Drive::Vehicle(Arc::new(Lifted(inertia, [channel])));
    let mut heavy = ball("heavy", 0.05, surface, [-0.35, 0.0, -5.0]);
    heavy.drive = Drive::Inert(scene::sphere_inertia(50.0, 0.05));
    heavy.motion.velocity.x = 60.0;
    let mut world =
        World::new(Fixed::new(vec![]), Weather::default(), vec![light, heavy], Stepping::default())
            .unwrap();
    // Beside the first step of an epoch, so that nothing was kept with it.
    world.advance(3).unwrap();
    world.body_mut(1).state.commands[0] = 9.0;
    world.advance(97).unwrap();
    assert!(world.tally().repeated >= 1, "it never left its box");
    assert_eq!(world.body(1).state.commands, [9.0]);
}

#[test]
fn articulated_vehicles_that_ram_balls_and_each_other_do_the_same_in_any_islands() {
    let surface = Surface { friction: 0.8, restitution: 0.2 };
    let plans: Vec<BodyPlan> = (0..8)
        .flat_map(|number| {
            let east = 2.0 * f64::from(number);
            let speed = 10.0 + f64::from(number);
            let mut other =
                cart(&format!("b[{number}]"), [speed, 0.7 * speed], surface, [1.6, east, -0.1]);
            other.motion.attitude =
                nalgebra::UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 3.0);
            [
                cart(&format!("a[{number}]"), [speed, speed], surface, [0.0, east, -0.15]),
                other,
                ball(&format!("c[{number}]"), 0.1, surface, [0.8, east, -0.1]),
            ]
        })
        .collect();
    let (many, tally) = run(&plans, Stepping::default(), &[3000]);
    assert!(tally.changes >= 16, "islands merged or split {} times", tally.changes);
    let single = Stepping { one_island: true, epoch: 7, ..Stepping::default() };
    let (one, _) = run(&plans, single, &[500; 6]);
    assert_eq!(many, one);
    for threads in [2, 8] {
        let (other, _) = run(&plans, Stepping { threads, ..Stepping::default() }, &[3000]);
        assert_eq!(many, other, "{threads} threads");
    }
}

#[test]
fn a_body_that_goes_mad_is_named() {
    struct Mad(Inertia);
    impl Vehicle for Mad {
        fn inertia(&self) -> &Inertia {
            &self.0
        }
        fn commands(&self) -> &[Channel] {
            &[]
        }
        fn forces(
            &self,
            m: &RigidMotion,
            _: &[f64],
            _: &[f64],
            _: &Surroundings,
            _: &mut [f64],
        ) -> Wrench {
            let force = m.velocity * f64::NAN;
            Wrench { force, moment: Vector3::zeros() }
        }
    }
    let mut plan = ball("quad[3]", 0.1, Surface::default(), [0.0, 0.0, -9.0]);
    plan.drive = Drive::Vehicle(Arc::new(Mad(scene::sphere_inertia(1.0, 0.1))));
    let mut world = scene::world_of(vec![], vec![plan]);
    let error = world.advance(10).unwrap_err().to_string();
    assert!(error.contains("\"quad[3]\" left all bounds at 0 s"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random heaps of boxes and balls on the ground: any threads, any islands, any length of calls.
    #[test]
    fn random_heaps_do_the_same_however_they_are_computed(
        places in prop::collection::vec((-0.6..0.6_f64, -0.6..0.6_f64, 0.2..2.0_f64, any::<bool>(), -3.0..3.0_f64), 2..12),
        calls in prop::collection::vec(1..40_u32, 3..12),
        threads in 1..5_usize,
    ) {
        let surface = Surface { friction: 0.6, restitution: 0.4 };
        let plans: Vec<BodyPlan> = places.iter().enumerate().map(|(number, &(x, y, z, round, speed))| {
            let (name, place) = (format!("body[{number}]"), [2.0 * x, 2.0 * y, -z - 0.3 * number as f64]);
            let mut plan = if round { ball(&name, 0.1, surface, place) } else { brick(&name, [0.1, 0.15, 0.08], surface, place) };
            plan.motion.velocity = Vector3::new(speed, -speed, 0.5 * speed);
            plan.motion.rates = Vector3::new(speed, 0.3, -speed);
            plan
        }).collect();
        let total: u32 = calls.iter().sum();
        let (whole, _) = run(&plans, Stepping::default(), &[total]);
        let (other, _) = run(&plans, Stepping { threads, ..Stepping::default() }, &calls);
        prop_assert_eq!(&whole, &other);
        let (one, _) = run(&plans, Stepping { one_island: true, epoch: 7, ..Stepping::default() }, &calls);
        prop_assert_eq!(&whole, &one);
    }
}
