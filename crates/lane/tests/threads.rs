//! Lanes, promises and waiting between real threads.
#![cfg(not(loom))]

use ironbird_lane::{Closed, DEFAULT_SPIN, Waiter, lane, promise, spin_budget};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes; a wake-up that is lost shows as `None`.
const PATIENCE: Option<Duration> = Some(Duration::from_secs(30));

#[test]
fn a_million_items_arrive_in_order() {
    let mut arrivals = Waiter::new(DEFAULT_SPIN);
    let mut room = Waiter::new(DEFAULT_SPIN);
    let (sender, receiver) = lane(64);
    let mut sender = sender.waking(arrivals.waker());
    let mut receiver = receiver.waking(room.waker());
    let producer = thread::spawn(move || {
        for item in 0..1_000_000 {
            while sender.try_push(item).is_err() {
                room.wait(PATIENCE, || (!sender.is_full()).then_some(())).expect("room in time");
            }
        }
    });
    for expected in 0..1_000_000 {
        assert_eq!(arrivals.wait(PATIENCE, || receiver.try_pop()), Some(expected));
    }
    producer.join().unwrap();
    assert!(receiver.is_closed() && receiver.is_empty());
}

#[test]
fn a_lane_holds_its_capacity_rounded_up_to_a_power_of_two() {
    for (asked, held) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 8), (64, 64)] {
        let (mut sender, _receiver) = lane(asked);
        assert_eq!(sender.capacity(), held);
        assert_eq!((0..100).filter(|&item| sender.try_push(item).is_ok()).count(), held);
    }
}

#[test]
fn either_end_sees_the_other_go_and_items_left_are_dropped_once() {
    let item = Arc::new(());

    let (mut sender, mut receiver) = lane(4);
    (0..4).for_each(|_| sender.try_push(item.clone()).unwrap());
    assert!(!receiver.is_closed());
    drop(sender);
    assert!(receiver.is_closed());
    assert!(receiver.try_pop().is_some());
    drop(receiver);
    assert_eq!(Arc::strong_count(&item), 1);

    let (mut sender, receiver) = lane(4);
    (0..2).for_each(|_| sender.try_push(item.clone()).unwrap());
    drop(receiver);
    assert!(sender.is_closed());
    sender.try_push(item.clone()).unwrap();
    drop(sender);
    assert_eq!(Arc::strong_count(&item), 1);
}

#[test]
fn a_promise_only_rises() {
    let (mut writer, reader) = promise();
    assert_eq!(reader.get(), Ok(0));
    writer.raise(7);
    writer.raise(3);
    assert_eq!((writer.last(), reader.get()), (7, Ok(7)));
    writer.finish();
    assert_eq!(reader.get(), Ok(u64::MAX));
}

#[test]
fn a_parked_reader_learns_that_its_peer_panicked() {
    let mut waiter = Waiter::new(Duration::ZERO);
    let (writer, reader) = promise();
    let mut writer = writer.waking(waiter.waker());
    let peer = thread::spawn(move || {
        writer.raise(u64::MAX); // even this does not hide a death
        thread::sleep(Duration::from_millis(20));
        std::panic::resume_unwind(Box::new("as intended"));
    });
    assert_eq!(waiter.wait(PATIENCE, || reader.get().err()), Some(Closed));
    assert!(peer.join().is_err());
}

/// Two threads take turns; every turn of the parking ones is a chance to lose a wake-up.
fn take_turns(turns: u64, spin: Duration) {
    let (mut waiter_a, mut waiter_b) = (Waiter::new(spin), Waiter::new(spin));
    let (to_b, from_a) = promise();
    let (to_a, from_b) = promise();
    let mut to_b = to_b.waking(waiter_b.waker());
    let mut to_a = to_a.waking(waiter_a.waker());
    let b = thread::spawn(move || {
        for turn in 1..=turns {
            let reached = || from_a.get().ok().filter(|&promised| promised >= turn);
            waiter_b.wait(PATIENCE, reached).expect("a raise by the peer");
            to_a.raise(turn);
        }
        to_a.finish();
    });
    for turn in 1..=turns {
        to_b.raise(turn);
        let reached = || from_b.get().ok().filter(|&promised| promised >= turn);
        waiter_a.wait(PATIENCE, reached).expect("a raise by the peer");
    }
    to_b.finish();
    b.join().unwrap();
}

#[test]
fn no_wake_up_is_lost_when_every_wait_parks() {
    take_turns(50_000, Duration::ZERO);
}

#[test]
fn no_wake_up_is_lost_when_waits_spin_and_park_by_turns() {
    take_turns(200_000, Duration::from_nanos(200));
}

#[test]
fn many_peers_wake_one_waiter() {
    const PEERS: u64 = 8;
    const RAISES: u64 = 5_000;
    let mut waiter = Waiter::new(Duration::ZERO);
    let (peers, readers): (Vec<_>, Vec<_>) = (0..PEERS)
        .map(|_| {
            let (writer, reader) = promise();
            let mut writer = writer.waking(waiter.waker());
            let peer = thread::spawn(move || {
                for value in 1..=RAISES {
                    writer.raise(value);
                    if value % 64 == 0 {
                        thread::yield_now();
                    }
                }
                writer.finish();
            });
            (peer, reader)
        })
        .unzip();
    let mut horizon = 0;
    while horizon < u64::MAX {
        let lowest = || readers.iter().map(|reader| reader.get().unwrap()).min();
        let risen = waiter.wait(PATIENCE, || lowest().filter(|&lowest| lowest > horizon));
        horizon = risen.expect("some peer raises the lowest promise");
    }
    peers.into_iter().for_each(|peer| peer.join().unwrap());
}

#[test]
fn a_wait_in_vain_ends_with_its_timeout() {
    for spin in [Duration::ZERO, DEFAULT_SPIN, Duration::MAX] {
        let timeout = Duration::from_millis(30);
        let start = Instant::now();
        assert_eq!(Waiter::new(spin).wait(Some(timeout), || None::<()>), None);
        let waited = start.elapsed();
        assert!(waited >= timeout && waited < Duration::from_secs(10), "{waited:?}");
    }
    assert_eq!(Waiter::new(DEFAULT_SPIN).wait(Some(Duration::ZERO), || None::<()>), None);
    assert!(!Waiter::new(DEFAULT_SPIN).prepare().park(Some(Duration::from_millis(1))));
}

#[test]
fn a_timeout_beyond_the_clock_is_no_timeout() {
    let mut waiter = Waiter::new(Duration::ZERO);
    let waker = waiter.waker();
    let ticket = waiter.prepare();
    waker.wake();
    assert!(ticket.park(Some(Duration::MAX)));
}

#[test]
fn spinning_needs_a_core_for_every_partition() {
    assert_eq!(spin_budget(1), DEFAULT_SPIN);
    assert_eq!(spin_budget(usize::MAX), Duration::ZERO);
}
