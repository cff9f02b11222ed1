//! How one partition thread talks to another.
//!
//! A simulation is cut into partitions, each advanced by its own thread. A partition may advance to
//! strictly before the earliest instant at which something could still arrive from another, so its
//! thread needs to know three things: what arrived, what can no longer arrive, and when to look
//! again. Each has its own small piece here:
//!
//! ```text
//!    partition A                                  partition B
//!                 Sender ═══ lane ═══► Receiver                    what arrived
//!          PromiseWriter ── promise ─► PromiseReader               what cannot arrive any more
//!                  Waker ∙∙∙ wakes ∙∙► Waiter                      when to look again
//! ```
//!
//! - [`lane`]: a bounded queue from one thread to one other.
//! - [`promise`]: a time that only rises: nothing still to be sent arrives before it.
//! - [`Waiter`]: waits for any change of any number of promises and lanes. Spins shortly where
//!   cores are free, then parks.
//!
//! # A partition's loop
//!
//! Two partitions step every 10 units of time, and each step sends a message that takes 10 more to
//! arrive. The order matters: **read the promise, then drain the lane, then advance**; and on the
//! way out **push, then raise**.
//!
//! ```
//! use ironbird_lane::{Closed, PromiseReader, PromiseWriter, Receiver, Sender, Waiter};
//! use ironbird_lane::{lane, promise, spin_budget};
//!
//! const LATENCY: u64 = 10;
//! const END: u64 = 1_000;
//!
//! struct Partition {
//!     waiter: Waiter,
//!     outgoing: Sender<u64>,
//!     promise: PromiseWriter,
//!     incoming: Receiver<u64>,
//!     promised: PromiseReader,
//! }
//!
//! /// Returns the times of the messages that arrived before the end.
//! fn run(mut partition: Partition) -> Result<Vec<u64>, Closed> {
//!     let mut arrived = Vec::new();
//!     let mut now = 0;
//!     partition.promise.raise(LATENCY); // what is sent at 0 or later does not arrive before
//!     while now < END {
//!         // Wait until the peer promises more than the present, or is found dead.
//!         let promised = &partition.promised;
//!         let answer = partition.waiter.wait(None, || match promised.get() {
//!             Ok(until) => (until > now).then_some(Ok(until)),
//!             Err(closed) => Some(Err(closed)),
//!         });
//!         let until = answer.expect("without a timeout there is an answer")?;
//!         while let Some(arrival) = partition.incoming.try_pop() {
//!             arrived.push(arrival);
//!         }
//!         while now < until.min(END) {
//!             // There is room: the peer has drained all but the last two steps.
//!             partition.outgoing.try_push_quietly(now + LATENCY).expect("room");
//!             now += 10;
//!         }
//!         partition.promise.raise(now + LATENCY);
//!     }
//!     partition.promise.finish();
//!     arrived.retain(|&arrival| arrival < END);
//!     Ok(arrived)
//! }
//!
//! let [waiter_a, waiter_b] = [(); 2].map(|()| Waiter::new(spin_budget(2)));
//! let [waker_a, waker_b] = [waiter_a.waker(), waiter_b.waker()];
//! let (lane_to_b, lane_from_a) = lane(4);
//! let (lane_to_a, lane_from_b) = lane(4);
//! let (promise_to_b, promise_from_a) = promise();
//! let (promise_to_a, promise_from_b) = promise();
//! let a = Partition {
//!     waiter: waiter_a,
//!     outgoing: lane_to_b.waking(waker_b.clone()),
//!     promise: promise_to_b.waking(waker_b),
//!     incoming: lane_from_b, // no waker: its sender never waits for room
//!     promised: promise_from_b,
//! };
//! let b = Partition {
//!     waiter: waiter_b,
//!     outgoing: lane_to_a.waking(waker_a.clone()),
//!     promise: promise_to_a.waking(waker_a),
//!     incoming: lane_from_a,
//!     promised: promise_from_a,
//! };
//! let threads = [a, b].map(|partition| std::thread::spawn(|| run(partition)));
//! for thread in threads {
//!     let arrived = thread.join().expect("it does not panic").expect("its peer lives");
//!     assert!(arrived.into_iter().eq((10..END).step_by(10)));
//! }
//! ```
//!
//! # Waking
//!
//! An end that was given the other thread's [`Waker`] with `waking` wakes that thread as follows.
//! An end without one never does.
//!
//! | this | wakes |
//! |---|---|
//! | [`PromiseWriter::raise`] to a higher value, `finish`, drop | the reader |
//! | [`Sender::try_push`], drop | the receiver |
//! | [`Sender::try_push_quietly`] | the receiver, only if the lane is full |
//! | [`Receiver::try_pop`] that returns `None` after it returned items, drop | the sender |
//!
//! While the other thread is not parked this costs a `SeqCst` fence and a load.
//!
//! # Checking
//!
//! `tests/loom.rs` explores all interleavings of small cases, weak memory included:
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test -p ironbird-lane --release --test loom
//! cargo run -p ironbird-lane --release --example ping     # what a synchronisation costs
//! ```

mod promise;
mod ring;
mod sync;
mod wait;

pub use promise::{Closed, PromiseReader, PromiseWriter, promise};
pub use ring::{Receiver, Sender, lane};
pub use wait::{DEFAULT_SPIN, Ticket, Waiter, Waker, spin_budget};
