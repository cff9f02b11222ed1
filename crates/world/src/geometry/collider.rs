//! A shape with a place and a surface.

use nalgebra::{Isometry3, Vector3};
use parry3d_f64::math::Pose;
use parry3d_f64::shape::SharedShape;

use super::convert::pose_to_parry;
use super::form::{Form, FormError};

/// What a surface does where it touches another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// What is left of the speed of approach after an impact, between 0 and 1.
    pub restitution: f64,
}

impl Default for Surface {
    fn default() -> Self {
        Surface { friction: 0.8, restitution: 0.0 }
    }
}

impl Surface {
    /// Two surfaces together: the smaller friction, as one of the two slides first (Gazebo's rule, too); the larger
    /// restitution.
    #[inline]
    pub fn with(&self, other: &Surface) -> Surface {
        Surface {
            friction: self.friction.min(other.friction),
            restitution: self.restitution.max(other.restitution),
        }
    }
}

/// A shape on a body, or in the world.
#[derive(Clone)]
pub struct Collider {
    /// What it is.
    pub form: Form,
    /// Where its centre is: on the body from the centre of mass, in the frame of its link where that is not the
    /// first, or in the world.
    pub pose: Isometry3<f64>,
    /// The link of an articulated body that carries it; 0 of all others.
    pub link: usize,
    /// What it is made of.
    pub surface: Surface,
    /// The library's shape.
    pub(crate) shape: SharedShape,
    /// The library's shape is turned against ours by this.
    pub(crate) turned: Pose,
    /// Points on which it can stand, about its own centre.
    pub(crate) corners: Vec<Vector3<f64>>,
    /// How far it reaches from its own centre, in m.
    pub(crate) reach: f64,
    /// How deep another shape can be in it before it may be taken to have come from the other side, in m.
    pub(crate) thin: f64,
}

impl Collider {
    /// A shape at a place.
    pub fn new(form: Form, pose: Isometry3<f64>, surface: Surface) -> Result<Self, FormError> {
        let (shape, turned) = form.build()?;
        let reach = match form {
            Form::HalfSpace => f64::INFINITY,
            _ => {
                let sphere = shape.compute_local_bounding_sphere();
                sphere.center().length() + sphere.radius()
            }
        };
        let (corners, turned) = (form.corners(), pose_to_parry(&turned));
        let thin = form.thin(&shape);
        Ok(Collider { form, pose, link: 0, surface, shape, turned, corners, reach, thin })
    }

    /// The same on another link of an articulated body.
    pub fn on(mut self, link: usize) -> Self {
        self.link = link;
        self
    }

    /// Where the library's shape is, if the body is at `body`.
    #[inline]
    pub(crate) fn placed(&self, body: &Isometry3<f64>) -> Pose {
        pose_to_parry(&(body * self.pose)) * self.turned
    }
}
