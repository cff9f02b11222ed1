//! How much more thrust a rotor has near the ground.
//!
//! ```text
//! T / T∞ = 1 / (1 - (R / 4 z)²)                              not beyond z = R / 2, where it is 16/12 = 4/3
//! ```
//!
//! for the part k_T ω² of the thrust of a rotor of radius R at height z (I. C. Cheeseman, W. E. Bennett, The Effect of the
//! Ground on a Helicopter Rotor in Forward Flight, ARC R&M 3021, 1955). A rotor whose radius is not known, which is 0
//! then, has the thrust of free air at every height.

use crate::vehicle::number::Number;

/// T / T∞ at a height; from 25 radii on, where it is less than one in ten thousand above it, one.
#[inline(always)]
pub fn ground_effect<T: Number>(radius: f64, height: T) -> T {
    height.one_beyond(25.0 * radius, |height| near_ground(radius, height))
}

#[inline(never)]
fn near_ground(radius: f64, height: f64) -> f64 {
    if radius == 0.0 {
        return 1.0;
    }
    let quarter = 0.25 * radius;
    let near = quarter / height.max(2.0 * quarter);
    1.0 / (1.0 - near * near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicle::number::Lanes;

    #[test]
    fn without_a_radius_the_ground_does_nothing() {
        for height in [-1.0, 0.0, 1e-300, 1.0, f64::INFINITY] {
            assert_eq!(ground_effect(0.0, height), 1.0, "{height} m");
        }
        let lanes = ground_effect(0.0, Lanes::from([-1.0, 0.0, 1.0, f64::INFINITY]));
        assert_eq!(lanes.to_array(), [1.0; 4]);
    }

    #[test]
    fn it_is_what_the_paper_says_and_ends_at_half_a_radius() {
        for (height, grown) in
            [(0.2, 16.0 / 15.0), (0.1, 4.0 / 3.0), (0.0, 4.0 / 3.0), (-3.0, 4.0 / 3.0)]
        {
            assert!((ground_effect(0.2, height) - grown).abs() < 1e-15, "{height} m");
        }
        assert_eq!(ground_effect(0.2, 5.0), 1.0);
        assert!(ground_effect(0.2, 4.999) < 1.000_101);
    }
}
