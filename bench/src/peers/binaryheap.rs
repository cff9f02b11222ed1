//! The bare hold on `std::collections::BinaryHeap`: pop the least entry, draw an increment, push
//! the entry back. What is left of an event-driven engine when everything but its queue is gone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::measure::by_thread_cpu_time;
use crate::row::Side;
use ironbird_workloads::timers::Increments;
use ironbird_workloads::timers::Timers;

/// Runs of a population of timers: holds by CPU time.
pub fn timers(timers: Timers) -> Side {
    Box::new(move || {
        let mut queue = Hold::new(timers.count);
        hot_hold(&mut queue, timers.start_ns() * 1000);
        let mut held = 0;
        let sample = by_thread_cpu_time(|| {
            held = hot_hold(&mut queue, timers.end_ns() * 1000);
            held
        });
        assert_eq!(held, timers.firings(), "the heap lost or invented firings");
        sample
    })
}

/// Holds without a warm-up; the loop to count instructions in is [`hot_hold`].
pub fn hold_workload(timers: Timers) -> u64 {
    hot_hold(&mut Hold::new(timers.count), timers.end_ns() * 1000)
}

/// The pending entries, as (picoseconds, timer), and the timers' increments.
struct Hold {
    pending: BinaryHeap<Reverse<(u64, u32)>>,
    increments: Vec<Increments>,
}

impl Hold {
    fn new(count: u32) -> Self {
        let mut increments: Vec<_> =
            (0..count).map(|timer| Increments::new(timer.into())).collect();
        let first = |timer: u32| Reverse((increments[timer as usize].next_ps(), timer));
        let pending = (0..count).map(first).collect();
        Hold { pending, increments }
    }
}

/// Holds until the least entry is not before `until_ps`; returns how many there were.
#[inline(never)]
fn hot_hold(queue: &mut Hold, until_ps: u64) -> u64 {
    let mut held = 0;
    while let Some(Reverse((now, timer))) = queue.pending.pop() {
        if now >= until_ps {
            queue.pending.push(Reverse((now, timer)));
            break;
        }
        let increment = queue.increments[timer as usize].next_ps();
        queue.pending.push(Reverse((now + increment, timer)));
        held += 1;
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_fire_as_often_as_their_increments_say() {
        let case = Timers::firing(50, 500, 1_000);
        assert_eq!(timers(case)().work, case.firings() as f64);
    }
}
