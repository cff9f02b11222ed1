//! The turbulence that one vehicle meets: a random process that goes on as the vehicle flies.
//!
//! Whoever flies several vehicles keeps one of these for each, with a random stream of its own.

use std::f64::consts::PI;

use ironbird_kernel::RandomStream;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

use super::filters::{Across, Along};
use super::scales::Scales;

/// A vehicle that stands is passed by the turbulence no slower than this, in m/s.
const SLOWEST: f64 = 1.0;

/// The states of the filters, of unit variance.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct DrydenField {
    u: Along,
    v: Across,
    w: Across,
    p: Along,
}

/// What a vehicle meets, along the axes that the turbulence has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gusts {
    /// Velocity of the air in m/s.
    pub velocity: Vector3<f64>,
    /// Its angular velocity in rad/s.
    pub turning: [f64; 3],
}

impl DrydenField {
    /// What there is `elapsed` seconds after the call before; `None` at the first.
    ///
    /// `span` in m is that of the vehicle, `airspeed` in m/s its speed through the air; below 1 m/s it counts as that.
    pub fn gusts(
        &mut self,
        scales: &Scales,
        span: f64,
        airspeed: f64,
        elapsed: Option<f64>,
        random: &mut RandomStream,
    ) -> Gusts {
        let Scales { length, sigma } = scales;
        let speed = airspeed.abs().max(SLOWEST);
        let (pitching, yawing) = (4.0 * span / PI, 3.0 * span / PI);
        let (c, k) = (length.map(|length| speed / length), [speed / pitching, speed / yawing]);
        let (u, v, w, p);
        match elapsed {
            None => {
                u = self.u.draw(random);
                v = self.v.draw([c[1], k[1]], random);
                w = self.w.draw([c[2], k[0]], random);
                p = self.p.draw(random);
            }
            Some(h) => {
                u = self.u.step(c[0], h, random);
                v = self.v.step([c[1], k[1]], h, random);
                w = self.w.step([c[2], k[0]], h, random);
                p = self.p.step(k[0], h, random);
            }
        }
        // The integral of Φ_p over Ω.
        let bound = libm::cbrt(PI * length[2] / (4.0 * span));
        let rolling = sigma[2] * PI * (0.1 * bound / (span * length[2])).sqrt();
        Gusts {
            velocity: Vector3::new(sigma[0] * u, sigma[1] * v[0], sigma[2] * w[0]),
            turning: [rolling * p, -sigma[2] * w[1] / pitching, sigma[1] * v[1] / yawing],
        }
    }
}
