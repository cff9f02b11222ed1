//! Where a drone points: along its velocity through the water.
//!
//! With u = v - c the velocity through the water in north, east, down, uₕ its length seen from above and
//! no roll:
//!
//! ```text
//! cos ψ = u_n/uₕ,  sin ψ = u_e/uₕ,   cos θ = uₕ/|u|,  sin θ = -u_d/|u|
//! ψ' = (u_n u̇_e - u_e u̇_n)/uₕ²,      θ' = (u_d u̇ₕ - uₕ u̇_d)/|u|²,   u̇ₕ = (u_n u̇_n + u_e u̇_e)/uₕ
//! ω  = (-ψ' sin θ, θ', ψ' cos θ)  in the body
//! ```
//!
//! Half angles come from cosines by square roots: cos(ψ/2) = √((1 + cos ψ)/2).

use ironbird_kinematics::Attitude;
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};

/// Below this speed through the water, in m/s, there is no direction to point to.
const STANDSTILL: f64 = 1e-6;

/// Where a drone points, and how it turns. It remembers: on a straight line nothing is calculated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    water: [f64; 3],
    water_rate: [f64; 3],
    pub attitude: Attitude,
    /// Angular velocity in the body, in rad/s.
    pub turning: [f64; 3],
}

impl Heading {
    /// Points along a velocity through the water that changes at a rate. Where there is none it stays
    /// as it was.
    #[inline]
    pub fn follow(&mut self, water: Vector3<f64>, rate: Vector3<f64>) {
        let (water, rate): ([f64; 3], [f64; 3]) = (water.into(), rate.into());
        if water != self.water || rate != self.water_rate {
            (self.water, self.water_rate) = (water, rate);
            self.turn();
        }
    }

    fn turn(&mut self) {
        let ([n, e, d], [n_rate, e_rate, d_rate]) = (self.water, self.water_rate);
        let level_squared = n * n + e * e;
        if level_squared < STANDSTILL * STANDSTILL {
            self.turning = [0.0; 3];
            return;
        }
        let level = level_squared.sqrt();
        let yaw_rate = (n * e_rate - e * n_rate) / level_squared;
        let (yaw_cos, yaw_sin) = halved(n / level, e / level);
        let (pitch, turning) = if d == 0.0 && d_rate == 0.0 {
            ((1.0, 0.0), [0.0, 0.0, yaw_rate])
        } else {
            let squared = level_squared + d * d;
            let size = squared.sqrt();
            let (cos, sin) = (level / size, -d / size);
            let level_rate = (n * n_rate + e * e_rate) / level;
            let pitch_rate = (d * level_rate - level * d_rate) / squared;
            (halved(cos, sin), [-yaw_rate * sin, pitch_rate, yaw_rate * cos])
        };
        self.turning = turning;
        // (cos + k sin) (cos + j sin) of the halves of yaw and pitch.
        let (pitch_cos, pitch_sin) = pitch;
        let mut next = Attitude {
            w: yaw_cos * pitch_cos,
            x: -yaw_sin * pitch_sin,
            y: yaw_cos * pitch_sin,
            z: yaw_sin * pitch_cos,
        };
        // Of the two quaternions that are this attitude, the one beside the last.
        let last = self.attitude;
        if next.w * last.w + next.x * last.x + next.y * last.y + next.z * last.z < 0.0 {
            next = Attitude { w: -next.w, x: -next.x, y: -next.y, z: -next.z };
        }
        self.attitude = next;
    }
}

/// Cosine and sine of half an angle, by the larger of the two.
fn halved(cos: f64, sin: f64) -> (f64, f64) {
    if cos >= 0.0 {
        let half = (0.5 + 0.5 * cos).sqrt();
        (half, 0.5 * sin / half)
    } else {
        let half = (0.5 - 0.5 * cos).sqrt();
        (0.5 * sin / half, half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_points_along_the_water_in_all_directions() {
        let mut heading = Heading::default();
        for k in 0..72 {
            let yaw = f64::from(k) * std::f64::consts::TAU / 72.0;
            for pitch in [-1.2, -0.3, 0.0, 0.3, 1.2] {
                let (sy, cy) = libm::sincos(yaw);
                let (sp, cp) = libm::sincos(pitch);
                let water = Vector3::new(cp * cy, cp * sy, -sp) * 1.7;
                heading.follow(water, Vector3::zeros());
                let forward = heading.attitude.to_ned(Vector3::x());
                assert!((forward * 1.7 - water).norm() < 1e-15);
                let starboard = heading.attitude.to_ned(Vector3::y());
                assert!(starboard.z.abs() < 1e-15, "it does not roll");
            }
        }
    }

    #[test]
    fn in_still_water_that_stands_still_it_stays_as_it_was() {
        let mut heading = Heading::default();
        heading.follow(Vector3::new(0.0, 2.0, 0.1), Vector3::new(0.1, 0.0, 0.0));
        let before = heading.attitude;
        heading.follow(Vector3::zeros(), Vector3::new(0.1, 0.0, 0.0));
        assert_eq!((heading.attitude, heading.turning), (before, [0.0; 3]));
    }
}
