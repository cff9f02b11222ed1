//! A time axis: which instants are written at it.

use crate::system::Ticks;

/// Steps of 1, 2 or 5 times a power of ten units, such that no more than `most` fit into `until`; in ticks, and
/// never less than one unit unless the whole axis is shorter than some.
pub fn step(until: Ticks, per_unit: u64, most: u64) -> Ticks {
    let mut decade = per_unit.max(1);
    loop {
        for factor in [1, 2, 5] {
            let step = decade.saturating_mul(factor);
            if until / step <= most {
                return step;
            }
        }
        decade = decade.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_and_few() {
        assert_eq!(step(10, 1, 12), 1);
        assert_eq!(step(100_000, 1, 12), 10_000);
        assert_eq!(step(3300, 33, 12), 10 * 33);
        assert_eq!(step(u64::MAX, 1, 12), 2_000_000_000_000_000_000);
    }
}
