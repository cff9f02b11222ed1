//! Peers that are other processes: what this one knows of them, and how it takes in what they say.

use super::coordinator::Coordinator;
use super::post::{Lost, Post};
use super::record::{Down, Record, Up};
use crate::engine::{ChannelPlan, Engine, Fabric};
use crate::outcome::Fault;
use crate::partition::{Halted, PauseHandle, Peers, least_latency};
use crate::time::{Duration, Time};
use crate::value::Wire;

pub(super) struct Incoming {
    from: usize,
    promised: Time,
    least_latency: Duration,
    /// Nothing more of this stretch comes.
    pub last: bool,
}

pub(super) struct Outgoing {
    pub to: usize,
    pub plan: ChannelPlan,
    pub promised: Time,
    /// Arrival of the earliest value that stayed in its pipe.
    pub kept: Time,
}

/// The other processes of a stretch.
pub(crate) struct Processes<'a> {
    pub(super) post: &'a mut Post,
    pub(super) pause: &'a PauseHandle,
    pub(super) coordinator: Option<Coordinator>,
    /// Process from which each pipe of the engine is filled.
    pub(super) sources: Vec<usize>,
    pub(super) incoming: Vec<Incoming>,
    pub(super) outgoing: Vec<Outgoing>,
    pub(super) least_outgoing: Duration,
    pub(super) end: Time,
    pub(super) floor: Time,
    pub(super) horizon: Time,
    /// Up to where the engine has handed over what it recorded.
    pub(super) handed_over: Time,
    pub(super) position: Time,
    pub(super) told: Time,
    pub(super) rounds: u32,
    pub(super) sent: u64,
    pub(super) received: u64,
    pub(super) registered: Option<Time>,
    pub(super) halted: bool,
    pub(super) through: bool,
    pub(super) wave: Option<u64>,
    pub(super) to_pause: bool,
    pub(super) asked_to_pause: bool,
    pub(super) paused: Option<Time>,
    pub(super) verdict: Option<Option<Halted>>,
    pub(super) lost: Option<Fault>,
    pub(super) wire: Wire,
    pub(super) bytes: Vec<u8>,
}

impl<'a> Processes<'a> {
    pub fn new(
        post: &'a mut Post,
        sources: Vec<usize>,
        fabric: &Fabric,
        start: Time,
        end: Time,
        pause: &'a PauseHandle,
    ) -> Self {
        let number = post.number;
        let channels = || fabric.channels.iter().map(|(&(a, b), p)| (a as usize, b as usize, p));
        let incoming = channels().filter(|&(_, to, _)| to == number);
        let outgoing = channels().filter(|&(from, ..)| from == number);
        Processes {
            coordinator: (number == 0).then(|| Coordinator::new(post.count, end)),
            incoming: incoming
                .map(|(from, _, plan)| Incoming {
                    from,
                    promised: start,
                    least_latency: least_latency(plan),
                    last: false,
                })
                .collect(),
            least_outgoing: outgoing
                .clone()
                .map(|(.., plan)| least_latency(plan))
                .min()
                .unwrap_or(Duration::FOREVER),
            outgoing: outgoing
                .map(|(_, to, plan)| Outgoing {
                    to,
                    plan: plan.clone(),
                    promised: Time::ZERO,
                    kept: Time::NEVER,
                })
                .collect(),
            post,
            pause,
            sources,
            end,
            floor: Time::ZERO,
            horizon: Time::ZERO,
            handed_over: start,
            position: Time::ZERO,
            told: Time::ZERO,
            rounds: 0,
            sent: 0,
            received: 0,
            registered: None,
            halted: false,
            through: false,
            wave: None,
            to_pause: false,
            asked_to_pause: false,
            paused: None,
            verdict: None,
            lost: None,
            wire: Wire::default(),
            bytes: Vec::new(),
        }
    }

    /// What ended the stretch, once all are through: a process that was lost, or the first halt.
    pub fn verdict(self) -> Result<Option<Halted>, Fault> {
        self.lost.map_or(Ok(self.verdict.flatten()), Err)
    }

    pub(super) fn bound(&self) -> (Time, usize) {
        let mut bound = (Time::NEVER, self.post.number);
        for incoming in &self.incoming {
            let promised = incoming.promised.max(self.floor + incoming.least_latency);
            if promised < bound.0 {
                bound = (promised, incoming.from);
            }
        }
        bound
    }

    /// Takes in what has arrived; whether values were among it.
    pub(super) fn take_in(&mut self, engine: &mut Engine) -> Result<bool, Lost> {
        self.post.receive()?;
        let before = self.received;
        let own = self.post.number;
        for from in (0..self.post.count).filter(|&from| from != own) {
            self.take_from(from, engine)?;
        }
        if let Some(wave) = self.wave.take() {
            self.answer(wave, engine);
        }
        if self.pause.is_requested() && !std::mem::replace(&mut self.asked_to_pause, true) {
            self.tell(Up::PleasePause);
        }
        let arrived = self.received != before;
        if arrived {
            self.registered = None;
            if self.through {
                // What arrives after the end must not look as if it were under way.
                self.register(Time::NEVER);
            }
        }
        Ok(arrived)
    }

    fn take_from(&mut self, from: usize, engine: &mut Engine) -> Result<(), Lost> {
        let place = self.incoming.iter().position(|incoming| incoming.from == from);
        // What follows belongs to a time for which this process is not ready yet.
        while self.verdict.is_none() || place.is_some_and(|place| !self.incoming[place].last) {
            let Some((record, bytes)) = self.post.next(from)? else { break };
            let incoming = place.map(|place| &mut self.incoming[place]).filter(|i| !i.last);
            match (record, incoming) {
                (Record::Data { pipe, arrival, stamp, .. }, Some(incoming)) => {
                    let bound = incoming.promised.max(self.floor + incoming.least_latency);
                    if self.sources.get(pipe as usize) != Some(&from) || arrival < bound {
                        return Err(Lost::nonsense(from, "a value has no place here"));
                    }
                    engine
                        .receive_bytes(pipe, arrival, stamp, bytes)
                        .map_err(|error| Lost::nonsense(from, error.to_string()))?;
                    self.received += 1;
                }
                (Record::Promise(promised), Some(incoming)) if promised >= incoming.promised => {
                    incoming.promised = promised;
                }
                (Record::Last, Some(incoming)) => incoming.last = true,
                (Record::Up(up), _) if self.coordinator.is_some() => self.coordinate(from, up),
                (Record::Down(down), _) if from == 0 => self.obey(down),
                _ => return Err(Lost::nonsense(from, "a record is out of place")),
            }
        }
        let missed = place.is_some_and(|place| !self.incoming[place].last)
            || (from == 0 && self.verdict.is_none())
            || self.coordinator.as_ref().is_some_and(|c| !c.has_finished(from));
        if missed && self.post.has_left(from) {
            return Err(Post::left_early(from));
        }
        Ok(())
    }

    pub(super) fn tell(&mut self, up: Up) {
        if self.coordinator.is_some() {
            self.coordinate(0, up);
        } else {
            self.post.put(0, &Record::Up(up), &[]);
        }
    }

    fn coordinate(&mut self, from: usize, up: Up) {
        let mut all = Vec::new();
        if let Some(coordinator) = &mut self.coordinator {
            coordinator.take(from, up, &mut all);
        }
        for down in all {
            self.post.put_all(&Record::Down(down.clone()));
            self.obey(down);
        }
    }

    fn obey(&mut self, down: Down) {
        match down {
            Down::End(end) => self.end = self.end.min(end),
            Down::Horizon(horizon) => self.horizon = self.horizon.max(horizon),
            Down::Floor(floor) => self.floor = self.floor.max(floor),
            Down::Wave(wave) => self.wave = Some(wave),
            Down::Pause => self.to_pause = true,
            Down::Paused(at) => {
                self.end = self.end.min(at);
                self.paused = Some(at);
                self.to_pause = false;
                self.pause.clear();
            }
            Down::Verdict(halted) => self.verdict = Some(halted),
        }
    }

    fn answer(&mut self, wave: u64, engine: &mut Engine) {
        let next = match () {
            () if self.through => Time::NEVER,
            // What stayed in its pipe is not counted as sent.
            () if !engine.outgoing.is_empty() => Time::ZERO,
            () => engine.floor(),
        };
        let idle = self.through || self.registered.is_some();
        let (sent, received) = (self.sent, self.received);
        self.tell(Up::Quiet { wave: Some(wave), idle, next, sent, received });
    }
}
