//! Keeping a height above a sea bed that goes up and down.
//!
//! The wanted depth r passes a filter of third order with a triple pole: with ω = 1/τ the jerk is
//!
//! ```text
//! z''' = ω² (ω e - 3 z') - 3 ω z'',   e = r - z within ±3 τ v_max
//! ```
//!
//! constant over a step and integrated exactly, so that depth, rate and acceleration agree. A bed that
//! falls at a steady rate r' is followed 3 τ r' behind; the limit of e makes v_max the fastest steady
//! climb.

use serde::{Deserialize, Serialize};

/// How much of the time constant a step may take; longer ones are divided.
const LONGEST_STEP: f64 = 0.1;

/// A depth that follows a wanted one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BedFollower {
    pub depth: f64,
    pub rate: f64,
    pub acceleration: f64,
    wanted: f64,
}

/// How it follows.
#[derive(Clone, Copy, Debug)]
pub struct Following {
    /// τ in s.
    pub time_constant: f64,
    /// v_max in m/s.
    pub fastest: f64,
}

impl BedFollower {
    /// At rest at a depth.
    pub fn at(depth: f64) -> Self {
        BedFollower { depth, wanted: depth, ..BedFollower::default() }
    }

    /// `elapsed` seconds later; from now on `wanted` is followed.
    pub fn follow(&mut self, elapsed: f64, wanted: f64, how: Following) {
        let mut left = elapsed;
        let longest = LONGEST_STEP * how.time_constant;
        while left > longest {
            self.advance(longest, how);
            left -= longest;
        }
        self.advance(left, how);
        self.wanted = wanted;
    }

    fn advance(&mut self, h: f64, how: Following) {
        let omega = 1.0 / how.time_constant;
        let limit = 3.0 * how.time_constant * how.fastest;
        let error = (self.wanted - self.depth).clamp(-limit, limit);
        let jerk =
            omega * omega * (omega * error - 3.0 * self.rate) - 3.0 * omega * self.acceleration;
        self.depth += h * (self.rate + h * (self.acceleration / 2.0 + h * jerk / 6.0));
        self.rate += h * (self.acceleration + h * jerk / 2.0);
        self.acceleration += h * jerk;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOW: Following = Following { time_constant: 2.0, fastest: 1.0 };

    #[test]
    fn a_slope_is_followed_behind_by_three_time_constants() {
        let mut follower = BedFollower::at(20.0);
        for k in 0..100_000 {
            follower.follow(1e-3, 20.0 + 1e-4 * f64::from(k), HOW);
        }
        assert!((follower.rate - 0.1).abs() < 1e-6 && follower.acceleration.abs() < 1e-6);
        let behind = follower.wanted - follower.depth;
        assert!((behind - 0.6).abs() < 1e-3, "{behind}");
    }

    #[test]
    fn a_step_is_climbed_no_faster_than_allowed_and_not_overshot_by_much() {
        let mut follower = BedFollower::at(100.0);
        follower.follow(0.0, 20.0, HOW);
        let (mut fastest, mut highest) = (0.0_f64, f64::INFINITY);
        for _ in 0..200_000 {
            follower.follow(1e-3, 20.0, HOW);
            (fastest, highest) = (fastest.min(follower.rate), highest.min(follower.depth));
        }
        assert!((-1.05..-0.95).contains(&fastest), "{fastest}");
        assert!((follower.depth - 20.0).abs() < 1e-6 && highest > 19.9, "{highest}");
    }

    #[test]
    fn a_long_pause_does_it_no_harm() {
        let mut follower = BedFollower::at(10.0);
        follower.follow(0.0, 30.0, HOW);
        follower.follow(600.0, 30.0, HOW);
        assert!((follower.depth - 30.0).abs() < 1e-6);
    }
}
