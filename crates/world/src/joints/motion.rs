//! How every link moves: forward kinematics from the base outwards.
//!
//! ```text
//! R_c = R_p E          E takes vectors of the child to the parent, r is the child's origin in the parent
//! ω_c = Eᵀ ω_p + s_ω q'                     v_c = Eᵀ (v_p + ω_p × r) + s_v q'
//! a_P = a + α × P + ω × (v + ω × P)         of a point P of a link, from the spatial acceleration (α, a)
//! ```
//!
//! Accelerations are kept *without gravity*, as if the base were pushed up by it: that of a point is then the specific
//! force that an accelerometer there measures.

use ironbird_kinematics::RigidMotion;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::spatial::SpatialVector;
use super::state::TreeState;
use super::tree::{Freedom, Tree};

/// How one link moves. Its own axes are those of the tree, see [`Tree`].
#[derive(Clone, Copy, Debug)]
pub struct LinkMotion {
    /// Takes vectors of the link to north, east, down.
    pub rotation: Matrix3<f64>,
    /// Its origin in m: north, east, down.
    pub position: Vector3<f64>,
    /// Angular velocity, and velocity of the origin, in its axes.
    pub velocity: SpatialVector,
    /// Spatial acceleration without gravity, in its axes: as of the last evaluation of forces.
    pub acceleration: SpatialVector,
    /// Takes its vectors to its parent.
    pub(super) local: Matrix3<f64>,
    /// Its origin in its parent.
    pub(super) arm: Vector3<f64>,
    /// v × S q': the acceleration that the motion of the axes makes.
    pub(super) bias: SpatialVector,
}

impl LinkMotion {
    /// A point of the link in north, east, down.
    #[inline]
    pub fn point(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.rotation * point
    }

    /// Velocity of a point of the link, in the link's axes.
    #[inline]
    pub fn velocity_of(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity.linear + self.velocity.angular.cross(point)
    }

    /// Velocity of a point of the link in north, east, down.
    #[inline]
    pub fn velocity_ned(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * self.velocity_of(point)
    }

    /// A vector in north, east, down as the link sees it.
    #[inline]
    pub fn to_link(&self, ned: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(ned)
    }

    /// What an accelerometer at a point of the link measures, in the link's axes.
    #[inline]
    pub fn specific_force(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.acceleration.linear
            + self.acceleration.angular.cross(point)
            + self.velocity.angular.cross(&self.velocity_of(point))
    }

    /// Acceleration of a point of the link in north, east, down, where bodies fall with `gravity`.
    #[inline]
    pub fn acceleration_ned(&self, point: &Vector3<f64>, gravity: &Vector3<f64>) -> Vector3<f64> {
        self.rotation * self.specific_force(point) + gravity
    }

    /// The link's frame as a rigid motion; its position is that of the link's origin.
    pub fn rigid(&self) -> RigidMotion {
        let rotation = Rotation3::from_matrix_unchecked(self.rotation);
        RigidMotion {
            position: self.position,
            velocity: self.rotation * self.velocity.linear,
            attitude: UnitQuaternion::from_rotation_matrix(&rotation),
            rates: self.velocity.angular,
        }
    }
}

/// How all links move.
#[derive(Clone, Debug)]
pub struct LinkMotions {
    pub(super) links: Vec<LinkMotion>,
}

impl std::ops::Index<usize> for LinkMotions {
    type Output = LinkMotion;

    #[inline]
    fn index(&self, link: usize) -> &LinkMotion {
        &self.links[link]
    }
}

impl LinkMotions {
    /// Room for the links of a tree.
    pub fn new(tree: &Tree) -> Self {
        let nowhere = LinkMotion {
            rotation: Matrix3::identity(),
            position: Vector3::zeros(),
            velocity: SpatialVector::zero(),
            acceleration: SpatialVector::zero(),
            local: Matrix3::identity(),
            arm: Vector3::zeros(),
            bias: SpatialVector::zero(),
        };
        let mut links = vec![nowhere; tree.links.len()];
        for (motion, link) in links.iter_mut().zip(&tree.links) {
            motion.arm = link.arm;
            motion.local = *link.rotation.to_rotation_matrix().matrix();
        }
        LinkMotions { links }
    }

    /// Places and velocities of all links; accelerations stay as they were.
    pub fn place(&mut self, tree: &Tree, state: &TreeState) {
        let base = &mut self.links[0];
        base.rotation = *state.base.attitude.to_rotation_matrix().matrix();
        base.position = state.base.position;
        base.velocity = SpatialVector {
            angular: state.base.rates,
            linear: base.rotation.tr_mul(&state.base.velocity),
        };
        for (index, link) in tree.links.iter().enumerate().skip(1) {
            let (before, from_here) = self.links.split_at_mut(index);
            let (parent, motion) = (&before[link.parent], &mut from_here[0]);
            match &link.freedom {
                Freedom::Base => {}
                Freedom::Axis(axis) => {
                    let q = state.positions[link.position];
                    if axis.turns {
                        let (sine, cosine) = libm::sincos(q);
                        motion.local = axis.steady + axis.cosine * cosine + axis.sine * sine;
                    }
                    motion.arm = link.arm + axis.slide * q;
                    motion.carry(parent);
                    let speed = state.velocities[link.dof];
                    motion.velocity.add_scaled(&axis.subspace, speed);
                    let turning = axis.subspace.angular * speed;
                    motion.bias = SpatialVector {
                        angular: motion.velocity.angular.cross(&turning),
                        linear: motion.velocity.linear.cross(&turning)
                            + motion.velocity.angular.cross(&(axis.subspace.linear * speed)),
                    };
                }
                Freedom::Ball => {
                    let attitude = link.rotation * state.ball(link.position);
                    motion.local = *attitude.to_rotation_matrix().matrix();
                    motion.carry(parent);
                    let turning =
                        Vector3::from_column_slice(&state.velocities[link.dof..link.dof + 3]);
                    motion.velocity.angular += turning;
                    motion.bias = SpatialVector {
                        angular: motion.velocity.angular.cross(&turning),
                        linear: motion.velocity.linear.cross(&turning),
                    };
                }
            }
        }
    }
}

impl LinkMotion {
    /// As if the joint stood still.
    #[inline]
    fn carry(&mut self, parent: &LinkMotion) {
        self.rotation = parent.rotation * self.local;
        self.position = parent.position + parent.rotation * self.arm;
        self.velocity = parent.velocity.to_child(&self.local, &self.arm);
    }
}
