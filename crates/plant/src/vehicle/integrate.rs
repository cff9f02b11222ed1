//! How vehicles are moved: one step of the Runge-Kutta method of fourth order over a rigid body and its own numbers.
//!
//! ```text
//! p' = v    v' = g + R a    q' = ½ q (0, ω)    own' = rates
//! without added mass    a = F / m    ω' = J⁻¹ (M - ω × J ω)
//! with it               (a, ω') from the six equations of the module above
//! ```
//!
//! F and M are those of the vehicle and an external wrench that is held over the step. Quaternions of inner stages are
//! left as they are: their length differs from one by the square of the angle of half a step, and the method is of
//! fourth order for the equations over all quaternions. That of the result is brought to unit length.
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.1 ("the" Runge-Kutta
//! method).

use ironbird_kinematics::{RigidMotion, Wrench};
use nalgebra::{Matrix3, Matrix6, Quaternion, UnitQuaternion, Vector3, Vector4, Vector6};

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
    /// About principal axes.
    Principal {
        moments: Vector3<f64>,
        inverse: Vector3<f64>,
    },
    Full {
        tensor: Matrix3<f64>,
        inverse: Matrix3<f64>,
    },
    /// With added mass: the inverse of the matrix of all six equations.
    Added(Box<(Matrix3<f64>, Matrix6<f64>)>),
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
            Turning::Principal { moments, inverse: moments.map(|moment| 1.0 / moment) }
        } else {
            Turning::Full { tensor: *tensor, inverse }
        };
        Ok(SolvedInertia { mass: *mass, inverse_mass: 1.0 / mass, turning })
    }

    /// The mass in kg, without added mass.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// What an impulse (N s, N m s, about the centre of mass, in the body) does to the velocity and the angular
    /// velocity of the body, in the body.
    #[inline]
    pub fn respond(&self, impulse: &[f64; 6]) -> [f64; 6] {
        let [a, b, c, d, e, f] = *impulse;
        let linear = [a, b, c].map(|part| part * self.inverse_mass);
        let angular = match &self.turning {
            Turning::Principal { inverse, .. } => inverse.component_mul(&Vector3::new(d, e, f)),
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
            Turning::Principal { moments, inverse } => {
                let momentum = moments.component_mul(rates);
                let moment = wrench.moment - rates.cross(&momentum);
                Acceleration {
                    linear: gravity + pushed(motion, &wrench.force) * self.inverse_mass,
                    angular: inverse.component_mul(&moment),
                }
            }
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

/// A force of the body in north, east, down. One along its axis downwards, as that of most rotors is, needs one column
/// of the rotation only.
#[inline(always)]
fn pushed(motion: &RigidMotion, force: &Vector3<f64>) -> Vector3<f64> {
    if force.x != 0.0 || force.y != 0.0 {
        return motion.to_ned(force);
    }
    let q = &motion.attitude.coords;
    let doubled = 2.0 * force.z;
    Vector3::new(
        (q.x * q.z + q.w * q.y) * doubled,
        (q.y * q.z - q.w * q.x) * doubled,
        force.z - (q.x * q.x + q.y * q.y) * doubled,
    )
}

/// How the motion of a body changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration {
    /// Of the centre of mass over ground, in m/s²: north, east, down.
    pub linear: Vector3<f64>,
    /// In rad/s², in the body.
    pub angular: Vector3<f64>,
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
    rates: [f64; MOST_STATES],
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
    /// What else pushes it.
    pub external: &'a Wrench,
}

/// One step of `h` seconds, with commands, surroundings and the external wrench held over it.
///
/// Answers with the acceleration at its beginning. `own` must have as many numbers as the vehicle has states: what is
/// beyond [`MOST_STATES`] stays as it is.
#[expect(clippy::too_many_arguments, reason = "a pure function of all that moves a body")]
#[inline]
pub fn step<V: Vehicle + ?Sized>(
    vehicle: &V,
    mass: &SolvedInertia,
    motion: &mut RigidMotion,
    own: &mut [f64],
    commands: &[f64],
    around: &Surroundings,
    external: &Wrench,
    h: f64,
) -> Acceleration {
    step_from(vehicle, mass, motion, own, &Held { commands, around, external }, h, None)
}

/// The same; `first`, where it is known, is how the vehicle changes at the beginning of the step.
#[inline]
pub fn step_from<V: Vehicle + ?Sized>(
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
    commands: &[f64],
    around: &Surroundings,
    external: &Wrench,
) -> Acceleration {
    let mut now = Change::default();
    change(vehicle, mass, motion, own, &Held { commands, around, external }, &mut now);
    now.acceleration
}

struct System<'a, V: ?Sized> {
    vehicle: &'a V,
    mass: &'a SolvedInertia,
    held: &'a Held<'a>,
}

/// The rate of a quaternion q of a body that turns with w: q (0, w / 2), without the products with the zero.
#[inline(always)]
fn turning(q: &Vector4<f64>, w: &Vector3<f64>) -> Vector4<f64> {
    let w = w * 0.5;
    Vector4::new(
        q.w * w.x + (q.y * w.z - q.z * w.y),
        q.w * w.y + (q.z * w.x - q.x * w.z),
        q.w * w.z + (q.x * w.y - q.y * w.x),
        -(q.x * w.x + q.y * w.y + q.z * w.z),
    )
}

#[inline(always)]
fn attitude_of(numbers: Vector4<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::from(numbers))
}

impl<V: Vehicle + ?Sized> System<'_, V> {
    #[inline(always)]
    fn rates(&self, motion: &RigidMotion, own: &[f64], rates: &mut [f64]) -> Acceleration {
        let Held { commands, around, external } = self.held;
        let mut wrench = self.vehicle.forces(motion, own, commands, around, rates);
        wrench.force += external.force;
        wrench.moment += external.moment;
        self.mass.accelerate(motion, &wrench, &around.gravity)
    }

    /// The place follows from the velocities of the stages: p + h v + h²/6 (a₁ + a₂ + a₃).
    #[inline]
    fn step<const N: usize>(
        &self,
        motion: &mut RigidMotion,
        own: &mut [f64],
        h: f64,
        known: Option<&Change>,
    ) -> Acceleration {
        let count = own.len().min(N);
        let mut own_from = [0.0; N];
        own_from[..count].copy_from_slice(&own[..count]);
        let mut rates = [0.0; N];
        let first = match known {
            Some(known) => {
                rates[..count].copy_from_slice(&known.rates[..count]);
                known.acceleration
            }
            None => self.rates(motion, &own_from[..count], &mut rates[..count]),
        };
        let RigidMotion { position, velocity, attitude, rates: spin } = *motion;
        let Acceleration { mut linear, mut angular } = first;
        let mut turn = turning(&attitude.coords, &spin);
        let (mut linear_sum, mut angular_sum, mut turn_sum) = (linear, angular, turn);
        let (mut place_sum, mut own_sum, mut own_stage) = (linear, rates, own_from);
        let mut last_velocity = velocity;
        for (ahead, weight, counts) in [(0.5 * h, 2.0, 1.0), (0.5 * h, 2.0, 1.0), (h, 1.0, 0.0)] {
            let turned = attitude.coords + turn * ahead;
            let stage = RigidMotion {
                position: position + last_velocity * ahead,
                velocity: velocity + linear * ahead,
                attitude: attitude_of(turned),
                rates: spin + angular * ahead,
            };
            for n in 0..N {
                own_stage[n] = own_from[n] + ahead * rates[n];
            }
            last_velocity = stage.velocity;
            Acceleration { linear, angular } =
                self.rates(&stage, &own_stage[..count], &mut rates[..count]);
            turn = turning(&stage.attitude.coords, &stage.rates);
            linear_sum += linear * weight;
            angular_sum += angular * weight;
            turn_sum += turn * weight;
            place_sum += linear * counts;
            for n in 0..N {
                own_sum[n] += weight * rates[n];
            }
        }
        let sixth = h / 6.0;
        let turned = attitude.coords + turn_sum * sixth;
        *motion = RigidMotion {
            position: position + velocity * h + place_sum * (h * sixth),
            velocity: velocity + linear_sum * sixth,
            attitude: attitude_of(turned * (1.0 / turned.norm_squared().sqrt())),
            rates: spin + angular_sum * sixth,
        };
        for (n, number) in own[..count].iter_mut().enumerate() {
            *number = own_from[n] + sixth * own_sum[n];
        }
        first
    }
}
