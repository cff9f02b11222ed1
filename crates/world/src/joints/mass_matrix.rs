//! The mass matrix M of a tree, by the composite-rigid-body algorithm, and its factors.
//!
//! ```text
//! I_c = I + Σ I_c of the children
//! F = I_c S,  M_ii = Sᵀ F,  M_ij = F_jᵀ S_j       with F carried inwards to every j that carries i
//! M = Lᵀ L                                         L keeps the zeros of M: branches do not see each other
//! ```
//!
//! R. Featherstone, *Rigid Body Dynamics Algorithms*, 2008, tables 6.2 (with the floating base of 9.5) and 6.3: the
//! cost grows with the depth of the tree, not with the square of its joints.

use nalgebra::{Matrix3, Vector3};

use super::motion::LinkMotions;
use super::spatial::{SpatialInertia, SpatialVector};
use super::tree::{Freedom, Tree};

const NONE: usize = usize::MAX;

/// The mass matrix of a tree, or its factors: of the velocities in the order of [`Tree::dofs`].
#[derive(Clone, Debug)]
pub struct MassMatrix {
    /// Rows of the lower triangle, each of full length.
    values: Vec<f64>,
    /// The velocity that comes before each on the way to the base.
    parents: Vec<usize>,
    /// Velocities that nothing changes: of joints whose motion is prescribed.
    locked: Vec<bool>,
    composites: Vec<SpatialInertia>,
}

impl MassMatrix {
    /// Room for that of a tree.
    pub fn new(tree: &Tree) -> Self {
        let size = tree.dofs();
        let base = tree.base_dofs();
        let mut parents: Vec<usize> =
            (0..base).map(|dof| if dof == 0 { NONE } else { dof - 1 }).collect();
        // The last velocity on the way to each link.
        let mut last = vec![if base > 0 { base - 1 } else { NONE }; tree.links.len()];
        for (index, link) in tree.links.iter().enumerate().skip(1) {
            last[index] = last[link.parent];
            for _ in 0..dofs(&link.freedom) {
                parents.push(last[index]);
                last[index] = parents.len() - 1;
            }
        }
        let nothing = SpatialInertia {
            rotational: Matrix3::zeros(),
            coupling: Matrix3::zeros(),
            linear: Matrix3::zeros(),
        };
        MassMatrix {
            values: vec![0.0; size * size],
            parents,
            locked: vec![false; size],
            composites: vec![nothing; tree.links.len()],
        }
    }

    fn size(&self) -> usize {
        self.parents.len()
    }

    /// Element of a row and a column.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row.max(column) * self.size() + row.min(column)]
    }

    /// M where `motions` were placed. `step` > 0 adds what an implicit step of that length adds: h d + h² k of every
    /// joint. Joints whose motion is prescribed (by link; an empty slice for none) give way to nothing: their rows are
    /// those of the unit matrix.
    pub fn compose(
        &mut self,
        tree: &Tree,
        motions: &LinkMotions,
        step: f64,
        prescribed: &[Option<f64>],
    ) {
        self.values.fill(0.0);
        self.locked.fill(false);
        for (composite, link) in self.composites.iter_mut().zip(&tree.links) {
            *composite = link.inertia.spatial();
        }
        for (index, link) in tree.links.iter().enumerate().skip(1).rev() {
            let (before, from_here) = self.composites.split_at_mut(index);
            let motion = &motions.links[index];
            before[link.parent].add_child(&from_here[0], &motion.local, &motion.arm);
            let first = tree.base_dofs() + link.dof;
            for part in 0..dofs(&link.freedom) {
                let row = first + part;
                let force = self.composites[index].times(&direction(&link.freedom, part));
                self.fill_row(tree, motions, index, row, force, prescribed);
                let law = &link.law;
                self.values[row * self.parents.len() + row] +=
                    step * (law.damping + step * law.stiffness);
            }
            if prescribed.get(index).is_some_and(Option::is_some) {
                self.locked[first] = true;
                let row = first * self.size();
                self.values[row..row + first].fill(0.0);
                self.values[row + first] = 1.0;
            }
        }
        if tree.base_dofs() > 0 {
            let whole = self.composites[0];
            for row in 0..6 {
                let force = whole.times(&base_direction(row));
                let force = [force.angular, force.linear];
                for column in 0..=row {
                    self.values[row * self.parents.len() + column] = force[column / 3][column % 3];
                }
            }
        }
    }

    /// One row: a force in a joint, carried inwards.
    fn fill_row(
        &mut self,
        tree: &Tree,
        motions: &LinkMotions,
        link: usize,
        row: usize,
        mut force: SpatialVector,
        prescribed: &[Option<f64>],
    ) {
        let size = self.size();
        let mut here = link;
        while here > 0 {
            let body = &tree.links[here];
            if !prescribed.get(here).is_some_and(Option::is_some) || here == link {
                for part in 0..dofs(&body.freedom) {
                    let column = tree.base_dofs() + body.dof + part;
                    if column <= row {
                        self.values[row * size + column] =
                            force.dot(&direction(&body.freedom, part));
                    }
                }
            }
            force = force.force_to_parent(&motions.links[here].local, &motions.links[here].arm);
            here = body.parent;
        }
        if tree.base_dofs() > 0 {
            self.values[row * size..row * size + 3].copy_from_slice(force.angular.as_slice());
            self.values[row * size + 3..row * size + 6].copy_from_slice(force.linear.as_slice());
        }
    }

    /// The inertia of all links about the origin of the base, as of the last [`compose`](Self::compose).
    pub(super) fn whole(&self) -> &SpatialInertia {
        &self.composites[0]
    }

    /// Replaces M by L. An error is the velocity that has no inertia.
    pub fn factorise(&mut self) -> Result<(), usize> {
        let size = self.size();
        for k in (0..size).rev() {
            let pivot = self.values[k * size + k];
            if !(pivot > 1e-18 && pivot.is_finite()) {
                return Err(k);
            }
            let root = pivot.sqrt();
            self.values[k * size + k] = root;
            let mut i = self.parents[k];
            while i != NONE {
                self.values[k * size + i] /= root;
                i = self.parents[i];
            }
            i = self.parents[k];
            while i != NONE {
                let factor = self.values[k * size + i];
                let mut j = i;
                while j != NONE {
                    let change = factor * self.values[k * size + j];
                    let element = &mut self.values[i * size + j];
                    // What is left of a sum that cancels is rounding, not inertia.
                    let floor = if i == j { 1e-13 * *element } else { f64::NEG_INFINITY };
                    *element -= change;
                    if *element < floor {
                        *element = 0.0;
                    }
                    j = self.parents[j];
                }
                i = self.parents[i];
            }
        }
        Ok(())
    }

    /// M⁻¹ b in place of b, after [`factorise`](Self::factorise).
    pub fn solve(&self, b: &mut [f64]) {
        let size = self.size();
        for (b, _) in b.iter_mut().zip(&self.locked).filter(|(_, locked)| **locked) {
            *b = 0.0;
        }
        for i in (0..size).rev() {
            if b[i] == 0.0 {
                continue;
            }
            b[i] /= self.values[i * size + i];
            let mut j = self.parents[i];
            while j != NONE {
                b[j] -= self.values[i * size + j] * b[i];
                j = self.parents[j];
            }
        }
        for i in 0..size {
            let mut j = self.parents[i];
            while j != NONE {
                b[i] -= self.values[i * size + j] * b[j];
                j = self.parents[j];
            }
            b[i] /= self.values[i * size + i];
        }
    }
}

#[inline]
fn dofs(freedom: &Freedom) -> usize {
    match freedom {
        Freedom::Base => 0,
        Freedom::Axis(_) => 1,
        Freedom::Ball => 3,
    }
}

#[inline]
fn direction(freedom: &Freedom, part: usize) -> SpatialVector {
    match freedom {
        Freedom::Axis(axis) => axis.subspace,
        Freedom::Base | Freedom::Ball => base_direction(part),
    }
}

fn base_direction(part: usize) -> SpatialVector {
    let mut unit = [Vector3::zeros(); 2];
    unit[part / 3][part % 3] = 1.0;
    SpatialVector { angular: unit[0], linear: unit[1] }
}
