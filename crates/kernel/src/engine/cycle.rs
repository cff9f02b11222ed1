//! DEVS cycles: outputs of the imminent, routing, transitions of the imminent and the receivers.

use super::{Engine, Halt, Node, Pipe, PipeEnd, RouteKind};
use crate::context::{Context, InboxEntry, Inputs, OutSlot, Outputs};
use crate::model::AnyModel;
use crate::store::{Entry, NONE, Stamp};
use crate::time::{Duration, Time};
use crate::value::AnyValue;

impl Engine {
    /// Takes what is due now from the queue: nodes become imminent, pipes deliver.
    pub(super) fn collect_due(&mut self, now: Time) {
        let nodes = self.nodes.len() as u32;
        let (imminent, due_pipes) = (&mut self.next_imminent, &mut self.due_pipes);
        self.queue.take_due(now, |number| {
            if number < nodes {
                imminent.insert(number);
            } else {
                due_pipes.push(number - nodes);
            }
        });
        self.due_pipes.sort_unstable();
        self.due_pipes.dedup();
        for index in 0..self.due_pipes.len() {
            let pipe = self.queued_pipes[self.due_pipes[index] as usize];
            self.deliver(pipe, now);
        }
        self.due_pipes.clear();
    }

    /// Makes cycles until no model is imminent and nobody has received anything.
    #[inline]
    pub(super) fn cycles(&mut self, now: Time) -> Result<(), Halt> {
        while !self.next_imminent.is_empty() || !self.receivers.is_empty() {
            self.begin_cycle()?;
            self.next_imminent.drain_sorted(&mut self.imminent);
            self.outputs(now);
            self.transitions(now)?;
        }
        self.end_cycle();
        Ok(())
    }

    fn outputs(&mut self, now: Time) {
        for index in 0..self.imminent.len() {
            self.output_of(self.imminent[index], now);
        }
    }

    #[inline]
    pub(super) fn output_of(&mut self, node: u32, now: Time) {
        self.current = node;
        if let Some(recorder) = &mut self.recorder
            && recorder.is_looking
        {
            recorder.turn_to(node as usize);
        }
        let frame = self.frame(node, now);
        let mut out = Outputs { values: &mut self.values, frame };
        match &mut self.nodes[node as usize].model {
            AnyModel::Atomic(model) => model.output(&mut out),
            AnyModel::RunAhead(model) => model.output(&mut out),
            AnyModel::Periodic(_) => {}
        }
        if !self.values.written.is_empty() {
            self.route(now);
        }
    }

    pub(super) fn transitions(&mut self, now: Time) -> Result<(), Halt> {
        for index in 0..self.imminent.len() {
            let node = self.imminent[index];
            if self.nodes[node as usize].has(Node::RUN_AHEAD) {
                self.run_ahead_shown(node, now);
                if self.nodes[node as usize].inbox_head != NONE {
                    self.run_ahead_input(node, now)?;
                }
            } else {
                self.transition(node, now, true)?;
            }
        }
        // Receivers that are not imminent; those that are have made their transition.
        for index in 0..self.receivers.len() {
            let node = self.receivers[index];
            let state = &self.nodes[node as usize];
            if state.inbox_head == NONE {
                continue;
            }
            if state.has(Node::RUN_AHEAD) {
                self.run_ahead_input(node, now)?;
            } else {
                self.transition(node, now, false)?;
            }
        }
        self.receivers.clear();
        self.end_cycle();
        Ok(())
    }

    #[inline]
    pub(super) fn transition(&mut self, node: u32, now: Time, imminent: bool) -> Result<(), Halt> {
        self.current = node;
        if let Some(recorder) = &mut self.recorder {
            recorder.call(node);
        }
        self.prepare(node, now);
        let frame = self.frame(node, now);
        let state = &mut self.nodes[node as usize];
        let elapsed = now.since(state.last);
        state.last = now;
        let AnyModel::Atomic(model) = &mut state.model else { return Ok(()) };
        let ins = &self.values.ins[..];
        let mut context = Context { surroundings: &mut self.surroundings, ins, frame };
        let advance = if frame.inbox == NONE {
            self.counters.internal += 1;
            model.internal(&mut context)
        } else {
            (state.inbox_head, state.inbox_tail) = (NONE, NONE);
            let inputs = Inputs { values: &self.values, frame };
            self.counters.external += 1;
            if imminent {
                self.counters.internal += 1;
                model.confluent(&mut context, &inputs)
            } else {
                model.external(&mut context, elapsed, &inputs)
            }
        };
        self.check_failure()?;
        if advance == Duration::ZERO {
            self.queue.set_now(node, now);
            self.next_imminent.insert(node);
        } else {
            self.queue.set(node, now + advance);
        }
        Ok(())
    }

    /// Puts the bag in order and looks into the pipes, before a model is called.
    #[inline]
    pub(super) fn prepare(&mut self, node: u32, now: Time) {
        if self.nodes[node as usize].flags & (Node::PULLS | Node::UNSORTED) != 0 {
            self.pull(node, now);
        }
    }

    #[cold]
    fn pull(&mut self, node: u32, now: Time) {
        if self.nodes[node as usize].has(Node::PULLS) {
            let first = self.pulled.partition_point(|&(n, _)| n < node);
            for index in first..self.pulled.len() {
                let (owner, pipe) = self.pulled[index];
                if owner != node {
                    break;
                }
                self.deliver(pipe, now);
            }
        }
        if self.nodes[node as usize].has(Node::UNSORTED) {
            self.sort_bag(node);
        }
    }

    fn sort_bag(&mut self, node: u32) {
        let mut entries = std::mem::take(&mut self.sort_scratch);
        let mut at = self.nodes[node as usize].inbox_head;
        while at != NONE {
            let entry = self.values.inbox[at as usize];
            entries.push((self.values.outs[entry.slot as usize].order, at));
            at = entry.next;
        }
        entries.sort_unstable();
        let mut next = NONE;
        for &(_, at) in entries.iter().rev() {
            self.values.inbox[at as usize].next = next;
            next = at;
        }
        let state = &mut self.nodes[node as usize];
        state.inbox_head = next;
        state.inbox_tail = entries.last().map_or(NONE, |&(_, at)| at);
        state.flags &= !Node::UNSORTED;
        entries.clear();
        self.sort_scratch = entries;
    }

    /// Sends what the model that was just called has written to where it goes.
    #[inline]
    pub(super) fn route(&mut self, now: Time) {
        if self.values.written.len() > 1 {
            // Ports in the order of their declaration, in whatever order the model wrote them.
            self.values.written.sort_unstable();
        }
        for index in 0..self.values.written.len() {
            let number = self.values.written[index];
            let slot = self.values.outs[number as usize];
            if slot.flags & (OutSlot::OBSERVED | OutSlot::MONITORED) != 0 {
                self.note(number, &slot, now);
            }
            let start = self.route_start[number as usize] as usize;
            let end = self.route_start[number as usize + 1] as usize;
            if let Some(recorder) = &mut self.recorder
                && start < end
            {
                recorder.sent(number, self.values.count_written(&slot));
            }
            for index in start..end {
                let route = self.routes[index];
                match route.kind {
                    RouteKind::Bag => self.put_in_bag(route.target, number, route.port),
                    RouteKind::Pipe => self.put_in_pipe(route.target, &slot, now),
                }
            }
            if slot.is_signal() {
                self.values.outs[number as usize].tail = NONE;
            } else {
                self.filled.push(number);
            }
        }
        self.values.written.clear();
    }

    #[inline]
    fn put_in_bag(&mut self, target: u32, slot: u32, port: u16) {
        let state = &mut self.nodes[target as usize];
        if state.has(Node::STOPPED) {
            return;
        }
        let entry = self.values.inbox.len() as u32;
        self.values.inbox.push(InboxEntry { slot, next: NONE, port });
        if state.inbox_head == NONE {
            state.inbox_head = entry;
            // An imminent model makes its transition anyway.
            if self.queue.time(target) != self.now && !state.has(Node::PERIODIC) {
                self.receivers.push(target);
            }
        } else {
            let tail = &mut self.values.inbox[state.inbox_tail as usize];
            tail.next = entry;
            let order = |slot: u32| self.values.outs[slot as usize].order;
            if order(tail.slot) > order(slot) {
                state.flags |= Node::UNSORTED;
            }
        }
        state.inbox_tail = entry;
    }

    pub(super) fn put_in_pipe(&mut self, number: u32, slot: &OutSlot, now: Time) {
        let cycle = self.cycle;
        let pipe = &mut self.pipes[number as usize];
        if pipe.selections.is_some() {
            self.put_parts_in_pipe(number, slot, now);
            return self.schedule_pipe(number, now);
        }
        let interposer = pipe.interposer.as_deref_mut();
        let entry = Entry { now, cycle, latency: pipe.latency, interposer };
        let store = self.values.stores.get_mut(pipe.store);
        if pipe.signal {
            store.send_value(slot.head, pipe.typed, entry);
        } else {
            store.send_messages(slot.head, pipe.typed, entry);
        }
        self.schedule_pipe(number, now);
    }

    /// What a link with selections carries is of another type than what its source shows.
    fn put_parts_in_pipe(&mut self, number: u32, slot: &OutSlot, now: Time) {
        let Engine { pipes, values, cycle, .. } = self;
        let Pipe { selections, interposer, latency, store, typed, signal, .. } =
            &mut pipes[number as usize];
        let Some(selections) = selections else { return };
        let (mut at, mut index) = (slot.head, 0);
        while at != NONE {
            let mut later = None;
            let mut carry = |value: &dyn AnyValue| {
                later = selections.carry(value, interposer.as_deref_mut(), now);
            };
            let source = values.stores.get(slot.store);
            let next = if *signal {
                source.visit_value(at, &mut carry);
                NONE
            } else {
                source.visit_message(at, &mut carry)
            };
            if let (Some(later), Some(part)) = (later, selections.part()) {
                let stamp = Stamp { sent: now, cycle: *cycle, index };
                let target = values.stores.get_mut(*store);
                target.send_part(part, *typed, now + *latency + later, stamp, *signal);
            }
            (at, index) = (next, index + 1);
        }
    }

    /// After something went into a pipe: arranges for it to come out.
    pub(super) fn schedule_pipe(&mut self, number: u32, now: Time) {
        let pipe = &self.pipes[number as usize];
        let arrival = self.values.stores.get(pipe.store).next_arrival(pipe.typed);
        match pipe.end {
            PipeEnd::Pulled => {}
            PipeEnd::Remote { .. } => {
                if !self.outgoing.contains(&number) {
                    self.outgoing.push(number);
                }
            }
            PipeEnd::Waking(queued) => {
                if arrival <= now {
                    self.deliver(number, now);
                } else {
                    self.queue.set(queued, arrival);
                }
            }
        }
    }

    /// Takes what has arrived by now out of a pipe.
    fn deliver(&mut self, number: u32, now: Time) {
        let Engine { pipes, values, nodes, queue, .. } = self;
        let pipe = &pipes[number as usize];
        let (slot, target, port) = (pipe.slot, pipe.target, pipe.port);
        let store = values.stores.get_mut(pipe.store);
        let stopped = nodes[target as usize].has(Node::STOPPED);
        let out = &mut values.outs[slot as usize];
        let arrived = if pipe.signal {
            store.take_value(pipe.typed, now, out.head)
        } else if stopped {
            store.drop_arrived(pipe.typed, Time::ZERO..now + Duration::EPSILON);
            false
        } else if let Some((head, tail)) = store.take_messages(pipe.typed, now, out.tail) {
            out.tail = tail;
            // Behind messages of the same cycle, they are in the bag already.
            let first = out.head == NONE;
            out.head = if first { head } else { out.head };
            first
        } else {
            false
        };
        if let PipeEnd::Waking(queued) = pipe.end {
            queue.set(queued, store.next_arrival(pipe.typed));
        }
        if !arrived {
            return;
        }
        if !pipe.signal {
            self.filled.push(slot);
        }
        if !pipe.signal || matches!(pipe.end, PipeEnd::Waking(_)) {
            self.put_in_bag(target, slot, port);
        }
    }
}
