//! Messages in simulated time between two of ours, and the bytes they leave in the shared memory.
#![cfg(not(loom))]

mod peers;

use ironbird_simbricks::{
    Connecter, Endpoint, Link, Listener, Need, Place, Problem, Protocol, QueueSize, Sent, Waiter,
    establish,
};
use peers::{LIMIT, SMALL, exchange, net_link, pair, pair_of};

const L: u64 = 500_000;

fn send(link: &mut Endpoint, now: u64) -> Sent {
    link.send(now, 0x40, &[0; 48], &[]).unwrap()
}

#[test]
fn a_message_is_due_a_latency_after_it_was_sent() {
    let (mut a, mut b) = pair(net_link());
    assert_eq!(b.horizon(), 0, "nobody passes time 0 before the peer said something");
    assert_eq!(send(&mut a, 7), Sent::Done);
    assert!(b.receive(7 + L - 1).unwrap().is_none());
    assert_eq!(b.horizon(), 7 + L, "but it is known that nothing comes before");
    assert_eq!(b.peek(7 + L).unwrap(), Some((0x40, 7 + L)));
    assert_eq!(b.receive(7 + L).unwrap().unwrap().timestamp(), 7 + L);
    assert!(b.receive(u64::MAX).unwrap().is_none());
    assert_eq!(b.horizon(), 7 + L, "more may come for the same time");
    assert_eq!(send(&mut a, 7), Sent::Done);
    assert!(b.receive(7 + L).unwrap().is_some());
}

#[test]
fn each_side_applies_its_own_latency_and_interval() {
    let mut slow = net_link();
    (slow.latency, slow.sync_interval) = (3 * L, 2 * L);
    let (mut a, mut b) = pair_of(net_link(), slow, SMALL);
    assert_eq!((a.sync(0).unwrap(), b.sync(0).unwrap()), (Sent::Done, Sent::Done));
    assert!(a.receive(0).unwrap().is_none() && b.receive(0).unwrap().is_none());
    assert_eq!((a.horizon(), b.horizon()), (3 * L, L));
    assert_eq!((a.next_sync(), b.next_sync()), (L, 2 * L));
}

#[test]
fn a_sync_is_sent_when_nothing_was_for_the_interval_and_always_at_0() {
    let (mut a, mut b) = pair(net_link());
    for _ in 0..3 {
        assert_eq!(a.sync(0).unwrap(), Sent::Done);
    }
    assert_eq!(a.counts().syncs_sent, 3, "SimBricks does so too");
    let _ = a.sync(1).unwrap();
    assert_eq!(a.counts().syncs_sent, 4, "nothing sent and sent at 0 are the same number");
    let _ = a.sync(L).unwrap();
    assert_eq!(a.counts().syncs_sent, 4);
    assert_eq!(send(&mut a, L), Sent::Done);
    let _ = a.sync(L + 1).unwrap();
    assert_eq!(a.counts().syncs_sent, 4, "the message told the time");
    assert_eq!(a.next_sync(), 2 * L);
    let _ = a.sync(2 * L).unwrap();
    assert_eq!(a.counts().syncs_sent, 5);
    assert!(b.receive(2 * L).unwrap().is_some());
    assert!(b.receive(2 * L).unwrap().is_none());
    assert_eq!(b.horizon(), 3 * L);
    assert_eq!((b.counts().received, b.counts().syncs_received), (1, 4));
}

#[test]
fn a_peer_that_repeats_the_same_time_for_ever_is_given_up() {
    let (mut a, mut b) = pair(net_link());
    let error = (0..2_000_000).find_map(|_| {
        assert_eq!(a.sync(0).unwrap(), Sent::Done);
        b.receive(L).err()
    });
    let problem = error.expect("it is given up").into_problem();
    assert!(matches!(problem, Problem::NoProgress { times: 1_000_000, .. }), "{problem}");
}

#[test]
fn wrong_use_is_an_error_and_sends_nothing() {
    let (mut a, mut b) = pair(net_link());
    assert_eq!(send(&mut a, 10), Sent::Done);
    let problem = |result: Result<Sent, _>| {
        result.map_err(ironbird_simbricks::LinkError::into_problem).unwrap_err()
    };
    let backwards = problem(a.send(9, 0x40, &[0; 48], &[]));
    assert!(matches!(backwards, Problem::SentBackwards { previous: 10, now: 9 }));
    for kind in [0x00, 0x01, 0x3f, 0x80, 0xff] {
        let wrong = problem(a.send(10, kind, &[0; 48], &[]));
        assert!(matches!(wrong, Problem::NotUpper { .. }), "{kind}");
    }
    assert_eq!(a.capacity(), 1536);
    let long = problem(a.send(10, 0x40, &[0; 48], &[0; 1537]));
    assert!(matches!(long, Problem::PayloadTooLong { length: 1537, capacity: 1536 }));
    let late = problem(a.send(u64::MAX - L + 1, 0x40, &[0; 48], &[]));
    assert!(matches!(late, Problem::EndOfTime { .. }));
    assert!(b.receive(u64::MAX).unwrap().is_some());
    assert!(b.receive(u64::MAX).unwrap().is_none());
}

#[test]
fn a_full_queue_takes_more_as_soon_as_a_message_is_done_with() {
    let (mut a, mut b) = pair_of(net_link(), net_link(), QueueSize { elen: 64, nentries: 2 });
    assert_eq!(
        [send(&mut a, 1), send(&mut a, 2), send(&mut a, 3)],
        [Sent::Done, Sent::Done, Sent::Full]
    );
    let message = b.receive(L + 1).unwrap().unwrap();
    assert_eq!(send(&mut a, 3), Sent::Full, "it is still being read");
    drop(message);
    assert_eq!(send(&mut a, 3), Sent::Done);
    assert_eq!(a.counts().sent, 3);
}

#[test]
fn payloads_of_every_length_arrive_whole() {
    let (mut a, mut b) = pair(Link::new("base", Protocol::BASE));
    for length in (0..100).chain(1500..=1536) {
        let payload: Vec<u8> = (0..length).map(|index| (index * 7 + length) as u8).collect();
        let mut fields = [0; 48];
        fields.iter_mut().enumerate().for_each(|(index, byte)| *byte = index as u8 ^ 0x5a);
        assert_eq!(a.send(1, 0x7f, &fields, &payload).unwrap(), Sent::Done);
        let message = b.receive(1 + L).unwrap().unwrap();
        let mut received = vec![0xee; length];
        message.payload(&mut received).unwrap();
        assert_eq!((message.kind(), message.fields(), received), (0x7f, fields, payload));
        let error = message.payload(&mut [0; 1537]).unwrap_err();
        assert!(matches!(error.problem(), Problem::PayloadTooLong { .. }));
    }
}

#[test]
fn after_the_last_message_the_link_holds_nobody_back() {
    let (mut a, mut b) = pair(Link::new("base", Protocol::BASE));
    assert_eq!(send(&mut a, 5), Sent::Done);
    assert_eq!(a.terminate(), Sent::Done);
    assert_eq!((a.has_ended(), a.horizon(), a.next_sync()), (true, u64::MAX, u64::MAX));
    assert_eq!(send(&mut a, 6), Sent::Ended);
    assert!(b.receive(0).unwrap().is_none());
    assert!(!b.has_ended(), "what was sent before comes first");
    assert!(b.receive(5 + L).unwrap().is_some());
    assert!(b.receive(5 + L).unwrap().is_none());
    assert_eq!((b.has_ended(), b.horizon()), (true, u64::MAX));
    assert!(!b.is_synchronised());
    assert_eq!(b.sync(6).unwrap(), Sent::Done, "there is nothing to tell any more");
    Waiter::new(None).wait(&b, Need::Message, [&b]).expect("there is nothing to wait for");
}

#[test]
fn on_net_the_end_is_not_told_but_noticed() {
    let (mut a, b) = pair(net_link());
    assert_eq!(a.terminate(), Sent::Done);
    drop(a);
    let error = Waiter::new(Some(LIMIT)).wait(&b, Need::Message, [&b]).unwrap_err();
    assert!(matches!(error.problem(), Problem::Gone(_)), "{error}");
}

#[test]
fn what_a_peer_sent_before_it_went_is_still_received() {
    let (mut a, mut b) = pair(net_link());
    assert_eq!(send(&mut a, 5), Sent::Done);
    drop(a);
    let waiter = &mut Waiter::new(Some(LIMIT));
    waiter.wait(&b, Need::Message, [&b]).unwrap();
    assert!(b.receive(5 + L).unwrap().is_some());
    assert!(waiter.wait(&b, Need::Message, [&b]).is_err());
}

#[test]
fn a_wait_with_a_limit_comes_back_without_what_was_waited_for() {
    let (a, _b) = pair(net_link());
    let limit = std::time::Duration::from_millis(20);
    let waiter = &mut Waiter::new(Some(LIMIT));
    assert!(!waiter.wait_up_to(&a, Need::Message, [&a], Some(limit)).unwrap());
    assert!(waiter.spent().long_waits >= limit && waiter.spent().looks > 0);
    assert!(waiter.wait_up_to(&a, Need::Room, [&a], Some(limit)).unwrap());
}

/// Three slots are the fewest: a message and a SYNC go out at time 0 and another message at the latency, before
/// the peer takes the first.
#[test]
fn two_threads_exchange_everything_over_queues_however_short() {
    for nentries in [3, 4, 64] {
        let (a, b) = pair_of(net_link(), net_link(), QueueSize { elen: 128, nentries });
        let sides = [a, b].map(|mut link| {
            std::thread::spawn(move || {
                exchange(&mut link, L, 2000, &mut Waiter::new(Some(LIMIT))).map(|done| (done, link))
            })
        });
        for side in sides {
            let (done, link) = side.join().unwrap().unwrap();
            assert_eq!((done.received, done.sum), (2000, 1_999_000));
            assert_eq!(link.counts().received, 2000);
        }
    }
}

/// The bytes of both queues in the file, as SimBricks would find them.
#[test]
fn slots_hold_what_simbricks_expects_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, path) = (folder.path().join("socket"), folder.path().join("pool"));
    let size = QueueSize { elen: 128, nentries: 4 };
    let mut link = net_link();
    link.sends_terminate = true;
    let listener = Listener::bind(link.clone(), &socket, &Place::Path(path.clone()), size).unwrap();
    let connecter = Connecter::new(link, &socket).unwrap();
    let mut links = establish([listener.into(), connecter.into()], LIMIT).unwrap();
    let (mut connecter, mut listener) = (links.pop().unwrap(), links.pop().unwrap());
    assert_eq!(listener.sync(0).unwrap(), Sent::Done);
    let mut fields = [0; 48];
    fields[0] = 3;
    assert_eq!(listener.send(0x1234, 0x40, &fields, &[1, 2, 3]).unwrap(), Sent::Done);
    assert_eq!(listener.terminate(), Sent::Done);
    let slot = |bytes: &[u8], queue: usize, index: usize| {
        bytes[queue * 512 + index * 128..][..128].to_vec()
    };
    let expected = |timestamp: u64, own_type: u8, rest: &[(usize, u8)]| {
        let mut bytes = vec![0; 128];
        bytes[48..56].copy_from_slice(&timestamp.to_le_bytes());
        bytes[63] = own_type;
        rest.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        bytes
    };
    // The queue to the connecter is the second.
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes[..512].iter().all(|byte| *byte == 0));
    assert_eq!(slot(&bytes, 1, 0), expected(500_000, 0x80, &[]));
    let packet = [(0, 3), (64, 1), (65, 2), (66, 3)];
    assert_eq!(slot(&bytes, 1, 1), expected(0x1234 + 500_000, 0xc0, &packet));
    assert_eq!(slot(&bytes, 1, 2), expected(499_999, 0x81, &[]));
    assert_eq!(slot(&bytes, 1, 3), vec![0; 128]);
    // Taken: bit 7 is cleared, the type stays.
    assert!(connecter.receive(u64::MAX).unwrap().is_some());
    assert!(connecter.receive(u64::MAX).unwrap().is_none());
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(slot(&bytes, 1, 0)[63], 0x00);
    assert_eq!(slot(&bytes, 1, 1)[63], 0x40);
    assert_eq!(slot(&bytes, 1, 2)[63], 0x01);
}
