//! The forces of four rotors that are alike and point up in one plane, where neither drag nor inflow matters: the same
//! sums as those of any multirotor, over arrays of four.

use ironbird_kinematics::Wrench;
use nalgebra::Vector3;

use super::drive::Drive;
use super::forces::{MultirotorParts, STANDARD_DENSITY, ground_effect};
use crate::vehicle::Surroundings;

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
    quarter_radius: f64,
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
            quarter_radius: 0.25 * first.radius,
        })
    }

    /// Force and moment, and how fast the speeds change.
    #[inline(always)]
    pub fn forces(
        &self,
        turning: &Vector3<f64>,
        speeds: &[f64; 4],
        commands: &[f64; 4],
        around: &Surroundings,
        rates: &mut [f64; 4],
    ) -> Wrench {
        for n in 0..4 {
            // What is no number asks for no speed.
            let behind = commands[n].max(0.0).min(self.fastest[n]) - speeds[n];
            rates[n] = behind * if behind > 0.0 { self.faster[n] } else { self.slower[n] };
        }
        let squares = speeds.map(|speed| speed * speed);
        let [force, roll, pitch, yaw] = self.squared.each_ref().map(|row| dot(row, &squares));
        let denser = around.density * (1.0 / STANDARD_DENSITY);
        let grown = denser * ground_effect(self.quarter_radius, around.height - self.down);
        let (spin, reaction) = (dot(&self.spin, speeds), dot(&self.spin, rates));
        Wrench {
            force: Vector3::new(0.0, 0.0, force * grown),
            moment: Vector3::new(
                roll * grown + turning.y * spin,
                pitch * grown - turning.x * spin,
                denser * yaw + reaction,
            ),
        }
    }
}

#[inline(always)]
fn dot(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])
}
