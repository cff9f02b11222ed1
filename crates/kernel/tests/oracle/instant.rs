//! One instant: its phases and rounds, and the cycles in them.

use std::collections::BTreeSet;

use ironbird_kernel::{AnyValue, Duration, Interposer, Passage};

use super::{Delivery, Flying, Oracle, State};
use crate::random_graph::acting::monitor_holds;
use crate::random_graph::behaviour::{Item, Shown, periodic_step};
use crate::random_graph::plan::{ActionPlan, KindPlan};

impl Oracle<'_> {
    pub(super) fn instant(&mut self) {
        // Phase 0.
        while let Some((at, action)) = self.plan.script.get(self.script)
            && *at == self.now
        {
            self.script += 1;
            self.act(action);
        }
        let mut showing: Vec<usize> = Vec::new();
        loop {
            self.arrive();
            self.cycles(&std::mem::take(&mut showing));
            self.step_periodic();
            self.cycles(&[]);
            let actions = self.observe();
            if !actions.is_empty() {
                actions.iter().for_each(|action| self.act(action));
                continue;
            }
            // Run-ahead models come after everything else of the instant.
            showing = self.run_aheads_that_show();
            if showing.is_empty() {
                return;
            }
        }
    }

    /// Those that have something to show now and cannot be reached at once by another that has.
    fn run_aheads_that_show(&mut self) -> Vec<usize> {
        let after = self.now + Duration::EPSILON;
        let all: Vec<usize> =
            (0..self.nodes.len()).filter(|&m| self.would_show(m, after).is_some()).collect();
        let first = |model: &usize| {
            !all.iter().any(|&other| other != *model && self.at_once[other][*model] == 0)
        };
        let showing: Vec<usize> = all.iter().copied().filter(first).collect();
        for &model in &showing {
            let at = self.execute(model, after);
            assert_eq!(at, Some(self.now));
        }
        showing
    }

    /// Phase 1 begins: what has been under way arrives.
    fn arrive(&mut self) {
        for road in 0..self.roads.len() {
            let now = self.now;
            let mut due: Vec<Flying> = self.roads[road].flying.clone();
            due.retain(|flying| flying.arrival == now);
            self.roads[road].flying.retain(|flying| flying.arrival != now);
            due.sort_by_key(|flying| (flying.sent, flying.cycle, flying.index));
            due.into_iter().for_each(|flying| self.deliver(road, flying));
        }
    }

    /// A value reaches the far end of a link.
    fn deliver(&mut self, number: usize, flying: Flying) {
        let road = &mut self.roads[number];
        let (model, port) = road.way.to;
        let node = &mut self.nodes[model];
        match flying.item {
            Item::Note(note) if !node.stopped => {
                let (source, out) = road.way.from;
                let Flying { sent, cycle, index, .. } = flying;
                let key = (self.rank[source], out, sent, cycle, index, number);
                node.bag.push(Delivery { key, port, note });
            }
            // A stopped component loses what arrives; a signal still has its value.
            Item::Note(_) => {}
            item => {
                // Of several that arrive at one instant the one that was sent last counts.
                let order = (flying.arrival, flying.sent, flying.cycle);
                if order >= road.order {
                    (road.value, road.order) = (Some(item), order);
                }
                if road.wakes && !node.stopped {
                    node.woken.insert(port);
                }
            }
        }
    }

    /// Sends one value over a link.
    pub(super) fn send(&mut self, number: usize, index: usize, mut item: Item) {
        let selects = self.plan.selects(&self.plan.links[number]);
        let road = &mut self.roads[number];
        let mut latency = road.way.latency;
        for (name, interposer, stream) in &mut road.interposers {
            // The part is taken on the last stretch, and is what sits there sees.
            if selects && name.starts_with("link ") {
                item = item.level();
            }
            let value: &mut dyn AnyValue = match &mut item {
                Item::Note(note) => note,
                Item::Real(value) => value,
                Item::Reading(reading) => reading,
            };
            match interposer.pass(self.now, value, stream) {
                Passage::Deliver => {}
                Passage::Drop => return,
                Passage::Delay(more) => latency = latency + more,
            }
        }
        let item = if selects { item.level() } else { item };
        let (sent, cycle) = (self.now, self.cycle);
        let flying = Flying { arrival: self.now + latency, sent, cycle, index, item };
        if latency == Duration::ZERO {
            self.deliver(number, flying);
        } else {
            self.roads[number].flying.push(flying);
        }
    }

    /// Routes what a model has written. Of several values of a signal the last one counts.
    pub(super) fn route(&mut self, model: usize, shown: Shown) {
        for port in 0..self.plan.models[model].outputs.len() {
            let of_port: Vec<Item> =
                shown.iter().filter(|(p, _)| *p == port).map(|(_, item)| item.clone()).collect();
            let Some(last) = of_port.last() else { continue };
            let roads: Vec<usize> = (0..self.roads.len())
                .filter(|&r| self.roads[r].way.from == (model, port))
                .collect();
            if !matches!(last, Item::Note(_)) {
                self.nodes[model].outputs[port] = Some(last.clone());
                self.written.insert((model, port));
                roads.iter().for_each(|&road| self.send(road, 0, last.clone()));
                continue;
            }
            for (index, item) in of_port.iter().enumerate() {
                roads.iter().for_each(|&road| self.send(road, index, item.clone()));
                let samples = self.trace.get_mut(&(self.plan.path(model), port));
                samples.expect("every port has a trace").push((self.now, item.clone()));
            }
        }
    }

    /// Makes cycles until nothing is imminent and nothing has been received.
    fn cycles(&mut self, showing: &[usize]) {
        let mut showing: BTreeSet<usize> = showing.iter().copied().collect();
        loop {
            self.cycle += 1;
            let due = |model: &usize| {
                let node = &self.nodes[*model];
                let atomic = matches!(node.state, State::Atomic(_));
                (atomic && !node.stopped && node.next == self.now) || showing.contains(model)
            };
            let imminent: Vec<usize> = (0..self.nodes.len()).filter(due).collect();
            for &model in &imminent {
                let outputs = &self.plan.models[model].outputs;
                let shown = match &self.nodes[model].state {
                    State::Atomic(state) => state.output(outputs),
                    State::RunAhead(state) => state.output(outputs),
                    State::Periodic(_) => unreachable!("a periodic model is never imminent"),
                };
                self.route(model, shown);
            }
            showing.clear();
            let received = |model: &usize| {
                let node = &self.nodes[*model];
                let periodic = matches!(node.state, State::Periodic(_));
                !(periodic || node.bag.is_empty() && node.woken.is_empty())
            };
            let receivers: Vec<usize> = (0..self.nodes.len()).filter(received).collect();
            if imminent.is_empty() && receivers.is_empty() {
                return;
            }
            for model in 0..self.nodes.len() {
                let (due, gets) = (imminent.contains(&model), receivers.contains(&model));
                if due || gets {
                    self.transition(model, due, gets);
                }
            }
        }
    }

    fn transition(&mut self, model: usize, due: bool, gets: bool) {
        let now = self.now;
        let inputs = self.read(model, true);
        let elapsed = now.since(self.nodes[model].last);
        // A confluent model asks after its internal transition, if that comes first.
        let external_first = match &self.plan.models[model].kind {
            KindPlan::Atomic(constants) => constants.external_first,
            _ => false,
        };
        let order: &[bool] = match (due, gets) {
            (true, false) => &[false],
            (false, _) => &[true],
            (true, true) if external_first => &[true, false],
            (true, true) => &[false, true],
        };
        for &external in order {
            let answer = if external { self.answer(model) } else { 0.0 };
            let node = &mut self.nodes[model];
            let stream = node.stream.as_mut();
            match (&mut node.state, &self.plan.models[model].kind) {
                (State::Atomic(state), KindPlan::Atomic(constants)) if external => {
                    let elapsed = if due { Duration::ZERO } else { elapsed };
                    state.external(constants, elapsed, &inputs, answer, stream);
                }
                (State::Atomic(state), KindPlan::Atomic(constants)) => {
                    state.internal(constants, now, stream);
                }
                (State::RunAhead(state), KindPlan::RunAhead(constants)) if external => {
                    state.input(constants, now, &inputs, answer, stream);
                    (node.clock, node.asleep) = (now, false);
                }
                _ => {}
            }
        }
        let node = &mut self.nodes[model];
        node.last = now;
        if let State::Atomic(state) = &node.state {
            node.next = now + state.time_advance();
        }
    }

    /// Phase 2: every due periodic component steps once, in static order.
    fn step_periodic(&mut self) {
        for model in self.static_order.clone() {
            let node = &self.nodes[model];
            if node.stopped || node.grid.tick(node.tick) != self.now {
                continue;
            }
            let inputs = self.read(model, true);
            let answer = self.answer(model);
            let node = &mut self.nodes[model];
            let tick = node.ticks_before + node.tick;
            node.tick += 1;
            let State::Periodic(core) = &mut node.state else { continue };
            if let Some(stream) = &mut node.stream {
                stream.go_to(tick);
            }
            let outputs = &self.plan.models[model].outputs;
            let stream = node.stream.as_mut();
            let shown = periodic_step(core, tick, &inputs, answer, stream, outputs);
            self.route(model, shown);
        }
    }

    /// Phase 4: records settled signals; the actions of monitors whose condition became true.
    fn observe(&mut self) -> Vec<ActionPlan> {
        let written = std::mem::take(&mut self.written);
        for &(model, port) in &written {
            let value = self.nodes[model].outputs[port].clone().expect("a signal has a value");
            let samples = self.trace.get_mut(&(self.plan.path(model), port));
            samples.expect("every port has a trace").push((self.now, value));
        }
        let mut actions = Vec::new();
        for (number, monitor) in self.plan.monitors.iter().enumerate() {
            if !monitor.watched.iter().any(|port| written.contains(port)) {
                continue;
            }
            let value = |&(m, p): &(usize, usize)| self.nodes[m].outputs[p].clone();
            let seen: Vec<Item> = monitor.watched.iter().filter_map(value).collect();
            let holds = monitor_holds(monitor, self.now, &seen);
            if holds && !std::mem::replace(&mut self.held[number], holds) {
                actions.extend(monitor.actions.clone().unwrap_or_default());
            }
            self.held[number] = holds;
        }
        actions
    }
}
