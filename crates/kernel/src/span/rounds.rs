//! What a partition does in a round with peers that are other processes: values and the promise behind
//! them go to each in one message, and process 0 agrees for all.

use std::time::{Duration as WallTime, Instant};

use super::coordinator::Coordinator;
use super::post::{LONG, Lost};
use super::processes::{Outgoing, Processes};
use super::record::{Down, Record, Up};
use crate::engine::{Engine, PipeEnd};
use crate::partition::{Bereft, Halted, Outlook, Peers, Prospect};
use crate::time::{Duration, Time};

/// Bytes for one process that wait before values stay in their pipes.
const ENOUGH: usize = 64 * 1024;
/// Rounds after which a process says where it is though it has nothing else to say.
const ROUNDS_PER_POSITION: u32 = 64;
/// How long a wait lasts before a process says that it is idle.
const SHORT: WallTime = WallTime::from_micros(100);

impl Processes<'_> {
    /// Puts values into the boxes of their receivers, as far as there is room.
    fn collect(&mut self, engine: &mut Engine) {
        if engine.outgoing.is_empty() {
            return;
        }
        let Processes { post, outgoing, wire, bytes, sent, .. } = self;
        outgoing.iter_mut().for_each(|out| out.kept = Time::NEVER);
        let mut waiting = std::mem::take(&mut engine.outgoing);
        waiting.retain(|&number| {
            let pipe = &engine.pipes[number as usize];
            let PipeEnd::Remote { channel, pipe: far } = pipe.end else { return false };
            let channel = channel as usize;
            let Some(out) = outgoing.iter_mut().find(|out| out.to == channel) else {
                return false;
            };
            let store = engine.values.stores.get_mut(pipe.store);
            while post.waiting_for(channel) < ENOUGH
                && let Some((arrival, stamp)) = store.transmit_bytes(pipe.typed, wire)
            {
                bytes.clear();
                wire.flatten(bytes);
                let length = bytes.len() as u64;
                post.put(channel, &Record::Data { pipe: far, arrival, stamp, length }, bytes);
                *sent += 1;
            }
            out.kept = out.kept.min(store.next_arrival(pipe.typed));
            !store.next_arrival(pipe.typed).is_never()
        });
        engine.outgoing = waiting;
    }

    /// Says where this process is, if it says something anyway or has not for long, and sends.
    fn dispatch(&mut self, now: bool) -> Result<(), Lost> {
        self.rounds += 1;
        let due = now || self.rounds >= ROUNDS_PER_POSITION;
        if let Some(coordinator) = &self.coordinator {
            self.horizon = coordinator.horizon();
            if self.horizon > self.told {
                let horizon = Record::Down(Down::Horizon(self.horizon));
                let mut all = true;
                for to in 1..self.post.count {
                    if due || self.post.waiting_for(to) > 0 {
                        self.post.put(to, &horizon, &[]);
                    } else {
                        all = false;
                    }
                }
                if all {
                    (self.told, self.rounds) = (self.horizon, 0);
                }
            }
        } else if self.position > self.told && (due || self.post.waiting_for(0) > 0) {
            self.post.put(0, &Record::Up(Up::Position(self.position)), &[]);
            (self.told, self.rounds) = (self.position, 0);
        }
        self.post.send()?;
        Ok(())
    }

    /// Nothing follows; so anything may be promised.
    fn promise_at_last(&mut self, promised: Time) {
        for out in self.outgoing.iter_mut().filter(|out| out.promised < promised) {
            out.promised = promised;
            self.post.put(out.to, &Record::Promise(promised), &[]);
        }
    }

    /// Takes in and sends until `done`.
    fn go_on_until(
        &mut self,
        engine: &mut Engine,
        done: impl Fn(&Self, &Engine) -> bool,
    ) -> Result<(), Lost> {
        loop {
            self.take_in(engine)?;
            self.collect(engine);
            let sent = self.post.send()?;
            if sent && done(self, engine) {
                return Ok(());
            }
            self.post.wait(LONG);
        }
    }

    /// The fault that a loss is, at the instant at which this process is. What was handed over stays.
    fn bereft(&mut self, lost: Lost, engine: &Engine) -> Bereft {
        let at = engine.now.max(self.handed_over);
        Bereft(Some(self.post.tell_loss(lost).fault(at)))
    }
}

impl Peers for Processes<'_> {
    /// Every promise is a message.
    const PATIENCE: u32 = 4;

    fn end(&self) -> Time {
        self.end
    }

    fn look(&mut self, engine: &mut Engine) -> Result<Prospect, Bereft> {
        let arrived = self.take_in(engine).map_err(|lost| self.bereft(lost, engine))?;
        let (bound, awaited) = self.bound();
        Ok(Prospect { bound, awaited, arrived })
    }

    fn send(&mut self, engine: &mut Engine) -> Result<(), Bereft> {
        // They leave together with the promise behind them.
        self.collect(engine);
        Ok(())
    }

    fn promise(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft> {
        let outlook = Outlook::new(engine, bound);
        for out in &mut self.outgoing {
            let promised = outlook.earliest(engine, &out.plan).min(out.kept);
            if promised > out.promised {
                out.promised = promised;
                self.post.put(out.to, &Record::Promise(promised), &[]);
            }
        }
        self.dispatch(false).map_err(|lost| self.bereft(lost, engine))
    }

    fn commit(&mut self, engine: &mut Engine, bound: Time) {
        self.position = engine.settled().min(bound);
        if self.coordinator.is_some() {
            self.tell(Up::Position(self.position));
            self.horizon = self.coordinator.as_ref().map_or(Time::ZERO, Coordinator::horizon);
        }
        let horizon = self.horizon.min(self.end);
        let wanted = engine.observation.wants_commit() || engine.taps.wants_hand_over();
        if wanted && horizon > self.handed_over {
            engine.observation.commit(horizon);
            engine.hand_over(horizon);
            self.handed_over = horizon;
        }
    }

    fn wait(&mut self, engine: &mut Engine, bound: Time) -> Result<(), Bereft> {
        let (end, floor) = (self.end, self.floor);
        let stuck = !engine.outgoing.is_empty();
        let started = Instant::now();
        loop {
            let long = started.elapsed() >= SHORT;
            let result = self.take_in(engine).and_then(|_| {
                if long { self.dispatch(true) } else { self.post.send().map(|_| ()) }
            });
            result.map_err(|lost| self.bereft(lost, engine))?;
            let room =
                |out: &Outgoing| !out.kept.is_never() && self.post.waiting_for(out.to) < ENOUGH;
            if self.bound().0 > bound
                || (self.end, self.floor) != (end, floor)
                || self.to_pause
                || (stuck && self.outgoing.iter().any(room))
            {
                return Ok(());
            }
            if long && !stuck && self.registered.is_none() {
                self.register(engine.floor());
                continue;
            }
            self.post.wait(if long { LONG } else { SHORT });
        }
    }

    fn least_outgoing(&self) -> Duration {
        self.least_outgoing
    }

    fn register(&mut self, next: Time) {
        if self.registered != Some(next) {
            self.registered = Some(next);
            let (sent, received) = (self.sent, self.received);
            self.tell(Up::Quiet { wave: None, idle: true, next, sent, received });
        }
    }

    fn deregister(&mut self) {
        self.registered = None;
    }

    fn is_to_pause(&self) -> bool {
        self.to_pause && self.paused.is_none()
    }

    fn meet(&mut self, engine: &mut Engine, position: Time) -> Result<Option<Time>, Bereft> {
        self.tell(Up::Met(position));
        let met = self.go_on_until(engine, |peers, _| peers.paused.is_some());
        met.map_err(|lost| self.bereft(lost, engine))?;
        Ok(self.paused)
    }

    fn halt(&mut self, engine: &mut Engine, halted: Halted) -> Result<(), Bereft> {
        // Nobody gets beyond the halt before it has heard of it.
        let after = halted.at + Duration::EPSILON;
        self.halted = true;
        self.tell(Up::Halted(halted));
        let sent = self.go_on_until(engine, |_, engine| engine.outgoing.is_empty());
        sent.map_err(|lost| self.bereft(lost, engine))?;
        self.promise_at_last(after);
        Ok(())
    }

    fn abort(&mut self, bereft: Bereft) {
        self.lost = self.lost.take().or(bereft.0);
    }

    fn vanish(&mut self, _: &mut Engine) {}

    fn finish(&mut self, engine: &mut Engine) -> Result<(), Bereft> {
        if self.lost.is_some() {
            return Ok(());
        }
        if !self.halted {
            self.promise_at_last(Time::NEVER);
        }
        for out in &self.outgoing {
            self.post.put(out.to, &Record::Last, &[]);
        }
        self.through = true;
        self.tell(Up::Finished);
        self.registered = None;
        self.register(Time::NEVER);
        let all = |peers: &Self, _: &Engine| {
            peers.verdict.is_some() && peers.incoming.iter().all(|incoming| incoming.last)
        };
        let finished = self.go_on_until(engine, all);
        finished.map_err(|lost| self.bereft(lost, engine))
    }
}
