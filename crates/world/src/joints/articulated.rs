//! Accelerations from forces: the articulated-body algorithm.
//!
//! ```text
//! inwards    p = v ×* I v - f              of every link, f the wrench on it
//!            U = I_A S,  D = Sᵀ U,  u = τ - Sᵀ p_A
//!            I_a = I_A - U D⁻¹ Uᵀ          p_a = p_A + I_A c + U D⁻¹ (u - Uᵀ c)      both added to the parent's
//! base       I_A a = -p_A                  or a = -g where it is fixed
//! outwards   a' = a_parent + c             q'' = D⁻¹ (u - Uᵀ a')            a = a' + S q''
//! ```
//!
//! R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, table 7.1, with the floating base of section 9.4 and, for
//! joints whose acceleration is prescribed, the hybrid dynamics of section 9.2 (such a joint passes I_A and
//! p_A + I_A (c + S q'') on). Accelerations are without gravity (see [`motion`](super::LinkMotion)). In an implicit
//! step of h the forces of a joint are those at its end, which adds h d + h² k to D.

use ironbird_kinematics::Wrench;
use nalgebra::{Matrix3, Vector3};

use super::motion::LinkMotions;
use super::spatial::{SpatialInertia, SpatialVector};
use super::state::TreeState;
use super::tree::{Base, Freedom, Link, Tree};

/// How forces are taken in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub gravity: Vector3<f64>,
    /// Length of the step, by which friction is smoothed.
    pub step: f64,
    /// Whether damping, friction and springs are those at the end of the step.
    pub implicit: bool,
}

#[derive(Clone, Copy, Debug)]
struct Articulated {
    inertia: SpatialInertia,
    bias: SpatialVector,
    /// U and D⁻¹ of an axis, and u.
    carried: SpatialVector,
    inverse: f64,
    drive: f64,
    ball: BallJoint,
}

/// U = (I, Hᵀ), D⁻¹ and u of a ball.
#[derive(Clone, Copy, Debug)]
struct BallJoint {
    rotational: Matrix3<f64>,
    coupling: Matrix3<f64>,
    inverse: Matrix3<f64>,
    drive: Vector3<f64>,
}

/// Room for the algorithm, and its result.
#[derive(Clone, Debug)]
pub(super) struct ArticulatedBodies {
    links: Vec<Articulated>,
    /// Accelerations of the joints.
    pub joints: Vec<f64>,
}

/// What acts on the links and in the joints.
#[derive(Clone, Debug)]
pub(super) struct Loads {
    pub wrenches: Vec<Wrench>,
    pub torques: Vec<f64>,
    /// Accelerations of the joints whose motion is prescribed, by link.
    pub prescribed: Vec<Option<f64>>,
}

impl ArticulatedBodies {
    pub fn new(tree: &Tree) -> Self {
        let nothing = Articulated {
            inertia: SpatialInertia {
                rotational: Matrix3::zeros(),
                coupling: Matrix3::zeros(),
                linear: Matrix3::zeros(),
            },
            bias: SpatialVector::zero(),
            carried: SpatialVector::zero(),
            inverse: 0.0,
            drive: 0.0,
            ball: BallJoint {
                rotational: Matrix3::zeros(),
                coupling: Matrix3::zeros(),
                inverse: Matrix3::zeros(),
                drive: Vector3::zeros(),
            },
        };
        ArticulatedBodies {
            links: vec![nothing; tree.links.len()],
            joints: vec![0.0; tree.velocities],
        }
    }

    /// Accelerations of the joints, and of all links into `motions`, which must have been placed for the state.
    pub fn accelerate(
        &mut self,
        tree: &Tree,
        state: &TreeState,
        loads: &Loads,
        conditions: &Conditions,
        motions: &mut LinkMotions,
    ) {
        for (index, link) in tree.links.iter().enumerate() {
            self.links[index].begin(link, &motions.links[index].velocity, &loads.wrenches[index]);
        }
        for (index, link) in tree.links.iter().enumerate().skip(1).rev() {
            let (before, from_here) = self.links.split_at_mut(index);
            let (parent, body) = (&mut before[link.parent], &mut from_here[0]);
            let motion = &motions.links[index];
            match &link.freedom {
                Freedom::Base => {}
                Freedom::Axis(axis) => {
                    match loads.prescribed[index] {
                        Some(acceleration) => {
                            let mut known = motion.bias;
                            known.add_scaled(&axis.subspace, acceleration);
                            body.push(link, &known);
                            body.inverse = 0.0;
                        }
                        None => {
                            body.give_way(
                                link,
                                &axis.subspace,
                                state,
                                loads.torques[link.dof],
                                conditions,
                            );
                            body.push(link, &motion.bias);
                            let left = body.drive - body.carried.dot(&motion.bias);
                            body.bias.add_scaled(&body.carried, body.inverse * left);
                        }
                    }
                    if link.leaf {
                        link.inertia.add_to(&mut parent.inertia, &motion.local, &motion.arm);
                    } else {
                        parent.inertia.add_child(&body.inertia, &motion.local, &motion.arm);
                    }
                    let carried = body.carried.force_to_parent(&motion.local, &motion.arm);
                    parent.inertia.subtract_joint(&carried, body.inverse);
                }
                Freedom::Ball => {
                    body.turn_freely(link, state, &loads.torques, conditions, &motion.bias);
                    parent.inertia.add_child(&body.inertia, &motion.local, &motion.arm);
                }
            }
            parent.bias.add(&body.bias.force_to_parent(&motion.local, &motion.arm));
        }
        self.pass_on(tree, loads, conditions, motions);
    }

    fn pass_on(
        &mut self,
        tree: &Tree,
        loads: &Loads,
        conditions: &Conditions,
        motions: &mut LinkMotions,
    ) {
        let base = &self.links[0];
        motions.links[0].acceleration = match tree.base {
            Base::Fixed => SpatialVector {
                angular: Vector3::zeros(),
                linear: -motions.links[0].rotation.tr_mul(&conditions.gravity),
            },
            // A base without inertia is refused when the tree is built.
            Base::Floating => {
                let force =
                    SpatialVector { angular: -base.bias.angular, linear: -base.bias.linear };
                base.inertia.accelerate(&force).unwrap_or(SpatialVector::zero())
            }
        };
        for (index, link) in tree.links.iter().enumerate().skip(1) {
            let (before, from_here) = motions.links.split_at_mut(index);
            let (parent, motion) = (&before[link.parent], &mut from_here[0]);
            let body = &self.links[index];
            let mut acceleration = parent.acceleration.to_child(&motion.local, &motion.arm);
            acceleration.add(&motion.bias);
            match &link.freedom {
                Freedom::Base => {}
                Freedom::Axis(axis) => {
                    let own = loads.prescribed[index].unwrap_or_else(|| {
                        body.inverse * (body.drive - body.carried.dot(&acceleration))
                    });
                    self.joints[link.dof] = own;
                    acceleration.add_scaled(&axis.subspace, own);
                }
                Freedom::Ball => {
                    let ball = &body.ball;
                    let resisted = ball.rotational * acceleration.angular
                        + ball.coupling * acceleration.linear;
                    let own = ball.inverse * (ball.drive - resisted);
                    self.joints[link.dof..link.dof + 3].copy_from_slice(own.as_slice());
                    acceleration.angular += own;
                }
            }
            motion.acceleration = acceleration;
        }
    }

    /// The fastest rate in 1/s at which a joint's damping, friction and spring act on it, as of the last
    /// evaluation: a fourth-order step must be shorter than some 2.5 of its inverse.
    pub fn fastest_rate(&self, tree: &Tree) -> f64 {
        let mut fastest = 0.0_f64;
        for (link, body) in tree.links.iter().zip(&self.links).skip(1) {
            let inverse = match link.freedom {
                Freedom::Ball => body.ball.inverse.diagonal().max(),
                _ => body.inverse,
            };
            fastest =
                fastest.max(link.law.damping * inverse).max((link.law.stiffness * inverse).sqrt());
        }
        fastest
    }
}

impl Articulated {
    /// Inertia and bias of the link alone.
    #[inline]
    fn begin(&mut self, link: &Link, velocity: &SpatialVector, wrench: &Wrench) {
        let momentum = link.inertia.momentum(velocity);
        if !(link.leaf && matches!(link.freedom, Freedom::Axis(_))) {
            self.inertia = link.inertia.spatial();
        }
        self.bias = SpatialVector {
            angular: velocity.angular.cross(&momentum.angular)
                + velocity.linear.cross(&momentum.linear)
                - wrench.moment,
            linear: velocity.angular.cross(&momentum.linear) - wrench.force,
        };
    }

    /// Adds I_A times an acceleration to the bias.
    #[inline]
    fn push(&mut self, link: &Link, acceleration: &SpatialVector) {
        let push = if link.leaf {
            link.inertia.momentum(acceleration)
        } else {
            self.inertia.times(acceleration)
        };
        self.bias.add(&push);
    }

    /// U, D⁻¹ and u of an axis that gives way. U D⁻¹ Uᵀ is taken from the parent's inertia, where U has been carried
    /// to: six numbers are turned instead of a matrix, and a leaf's inertia stays that of a rigid body.
    #[inline]
    fn give_way(
        &mut self,
        link: &Link,
        subspace: &SpatialVector,
        state: &TreeState,
        applied: f64,
        conditions: &Conditions,
    ) {
        let law = &link.law;
        let (position, speed) = (state.positions[link.position], state.velocities[link.dof]);
        let mut resistance;
        if link.leaf {
            (self.carried, resistance) = (link.leaf_carried, link.leaf_resistance);
        } else {
            self.carried = self.inertia.times(subspace);
            resistance = subspace.dot(&self.carried);
        }
        let (friction, friction_slope) = law.friction_at(speed, conditions.step, resistance);
        let mut force = law.limited(applied)
            - law.damping * speed
            - friction
            - law.stiffness * (position - law.reference);
        if conditions.implicit {
            let stiffening = conditions.step * law.stiffness;
            resistance += conditions.step * (law.damping + friction_slope + stiffening);
            force -= stiffening * speed;
        }
        // Nothing to accelerate: the joint stands. Trees are checked for it where their joints are at zero.
        self.inverse = if resistance > 0.0 { 1.0 / resistance } else { 0.0 };
        self.drive = force - subspace.dot(&self.bias);
    }

    /// The same for a ball, where S = (1, 0): U = (I, Hᵀ), D = I.
    fn turn_freely(
        &mut self,
        link: &Link,
        state: &TreeState,
        torques: &[f64],
        conditions: &Conditions,
        moving: &SpatialVector,
    ) {
        let law = &link.law;
        let three = link.dof..link.dof + 3;
        let speed = Vector3::from_column_slice(&state.velocities[three.clone()]);
        let applied = Vector3::from_column_slice(&torques[three]).map(|torque| law.limited(torque));
        let SpatialInertia { rotational, coupling, .. } = self.inertia;
        let mut resistance = rotational;
        let least = rotational.diagonal().min();
        // Across the speed friction is F/√(q'² + ε²) per speed, along it less: the larger one is taken for both.
        let smooth = law.smooth_squared(conditions.step, least);
        let slope = law.damping + law.friction / (speed.norm_squared() + smooth).sqrt();
        if conditions.implicit {
            resistance += Matrix3::from_diagonal_element(conditions.step * slope);
        }
        let inverse = resistance.try_inverse().unwrap_or(Matrix3::zeros());
        let drive = applied - speed * slope - self.bias.angular;
        self.ball = BallJoint { rotational, coupling, inverse, drive };
        self.inertia.rotational -= rotational * inverse * rotational;
        self.inertia.coupling -= rotational * inverse * coupling;
        self.inertia.linear -= coupling.tr_mul(&(inverse * coupling));
        let push = self.inertia.times(moving);
        self.bias.add(&push);
        let driven = inverse * drive;
        self.bias.angular += rotational * driven;
        self.bias.linear += coupling.tr_mul(&driven);
    }
}
