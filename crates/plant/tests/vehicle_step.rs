//! The step that moves vehicles, beside what mechanics says exactly.

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use ironbird_plant::vehicle::integrate::{Held, InertiaProblem, SolvedInertia, acceleration, step};
use ironbird_plant::vehicle::{Inertia, Surroundings, Vehicle};
use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3};

/// A body on which nothing acts but drag in proportion to its speed, and a number of its own that fades.
struct Stone {
    inertia: Inertia,
    drag: f64,
    states: Vec<String>,
}

impl Stone {
    fn new(mass: f64, tensor: Matrix3<f64>, drag: f64) -> Self {
        let inertia = Inertia { mass, tensor, added: None };
        Stone { inertia, drag, states: vec!["warmth".into()] }
    }
}

impl Vehicle for Stone {
    fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    fn commands(&self) -> &[Channel] {
        &[]
    }

    fn states(&self) -> &[String] {
        &self.states
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        _: &[f64],
        _: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        rates[0] = -own[0];
        Wrench { force: motion.to_body(&(-self.drag * motion.velocity)), moment: Vector3::zeros() }
    }
}

fn fly(stone: &Stone, motion: &mut RigidMotion, own: &mut [f64], seconds: f64, steps: u32) {
    let mass = SolvedInertia::new(&stone.inertia).unwrap();
    let h = seconds / f64::from(steps);
    for _ in 0..steps {
        let held = Held { commands: &[], around: &Surroundings::default() };
        step(stone, &mass, motion, own, &held, h, None);
    }
}

fn tumbling() -> RigidMotion {
    RigidMotion { rates: Vector3::new(0.1, 3.0, 0.2), ..RigidMotion::default() }
}

#[test]
fn a_body_falls_as_galilei_says() {
    let stone = Stone::new(2.0, Matrix3::identity(), 0.0);
    let mut motion = RigidMotion { velocity: Vector3::new(3.0, 0.0, -5.0), ..tumbling() };
    fly(&stone, &mut motion, &mut [0.0], 2.0, 7);
    let expected = Vector3::new(6.0, 0.0, -10.0 + 2.0 * 9.80665);
    assert!((motion.position - expected).norm() < 1e-12, "{}", motion.position);
}

#[test]
fn the_error_of_drag_and_of_own_numbers_is_of_fourth_order() {
    let stone = Stone::new(2.0, Matrix3::identity(), 2.0);
    let [coarse, fine] = [16, 32].map(|steps| {
        let mut motion = RigidMotion { velocity: Vector3::x() * 10.0, ..tumbling() };
        let mut own = [1.0];
        fly(&stone, &mut motion, &mut own, 1.0, steps);
        let decay = libm::exp(-1.0);
        [motion.velocity.x - 10.0 * decay, own[0] - decay]
    });
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        let ratio = coarse / fine;
        assert!(14.0 < ratio && ratio < 19.0, "halving the step divides the error by {ratio}");
    }
}

#[test]
fn a_body_that_tumbles_keeps_its_energy_and_its_momentum() {
    let turned = UnitQuaternion::from_euler_angles(0.3, -0.2, 0.5).to_rotation_matrix();
    let principal = Matrix3::from_diagonal(&Vector3::new(0.01, 0.02, 0.025));
    for tensor in [principal, turned * principal * turned.transpose()] {
        let stone = Stone::new(1.0, tensor, 0.0);
        let energy = |motion: &RigidMotion| 0.5 * motion.rates.dot(&(tensor * motion.rates));
        let momentum = |motion: &RigidMotion| motion.to_ned(&(tensor * motion.rates));
        let mut motion = tumbling();
        let (before, turning) = (energy(&motion), momentum(&motion));
        fly(&stone, &mut motion, &mut [0.0], 20.0, 20_000);
        assert!((energy(&motion) / before - 1.0).abs() < 1e-10);
        assert!((momentum(&motion) - turning).norm() < 1e-10 * turning.norm());
        assert!((motion.attitude.norm() - 1.0).abs() < 1e-15);
        // About the middle axis it turns over.
        assert!(motion.rates.iter().all(|rate| rate.is_finite()));
    }
}

#[test]
fn added_mass_slows_the_fall() {
    let added = Matrix6::from_diagonal(&nalgebra::Vector6::new(0.0, 0.0, 3.0, 0.0, 0.0, 0.5));
    let inertia = Inertia { mass: 1.0, tensor: Matrix3::identity(), added: Some(Box::new(added)) };
    let stone = Stone { inertia, ..Stone::new(1.0, Matrix3::identity(), 0.0) };
    let mass = SolvedInertia::new(&stone.inertia).unwrap();
    let around = Surroundings::default();
    let mut motion = RigidMotion::default();
    let held = Held { commands: &[], around: &around };
    let found = acceleration(&stone, &mass, &motion, &[0.0], &held);
    assert_eq!(found.linear, Vector3::new(0.0, 0.0, around.gravity.z / 4.0));
    let first = step(&stone, &mass, &mut motion, &mut [0.0], &held, 1e-3, None);
    assert_eq!(first, found);
    assert!((motion.velocity.z - 1e-3 * around.gravity.z / 4.0).abs() < 1e-15);
}

#[test]
fn impossible_inertia_is_refused() {
    let solved = |mass, tensor| SolvedInertia::new(&Inertia { mass, tensor, added: None });
    let tensor = Matrix3::identity();
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(solved(mass, tensor), Err(InertiaProblem::Mass));
    }
    let lopsided = Matrix3::new(1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    for tensor in [-tensor, lopsided, tensor * f64::NAN, Matrix3::zeros()] {
        assert_eq!(solved(1.0, tensor), Err(InertiaProblem::Tensor));
    }
}
