//! All interleavings of small cases, weak memory included, explored by a model checker:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p ironbird-simbricks --release --test loom
//! ```
//!
//! loom fails a case on a data race in a slot and on a deadlock (a lost wake-up).
#![cfg(loom)]

use ironbird_simbricks::doorbell::{ASLEEP, AWAKE, Doorbell, Words};
use ironbird_simbricks::queue::{Consumer, Producer, Slots};
use loom::cell::Cell;
use loom::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use std::time::Duration;

/// All interleavings in which no more than three times a thread is interrupted while it could run on.
fn bounded() -> loom::model::Builder {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model
}

/// Slots whose content is a cell that loom watches for races.
struct Ring {
    own_types: Vec<AtomicU8>,
    contents: Vec<Cell<u64>>,
}

#[derive(Clone)]
struct Shared(Arc<Ring>);

// The ownership byte says who may touch a cell, which is what is checked here.
#[allow(unsafe_code)]
// SAFETY: loom reports every access to a cell that is not ordered by the atomics.
unsafe impl Send for Shared {}

impl Shared {
    fn new(count: usize) -> Self {
        Self(Arc::new(Ring {
            own_types: (0..count).map(|_| AtomicU8::new(0)).collect(),
            contents: (0..count).map(|_| Cell::new(0)).collect(),
        }))
    }
}

impl Slots for Shared {
    fn count(&self) -> usize {
        self.0.own_types.len()
    }
    fn own_type(&self, index: usize) -> &AtomicU8 {
        &self.0.own_types[index]
    }
}

#[test]
fn messages_arrive_in_order_and_whole_through_a_full_and_wrapping_ring() {
    bounded().check(|| {
        let ring = Shared::new(2);
        let mut producer = Producer::new(ring.clone());
        let mut consumer = Consumer::new(ring);
        let sender = thread::spawn(move || {
            for number in 0..4 {
                let slot = loop {
                    match producer.free_slot() {
                        Some(slot) => break slot,
                        None => thread::yield_now(),
                    }
                };
                producer.slots().0.contents[slot].set(number);
                producer.publish(number as u8);
            }
        });
        for number in 0..4 {
            let (slot, kind) = loop {
                match consumer.ready_slot() {
                    Some(ready) => break ready,
                    None => thread::yield_now(),
                }
            };
            assert_eq!(kind, number as u8);
            assert_eq!(consumer.slots().0.contents[slot].get(), number);
            consumer.release(kind);
        }
        assert!(consumer.ready_slot().is_none());
        sender.join().unwrap();
    });
}

/// Both sides' words, and a futex made of a lock: sleeping checks the word under it, as the kernel does.
struct Table {
    words: [AtomicU32; 2],
    lock: [Mutex<()>; 2],
    woken: [Condvar; 2],
}

#[derive(Clone)]
struct Side {
    table: Arc<Table>,
    me: usize,
}

impl Words for Side {
    fn mine(&self) -> &AtomicU32 {
        &self.table.words[self.me]
    }
    fn theirs(&self) -> &AtomicU32 {
        &self.table.words[1 - self.me]
    }
    /// Without the limit: whoever needs it to go on has a lost wake-up.
    fn sleep(&self, _: Duration) {
        let mut guard = self.table.lock[self.me].lock().unwrap();
        while self.mine().load(Ordering::Relaxed) == ASLEEP {
            guard = self.table.woken[self.me].wait(guard).unwrap();
        }
    }
    fn wake(&self) {
        drop(self.table.lock[1 - self.me].lock().unwrap());
        self.table.woken[1 - self.me].notify_one();
    }
}

fn doorbells() -> [Doorbell<Side>; 2] {
    let table = Arc::new(Table {
        words: [AtomicU32::new(AWAKE), AtomicU32::new(AWAKE)],
        lock: [Mutex::new(()), Mutex::new(())],
        woken: [Condvar::new(), Condvar::new()],
    });
    [0, 1].map(|me| Doorbell::new(Side { table: table.clone(), me }))
}

#[test]
fn a_sleeper_is_woken_by_a_message_and_the_sure_look_that_follows() {
    bounded().check(|| {
        let ring = Shared::new(2);
        let mut producer = Producer::new(ring.clone());
        let consumer = Consumer::new(ring);
        let [sender_bell, bell] = doorbells();
        let sender = thread::spawn(move || {
            producer.publish(7);
            sender_bell.ring();
            // What every side does before it waits or ends.
            sender_bell.ring_surely();
        });
        while consumer.ready_slot().is_none() {
            bell.sleep_unless(|| consumer.ready_slot().is_some(), Duration::MAX);
        }
        sender.join().unwrap();
    });
}

/// Two sides that answer each other, each sleeping until the other's message: neither sleeps for ever.
#[test]
fn two_sides_that_wait_for_each_other_in_turn_never_both_sleep() {
    bounded().check(|| {
        let (there, back) = (Shared::new(1), Shared::new(1));
        let [bell_a, bell_b] = doorbells();
        let run = |mut out: Producer<Shared>, mut into: Consumer<Shared>, bell: Doorbell<Side>| {
            for kind in 0..2 {
                assert!(out.free_slot().is_some(), "the other side has taken the last one");
                out.publish(kind);
                bell.ring();
                bell.ring_surely();
                while into.ready_slot().is_none() {
                    bell.sleep_unless(|| into.ready_slot().is_some(), Duration::MAX);
                }
                into.release(kind);
                bell.ring();
                // A peer that waits for this very room: not here, the next message tells.
            }
            bell.ring_surely();
        };
        let (out, into) = (Producer::new(there.clone()), Consumer::new(back.clone()));
        let a = thread::spawn(move || run(out, into, bell_a));
        let (out, into) = (Producer::new(back), Consumer::new(there));
        // One slot each way: the answer to a message is only sent after it was taken.
        let b = thread::spawn(move || {
            let (mut out, mut into, bell) = (out, into, bell_b);
            for kind in 0..2 {
                while into.ready_slot().is_none() {
                    bell.sleep_unless(|| into.ready_slot().is_some(), Duration::MAX);
                }
                into.release(kind);
                out.publish(kind);
                bell.ring();
                bell.ring_surely();
            }
        });
        a.join().unwrap();
        b.join().unwrap();
    });
}
