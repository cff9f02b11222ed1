//! Peers that are threads of this process: values go through lanes, promises through shared memory.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ironbird_lane::{Closed, PromiseReader, PromiseWriter, Receiver, Sender, Waiter};

use super::agreement::{Halted, Shared, agree_on_floor};
use super::lock;
use super::peers::{Bereft, Outlook, Peers, Prospect};
use crate::engine::{ChannelPlan, Engine, PipeEnd};
use crate::store::Stamp;
use crate::time::{Duration, Time};

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

/// The other threads of a stretch.
pub(super) struct Threads<'a> {
    pub number: usize,
    pub shared: &'a Shared,
    pub waiter: Waiter,
    /// How long it is worth spinning before sleeping.
    pub spin: std::time::Duration,
    pub incoming: Vec<Incoming>,
    pub outgoing: Vec<Outgoing>,
    pub sent: u64,
    pub received: u64,
    /// What it said of its next event when it said that it is idle.
    pub registered: Option<Time>,
    /// Whether it has met the others in order to pause.
    pub met: bool,
}

impl From<Closed> for Bereft {
    fn from(_: Closed) -> Self {
        Bereft(None)
    }
}

impl Peers for Threads<'_> {
    const PATIENCE: u32 = 32;

    fn end(&self) -> Time {
        self.shared.end()
    }

    fn look(&mut self, engine: &mut Engine) -> Result<Prospect, Bereft> {
        let (bound, awaited) = self.bound()?;
        let arrived = self.incoming.iter().any(|incoming| !incoming.headers.is_empty());
        if arrived {
            self.deregister();
            self.drain(engine);
        }
        Ok(Prospect { bound, awaited, arrived })
    }

    /// Flushes; wakes those whose lanes are full, and notices those that have died.
    fn send(&mut self, engine: &mut Engine) -> Result<(), Bereft> {
        self.flush(engine);
        for out in &mut self.outgoing {
            let full = !out.kept.is_never();
            if full && out.headers.is_closed() {
                return Err(Bereft(None));
            }
            // Once for all messages; a promise that rises would do it too, but not every one does.
            if std::mem::take(&mut out.sent) || full {
                self.shared.wakers[out.to].wake();
            }
        }
        Ok(())
    }

    fn promise(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft> {
        let outlook = Outlook::new(engine, bound);
        for out in &mut self.outgoing {
            let earliest = outlook.earliest(engine, &out.plan);
            if let Some(promise) = &mut out.promise {
                promise.raise(earliest.min(out.kept).as_ps());
            }
        }
        Ok(())
    }

    fn commit(&mut self, engine: &mut Engine, bound: Time) {
        let position = engine.settled().min(bound).as_ps();
        let shared = self.shared;
        shared.positions[self.number].store(position, Ordering::Relaxed);
        if engine.observation.wants_commit() || engine.taps.wants_hand_over() {
            let all = shared.positions.iter().map(|p| p.load(Ordering::Acquire)).min();
            // One that has halted has brought the end forward before it left.
            let horizon = Time::from_ps(all.unwrap_or(0)).min(shared.end());
            engine.observation.commit(horizon);
            engine.hand_over(horizon);
        }
    }

    fn wait(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft> {
        let stuck = !engine.outgoing.is_empty();
        // Whoever is about to sleep says that it is idle first.
        // Messages alone let nobody advance: while awake it waits for the promise behind them.
        if !self.wait_for_change(bound, stuck, Some(self.spin), |_| false) {
            if !stuck {
                self.register(engine.floor());
            }
            self.wait_for_change(bound, stuck, None, |headers| !headers.is_empty());
        }
        Ok(())
    }

    fn least_outgoing(&self) -> Duration {
        let latencies = self.outgoing.iter().map(|out| out.least_latency);
        latencies.min().unwrap_or(Duration::FOREVER)
    }

    fn register(&mut self, next: Time) {
        if self.registered == Some(next) {
            return;
        }
        let mut quiet = lock(&self.shared.quiet);
        quiet.idle[self.number] = Some(next);
        quiet.sent[self.number] = self.sent;
        quiet.received[self.number] = self.received;
        self.registered = Some(next);
        agree_on_floor(&mut quiet, self.shared);
    }

    fn deregister(&mut self) {
        if self.registered.take().is_some() {
            lock(&self.shared.quiet).idle[self.number] = None;
        }
    }

    fn is_to_pause(&self) -> bool {
        self.shared.pause.is_requested() || (self.shared.is_late() && !self.met)
    }

    fn is_timed(&self) -> bool {
        self.shared.deadline.is_some()
    }

    fn look_at(&self, clock: Instant) {
        self.shared.look_at(clock);
    }

    fn meet(&mut self, _: &mut Engine, position: Time) -> Result<Option<Time>, Bereft> {
        let shared = self.shared;
        self.met = true;
        let mut meeting = lock(&shared.meeting);
        meeting.positions[self.number] = Some(position);
        shared.met.notify_all();
        while meeting.agreed.is_none() {
            if meeting.positions.iter().all(Option::is_some) {
                let agreed = meeting.positions.iter().flatten().max().copied();
                let agreed = agreed.unwrap_or(Time::NEVER).min(shared.end());
                meeting.agreed = Some(agreed);
                shared.end.fetch_min(agreed.as_ps(), Ordering::SeqCst);
                meeting.is_asked_for = shared.pause.is_requested();
                if meeting.is_asked_for {
                    shared.pause.clear();
                }
                shared.met.notify_all();
                shared.wake_all();
                break;
            }
            meeting = shared.met.wait(meeting).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(meeting.agreed)
    }

    fn halt(&mut self, engine: &mut Engine, halted: Halted) -> Result<(), Bereft> {
        self.shared.halt(halted);
        self.send_all(engine);
        Ok(())
    }

    fn abort(&mut self, _: Bereft) {
        self.shared.abort();
    }

    fn vanish(&mut self, engine: &mut Engine) {
        self.incoming.clear();
        self.outgoing.clear();
        engine.values.stores.detach_lanes();
        self.shared.abort();
        self.leave();
    }

    fn finish(&mut self, engine: &mut Engine) -> Result<(), Bereft> {
        for out in &mut self.outgoing {
            if let Some(promise) = out.promise.take() {
                promise.finish();
            }
        }
        self.leave();
        self.drain_until_all_finished(engine);
        Ok(())
    }
}

impl Threads<'_> {
    /// This partition is through: nobody waits for it any more.
    fn leave(&mut self) {
        let shared = self.shared;
        lock(&shared.meeting).positions[self.number] = Some(shared.end());
        shared.met.notify_all();
        self.registered = None;
        self.register(Time::NEVER);
        shared.positions[self.number].store(u64::MAX, Ordering::Release);
        if shared.finished.fetch_add(1, Ordering::SeqCst) + 1 == shared.wakers.len() {
            shared.wake_all();
        }
    }

    /// Others may still send what arrives after the end: it must not fill their lanes, nor look as
    /// if it were under way.
    fn drain_until_all_finished(&mut self, engine: &mut Engine) {
        let shared = self.shared;
        let all = shared.wakers.len();
        while shared.finished.load(Ordering::SeqCst) < all {
            if self.drain(engine) > 0 {
                self.registered = None;
                self.register(Time::NEVER);
            }
            let incoming = &self.incoming;
            self.waiter.wait(None, || {
                let finished = shared.finished.load(Ordering::SeqCst) == all;
                (finished || incoming.iter().any(|i| !i.headers.is_empty())).then_some(())
            });
        }
    }

    /// The earliest instant at which something could still arrive, and from whom.
    fn bound(&self) -> Result<(Time, usize), Closed> {
        let floor = Time::from_ps(self.shared.floor.load(Ordering::Acquire));
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
    pub fn drain(&mut self, engine: &mut Engine) -> usize {
        let mut count = 0;
        for incoming in &mut self.incoming {
            while let Some(header) = incoming.headers.try_pop() {
                engine.receive(header.pipe, incoming.from, header.arrival, header.stamp);
                count += 1;
            }
        }
        self.received += count as u64;
        count
    }

    /// Others need what was sent before a halt to get as far as the halt themselves.
    fn send_all(&mut self, engine: &mut Engine) {
        while self.send(engine).is_ok() && !engine.outgoing.is_empty() {
            self.drain(engine);
            let (incoming, outgoing) = (&self.incoming, &self.outgoing);
            self.waiter.wait(None, || {
                let arrived = incoming.iter().any(|i| !i.headers.is_empty());
                (arrived || outgoing.iter().any(Outgoing::has_room)).then_some(())
            });
        }
    }

    /// Sends what has to go to other partitions, as far as there is room; how many.
    pub fn flush(&mut self, engine: &mut Engine) -> usize {
        if engine.outgoing.is_empty() {
            return 0;
        }
        self.outgoing.iter_mut().for_each(|out| out.kept = Time::NEVER);
        let mut count = 0;
        let mut waiting = std::mem::take(&mut engine.outgoing);
        waiting.retain(|&number| {
            let pipe = &engine.pipes[number as usize];
            let PipeEnd::Remote { channel, pipe: far } = pipe.end else { return false };
            let channel = channel as usize;
            let Some(out) = self.outgoing.iter_mut().find(|out| out.to == channel) else {
                return false;
            };
            let store = engine.values.stores.get_mut(pipe.store);
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
        engine.outgoing = waiting;
        self.sent += count as u64;
        count
    }

    /// Waits until others promise more, something arrives, or else changes; whether it did in time.
    fn wait_for_change(
        &mut self,
        bound: Time,
        stuck: bool,
        timeout: Option<std::time::Duration>,
        arrived: impl Fn(&Receiver<Header>) -> bool,
    ) -> bool {
        let shared = self.shared;
        let (end, floor) = (shared.end(), shared.floor.load(Ordering::Acquire));
        let (incoming, outgoing, met) = (&self.incoming, &self.outgoing, self.met);
        let changed = self.waiter.wait(timeout, || {
            let promises = incoming.iter().map(|i| i.promise.get().map_or(0, |p| p));
            let changed = promises.min().is_some_and(|least| Time::from_ps(least) > bound)
                || incoming.iter().any(|i| arrived(&i.headers) || i.promise.get().is_err())
                || (stuck && outgoing.iter().any(Outgoing::has_room))
                || shared.floor.load(Ordering::Acquire) != floor
                || shared.end() != end
                || shared.pause.is_requested()
                || (shared.is_late() && !met);
            changed.then_some(())
        });
        changed.is_some()
    }
}
