//! Added mass that is given about one point of a body, for equations about its centre of mass.
//!
//! With r the centre of mass as the point sees it, v the velocity of the point relative to the water, ω the
//! angular velocity, a_w the acceleration of the water and a that of the centre of mass, all in the body
//! (T. I. Fossen, *Handbook of Marine Craft Hydrodynamics and Motion Control*, 2011, sections 6.3, 7.5 and 8.1):
//!
//! ```text
//! force at the point  τ = -M ν̇_r - C(ν_r) ν_r
//! ν̇_r = H (a, ω̇) - (ω × v + ω × (ω × r) + a_w, 0),        H = ( 1 S(r) ; 0 1 ),  S(r) x = r × x
//! C ν_r = ( ω × p,  v × p + ω × h ),                      (p, h) = M ν_r
//! ```
//!
//! Hᵀ moves a force and its moment from the point to the centre of mass. So Hᵀ M H is the added mass about the
//! centre of mass, and Hᵀ M (ω × v + ω × (ω × r) + a_w, 0) goes to the forces.

use ironbird_kinematics::Wrench;
use nalgebra::{Matrix6, Vector3, Vector6};

/// Added mass about a point.
#[derive(Clone, Debug, PartialEq)]
pub struct AddedMass {
    /// M: kg, kg m, kg m².
    pub matrix: Matrix6<f64>,
    /// r, m.
    pub lever: Vector3<f64>,
}

impl AddedMass {
    /// Hᵀ M H
    pub fn about_centre_of_mass(&self) -> Matrix6<f64> {
        let mut h = Matrix6::identity();
        h.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.lever.cross_matrix());
        h.transpose() * self.matrix * h
    }

    /// M (ω × v + ω × (ω × r) + a_w, 0)
    #[inline]
    pub fn carried(
        &self,
        velocity: &Vector3<f64>,
        omega: &Vector3<f64>,
        water: &Vector3<f64>,
    ) -> Vector6<f64> {
        let part = omega.cross(&(velocity + omega.cross(&self.lever))) + water;
        self.matrix.fixed_columns::<3>(0) * part
    }

    /// C(ν_r) ν_r
    #[inline]
    pub fn coriolis(&self, velocity: &Vector3<f64>, omega: &Vector3<f64>) -> Vector6<f64> {
        let momentum = self.matrix * join(velocity, omega);
        let linear = Vector3::new(momentum[0], momentum[1], momentum[2]);
        let angular = Vector3::new(momentum[3], momentum[4], momentum[5]);
        join(&omega.cross(&linear), &(velocity.cross(&linear) + omega.cross(&angular)))
    }

    /// Hᵀ τ
    #[inline]
    pub fn to_centre_of_mass(&self, at_point: &Vector6<f64>) -> Wrench {
        let force = Vector3::new(at_point[0], at_point[1], at_point[2]);
        let moment = Vector3::new(at_point[3], at_point[4], at_point[5]);
        Wrench { force, moment: moment - self.lever.cross(&force) }
    }
}

/// Two vectors as one.
#[inline]
pub fn join(linear: &Vector3<f64>, angular: &Vector3<f64>) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}
