//! Mass, centre and inertia of a link, and how those of links that are fixed to each other become one.
//!
//! ```text
//! m  = m₁ + m₂        c = (m₁ c₁ + m₂ c₂)/m
//! J  = Σ Jᵢ + mᵢ (|dᵢ|² 1 - dᵢ dᵢᵀ),    dᵢ = cᵢ - c         (Steiner)
//! ```

use nalgebra::{Isometry3, Matrix3, Vector3};

use super::spatial::{SpatialInertia, SpatialVector};

/// Mass properties of a link in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkInertia {
    /// In kg.
    pub mass: f64,
    /// Centre of mass in m.
    pub centre: Vector3<f64>,
    /// Inertia about the centre of mass in kg m².
    pub tensor: Matrix3<f64>,
}

impl LinkInertia {
    /// A link that weighs nothing, to be fixed to another or to carry one.
    pub fn massless() -> Self {
        LinkInertia { mass: 0.0, centre: Vector3::zeros(), tensor: Matrix3::zeros() }
    }

    /// A mass in a point.
    pub fn point(mass: f64, centre: Vector3<f64>) -> Self {
        LinkInertia { mass, centre, tensor: Matrix3::zeros() }
    }

    /// A body whose principal axes are those of the link, with its centre at the origin.
    pub fn principal(mass: f64, moments: [f64; 3]) -> Self {
        LinkInertia {
            mass,
            centre: Vector3::zeros(),
            tensor: Matrix3::from_diagonal(&Vector3::from(moments)),
        }
    }

    /// The same in another frame, where `place` is the place of this one.
    pub fn placed(&self, place: &Isometry3<f64>) -> Self {
        let rotation = place.rotation.to_rotation_matrix();
        LinkInertia {
            mass: self.mass,
            centre: place.rotation * self.centre + place.translation.vector,
            tensor: rotation.matrix() * self.tensor * rotation.matrix().transpose(),
        }
    }

    /// This and another body, both in the same frame, as one.
    pub fn merged(&self, other: &LinkInertia) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return LinkInertia { tensor: self.tensor + other.tensor, ..*self };
        }
        let centre = (self.centre * self.mass + other.centre * other.mass) / mass;
        let about = |body: &LinkInertia| body.tensor + steiner(body.mass, &(body.centre - centre));
        LinkInertia { mass, centre, tensor: about(self) + about(other) }
    }

    /// The same averaged over a turn about an axis (of length one) through the origin: what a rotor is to its carrier
    /// where its azimuth does not matter.
    pub fn averaged_about(&self, axis: &Vector3<f64>) -> Self {
        let centre = axis * axis.dot(&self.centre);
        let tensor = self.tensor + steiner(self.mass, &(self.centre - centre));
        let along = axis.dot(&(tensor * axis));
        let projection = axis * axis.transpose();
        let across = (Matrix3::identity() - projection) * ((tensor.trace() - along) / 2.0);
        LinkInertia { mass: self.mass, centre, tensor: projection * along + across }
    }

    /// What is wrong with it, if anything: numbers that are none, a negative mass, an inertia that no body has.
    pub fn fault(&self) -> Option<String> {
        let numbers = self.centre.iter().chain(self.tensor.iter());
        if !self.mass.is_finite() || numbers.copied().any(|v| !v.is_finite()) {
            return Some("mass, centre and inertia must be finite".into());
        }
        if self.mass < 0.0 {
            return Some(format!("a mass of {} kg", self.mass));
        }
        let scale = self.tensor.abs().max();
        if (self.tensor - self.tensor.transpose()).abs().max() > 1e-9 * scale {
            return Some("an inertia that is not symmetric".into());
        }
        let moments = self.tensor.symmetric_eigenvalues();
        if moments.min() < -1e-9 * scale {
            return Some(format!(
                "an inertia with a negative principal moment ({:e} kg m²)",
                moments.min()
            ));
        }
        None
    }
}

fn steiner(mass: f64, arm: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::identity() * arm.norm_squared() - arm * arm.transpose()) * mass
}

/// The same about the origin of the link: what the algorithms want.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginInertia {
    pub mass: f64,
    /// m c
    pub first_moment: Vector3<f64>,
    pub tensor: Matrix3<f64>,
}

impl From<&LinkInertia> for OriginInertia {
    fn from(link: &LinkInertia) -> Self {
        OriginInertia {
            mass: link.mass,
            first_moment: link.centre * link.mass,
            tensor: link.tensor + steiner(link.mass, &link.centre),
        }
    }
}

impl OriginInertia {
    #[inline]
    pub fn spatial(&self) -> SpatialInertia {
        SpatialInertia {
            rotational: self.tensor,
            coupling: self.first_moment.cross_matrix(),
            linear: Matrix3::from_diagonal_element(self.mass),
        }
    }

    /// Adds this, as the parent of its link sees it: with h = R m c, r the arm and k = h + m r,
    /// H = \[k\]×, I = R I Rᵀ + (h · r + r · k) 1 - r hᵀ - k rᵀ.
    #[inline]
    pub fn add_to(&self, parent: &mut SpatialInertia, rotation: &Matrix3<f64>, arm: &Vector3<f64>) {
        let moment = rotation * self.first_moment;
        let moved = moment + arm * self.mass;
        parent.rotational += rotation * (self.tensor * rotation.transpose())
            + Matrix3::from_diagonal_element(moment.dot(arm) + arm.dot(&moved))
            - arm * moment.transpose()
            - moved * arm.transpose();
        parent.coupling += moved.cross_matrix();
        parent.linear += Matrix3::from_diagonal_element(self.mass);
    }

    /// Momentum: angular about the origin, and linear.
    #[inline]
    pub fn momentum(&self, velocity: &SpatialVector) -> SpatialVector {
        SpatialVector {
            angular: self.tensor * velocity.angular + self.first_moment.cross(&velocity.linear),
            linear: velocity.linear * self.mass + velocity.angular.cross(&self.first_moment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_halves_of_a_rod_are_a_rod() {
        let rod = |mass: f64, length: f64, at: f64| LinkInertia {
            mass,
            centre: Vector3::new(at, 0.0, 0.0),
            tensor: Matrix3::from_diagonal(
                &(Vector3::new(0.0, 1.0, 1.0) * (mass * length * length / 12.0)),
            ),
        };
        let whole = rod(1.0, 0.5, -0.25).merged(&rod(1.0, 0.5, 0.25));
        assert!((whole.tensor - rod(2.0, 1.0, 0.0).tensor).abs().max() < 1e-15);
        assert_eq!(whole.centre, Vector3::zeros());
    }

    #[test]
    fn an_averaged_body_is_the_mean_of_its_turned_ones() {
        let body = LinkInertia {
            mass: 0.5,
            centre: Vector3::new(0.1, -0.2, 0.3),
            tensor: Matrix3::new(1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 2.5),
        };
        let quarter =
            |n: f64| Isometry3::rotation(Vector3::z() * (n * std::f64::consts::FRAC_PI_2));
        let [a, b, c, d] = [0.0, 1.0, 2.0, 3.0].map(|n| body.placed(&quarter(n)));
        let mean = a.merged(&b).merged(&c.merged(&d));
        let found = body.averaged_about(&Vector3::z());
        assert!((mean.tensor / 4.0 - found.tensor).abs().max() < 1e-14);
        assert!((mean.centre - found.centre).norm() < 1e-14);
    }

    #[test]
    fn impossible_bodies_are_named() {
        assert_eq!(LinkInertia::principal(1.0, [1.0, 1.0, 1.0]).fault(), None);
        assert!(LinkInertia::principal(-1.0, [1.0, 1.0, 1.0]).fault().unwrap().contains("-1 kg"));
        assert!(
            LinkInertia::principal(1.0, [1.0, -1.0, 1.0])
                .fault()
                .unwrap()
                .contains("negative principal")
        );
        assert!(LinkInertia::principal(f64::NAN, [1.0; 3]).fault().unwrap().contains("finite"));
        let mut skew = LinkInertia::principal(1.0, [1.0; 3]);
        skew.tensor.m12 = 0.1;
        assert!(skew.fault().unwrap().contains("symmetric"));
    }
}
