//! Run-ahead models: how far each may go, and what happens when one shows something.
//!
//! At one instant a run-ahead model comes after everything else that is due in its unit, because
//! it is never given time beyond the next such event. Two run-ahead models that show something at
//! the same instant do so in one cycle, unless one can reach the other without latency; then the
//! source comes first. None of this depends on which other units share the partition.

use super::{Engine, Halt, Node};
use crate::context::{Context, Failure, Inputs};
use crate::model::{Advance, AnyModel};
use crate::outcome::Fault;
use crate::store::NONE;
use crate::time::{Duration, Time};

/// How far a run-ahead model is.
pub(crate) struct RunAheadNode {
    pub node: u32,
    /// Everything before this instant has been executed.
    pub clock: Time,
    /// When it will show something, or never.
    pub pending: Time,
    /// It waits for input.
    pub idle: bool,
    /// What the model last said of its next output.
    pub foreseen: Time,
    /// Other run-ahead models of this partition that can reach it, and the least latency.
    pub influences: Vec<(u32, Duration)>,
    /// The least latency from anything that arrives from another partition, if that reaches it.
    pub remote: Option<Duration>,
}

impl RunAheadNode {
    /// Whether it could still show something before it is given more time.
    pub fn is_running(&self) -> bool {
        self.pending.is_never() && !self.idle
    }

    /// Before this instant it shows nothing, unless something arrives.
    pub fn earliest(&self) -> Time {
        match (self.pending.is_never(), self.idle) {
            (false, _) => self.pending,
            (true, true) => Time::NEVER,
            (true, false) => self.clock.max(self.foreseen),
        }
    }
}

impl Engine {
    /// Advances the run-ahead models as far as the next event of the partition, what may still
    /// arrive from others (not before `bound`), and the end of the stretch let them.
    pub(super) fn advance_run_aheads(&mut self, bound: Time, end: Time) -> Result<(), Halt> {
        let horizon = self.next_ordinary().min(end);
        loop {
            let mut progress = false;
            for index in 0..self.run_aheads.len() {
                let this = &self.run_aheads[index];
                if !this.is_running() || this.earliest() >= horizon {
                    continue;
                }
                let arrival = this.remote.map_or(Time::NEVER, |latency| bound + latency);
                let until =
                    this.influences.iter().fold(horizon.min(arrival), |until, influence| {
                        let &(other, latency) = influence;
                        until.min(self.run_aheads[other as usize].earliest() + latency)
                    });
                if until > this.earliest() {
                    self.advance_one(index, until)?;
                    progress = true;
                }
            }
            if !progress {
                return Ok(());
            }
        }
    }

    /// At the end of a stretch: executes everything before `end`, also where no output was foreseen.
    pub fn catch_up_all(&mut self, end: Time) -> Result<(), Halt> {
        for index in 0..self.run_aheads.len() {
            self.catch_up(self.run_aheads[index].node, end)?;
        }
        Ok(())
    }

    /// Lets a run-ahead model execute everything before now, where it foresaw no output.
    pub(super) fn catch_up(&mut self, node: u32, now: Time) -> Result<(), Halt> {
        let index = self.run_aheads.partition_point(|r| r.node < node);
        let this = &self.run_aheads[index];
        if this.is_running() && this.clock < now {
            let from = this.clock;
            self.advance_one(index, now)?;
            let stopped = self.run_aheads[index].pending;
            if !stopped.is_never() {
                let component = self.paths.path(node);
                let fault = Fault::BadAdvance { component, from, until: now, stopped };
                return Err(Halt::Fault(fault));
            }
        }
        Ok(())
    }

    fn advance_one(&mut self, index: usize, until: Time) -> Result<(), Halt> {
        let RunAheadNode { node, clock, .. } = self.run_aheads[index];
        self.current = node;
        self.counters.advances += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.begin_advance(node);
        }
        let frame = self.frame(node, clock);
        let AnyModel::RunAhead(model) = &mut self.nodes[node as usize].model else { return Ok(()) };
        let ins = &self.values.ins[..];
        let mut context = Context { surroundings: &mut self.surroundings, ins, frame };
        let advance = model.advance(&mut context, until);
        if let Some(recorder) = &mut self.recorder {
            recorder.end_advance();
        }
        let foreseen = model.next_output();
        if let Some(Failure { at, reason }) = self.surroundings.failure.take() {
            let (component, at) = (self.paths.path(node), at.unwrap_or(clock));
            return Err(Halt::Fault(Fault::Failed { component, at, reason }));
        }
        let this = &mut self.run_aheads[index];
        this.foreseen = foreseen;
        match advance {
            Advance::Reached => this.clock = until,
            Advance::Idle => this.idle = true,
            Advance::Output(at) if at >= clock && at < until => {
                (this.clock, this.pending) = (at, at);
            }
            Advance::Output(stopped) => {
                let component = self.paths.path(node);
                let fault = Fault::BadAdvance { component, from: clock, until, stopped };
                return Err(Halt::Fault(fault));
            }
        }
        Ok(())
    }

    fn run_ahead_of(&mut self, node: u32) -> &mut RunAheadNode {
        let place = self.run_aheads.partition_point(|r| r.node < node);
        &mut self.run_aheads[place]
    }

    /// The output has been given: the model goes on from here.
    pub(super) fn run_ahead_shown(&mut self, node: u32, now: Time) {
        let AnyModel::RunAhead(model) = &self.nodes[node as usize].model else { return };
        let foreseen = model.next_output();
        let this = self.run_ahead_of(node);
        (this.clock, this.pending, this.foreseen) = (now, Time::NEVER, foreseen);
        self.nodes[node as usize].last = now;
    }

    pub(super) fn run_ahead_input(&mut self, node: u32, now: Time) -> Result<(), Halt> {
        self.catch_up(node, now)?;
        self.current = node;
        if let Some(recorder) = &mut self.recorder {
            recorder.call(node);
        }
        self.prepare(node, now);
        let frame = self.frame(node, now);
        let AnyModel::RunAhead(model) = &mut self.nodes[node as usize].model else { return Ok(()) };
        let ins = &self.values.ins[..];
        let mut context = Context { surroundings: &mut self.surroundings, ins, frame };
        model.input(&mut context, &Inputs { values: &self.values, frame });
        let foreseen = model.next_output();
        self.counters.external += 1;
        self.check_failure()?;
        let this = self.run_ahead_of(node);
        (this.clock, this.idle, this.foreseen) = (now, false, foreseen);
        let state = &mut self.nodes[node as usize];
        (state.inbox_head, state.inbox_tail) = (NONE, NONE);
        state.last = now;
        debug_assert!(!state.has(Node::STOPPED));
        Ok(())
    }
}
