//! Vehicles of one kind side by side: their numbers are gathered into lanes, and put back.

use ironbird_kinematics::RigidMotion;
use nalgebra::{Quaternion, SVector, UnitQuaternion};

use super::integrate::{Change, Held};
use super::number::{LANES, Lanes};
use super::runge_kutta::{self, Acceleration, Rates, Slope};

/// One of several vehicles of one kind.
pub struct Rider<'a> {
    /// How it moves.
    pub motion: &'a mut RigidMotion,
    /// Its own numbers.
    pub own: &'a mut [f64],
    /// What acts on it.
    pub held: Held<'a>,
    /// How it changes ...
    pub change: &'a mut Change,
    /// ... if that is known.
    pub known: bool,
}

/// Several of them.
pub type Riders<'a> = [Rider<'a>; LANES];

/// One number of each.
#[inline(always)]
pub(crate) fn gather(riders: &Riders<'_>, number: impl Fn(&Rider<'_>) -> f64) -> Lanes {
    // In full: `map` is not always inlined.
    let [a, b, c, d] = riders;
    Lanes::new([number(a), number(b), number(c), number(d)])
}

/// Some numbers of each.
#[inline(always)]
pub(crate) fn gather_all<const N: usize>(
    riders: &Riders<'_>,
    number: impl Fn(&Rider<'_>, usize) -> f64,
) -> [Lanes; N] {
    let mut all = [Lanes::ZERO; N];
    for (n, lanes) in all.iter_mut().enumerate() {
        *lanes = gather(riders, |rider| number(rider, n));
    }
    all
}

#[inline(always)]
fn gather_vector<const N: usize>(
    riders: &Riders<'_>,
    vector: impl for<'a> Fn(&'a Rider<'_>) -> &'a SVector<f64, N>,
) -> SVector<Lanes, N> {
    SVector::from(gather_all(riders, |rider, n| vector(rider)[n]))
}

#[inline(always)]
fn motions(riders: &Riders<'_>) -> RigidMotion<Lanes> {
    let attitude = gather_vector(riders, |rider| &rider.motion.attitude.coords);
    RigidMotion {
        position: gather_vector(riders, |rider| &rider.motion.position),
        velocity: gather_vector(riders, |rider| &rider.motion.velocity),
        attitude: UnitQuaternion::new_unchecked(Quaternion::from(attitude)),
        rates: gather_vector(riders, |rider| &rider.motion.rates),
    }
}

#[inline(always)]
fn lane<const N: usize>(vector: &SVector<Lanes, N>, number: usize) -> SVector<f64, N> {
    let mut one = SVector::zeros();
    for n in 0..N {
        one[n] = vector[n].as_array()[number];
    }
    one
}

/// One step of `h` seconds of each; they have `N` numbers of their own.
#[inline(always)]
pub(crate) fn step<const N: usize>(system: &impl Rates<Lanes>, riders: &mut Riders<'_>, h: f64) {
    let mut motion = motions(riders);
    let mut own: [Lanes; N] = gather_all(riders, |rider, n| rider.own[n]);
    let first = if riders.iter().all(|rider| rider.known) {
        let acceleration = Acceleration {
            linear: gather_vector(riders, |rider| &rider.change.acceleration.linear),
            angular: gather_vector(riders, |rider| &rider.change.acceleration.angular),
        };
        Slope { acceleration, rates: gather_all(riders, |rider, n| rider.change.rates[n]) }
    } else {
        slope(system, &motion, &own)
    };
    runge_kutta::step(system, &mut motion, &mut own, h, first);
    for (number, rider) in riders.iter_mut().enumerate() {
        let attitude = lane(&motion.attitude.coords, number);
        *rider.motion = RigidMotion {
            position: lane(&motion.position, number),
            velocity: lane(&motion.velocity, number),
            attitude: UnitQuaternion::new_unchecked(Quaternion::from(attitude)),
            rates: lane(&motion.rates, number),
        };
        for (n, lanes) in own.iter().enumerate() {
            rider.own[n] = lanes.as_array()[number];
        }
    }
}

/// How each changes as it is now.
#[inline(always)]
pub(crate) fn change<const N: usize>(system: &impl Rates<Lanes>, riders: &mut Riders<'_>) {
    let own: [Lanes; N] = gather_all(riders, |rider, n| rider.own[n]);
    let Slope { acceleration, rates } = slope(system, &motions(riders), &own);
    for (number, rider) in riders.iter_mut().enumerate() {
        rider.change.acceleration = Acceleration {
            linear: lane(&acceleration.linear, number),
            angular: lane(&acceleration.angular, number),
        };
        for (n, lanes) in rates.iter().enumerate() {
            rider.change.rates[n] = lanes.as_array()[number];
        }
    }
}

#[inline(always)]
fn slope<const N: usize>(
    system: &impl Rates<Lanes>,
    motion: &RigidMotion<Lanes>,
    own: &[Lanes; N],
) -> Slope<Lanes, N> {
    let mut rates = [Lanes::ZERO; N];
    let acceleration = system.rates(motion, own, &mut rates);
    Slope { acceleration, rates }
}
