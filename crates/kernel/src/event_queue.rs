//! When each node is next due.
//!
//! Two regimes: a 4-ary heap of packed keys where few nodes are due at an instant (the four children
//! of an entry are one cache line), and a flat sweep over all times where most are. The time of each node is kept beside the heap; an entry of the
//! heap that no longer agrees with it is stale and is dropped when it comes up. The entry of a node
//! that is due stays at the top until the next entry takes its place, so that the usual case, due
//! and due again, is one sift.

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

/// Instants of one kind in a row before the regime changes.
const PATIENCE: u32 = 16;

/// Time in the high bits, node in the low ones. Nodes of one time are taken together and put in
/// order afterwards, so the heap compares times alone.
type Key = u128;

#[inline]
fn pack(time: Time, node: u32) -> Key {
    (Key::from(time.as_ps()) << 64) | Key::from(node)
}

#[inline]
fn time_of(key: Key) -> Time {
    Time::from_ps((key >> 64) as u64)
}

/// The place of an entry below the top: a child of entry `group`.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    child: usize,
}

impl Place {
    /// Entries are numbered level by level; the top is 0 and has no place.
    fn of(entry: usize) -> Self {
        Place { group: (entry - 1) / 4, child: (entry - 1) % 4 }
    }
}

/// The children of one entry; absent ones are later than everything.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Children([Key; 4]);

const ABSENT: Key = Key::MAX;

/// A 4-ary heap: the top, and the children of entry i at index i.
#[derive(Default)]
struct Heap {
    length: usize,
    top: Key,
    children: Vec<Children>,
}

impl Heap {
    fn first(&self) -> Option<Key> {
        (self.length > 0).then_some(self.top)
    }

    /// Whether an entry just below the top has this time.
    #[inline]
    fn second_is(&self, time: Time) -> bool {
        self.children.first().is_some_and(|Children(four)| four.iter().any(|&k| time_of(k) == time))
    }

    #[inline]
    fn at(&mut self, place: Place) -> &mut Key {
        &mut self.children[place.group].0[place.child & 3]
    }

    fn push(&mut self, key: Key) {
        let mut entry = self.length;
        self.length += 1;
        if entry == 0 {
            self.top = key;
            return;
        }
        if Place::of(entry).group == self.children.len() {
            self.children.push(Children([ABSENT; 4]));
        }
        while entry > 0 {
            let parent = (entry - 1) / 4;
            let above = if parent == 0 { self.top } else { *self.at(Place::of(parent)) };
            if time_of(above) <= time_of(key) {
                break;
            }
            *self.at(Place::of(entry)) = above;
            entry = parent;
        }
        if entry == 0 {
            self.top = key;
        } else {
            *self.at(Place::of(entry)) = key;
        }
    }

    /// Removes the top.
    fn pop(&mut self) {
        self.length -= 1;
        if self.length == 0 {
            return;
        }
        let last = Place::of(self.length);
        let key = std::mem::replace(self.at(last), ABSENT);
        if last.child == 0 {
            self.children.truncate(last.group);
        }
        self.replace_top(key);
    }

    /// Puts `key` in place of the top.
    #[inline]
    fn replace_top(&mut self, key: Key) {
        let children = &mut self.children[..];
        let mut entry = 0;
        let mut hole: Option<Place> = None;
        while let Some(&Children([a, b, c, d])) = children.get(entry) {
            // A tournament of four by arithmetic: its outcome is as good as random.
            let (ta, tb, tc, td) = (time_of(a), time_of(b), time_of(c), time_of(d));
            let (left, right) = (usize::from(tb < ta), 2 + usize::from(td < tc));
            let right_wins = tc.min(td) < ta.min(tb);
            let child = if right_wins { right } else { left };
            let least = children[entry].0[child & 3];
            if time_of(least) >= time_of(key) {
                break;
            }
            match hole {
                None => self.top = least,
                Some(Place { group, child }) => children[group].0[child & 3] = least,
            }
            hole = Some(Place { group: entry, child });
            entry = 4 * entry + 1 + child;
        }
        match hole {
            None => self.top = key,
            Some(Place { group, child }) => children[group].0[child & 3] = key,
        }
    }

    /// Replaces everything.
    fn refill(&mut self, mut keys: Vec<Key>) {
        // A sorted array is a heap.
        keys.sort_unstable();
        *self = Heap::default();
        self.length = keys.len();
        self.top = keys.first().copied().unwrap_or(ABSENT);
        self.children = keys
            .get(1..)
            .unwrap_or(&[])
            .chunks(4)
            .map(|chunk| {
                let mut four = [ABSENT; 4];
                four[..chunk.len()].copy_from_slice(chunk);
                Children(four)
            })
            .collect();
    }
}

#[derive(Default)]
pub(crate) struct EventQueue {
    regime: QueueRegime,
    sweeping: bool,
    /// The next time of each node.
    times: Vec<Time>,
    /// Heap regime.
    heap: Heap,
    /// The entry at the top has been taken.
    vacant: bool,
    /// Sweep regime: the least of all times, while nothing changed.
    least: Option<Time>,
    /// How many instants in a row spoke for the other regime.
    votes: u32,
}

impl EventQueue {
    pub fn new(nodes: usize, regime: QueueRegime) -> Self {
        let times = vec![Time::NEVER; nodes];
        let sweeping = regime == QueueRegime::Sweep;
        EventQueue { regime, sweeping, times, ..EventQueue::default() }
    }

    /// The earliest time of any node.
    #[inline]
    pub fn next_time(&mut self) -> Time {
        if self.sweeping {
            let times = &self.times;
            return *self
                .least
                .get_or_insert_with(|| times.iter().copied().min().unwrap_or(Time::NEVER));
        }
        if self.vacant {
            self.pop();
        }
        while let Some(top) = self.heap.first() {
            let time = time_of(top);
            if self.times[top as u32 as usize] == time {
                return time;
            }
            self.pop();
        }
        Time::NEVER
    }

    /// Gives `node` its next time; `Time::NEVER` takes it out.
    #[inline]
    pub fn set(&mut self, node: u32, time: Time) {
        self.times[node as usize] = time;
        if self.sweeping {
            self.least = None;
            return;
        }
        if time.is_never() {
            return;
        }
        let key = pack(time, node);
        if std::mem::take(&mut self.vacant) {
            self.heap.replace_top(key);
        } else if self.heap.length > 4 * self.times.len() + 64 {
            self.drop_stale();
        } else {
            self.heap.push(key);
        }
    }

    /// Takes the node due at `now`, which must be the next time, if there is clearly only one and
    /// its number is below `below`.
    #[inline]
    pub fn take_single(&mut self, now: Time, below: usize) -> Option<u32> {
        let node = self.heap.top as u32;
        if self.sweeping || node as usize >= below || self.heap.second_is(now) {
            return None;
        }
        self.vacant = true;
        self.votes = 0;
        Some(node)
    }

    /// Who most likely comes after the node that was just taken.
    #[inline]
    pub fn runner_up(&self) -> Option<u32> {
        let &Children(four) = self.heap.children.first()?;
        let least = four.iter().copied().min_by_key(|&key| time_of(key))?;
        (least != ABSENT).then_some(least as u32)
    }

    /// Calls `visit` for every node due at `now`, which must be the next time; for some more than
    /// once. They keep their time until it is set anew.
    pub fn take_due(&mut self, now: Time, mut visit: impl FnMut(u32)) {
        let mut due = 0;
        if self.sweeping {
            for (node, _) in self.times.iter().enumerate().filter(|(_, time)| **time == now) {
                visit(node as u32);
                due += 1;
            }
        } else {
            while self.next_time() == now {
                visit(self.heap.top as u32);
                self.vacant = true;
                due += 1;
            }
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
            self.times.len() >= 64 && due * 16 > self.times.len()
        };
        self.votes = if dense == self.sweeping { 0 } else { self.votes + 1 };
        if self.votes >= PATIENCE {
            self.votes = 0;
            self.sweeping = !self.sweeping;
            self.least = None;
            self.vacant = false;
            if self.sweeping {
                self.heap = Heap::default();
            } else {
                self.drop_stale();
            }
        }
    }

    /// Makes the heap anew from the times of the nodes.
    #[cold]
    fn drop_stale(&mut self) {
        let times = self.times.iter().enumerate().filter(|(_, time)| !time.is_never());
        self.heap.refill(times.map(|(node, &time)| pack(time, node as u32)).collect());
    }

    fn pop(&mut self) {
        self.vacant = false;
        self.heap.pop();
    }

    /// The next time of a node.
    #[inline]
    pub fn time(&self, node: u32) -> Time {
        self.times[node as usize]
    }

    /// Notes that a node is due again in the very instant in which it is being dealt with.
    #[inline]
    pub fn set_now(&mut self, node: u32, now: Time) {
        self.times[node as usize] = now;
        self.least = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn due(queue: &mut EventQueue, now: Time) -> Vec<u32> {
        let mut nodes = Vec::new();
        queue.take_due(now, |node| nodes.push(node));
        nodes.sort_unstable();
        nodes.dedup();
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
