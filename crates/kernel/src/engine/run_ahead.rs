//! Run-ahead models: how far each may go, and what happens when one shows something.
//!
//! At one instant a run-ahead model comes after everything else that is due in its unit, because
//! it is never given time beyond the next such event. Two run-ahead models that show something at
//! the same instant do so in one cycle, unless one can reach the other without latency; then the
//! source comes first. None of this depends on which other units share the partition.

use super::{Engine, Halt, Node};
use crate::context::{Context, Inputs};
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
    /// Other run-ahead models of this partition that can reach it, and the least latency.
    pub influences: Vec<(u32, Duration)>,
}

impl RunAheadNode {
    /// Whether it could still show something before it is given more time.
    pub fn is_running(&self) -> bool {
        self.pending.is_never() && !self.idle
    }

    /// Before this instant it shows nothing.
    fn earliest(&self) -> Time {
        match (self.pending.is_never(), self.idle) {
            (false, _) => self.pending,
            (true, true) => Time::NEVER,
            (true, false) => self.clock,
        }
    }
}

impl Engine {
    /// Advances the run-ahead models as far as the next event of the partition, or `limit`, lets
    /// them.
    pub(super) fn advance_run_aheads(&mut self, limit: Time) -> Result<(), Halt> {
        let mut horizon = self.queue.next_time().min(self.calendar.next_time()).min(limit);
        if let Some(action) = self.actions.get(self.next_action) {
            horizon = horizon.min(action.at);
        }
        loop {
            let mut progress = false;
            for index in 0..self.run_aheads.len() {
                let this = &self.run_aheads[index];
                if !this.is_running() || this.clock >= horizon {
                    continue;
                }
                let until = this.influences.iter().fold(horizon, |until, &(other, latency)| {
                    until.min(self.run_aheads[other as usize].earliest() + latency)
                });
                if until > this.clock {
                    self.advance_one(index, until)?;
                    progress = true;
                }
            }
            if !progress {
                return Ok(());
            }
        }
    }

    fn advance_one(&mut self, index: usize, until: Time) -> Result<(), Halt> {
        let RunAheadNode { node, clock, .. } = self.run_aheads[index];
        self.current = node;
        self.counters.advances += 1;
        let frame = self.frame(node, clock);
        let AnyModel::RunAhead(model) = &mut self.models[node as usize] else { return Ok(()) };
        let ins = &self.values.ins[..];
        let mut context = Context { surroundings: &mut self.surroundings, ins, frame };
        let advance = model.advance(&mut context, until);
        if let Some(reason) = self.surroundings.failure.take() {
            let component = self.paths.path(node);
            return Err(Halt::Fault(Fault::Failed { component, at: clock, reason }));
        }
        let this = &mut self.run_aheads[index];
        match advance {
            Advance::Reached => this.clock = until,
            Advance::Idle => (this.clock, this.idle) = (until, true),
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
        let this = self.run_ahead_of(node);
        (this.clock, this.pending) = (now, Time::NEVER);
        self.nodes[node as usize].last = now;
    }

    pub(super) fn run_ahead_input(&mut self, node: u32, now: Time) -> Result<(), Halt> {
        self.current = node;
        self.prepare(node, now);
        let frame = self.frame(node, now);
        let AnyModel::RunAhead(model) = &mut self.models[node as usize] else { return Ok(()) };
        let ins = &self.values.ins[..];
        let mut context = Context { surroundings: &mut self.surroundings, ins, frame };
        model.input(&mut context, &Inputs { values: &self.values, frame });
        self.counters.external += 1;
        self.check_failure()?;
        let this = self.run_ahead_of(node);
        (this.clock, this.idle) = (now, false);
        let state = &mut self.nodes[node as usize];
        (state.inbox_head, state.inbox_tail) = (NONE, NONE);
        state.last = now;
        debug_assert!(!state.has(Node::STOPPED));
        Ok(())
    }
}
