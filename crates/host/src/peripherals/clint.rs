//! CLINT: the timer and the software interrupt of the hart.

use serde::{Deserialize, Serialize};

/// `mtime` counts microseconds, as software takes them.
pub const TIME_BASE: u64 = 1_000_000;

const MSIP: u32 = 0x0000;
const MTIMECMP_LOW: u32 = 0x4000;
const MTIMECMP_HIGH: u32 = 0x4004;
const MTIME_LOW: u32 = 0xBFF8;
const MTIME_HIGH: u32 = 0xBFFC;

/// Timer and software interrupt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clint {
    pub software: bool,
    compare: u64,
    /// Nominal clock of the processor in Hz.
    clock: u64,
    /// The cycle at which `mtime` was 0.
    began: u64,
}

impl Clint {
    pub fn new(clock: u64, cycle: u64) -> Self {
        Clint { software: false, compare: u64::MAX, clock, began: cycle }
    }

    /// `mtime` at a cycle: floor(cycles · 1 MHz / clock).
    pub fn time(&self, cycle: u64) -> u64 {
        let cycles = u128::from(cycle.saturating_sub(self.began));
        (cycles * u128::from(TIME_BASE) / u128::from(self.clock)) as u64
    }

    /// The first cycle at which the timer interrupt is pending.
    pub fn due(&self) -> u64 {
        let cycles =
            (u128::from(self.compare) * u128::from(self.clock)).div_ceil(u128::from(TIME_BASE));
        u64::try_from(cycles).map_or(u64::MAX, |cycles| cycles.saturating_add(self.began))
    }

    pub fn load(&self, offset: u32, cycle: u64) -> u32 {
        match offset {
            MSIP => u32::from(self.software),
            MTIMECMP_LOW => self.compare as u32,
            MTIMECMP_HIGH => (self.compare >> 32) as u32,
            MTIME_LOW => self.time(cycle) as u32,
            MTIME_HIGH => (self.time(cycle) >> 32) as u32,
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        let value = u64::from(value);
        match offset {
            MSIP => self.software = value & 1 != 0,
            MTIMECMP_LOW => self.compare = self.compare & !0xFFFF_FFFF | value,
            MTIMECMP_HIGH => self.compare = self.compare & 0xFFFF_FFFF | value << 32,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interrupt_is_due_in_the_first_cycle_in_which_the_time_has_come() {
        let mut clint = Clint::new(168_000_000, 1_000);
        clint.store(MTIMECMP_LOW, 2_500);
        clint.store(MTIMECMP_HIGH, 0);
        let due = clint.due();
        assert_eq!(due, 1_000 + 2_500 * 168);
        assert_eq!((clint.time(due - 1), clint.time(due)), (2_499, 2_500));
        // A clock that is no whole number of MHz.
        let mut odd = Clint::new(32_768, 0);
        odd.store(MTIMECMP_LOW, 100);
        odd.store(MTIMECMP_HIGH, 0);
        assert!(odd.time(odd.due()) >= 100 && odd.time(odd.due() - 1) < 100);
    }

    #[test]
    fn after_reset_the_timer_never_fires() {
        assert_eq!(Clint::new(168_000_000, 0).due(), u64::MAX);
    }
}
