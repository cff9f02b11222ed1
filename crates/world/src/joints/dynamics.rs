//! A tree in motion: forces to accelerations to the next state.
//!
//! Two ways to step:
//! - [`Dynamics::step`], the classical fourth-order Runge-Kutta method, for all that is smooth. Forces are asked for at
//!   each of its four stages. Quaternions are advanced as four numbers and brought to length one at the end; within
//!   the step forces see them at length one.
//! - [`Dynamics::kick`] and [`Dynamics::drift`], velocities first and places with the new ones (semi-implicit Euler),
//!   with damping, friction and springs of joints taken at the end of the step: for steps with contact, whose impulses
//!   come between the two, and for joints whose forces are too stiff for the first way.
//!
//! No step allocates.

use ironbird_kinematics::Wrench;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::articulated::{ArticulatedBodies, Conditions, Loads};
use super::mass_matrix::MassMatrix;
use super::motion::LinkMotions;
use super::state::{BASE_NUMBERS, TreeState};
use super::stops::Stops;
use super::tree::{Base, Freedom, Tree};

/// What pushes the links and drives the joints of a tree.
pub trait LinkForces {
    /// Adds wrenches on the links (in their axes, moments about their *origins*, without weight) and torques or forces
    /// in the joints (in the order of the joint velocities). All are zero before.
    fn forces(
        &mut self,
        tree: &Tree,
        state: &TreeState,
        motions: &LinkMotions,
        wrenches: &mut [Wrench],
        torques: &mut [f64],
    );
}

/// Nothing but weight.
pub struct NoForces;

impl LinkForces for NoForces {
    fn forces(
        &mut self,
        _: &Tree,
        _: &TreeState,
        _: &LinkMotions,
        _: &mut [Wrench],
        _: &mut [f64],
    ) {
    }
}

/// Any function of the same form.
impl<F> LinkForces for F
where
    F: FnMut(&Tree, &TreeState, &LinkMotions, &mut [Wrench], &mut [f64]),
{
    #[inline]
    fn forces(
        &mut self,
        tree: &Tree,
        state: &TreeState,
        motions: &LinkMotions,
        wrenches: &mut [Wrench],
        torques: &mut [f64],
    ) {
        self(tree, state, motions, wrenches, torques);
    }
}

/// A tree with room for its steps.
#[derive(Clone, Debug)]
pub struct Dynamics {
    pub(super) tree: Tree,
    pub(super) motions: LinkMotions,
    pub(super) loads: Loads,
    pub(super) matrix: MassMatrix,
    pub(super) stops: Stops,
    bodies: ArticulatedBodies,
    stage: TreeState,
    start: Vec<f64>,
    numbers: Vec<f64>,
    rates: Vec<f64>,
    sum: Vec<f64>,
}

impl Dynamics {
    /// A tree with room for its steps.
    pub fn new(tree: Tree) -> Self {
        let stage = TreeState::at_rest(&tree);
        let numbers = vec![0.0; stage.numbers()];
        Dynamics {
            motions: LinkMotions::new(&tree),
            loads: Loads {
                wrenches: vec![Wrench::default(); tree.links.len()],
                torques: vec![0.0; tree.velocities],
                prescribed: vec![None; tree.links.len()],
            },
            matrix: MassMatrix::new(&tree),
            stops: Stops::new(&tree),
            bodies: ArticulatedBodies::new(&tree),
            stage,
            start: numbers.clone(),
            rates: numbers.clone(),
            sum: numbers.clone(),
            numbers,
            tree,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// How the links moved when last asked for. After a step this is within it: [`place`](Self::place) or
    /// [`evaluate`](Self::evaluate) the new state before reading it.
    pub fn motions(&self) -> &LinkMotions {
        &self.motions
    }

    /// Accelerations of the joints as of the last evaluation.
    pub fn joint_accelerations(&self) -> &[f64] {
        &self.bodies.joints
    }

    /// The fastest rate in 1/s at which damping or spring of a joint acts, as of the last evaluation.
    /// [`step`](Self::step) is stable while it is below some 2.5/h; above, [`kick`](Self::kick) is.
    pub fn fastest_rate(&self) -> f64 {
        self.bodies.fastest_rate(&self.tree)
    }

    /// Prescribes the acceleration of the joint of a link, whatever acts on it, or sets it free. Only for joints with
    /// one axis; others stay free.
    pub fn prescribe(&mut self, link: usize, acceleration: Option<f64>) {
        if matches!(self.tree.links[link].freedom, Freedom::Axis(_)) {
            self.loads.prescribed[link] = acceleration;
        }
    }

    /// Places and velocities of all links in a state.
    pub fn place(&mut self, state: &TreeState) -> &LinkMotions {
        self.motions.place(&self.tree, state);
        &self.motions
    }

    /// Motions of all links in a state with accelerations: what inertial sensors feel.
    pub fn evaluate<F: LinkForces + ?Sized>(
        &mut self,
        state: &TreeState,
        gravity: &Vector3<f64>,
        forces: &mut F,
    ) -> &LinkMotions {
        let conditions = Conditions { gravity: *gravity, step: 0.0, implicit: false };
        self.accelerate(state, &conditions, forces);
        &self.motions
    }

    /// The mass matrix of the state that was last [placed](Self::place), factorised, for impulses; `step` as in
    /// [`MassMatrix::compose`]. `None` where a joint has nothing to accelerate.
    pub fn factorise(&mut self, step: f64) -> Option<&MassMatrix> {
        self.matrix.compose(&self.tree, &self.motions, step, &self.loads.prescribed);
        self.matrix.factorise().ok()?;
        Some(&self.matrix)
    }

    /// The mass matrix as it was last factorised.
    pub fn mass_matrix(&self) -> &MassMatrix {
        &self.matrix
    }

    /// One step of `h` seconds of the fourth-order method; stops are held at its end.
    pub fn step<F: LinkForces + ?Sized>(
        &mut self,
        state: &mut TreeState,
        gravity: &Vector3<f64>,
        h: f64,
        forces: &mut F,
    ) {
        let conditions = Conditions { gravity: *gravity, step: h, implicit: false };
        let mut stage = std::mem::replace(&mut self.stage, TreeState::empty());
        state.write(&mut self.start);
        self.numbers.copy_from_slice(&self.start);
        stage.read(&self.start);
        for (number, (weight, ahead)) in
            [(h / 6.0, h / 2.0), (h / 3.0, h / 2.0), (h / 3.0, h), (h / 6.0, 0.0)]
                .into_iter()
                .enumerate()
        {
            self.accelerate(&stage, &conditions, forces);
            self.write_rates(&stage, gravity);
            if number == 0 {
                self.sum.copy_from_slice(&self.start);
            }
            for (sum, rate) in self.sum.iter_mut().zip(&self.rates) {
                *sum += weight * rate;
            }
            if number < 3 {
                for ((number, start), rate) in
                    self.numbers.iter_mut().zip(&self.start).zip(&self.rates)
                {
                    *number = start + ahead * rate;
                }
                stage.read(&self.numbers);
                stage.normalise(&self.tree);
            }
        }
        state.read(&self.sum);
        state.normalise(&self.tree);
        self.stage = stage;
        if self.tree.stopped {
            self.hold_stops(state, 0.0);
        }
    }

    /// Changes the velocities by the forces of a step of `h` seconds; then come impulses of contact, if any, then
    /// [`drift`](Self::drift). Stops are held as far as this step's motion reaches them; where impulses follow, call
    /// [`hold_stops`](Self::hold_stops) after them.
    pub fn kick<F: LinkForces + ?Sized>(
        &mut self,
        state: &mut TreeState,
        gravity: &Vector3<f64>,
        h: f64,
        forces: &mut F,
    ) {
        let conditions = Conditions { gravity: *gravity, step: h, implicit: true };
        self.accelerate(state, &conditions, forces);
        if self.tree.base == Base::Floating {
            let base = &self.motions.links[0];
            state.base.velocity +=
                (base.rotation * base.specific_force(&Vector3::zeros()) + gravity) * h;
            state.base.rates += base.acceleration.angular * h;
        }
        for (velocity, acceleration) in state.velocities.iter_mut().zip(&self.bodies.joints) {
            *velocity += acceleration * h;
        }
        if self.tree.stopped {
            self.hold_stops(state, h);
        }
    }

    /// Moves everything with its velocity for `h` seconds; attitudes by the exact rotation.
    pub fn drift(&mut self, state: &mut TreeState, h: f64) {
        if self.tree.base == Base::Floating {
            state.base.position += state.base.velocity * h;
            state.base.attitude *= UnitQuaternion::from_scaled_axis(state.base.rates * h);
            state.base.attitude.renormalize();
        }
        for link in &self.tree.links {
            match link.freedom {
                Freedom::Base => {}
                Freedom::Axis(_) => {
                    let moved = state.positions[link.position] + state.velocities[link.dof] * h;
                    state.positions[link.position] = moved.clamp(link.law.lower, link.law.upper);
                }
                Freedom::Ball => {
                    let turning =
                        Vector3::from_column_slice(&state.velocities[link.dof..link.dof + 3]);
                    let mut q =
                        state.ball(link.position) * UnitQuaternion::from_scaled_axis(turning * h);
                    q.renormalize();
                    state.positions[link.position..link.position + 4]
                        .copy_from_slice(&[q.w, q.i, q.j, q.k]);
                }
            }
        }
    }

    /// Accelerations of a state that nothing pushes or drives, in the order of [`Tree::dofs`]: what turning does, in the
    /// joints and by the inertia of the links.
    pub fn turning(&mut self, state: &TreeState, accelerations: &mut [f64]) {
        self.motions.place(&self.tree, state);
        self.loads.wrenches.fill(Wrench::default());
        self.loads.torques.fill(0.0);
        // Joints see themselves at rest, so that nothing damps them.
        self.stage.clone_from(state);
        self.stage.velocities.fill(0.0);
        let gravity = Vector3::zeros();
        let conditions = Conditions { gravity, step: 0.0, implicit: false };
        let Dynamics { tree, stage, loads, motions, .. } = self;
        self.bodies.accelerate(tree, stage, loads, &conditions, motions);
        let (base, joints) = accelerations.split_at_mut(tree.base_dofs());
        if !base.is_empty() {
            let motion = &motions.links[0];
            base[..3].copy_from_slice(motion.acceleration.angular.as_slice());
            base[3..].copy_from_slice(motion.specific_force(&Vector3::zeros()).as_slice());
        }
        joints.copy_from_slice(&self.bodies.joints);
    }

    #[inline]
    fn accelerate<F: LinkForces + ?Sized>(
        &mut self,
        state: &TreeState,
        conditions: &Conditions,
        forces: &mut F,
    ) {
        self.motions.place(&self.tree, state);
        self.loads.wrenches.fill(Wrench::default());
        self.loads.torques.fill(0.0);
        let Loads { wrenches, torques, .. } = &mut self.loads;
        forces.forces(&self.tree, state, &self.motions, wrenches, torques);
        self.bodies.accelerate(&self.tree, state, &self.loads, conditions, &mut self.motions);
    }

    /// How the numbers of a stage change; of the quaternions as they are in `numbers`, not at length one.
    fn write_rates(&mut self, stage: &TreeState, gravity: &Vector3<f64>) {
        let (base, joints) = self.rates.split_at_mut(BASE_NUMBERS);
        if self.tree.base == Base::Floating {
            let motion = &self.motions.links[0];
            base[0..3].copy_from_slice(stage.base.velocity.as_slice());
            base[3..7].copy_from_slice(&turn_rate(&self.numbers[3..7], &stage.base.rates));
            base[7..10]
                .copy_from_slice(motion.acceleration_ned(&Vector3::zeros(), gravity).as_slice());
            base[10..13].copy_from_slice(motion.acceleration.angular.as_slice());
        }
        let (positions, velocities) = joints.split_at_mut(self.tree.positions);
        for link in &self.tree.links {
            match link.freedom {
                Freedom::Base => {}
                Freedom::Axis(_) => positions[link.position] = stage.velocities[link.dof],
                Freedom::Ball => {
                    let turning =
                        Vector3::from_column_slice(&stage.velocities[link.dof..link.dof + 3]);
                    let from = BASE_NUMBERS + link.position;
                    let rate = turn_rate(&self.numbers[from..from + 4], &turning);
                    positions[link.position..link.position + 4].copy_from_slice(&rate);
                }
            }
        }
        velocities.copy_from_slice(&self.bodies.joints);
    }
}

/// q' = ½ q ω, with ω in the turned axes.
#[inline]
fn turn_rate(q: &[f64], rates: &Vector3<f64>) -> [f64; 4] {
    let half = rates * 0.5;
    let rate =
        Quaternion::new(q[0], q[1], q[2], q[3]) * Quaternion::new(0.0, half.x, half.y, half.z);
    [rate.w, rate.i, rate.j, rate.k]
}
