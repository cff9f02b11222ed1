//! One step of the Runge-Kutta method of fourth order over a rigid body and its own numbers, alone or side by side.
//!
//! ```text
//! p' = v    v' = a    q' = ½ q (0, ω)    ω' = α    own' = rates
//! ```
//!
//! Quaternions of inner stages are left as they are: their length differs from one by the square of the angle of half
//! a step, and the method is of fourth order for the equations over all quaternions. That of the result is brought to
//! unit length.
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, 1993, II.1 ("the" Runge-Kutta
//! method).

use ironbird_kinematics::RigidMotion;
use nalgebra::{Quaternion, Scalar, UnitQuaternion, Vector3, Vector4};

use super::number::Number;

/// How the motion of a body changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration<T: Scalar = f64> {
    /// Of the centre of mass over ground, in m/s²: north, east, down.
    pub linear: Vector3<T>,
    /// In rad/s², in the body.
    pub angular: Vector3<T>,
}

/// What says how a body and its own numbers change.
pub(crate) trait Rates<T: Number> {
    /// The acceleration of a body that moves so; the rates of its own numbers go to `rates`.
    fn rates(&self, motion: &RigidMotion<T>, own: &[T], rates: &mut [T]) -> Acceleration<T>;
}

/// How a body with up to `N` numbers of its own changes at one moment.
pub(crate) struct Slope<T: Number, const N: usize> {
    pub acceleration: Acceleration<T>,
    pub rates: [T; N],
}

/// One step of `h` seconds from `first`, what holds at its beginning.
///
/// The place follows from the velocities of the stages: p + h v + h²/6 (a₁ + a₂ + a₃).
#[inline(always)]
pub(crate) fn step<T: Number, const N: usize>(
    system: &impl Rates<T>,
    motion: &mut RigidMotion<T>,
    own: &mut [T],
    h: f64,
    first: Slope<T, N>,
) {
    let count = own.len().min(N);
    let mut from = [T::from(0.0); N];
    from[..count].copy_from_slice(&own[..count]);
    let begin = Begin { system, motion: *motion, own: from, count };
    let half = 0.5 * h;

    let first = Stage {
        velocity: motion.velocity,
        turn: turning(&motion.attitude.coords, &motion.rates),
        slope: first,
    };
    let mut sum = Sum::of(&first);
    let mut place = first.slope.acceleration.linear;
    let second = begin.stage(&first, half);
    sum.add(&second, 2.0);
    place += second.slope.acceleration.linear;
    let third = begin.stage(&second, half);
    sum.add(&third, 2.0);
    place += third.slope.acceleration.linear;
    let fourth = begin.stage(&third, h);
    sum.add(&fourth, 1.0);

    let (whole, sixth) = (T::from(h), T::from(h / 6.0));
    let RigidMotion { position, velocity, attitude, rates } = begin.motion;
    let turned = attitude.coords + sum.turn * sixth;
    let length = dot(&turned).root();
    *motion = RigidMotion {
        position: position + velocity * whole + place * (whole * sixth),
        velocity: velocity + sum.linear * sixth,
        attitude: attitude_of(turned * (T::from(1.0) / length)),
        rates: rates + sum.angular * sixth,
    };
    for (n, number) in own[..count].iter_mut().enumerate() {
        *number = begin.own[n] + sum.own[n] * sixth;
    }
}

/// Where a step begins.
struct Begin<'a, R, T: Number, const N: usize> {
    system: &'a R,
    motion: RigidMotion<T>,
    own: [T; N],
    count: usize,
}

/// What one stage found.
struct Stage<T: Number, const N: usize> {
    velocity: Vector3<T>,
    turn: Vector4<T>,
    slope: Slope<T, N>,
}

impl<R: Rates<T>, T: Number, const N: usize> Begin<'_, R, T, N> {
    /// The stage `ahead` of the beginning, along what another found.
    #[inline(always)]
    fn stage(&self, along: &Stage<T, N>, ahead: f64) -> Stage<T, N> {
        let ahead = T::from(ahead);
        let RigidMotion { position, velocity, attitude, rates } = &self.motion;
        let Slope { acceleration, rates: own_rates } = &along.slope;
        let motion = RigidMotion {
            position: position + along.velocity * ahead,
            velocity: velocity + acceleration.linear * ahead,
            attitude: attitude_of(attitude.coords + along.turn * ahead),
            rates: rates + acceleration.angular * ahead,
        };
        let mut own = self.own;
        for n in 0..N {
            own[n] += own_rates[n] * ahead;
        }
        let mut rates = [T::from(0.0); N];
        let acceleration = self.system.rates(&motion, &own[..self.count], &mut rates[..self.count]);
        let turn = turning(&motion.attitude.coords, &motion.rates);
        Stage { velocity: motion.velocity, turn, slope: Slope { acceleration, rates } }
    }
}

/// What stages add up to.
struct Sum<T: Number, const N: usize> {
    linear: Vector3<T>,
    angular: Vector3<T>,
    turn: Vector4<T>,
    own: [T; N],
}

impl<T: Number, const N: usize> Sum<T, N> {
    #[inline(always)]
    fn of(stage: &Stage<T, N>) -> Self {
        let Slope { acceleration: Acceleration { linear, angular }, rates } = stage.slope;
        Sum { linear, angular, turn: stage.turn, own: rates }
    }

    #[inline(always)]
    fn add(&mut self, stage: &Stage<T, N>, weight: f64) {
        let weight = T::from(weight);
        self.linear += stage.slope.acceleration.linear * weight;
        self.angular += stage.slope.acceleration.angular * weight;
        self.turn += stage.turn * weight;
        for n in 0..N {
            self.own[n] += stage.slope.rates[n] * weight;
        }
    }
}

/// The rate of a quaternion q of a body that turns with w: q (0, w / 2), without the products with the zero.
#[inline(always)]
fn turning<T: Number>(q: &Vector4<T>, w: &Vector3<T>) -> Vector4<T> {
    let w = w * T::from(0.5);
    Vector4::new(
        q.w * w.x + (q.y * w.z - q.z * w.y),
        q.w * w.y + (q.z * w.x - q.x * w.z),
        q.w * w.z + (q.x * w.y - q.y * w.x),
        -(q.x * w.x + q.y * w.y + q.z * w.z),
    )
}

#[inline(always)]
fn dot<T: Number>(q: &Vector4<T>) -> T {
    (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w)
}

#[inline(always)]
fn attitude_of<T: Number>(numbers: Vector4<T>) -> UnitQuaternion<T> {
    UnitQuaternion::new_unchecked(Quaternion::from(numbers))
}
