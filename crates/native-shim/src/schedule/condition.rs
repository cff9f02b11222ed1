//! `pthread_cond_t`, with the rules of glibc since 2.25 (nptl/pthread_cond_wait.c has them in words).
//!
//! Waiters are in two groups. Whoever comes joins the second one; signals are for the first. When all of the first have
//! had theirs, the second takes its place. So no signal goes to a thread that came after it, whatever its priority. Within
//! a group a signal belongs to nobody: who goes on first takes it, as a thread that was called by another signal does.

/// The condition as it lies in the program's memory. A static initialiser is all zeros.
#[repr(C)]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    is_monotonic: u32,
    /// The number of the first group; the second has the next.
    first: u32,
    /// Those of the first group who had no signal.
    first_size: u32,
    /// Signals for the first group that nobody has taken.
    signals: u32,
    second_size: u32,
    /// All who have not gone on.
    waiters: u32,
    unused: [u32; 6],
}

impl Condition {
    /// A condition whose time-outs are of one of two clocks.
    pub fn new(is_monotonic: bool) -> Self {
        Self { is_monotonic: is_monotonic.into(), ..Self::default() }
    }

    /// Whether its time-outs are of the monotonic clock.
    pub fn is_monotonic(&self) -> bool {
        self.is_monotonic != 0
    }

    /// A thread comes; its group.
    pub fn arrive(&mut self) -> u32 {
        self.waiters += 1;
        self.second_size += 1;
        self.first.wrapping_add(1)
    }

    /// Whether a thread of a group need not wait any more.
    pub fn goes_on(&mut self, group: u32) -> bool {
        match group.wrapping_sub(self.first) as i32 {
            // All of a group before had their signals.
            ..0 => true,
            0 if self.signals > 0 => {
                self.signals -= 1;
                true
            }
            _ => false,
        }
    }

    /// A thread of a group does not wait any more, though nobody has signalled. True: a signal was meant for it, and
    /// others may have to have it.
    pub fn give_up(&mut self, group: u32) -> bool {
        let size = match group.wrapping_sub(self.first) as i32 {
            ..0 => return true,
            0 => &mut self.first_size,
            _ => &mut self.second_size,
        };
        let was_signalled = *size == 0;
        *size = size.saturating_sub(1);
        was_signalled
    }

    /// A thread leaves. True: it was the last.
    pub fn leave(&mut self) -> bool {
        self.waiters -= 1;
        self.waiters == 0
    }

    /// Whether anybody has not left.
    pub fn is_used(&self) -> bool {
        self.waiters > 0
    }

    /// A signal for one; the group of which one is to be woken.
    pub fn signal(&mut self) -> Option<u32> {
        if self.first_size == 0 {
            self.second_becomes_first()?;
        }
        self.first_size -= 1;
        self.signals += 1;
        Some(self.first)
    }

    /// Signals for all of a group; which are to be woken. To be called until there is none.
    pub fn broadcast(&mut self) -> Option<u32> {
        if self.first_size == 0 {
            self.second_becomes_first()?;
        }
        self.signals += std::mem::take(&mut self.first_size);
        Some(self.first)
    }

    fn second_becomes_first(&mut self) -> Option<()> {
        if self.second_size == 0 {
            return None;
        }
        self.first = self.first.wrapping_add(1);
        self.first_size = std::mem::take(&mut self.second_size);
        self.signals = 0;
        Some(())
    }
}
