//! The three ratios of the thesis, in per cent.

/// Shares of tasks and of transactions, in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratios {
    /// Tasks that are timers, each the first of a chain of its own; at 0 there is one chain.
    pub transaction: u32,
    /// Transactions whose last task writes to the physical system.
    pub write: u32,
    /// Transactions whose timer reads from the physical system.
    pub read: u32,
}

/// The ratio that a study varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vary {
    /// Timers among tasks (Figure 10).
    Transaction,
    /// Transactions that write (Figure 11).
    Write,
    /// Transactions that read (Figure 12).
    Read,
}

impl Vary {
    /// All of them.
    pub const ALL: [Vary; 3] = [Vary::Transaction, Vary::Write, Vary::Read];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Vary::Transaction => "transaction",
            Vary::Write => "write",
            Vary::Read => "read",
        }
    }
}

impl Ratios {
    /// The same with another value of the one that is varied.
    pub(super) fn with(mut self, vary: Vary, percent: u32) -> Self {
        match vary {
            Vary::Transaction => self.transaction = percent,
            Vary::Write => self.write = percent,
            Vary::Read => self.read = percent,
        }
        self
    }

    /// One that is more than all.
    pub(super) fn beyond_all(self) -> Option<u32> {
        [self.transaction, self.write, self.read].into_iter().find(|ratio| *ratio > 100)
    }
}

/// Which whole number a share is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Up,
    Down,
}

impl Rounding {
    /// That share of a number.
    pub fn share(self, percent: u32, of: usize) -> usize {
        let hundredths = percent as usize * of;
        match self {
            Rounding::Up => hundredths.div_ceil(100),
            Rounding::Down => hundredths / 100,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rounding;

    #[test]
    fn shares_are_rounded_up_or_down() {
        let of_seven = |rounding: Rounding| [0, 1, 30, 50, 100].map(|part| rounding.share(part, 7));
        assert_eq!(of_seven(Rounding::Up), [0, 1, 3, 4, 7]);
        assert_eq!(of_seven(Rounding::Down), [0, 0, 2, 3, 7]);
    }
}
