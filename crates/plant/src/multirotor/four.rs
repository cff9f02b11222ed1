//! The forces of four rotors that are alike and point up in one plane, where neither drag nor inflow matters: the same
//! sums as those of any multirotor, over arrays of four; of one vehicle, or of several side by side.

use ironbird_kinematics::RigidMotion;
use nalgebra::Vector3;

use super::drive::Drive;
use super::forces::{MultirotorParts, STANDARD_DENSITY};
use super::ground_effect::ground_effect;
use crate::vehicle::abreast::{Riders, gather, gather_all};
use crate::vehicle::integrate::{Acceleration, Principal};
use crate::vehicle::number::{Lanes, Number};
use crate::vehicle::runge_kutta::Rates;

/// What is needed of them at each evaluation, rotor by rotor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four {
    /// Over the square of the speed: force down, and moments about the three axes.
    squared: [[f64; 4]; 4],
    /// Angular momentum over the speed, along the axis of thrust.
    spin: [f64; 4],
    faster: [f64; 4],
    slower: [f64; 4],
    fastest: [f64; 4],
    down: f64,
    radius: f64,
}

impl Four {
    /// Of a multirotor, if it is so and its commands are speeds.
    pub fn of(parts: &MultirotorParts) -> Option<Self> {
        let rotors: &[super::Rotor; 4] = parts.rotors.as_slice().try_into().ok()?;
        let [first, ..] = rotors;
        let plain = rotors.iter().all(|rotor| {
            let of = |r: &super::Rotor| (r.at.z, r.radius);
            rotor.axis == -Vector3::z()
                && of(rotor) == of(first)
                && [rotor.drag, rotor.rolling, rotor.inflow] == [0.0; 3]
        });
        if !plain || parts.drive != Drive::Speed {
            return None;
        }
        let effects = rotors.each_ref().map(|rotor| rotor.effect());
        Some(Four {
            squared: [
                effects.map(|(force, _)| force.z),
                effects.map(|(_, moment)| moment.x),
                effects.map(|(_, moment)| moment.y),
                effects.map(|(_, moment)| moment.z),
            ],
            spin: rotors.each_ref().map(|rotor| rotor.turns.sign() * rotor.inertia),
            faster: rotors.each_ref().map(|rotor| 1.0 / rotor.rise),
            slower: rotors.each_ref().map(|rotor| 1.0 / rotor.fall),
            fastest: rotors.each_ref().map(|rotor| rotor.fastest),
            down: first.at.z,
            radius: first.radius,
        })
    }

    /// Force down and moments, and how fast the speeds change.
    #[inline(always)]
    pub fn forces<T: Number>(
        &self,
        turning: &Vector3<T>,
        speeds: &[T; 4],
        air: &Air<T>,
        rates: &mut [T; 4],
    ) -> (T, Vector3<T>) {
        for n in 0..4 {
            // What is no number asks for no speed.
            let wanted = air.commands[n].at_least(T::from(0.0)).at_most(T::from(self.fastest[n]));
            let behind = wanted - speeds[n];
            rates[n] = behind * behind.choose(T::from(self.faster[n]), T::from(self.slower[n]));
        }
        let [a, b, c, d] = *speeds;
        let squares = [a * a, b * b, c * c, d * d];
        let [force, roll, pitch, yaw] = &self.squared;
        let [force, roll, pitch, yaw] =
            [dot(force, &squares), dot(roll, &squares), dot(pitch, &squares), dot(yaw, &squares)];
        let denser = air.density * T::from(1.0 / STANDARD_DENSITY);
        let height = air.height - T::from(self.down);
        let grown = denser * ground_effect(self.radius, height);
        let (spin, reaction) = (dot(&self.spin, speeds), dot(&self.spin, rates));
        let moment = Vector3::new(
            roll * grown + turning.y * spin,
            pitch * grown - turning.x * spin,
            denser * yaw + reaction,
        );
        (force * grown, moment)
    }

    /// Several side by side.
    #[inline(always)]
    pub fn abreast<'a>(&'a self, body: &'a Principal, riders: &Riders<'_>) -> FourAbreast<'a> {
        let air = Air {
            commands: gather_all(riders, |rider, n| rider.held.commands[n]),
            density: gather(riders, |rider| rider.held.around.density),
            height: gather(riders, |rider| rider.held.around.height),
        };
        let gravity = gather_all(riders, |rider, n| rider.held.around.gravity[n]);
        FourAbreast { four: self, body, air, gravity: Vector3::from(gravity) }
    }
}

/// What drives the rotors, and the air around them.
pub(super) struct Air<T> {
    pub commands: [T; 4],
    pub density: T,
    pub height: T,
}

/// Several vehicles with four rotors side by side.
pub(super) struct FourAbreast<'a> {
    four: &'a Four,
    body: &'a Principal,
    air: Air<Lanes>,
    gravity: Vector3<Lanes>,
}

impl Rates<Lanes> for FourAbreast<'_> {
    #[inline(always)]
    fn rates(
        &self,
        motion: &RigidMotion<Lanes>,
        own: &[Lanes],
        rates: &mut [Lanes],
    ) -> Acceleration<Lanes> {
        let (Ok(own), Ok(rates)) = (own.try_into(), rates.try_into()) else {
            unreachable!("whoever gathers them has four")
        };
        let (down, moment) = self.four.forces(&motion.rates, own, &self.air, rates);
        self.body.lift(motion, down, &moment, &self.gravity)
    }
}

#[inline(always)]
fn dot<T: Number>(a: &[f64; 4], b: &[T; 4]) -> T {
    let part = |n: usize| T::from(a[n]) * b[n];
    (part(0) + part(1)) + (part(2) + part(3))
}
