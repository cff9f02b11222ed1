//! What a synchronisation between two partition threads costs: each waits for the other's promise to
//! rise and then raises its own. One synchronisation is one raise seen by the other thread.
//!
//! ```text
//! cargo run -p ironbird-lane --release --example ping
//! ```

use ironbird_lane::{
    DEFAULT_SPIN, PromiseReader, PromiseWriter, Receiver, Sender, Waiter, Waker, lane, promise,
    spin_budget,
};
use std::thread;
use std::time::{Duration, Instant};

struct Partition {
    waiter: Waiter,
    promise: PromiseWriter,
    promised: PromiseReader,
    outgoing: Sender<u64>,
    incoming: Receiver<u64>,
}

impl Partition {
    fn raise(&mut self, step: u64, messages: u64) {
        for message in 0..messages {
            self.outgoing.try_push_quietly(message).expect("the peer drains once a step");
        }
        self.promise.raise(step);
    }

    fn await_peer(&mut self, step: u64, messages: u64) {
        let promised = &self.promised;
        let reached = || promised.get().ok().filter(|&promised| promised >= step);
        self.waiter.wait(Some(Duration::from_secs(10)), reached).expect("the peer answers");
        let arrived = std::iter::from_fn(|| self.incoming.try_pop()).count();
        assert_eq!(arrived as u64, messages);
    }
}

fn pair(spin: Duration) -> [Partition; 2] {
    let waiters = [Waiter::new(spin), Waiter::new(spin)];
    let wakers = [waiters[0].waker(), waiters[1].waker()];
    let one_way = |waker: &Waker| {
        let (promise, promised) = promise();
        let (outgoing, incoming) = lane(64);
        (promise.waking(waker.clone()), promised, outgoing.waking(waker.clone()), incoming)
    };
    let (promise_a, promised_a, outgoing_a, incoming_a) = one_way(&wakers[1]);
    let (promise_b, promised_b, outgoing_b, incoming_b) = one_way(&wakers[0]);
    let [a, b] = waiters;
    [
        Partition {
            waiter: a,
            promise: promise_a,
            promised: promised_b,
            outgoing: outgoing_a,
            incoming: incoming_b,
        },
        Partition {
            waiter: b,
            promise: promise_b,
            promised: promised_a,
            outgoing: outgoing_b,
            incoming: incoming_a,
        },
    ]
}

/// Nanoseconds per synchronisation.
fn measure(round_trips: u64, messages: u64, spin: Duration) -> f64 {
    let [mut a, mut b] = pair(spin);
    let answering = thread::spawn(move || {
        for step in 1..=round_trips {
            b.await_peer(step, messages);
            b.raise(step, messages);
        }
        b.promise.finish();
    });
    let start = Instant::now();
    for step in 1..=round_trips {
        a.raise(step, messages);
        a.await_peer(step, messages);
    }
    let elapsed = start.elapsed();
    a.promise.finish();
    answering.join().expect("the answering thread ends orderly");
    elapsed.as_nanos() as f64 / (2 * round_trips) as f64
}

fn main() {
    println!(
        "two threads, {} cores, spin budget {:?}",
        thread::available_parallelism().map_or(1, usize::from),
        spin_budget(2)
    );
    let cases = [
        ("spinning, promise only", 1_000_000, 0, DEFAULT_SPIN),
        ("spinning, 1 message each way", 1_000_000, 1, DEFAULT_SPIN),
        ("spinning, 16 messages each way", 300_000, 16, DEFAULT_SPIN),
        ("parking every time", 30_000, 0, Duration::ZERO),
    ];
    for (name, round_trips, messages, spin) in cases {
        let mut runs: Vec<f64> = (0..7).map(|_| measure(round_trips, messages, spin)).collect();
        runs.sort_by(f64::total_cmp);
        let (best, median) = (runs[0], runs[runs.len() / 2]);
        println!(
            "{name:32} median {median:8.1} ns, best {best:8.1} ns per synchronisation; {:>10.0} round trips/s",
            1e9 / (2.0 * median)
        );
    }

    // The share of it that a raise costs the writer while nobody reads and nobody is parked.
    let waiter = Waiter::new(DEFAULT_SPIN);
    let (writer, _reader) = promise();
    let mut writer = writer.waking(waiter.waker());
    let start = Instant::now();
    (1..=10_000_000).for_each(|value| writer.raise(value));
    println!("a raise alone: {:.1} ns", start.elapsed().as_nanos() as f64 / 1e7);
    writer.finish();
}
