//! Spatial vectors and inertias: a turning and a shifting part side by side, both in one link's axes and about its origin.
//!
//! ```text
//! motion  (ω, v)     v of the point of the link that is at its origin
//! force   (n, f)     n about the origin
//! inertia ( I   H )  n = I ω + H v          of a rigid body: I about the origin, H = m [c]×, M = m 1
//!         ( Hᵀ  M )  f = Hᵀ ω + M v
//! ```
//!
//! R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapter 2. The 6 x 6 matrices are kept as three blocks of
//! 3 x 3: half of the multiplications of a full matrix, and no factor that is known to be zero or one.

use nalgebra::{Matrix3, Vector3};

/// A motion (angular and linear velocity or acceleration) or a force (moment and force).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialVector {
    /// Angular velocity or acceleration, or moment.
    pub angular: Vector3<f64>,
    /// Linear velocity or acceleration, or force.
    pub linear: Vector3<f64>,
}

impl SpatialVector {
    /// Nothing.
    pub fn zero() -> Self {
        SpatialVector { angular: Vector3::zeros(), linear: Vector3::zeros() }
    }

    #[inline]
    pub(super) fn dot(&self, other: &SpatialVector) -> f64 {
        self.angular.dot(&other.angular) + self.linear.dot(&other.linear)
    }

    /// A motion as the child sees it: `rotation` takes vectors of the child to the parent, `arm` is the child's
    /// origin in the parent.
    #[inline]
    pub(super) fn to_child(self, rotation: &Matrix3<f64>, arm: &Vector3<f64>) -> Self {
        SpatialVector {
            angular: rotation.tr_mul(&self.angular),
            linear: rotation.tr_mul(&(self.linear + self.angular.cross(arm))),
        }
    }

    /// A force of the child as the parent sees it.
    #[inline]
    pub(super) fn force_to_parent(self, rotation: &Matrix3<f64>, arm: &Vector3<f64>) -> Self {
        let linear = rotation * self.linear;
        SpatialVector { angular: rotation * self.angular + arm.cross(&linear), linear }
    }

    #[inline]
    pub(super) fn add(&mut self, other: &SpatialVector) {
        self.angular += other.angular;
        self.linear += other.linear;
    }

    #[inline]
    pub(super) fn add_scaled(&mut self, other: &SpatialVector, factor: f64) {
        self.angular += other.angular * factor;
        self.linear += other.linear * factor;
    }
}

/// What resists acceleration, seen at a link's origin: of one body, of several, or of an articulated lot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpatialInertia {
    pub rotational: Matrix3<f64>,
    pub coupling: Matrix3<f64>,
    pub linear: Matrix3<f64>,
}

impl SpatialInertia {
    #[inline]
    pub fn times(&self, motion: &SpatialVector) -> SpatialVector {
        SpatialVector {
            angular: self.rotational * motion.angular + self.coupling * motion.linear,
            linear: self.coupling.tr_mul(&motion.angular) + self.linear * motion.linear,
        }
    }

    /// Adds an inertia of a child. With the blocks turned to the parent's axes and [r]× of the arm:
    /// M' = M, H' = H + [r]× M, I' = I - H [r]× + [r]× H'ᵀ.
    #[inline]
    pub fn add_child(
        &mut self,
        child: &SpatialInertia,
        rotation: &Matrix3<f64>,
        arm: &Vector3<f64>,
    ) {
        let turned = |block: &Matrix3<f64>| rotation * (block * rotation.transpose());
        let (rotational, coupling, linear) =
            (turned(&child.rotational), turned(&child.coupling), turned(&child.linear));
        let moved = coupling + cross_columns(arm, &linear);
        // (H [r]×)ᵀ = -[r]× Hᵀ
        self.rotational += rotational
            + cross_columns(arm, &coupling.transpose()).transpose()
            + cross_columns(arm, &moved.transpose());
        self.coupling += moved;
        self.linear += linear;
    }

    /// Takes away U Uᵀ/D: what a joint that gives way does not resist.
    #[inline]
    pub fn subtract_joint(&mut self, u: &SpatialVector, inverse: f64) {
        let scaled = SpatialVector { angular: u.angular * inverse, linear: u.linear * inverse };
        self.rotational -= u.angular * scaled.angular.transpose();
        self.coupling -= u.angular * scaled.linear.transpose();
        self.linear -= u.linear * scaled.linear.transpose();
    }

    /// The acceleration that a force gives to it, by the Schur complement of the linear block; `None` where nothing
    /// resists in some direction.
    #[inline]
    pub fn accelerate(&self, force: &SpatialVector) -> Option<SpatialVector> {
        let inverse = self.linear.try_inverse()?;
        let carried = self.coupling * inverse;
        let turning = self.rotational - carried * self.coupling.transpose();
        let angular = turning.try_inverse()? * (force.angular - carried * force.linear);
        let linear = inverse * (force.linear - self.coupling.tr_mul(&angular));
        Some(SpatialVector { angular, linear })
    }
}

/// [a]× B: every column crossed.
#[inline]
fn cross_columns(a: &Vector3<f64>, b: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::new(
        a.y * b.m31 - a.z * b.m21,
        a.y * b.m32 - a.z * b.m22,
        a.y * b.m33 - a.z * b.m23,
        a.z * b.m11 - a.x * b.m31,
        a.z * b.m12 - a.x * b.m32,
        a.z * b.m13 - a.x * b.m33,
        a.x * b.m21 - a.y * b.m11,
        a.x * b.m22 - a.y * b.m12,
        a.x * b.m23 - a.y * b.m13,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moved_inertia_is_that_of_steiner() {
        let child = SpatialInertia {
            rotational: Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0)),
            coupling: Matrix3::zeros(),
            linear: Matrix3::identity() * 2.0,
        };
        let mut whole = SpatialInertia {
            rotational: Matrix3::zeros(),
            coupling: Matrix3::zeros(),
            linear: Matrix3::zeros(),
        };
        whole.add_child(&child, &Matrix3::identity(), &Vector3::new(0.0, 0.0, 0.5));
        assert_eq!(whole.rotational, Matrix3::from_diagonal(&Vector3::new(1.5, 2.5, 3.0)));
        let force = SpatialVector {
            angular: Vector3::new(0.1, 0.2, 0.3),
            linear: Vector3::new(1.0, 2.0, 3.0),
        };
        let back = whole.times(&whole.accelerate(&force).unwrap());
        assert!((back.angular - force.angular).norm() < 1e-14);
        assert!((back.linear - force.linear).norm() < 1e-14);
    }
}
