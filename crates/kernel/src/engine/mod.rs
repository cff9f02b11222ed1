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
mod initialize;
mod link;
mod observe;
mod paths;
mod periodic;
mod run_ahead;
mod state;
mod taps;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::active_set::ActiveSet;
use crate::checkpoint::Stopped;
use crate::context::{Counts, Failure, Frame, Share, Surroundings, Values};
use crate::event_queue::EventQueue;
use crate::interpose::Interposed;
use crate::model::AnyModel;
use crate::outcome::Fault;
use crate::store::{NONE, Stamp};
use crate::time::{Duration, Time};
use crate::value::DecodeError;

pub(crate) use actions::{PlannedAction, Target};
use assemble::LinkKey;
pub(crate) use assemble::{Assembly, ChannelPlan, Fabric, Parcels, Sites, assemble, link_keys};
use calendar::Calendar;
use observe::Observation;
pub(crate) use observe::{LocalMonitor, Sample, combine};
use paths::PathTable;
use run_ahead::RunAheadNode;
use state::InitialState;
pub(crate) use taps::Taps;

/// A model and what the engine keeps of it where it needs it in every cycle: one cache line.
#[repr(align(64))]
pub(crate) struct Node {
    /// When it last made a transition.
    pub last: Time,
    pub inbox_head: u32,
    pub inbox_tail: u32,
    /// First output slot, and first input slot; slots of inputs are followed by those of queries
    /// and random streams.
    pub out_base: u32,
    pub in_base: u32,
    /// Number of its [`Counts`].
    pub counts: u16,
    pub flags: u16,
    pub model: AnyModel,
}

impl Node {
    /// Has pipes that it looks into when it is called.
    pub const PULLS: u16 = 1;
    pub const STOPPED: u16 = 2;
    /// Its bag of this cycle is not in order yet.
    pub const UNSORTED: u16 = 4;
    pub const RUN_AHEAD: u16 = 8;
    pub const PERIODIC: u16 = 16;

    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Which part of all values belongs to it.
    #[inline]
    fn share(&self, counts: &[Counts]) -> Share {
        let counts = counts[self.counts as usize];
        Share { in_base: self.in_base, out_base: self.out_base, counts }
    }

    /// Whether a step needs no preparation: nothing is pulled. Its bag is always empty then.
    fn steps_plainly(&self) -> bool {
        !self.has(Node::PULLS)
    }
}

/// Where a written value goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// A node, or a pipe.
    pub target: u32,
    pub port: u16,
    pub kind: RouteKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteKind {
    /// Into the bag of an event-driven or run-ahead model; a signal only wakes it.
    Bag,
    Pipe,
}

/// How a pipe's far end is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PipeEnd {
    /// What arrives wakes the target; the number is that of the pipe in the event queue.
    Waking(u32),
    /// The target looks into the pipe when it is called.
    Pulled,
    /// It goes on in another partition: through a channel, to a pipe there.
    Remote { channel: u16, pipe: u32 },
}

/// What lies between a source and a reader that does not see the value at once.
pub(crate) struct Pipe {
    pub store: u16,
    pub typed: u32,
    pub latency: Duration,
    pub signal: bool,
    pub interposer: Option<Box<Interposed>>,
    pub end: PipeEnd,
    /// Slot of the far end, in the target's partition.
    pub slot: u32,
    /// Slot of the source, in the source's partition.
    pub source: u32,
    /// Node and port of the target, in the target's partition.
    pub target: u32,
    pub port: u16,
    /// Another pipe owns the queue that this one leads into.
    pub shared: bool,
    /// Number of the flat link, and what identifies it when the system changes.
    pub link: u32,
    pub key: LinkKey,
}

/// Why an engine cannot go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Halt {
    Fault(Fault),
    Stop { at: Time, monitor: String },
}

impl Halt {
    pub fn at(&self) -> Time {
        match self {
            Halt::Fault(fault) => fault.at(),
            Halt::Stop { at, .. } => *at,
        }
    }

    /// From here on nothing that was recorded counts: the instant of a stop does, that of a fault,
    /// which was not finished, does not.
    pub fn first_discarded(&self) -> Time {
        match self {
            Halt::Fault(fault) => fault.at(),
            Halt::Stop { at, .. } => *at + Duration::EPSILON,
        }
    }
}

/// A place in an instant that means the same in every placement: units that share a partition make
/// their cycles side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Place {
    /// 0 for everything that is due; then one for each time that run-ahead models show something.
    pub round: u32,
    pub phase: u8,
    /// Cycle of the phase.
    pub cycle: u32,
}

impl Place {
    pub const LAST: Place = Place { round: u32::MAX, phase: u8::MAX, cycle: u32::MAX };
}

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
                left -= self.run_sparse(limit, left)?;
                let ticks = self.run_periodic(limit, left)?;
                left -= ticks;
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
                self.instant(next)?;
                left -= 1;
            }
        }
        Ok(false)
    }

    /// Where few models are active: instants at which a single event-driven model is due and
    /// nothing else, one after the other, at most `most` of them. How many there were.
    fn run_sparse(&mut self, limit: Time, most: u32) -> Result<u32, Halt> {
        let end = limit.min(self.calendar.next_time()).min(self.next_action_time());
        for done in 0..most {
            let now = self.queue.next_time();
            if now >= end || now == self.now || self.stopping.is_some() {
                return Ok(done);
            }
            let Some(node) = self.queue.take_single(now, self.nodes.len()) else {
                return Ok(done);
            };
            // The next node's memory comes while this one is dealt with.
            if let Some(next) = self.queue.runner_up().and_then(|n| self.nodes.get(n as usize)) {
                self.warmth ^= next.flags;
            }
            self.sample_before(now);
            (self.now, self.cycle, self.rounds) = (now, 2, 1);
            self.place = Place { round: 0, phase: 1, cycle: 1 };
            self.counters.instants += 1;
            self.output_of(node, now);
            self.transition(node, now, true)?;
            if !self.next_imminent.is_empty() || !self.receivers.is_empty() {
                self.imminent.clear();
                self.transitions(now)?;
                self.cycles(now)?;
            }
            if !self.filled.is_empty() || !self.values.inbox.is_empty() {
                self.end_cycle();
            }
            if self.observation.has_news() && self.show(now)? {
                // A monitor acted: the general way from here.
                self.settle(now)?;
                return Ok(done + 1);
            }
        }
        Ok(most)
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

    /// Counts a cycle of this phase and refuses to count for ever: past the limit it takes down who
    /// is active for some more cycles, then gives up.
    #[inline]
    fn begin_cycle(&mut self) -> Result<(), Halt> {
        self.cycle += 1;
        self.place.cycle += 1;
        if self.place.cycle <= self.cycle_limit { Ok(()) } else { self.suspect() }
    }

    #[cold]
    fn suspect(&mut self) -> Result<(), Halt> {
        self.suspects.extend(self.imminent.iter().chain(&self.receivers));
        if self.place.cycle <= self.cycle_limit.saturating_add(64) {
            return Ok(());
        }
        Err(self.endless(self.cycle_limit.saturating_add(1)))
    }

    #[cold]
    fn endless(&self, cycles: u32) -> Halt {
        // Of several units that do not end, the first by path.
        let mut unit: BTreeSet<u32> = self.suspects.first().copied().into_iter().collect();
        loop {
            let before = unit.len();
            for &node in &self.suspects {
                let slots = self.slots_of(node).flat_map(|slot| {
                    let slot = slot as usize;
                    &self.routes
                        [self.route_start[slot] as usize..self.route_start[slot + 1] as usize]
                });
                let targets: Vec<u32> = slots
                    .map(|route| match route.kind {
                        RouteKind::Bag => route.target,
                        RouteKind::Pipe => self.pipes[route.target as usize].target,
                    })
                    .filter(|target| self.suspects.contains(target))
                    .collect();
                if unit.contains(&node) || targets.iter().any(|target| unit.contains(target)) {
                    unit.insert(node);
                    unit.extend(targets);
                }
            }
            if unit.len() == before {
                break;
            }
        }
        let components = unit.iter().take(10).map(|&node| self.paths.path(node)).collect();
        Halt::Fault(Fault::EndlessInstant { at: self.now, cycles, components })
    }

    /// Who is being called, for messages.
    pub fn in_hand(&self) -> String {
        match self.looking {
            Some(monitor) => format!("monitor {}", self.observation.monitors[monitor].name),
            None => self.paths.path(self.current),
        }
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

    /// Ends the run if the model that was just called said so.
    #[inline]
    fn check_failure(&mut self) -> Result<(), Halt> {
        if self.surroundings.failure.is_none() { Ok(()) } else { self.failed() }
    }

    #[cold]
    fn failed(&mut self) -> Result<(), Halt> {
        let Some(Failure { at, reason }) = self.surroundings.failure.take() else { return Ok(()) };
        let component = self.paths.path(self.current);
        Err(Halt::Fault(Fault::Failed { component, at: at.unwrap_or(self.now), reason }))
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
        if !self.filled.is_empty() {
            for slot in self.filled.drain(..) {
                let slot = &mut self.values.outs[slot as usize];
                if !slot.is_signal() {
                    (slot.head, slot.tail) = (NONE, NONE);
                }
            }
            self.values.stores.clear_messages();
        }
        self.values.inbox.clear();
    }
}
