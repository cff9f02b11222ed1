//! A wheel: where it touches the ground, how hard, and how it turns.
//!
//! ```text
//! point      hub + R d,      d: from the hub to the ground, in the plane of the wheel
//! load       N = k δ + c δ' min(1, δ / δ_s) >= 0,     δ: how deep the point is below the ground
//! turning    J ω' = τ - R F_x - R N c_r V / sqrt(V² + V_s²),    V = ω R
//! motor      τ = K (½ ω_w - ω) + I within ± τ_max,    I' = K/(2T) (ω_w - ω) + (τ - K (½ ω_w - ω) - I) / T
//! ```
//!
//! The spring stands for tyre and suspension. Its damper comes in over the sag δ_s at rest, so that a wheel that
//! touches down is not hit. Wheels have no mass of their own: theirs is in that of the rover, and what turns them
//! is counted without the pitch acceleration of the body.
//!
//! The motor has a speed controller with an integral. With K = 2 J_e / T, where J_e = J + m R² / n is what one of n
//! motors has to turn while the rover drives straight, the speed follows its command as one lag of the time
//! constant T, as long as the torque suffices: both poles are at -1/T, and the half of the command takes one away.
//! The integral holds a rover on a slope without creeping; it is led back where the torque is at its limit
//! (K. J. Åström, T. Hägglund, *Advanced PID Control*, 2006, section 3.5).

use nalgebra::Vector3;

use super::tyre::Tyre;

/// A wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct Wheel {
    /// The hub, from the centre of mass: forward, starboard, down, in m.
    pub place: Vector3<f64>,
    /// R, m.
    pub radius: f64,
    /// J about its axis, kg m².
    pub inertia: f64,
    /// k, N/m.
    pub spring: f64,
    /// c, N s/m.
    pub damper: f64,
    /// Whether a motor drives it.
    pub is_driven: bool,
    /// Whether it is steered.
    pub is_steered: bool,
    /// Whether it has friction; a ball or a caster has none.
    pub has_friction: bool,
}

/// What drives the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// τ_max, N m.
    pub torque: f64,
    /// Highest speed of a wheel, rad/s.
    pub speed: f64,
    /// T, s.
    pub time_constant: f64,
}

/// The ground as the body sees it.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// Out of it, in the body.
    pub normal: Vector3<f64>,
    /// From it to the centre of mass along the normal, m.
    pub clearance: f64,
}

/// Where a wheel touches.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The lowest point, in the body.
    pub point: Vector3<f64>,
    /// N
    pub load: f64,
    /// Along the ground, as the wheel rolls.
    pub along: Vector3<f64>,
    /// Along the ground, across the wheel, to starboard.
    pub across: Vector3<f64>,
    /// Velocity of the point, but for the turning of the wheel, along and across: m/s.
    pub velocity: [f64; 2],
}

impl Wheel {
    /// Where it touches, if it does. `axis` points to starboard; `sag` is δ_s.
    #[inline]
    pub fn contact(
        &self,
        ground: &Ground,
        axis: &Vector3<f64>,
        velocity: &Vector3<f64>,
        rates: &Vector3<f64>,
        sag: f64,
    ) -> Option<Contact> {
        let normal = &ground.normal;
        let in_plane = normal - axis * normal.dot(axis);
        let square = in_plane.norm_squared();
        // A wheel that lies on its side touches with its rim all around: not at a point.
        if square < 1e-6 {
            return None;
        }
        let per_length = 1.0 / square.sqrt();
        let point = self.place - in_plane * (self.radius * per_length);
        let depth = -(ground.clearance + normal.dot(&point));
        // NaN where there is no ground.
        if depth.is_nan() || depth <= 0.0 {
            return None;
        }
        let moves = velocity + rates.cross(&point);
        let damper = self.damper * (depth / sag).min(1.0);
        let load = (self.spring * depth - damper * normal.dot(&moves)).max(0.0);
        let along = normal.cross(axis) * per_length;
        let across = along.cross(normal);
        Some(Contact {
            point,
            load,
            along,
            across,
            velocity: [moves.dot(&along), moves.dot(&across)],
        })
    }
}

impl Motor {
    /// The torque for a wanted and a present speed (rad/s) and the integral (N m), and the rate of the integral.
    /// `inertia` is J_e.
    #[inline]
    pub fn torque(&self, wanted: f64, speed: f64, integral: f64, inertia: f64) -> [f64; 2] {
        let per_time = 1.0 / self.time_constant;
        let gain = 2.0 * inertia * per_time;
        let asked = gain * (0.5 * wanted - speed) + integral;
        let torque = asked.clamp(-self.torque, self.torque);
        let rate = 0.5 * gain * per_time * (wanted - speed) + (torque - asked) * per_time;
        [torque, rate]
    }
}

/// How a wheel that turns with `rolling` = ω R resists: the moment against it in N m.
#[inline]
pub fn resistance(wheel: &Wheel, tyre: &Tyre, load: f64, rolling: f64) -> f64 {
    wheel.radius * load * tyre.resistance(rolling)
}
