//! One partition: read what peers promise, take what has arrived, process, send, promise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::agreement::Halted;
use super::peers::{Bereft, Peers};
use super::{INSTANTS_PER_LOOK, LONG_LOOK, PROMISES_PER_LATENCY, panicked};
use crate::engine::{Engine, Halt};
use crate::outcome::WaitCounter;
use crate::time::{Duration, Time};

/// One partition among its peers.
pub(crate) struct Worker<P> {
    pub number: usize,
    pub engine: Engine,
    pub peers: P,
    pub empty_rounds: u32,
    /// (times, nanoseconds) by awaited partition.
    pub waits: Vec<(u64, u64)>,
    pub synchronisations: u64,
    pub paused: Option<Time>,
    /// How many instants are processed in a round.
    pub instants: u32,
    /// When a test lets this thread die, and whether it did.
    pub killed: Time,
    pub died: bool,
}

/// How a worker's loop ended.
enum Ended {
    Done,
    /// A peer has died.
    Bereft(Bereft),
    Killed,
}

/// Why a round was the last.
enum Broken {
    Halt(Halt),
    Bereft(Bereft),
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Self {
        Broken::Halt(halt)
    }
}

impl From<Bereft> for Broken {
    fn from(bereft: Bereft) -> Self {
        Broken::Bereft(bereft)
    }
}

impl<P: Peers> Worker<P> {
    pub fn new(number: usize, count: usize, engine: Engine, peers: P) -> Self {
        Worker {
            number,
            engine,
            peers,
            empty_rounds: 0,
            waits: vec![(0, 0); count],
            synchronisations: 0,
            paused: None,
            instants: INSTANTS_PER_LOOK,
            killed: Time::NEVER,
            died: false,
        }
    }

    pub fn run(mut self) -> Self {
        if let Some(recorder) = &mut self.engine.recorder {
            recorder.begin_stretch();
        }
        let result = catch_unwind(AssertUnwindSafe(|| match self.advance() {
            Ok(ended) => Ok(ended),
            Err(Broken::Bereft(bereft)) => Ok(Ended::Bereft(bereft)),
            Err(Broken::Halt(halt)) => Err(halt),
        }));
        let Worker { ref mut engine, ref mut peers, ref mut died, .. } = self;
        if let Some(recorder) = &mut engine.recorder {
            recorder.end_stretch(engine.now, engine.counters.instants);
        }
        let halt = match result {
            Ok(Ok(Ended::Done)) => None,
            Ok(Ok(Ended::Bereft(bereft))) => {
                peers.abort(bereft);
                None
            }
            Ok(Ok(Ended::Killed)) => {
                *died = true;
                peers.vanish(engine);
                return self;
            }
            Ok(Err(halt)) => Some(halt),
            Err(panic) => Some(panicked(engine, panic.as_ref())),
        };
        let halted = halt.map(|halt| Halted::here(engine, halt));
        let finished = halted.map_or(Ok(()), |halted| peers.halt(engine, halted));
        if let Err(bereft) = finished.and_then(|()| peers.finish(engine)) {
            peers.abort(bereft);
        }
        self
    }

    /// Adds what this stretch has cost.
    pub fn add_costs(&self, waits: &mut Vec<WaitCounter>, synchronisations: &mut u64) {
        *synchronisations += self.synchronisations;
        let waiting = self.number;
        for (awaited, &(times, nanoseconds)) in self.waits.iter().enumerate() {
            if times == 0 {
                continue;
            }
            let same = |w: &&mut WaitCounter| (w.waiting, w.awaited) == (waiting, awaited);
            match waits.iter_mut().find(same) {
                Some(sum) => {
                    sum.waits += times;
                    sum.nanoseconds += nanoseconds;
                }
                None => waits.push(WaitCounter { waiting, awaited, waits: times, nanoseconds }),
            }
        }
    }

    fn advance(&mut self) -> Result<Ended, Broken> {
        loop {
            self.synchronisations += 1;
            let Worker { engine, peers, .. } = self;
            let prospect = peers.look(engine)?;
            let bound = prospect.bound;
            if prospect.arrived {
                self.empty_rounds = 0;
            }
            let before = engine.counters.instants;
            let floor = engine.floor();
            if peers.is_to_pause() {
                let place = engine.resting_place().min(bound);
                let agreed = peers.meet(engine, place)?;
                self.paused = self.paused.or(agreed);
            }
            let end = peers.end();
            let limit = bound.min(end);
            if floor < limit || engine.may_run_ahead(end) || engine.is_stopping() {
                let end = end.min(self.killed + Duration::EPSILON);
                let mut pause = Time::NEVER;
                // Running ahead shows nothing before the floor that others may know of.
                if floor < limit {
                    peers.deregister();
                    self.empty_rounds = 0;
                    // A part of a latency at a time: a peer that waits for the next promise works meanwhile, and
                    // has not used up this one when that comes.
                    let latency = peers.least_outgoing().as_ps();
                    pause = floor + Duration::from_ps(latency.div_ceil(PROMISES_PER_LATENCY));
                }
                let began = peers.is_timed().then(Instant::now);
                let complete = engine.run_some(bound, end, pause, self.instants)?;
                if let Some(began) = began {
                    let now = Instant::now();
                    self.instants = match now - began > LONG_LOOK {
                        true => (self.instants / 2).max(1),
                        false => (2 * self.instants).min(INSTANTS_PER_LOOK),
                    };
                    peers.look_at(now);
                }
                if engine.floor() > self.killed {
                    return Ok(Ended::Killed);
                }
                peers.send(engine)?;
                peers.promise(engine, bound)?;
                if !complete || engine.floor() < bound.min(peers.end()) {
                    peers.commit(engine, bound);
                    if let Some(recorder) = &mut engine.recorder {
                        recorder.went_on(engine.now, engine.counters.instants);
                    }
                    continue;
                }
            } else {
                peers.send(engine)?;
                peers.promise(engine, bound)?;
            }
            let floor = engine.floor();
            if floor.min(bound) >= peers.end() && engine.outgoing.is_empty() {
                engine.catch_up_all(peers.end())?;
                return Ok(Ended::Done);
            }
            peers.commit(engine, bound);
            let idle = engine.counters.instants == before;
            self.empty_rounds = if idle { self.empty_rounds + 1 } else { 0 };
            if self.empty_rounds > P::PATIENCE && engine.outgoing.is_empty() {
                peers.register(floor);
            }
            let started = Instant::now();
            peers.wait(engine, bound)?;
            let ended = Instant::now();
            peers.look_at(ended);
            let (times, nanoseconds) = &mut self.waits[prospect.awaited];
            *times += 1;
            *nanoseconds += (ended - started).as_nanos() as u64;
            if let Some(recorder) = &mut engine.recorder {
                let (reached, instants) = (floor.min(bound).min(end), engine.counters.instants);
                recorder.waited(prospect.awaited, (started, ended), reached, instants);
            }
        }
    }
}
