//! PLIC: which external interrupt the hart sees (RISC-V platform-level interrupt controller, one context).

use serde::{Deserialize, Serialize};

/// Sources are 1 … 31; 0 stands for none.
const SOURCES: u32 = 32;

const PENDING: u32 = 0x1000;
const ENABLE: u32 = 0x2000;
const THRESHOLD: u32 = 0x20_0000;
const CLAIM: u32 = 0x20_0004;

/// Priorities, gates and the lines behind them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Plic {
    priority: [u32; SOURCES as usize],
    enable: u32,
    threshold: u32,
    /// Sources that were claimed and not yet completed.
    claimed: u32,
    /// Levels of the lines.
    lines: u32,
}

impl Plic {
    /// The levels of all lines, by bit.
    pub fn set_lines(&mut self, lines: u32) {
        self.lines = lines & !1;
    }

    fn pending(&self) -> u32 {
        self.lines & !self.claimed
    }

    /// The source that would be claimed now: the highest priority above the threshold, then the lowest number.
    fn best(&self) -> u32 {
        let mut best = (0, self.threshold);
        let mut candidates = self.pending() & self.enable;
        while candidates != 0 {
            let source = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let priority = self.priority[source as usize];
            if priority > best.1 {
                best = (source, priority);
            }
        }
        best.0
    }

    /// Whether the hart is interrupted.
    pub fn interrupts(&self) -> bool {
        self.best() != 0
    }

    /// Reads a register; claiming changes what is pending.
    pub fn load(&mut self, offset: u32) -> u32 {
        match offset {
            PENDING => self.pending(),
            ENABLE => self.enable,
            THRESHOLD => self.threshold,
            CLAIM => {
                let source = self.best();
                if source != 0 {
                    self.claimed |= 1 << source;
                }
                source
            }
            _ if offset < 4 * SOURCES => self.priority[(offset / 4) as usize],
            _ => 0,
        }
    }

    pub fn store(&mut self, offset: u32, value: u32) {
        match offset {
            ENABLE => self.enable = value & !1,
            THRESHOLD => self.threshold = value & 7,
            CLAIM => self.claimed &= !1u32.checked_shl(value).unwrap_or(0),
            _ if (4..4 * SOURCES).contains(&offset) => {
                self.priority[(offset / 4) as usize] = value & 7;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_sources(priorities: &[(u32, u32)]) -> Plic {
        let mut plic = Plic::default();
        for &(source, priority) in priorities {
            plic.store(4 * source, priority);
        }
        plic.store(ENABLE, 0xFFFF_FFFF);
        plic
    }

    #[test]
    fn the_highest_priority_is_claimed_first_then_the_lowest_number() {
        let mut plic = with_sources(&[(1, 2), (2, 5), (3, 5)]);
        plic.set_lines(0b1110);
        assert_eq!([plic.load(CLAIM), plic.load(CLAIM), plic.load(CLAIM)], [2, 3, 1]);
        assert_eq!(plic.load(CLAIM), 0);
        assert!(!plic.interrupts());
    }

    #[test]
    fn a_line_that_is_still_high_interrupts_again_when_completed() {
        let mut plic = with_sources(&[(4, 1)]);
        plic.set_lines(1 << 4);
        assert_eq!(plic.load(CLAIM), 4);
        assert!(!plic.interrupts());
        plic.store(CLAIM, 4);
        assert!(plic.interrupts());
        plic.set_lines(0);
        assert!(!plic.interrupts());
    }

    #[test]
    fn what_is_off_or_below_the_threshold_does_not_interrupt() {
        let mut plic = with_sources(&[(1, 3)]);
        plic.set_lines(0b10);
        plic.store(THRESHOLD, 3);
        assert!(!plic.interrupts());
        plic.store(THRESHOLD, 2);
        assert!(plic.interrupts());
        plic.store(ENABLE, 0);
        assert!(!plic.interrupts());
    }
}
