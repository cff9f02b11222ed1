//! What happens over time, in bounded room.

use super::{Moment, Wait};

/// Moments that are kept, at most.
pub(crate) const MOMENTS: usize = 1_024;
/// Waits that are kept, at most.
pub(crate) const WAITS: usize = 20_000;
/// Nanoseconds between moments at first.
const APART: u64 = 1_000_000;

/// Moments at even distances on the wall.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments {
    pub kept: Vec<Moment>,
    apart: u64,
    next: u64,
}

impl Moments {
    pub fn is_due(&self, wall: u64) -> bool {
        wall >= self.next
    }

    /// Keeps a moment; halves what is kept where there is no room.
    pub fn keep(&mut self, moment: Moment) {
        if self.kept.len() == MOMENTS {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.apart *= 2;
        }
        self.apart = self.apart.max(APART);
        self.next = moment.wall + self.apart;
        self.kept.push(moment);
    }
}

/// Waits in the order of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    pub kept: Vec<Wait>,
    /// Shorter ones are left out.
    pub shortest: u64,
}

impl Waits {
    /// Keeps a wait; where there is no room, the short ones go, until there is room for half as many again.
    pub fn keep(&mut self, wait: Wait) {
        if wait.until - wait.from < self.shortest {
            return;
        }
        self.kept.push(wait);
        while self.kept.len() >= WAITS {
            self.shortest = (2 * self.shortest).max(1_000);
            self.kept.retain(|wait| wait.until - wait.from >= self.shortest);
            if self.kept.len() <= 2 * WAITS / 3 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_cover_the_whole_time_however_long_it_is() {
        let mut moments = Moments::default();
        let mut wall = 0;
        while wall < 60_000_000_000 {
            if moments.is_due(wall) {
                moments.keep(Moment { wall, ..Moment::default() });
            }
            wall += 100_000;
        }
        let kept = &moments.kept;
        assert!((MOMENTS / 2..=MOMENTS).contains(&kept.len()), "{}", kept.len());
        assert!(kept[0].wall < 200_000_000);
        assert!(kept[kept.len() - 1].wall > 59_800_000_000);
        assert!(kept.windows(2).all(|pair| pair[0].wall < pair[1].wall));
    }

    #[test]
    fn long_waits_outlive_short_ones() {
        let mut waits = Waits::default();
        for number in 0..1_000_000_u64 {
            let from = number * 10_000;
            let length = if number % 1_000 == 0 { 9_000 } else { 500 + number % 2_000 };
            waits.keep(Wait { from, until: from + length, awaited: Some(1) });
        }
        assert!(waits.kept.len() < WAITS);
        assert_eq!(waits.kept.iter().filter(|wait| wait.until - wait.from == 9_000).count(), 1_000);
        assert!(waits.kept.iter().all(|wait| wait.until - wait.from >= waits.shortest));
        assert!(waits.kept.windows(2).all(|pair| pair[0].until <= pair[1].from));
    }
}
