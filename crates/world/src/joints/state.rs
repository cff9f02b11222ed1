//! Where a tree is and how it moves.

use ironbird_kinematics::RigidMotion;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::tree::{Freedom, Tree};

/// Numbers of the base in a flat state.
pub const BASE_NUMBERS: usize = 13;

/// Where a tree is and how it moves.
///
/// Position and velocity of `base` are those of the *origin of the base's frame*, which need not be its centre of
/// mass; a base that is described by its centre of mass has both in one point.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeState {
    /// The base: its origin, attitude, rates.
    pub base: RigidMotion,
    /// Joint positions: rad or m of an axis; of a ball the quaternion w, x, y, z that takes vectors of the link to
    /// the joint in its parent.
    pub positions: Vec<f64>,
    /// Joint velocities: rad/s or m/s; of a ball the angular velocity against the parent, in the link's axes.
    pub velocities: Vec<f64>,
}

impl TreeState {
    /// At rest at the origin, all joints at zero.
    pub fn at_rest(tree: &Tree) -> Self {
        let mut positions = vec![0.0; tree.positions];
        for link in &tree.links {
            if matches!(link.freedom, Freedom::Ball) {
                positions[link.position] = 1.0;
            }
        }
        TreeState {
            base: RigidMotion::default(),
            positions,
            velocities: vec![0.0; tree.velocities],
        }
    }

    /// Of no tree: stands in for a state that is in use.
    pub(super) fn empty() -> Self {
        TreeState { base: RigidMotion::default(), positions: Vec::new(), velocities: Vec::new() }
    }

    /// How many numbers it is.
    pub fn numbers(&self) -> usize {
        BASE_NUMBERS + self.positions.len() + self.velocities.len()
    }

    /// Writes it as numbers: position, attitude (w, x, y, z), velocity, rates of the base; joint positions; joint
    /// velocities. `numbers` must be as long as [`numbers`](Self::numbers).
    pub fn write(&self, numbers: &mut [f64]) {
        let (base, joints) = numbers.split_at_mut(BASE_NUMBERS);
        let q = self.base.attitude;
        base[0..3].copy_from_slice(self.base.position.as_slice());
        base[3..7].copy_from_slice(&[q.w, q.i, q.j, q.k]);
        base[7..10].copy_from_slice(self.base.velocity.as_slice());
        base[10..13].copy_from_slice(self.base.rates.as_slice());
        let (positions, velocities) = joints.split_at_mut(self.positions.len());
        positions.copy_from_slice(&self.positions);
        velocities.copy_from_slice(&self.velocities);
    }

    /// Reads what [`write`](Self::write) wrote, bit by bit.
    pub fn read(&mut self, numbers: &[f64]) {
        let (base, joints) = numbers.split_at(BASE_NUMBERS);
        self.base = RigidMotion {
            position: Vector3::from_column_slice(&base[0..3]),
            attitude: UnitQuaternion::new_unchecked(Quaternion::new(
                base[3], base[4], base[5], base[6],
            )),
            velocity: Vector3::from_column_slice(&base[7..10]),
            rates: Vector3::from_column_slice(&base[10..13]),
        };
        let (positions, velocities) = joints.split_at(self.positions.len());
        self.positions.copy_from_slice(positions);
        self.velocities.copy_from_slice(velocities);
    }

    /// Brings all quaternions to length one.
    pub(super) fn normalise(&mut self, tree: &Tree) {
        self.base.attitude.renormalize();
        for link in &tree.links {
            if matches!(link.freedom, Freedom::Ball) {
                let q = &mut self.positions[link.position..link.position + 4];
                let norm = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
                q.iter_mut().for_each(|v| *v /= norm);
            }
        }
    }

    /// The attitude of a ball's link in its joint.
    #[inline]
    pub(super) fn ball(&self, position: usize) -> UnitQuaternion<f64> {
        let q = &self.positions[position..position + 4];
        UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
    }
}
