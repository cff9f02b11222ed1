//! What a tree does when something pushes at a point of a link: for contact solvers.
//!
//! The velocity of a point P of a link along a direction d is J w, with w the velocities in the order of
//! [`Tree::dofs`] and
//!
//! ```text
//! base    J_ω = Rᵀ ((P - O) × d)       J_v = Rᵀ d
//! axis    J = s · ((P - O_j) × d)      of those that carry the link; d · s of a sliding one
//! ```
//!
//! An impulse λ along d changes w by M⁻¹ Jᵀ λ.

use nalgebra::Vector3;

use super::mass_matrix::MassMatrix;
use super::motion::LinkMotions;
use super::state::TreeState;
use super::tree::{Freedom, Tree};

impl LinkMotions {
    /// The row J of a point and a direction, both in north, east, down; `row` is as long as [`Tree::dofs`].
    pub fn point_row(
        &self,
        tree: &Tree,
        link: usize,
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
        row: &mut [f64],
    ) {
        row.fill(0.0);
        let mut here = link;
        while here > 0 {
            let (body, motion) = (&tree.links[here], &self.links[here]);
            let moment = motion.rotation.tr_mul(&(point - motion.position).cross(direction));
            let column = tree.base_dofs() + body.dof;
            match &body.freedom {
                Freedom::Base => {}
                Freedom::Axis(axis) => {
                    let force = motion.rotation.tr_mul(direction);
                    row[column] =
                        axis.subspace.angular.dot(&moment) + axis.subspace.linear.dot(&force);
                }
                Freedom::Ball => row[column..column + 3].copy_from_slice(moment.as_slice()),
            }
            here = body.parent;
        }
        self.base_row(tree, Some(point), direction, row);
    }

    /// The row J of the angular velocity of a link about a direction in north, east, down: for friction that brakes
    /// spinning.
    pub fn spin_row(&self, tree: &Tree, link: usize, direction: &Vector3<f64>, row: &mut [f64]) {
        row.fill(0.0);
        let mut here = link;
        while here > 0 {
            let (body, motion) = (&tree.links[here], &self.links[here]);
            let about = motion.rotation.tr_mul(direction);
            let column = tree.base_dofs() + body.dof;
            match &body.freedom {
                Freedom::Base => {}
                Freedom::Axis(axis) => row[column] = axis.subspace.angular.dot(&about),
                Freedom::Ball => row[column..column + 3].copy_from_slice(about.as_slice()),
            }
            here = body.parent;
        }
        self.base_row(tree, None, direction, row);
    }

    /// The base's part of a row: of a point, or of the angular velocity where there is none.
    fn base_row(
        &self,
        tree: &Tree,
        point: Option<&Vector3<f64>>,
        direction: &Vector3<f64>,
        row: &mut [f64],
    ) {
        if tree.base_dofs() == 0 {
            return;
        }
        let base = &self.links[0];
        let along = base.rotation.tr_mul(direction);
        match point {
            Some(point) => {
                let moment = base.rotation.tr_mul(&(point - base.position).cross(direction));
                row[..3].copy_from_slice(moment.as_slice());
                row[3..6].copy_from_slice(along.as_slice());
            }
            None => row[..3].copy_from_slice(along.as_slice()),
        }
    }
}

impl MassMatrix {
    /// M⁻¹ Jᵀ of a row J into `response`, after [`factorise`](Self::factorise); gives J M⁻¹ Jᵀ, the change of the
    /// row's velocity per impulse.
    pub fn response(&self, row: &[f64], response: &mut [f64]) -> f64 {
        response.copy_from_slice(row);
        self.solve(response);
        row.iter().zip(&*response).map(|(j, r)| j * r).sum()
    }
}

impl TreeState {
    /// The velocities in the order of [`Tree::dofs`].
    pub fn read_velocities(&self, tree: &Tree, velocities: &mut [f64]) {
        let (base, joints) = velocities.split_at_mut(tree.base_dofs());
        if !base.is_empty() {
            base[..3].copy_from_slice(self.base.rates.as_slice());
            base[3..].copy_from_slice(self.base.to_body(&self.base.velocity).as_slice());
        }
        joints.copy_from_slice(&self.velocities);
    }

    /// Takes velocities in the order of [`Tree::dofs`].
    pub fn write_velocities(&mut self, tree: &Tree, velocities: &[f64]) {
        let (base, joints) = velocities.split_at(tree.base_dofs());
        if !base.is_empty() {
            self.base.rates = Vector3::from_column_slice(&base[..3]);
            self.base.velocity = self.base.to_ned(&Vector3::from_column_slice(&base[3..]));
        }
        self.velocities.copy_from_slice(joints);
    }

    /// Changes the velocities by `impulse` times a response M⁻¹ Jᵀ.
    pub fn push(&mut self, tree: &Tree, response: &[f64], impulse: f64) {
        let (base, joints) = response.split_at(tree.base_dofs());
        if !base.is_empty() {
            let vector = |from: usize| Vector3::from_column_slice(&base[from..from + 3]) * impulse;
            self.base.rates += vector(0);
            self.base.velocity += self.base.to_ned(&vector(3));
        }
        for (velocity, change) in self.velocities.iter_mut().zip(joints) {
            *velocity += change * impulse;
        }
    }
}
