//! All interleavings of small cases, weak memory included, explored by a model checker:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p ironbird-lane --release --test loom
//! ```
//!
//! loom fails a case on a data race in a slot, on a deadlock (a lost wake-up) and on a leaked `Arc`.
#![cfg(loom)]

use ironbird_lane::{Closed, Receiver, Waiter, lane, promise};
use loom::sync::Arc;
use loom::thread;
use std::time::Duration;

fn waiter() -> Waiter {
    Waiter::new(Duration::ZERO)
}

/// All interleavings in which no more than three times a thread is interrupted while it could run on;
/// for cases with too many to try them all.
fn bounded() -> loom::model::Builder {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model
}

fn drain<T>(receiver: &mut Receiver<T>) -> Vec<T> {
    std::iter::from_fn(|| receiver.try_pop()).collect()
}

#[test]
fn items_arrive_in_order_through_a_full_and_wrapping_ring() {
    bounded().check(|| {
        let (mut sender, mut receiver) = lane(2);
        let producer = thread::spawn(move || {
            for item in 0..4 {
                while sender.try_push(Box::new(item)).is_err() {
                    thread::yield_now();
                }
            }
        });
        for expected in 0..4 {
            let item = loop {
                match receiver.try_pop() {
                    Some(item) => break item,
                    None => thread::yield_now(),
                }
            };
            assert_eq!(*item, expected);
        }
        assert!(receiver.is_empty());
        producer.join().unwrap();
    });
}

#[test]
fn items_left_behind_are_dropped_once_whichever_end_goes_first() {
    loom::model(|| {
        // loom reports a clone that is never dropped; one dropped twice shows in the count.
        let item = Arc::new(());
        let (mut sender, mut receiver) = lane(2);
        let pushed = item.clone();
        let producer = thread::spawn(move || {
            for _ in 0..3 {
                let _ = sender.try_push(pushed.clone());
            }
        });
        drop(receiver.try_pop());
        drop(receiver);
        producer.join().unwrap();
        assert_eq!(Arc::strong_count(&item), 1);
    });
}

#[test]
fn a_closed_lane_still_holds_everything_pushed_before() {
    loom::model(|| {
        let (mut sender, mut receiver) = lane(2);
        let producer = thread::spawn(move || {
            sender.try_push(1).unwrap();
            sender.try_push(2).unwrap();
        });
        if receiver.is_closed() {
            assert_eq!(drain(&mut receiver), [1, 2]);
        }
        producer.join().unwrap();
        assert!(receiver.is_closed());
    });
}

#[test]
fn a_sender_sees_that_the_receiver_is_gone_and_what_it_took() {
    loom::model(|| {
        let (mut sender, mut receiver) = lane(1);
        sender.try_push(1).unwrap();
        let consumer = thread::spawn(move || {
            receiver.try_pop().unwrap();
        });
        if sender.is_closed() {
            assert!(!sender.is_full());
        }
        consumer.join().unwrap();
        assert!(sender.is_closed());
    });
}

#[test]
fn what_was_pushed_before_a_raise_is_there_after_reading_the_promise() {
    loom::model(|| {
        let (mut sender, mut receiver) = lane(4);
        let (mut writer, reader) = promise();
        let source = thread::spawn(move || {
            for time in [10, 20] {
                sender.try_push(time).unwrap();
                writer.raise(time + 1);
            }
            writer.finish();
        });
        let mut promised = 0;
        let mut arrived = Vec::new();
        for _ in 0..2 {
            let next = reader.get().unwrap();
            assert!(next >= promised, "a promise never falls");
            promised = next;
            arrived.extend(drain(&mut receiver));
            let expected = [10, 20].into_iter().filter(|&time| time < promised).count();
            assert!(arrived.len() >= expected, "{arrived:?} by {promised}");
        }
        source.join().unwrap();
        assert_eq!(reader.get(), Ok(u64::MAX));
    });
}

#[test]
fn a_writer_dropped_without_finishing_reads_as_closed_after_all_it_sent() {
    loom::model(|| {
        let (mut sender, mut receiver) = lane(1);
        let (writer, reader) = promise();
        let source = thread::spawn(move || {
            sender.try_push(1).unwrap();
            drop(writer);
        });
        match reader.get() {
            Ok(promised) => assert_eq!(promised, 0),
            Err(Closed) => assert_eq!(receiver.try_pop(), Some(1)),
        }
        source.join().unwrap();
        assert_eq!(reader.get(), Err(Closed));
    });
}

#[test]
fn a_raise_wakes_the_reader() {
    loom::model(|| {
        let mut waiter = waiter();
        let (writer, reader) = promise();
        let mut writer = writer.waking(waiter.waker());
        let source = thread::spawn(move || {
            writer.raise(5);
            writer // so that only the raise can have woken
        });
        let promised = waiter.wait(None, || reader.get().ok().filter(|&promised| promised > 0));
        assert_eq!(promised, Some(5));
        drop(source.join().unwrap());
    });
}

#[test]
fn two_peers_wake_one_waiter_by_a_raise_and_by_their_death() {
    bounded().check(|| {
        let mut waiter = waiter();
        let (raised, raised_reader) = promise();
        let (dropped, dropped_reader) = promise();
        let mut raised = raised.waking(waiter.waker());
        let dropped = dropped.waking(waiter.waker());
        let first = thread::spawn(move || {
            raised.raise(5);
            raised
        });
        let second = thread::spawn(move || drop(dropped));
        let both = waiter.wait(None, || {
            let both = raised_reader.get() == Ok(5) && dropped_reader.get() == Err(Closed);
            both.then_some(())
        });
        assert!(both.is_some());
        drop(first.join().unwrap());
        second.join().unwrap();
    });
}

#[test]
fn a_park_ends_by_what_was_raised_after_prepare() {
    loom::model(|| {
        let mut waiter = waiter();
        let (writer, reader) = promise();
        let mut writer = writer.waking(waiter.waker());
        let source = thread::spawn(move || {
            writer.raise(5);
            writer
        });
        let ticket = waiter.prepare();
        if reader.get() == Ok(0) {
            assert!(ticket.park(None));
            assert_eq!(reader.get(), Ok(5), "what was stored before the wake-up is visible");
        }
        drop(source.join().unwrap());
    });
}

#[test]
fn a_push_wakes_the_receiver() {
    loom::model(|| {
        let mut waiter = waiter();
        let (sender, mut receiver) = lane(1);
        let mut sender = sender.waking(waiter.waker());
        let producer = thread::spawn(move || {
            sender.try_push(7).unwrap();
            sender
        });
        assert_eq!(waiter.wait(None, || receiver.try_pop()), Some(7));
        drop(producer.join().unwrap());
    });
}

#[test]
fn a_sender_and_a_receiver_each_see_the_other_go_while_parked() {
    loom::model(|| {
        let mut waiter = waiter();
        let (sender, receiver) = lane::<u8>(1);
        let sender = sender.waking(waiter.waker());
        let producer = thread::spawn(move || drop(sender));
        assert!(waiter.wait(None, || receiver.is_closed().then_some(())).is_some());
        producer.join().unwrap();
    });
    loom::model(|| {
        let mut waiter = waiter();
        let (sender, receiver) = lane::<u8>(1);
        let receiver = receiver.waking(waiter.waker());
        let consumer = thread::spawn(move || drop(receiver));
        assert!(waiter.wait(None, || sender.is_closed().then_some(())).is_some());
        consumer.join().unwrap();
    });
}

/// The sender pushes quietly until the lane is full and then waits for room; the receiver may have
/// parked before. Each needs the other's wake-up.
#[test]
fn a_full_lane_wakes_the_receiver_and_a_drained_one_the_sender() {
    bounded().check(|| {
        let (mut room, mut arrivals) = (waiter(), waiter());
        let (sender, receiver) = lane(1);
        let mut sender = sender.waking(arrivals.waker());
        let mut receiver = receiver.waking(room.waker());
        let producer = thread::spawn(move || {
            sender.try_push_quietly(1).unwrap();
            while sender.try_push_quietly(2).is_err() {
                room.wait(None, || (!sender.is_full()).then_some(()));
            }
            // The end of the lane tells of the second item.
        });
        let mut arrived = Vec::new();
        while arrived.len() < 2 {
            arrivals.wait(None, || {
                let closed = receiver.is_closed();
                let before = arrived.len();
                arrived.extend(drain(&mut receiver));
                (closed || arrived.len() > before).then_some(())
            });
        }
        assert_eq!(arrived, [1, 2]);
        producer.join().unwrap();
    });
}

#[test]
fn two_partitions_wait_for_each_other_in_turn() {
    bounded().check(|| {
        let (mut waiter_a, mut waiter_b) = (waiter(), waiter());
        let (to_b, from_a) = promise();
        let (to_a, from_b) = promise();
        let mut to_b = to_b.waking(waiter_b.waker());
        let mut to_a = to_a.waking(waiter_a.waker());
        let b = thread::spawn(move || {
            for step in 1..=2 {
                waiter_b.wait(None, || from_a.get().ok().filter(|&promised| promised >= step));
                to_a.raise(step);
            }
            to_a.finish();
        });
        for step in 1..=2 {
            to_b.raise(step);
            waiter_a.wait(None, || from_b.get().ok().filter(|&promised| promised >= step));
        }
        to_b.finish();
        b.join().unwrap();
    });
}
