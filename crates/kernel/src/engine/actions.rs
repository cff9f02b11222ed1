//! Phase 0: what a scenario does to models, providers and links of this partition.

use std::ops::Range;

use super::{Engine, Halt, Node};
use crate::action::{Action, ParameterError};
use crate::checkpoint::{StateReader, Stopped};
use crate::model::AnyModel;
use crate::outcome::Fault;
use crate::store::NONE;
use crate::time::{Duration, Time};

/// An action with its targets in this partition.
#[derive(Clone, Debug)]
pub(crate) struct PlannedAction {
    pub at: Time,
    pub action: Action,
    pub target: Target,
}

#[derive(Clone, Debug)]
pub(crate) enum Target {
    Nodes(Vec<u32>),
    /// The local replica of a provider.
    Replica(u32),
    Pipes(Vec<u32>),
    /// A query of a node, and the provider that is to answer it.
    Query {
        node: u32,
        query: u16,
        provider: u32,
    },
}

impl Engine {
    pub(super) fn scripted_actions(&mut self, now: Time) -> Result<(), Halt> {
        while self.actions.get(self.next_action).is_some_and(|action| action.at <= now) {
            let action = self.actions[self.next_action].clone();
            self.next_action += 1;
            self.apply(&action, now)?;
        }
        Ok(())
    }

    pub(super) fn apply(&mut self, planned: &PlannedAction, now: Time) -> Result<(), Halt> {
        match &planned.target {
            Target::Nodes(nodes) => {
                for &node in nodes {
                    self.current = node;
                    self.apply_to_node(&planned.action, node, now)?;
                }
                Ok(())
            }
            Target::Replica(replica) => {
                let Action::SetParameter { name, value, .. } = &planned.action else {
                    return Ok(());
                };
                self.surroundings.replicas[*replica as usize]
                    .set_parameter(name, value.clone())
                    .map_err(|error| refused(&planned.action, now, error))
            }
            Target::Query { node, query, provider } => {
                // The plan has found both.
                let _ = self.bind_query(*node, *query, *provider);
                Ok(())
            }
            Target::Pipes(pipes) => {
                for &pipe in pipes {
                    self.apply_to_link(&planned.action, pipe, now)?;
                }
                Ok(())
            }
        }
    }

    fn apply_to_node(&mut self, action: &Action, node: u32, now: Time) -> Result<(), Halt> {
        if self.nodes[node as usize].has(Node::RUN_AHEAD) {
            self.catch_up(node, now)?;
        }
        match action {
            Action::SetParameter { name, value, .. } => {
                let model = self.nodes[node as usize].model.as_model_mut();
                model
                    .set_parameter(name, value.clone())
                    .map_err(|error| refused(action, now, error))?;
                self.reconsider(node, now);
            }
            Action::Stop { .. } => self.stop(node, now),
            Action::Start { .. } => self.start(node, now),
            Action::Reset { .. } => self.reset(node, now)?,
            Action::SetRate { rate, .. } => self.calendar.set_rate(node, *rate, now),
            Action::SetLinkParameter { .. } | Action::Bind { .. } => {}
        }
        Ok(())
    }

    /// After a change from outside: the time that the present state lasts may be another one.
    fn reconsider(&mut self, node: u32, now: Time) {
        let state = &self.nodes[node as usize];
        if state.has(Node::STOPPED) {
            return;
        }
        match &state.model {
            AnyModel::Atomic(model) => {
                self.queue.set(node, now.max(state.last + model.time_advance()));
                // It may have been due now, so that its bag was to be found without a list.
                if state.inbox_head != NONE {
                    self.receivers.push(node);
                }
            }
            AnyModel::RunAhead(_) => self.resume_run_ahead(node, now),
            AnyModel::Periodic(_) => {}
        }
    }

    fn resume_run_ahead(&mut self, node: u32, now: Time) {
        if let Some(this) = self.run_aheads.iter_mut().find(|r| r.node == node) {
            (this.clock, this.pending) = (now, Time::NEVER);
            // What it foresaw is void: it does not know yet that time has gone on without it.
            (this.idle, this.foreseen) = (false, now);
        }
    }

    fn stop(&mut self, node: u32, now: Time) {
        let state = &mut self.nodes[node as usize];
        if state.has(Node::STOPPED) {
            return;
        }
        state.flags |= Node::STOPPED;
        (state.inbox_head, state.inbox_tail) = (NONE, NONE);
        let since = self.boundary(now);
        let state = &mut self.nodes[node as usize];
        let next = self.queue.time(node);
        let left = if next.is_never() { Duration::FOREVER } else { next.since(now) };
        let elapsed = now.since(state.last);
        self.stopped.insert(node, Stopped { since, left, elapsed });
        match &self.nodes[node as usize].model {
            AnyModel::Atomic(_) => {
                self.queue.set(node, Time::NEVER);
            }
            AnyModel::Periodic(_) => self.calendar.stop(node),
            AnyModel::RunAhead(_) => {
                if let Some(this) = self.run_aheads.iter_mut().find(|r| r.node == node) {
                    (this.pending, this.idle) = (Time::NEVER, true);
                }
                if let AnyModel::RunAhead(model) = &mut self.nodes[node as usize].model
                    && model.halt(now)
                {
                    self.output_of(node, now);
                }
            }
        }
    }

    fn start(&mut self, node: u32, now: Time) {
        let state = &mut self.nodes[node as usize];
        if !state.has(Node::STOPPED) {
            return;
        }
        state.flags &= !Node::STOPPED;
        let Stopped { since, left, elapsed } = self.stopped.remove(&node).unwrap_or_default();
        match &state.model {
            AnyModel::Atomic(_) => {
                state.last = Time::from_ps(now.as_ps().saturating_sub(elapsed.as_ps()));
                self.queue.set(node, now + left);
            }
            AnyModel::Periodic(_) => {
                let lost = since..self.boundary(now);
                self.forget_arrived(node, lost);
                self.calendar.start(node, now);
            }
            AnyModel::RunAhead(_) => self.resume_run_ahead(node, now),
        }
    }

    /// Actions of a scenario come before what arrives at their instant, those of a monitor after it.
    fn boundary(&self, now: Time) -> Time {
        if self.place.phase == 4 { now + Duration::EPSILON } else { now }
    }

    /// What arrived while the component was stopped is lost.
    fn forget_arrived(&mut self, node: u32, lost: Range<Time>) {
        for &(_, pipe) in self.pulled.iter().filter(|&&(owner, _)| owner == node) {
            let pipe = &self.pipes[pipe as usize];
            if !pipe.signal {
                self.values.stores.get_mut(pipe.store).drop_arrived(pipe.typed, lost.clone());
            }
        }
    }

    fn reset(&mut self, node: u32, now: Time) -> Result<(), Halt> {
        let failed = |reason: String, engine: &Engine| {
            let component = engine.paths.path(node);
            Halt::Fault(Fault::ResetFailed { component, at: now, reason })
        };
        let Some(initial) = self.initial_states.get(&node).cloned() else {
            return Err(failed("its initial state was not kept".into(), self));
        };
        let mut reader = StateReader::new(&initial.model);
        let loaded = self.nodes[node as usize].model.as_model_mut().load(&mut reader);
        if let Err(error) = loaded.and_then(|()| reader.finish()) {
            return Err(failed(error.to_string(), self));
        }
        let signals: Vec<u32> = self.signal_slots(node).collect();
        for (slot, bytes) in signals.into_iter().zip(&initial.outputs) {
            let out = &mut self.values.outs[slot as usize];
            let store = self.values.stores.get_mut(out.store);
            if let Err(error) = store.load_value(out.head, bytes) {
                return Err(failed(error.to_string(), self));
            }
            out.tail = 0;
            self.values.written.push(slot);
        }
        self.route(now);
        if let Some(stopped) = self.stopped.get_mut(&node) {
            // It will start with all of the time of its initial state.
            stopped.elapsed = Duration::ZERO;
            if let AnyModel::Atomic(model) = &self.nodes[node as usize].model {
                stopped.left = model.time_advance();
            }
        } else {
            self.nodes[node as usize].last = now;
            self.reconsider(node, now);
        }
        Ok(())
    }

    fn apply_to_link(&mut self, action: &Action, number: u32, now: Time) -> Result<(), Halt> {
        let Action::SetLinkParameter { link, name, value } = action else { return Ok(()) };
        let pipe = &mut self.pipes[number as usize];
        let interposed = pipe.interposer.as_mut().and_then(|chain| chain.on_link(link));
        if let Some(interposed) = interposed {
            interposed
                .interposer
                .set_parameter(name, value.clone())
                .map_err(|error| refused(action, now, error))?;
        }
        if pipe.signal {
            let slot = self.values.outs[pipe.source as usize];
            self.put_in_pipe(number, &slot, now);
        }
        Ok(())
    }
}

fn refused(action: &Action, at: Time, error: ParameterError) -> Halt {
    let component = action.target().into();
    Halt::Fault(Fault::RefusedParameter { component, at, error })
}
