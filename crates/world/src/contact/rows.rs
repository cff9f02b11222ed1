//! The rows of contacts: what a push does to the bodies at both sides, and how fast they make the point of contact.

use nalgebra::Vector3;

/// One side of a contact: the numbers of u from `first` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub first: usize,
    pub count: usize,
}

/// One of the three directions of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Where its coefficients begin: for each side J, then M⁻¹Jᵀ.
    pub start: usize,
    pub impulse: f64,
    pub target: f64,
}

/// A contact as the solver has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub sides: [Option<Side>; 2],
    pub friction: f64,
    pub rows: [Row; 3],
    /// Jn M⁻¹ Jnᵀ
    pub yielding: f64,
    /// How the two tangents give way: Jt M⁻¹ Jtᵀ, its elements 11, 12 and 22.
    pub across: [f64; 3],
    /// λmin
    pub least: f64,
}

impl Contact {
    /// Along n and the tangents.
    pub fn impulses(&self) -> [f64; 3] {
        let [normal, first, second] = &self.rows;
        [normal.impulse, first.impulse, second.impulse]
    }

    pub fn set_impulses(&mut self, impulses: [f64; 3]) {
        for (row, impulse) in self.rows.iter_mut().zip(impulses) {
            row.impulse = impulse;
        }
    }

    /// J u of a row.
    #[inline]
    pub fn along(&self, row: usize, coefficients: &[f64], velocities: &[f64]) -> f64 {
        let mut at = self.rows[row].start;
        let mut sum = 0.0;
        for side in self.sides.iter().flatten() {
            let own = &velocities[side.first..side.first + side.count];
            sum += dot(&coefficients[at..at + side.count], own);
            at += 2 * side.count;
        }
        sum
    }

    /// u += M⁻¹Jᵀ λ
    #[inline]
    pub fn push(&self, row: usize, impulse: f64, coefficients: &[f64], velocities: &mut [f64]) {
        if impulse == 0.0 {
            return;
        }
        let mut at = self.rows[row].start;
        for side in self.sides.iter().flatten() {
            let response = &coefficients[at + side.count..at + 2 * side.count];
            add(&mut velocities[side.first..side.first + side.count], response, impulse);
            at += 2 * side.count;
        }
    }
}

#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    if let (&[a0, a1, a2, a3, a4, a5], &[b0, b1, b2, b3, b4, b5]) = (a, b) {
        return (a0 * b0 + a1 * b1 + a2 * b2) + (a3 * b3 + a4 * b4 + a5 * b5);
    }
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a += factor b
#[inline]
fn add(a: &mut [f64], b: &[f64], factor: f64) {
    if let (
        &mut [ref mut a0, ref mut a1, ref mut a2, ref mut a3, ref mut a4, ref mut a5],
        &[b0, b1, b2, b3, b4, b5],
    ) = (&mut *a, b)
    {
        (*a0, *a1, *a2) = (*a0 + b0 * factor, *a1 + b1 * factor, *a2 + b2 * factor);
        (*a3, *a4, *a5) = (*a3 + b3 * factor, *a4 + b4 * factor, *a5 + b5 * factor);
        return;
    }
    for (a, b) in a.iter_mut().zip(b) {
        *a += b * factor;
    }
}

/// The row of a rigid body: a force along `way` at `arm` from its centre of mass.
#[inline]
pub(super) fn rigid_row(way: &Vector3<f64>, arm: &Vector3<f64>, jacobian: &mut [f64]) {
    let moment = arm.cross(way);
    jacobian[..3].copy_from_slice(way.as_slice());
    jacobian[3..].copy_from_slice(moment.as_slice());
}
