//! Plans: fixed joints, attachments, and what is refused.

use ironbird_kinematics::Wrench;
use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, JointLaw, LinkInertia, LinkMotions, NoForces, Tree,
    TreeError, TreePlan, TreeState,
};
use nalgebra::{Isometry3, Vector3};

use super::gravity;
use super::random_tree::Numbers;

#[test]
fn links_on_fixed_joints_become_part_of_their_parent() {
    let mut numbers = Numbers(5);
    let (body, extra, place) = (numbers.inertia(), numbers.inertia(), numbers.place());
    let mut plan = TreePlan::new(Base::Floating, "body", body);
    let camera = plan.add(0, "camera", place, Joint::new(JointKind::Fixed), extra);
    let hinge = Joint::new(JointKind::Revolute(Vector3::z()));
    let arm = plan.add(camera, "arm", place, hinge, extra);
    let tree = plan.build().unwrap();
    assert_eq!(tree.links(), 2);
    assert_eq!(tree.name(1), "arm");
    assert_eq!(tree.attachment(camera).link, 0);
    assert_eq!(tree.attachment(arm).link, 1);
    assert!((tree.link_mass(0) - body.mass - extra.mass).abs() < 1e-15);
    let whole = body.merged(&extra.placed(&place));
    assert!((tree.link_centre(0) - whole.centre).norm() < 1e-14);
    let point = Vector3::new(0.1, 0.2, 0.3);
    let there = place.rotation * point + place.translation.vector;
    assert!((tree.attachment(camera).point(&point) - there).norm() < 1e-14);
    assert!((tree.attachment(camera).direction(&point) - place.rotation * point).norm() < 1e-14);

    // The arm is where both places put it.
    let mut dynamics = Dynamics::new(tree);
    let state = TreeState::at_rest(dynamics.tree());
    let at = dynamics.place(&state)[1].position;
    assert!((at - (place * place).translation.vector).norm() < 1e-14);
}

#[test]
fn the_frame_of_a_joint_does_not_change_how_things_move() {
    // The same pendulum, described with its frame in the pivot and in its centre of mass.
    let swing = |place: Isometry3<f64>, joint: Isometry3<f64>, centre: Vector3<f64>| {
        let mut plan = TreePlan::new(Base::Fixed, "wall", LinkInertia::massless());
        let kind = JointKind::Revolute(joint.rotation.inverse() * Vector3::y());
        let bob = LinkInertia { centre, ..LinkInertia::principal(1.0, [0.1, 0.2, 0.3]) };
        plan.add(0, "bob", place, Joint { place: joint, ..Joint::new(kind) }, bob);
        let tree = plan.build().unwrap();
        let tip = tree.attachment(1).point(&centre);
        let mut dynamics = Dynamics::new(tree);
        let mut state = TreeState::at_rest(dynamics.tree());
        state.positions[0] = 1.0;
        for _ in 0..500 {
            dynamics.step(&mut state, &gravity(), 1e-3, &mut NoForces);
        }
        dynamics.place(&state)[1].point(&tip)
    };
    let pivot = swing(Isometry3::identity(), Isometry3::identity(), Vector3::z());
    let mut joint = Isometry3::translation(0.0, 0.0, -1.0);
    joint.rotation = nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1);
    let centre = swing(Isometry3::translation(0.0, 0.0, 1.0), joint, Vector3::zeros());
    assert!((pivot - centre).norm() < 1e-12);
}

#[test]
fn an_accelerometer_on_an_arm_feels_weight_and_turning() {
    let mut plan = TreePlan::new(Base::Fixed, "stand", LinkInertia::massless());
    let joint = Joint::new(JointKind::Revolute(Vector3::z()));
    plan.add(0, "arm", Isometry3::identity(), joint, LinkInertia::principal(1.0, [1.0; 3]));
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.velocities[0] = 3.0;
    let mut drive =
        |_: &Tree, _: &TreeState, _: &LinkMotions, _: &mut [Wrench], torques: &mut [f64]| {
            torques[0] = 2.0
        };
    let motions = dynamics.evaluate(&state, &gravity(), &mut drive);
    let found = motions[1].specific_force(&Vector3::new(0.5, 0.0, 0.0));
    // Inwards ω² r, along the arm's turning α r, and the stand that carries it: up.
    assert!((found - Vector3::new(-4.5, 1.0, -9.81)).norm() < 1e-12, "{found}");
}

#[test]
fn what_cannot_move_is_refused_by_name() {
    let good = LinkInertia::principal(1.0, [1.0; 3]);
    let refused = |base: LinkInertia, joint: Joint, body: LinkInertia| {
        let mut plan = TreePlan::new(Base::Floating, "body", base);
        plan.add(0, "arm", Isometry3::identity(), joint, body);
        plan.build().unwrap_err().to_string()
    };
    let hinge = || Joint::new(JointKind::Revolute(Vector3::z()));
    let cases = [
        (
            refused(good, hinge(), LinkInertia::massless()),
            "link `arm` and what it carries have no inertia",
        ),
        (refused(good, hinge(), LinkInertia::point(1.0, Vector3::z())), "no inertia about an axis"),
        (
            refused(
                LinkInertia::massless(),
                Joint::new(JointKind::Ball),
                LinkInertia::point(1.0, Vector3::z()),
            ),
            "no inertia",
        ),
        (
            refused(good, Joint::new(JointKind::Revolute(Vector3::zeros())), good),
            "its axis must have a length",
        ),
        (
            refused(good, Joint::new(JointKind::Universal(Vector3::x(), -Vector3::x())), good),
            "parallel",
        ),
        (
            refused(
                good,
                Joint::new(JointKind::Screw { axis: Vector3::x(), pitch: f64::NAN }),
                good,
            ),
            "pitch is NaN",
        ),
        (
            refused(good, hinge(), LinkInertia::principal(-1.0, [1.0; 3])),
            "link `arm` has a mass of -1 kg",
        ),
        (
            refused(good, hinge().with(JointLaw { damping: -1.0, ..JointLaw::default() }), good),
            "damping is -1",
        ),
        (
            refused(
                good,
                hinge().with(JointLaw { lower: 1.0, upper: 0.0, ..JointLaw::default() }),
                good,
            ),
            "lower stop 1 is not below its upper 0",
        ),
        (
            refused(good, hinge().with(JointLaw::default()).with(JointLaw::default()), good),
            "forces for 2 axes",
        ),
        (
            refused(
                good,
                Joint::new(JointKind::Ball).with(JointLaw { upper: 1.0, ..JointLaw::default() }),
                good,
            ),
            "neither spring nor stops",
        ),
        (
            refused(
                good,
                Joint { place: Isometry3::translation(f64::NAN, 0.0, 0.0), ..hinge() },
                good,
            ),
            "not finite",
        ),
    ];
    for (message, wanted) in cases {
        assert!(message.contains(wanted), "{message}");
    }
    let mut plan = TreePlan::new(Base::Fixed, "body", good);
    plan.add(1, "arm", Isometry3::identity(), hinge(), good);
    assert_eq!(plan.build().unwrap_err(), TreeError::Parent { link: "arm".into(), parent: 1 });
}
