//! Energy, momentum and centre of mass of a whole tree: what its laws of motion keep.

use nalgebra::{Matrix6, Vector3, Vector6};

use super::dynamics::Dynamics;
use super::motion::LinkMotions;
use super::state::TreeState;
use super::tree::{Base, Tree};

/// Linear momentum, and angular momentum about the origin of north, east, down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// In kg m/s.
    pub linear: Vector3<f64>,
    /// In kg m²/s.
    pub angular: Vector3<f64>,
}

impl LinkMotions {
    /// Kinetic energy in J.
    pub fn kinetic_energy(&self, tree: &Tree) -> f64 {
        let of = |(motion, link): (&super::LinkMotion, &super::tree::Link)| {
            0.5 * motion.velocity.dot(&link.inertia.momentum(&motion.velocity))
        };
        self.links.iter().zip(&tree.links).map(of).sum()
    }

    /// Potential energy in J of weight and of the springs of joints; that of weight is zero at the origin.
    pub fn potential_energy(&self, tree: &Tree, positions: &[f64], gravity: &Vector3<f64>) -> f64 {
        let springs = tree.links.iter().skip(1).map(|link| {
            let stretch = positions[link.position] - link.law.reference;
            // Balls have no spring; their stiffness is zero.
            0.5 * link.law.stiffness * stretch * stretch
        });
        springs.sum::<f64>() - gravity.dot(&self.first_moment(tree))
    }

    /// Momentum of all links.
    pub fn momentum(&self, tree: &Tree) -> Momentum {
        let mut whole = Momentum { linear: Vector3::zeros(), angular: Vector3::zeros() };
        for (motion, link) in self.links.iter().zip(&tree.links) {
            let own = link.inertia.momentum(&motion.velocity);
            let linear = motion.rotation * own.linear;
            whole.linear += linear;
            whole.angular += motion.rotation * own.angular + motion.position.cross(&linear);
        }
        whole
    }

    /// Centre of mass in north, east, down; `None` of a tree without mass.
    pub fn centre_of_mass(&self, tree: &Tree) -> Option<Vector3<f64>> {
        let mass = tree.mass();
        (mass > 0.0).then(|| self.first_moment(tree) / mass)
    }

    fn first_moment(&self, tree: &Tree) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for (motion, link) in self.links.iter().zip(&tree.links) {
            sum +=
                motion.position * link.inertia.mass + motion.rotation * link.inertia.first_moment;
        }
        sum
    }
}

impl Dynamics {
    /// Momentum of all links in a state.
    pub fn momentum(&mut self, state: &TreeState) -> Momentum {
        self.motions.place(&self.tree, state);
        self.motions.momentum(&self.tree)
    }

    /// Changes the velocity of a floating base so that the whole has this momentum; joints keep theirs.
    pub fn give_momentum(&mut self, state: &mut TreeState, wanted: &Momentum) {
        if self.tree.base() != Base::Floating {
            return;
        }
        let has = self.momentum(state);
        let linear = wanted.linear - has.linear;
        let angular = wanted.angular - has.angular - state.base.position.cross(&linear);
        let (angular, linear) = (state.base.to_body(&angular), state.base.to_body(&linear));
        self.matrix.compose(&self.tree, &self.motions, 0.0, &[]);
        let whole = self.matrix.whole();
        let mut inertia = Matrix6::zeros();
        inertia.fixed_view_mut::<3, 3>(0, 0).copy_from(&whole.rotational);
        inertia.fixed_view_mut::<3, 3>(0, 3).copy_from(&whole.coupling);
        inertia.fixed_view_mut::<3, 3>(3, 0).copy_from(&whole.coupling.transpose());
        inertia.fixed_view_mut::<3, 3>(3, 3).copy_from(&whole.linear);
        let missing = Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z);
        let Some(change) = inertia.lu().solve(&missing) else { return };
        state.base.rates += change.fixed_rows::<3>(0);
        state.base.velocity += state.base.to_ned(&change.fixed_rows::<3>(3).into());
    }
}
