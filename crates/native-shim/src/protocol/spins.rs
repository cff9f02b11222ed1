//! Whether looking at a word for a while, before sleeping, pays.

/// What one side has learned from its waits so far. On a machine with a free core the answer is there within a few
/// microseconds, and looking is much quicker than sleeping. Where the other side has to run on the same core, or the
/// machine is busy, looking only keeps that core from it.
///
/// After each look in vain the next ones are left out, twice as many as before; after each answer in time half as many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spins {
    in_vain: u32,
    left_out: u32,
}

/// At most so many powers of two are left out: some tenth of a second of a quick exchange.
const MOST: u32 = 10;

impl Spins {
    /// Asked once for each wait: whether to look for a while before sleeping.
    pub fn pay(&mut self) -> bool {
        let pays = self.left_out == 0;
        self.left_out = self.left_out.saturating_sub(1);
        pays
    }

    /// A wait for which [`pay`](Spins::pay) held is over: whether the answer came while it looked.
    pub fn ended(&mut self, in_time: bool) {
        self.in_vain = match in_time {
            true => self.in_vain.saturating_sub(1),
            false => (self.in_vain + 1).min(MOST),
        };
        self.left_out = (1 << self.in_vain) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many waits begin with looking, where the answer comes in time or not.
    fn looks(spins: &mut Spins, waits: u32, in_time: bool) -> u32 {
        let mut looks = 0;
        for _ in 0..waits {
            if spins.pay() {
                looks += 1;
                spins.ended(in_time);
            }
        }
        looks
    }

    #[test]
    fn who_is_answered_in_time_always_looks() {
        assert_eq!(looks(&mut Spins::default(), 10_000, true), 10_000);
    }

    #[test]
    fn who_looks_in_vain_hardly_looks_any_more() {
        let mut spins = Spins::default();
        let first = looks(&mut spins, 10_000, false);
        assert!((10..=20).contains(&first), "{first}");
        let later = looks(&mut spins, 100_000, false);
        assert!((97..=98).contains(&later), "one in 1024: {later}");
    }

    #[test]
    fn a_machine_that_becomes_free_is_noticed() {
        let mut spins = Spins::default();
        looks(&mut spins, 10_000, false);
        looks(&mut spins, 2_100, true);
        assert_eq!(looks(&mut spins, 1_000, true), 1_000);
    }
}
