//! Depth, heading and speed of a torpedo-shaped vehicle by rudder, stern planes and propeller.
//!
//! ```text
//! depth      θ_w = -(k_z (z_w - z) + I_z),      I_z' = k_zi (z_w - z),  |θ_w| <= pitch limit
//! pitch      δ_s = k_θ (θ - θ_w) + k_q q + I_θ,  I_θ' = k_θi (θ - θ_w),  |δ_s| <= fin limit
//! heading    r_w = k_ψ (ψ_w - ψ),                                        |r_w| <= rate limit
//! yaw rate   δ_r = -(k_r (r_w - r) + I_r),       I_r' = k_ri (r_w - r),  |δ_r| <= fin limit
//! speed      n   = U_w · revolutions per speed,                          within its limits
//! ```
//!
//! Positive stern planes dive and a positive rudder turns to port, as in T. Prestero's model (thesis, MIT
//! and WHOI, 2001), whose depth controller has the same two loops: from depth to pitch, from pitch to
//! the planes. The integral of depth finds the pitch at which a buoyant vehicle keeps its depth, that of
//! pitch the deflection that holds this pitch. Integrals stand still while their command is at its limit.
//!
//! Fins lift with the square of the speed. Held down by an angle of attack alone, the hull of the REMUS
//! would be turned further by its Munk moment, so that there is a slowest speed at which the planes can
//! hold it against its buoyancy:
//!
//! ```text
//! (B - W + Z_uuds u² δ) M_uw / -Z_uw = -M_uuds u² δ + W z_g sin θ
//! ```
//!
//! With B - W = 7 N and δ = 13.6 deg that is 1.27 m/s, with 3.3 N it is 0.83 m/s. The gains are for 1.4 to
//! 2.5 m/s.

use crate::integral::Integral;

/// Gains and limits; angles in rad, lengths in m, revolutions in rpm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuvLaw {
    /// k_z: pitch per error of depth.
    pub depth: f64,
    /// k_zi
    pub depth_integral: f64,
    /// k_θ: deflection of the stern planes per error of pitch.
    pub pitch: f64,
    /// k_θi
    pub pitch_integral: f64,
    /// k_q: deflection per pitch rate.
    pub pitch_rate: f64,
    /// k_ψ: yaw rate per error of heading.
    pub heading: f64,
    /// k_r: deflection of the rudders per error of the yaw rate.
    pub yaw_rate: f64,
    /// k_ri
    pub yaw_integral: f64,
    /// Revolutions per speed.
    pub revolutions: f64,
    /// Largest deflection.
    pub fin_limit: f64,
    /// Largest pitch to go up or down with.
    pub pitch_limit: f64,
    /// Largest yaw rate.
    pub yaw_rate_limit: f64,
    /// Lowest and highest revolutions.
    pub revolution_limits: [f64; 2],
}

/// That of the REMUS 100.
impl Default for AuvLaw {
    fn default() -> Self {
        AuvLaw {
            depth: 0.3,
            depth_integral: 0.006,
            pitch: 2.5,
            pitch_integral: 0.5,
            pitch_rate: 2.0,
            heading: 0.4,
            yaw_rate: 3.0,
            yaw_integral: 0.3,
            revolutions: 1525.0 / 1.54,
            fin_limit: 13.6_f64.to_radians(),
            pitch_limit: 15.0_f64.to_radians(),
            yaw_rate_limit: 6.0_f64.to_radians(),
            revolution_limits: [0.0, 2500.0],
        }
    }
}

impl AuvLaw {
    /// The deflection of the stern planes for an error of depth, positive where it must go deeper, with the integrals
    /// of depth and pitch.
    pub(crate) fn stern_planes(
        &self,
        [depth_integral, pitch_integral]: [&mut Integral; 2],
        deeper: f64,
        [pitch, pitch_rate]: [f64; 2],
        elapsed: f64,
    ) -> f64 {
        let limit = self.pitch_limit;
        let growth = -self.depth_integral * deeper * elapsed;
        let wanted = depth_integral.command(-self.depth * deeper, growth, -limit, limit);
        let planes = self.pitch * (pitch - wanted) + self.pitch_rate * pitch_rate;
        let growth = self.pitch_integral * (pitch - wanted) * elapsed;
        pitch_integral.command(planes, growth, -self.fin_limit, self.fin_limit)
    }

    /// The deflection of the rudders for an error of heading, positive where it must turn to starboard.
    pub(crate) fn rudders(
        &self,
        integral: &mut Integral,
        starboard: f64,
        yaw_rate: f64,
        elapsed: f64,
    ) -> f64 {
        let limit = self.yaw_rate_limit;
        let wanted = (self.heading * starboard).clamp(-limit, limit);
        let error = wanted - yaw_rate;
        let growth = -self.yaw_integral * error * elapsed;
        integral.command(-self.yaw_rate * error, growth, -self.fin_limit, self.fin_limit)
    }

    /// The revolutions for a speed.
    pub(crate) fn propeller(&self, speed: f64) -> f64 {
        let [lowest, highest] = self.revolution_limits;
        (speed * self.revolutions).clamp(lowest, highest)
    }
}
