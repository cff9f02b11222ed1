//! When each node is next due.
//!
//! Two regimes: an indexed 4-ary heap of packed keys (time, then node) where few nodes are due at
//! an instant, and a flat sweep over all times where most are. A due node stays in the heap until
//! its next time is known, so that the usual case, due and due again, is one sift.

use crate::time::Time;

/// Which regime the queue uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueueRegime {
    /// Whichever fits what was seen lately.
    #[default]
    Adaptive,
    /// Always the heap.
    Heap,
    /// Always the sweep.
    Sweep,
}

/// A node's place when it is not in the heap.
const ABSENT: u32 = u32::MAX;
/// Children of a heap node.
const ARITY: usize = 4;
/// Instants of one kind in a row before the regime changes.
const PATIENCE: u32 = 16;

/// Time in the high bits, node in the low ones: one comparison orders both.
type Key = u128;

fn pack(time: Time, node: u32) -> Key {
    (Key::from(time.as_ps()) << 32) | Key::from(node)
}

fn time_of(key: Key) -> Time {
    Time::from_ps((key >> 32) as u64)
}

#[derive(Default)]
pub(crate) struct EventQueue {
    regime: QueueRegime,
    sweeping: bool,
    /// Heap regime: keys in heap order, and the place of each node.
    heap: Vec<Key>,
    place: Vec<u32>,
    /// Sweep regime: the time of each node, and the least of them while nothing changed.
    times: Vec<Time>,
    least: Option<Time>,
    /// How many instants in a row spoke for the other regime.
    votes: u32,
    scratch: Vec<u32>,
}

impl EventQueue {
    pub fn new(nodes: usize, regime: QueueRegime) -> Self {
        let sweeping = regime == QueueRegime::Sweep;
        EventQueue {
            regime,
            sweeping,
            place: if sweeping { Vec::new() } else { vec![ABSENT; nodes] },
            times: if sweeping { vec![Time::NEVER; nodes] } else { Vec::new() },
            ..EventQueue::default()
        }
    }

    /// The earliest time of any node.
    #[inline]
    pub fn next_time(&mut self) -> Time {
        if !self.sweeping {
            return self.heap.first().map_or(Time::NEVER, |&key| time_of(key));
        }
        *self.least.get_or_insert_with(|| self.times.iter().copied().min().unwrap_or(Time::NEVER))
    }

    /// Gives `node` its next time; `Time::NEVER` takes it out.
    #[inline]
    pub fn set(&mut self, node: u32, time: Time) {
        if self.sweeping {
            self.times[node as usize] = time;
            self.least = None;
            return;
        }
        let place = self.place[node as usize];
        match (place == ABSENT, time.is_never()) {
            (true, true) => {}
            (true, false) => {
                self.heap.push(0);
                self.sift_up(self.heap.len() - 1, pack(time, node));
            }
            (false, true) => self.remove(place as usize),
            (false, false) => {
                let (place, key) = (place as usize, pack(time, node));
                if key < self.heap[place] {
                    self.sift_up(place, key);
                } else {
                    self.sift_down(place, key);
                }
            }
        }
    }

    /// Calls `visit` for every node due at `now`, which must be the next time. They keep their time
    /// until it is set anew.
    #[inline]
    pub fn for_each_due(&mut self, now: Time, mut visit: impl FnMut(u32)) {
        let due;
        if self.sweeping {
            let mut count = 0;
            for (node, &time) in self.times.iter().enumerate() {
                if time == now {
                    visit(node as u32);
                    count += 1;
                }
            }
            due = count;
        } else {
            // Due nodes form a tree at the root.
            self.scratch.clear();
            self.scratch.push(0);
            let mut count = 0;
            while let Some(place) = self.scratch.pop() {
                let place = place as usize;
                if place < self.heap.len() && time_of(self.heap[place]) == now {
                    visit(self.heap[place] as u32);
                    count += 1;
                    let first = ARITY * place + 1;
                    self.scratch.extend((first..first + ARITY).map(|child| child as u32));
                }
            }
            due = count;
        }
        if self.regime == QueueRegime::Adaptive {
            self.vote(due);
        }
    }

    /// Changes the regime when the other one would have been cheaper for some time.
    fn vote(&mut self, due: usize) {
        // A heap costs some 60 times as much for a due node as a sweep for an idle one.
        let dense = if self.sweeping {
            due * 64 > self.times.len()
        } else {
            self.heap.len() >= 64 && due * 16 > self.place.len()
        };
        self.votes = if dense == self.sweeping { 0 } else { self.votes + 1 };
        if self.votes >= PATIENCE {
            self.votes = 0;
            self.switch();
        }
    }

    fn switch(&mut self) {
        if self.sweeping {
            let times = std::mem::take(&mut self.times);
            self.sweeping = false;
            self.place = vec![ABSENT; times.len()];
            for (node, time) in times.into_iter().enumerate() {
                self.set(node as u32, time);
            }
        } else {
            self.times = vec![Time::NEVER; self.place.len()];
            for &key in &self.heap {
                self.times[key as u32 as usize] = time_of(key);
            }
            self.place = Vec::new();
            self.heap = Vec::new();
            self.least = None;
            self.sweeping = true;
        }
    }

    fn remove(&mut self, place: usize) {
        self.place[self.heap[place] as u32 as usize] = ABSENT;
        let Some(last) = self.heap.pop() else { return };
        if place < self.heap.len() {
            if last < self.heap[place] {
                self.sift_up(place, last);
            } else {
                self.sift_down(place, last);
            }
        }
    }

    /// Puts `key` at `place` or above it.
    fn sift_up(&mut self, mut place: usize, key: Key) {
        while place > 0 {
            let parent = (place - 1) / ARITY;
            let above = self.heap[parent];
            if above <= key {
                break;
            }
            self.put(place, above);
            place = parent;
        }
        self.put(place, key);
    }

    /// Puts `key` at `place` or below it.
    #[inline]
    fn sift_down(&mut self, mut place: usize, key: Key) {
        loop {
            let first = ARITY * place + 1;
            let end = (first + ARITY).min(self.heap.len());
            if first >= end {
                break;
            }
            let mut least = first;
            let mut least_key = self.heap[first];
            for child in first + 1..end {
                let child_key = self.heap[child];
                if child_key < least_key {
                    (least, least_key) = (child, child_key);
                }
            }
            if least_key >= key {
                break;
            }
            self.put(place, least_key);
            place = least;
        }
        self.put(place, key);
    }

    #[inline]
    fn put(&mut self, place: usize, key: Key) {
        self.heap[place] = key;
        self.place[key as u32 as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn due(queue: &mut EventQueue, now: Time) -> Vec<u32> {
        let mut nodes = Vec::new();
        queue.for_each_due(now, |node| nodes.push(node));
        nodes.sort_unstable();
        nodes
    }

    proptest! {
        /// Against a plain array, in every regime, with bursts that make the adaptive one change.
        #[test]
        fn every_regime_agrees_with_a_plain_array(
            changes in prop::collection::vec((0..200u32, 0..40u64, any::<bool>()), 1..600),
        ) {
            for regime in [QueueRegime::Adaptive, QueueRegime::Heap, QueueRegime::Sweep] {
                let mut queue = EventQueue::new(200, regime);
                let mut plain = vec![Time::NEVER; 200];
                let mut now = Time::ZERO;
                for &(node, delay, everybody) in &changes {
                    if everybody {
                        for (n, time) in plain.iter_mut().enumerate() {
                            *time = now + crate::Duration::from_ps(delay);
                            queue.set(n as u32, *time);
                        }
                    }
                    let time = if delay == 39 {
                        Time::NEVER
                    } else {
                        now + crate::Duration::from_ps(delay)
                    };
                    plain[node as usize] = time;
                    queue.set(node, time);
                    let next = plain.iter().copied().min().unwrap();
                    prop_assert_eq!(queue.next_time(), next);
                    if !next.is_never() {
                        now = next;
                        let expected: Vec<u32> =
                            (0..200).filter(|&n| plain[n as usize] == now).collect();
                        prop_assert_eq!(due(&mut queue, now), expected.clone());
                        for n in expected {
                            plain[n as usize] = now + crate::Duration::from_ps(u64::from(n % 7) + 1);
                            queue.set(n, plain[n as usize]);
                        }
                    }
                }
            }
        }
    }
}
