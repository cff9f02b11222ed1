//! Which instants are looked at: one of w on average, at distances that follow no rhythm, so that no
//! component is missed because its rate fits the distance.

/// Looked at before w is chosen for the first time.
const AT_FIRST: u64 = 32;
/// One of more than so many tells nothing any more.
const LARGEST: u64 = 4_096;
/// The part of the time that may be spent on looking: one in so many.
const PART: u64 = 600;

/// Chooses.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// One of so many is chosen.
    pub weight: u64,
    /// So many come before the next that is chosen.
    pub left: u64,
    random: u64,
    /// How many were chosen, and what they took, in nanoseconds.
    looked: u64,
    took: u64,
    /// How often the clock was read for them.
    reads: u64,
}

impl Choice {
    pub fn new() -> Self {
        let random = 0x9e37_79b9_7f4a_7c15;
        Choice { weight: 1, left: 0, random, looked: 0, took: 0, reads: 0 }
    }

    /// One was looked at: says when the next is.
    pub fn looked(&mut self, took: u64, reads: u64) {
        self.looked += 1;
        self.took += took;
        self.reads += reads;
        // Marsaglia's xorshift: any sequence without a rhythm will do.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.left = self.random % (2 * self.weight - 1);
    }

    /// Chooses the weight: `all` of them took `total` nanoseconds, a reading of the clock takes `clock`.
    pub fn adapt(&mut self, all: u64, total: u64, clock: u64) {
        if self.looked < AT_FIRST || all == 0 {
            return;
        }
        let usual = (total / all).max(1);
        let read = self.reads * clock / self.looked;
        // Looking also leaves the quick ways through an instant.
        let more = (self.took / self.looked).saturating_sub(usual).max(read);
        self.weight = (PART * more / usual).clamp(1, LARGEST);
        self.left = self.left.min(2 * self.weight);
    }

    /// The same where looking changes nothing but that the clock is read.
    pub fn adapt_alone(&mut self, clock: u64) {
        self.adapt(self.looked, self.took, clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_the_weight_is_chosen_and_every_phase_of_a_rhythm() {
        let mut choice = Choice::new();
        choice.weight = 64;
        let mut phases = [0_u32; 20];
        let (mut at, mut count) = (0_u64, 0_u64);
        while count < 20_000 {
            choice.looked(1, 1);
            at += choice.left + 1;
            count += 1;
            phases[(at % 20) as usize] += 1;
        }
        let mean = at as f64 / count as f64;
        assert!((mean - 64.0).abs() < 1.0, "one of {mean}");
        assert!(phases.iter().all(|n| (800..1200).contains(n)), "{phases:?}");
    }

    #[test]
    fn what_takes_long_is_always_looked_at_and_what_is_quick_seldom() {
        let weight = |usual: u64, looked_at: u64| {
            let mut choice = Choice::new();
            for _ in 0..AT_FIRST {
                choice.looked(looked_at, 3);
            }
            choice.adapt(1_000, 1_000 * usual, 30);
            choice.weight
        };
        assert_eq!(weight(1_000_000, 1_000_090), 1);
        assert_eq!(weight(1_000, 1_090), 54);
        assert_eq!(weight(60, 390), 3_300);
        assert_eq!(weight(1, 100_000), LARGEST);
    }
}
