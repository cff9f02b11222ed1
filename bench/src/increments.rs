//! The exponential increments of every timer row: the same numbers for us and for each peer.
//!
//! Draw k of timer i is
//!
//! ```text
//! u  = (philox2x64-10(key = i, counter = k) >> 11 + 1/2) * 2^-53       in (0, 1)
//! dt = max(1 ps, -10^9 ps * ln u)                                      mean 1 ms
//! ```
//!
//! TO BE REPLACED by the kernel's own generator when it is there.

use serde::{Deserialize, Serialize};

/// Mean of the increments in picoseconds: 1 ms.
const MEAN_PS: f64 = 1e9;

/// The stream of increments of one timer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Increments {
    timer: u64,
    draws: u64,
}

impl Increments {
    /// The stream of timer number `timer`, at its start.
    pub fn new(timer: u64) -> Self {
        Increments { timer, draws: 0 }
    }

    /// The next increment in whole picoseconds, at least one.
    #[inline]
    pub fn next_ps(&mut self) -> u64 {
        let [bits, _] = philox2x64_10([self.draws, 0], self.timer);
        self.draws += 1;
        let uniform = ((bits >> 11) as f64 + 0.5) * (1.0 / (1_u64 << 53) as f64);
        ((-libm::log(uniform) * MEAN_PS) as u64).max(1)
    }

    /// The next increment rounded to whole nanoseconds, at least one.
    #[inline]
    pub fn next_ns(&mut self) -> u64 {
        ((self.next_ps() + 500) / 1000).max(1)
    }
}

/// Philox2x64 with ten rounds (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as
/// 1, 2, 3", SC11).
#[inline]
fn philox2x64_10(mut counter: [u64; 2], mut key: u64) -> [u64; 2] {
    for _ in 0..10 {
        let product = u128::from(counter[0]) * 0xD2B7_4407_B1CE_6E93;
        counter = [(product >> 64) as u64 ^ key ^ counter[1], product as u64];
        key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_the_published_answers() {
        // Random123, `kat_vectors`, "philox2x64 10".
        let ones = u64::MAX;
        for (counter, key, answer) in [
            ([0, 0], 0, [0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5]),
            ([ones, ones], ones, [0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20]),
            (
                [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344],
                0xa409_3822_299f_31d0,
                [0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d],
            ),
        ] {
            assert_eq!(philox2x64_10(counter, key), answer);
        }
    }

    #[test]
    fn increments_are_exponential_with_a_mean_of_one_millisecond() {
        let mut increments = Increments::new(7);
        let draws: Vec<u64> = (0..100_000).map(|_| increments.next_ps()).collect();
        let mean = draws.iter().sum::<u64>() as f64 / draws.len() as f64;
        assert!((mean / 1e9 - 1.0).abs() < 0.01, "mean {mean} ps");
        // P(dt > 1 ms) = 1/e.
        let late = draws.iter().filter(|&&dt| dt > 1_000_000_000).count() as f64;
        assert!((late / draws.len() as f64 - 0.367_879).abs() < 0.005, "{late} late");
    }

    #[test]
    fn timers_draw_different_increments() {
        assert_ne!(Increments::new(0).next_ps(), Increments::new(1).next_ps());
    }
}
