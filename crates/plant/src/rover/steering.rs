//! Steering: by the difference of the speeds of the sides, or by turned wheels.
//!
//! Ackermann's geometry: all wheels stand across the way to one point, on the line of the wheels that are not
//! steered, x = x_r. With δ the angle of a wheel in the middle at x = x_r + L, to starboard, that point is at
//! y = L / tan δ, and a wheel at (x, y) points along and goes as fast as
//!
//! ```text
//! (cos, sin) ~ (L cos δ - y sin δ,  (x - x_r) sin δ)
//! v (1 - y tan δ / L,  (x - x_r) tan δ / L)              v: speed of the middle of that line
//! ```
//!
//! so that cot δ_outside - cot δ_inside = track / L (T. D. Gillespie, *Fundamentals of Vehicle Dynamics*, 1992,
//! chapter 6). Driven wheels are commanded the speeds of this geometry: an electronic differential.

use ironbird_kinematics::Channel;
use nalgebra::Vector3;

use super::wheel::Wheel;
use crate::limited_lag::limited_rate;

/// How a rover is steered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steering {
    /// By the speeds of its port and starboard wheels.
    Differential,
    /// By turned wheels.
    Ackermann(Rack),
}

/// What turns the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rack {
    /// Largest angle, rad.
    pub limit: f64,
    /// Of the lag, s.
    pub time_constant: f64,
    /// Largest rate, rad/s.
    pub rate: f64,
    /// x_r, m.
    pub rear: f64,
    /// L, m.
    pub base: f64,
}

impl Rack {
    /// The rate of the angle.
    #[inline]
    pub fn turning(&self, wanted: f64, angle: f64) -> f64 {
        limited_rate(wanted, angle, self.time_constant, self.rate)
    }

    /// The direction to starboard along the axis of a steered wheel, for the sine and the cosine of δ.
    #[inline]
    pub fn axis(&self, wheel: &Wheel, (sine, cosine): (f64, f64)) -> Vector3<f64> {
        let ahead = self.base * cosine - wheel.place.y * sine;
        let aside = (wheel.place.x - self.rear) * sine;
        let per_length = 1.0 / (ahead * ahead + aside * aside).sqrt();
        Vector3::new(-aside * per_length, ahead * per_length, 0.0)
    }

    /// How fast a wheel goes for each m/s of the middle of the rear.
    #[inline]
    pub fn speed(&self, wheel: &Wheel, (sine, cosine): (f64, f64)) -> f64 {
        let curvature = sine / (self.base * cosine);
        let ahead = 1.0 - curvature * wheel.place.y;
        if !wheel.is_steered {
            return ahead;
        }
        let aside = curvature * (wheel.place.x - self.rear);
        (ahead * ahead + aside * aside).sqrt().copysign(ahead)
    }
}

/// What a rover can be told, by its steering, the highest speed of its wheels (rad/s) and over ground (m/s).
pub(super) fn channels(steering: &Steering, turning: f64, driving: f64) -> Vec<Channel> {
    let channel = |name: &str, unit, limit: f64, doc| Channel {
        name: name.into(),
        unit,
        range: (-limit, limit),
        rest: 0.0,
        doc,
    };
    match steering {
        Steering::Differential => vec![
            channel("left", "rad/s", turning, "speed of the wheels to port"),
            channel("right", "rad/s", turning, "speed of the wheels to starboard"),
        ],
        Steering::Ackermann(rack) => vec![
            channel("speed", "m/s", driving, "speed of the middle of the rear axle"),
            channel("steering", "rad", rack.limit, "angle of the front, positive to starboard"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_wheel_turns_more_by_the_law_of_ackermann() {
        let rack = Rack { limit: 0.6, time_constant: 0.1, rate: 2.0, rear: -0.2, base: 0.5 };
        let wheel = |y: f64| Wheel {
            place: Vector3::new(0.3, y, 0.0),
            radius: 0.1,
            inertia: 0.001,
            spring: 1e4,
            damper: 100.0,
            is_driven: true,
            is_steered: true,
            has_friction: true,
        };
        for angle in [0.4, -0.3] {
            let turned = libm::sincos(angle);
            let cotangent = |y: f64| {
                let axis = rack.axis(&wheel(y), turned);
                -axis.y / axis.x
            };
            // To starboard of the middle the inner wheel is that at y > 0.
            let difference = cotangent(-0.15) - cotangent(0.15);
            assert!((difference - 0.3 / 0.5).abs() < 1e-12, "{difference}");
            // The middle is at L / tan δ from the centre of the turn, and goes v / cos δ.
            let middle = rack.speed(&wheel(0.0), turned);
            assert!((middle - 1.0 / libm::cos(angle)).abs() < 1e-12, "{middle}");
        }
    }
}
