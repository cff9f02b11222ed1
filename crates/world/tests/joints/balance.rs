//! Accelerations against Newton's and Euler's laws of the single links, and what contact needs against finite motions.
//!
//! The oracle knows nothing of spatial inertias: for every joint, the forces of inertia, weight and wrench of all links
//! beyond it, as vectors in north, east, down, have no component along its axis but what the joint applies.

use ironbird_kinematics::Wrench;
use ironbird_world::joints::{
    Base, Dynamics, JointKind, LinkInertia, LinkMotions, NoForces, Tree, TreeState,
};
use nalgebra::Vector3;
use proptest::prelude::*;

use super::gravity;
use super::random_tree::RandomTree;

/// Loads that stay as they are.
struct Constant {
    wrenches: Vec<Wrench>,
    torques: Vec<f64>,
}

impl Constant {
    fn random(random: &mut RandomTree) -> Self {
        let numbers = &mut random.numbers;
        let wrench = |_| Wrench { force: numbers.vector() * 5.0, moment: numbers.vector() };
        let wrenches = (0..random.tree.links()).map(wrench).collect();
        let torques = (0..random.tree.joint_velocities()).map(|_| random.numbers.next()).collect();
        Constant { wrenches, torques }
    }
}

impl ironbird_world::joints::LinkForces for Constant {
    fn forces(
        &mut self,
        _: &Tree,
        _: &TreeState,
        _: &LinkMotions,
        wrenches: &mut [Wrench],
        torques: &mut [f64],
    ) {
        wrenches.copy_from_slice(&self.wrenches);
        torques.copy_from_slice(&self.torques);
    }
}

/// What must push a link, beyond its weight and the wrench on it, for it to move as it does: force, and moment about
/// the origin of north, east, down.
fn missing(
    motions: &LinkMotions,
    link: usize,
    body: &LinkInertia,
    wrench: &Wrench,
) -> (Vector3<f64>, Vector3<f64>) {
    let motion = &motions[link];
    let centre = motion.point(&body.centre);
    let (spin, spin_up) = (motion.velocity.angular, motion.acceleration.angular);
    let force = (motion.acceleration_ned(&body.centre, &gravity()) - gravity()) * body.mass;
    let moment = motion.rotation * (body.tensor * spin_up + spin.cross(&(body.tensor * spin)));
    let (push, twist) = (motion.rotation * wrench.force, motion.rotation * wrench.moment);
    (force - push, centre.cross(&force) + moment - motion.position.cross(&push) - twist)
}

fn balance(seed: u64, base: Base, joints: usize) {
    let mut random = RandomTree::new(seed, base, joints);
    let mut loads = Constant::random(&mut random);
    let RandomTree { tree, links, state, .. } = random;
    let mut dynamics = Dynamics::new(tree.clone());
    let motions = dynamics.evaluate(&state, &gravity(), &mut loads).clone();
    let mut beyond: Vec<_> =
        (0..tree.links()).map(|k| missing(&motions, k, &links[k].1, &loads.wrenches[k])).collect();
    for link in (1..tree.links()).rev() {
        let (force, moment) = beyond[link];
        let motion = &motions[link];
        let about = motion.to_link(&(moment - motion.position.cross(&force)));
        let along = motion.to_link(&force);
        let applied = &loads.torques[tree.velocity_of(link)..];
        let scale = 1.0 + force.norm() + moment.norm();
        let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * scale;
        let axis = |axis: Vector3<f64>| axis.normalize();
        match links[link].0 {
            JointKind::Revolute(a) => assert!(close(axis(a).dot(&about), applied[0]), "{seed}"),
            JointKind::Prismatic(a) => assert!(close(axis(a).dot(&along), applied[0]), "{seed}"),
            JointKind::Screw { axis: a, pitch } => {
                assert!(
                    close(axis(a).dot(&about) + pitch * axis(a).dot(&along), applied[0]),
                    "{seed}"
                )
            }
            JointKind::Ball => assert!((0..3).all(|i| close(about[i], applied[i])), "{seed}"),
            JointKind::Fixed | JointKind::Universal(..) => unreachable!(),
        }
        let parent = tree.parent(link).unwrap();
        beyond[parent].0 += force;
        beyond[parent].1 += moment;
    }
    if base == Base::Floating {
        assert!(beyond[0].0.norm() < 1e-8 && beyond[0].1.norm() < 1e-8, "{seed}: {:?}", beyond[0]);
    }
}

/// The accelerations of points are the changes of their velocities.
fn points_accelerate(seed: u64, base: Base) {
    let mut random = RandomTree::new(seed, base, 6);
    let mut loads = Constant::random(&mut random);
    let mut dynamics = Dynamics::new(random.tree.clone());
    let (h, point) = (1e-4, Vector3::new(0.3, -0.2, 0.1));
    let now = dynamics.evaluate(&random.state, &gravity(), &mut loads).clone();
    let mut moved = |h: f64| {
        let mut state = random.state.clone();
        dynamics.step(&mut state, &gravity(), h, &mut loads);
        dynamics.place(&state).clone()
    };
    let (later, before) = (moved(h), moved(-h));
    for link in 0..random.tree.links() {
        let change = later[link].velocity_ned(&point) - before[link].velocity_ned(&point);
        let found = now[link].acceleration_ned(&point, &gravity());
        assert!((change / (2.0 * h) - found).norm() < 1e-4 * (1.0 + found.norm()), "{seed} {link}");
        let path = later[link].point(&point) - before[link].point(&point);
        assert!((path / (2.0 * h) - now[link].velocity_ned(&point)).norm() < 1e-4, "{seed} {link}");
    }
}

/// The mass matrix is that of the kinetic energy, and its inverse what the articulated bodies answer to torques.
fn mass_matrix(seed: u64, base: Base) {
    let RandomTree { tree, state, .. } = RandomTree::new(seed, base, 7);
    let mut dynamics = Dynamics::new(tree.clone());
    let motions = dynamics.place(&state).clone();
    let mut matrix = ironbird_world::joints::MassMatrix::new(&tree);
    matrix.compose(&tree, &motions, 0.0, &[]);
    let size = tree.dofs();
    let mut velocities = vec![0.0; size];
    state.read_velocities(&tree, &mut velocities);
    let mut twice = 0.0;
    for row in 0..size {
        for column in 0..size {
            twice += velocities[row] * matrix.get(row, column) * velocities[column];
        }
    }
    assert!((twice / 2.0 / motions.kinetic_energy(&tree) - 1.0).abs() < 1e-12, "{seed}");

    let rest = dynamics_of(&mut dynamics, &state, None);
    matrix.factorise().unwrap();
    let joints = tree.joint_velocities();
    for joint in 0..joints {
        let mut response = vec![0.0; size];
        response[size - joints + joint] = 1.0;
        matrix.solve(&mut response);
        let pushed = dynamics_of(&mut dynamics, &state, Some(joint));
        for other in 0..joints {
            let found = pushed[other] - rest[other];
            assert!(
                (found - response[size - joints + other]).abs() < 1e-8,
                "{seed} {joint} {other}"
            );
        }
    }
}

fn dynamics_of(dynamics: &mut Dynamics, state: &TreeState, pushed: Option<usize>) -> Vec<f64> {
    let mut push =
        |_: &Tree, _: &TreeState, _: &LinkMotions, _: &mut [Wrench], torques: &mut [f64]| {
            if let Some(joint) = pushed {
                torques[joint] = 1.0;
            }
        };
    dynamics.evaluate(state, &gravity(), &mut push);
    dynamics.joint_accelerations().to_vec()
}

/// A row gives the velocity of its point, and an impulse along it changes that velocity as its response says, and the
/// momentum of a floating tree by itself.
fn contact(seed: u64, base: Base) {
    let RandomTree { tree, mut state, mut numbers, .. } = RandomTree::new(seed, base, 7);
    let mut dynamics = Dynamics::new(tree.clone());
    let motions = dynamics.place(&state).clone();
    let size = tree.dofs();
    let (mut row, mut response, mut velocities) =
        (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    let link = tree.links() - 1;
    let (local, direction) = (numbers.vector(), numbers.vector().normalize());
    let point = motions[link].point(&local);
    motions.point_row(&tree, link, &point, &direction, &mut row);
    state.read_velocities(&tree, &mut velocities);
    let along: f64 = row.iter().zip(&velocities).map(|(j, v)| j * v).sum();
    assert!((along - direction.dot(&motions[link].velocity_ned(&local))).abs() < 1e-12, "{seed}");
    let softness = dynamics.factorise(0.0).unwrap().response(&row, &mut response);
    let before = motions.momentum(&tree);
    state.push(&tree, &response, 0.7);
    let motions = dynamics.place(&state).clone();
    let after = direction.dot(&motions[link].velocity_ned(&local));
    assert!((after - along - 0.7 * softness).abs() < 1e-11, "{seed}");
    assert!(softness > 0.0);
    if base == Base::Floating {
        let change = motions.momentum(&tree);
        assert!((change.linear - before.linear - direction * 0.7).norm() < 1e-10, "{seed}");
        let turned = point.cross(&direction) * 0.7;
        assert!((change.angular - before.angular - turned).norm() < 1e-10, "{seed}");
    }
    motions.spin_row(&tree, link, &direction, &mut row);
    state.read_velocities(&tree, &mut velocities);
    let spin: f64 = row.iter().zip(&velocities).map(|(j, v)| j * v).sum();
    let wanted = direction.dot(&(motions[link].rotation * motions[link].velocity.angular));
    assert!((spin - wanted).abs() < 1e-12, "{seed}");
}

proptest! {
    #[test]
    fn every_joint_is_in_balance(seed: u64, floating: bool, joints in 1_usize..20) {
        balance(seed, if floating { Base::Floating } else { Base::Fixed }, joints);
    }

    #[test]
    fn accelerations_are_changes_of_velocity(seed: u64, floating: bool) {
        points_accelerate(seed, if floating { Base::Floating } else { Base::Fixed });
    }

    #[test]
    fn the_mass_matrix_agrees_with_energy_and_accelerations(seed: u64, floating: bool) {
        mass_matrix(seed, if floating { Base::Floating } else { Base::Fixed });
    }

    #[test]
    fn impulses_do_what_their_response_says(seed: u64, floating: bool) {
        contact(seed, if floating { Base::Floating } else { Base::Fixed });
    }
}

#[test]
fn steps_repeat_bit_by_bit_and_states_survive_as_numbers() {
    let RandomTree { tree, state, .. } = RandomTree::new(3, Base::Floating, 10);
    let run = |mut state: TreeState, steps: usize| {
        let mut dynamics = Dynamics::new(tree.clone());
        for _ in 0..steps {
            dynamics.step(&mut state, &gravity(), 1e-3, &mut NoForces);
        }
        let mut numbers = vec![0.0; state.numbers()];
        state.write(&mut numbers);
        numbers
    };
    let whole = run(state.clone(), 200);
    let half = run(state.clone(), 100);
    let mut loaded = TreeState::at_rest(&tree);
    loaded.read(&half);
    assert_eq!(run(loaded, 100), whole);
}
