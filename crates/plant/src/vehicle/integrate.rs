//! How vehicles are moved: one step of the Runge-Kutta method of fourth order over a rigid body and its own numbers.
//!
//! ```text
//! p' = v    v' = g + R a    q' = ½ q (0, ω)    own' = rates
//! without added mass    a = F / m    ω' = J⁻¹ (M - ω × J ω)
//! with it               (a, ω') from the six equations of the module above
//! ```
//!
//! F and M are those of the vehicle.

use ironbird_kinematics::{RigidMotion, Wrench};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::number::Number;
pub use super::runge_kutta::Acceleration;
use super::runge_kutta::{self, Rates, Slope};
use super::{Inertia, MOST_STATES, Surroundings, Vehicle};

/// [`Inertia`], inverted once.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedInertia {
    mass: f64,
    inverse_mass: f64,
    turning: Turning,
}

#[derive(Clone, Debug, PartialEq)]
enum Turning {
    Principal(Principal),
    Full {
        tensor: Matrix3<f64>,
        inverse: Matrix3<f64>,
    },
    /// With added mass: the inverse of the matrix of all six equations.
    Added(Box<(Matrix3<f64>, Matrix6<f64>)>),
}

/// A body whose axes are its principal axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Principal {
    inverse_mass: f64,
    moments: Vector3<f64>,
    inverse: Vector3<f64>,
}

impl Principal {
    /// What a moment, and a force along the body's axis downwards, do to it: one column of the rotation is enough.
    #[inline(always)]
    pub fn lift<T: Number>(
        &self,
        motion: &RigidMotion<T>,
        down: T,
        moment: &Vector3<T>,
        gravity: &Vector3<T>,
    ) -> Acceleration<T> {
        let q = &motion.attitude.coords;
        let doubled = T::from(2.0) * down;
        let pushed = Vector3::new(
            (q.x * q.z + q.w * q.y) * doubled,
            (q.y * q.z - q.w * q.x) * doubled,
            down - (q.x * q.x + q.y * q.y) * doubled,
        );
        Acceleration {
            linear: gravity + pushed * T::from(self.inverse_mass),
            angular: self.turn(&motion.rates, moment),
        }
    }

    #[inline(always)]
    fn turn<T: Number>(&self, rates: &Vector3<T>, moment: &Vector3<T>) -> Vector3<T> {
        let momentum = self.moments.map(T::from).component_mul(rates);
        self.inverse.map(T::from).component_mul(&(moment - rates.cross(&momentum)))
    }
}

/// Why a body cannot be accelerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InertiaProblem {
    /// The mass is not above zero.
    #[error("the mass must be a number above zero")]
    Mass,
    /// The tensor, or the matrix with added mass, is not symmetric and positive.
    #[error("the inertia must be symmetric, with moments above zero about every axis")]
    Tensor,
}

impl SolvedInertia {
    /// Inverts what resists acceleration.
    pub fn new(inertia: &Inertia) -> Result<Self, InertiaProblem> {
        let Inertia { mass, tensor, added } = inertia;
        if !(*mass > 0.0 && mass.is_finite()) {
            return Err(InertiaProblem::Mass);
        }
        let bound = 1e-9 * tensor.amax();
        let symmetric = (tensor - tensor.transpose()).amax() <= bound;
        if !symmetric {
            return Err(InertiaProblem::Tensor);
        }
        let inverse = tensor.cholesky().ok_or(InertiaProblem::Tensor)?.inverse();
        let turning = if let Some(added) = added {
            let mut whole = **added;
            for axis in 0..3 {
                whole[(axis, axis)] += mass;
            }
            let mut turned = whole.fixed_view_mut::<3, 3>(3, 3);
            turned += tensor;
            let whole = whole.try_inverse().ok_or(InertiaProblem::Tensor)?;
            if !whole.iter().all(|entry| entry.is_finite()) {
                return Err(InertiaProblem::Tensor);
            }
            Turning::Added(Box::new((*tensor, whole)))
        } else if *tensor == Matrix3::from_diagonal(&tensor.diagonal()) {
            let moments = tensor.diagonal();
            let inverse = moments.map(|moment| 1.0 / moment);
            Turning::Principal(Principal { inverse_mass: 1.0 / mass, moments, inverse })
        } else {
            Turning::Full { tensor: *tensor, inverse }
        };
        Ok(SolvedInertia { mass: *mass, inverse_mass: 1.0 / mass, turning })
    }

    /// The mass in kg, without added mass.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// The same for several bodies side by side, if their axes are their principal axes.
    pub(crate) fn principal(&self) -> Option<&Principal> {
        match &self.turning {
            Turning::Principal(body) => Some(body),
            _ => None,
        }
    }

    /// Its inertia about the centre of mass and the inverse of that; none where water moves with it, as then no point
    /// takes a push without a moment.
    pub fn tensors(&self) -> Option<(Matrix3<f64>, Matrix3<f64>)> {
        match &self.turning {
            Turning::Principal(body) => {
                let matrix = Matrix3::from_diagonal;
                Some((matrix(&body.moments), matrix(&body.inverse)))
            }
            Turning::Full { tensor, inverse } => Some((*tensor, *inverse)),
            Turning::Added(_) => None,
        }
    }

    /// What an impulse (N s, N m s, about the centre of mass, in the body) does to the velocity and the angular
    /// velocity of the body, in the body.
    #[inline]
    pub fn respond(&self, impulse: &[f64; 6]) -> [f64; 6] {
        let [a, b, c, d, e, f] = *impulse;
        let linear = [a, b, c].map(|part| part * self.inverse_mass);
        let angular = match &self.turning {
            Turning::Principal(body) => body.inverse.component_mul(&Vector3::new(d, e, f)),
            Turning::Full { inverse, .. } => inverse * Vector3::new(d, e, f),
            Turning::Added(solved) => return (solved.1 * Vector6::from(*impulse)).into(),
        };
        [linear[0], linear[1], linear[2], angular.x, angular.y, angular.z]
    }

    /// What a wrench without the weight does to a body that moves so, where bodies fall by `gravity`.
    #[inline(always)]
    pub fn accelerate(
        &self,
        motion: &RigidMotion,
        wrench: &Wrench,
        gravity: &Vector3<f64>,
    ) -> Acceleration {
        let rates = &motion.rates;
        match &self.turning {
            Turning::Principal(body) if wrench.force.x == 0.0 && wrench.force.y == 0.0 => {
                body.lift(motion, wrench.force.z, &wrench.moment, gravity)
            }
            Turning::Principal(body) => Acceleration {
                linear: gravity + motion.to_ned(&wrench.force) * self.inverse_mass,
                angular: body.turn(rates, &wrench.moment),
            },
            Turning::Full { tensor, inverse } => Acceleration {
                linear: gravity + motion.to_ned(&(wrench.force * self.inverse_mass)),
                angular: inverse * (wrench.moment - rates.cross(&(tensor * rates))),
            },
            Turning::Added(solved) => self.accelerate_with_water(solved, motion, wrench, gravity),
        }
    }

    #[inline(never)]
    fn accelerate_with_water(
        &self,
        (tensor, inverse): &(Matrix3<f64>, Matrix6<f64>),
        motion: &RigidMotion,
        wrench: &Wrench,
        gravity: &Vector3<f64>,
    ) -> Acceleration {
        let rates = &motion.rates;
        let force = wrench.force + motion.to_body(gravity) * self.mass;
        let moment = wrench.moment - rates.cross(&(tensor * rates));
        let all = inverse * Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z);
        Acceleration {
            linear: motion.to_ned(&all.fixed_rows::<3>(0).into()),
            angular: all.fixed_rows::<3>(3).into(),
        }
    }
}

impl Acceleration {
    /// What an accelerometer in the centre of mass shows, in m/s², in the body.
    #[inline]
    pub fn specific_force(&self, motion: &RigidMotion, gravity: &Vector3<f64>) -> Vector3<f64> {
        motion.to_body(&(self.linear - gravity))
    }
}

/// How a vehicle changes at one moment: its motion and its own numbers. A step may begin with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Of its motion.
    pub acceleration: Acceleration,
    /// Of its own numbers.
    pub(super) rates: [f64; MOST_STATES],
}

impl Default for Change {
    fn default() -> Self {
        let acceleration = Acceleration { linear: Vector3::zeros(), angular: Vector3::zeros() };
        Change { acceleration, rates: [0.0; MOST_STATES] }
    }
}

/// What acts on a vehicle during a step, beside itself.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// Its commands.
    pub commands: &'a [f64],
    /// What surrounds it.
    pub around: &'a Surroundings,
}

/// One step of `h` seconds, with commands and surroundings held over it. `first`, where it is known, is how the vehicle
/// changes at its beginning.
///
/// Answers with the acceleration at its beginning. `own` must have as many numbers as the vehicle has states: what is
/// beyond [`MOST_STATES`] stays as it is.
#[inline]
pub fn step<V: Vehicle + ?Sized>(
    vehicle: &V,
    mass: &SolvedInertia,
    motion: &mut RigidMotion,
    own: &mut [f64],
    held: &Held<'_>,
    h: f64,
    first: Option<&Change>,
) -> Acceleration {
    let system = System { vehicle, mass, held };
    // Few sizes, so that the loops over the own numbers are unrolled for the usual ones.
    match own.len() {
        0 => system.step::<0>(motion, own, h, first),
        1..=4 => system.step::<4>(motion, own, h, first),
        5..=8 => system.step::<8>(motion, own, h, first),
        _ => system.step::<MOST_STATES>(motion, own, h, first),
    }
}

/// How a vehicle changes as it is now, written into `into`.
#[inline]
pub fn change<V: Vehicle + ?Sized>(
    vehicle: &V,
    mass: &SolvedInertia,
    motion: &RigidMotion,
    own: &[f64],
    held: &Held<'_>,
    into: &mut Change,
) {
    let count = own.len().min(MOST_STATES);
    let system = System { vehicle, mass, held };
    into.acceleration = system.rates(motion, &own[..count], &mut into.rates[..count]);
}

/// The acceleration of a vehicle as it is now.
pub fn acceleration<V: Vehicle + ?Sized>(
    vehicle: &V,
    mass: &SolvedInertia,
    motion: &RigidMotion,
    own: &[f64],
    held: &Held<'_>,
) -> Acceleration {
    let mut now = Change::default();
    change(vehicle, mass, motion, own, held, &mut now);
    now.acceleration
}

struct System<'a, V: ?Sized> {
    vehicle: &'a V,
    mass: &'a SolvedInertia,
    held: &'a Held<'a>,
}

impl<V: Vehicle + ?Sized> Rates<f64> for System<'_, V> {
    #[inline(always)]
    fn rates(&self, motion: &RigidMotion, own: &[f64], rates: &mut [f64]) -> Acceleration {
        let Held { commands, around } = self.held;
        let wrench = self.vehicle.forces(motion, own, commands, around, rates);
        self.mass.accelerate(motion, &wrench, &around.gravity)
    }
}

impl<V: Vehicle + ?Sized> System<'_, V> {
    #[inline]
    fn step<const N: usize>(
        &self,
        motion: &mut RigidMotion,
        own: &mut [f64],
        h: f64,
        known: Option<&Change>,
    ) -> Acceleration {
        let count = own.len().min(N);
        let mut rates = [0.0; N];
        let acceleration = match known {
            Some(known) => {
                rates[..count].copy_from_slice(&known.rates[..count]);
                known.acceleration
            }
            None => self.rates(motion, &own[..count], &mut rates[..count]),
        };
        runge_kutta::step(self, motion, own, h, Slope { acceleration, rates });
        acceleration
    }
}
