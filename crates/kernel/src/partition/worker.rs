//! One partition on its thread: read what peers promise, take what has arrived, process, send, promise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ironbird_lane::{Closed, PromiseReader, PromiseWriter, Receiver, Sender, Waiter};

use super::agreement::{Halted, Shared, agree_on_floor};
use super::{INSTANTS_PER_LOOK, lock, panicked};
use crate::engine::{ChannelPlan, Engine, Halt, PipeEnd};
use crate::store::Stamp;
use crate::time::{Duration, Time};

/// Rounds without an event of its own after which a partition says that it is idle.
const PATIENCE: u32 = 32;

/// What goes with a value to another partition.
pub(super) struct Header {
    pub pipe: u32,
    pub arrival: Time,
    pub stamp: Stamp,
}

pub(super) struct Incoming {
    pub from: usize,
    pub headers: Receiver<Header>,
    pub promise: PromiseReader,
    pub least_latency: Duration,
}

pub(super) struct Outgoing {
    pub to: usize,
    pub headers: Sender<Header>,
    pub promise: Option<PromiseWriter>,
    pub plan: ChannelPlan,
    pub least_latency: Duration,
    /// Arrival of the earliest message that found no room.
    pub kept: Time,
    /// Whether anything was sent since the receiver was last woken.
    pub sent: bool,
}

impl Outgoing {
    /// Whether it is worth trying again to send what was kept.
    fn has_room(&self) -> bool {
        !self.kept.is_never() && (!self.headers.is_full() || self.headers.is_closed())
    }
}

/// One partition on its thread.
pub(super) struct Worker {
    pub number: usize,
    pub engine: Engine,
    pub waiter: Waiter,
    /// How long it is worth spinning before sleeping.
    pub spin: std::time::Duration,
    pub incoming: Vec<Incoming>,
    pub outgoing: Vec<Outgoing>,
    pub sent: u64,
    pub received: u64,
    /// What it said of its next event when it said that it is idle.
    pub registered: Option<Time>,
    pub empty_rounds: u32,
    /// (times, nanoseconds) by awaited partition.
    pub waits: Vec<(u64, u64)>,
    pub synchronisations: u64,
    pub paused: Option<Time>,
    /// When a test lets this thread die, and whether it did.
    pub killed: Time,
    pub died: bool,
}

/// How a worker's loop ended.
enum Ended {
    Done,
    /// A peer has died; who, is found out when all threads are back.
    Bereft,
    Killed,
}

impl Worker {
    pub fn run(mut self, shared: &Shared) -> Self {
        let result = catch_unwind(AssertUnwindSafe(|| self.advance(shared)));
        let halt = match result {
            Ok(Ok(Ended::Done)) => None,
            Ok(Ok(Ended::Bereft)) => {
                shared.abort();
                None
            }
            Ok(Ok(Ended::Killed)) => {
                // As if the thread had vanished: its ends break off without a word.
                self.died = true;
                self.incoming.clear();
                self.outgoing.clear();
                self.engine.values.stores.detach_lanes();
                shared.abort();
                self.finish(shared);
                return self;
            }
            Ok(Err(halt)) => Some(halt),
            Err(panic) => Some(panicked(&self.engine, panic.as_ref())),
        };
        if let Some(halt) = halt {
            shared.halt(Halted::here(&self.engine, halt));
            self.send_all(shared);
        }
        for out in &mut self.outgoing {
            if let Some(promise) = out.promise.take() {
                promise.finish();
            }
        }
        self.finish(shared);
        self.drain_until_all_finished(shared);
        self
    }

    /// This partition is through: nobody waits for it any more.
    fn finish(&mut self, shared: &Shared) {
        lock(&shared.meeting).positions[self.number] = Some(shared.end());
        shared.met.notify_all();
        self.registered = None;
        self.register(Time::NEVER, shared);
        shared.positions[self.number].store(u64::MAX, Ordering::Release);
        if shared.finished.fetch_add(1, Ordering::SeqCst) + 1 == shared.wakers.len() {
            shared.wake_all();
        }
    }

    /// Others may still send what arrives after the end: it must not fill their lanes, nor look as
    /// if it were under way.
    fn drain_until_all_finished(&mut self, shared: &Shared) {
        let all = shared.wakers.len();
        while shared.finished.load(Ordering::SeqCst) < all {
            if self.drain() > 0 {
                self.registered = None;
                self.register(Time::NEVER, shared);
            }
            let incoming = &self.incoming;
            self.waiter.wait(None, || {
                let finished = shared.finished.load(Ordering::SeqCst) == all;
                (finished || incoming.iter().any(|i| !i.headers.is_empty())).then_some(())
            });
        }
    }

    fn advance(&mut self, shared: &Shared) -> Result<Ended, Halt> {
        loop {
            self.synchronisations += 1;
            let Ok((bound, awaited)) = self.bound(shared) else { return Ok(Ended::Bereft) };
            if self.incoming.iter().any(|incoming| !incoming.headers.is_empty()) {
                self.deregister(shared);
                self.drain();
            }
            let end = shared.end();
            let limit = bound.min(end);
            let before = self.engine.counters.instants;
            let floor = self.engine.floor();
            if shared.pause.is_requested() {
                self.meet(floor.min(bound), shared);
            }
            if floor < limit || self.engine.may_run_ahead(end) {
                let end = end.min(self.killed + Duration::EPSILON);
                let mut pause = Time::NEVER;
                // Running ahead shows nothing before the floor that others may know of.
                if floor < limit {
                    self.deregister(shared);
                    // One latency at a time: a peer that waits for the next promise works meanwhile.
                    pause = floor + self.least_outgoing();
                }
                let complete = self.engine.run_some(bound, end, pause, INSTANTS_PER_LOOK)?;
                if self.engine.floor() > self.killed {
                    return Ok(Ended::Killed);
                }
                if self.send(shared).is_err() {
                    return Ok(Ended::Bereft);
                }
                self.promise(bound);
                if !complete || self.engine.floor() < bound.min(shared.end()) {
                    self.commit(bound, shared);
                    continue;
                }
            } else {
                if self.send(shared).is_err() {
                    return Ok(Ended::Bereft);
                }
                self.promise(bound);
            }
            let floor = self.engine.floor();
            if floor.min(bound) >= shared.end() && self.engine.outgoing.is_empty() {
                self.engine.catch_up_all(shared.end())?;
                return Ok(Ended::Done);
            }
            self.commit(bound, shared);
            self.empty_rounds =
                if self.engine.counters.instants == before { self.empty_rounds + 1 } else { 0 };
            if self.empty_rounds > PATIENCE && self.engine.outgoing.is_empty() {
                self.register(floor, shared);
            }
            self.wait(bound, awaited, shared);
        }
    }

    /// The least latency of anything that is sent from here.
    fn least_outgoing(&self) -> Duration {
        let latencies = self.outgoing.iter().map(|out| out.least_latency);
        latencies.min().unwrap_or(Duration::FOREVER)
    }

    /// The earliest instant at which something could still arrive, and from whom.
    fn bound(&self, shared: &Shared) -> Result<(Time, usize), Closed> {
        let floor = Time::from_ps(shared.floor.load(Ordering::Acquire));
        let mut bound = (Time::NEVER, self.number);
        for incoming in &self.incoming {
            let promised = incoming.promise.get()?;
            let promised = Time::from_ps(promised).max(floor + incoming.least_latency);
            if promised < bound.0 {
                bound = (promised, incoming.from);
            }
        }
        Ok(bound)
    }

    /// Takes what has come in; how many.
    pub fn drain(&mut self) -> usize {
        let mut count = 0;
        for incoming in &mut self.incoming {
            while let Some(header) = incoming.headers.try_pop() {
                self.engine.receive(header.pipe, incoming.from, header.arrival, header.stamp);
                count += 1;
            }
        }
        self.received += count as u64;
        count
    }

    /// Flushes; wakes those whose lanes are full, and notices those that have died.
    fn send(&mut self, shared: &Shared) -> Result<(), Closed> {
        self.flush();
        for out in &mut self.outgoing {
            let full = !out.kept.is_never();
            if full && out.headers.is_closed() {
                return Err(Closed);
            }
            // Once for all messages; a promise that rises would do it too, but not every one does.
            if std::mem::take(&mut out.sent) || full {
                shared.wakers[out.to].wake();
            }
        }
        Ok(())
    }

    /// Others need what was sent before a halt to get as far as the halt themselves.
    fn send_all(&mut self, shared: &Shared) {
        while self.send(shared).is_ok() && !self.engine.outgoing.is_empty() {
            self.drain();
            let (incoming, outgoing) = (&self.incoming, &self.outgoing);
            self.waiter.wait(None, || {
                let arrived = incoming.iter().any(|i| !i.headers.is_empty());
                (arrived || outgoing.iter().any(Outgoing::has_room)).then_some(())
            });
        }
    }

    /// Sends what has to go to other partitions, as far as there is room; how many.
    pub fn flush(&mut self) -> usize {
        if self.engine.outgoing.is_empty() {
            return 0;
        }
        self.outgoing.iter_mut().for_each(|out| out.kept = Time::NEVER);
        let mut count = 0;
        let mut waiting = std::mem::take(&mut self.engine.outgoing);
        waiting.retain(|&number| {
            let pipe = &self.engine.pipes[number as usize];
            let PipeEnd::Remote { channel, pipe: far } = pipe.end else { return false };
            let channel = channel as usize;
            let Some(out) = self.outgoing.iter_mut().find(|out| out.to == channel) else {
                return false;
            };
            let store = self.engine.values.stores.get_mut(pipe.store);
            while !out.headers.is_full()
                && let Some(Ok((arrival, stamp))) = store.transmit(pipe.typed, channel)
            {
                let _ = out.headers.try_push_quietly(Header { pipe: far, arrival, stamp });
                out.sent = true;
                count += 1;
            }
            out.kept = out.kept.min(store.next_arrival(pipe.typed));
            !store.next_arrival(pipe.typed).is_never()
        });
        self.engine.outgoing = waiting;
        self.sent += count as u64;
        count
    }

    /// Tells each receiver what it can rely on.
    fn promise(&mut self, bound: Time) {
        let own = self.engine.floor();
        let floor = own.min(bound);
        let acted = self.engine.next_unforeseen(floor);
        for out in &mut self.outgoing {
            let mut earliest = out.plan.from_others.map_or(Time::NEVER, |latency| own + latency);
            if let Some(latency) = out.plan.through {
                earliest = earliest.min(bound + latency);
            }
            for (&ticker, &latency) in &out.plan.from_tickers {
                let tick = self.engine.calendar.next_tick(ticker as usize).min(acted).max(floor);
                earliest = earliest.min(tick + latency);
            }
            if let Some(promise) = &mut out.promise {
                promise.raise(earliest.min(out.kept).as_ps());
            }
        }
    }

    /// Says what this partition will not take back: nothing arrives here before `bound`.
    fn commit(&mut self, bound: Time, shared: &Shared) {
        let position = self.engine.settled().min(bound).as_ps();
        shared.positions[self.number].store(position, Ordering::Relaxed);
        if self.engine.observation.wants_commit() || self.engine.taps.wants_hand_over() {
            let all = shared.positions.iter().map(|p| p.load(Ordering::Acquire)).min();
            // One that has halted has brought the end forward before it left.
            let horizon = Time::from_ps(all.unwrap_or(0)).min(shared.end());
            self.engine.observation.commit(horizon);
            self.engine.hand_over(horizon);
        }
    }

    fn wait(&mut self, bound: Time, awaited: usize, shared: &Shared) {
        let started = Instant::now();
        // Whoever is about to sleep says that it is idle first.
        // Messages alone let nobody advance: while awake it waits for the promise behind them.
        if !self.wait_for_change(bound, Some(self.spin), shared, |_| false) {
            if self.engine.outgoing.is_empty() {
                let floor = self.engine.floor();
                self.register(floor, shared);
            }
            self.wait_for_change(bound, None, shared, |headers| !headers.is_empty());
        }
        let (times, nanoseconds) = &mut self.waits[awaited];
        *times += 1;
        *nanoseconds += started.elapsed().as_nanos() as u64;
    }

    /// Waits until anything changed that lets this partition go on; whether it did in time.
    fn wait_for_change(
        &mut self,
        bound: Time,
        timeout: Option<std::time::Duration>,
        shared: &Shared,
        arrived: impl Fn(&Receiver<Header>) -> bool,
    ) -> bool {
        let (end, floor) = (shared.end(), shared.floor.load(Ordering::Acquire));
        let (incoming, outgoing) = (&self.incoming, &self.outgoing);
        let stuck = !self.engine.outgoing.is_empty();
        let changed = self.waiter.wait(timeout, || {
            let promises = incoming.iter().map(|i| i.promise.get().map_or(0, |p| p));
            let changed = promises.min().is_some_and(|least| Time::from_ps(least) > bound)
                || incoming.iter().any(|i| arrived(&i.headers) || i.promise.get().is_err())
                || (stuck && outgoing.iter().any(Outgoing::has_room))
                || shared.floor.load(Ordering::Acquire) != floor
                || shared.end() != end
                || shared.pause.is_requested();
            changed.then_some(())
        });
        changed.is_some()
    }

    /// Says that nothing happens here before `next`, unless something arrives.
    fn register(&mut self, next: Time, shared: &Shared) {
        if self.registered == Some(next) {
            return;
        }
        let mut quiet = lock(&shared.quiet);
        quiet.idle[self.number] = Some(next);
        quiet.sent[self.number] = self.sent;
        quiet.received[self.number] = self.received;
        self.registered = Some(next);
        agree_on_floor(&mut quiet, shared);
    }

    fn deregister(&mut self, shared: &Shared) {
        if self.registered.take().is_some() {
            lock(&shared.quiet).idle[self.number] = None;
        }
        self.empty_rounds = 0;
    }

    /// Waits until all have stopped, and agrees on the latest position as the place to pause.
    fn meet(&mut self, position: Time, shared: &Shared) {
        let mut meeting = lock(&shared.meeting);
        meeting.positions[self.number] = Some(position);
        shared.met.notify_all();
        while meeting.agreed.is_none() {
            if meeting.positions.iter().all(Option::is_some) {
                let agreed = meeting.positions.iter().flatten().max().copied();
                let agreed = agreed.unwrap_or(Time::NEVER).min(shared.end());
                meeting.agreed = Some(agreed);
                shared.end.fetch_min(agreed.as_ps(), Ordering::SeqCst);
                shared.pause.clear();
                shared.met.notify_all();
                shared.wake_all();
                break;
            }
            meeting = shared.met.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
        self.paused = meeting.agreed;
    }
}
