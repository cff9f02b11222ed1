//! The engine of one partition: its models, their values, and how an instant goes.
//!
//! An instant has phases: (0) actions of the scenario; (1) DEVS cycles from arrivals and due
//! event-driven models until none is imminent; (2) every due periodic component steps once, in
//! static order; (3) DEVS cycles until settled; (4) observers and monitors read settled values. A
//! monitor that responds, or a run-ahead model that shows something at the very instant at which
//! others were due, opens a new round of the same instant.

mod actions;
mod assemble;
mod build;
mod calendar;
mod cycle;
mod halt;
mod initialize;
mod link;
mod node;
mod observe;
mod paths;
mod periodic;
mod run_ahead;
mod sparse;
mod state;
mod taps;

use std::collections::{BTreeMap, BTreeSet};

use crate::active_set::ActiveSet;
use crate::checkpoint::Stopped;
use crate::context::{Counts, Frame, Surroundings, Values};
use crate::event_queue::EventQueue;
use crate::profile::Recorder;
use crate::store::{NONE, Stamp};
use crate::time::{Duration, Time};
use crate::value::DecodeError;

pub(crate) use actions::{PlannedAction, Target};
pub(crate) use assemble::{Assembly, ChannelPlan, Fabric, Parcels, Sites, assemble, link_keys};
use calendar::Calendar;
pub(crate) use halt::{Halt, Place};
pub(crate) use node::{Node, Pipe, PipeEnd, Route, RouteKind};
use observe::Observation;
pub(crate) use observe::{LocalMonitor, Sample, combine};
use paths::PathTable;
use run_ahead::RunAheadNode;
use state::InitialState;
pub(crate) use taps::Taps;

/// Counters of one engine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub instants: u64,
    pub internal: u64,
    pub external: u64,
    pub steps: u64,
    pub advances: u64,
}

/// One partition.
pub(crate) struct Engine {
    /// Paths, for messages.
    pub paths: PathTable,
    pub nodes: Vec<Node>,
    /// The different numbers of ports that models have.
    pub counts: Vec<Counts>,
    pub values: Values,
    pub surroundings: Surroundings,
    /// Replica of each provider, by component.
    pub replica_of: BTreeMap<u32, u32>,
    /// Providers that actions have bound, by node and query.
    pub rebound: BTreeMap<(u32, u16), u32>,
    /// First route of each slot; one more at the end.
    pub route_start: Vec<u32>,
    pub routes: Vec<Route>,
    pub pipes: Vec<Pipe>,
    /// Pipes that each node pulls; sorted by node, then by the order of their slots.
    pub pulled: Vec<(u32, u32)>,
    /// Pipes to other partitions that hold something.
    pub outgoing: Vec<u32>,
    pub queue: EventQueue,
    /// Pipe of each number in the queue past the nodes.
    pub queued_pipes: Vec<u32>,
    pub calendar: Calendar,
    pub run_aheads: Vec<RunAheadNode>,
    pub actions: Vec<PlannedAction>,
    pub next_action: usize,
    pub observation: Observation,
    pub taps: Taps,
    pub stopped: BTreeMap<u32, Stopped>,
    /// States to which nodes may be reset.
    pub initial_states: BTreeMap<u32, InitialState>,
    pub counters: Counters,
    /// Keeps where the time goes, if that is asked for.
    pub recorder: Option<Box<Recorder>>,
    pub cycle_limit: u32,

    /// The present instant, and cycles made in it.
    pub now: Time,
    cycle: u32,
    /// Where in the instant the engine is.
    pub place: Place,
    /// Rounds made in this instant.
    rounds: u32,
    /// A monitor ends the run when this instant is complete.
    stopping: Option<(Time, String)>,
    /// The monitor that is looking at signals.
    looking: Option<usize>,
    /// Nodes that were active after the limit of cycles had been passed.
    suspects: BTreeSet<u32>,
    /// The node that is being called, for messages.
    pub current: u32,
    /// Written so that reading ahead is not in vain; it means nothing.
    warmth: u16,
    imminent: Vec<u32>,
    next_imminent: ActiveSet,
    receivers: Vec<u32>,
    /// Event outputs that hold messages of this cycle.
    filled: Vec<u32>,
    due_pipes: Vec<u32>,
    sort_scratch: Vec<(u32, u32)>,
}

impl Engine {
    /// Processes instants before `bound`, at which something may arrive, `end` and `pause`; at most
    /// about `most` of them. Run-ahead models need not heed the pause. Whether that was all.
    pub fn run_some(
        &mut self,
        bound: Time,
        end: Time,
        pause: Time,
        most: u32,
    ) -> Result<bool, Halt> {
        let mut left = most;
        while left > 0 {
            // A stop lets its instant be completed, here as in every other partition.
            let stop =
                self.stopping.as_ref().map_or(Time::NEVER, |(at, _)| *at + Duration::EPSILON);
            let end = end.min(stop);
            let limit = bound.min(end).min(pause);
            if self.run_aheads.is_empty() {
                let most = self.recorder.as_ref().map_or(left, |recorder| recorder.unseen(left));
                let events = self.run_sparse(limit, most)?;
                let ticks = self.run_periodic(limit, most - events)?;
                left -= events + ticks;
                if let Some(recorder) = &mut self.recorder {
                    recorder.passed(events + ticks);
                }
                if ticks > 0 {
                    continue;
                }
            } else {
                self.advance_run_aheads(bound, end)?;
            }
            if self.stopping.is_some() && stop.is_never() {
                continue;
            }
            let next = self.next_time();
            if next >= limit {
                return match self.stopping.take() {
                    Some((at, monitor)) => Err(Halt::Stop { at, monitor }),
                    None => Ok(true),
                };
            }
            if left > 0 {
                if let Some(recorder) = &mut self.recorder {
                    recorder.begin_instant();
                }
                self.instant(next)?;
                if let Some(recorder) = &mut self.recorder {
                    recorder.end_instant();
                }
                left -= 1;
            }
        }
        Ok(false)
    }

    /// The next instant at which something is known to happen.
    pub fn next_time(&mut self) -> Time {
        let next = self.next_ordinary();
        self.run_aheads.iter().fold(next, |next, r| next.min(r.pending))
    }

    /// The next instant of anything but a run-ahead model.
    #[inline]
    fn next_ordinary(&mut self) -> Time {
        self.queue.next_time().min(self.calendar.next_time()).min(self.next_action_time())
    }

    /// Nothing that happened here before this instant will be taken back by a fault here.
    pub fn settled(&mut self) -> Time {
        let clocks = self.run_aheads.iter().filter(|r| r.is_running()).map(|r| r.clock).min();
        // What lies behind a stop that was found never happens.
        let stop = self.stopping.as_ref().map_or(Time::NEVER, |(at, _)| *at + Duration::EPSILON);
        self.floor().min(clocks.unwrap_or(Time::NEVER)).min(stop)
    }

    /// Before this instant nothing can happen here, unless something arrives.
    pub fn floor(&mut self) -> Time {
        let next = self.next_time();
        self.run_aheads.iter().fold(next, |floor, r| floor.min(r.earliest()))
    }

    /// Whether a monitor has ended the run, and the halt is still to be told.
    pub fn is_stopping(&self) -> bool {
        self.stopping.is_some()
    }

    /// As [`floor`](Engine::floor), but never in the middle of an instant: a run that rests there may be taken apart.
    pub fn resting_place(&mut self) -> Time {
        let floor = self.floor();
        // A run-ahead model shows something in a round of its own, after all else of the instant.
        let is_amid = self.cycle > 0 && floor <= self.now;
        if is_amid { self.now + Duration::EPSILON } else { floor }
    }

    fn instant(&mut self, now: Time) -> Result<(), Halt> {
        if now != self.now || self.cycle == 0 {
            self.sample_before(now);
            self.now = now;
            (self.cycle, self.rounds, self.place) = (0, 0, Place::default());
            self.counters.instants += 1;
        }
        self.begin_round()?;
        if self.next_ordinary() > now {
            // Run-ahead models come after everything else that is due, in a round of their own.
            self.place = Place { round: self.place.round + 1, phase: 1, cycle: 0 };
            for run_ahead in self.run_aheads.iter().filter(|r| r.pending == now) {
                self.next_imminent.insert(run_ahead.node);
            }
        }
        self.scripted_actions(now)?;
        self.settle(now)
    }

    /// Everything of an instant from phase 1 on, in as many rounds as it takes.
    fn settle(&mut self, now: Time) -> Result<(), Halt> {
        loop {
            self.begin_phase(1);
            if self.queue.next_time() == now {
                self.collect_due(now);
            }
            self.cycles(now)?;
            if self.calendar.next_time() == now {
                self.begin_phase(2);
                self.step_due(now)?;
                self.begin_phase(3);
                self.cycles(now)?;
            }
            if !self.show(now)? {
                return Ok(());
            }
        }
    }

    /// Phase 4. Whether another round has begun.
    fn show(&mut self, now: Time) -> Result<bool, Halt> {
        self.begin_phase(4);
        let again = self.observe(now)?;
        if again {
            self.begin_round()?;
        }
        Ok(again)
    }

    /// The next instant at which the scenario does something.
    #[inline]
    fn next_action_time(&self) -> Time {
        self.actions.get(self.next_action).map_or(Time::NEVER, |action| action.at)
    }

    fn begin_phase(&mut self, phase: u8) {
        (self.place.phase, self.place.cycle) = (phase, 0);
    }

    fn begin_round(&mut self) -> Result<(), Halt> {
        self.cycle += 1;
        self.rounds += 1;
        if self.rounds <= self.cycle_limit {
            return Ok(());
        }
        let shown = self.run_aheads.iter().filter(|r| r.clock == self.now).map(|r| r.node);
        self.suspects.extend(shown.chain(self.imminent.iter().copied()));
        Err(self.endless(self.rounds))
    }

    /// Which part of all values belongs to a node.
    #[inline]
    fn frame(&self, node: u32, now: Time) -> Frame {
        let state = &self.nodes[node as usize];
        Frame { now, share: state.share(&self.counts), inbox: state.inbox_head }
    }

    pub fn counts_of(&self, node: u32) -> Counts {
        self.counts[self.nodes[node as usize].counts as usize]
    }

    /// Output slots of a node.
    pub fn slots_of(&self, node: u32) -> std::ops::Range<u32> {
        let base = self.nodes[node as usize].out_base;
        base..base + u32::from(self.counts_of(node).outputs)
    }

    /// Random streams of a node.
    pub fn streams_of(&self, node: u32) -> std::ops::Range<usize> {
        let counts = self.counts_of(node);
        if counts.streams == 0 {
            return 0..0;
        }
        let slot = self.nodes[node as usize].in_base as usize;
        let first = self.values.ins[slot + counts.first_stream()].value as usize;
        first..first + usize::from(counts.streams)
    }

    /// Whether a run-ahead model that nothing from elsewhere reaches can go on before `end`.
    pub fn may_run_ahead(&self, end: Time) -> bool {
        let free = self.run_aheads.iter().filter(|r| r.remote.is_none() && r.is_running());
        free.into_iter().any(|r| r.earliest() < end)
    }

    /// Takes a value from another partition.
    pub fn receive(&mut self, number: u32, from: usize, arrival: Time, stamp: Stamp) {
        let pipe = &self.pipes[number as usize];
        let store = self.values.stores.get_mut(pipe.store);
        store.receive(pipe.typed, from, arrival, stamp);
        if let PipeEnd::Waking(queued) = pipe.end {
            self.queue.set(queued, store.next_arrival(pipe.typed));
        }
    }

    /// Takes a value from another process.
    pub fn receive_bytes(
        &mut self,
        number: u32,
        arrival: Time,
        stamp: Stamp,
        bytes: &[u8],
    ) -> Result<(), DecodeError> {
        let pipe = &self.pipes[number as usize];
        let store = self.values.stores.get_mut(pipe.store);
        store.load_pipe(pipe.typed, arrival, stamp, bytes)?;
        if let PipeEnd::Waking(queued) = pipe.end {
            self.queue.set(queued, store.next_arrival(pipe.typed));
        }
        Ok(())
    }

    /// The earliest instant at which a periodic component could write beside its ticks: an action
    /// of the scenario, or any instant where monitors may act.
    pub fn next_unforeseen(&self, floor: Time) -> Time {
        if self.observation.monitors.iter().any(|monitor| monitor.actions.is_some()) {
            return floor;
        }
        self.next_action_time()
    }

    /// Clears what an aborted call left behind; the engine will not run again, but be read.
    pub fn abandon(&mut self) {
        self.imminent.clear();
        self.next_imminent.clear();
        self.receivers.clear();
        self.end_cycle();
    }

    #[inline]
    fn end_cycle(&mut self) {
        let Values { outs, stores, inbox, .. } = &mut self.values;
        for slot in self.filled.drain(..) {
            let slot = &mut outs[slot as usize];
            (slot.head, slot.tail) = (NONE, NONE);
            stores.get_mut(slot.store).clear_messages();
        }
        inbox.clear();
    }
}
