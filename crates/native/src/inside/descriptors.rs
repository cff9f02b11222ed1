//! Which descriptors of the process are the run's. The program shares them all, and is to close none of these.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers from here on are not kept: no run gets that far.
const NUMBERS: usize = 1 << 16;
const WORD: usize = u64::BITS as usize;

/// One bit for each number. Threads of the run open and close files beside the program.
static KEPT: [AtomicU64; NUMBERS / WORD] = [const { AtomicU64::new(0) }; NUMBERS / WORD];

fn place(descriptor: RawFd) -> Option<(&'static AtomicU64, u64)> {
    let number = usize::try_from(descriptor).ok()?;
    Some((KEPT.get(number / WORD)?, 1 << (number % WORD)))
}

/// From now on this descriptor is the run's.
pub fn keep(descriptor: RawFd) {
    if let Some((word, bit)) = place(descriptor) {
        word.fetch_or(bit, Ordering::Relaxed);
    }
}

/// It is closed, or handed to the program.
pub fn give_up(descriptor: RawFd) {
    if let Some((word, bit)) = place(descriptor) {
        word.fetch_and(!bit, Ordering::Relaxed);
    }
}

/// Whether it is the run's.
pub fn is_kept(descriptor: RawFd) -> bool {
    place(descriptor).is_some_and(|(word, bit)| word.load(Ordering::Relaxed) & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_known_until_it_is_given_up() {
        let near = [639, 640, 641];
        keep(640);
        assert_eq!(near.map(is_kept), [false, true, false]);
        give_up(639);
        assert_eq!(near.map(is_kept), [false, true, false]);
        give_up(640);
        assert_eq!(near.map(is_kept), [false; 3]);
        // Numbers of no file.
        for none in [-1, RawFd::MAX] {
            keep(none);
            assert!(!is_kept(none));
        }
    }
}
