//! The rotor of ArduPilot's iris: two lifting blades on a joint that a PID turns, and the same averaged over a turn.
//!
//! Axes here are forward, left, up, as in the file: the laws do not care.

use ironbird_kinematics::Wrench;
use ironbird_world::aero::{BladeRotor, LiftDrag, Surface};
use ironbird_world::joints::{
    Base, Dynamics, Joint, JointKind, JointLaw, LinkForces, LinkInertia, LinkMotions, SpeedPid,
    Tree, TreePlan, TreeState,
};
use nalgebra::{Isometry3, Vector3};

const H: f64 = 1e-3;
const DENSITY: f64 = 1.2041;
const RADIUS: f64 = 0.084;
const INERTIA: [f64; 3] = [9.75e-6, 1.66704e-4, 1.67604e-4];

fn blades() -> [LiftDrag; 2] {
    [1.0, -1.0].map(|side| {
        let blade = Surface {
            a0: 0.3,
            cla: 4.25,
            cda: 0.10,
            alpha_stall: 1.4,
            cla_stall: -0.025,
            cda_stall: 0.0,
            area: 0.002,
            air_density: DENSITY,
            cp: Vector3::new(RADIUS * side, 0.0, 0.0),
            forward: Vector3::new(0.0, side, 0.0),
            upward: Vector3::z(),
            ..Surface::default()
        };
        LiftDrag::new(&blade).unwrap()
    })
}

/// Thrust and braking torque of both blades in hover.
fn hover(speed: f64) -> (f64, f64) {
    let pressure = DENSITY * 0.002 * (speed * RADIUS) * (speed * RADIUS);
    (pressure * 4.25 * 0.3, pressure * 0.10 * 0.3 * RADIUS)
}

/// Blades in a wind, on the link 1, with a torque in its joint; adds up what they do to the base.
struct Blades {
    blades: [LiftDrag; 2],
    wind: Vector3<f64>,
    torque: f64,
    sum: Wrench,
    count: f64,
}

impl Blades {
    fn new(wind: Vector3<f64>) -> Self {
        Blades { blades: blades(), wind, torque: 0.0, sum: Wrench::default(), count: 0.0 }
    }
}

impl LinkForces for Blades {
    fn forces(
        &mut self,
        tree: &Tree,
        _: &TreeState,
        motions: &LinkMotions,
        wrenches: &mut [Wrench],
        torques: &mut [f64],
    ) {
        for rotor in 1..tree.links() {
            let motion = &motions[rotor];
            let wind = motion.to_link(&self.wind);
            for blade in &self.blades {
                let cp = &blade.surface().cp;
                wrenches[rotor]
                    .push(blade.force(&(motion.velocity_of(cp) - wind), DENSITY, 0.0), cp);
            }
            self.sum.force += motion.rotation * wrenches[rotor].force;
            self.sum.moment += motion.rotation * wrenches[rotor].moment;
            torques[tree.velocity_of(rotor)] = self.torque;
        }
        self.count += 1.0;
    }
}

/// A rotor on a fixed stand.
fn stand() -> (Dynamics, TreeState) {
    let mut plan = TreePlan::new(Base::Fixed, "stand", LinkInertia::massless());
    let law = JointLaw { damping: 0.004, ..JointLaw::default() };
    let joint = Joint::new(JointKind::Revolute(Vector3::z())).with(law);
    plan.add(0, "rotor", Isometry3::identity(), joint, LinkInertia::principal(0.025, INERTIA));
    let tree = plan.build().unwrap();
    let state = TreeState::at_rest(&tree);
    (Dynamics::new(tree), state)
}

#[test]
fn the_pid_holds_the_rotor_where_drag_and_damping_balance_it() {
    let (mut dynamics, mut state) = stand();
    let mut pid = SpeedPid::new(0.20, 0.0, 0.0);
    pid.command_range = (-2.5, 2.5);
    let mut forces = Blades::new(Vector3::zeros());
    for _ in 0..2000 {
        forces.torque = pid.force(600.0, state.velocities[0], H);
        dynamics.step(&mut state, &Vector3::zeros(), H, &mut forces);
    }
    let speed = state.velocities[0];
    let (thrust, drag) = hover(speed);
    assert!((0.20 * (600.0 - speed) - drag - 0.004 * speed).abs() < 1e-9, "{speed}");
    forces.sum = Wrench::default();
    dynamics.evaluate(&state, &Vector3::zeros(), &mut forces);
    assert!((forces.sum.force.z / thrust - 1.0).abs() < 1e-9, "{} {thrust}", forces.sum.force);
    println!("iris rotor: 600 rad/s wanted, {speed:.3} reached, {thrust:.4} N, {drag:.5} N m");
}

#[test]
fn averaged_blades_hover_like_real_ones() {
    let rotor = BladeRotor::new(&Vector3::z(), &blades()).unwrap();
    for speed in [100.0, 400.0, 838.0] {
        let loads = rotor.loads(speed, &Vector3::zeros(), &Vector3::zeros(), DENSITY);
        let (thrust, drag) = hover(speed);
        assert!((loads.wrench.force.z / thrust - 1.0).abs() < 1e-12);
        assert!((loads.torque / -drag - 1.0).abs() < 1e-12);
        assert!(loads.wrench.force.xy().norm() == 0.0 && loads.wrench.moment.xy().norm() == 0.0);

        // The blades on their joint, over a second of real turning in still air.
        let (mut dynamics, mut state) = stand();
        state.velocities[0] = speed;
        dynamics.prescribe(1, Some(0.0));
        let mut forces = Blades::new(Vector3::zeros());
        for _ in 0..1000 {
            dynamics.step(&mut state, &Vector3::zeros(), H, &mut forces);
        }
        let mean = forces.sum.force / forces.count;
        assert!((mean.z / loads.wrench.force.z - 1.0).abs() < 1e-9);
        assert!((forces.sum.moment.z / forces.count / loads.torque - 1.0).abs() < 1e-9);
    }
}

#[test]
fn averaged_blades_fly_forward_like_real_ones() {
    let rotor = BladeRotor::new(&Vector3::z(), &blades()).unwrap();
    let cases = [
        (500.0, Vector3::new(5.0, 0.0, 0.0)),
        (500.0, Vector3::new(10.0, 3.0, -1.0)),
        (500.0, Vector3::new(-4.0, 12.0, 3.0)),
        (838.0, Vector3::new(20.0, 0.0, 2.0)),
    ];
    for (speed, velocity) in cases {
        let loads = rotor.loads(speed, &velocity, &Vector3::zeros(), DENSITY);
        let (mut dynamics, mut state) = stand();
        state.velocities[0] = speed;
        dynamics.prescribe(1, Some(0.0));
        let mut forces = Blades::new(-velocity);
        for _ in 0..5000 {
            dynamics.step(&mut state, &Vector3::zeros(), H, &mut forces);
        }
        let (force, moment) = (forces.sum.force / forces.count, forces.sum.moment / forces.count);
        println!("{speed} rad/s, {velocity:?}: {force:?} {:?}", loads.wrench.force);
        assert!((force - loads.wrench.force).norm() < 0.01 * force.norm());
        assert!((moment.z - loads.torque).abs() < 0.01 * moment.z.abs());
        assert!((moment - loads.wrench.moment).norm() < 0.01 * moment.norm());
    }
}

#[test]
fn a_quadrotor_of_averaged_rotors_accelerates_like_one_of_blades() {
    // Mean acceleration of a free iris over some turns against that of one rigid body with averaged rotors.
    let places = [(0.13, -0.22), (-0.13, 0.20), (0.13, 0.22), (-0.13, -0.20)];
    let mut plan =
        TreePlan::new(Base::Floating, "base", LinkInertia::principal(1.65, [0.008, 0.015, 0.017]));
    for (x, y) in places {
        let joint = Joint::new(JointKind::Revolute(Vector3::z()));
        let rotor = LinkInertia::principal(0.025, INERTIA);
        plan.add(0, "rotor", Isometry3::translation(x, y, 0.023), joint, rotor);
    }
    let mut dynamics = Dynamics::new(plan.build().unwrap());
    let mut state = TreeState::at_rest(dynamics.tree());
    state.base.velocity = Vector3::new(6.0, 0.0, 0.0);
    state.velocities.fill(600.0);
    (1..5).for_each(|link| dynamics.prescribe(link, Some(0.0)));
    let mut forces = Blades::new(Vector3::zeros());
    let steps = 52; // five turns
    for _ in 0..steps {
        dynamics.step(&mut state, &Vector3::new(0.0, 0.0, -9.81), H, &mut forces);
    }
    let rotor = BladeRotor::new(&Vector3::z(), &blades()).unwrap();
    let middle = (state.base.velocity + Vector3::new(6.0, 0.0, 0.0)) / 2.0;
    let lift: f64 = (0..4)
        .map(|_| rotor.loads(600.0, &middle, &Vector3::zeros(), DENSITY).wrench.force.z)
        .sum();
    let climb = (lift / 1.75 - 9.81) * f64::from(steps) * H;
    let found = state.base.velocity.z;
    assert!((found / climb - 1.0).abs() < 0.02, "{found} {climb}");
}

#[test]
fn a_rotor_that_rolls_resists() {
    let rotor = BladeRotor::new(&Vector3::z(), &blades()).unwrap();
    let loads = rotor.loads(500.0, &Vector3::zeros(), &Vector3::new(2.0, 0.0, 0.0), DENSITY);
    assert!(loads.wrench.moment.x < 0.0, "{}", loads.wrench.moment);
    let climbing = rotor.loads(500.0, &Vector3::new(0.0, 0.0, 3.0), &Vector3::zeros(), DENSITY);
    assert!(climbing.wrench.force.z < hover(500.0).0);
}

#[test]
fn more_azimuths_would_not_change_the_mean() {
    // The same sum over 720 azimuths, made of blades at all of them.
    let rotor = BladeRotor::new(&Vector3::z(), &blades()).unwrap();
    let velocity = Vector3::new(9.0, -4.0, 1.0);
    let found = rotor.loads(500.0, &velocity, &Vector3::zeros(), DENSITY).wrench;
    let mut sum = Wrench::default();
    for number in 0..720 {
        let turn =
            Isometry3::rotation(Vector3::z() * (f64::from(number) / 720.0 * std::f64::consts::TAU));
        for blade in blades() {
            let blade = LiftDrag::new(&blade.surface().placed(&turn)).unwrap();
            let cp = blade.surface().cp;
            sum.push(
                blade.force(&(velocity + (Vector3::z() * 500.0).cross(&cp)), DENSITY, 0.0),
                &cp,
            );
        }
    }
    assert!((sum.force / 720.0 - found.force).norm() < 2e-4 * found.force.norm());
    assert!((sum.moment / 720.0 - found.moment).norm() < 2e-3 * found.moment.norm());
}
