//! A mass with thrust and drag, whose attitude follows what is wanted.
//!
//! ```text
//! force   F = -u ẑ + k₁ v_a + k₂ ρ/ρ₀ |v_a| v_a     v_a = Rᵀ (wind - v), u' = (u_w - u) / T_u
//! roll, pitch  (p, q)' = e / T² - 2 (p, q) / T      e: rotation vector to the wanted attitude
//! yaw     r' = (r_w - r) / T
//! ```
//!
//! Thrust is upwards in the body, as of a multirotor. Roll and pitch are wanted angles, about the heading that it has;
//! both follow as two equal lags of T.

use ironbird_kinematics::{Channel, RigidMotion, Wrench};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::moment_for;
use crate::vehicle::{Inertia, Surroundings, Vehicle};

/// What a point mass is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct PointMassParts {
    /// What resists acceleration.
    pub inertia: Inertia,
    /// Largest thrust, N.
    pub thrust: f64,
    /// T_u, s.
    pub thrust_lag: f64,
    /// T, s.
    pub attitude_lag: f64,
    /// k₁, N s/m; the same in thin air.
    pub linear_drag: f64,
    /// k₂ at 1.225 kg/m³, N s²/m².
    pub quadratic_drag: f64,
    /// Largest wanted roll and pitch, rad.
    pub tilt: f64,
    /// Largest wanted yaw rate, rad/s.
    pub yaw_rate: f64,
}

/// A mass with thrust and drag.
#[derive(Clone, Debug)]
pub struct PointMass {
    parts: PointMassParts,
    commands: [Channel; 4],
    names: [String; 1],
}

/// Density of the air for which the drag is, kg/m³.
const STANDARD_DENSITY: f64 = 1.225;

impl PointMass {
    /// A point mass of these parts, or what is wrong with them.
    pub fn new(parts: PointMassParts) -> Result<Self, String> {
        for (name, value) in [
            ("largest thrust", parts.thrust),
            ("lag of the thrust", parts.thrust_lag),
            ("lag of the attitude", parts.attitude_lag),
            ("largest tilt", parts.tilt),
            ("largest yaw rate", parts.yaw_rate),
        ] {
            if !(value.is_finite() && value > 0.0) {
                return Err(format!("the {name} is {value}: it must be above zero"));
            }
        }
        let channel = |name: &str, unit, range, doc| Channel {
            name: name.into(),
            unit,
            range,
            rest: 0.0,
            doc,
        };
        let (tilt, yaw_rate) = (parts.tilt, parts.yaw_rate);
        let commands = [
            channel("thrust", "N", (0.0, parts.thrust), "wanted thrust"),
            channel("roll", "rad", (-tilt, tilt), "wanted roll"),
            channel("pitch", "rad", (-tilt, tilt), "wanted pitch"),
            channel("yaw_rate", "rad/s", (-yaw_rate, yaw_rate), "wanted yaw rate"),
        ];
        Ok(PointMass { parts, commands, names: ["thrust".to_owned()] })
    }
}

/// From an attitude to that with this roll and pitch and the same heading, as a rotation vector in the body. Exact
/// to the third order in the rotation.
#[inline]
fn tilt_error(attitude: &UnitQuaternion<f64>, roll: f64, pitch: f64) -> Vector3<f64> {
    let q = attitude.quaternion();
    let length = (q.w * q.w + q.k * q.k).sqrt();
    // Upside down there is no heading: any will do.
    let (w, k) = if length > 1e-9 { (q.w / length, q.k / length) } else { (1.0, 0.0) };
    let heading = Quaternion::new(w, 0.0, 0.0, k);
    let (sine_roll, cosine_roll) = libm::sincos(0.5 * roll);
    let (sine_pitch, cosine_pitch) = libm::sincos(0.5 * pitch);
    let wanted = heading
        * Quaternion::new(cosine_pitch, 0.0, sine_pitch, 0.0)
        * Quaternion::new(cosine_roll, sine_roll, 0.0, 0.0);
    let error = q.conjugate() * wanted;
    error.imag() * 2.0_f64.copysign(error.w)
}

impl Vehicle for PointMass {
    fn inertia(&self) -> &Inertia {
        &self.parts.inertia
    }

    fn commands(&self) -> &[Channel] {
        &self.commands
    }

    fn states(&self) -> &[String] {
        &self.names
    }

    fn forces(
        &self,
        motion: &RigidMotion,
        own: &[f64],
        commands: &[f64],
        around: &Surroundings,
        rates: &mut [f64],
    ) -> Wrench {
        let parts = &self.parts;
        let told = |n: usize| self.commands[n].limit(commands[n]);
        rates[0] = (told(0) - own[0]) / parts.thrust_lag;
        let air = motion.to_body(&(around.wind - motion.velocity));
        let quadratic = parts.quadratic_drag * around.density * (1.0 / STANDARD_DENSITY);
        let mut force = air * (parts.linear_drag + quadratic * air.norm());
        force.z -= own[0];
        let error = tilt_error(&motion.attitude, told(1), told(2));
        let (k, turns) = (1.0 / parts.attitude_lag, &motion.rates);
        let turning = Vector3::new(
            k * (k * error.x - 2.0 * turns.x),
            k * (k * error.y - 2.0 * turns.y),
            k * (told(3) - turns.z),
        );
        Wrench { force, moment: moment_for(&parts.inertia.tensor, turns, &turning) }
    }
}
