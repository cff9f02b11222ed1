//! Thrust and moments, shared among rotors.
//!
//! ```text
//! B s = (T, Mx, My, Mz)        s = ω² of each rotor        s = Bᵀ (B Bᵀ)⁻¹ (T, Mx, My, Mz)
//! ```
//!
//! B holds what each rotor does over the square of its speed; the pseudo-inverse is the solution of least squares of s.
//! Where a rotor would have to turn faster than it can, or slower than it should, roll and pitch are kept as long as
//! any thrust allows, then thrust, then yaw: a vehicle that is level comes down somewhere, one that points north does
//! not for that.

use ironbird_plant::multirotor::{MOST_ROTORS, MultirotorParts};
use nalgebra::{Matrix4, Vector3, Vector4};

/// The slowest that rotors turn in flight, over their highest speed: they keep their authority, and start no more.
const SLOWEST: f64 = 0.1;

/// What rotors are to do together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Thrust upwards in the body, in N.
    pub thrust: f64,
    /// Moments about its axes, in N m.
    pub moment: Vector3<f64>,
}

/// Shares thrust and moments among rotors.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixer {
    /// Of each rotor: the square of its speed over thrust, and over each moment.
    shares: Vec<Share>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    thrust: f64,
    moment: Vector3<f64>,
    low: f64,
    high: f64,
}

impl Mixer {
    /// Of a vehicle; refuses one whose rotors cannot do all four.
    pub fn new(parts: &MultirotorParts) -> Result<Self, String> {
        let effects: Vec<Vector4<f64>> = parts
            .rotors
            .iter()
            .map(|rotor| {
                let (force, moment) = rotor.effect();
                Vector4::new(-force.z, moment.x, moment.y, moment.z)
            })
            .collect();
        // Rows of the size of one, so that what is singular shows.
        let size = effects.iter().fold(Vector4::zeros(), |most, effect| effect.abs().sup(&most));
        let refusal = || {
            "a pilot needs rotors that can lift, roll, pitch and yaw: four or more around the centre of mass, that \
             turn both ways and have a torque"
                .to_owned()
        };
        let every_way = size.min() > 0.0;
        if !every_way {
            return Err(refusal());
        }
        let scaled = |effect: &Vector4<f64>| effect.component_div(&size);
        let square =
            effects.iter().map(|e| scaled(e) * scaled(e).transpose()).sum::<Matrix4<f64>>();
        let inverse = square.try_inverse().ok_or_else(refusal)?;
        let regular = square.norm() * inverse.norm() < 1e9;
        if !regular {
            return Err(refusal());
        }
        let share = |(effect, rotor): (&Vector4<f64>, &ironbird_plant::multirotor::Rotor)| {
            let share = (inverse * scaled(effect)).component_div(&size);
            let high = rotor.fastest * rotor.fastest;
            Share {
                thrust: share[0],
                moment: Vector3::new(share[1], share[2], share[3]),
                low: SLOWEST * SLOWEST * high,
                high,
            }
        };
        let shares: Vec<Share> = effects.iter().zip(&parts.rotors).map(share).collect();
        if !shares.iter().all(|share| share.thrust > 0.0) {
            return Err("a pilot needs rotors that all have a part in lifting".into());
        }
        Ok(Mixer { shares })
    }

    /// How many rotors there are.
    pub fn rotors(&self) -> usize {
        self.shares.len()
    }

    /// The squares of speeds, within what each rotor can, and the thrust that came of it.
    pub fn mix(&self, demand: &Demand) -> ([f64; MOST_ROTORS], f64) {
        let tilting =
            |share: &Share| share.moment.x * demand.moment.x + share.moment.y * demand.moment.y;
        let part = self.largest_tilting(&tilting);
        // The thrusts that leave every rotor within its ends.
        let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
        for share in &self.shares {
            let turned = part * tilting(share);
            least = least.max((share.low - turned) / share.thrust);
            most = most.min((share.high - turned) / share.thrust);
        }
        let thrust = demand.thrust.max(least).min(most.max(least));
        let mut squares = [0.0; MOST_ROTORS];
        let mut yaw: f64 = 1.0;
        for (square, share) in squares.iter_mut().zip(&self.shares) {
            *square = thrust * share.thrust + part * tilting(share);
            let turned = share.moment.z * demand.moment.z;
            let room = if turned > 0.0 { share.high - *square } else { share.low - *square };
            if turned.abs() * yaw > room.abs() {
                yaw = (room / turned).max(0.0);
            }
        }
        for (square, share) in squares.iter_mut().zip(&self.shares) {
            *square += yaw * share.moment.z * demand.moment.z;
            *square = square.max(share.low).min(share.high);
        }
        (squares, thrust)
    }

    /// The largest part, up to all, of the moments of roll and pitch that some thrust leaves room for.
    fn largest_tilting(&self, tilting: &impl Fn(&Share) -> f64) -> f64 {
        let mut part: f64 = 1.0;
        for up in &self.shares {
            for down in &self.shares {
                // Thrust t: t up.thrust + part up.turned <= up.high, t down.thrust + part down.turned >= down.low.
                let room = up.high / up.thrust - down.low / down.thrust;
                let apart = tilting(up) / up.thrust - tilting(down) / down.thrust;
                if apart * part > room {
                    part = (room / apart).max(0.0);
                }
            }
        }
        part
    }
}
