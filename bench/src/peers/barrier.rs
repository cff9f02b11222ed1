//! Two threads that wait for each other: the price of one synchronisation, without any content.

use std::hint;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::measure::by_wall_time;
use crate::row::{Sample, Side};

/// Crossings of `std::sync::Barrier`, which sleeps in the kernel.
pub fn standard() -> Side {
    Box::new(|| cross(&Barrier::new(2)))
}

/// Crossings of a sense-reversing barrier that spins.
pub fn spinning() -> Side {
    Box::new(|| cross(&SpinBarrier::new(2)))
}

/// How long a repetition lasts, and how many crossings there are between two looks at the clock. A
/// fixed number of crossings would take minutes where other processes hold the second core.
const REPETITION: Duration = Duration::from_millis(100);
const BATCH: u64 = 500;

fn cross(barrier: &impl Meet) -> Sample {
    let is_over = AtomicBool::new(false);
    let cross_many = |sense: &mut bool, many| (0..many).for_each(|_| barrier.meet(sense));
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut sense = false;
            barrier.meet(&mut sense);
            while !is_over.load(Ordering::Relaxed) {
                cross_many(&mut sense, BATCH);
            }
        });
        let mut sense = false;
        barrier.meet(&mut sense);
        by_wall_time(|| {
            let start = Instant::now();
            let mut crossings = 0;
            while !is_over.load(Ordering::Relaxed) {
                // Said inside a batch: the other thread has looked before it and looks after it.
                barrier.meet(&mut sense);
                is_over.store(start.elapsed() >= REPETITION, Ordering::Relaxed);
                cross_many(&mut sense, BATCH - 1);
                crossings += BATCH;
            }
            crossings
        })
    })
}

/// A barrier, given room for what a thread has to remember between crossings.
trait Meet: Sync {
    fn meet(&self, sense: &mut bool);
}

impl Meet for Barrier {
    fn meet(&self, _sense: &mut bool) {
        self.wait();
    }
}

/// The sense-reversing barrier of Mellor-Crummey and Scott (TOCS 1991, algorithm 7). Its counter
/// and its flag lie in different cache lines, so that late-comers do not disturb those who spin.
struct SpinBarrier {
    parties: usize,
    missing: CacheLine<AtomicUsize>,
    sense: CacheLine<AtomicBool>,
}

#[repr(align(128))]
struct CacheLine<T>(T);

/// After so many looks the other thread is not running at all, and needs our core.
const LOOKS_BEFORE_YIELDING: u32 = 10_000;

impl SpinBarrier {
    fn new(parties: usize) -> Self {
        SpinBarrier {
            parties,
            missing: CacheLine(AtomicUsize::new(parties)),
            sense: CacheLine(AtomicBool::new(false)),
        }
    }
}

impl Meet for SpinBarrier {
    fn meet(&self, sense: &mut bool) {
        *sense = !*sense;
        if self.missing.0.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.missing.0.store(self.parties, Ordering::Relaxed);
            self.sense.0.store(*sense, Ordering::Release);
            return;
        }
        let mut looks = 0;
        while self.sense.0.load(Ordering::Acquire) != *sense {
            looks += 1;
            if looks % LOOKS_BEFORE_YIELDING == 0 {
                thread::yield_now();
            } else {
                hint::spin_loop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_passes_the_spinning_barrier_alone() {
        let barrier = SpinBarrier::new(2);
        let steps = [AtomicUsize::new(0), AtomicUsize::new(0)];
        let walk = |own: usize| {
            let mut sense = false;
            for step in 1..=1_000 {
                steps[own].store(step, Ordering::Relaxed);
                barrier.meet(&mut sense);
                assert_eq!(steps[1 - own].load(Ordering::Relaxed), step);
                barrier.meet(&mut sense);
            }
        };
        thread::scope(|scope| {
            scope.spawn(|| walk(0));
            walk(1);
        });
    }

    #[test]
    fn crossings_are_counted_and_timed() {
        for mut side in [standard(), spinning()] {
            let sample = side();
            assert!(sample.work >= BATCH as f64 && sample.work % BATCH as f64 == 0.0);
            assert!(sample.cost >= REPETITION.as_secs_f64());
        }
    }
}
