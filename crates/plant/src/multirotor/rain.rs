//! What rain does: drops that hit a body leave their momentum.
//!
//! ```text
//! F = W A |u| u      u = w + (0, 0, v_t) - v      W = r / v_t
//! ```
//!
//! u is the velocity of the drops against the body: they move with the wind w and fall at v_t. In rain of r (1 mm/h is
//! 1/3600 kg/(m² s)) a cubic metre of air holds W of water, of which a body that shows them the area A meets W A |u|
//! each second; what it meets is brought to the speed of the body before it runs off, so that all of its momentum
//! stays. v_t is that of the drop of median volume:
//!
//! ```text
//! D₀ = 3.67 / Λ    Λ = 4.1 r^-0.21 /mm                  J. S. Marshall, W. McK. Palmer, J. Meteorology 5, 1948
//! v_t = 9.65 - 10.3 exp(-0.6 D₀ / mm) m/s               D. Atlas et al., Reviews of Geophysics 11, 1973
//! ```

use nalgebra::Vector3;

/// How fast the drops of rain of `rate` (mm/h, above zero) fall, in m/s.
pub fn fall_speed(rate: f64) -> f64 {
    let median = 3.67 / 4.1 * libm::pow(rate, 0.21);
    // Drizzle of less than 0.1 mm falls slower than the formula, made for 0.6 mm and more, can say.
    (9.65 - 10.3 * libm::exp(-0.6 * median)).max(1.0)
}

/// The force in N, in the axes of `velocity` (of the body) and `wind`, with `down` the direction in which drops fall.
pub fn force(
    rate: f64,
    area: f64,
    velocity: &Vector3<f64>,
    wind: &Vector3<f64>,
    down: &Vector3<f64>,
) -> Vector3<f64> {
    let fall = fall_speed(rate);
    let water = rate / 3600.0 / fall;
    let against = wind + down * fall - velocity;
    against * (water * area * against.norm())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_at_rest_takes_what_falls_on_it() {
        let (zero, down) = (Vector3::zeros(), Vector3::z());
        let fall = fall_speed(36.0);
        assert!(6.0 < fall && fall < 8.0, "{fall} m/s");
        // 36 mm/h are 10 g/(m² s).
        let pressed = force(36.0, 0.5, &zero, &zero, &down);
        assert!((pressed - down * (0.01 * 0.5 * fall)).norm() < 1e-15);
        let falling = force(36.0, 0.5, &(down * fall), &zero, &down);
        assert_eq!(falling, zero, "with the drops");
    }
}
