//! An engine under construction.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::assemble::{Sites, influences_among};
use super::calendar::{Calendar, Ticker};
use super::observe::{Observation, ObservedPort};
use super::run_ahead::RunAheadNode;
use super::taps::Taps;
use super::{ActiveSet, Counters, Engine, Node, PathTable, Pipe, Place, Route};
use crate::checkpoint::{ComponentState, LoadError};
use crate::context::{Counts, InSlot, OutSlot, Surroundings, Values};
use crate::event_queue::EventQueue;
use crate::flatten::Flat;
use crate::graph::{ComponentKind, ComponentRef, Graph};
use crate::influence::Influence;
use crate::model::AnyModel;
use crate::port::PortKind;
use crate::random::RandomStream;
use crate::simulation::Options;
use crate::store::NONE;
use crate::time::{Duration, Grid, Time};
use crate::value::AnyValue;

/// What it takes to finish an engine.
pub(super) struct Finish<'a> {
    pub graph: &'a Graph,
    pub flat: &'a Flat,
    pub sites: &'a Sites,
    pub influence: &'a Influence,
    /// Least latency to each node from what arrives in this partition.
    pub arrivals: &'a BTreeMap<u32, Duration>,
    pub options: &'a Options,
    pub sampled: &'a BTreeSet<(u32, u16)>,
    pub now: Time,
    /// States of nodes that were running before.
    pub saved: BTreeMap<u32, &'a ComponentState>,
}

/// An engine under construction.
#[derive(Default)]
pub(super) struct Builder {
    pub globals: Vec<u32>,
    pub components: Vec<u32>,
    pub nodes: Vec<Node>,
    pub counts: Vec<Counts>,
    pub values: Values,
    pub surroundings: Surroundings,
    /// Replica of each provider, by component.
    pub replicas: BTreeMap<u32, u32>,
    pub routes: Vec<(u32, Route)>,
    pub pipes: Vec<Pipe>,
    pub pulled: Vec<(u32, u32)>,
    pub queued_pipes: Vec<u32>,
    /// (place in the static order, node, component)
    pub tickers: Vec<(u32, u32, u32)>,
    pub run_aheads: Vec<u32>,
}

impl Builder {
    pub fn add_node(
        &mut self,
        graph: &Graph,
        component: u32,
        global: u32,
        options: &Options,
        order: u32,
        model: AnyModel,
    ) {
        let layout = graph.layout_of(component);
        let node = self.nodes.len() as u32;
        let mut flags = 0;
        if let Some(model) = graph.model(ComponentRef(component)) {
            if model.periodic().is_some() {
                flags |= Node::PERIODIC;
                self.tickers.push((order, node, component));
            }
            if model.run_ahead {
                flags |= Node::RUN_AHEAD;
                self.run_aheads.push(node);
            }
        }
        let counts = self.counts_number(Counts {
            inputs: layout.inputs.len() as u16,
            outputs: layout.outputs.len() as u16,
            queries: layout.queries.len() as u16,
            streams: layout.streams.len() as u16,
        });
        self.nodes.push(Node {
            last: Time::ZERO,
            inbox_head: NONE,
            inbox_tail: NONE,
            out_base: self.values.outs.len() as u32,
            in_base: self.values.ins.len() as u32,
            counts,
            flags,
            model,
        });
        self.globals.push(global);
        self.components.push(component);
        for (port, spec) in layout.inputs.iter().enumerate() {
            let store = self.values.stores.of_type(spec.value);
            let model = graph.model(ComponentRef(component));
            let default = model.and_then(|m| m.default_of(port as u16));
            let value = default
                .map_or(NONE, |initial| self.values.stores.get_mut(store).add_value(initial));
            self.values.ins.push(InSlot { value, store });
        }
        for spec in &layout.outputs {
            let store = self.values.stores.of_type(spec.value);
            let flags = if spec.kind == PortKind::Signal { OutSlot::SIGNAL } else { 0 };
            self.values.outs.push(OutSlot { store, flags, head: NONE, tail: NONE, order: 0 });
        }
        for query in 0..layout.queries.len() as u16 {
            let bound =
                graph.bindings.iter().find(|b| (b.component, b.query) == (component, query));
            let provider = bound.map_or(0, |b| b.provider);
            let replica = self.replica(graph, provider);
            self.values.ins.push(InSlot { value: replica, store: 0 });
        }
        for offer in graph.offers.iter().filter(|offer| offer.component == component) {
            self.replica(graph, offer.provider);
        }
        if !layout.streams.is_empty() {
            let first = self.surroundings.streams.len() as u32;
            self.values.ins.push(InSlot { value: first, store: 0 });
            let path = graph.path(ComponentRef(component));
            let streams = layout.streams.iter();
            let streams = streams.map(|name| RandomStream::new(options.seed, &path, name));
            self.surroundings.streams.extend(streams);
        }
    }

    /// The number of these counts, of which there are few different ones.
    fn counts_number(&mut self, counts: Counts) -> u16 {
        let known = self.counts.iter().rposition(|other| *other == counts);
        let number = known.unwrap_or_else(|| {
            self.counts.push(counts);
            self.counts.len() - 1
        });
        number as u16
    }

    pub fn replica(&mut self, graph: &Graph, provider: u32) -> u32 {
        if let Some(&replica) = self.replicas.get(&provider) {
            return replica;
        }
        let replica = self.surroundings.replicas.len() as u32;
        if let ComponentKind::Provider(spec) = &graph.components[provider as usize] {
            self.surroundings.replicas.push(spec.provider.replicate());
            self.replicas.insert(provider, replica);
        }
        replica
    }

    /// Gives the signals of the last node their first values.
    pub fn place_initials(&mut self, initials: &[(u16, Box<dyn AnyValue>)]) {
        let base = self.nodes.last().map_or(0, |node| node.out_base) as usize;
        for (port, initial) in initials {
            let out = &mut self.values.outs[base + usize::from(*port)];
            out.head = self.values.stores.get_mut(out.store).add_value(initial.as_ref());
        }
    }

    /// Makes places for the signals of a model that has run; their values are imported later.
    pub fn place_outputs_from(&mut self, state: &ComponentState) -> Result<(), LoadError> {
        let wrong = || LoadError::Failed("its outputs do not fit".into());
        let base = self.nodes.last().map_or(0, |node| node.out_base) as usize;
        let signals = self.values.outs[base..].iter_mut().filter(|out| out.is_signal());
        let mut saved = state.outputs.iter();
        for out in signals {
            let bytes = saved.next().ok_or_else(wrong)?;
            let added = self.values.stores.get_mut(out.store).add_decoded(bytes);
            out.head = added.map_err(|_| wrong())?;
        }
        if saved.next().is_some() { Err(wrong()) } else { Ok(()) }
    }

    pub fn finish(mut self, around: Finish<'_>, partition: u32) -> Engine {
        let Finish { graph, flat, sites, influence, arrivals, options, sampled, now, saved } =
            around;
        let saved = |local: u32| saved.get(&local).copied();
        self.order_slots(flat);
        self.pulled.sort_by_key(|&(node, pipe)| {
            let slot = self.pipes[pipe as usize].slot;
            (node, self.values.outs[slot as usize].order)
        });
        self.routes.sort_by_key(|&(slot, _)| slot);
        let slots = self.values.outs.len();
        let mut route_start = vec![0u32; slots + 1];
        for &(slot, _) in &self.routes {
            route_start[slot as usize + 1] += 1;
            self.values.outs[slot as usize].flags |= OutSlot::ROUTED;
        }
        for slot in 0..slots {
            route_start[slot + 1] += route_start[slot];
        }
        self.tickers.sort_unstable();
        let tickers = self.tickers.iter().map(|&(_, node, component)| {
            let model = graph.model(ComponentRef(component));
            let spec = model.and_then(|m| m.periodic()).expect("a periodic model has a rate");
            let agenda = spec.agenda.clone();
            let state = &self.nodes[node as usize];
            let fresh = Ticker {
                node,
                share: state.share(&self.counts),
                plain: state.steps_plainly(),
                grid: Grid::new(now, spec.rate),
                next: agenda.as_ref().map_or(0, |agenda| agenda.first_tick_from(now)),
                agenda,
                base: 0,
                stopped: false,
            };
            match saved(node).and_then(|s| Some((s, s.periodic?))) {
                Some((state, p)) => Ticker {
                    grid: p.grid,
                    next: p.next,
                    base: p.base,
                    stopped: state.stopped.is_some(),
                    ..fresh
                },
                None => fresh,
            }
        });
        let calendar = Calendar::new(tickers.collect(), options.fused);
        let globals: Vec<u32> = self.run_aheads.iter().map(|&n| self.globals[n as usize]).collect();
        let influences =
            influences_among(&globals, |node| sites.nodes[node as usize].0 == partition, influence);
        let run_aheads = self.run_aheads.iter().zip(influences).map(|(&node, influences)| {
            let fresh = RunAheadNode {
                node,
                clock: now,
                pending: Time::NEVER,
                idle: false,
                foreseen: Time::ZERO,
                influences,
                remote: arrivals.get(&self.globals[node as usize]).copied(),
            };
            match saved(node).and_then(|s| s.run_ahead) {
                Some(r) => {
                    RunAheadNode { clock: r.clock, pending: r.pending, idle: r.idle, ..fresh }
                }
                None => fresh,
            }
        });
        let run_aheads = run_aheads.collect();
        let observation = Observation::new(self.observed(options, sampled));
        let mut next_imminent = ActiveSet::default();
        next_imminent.resize(self.nodes.len());
        self.values.outs.shrink_to_fit();
        self.values.ins.shrink_to_fit();
        self.nodes.shrink_to_fit();
        self.components.shrink_to_fit();
        Engine {
            paths: PathTable::new(graph.tree.clone(), self.components),
            queue: EventQueue::new(self.nodes.len() + self.queued_pipes.len(), options.queue),
            nodes: self.nodes,
            counts: self.counts,
            values: self.values,
            surroundings: self.surroundings,
            replica_of: self.replicas,
            rebound: BTreeMap::new(),
            route_start,
            // Copied, not collected in place: that would keep the larger allocation.
            routes: self.routes.iter().map(|&(_, route)| route).collect(),
            pipes: self.pipes,
            pulled: self.pulled,
            outgoing: Vec::new(),
            queued_pipes: self.queued_pipes,
            calendar,
            run_aheads,
            actions: Vec::new(),
            next_action: 0,
            observation,
            taps: Taps::default(),
            stopped: BTreeMap::new(),
            initial_states: BTreeMap::new(),
            counters: Counters::default(),
            recorder: None,
            cycle_limit: options.cycle_limit,
            now,
            cycle: 0,
            place: Place::default(),
            rounds: 0,
            stopping: None,
            looking: None,
            suspects: BTreeSet::new(),
            current: NONE,
            warmth: 0,
            imminent: Vec::new(),
            next_imminent,
            receivers: Vec::new(),
            filled: Vec::new(),
            due_pipes: Vec::new(),
            sort_scratch: Vec::new(),
        }
    }

    /// Numbers the slots in the order in which they appear in a bag: by source, port, send time.
    fn order_slots(&mut self, flat: &Flat) {
        type BagKey = (u32, u16, bool, Reverse<Duration>, u32);
        let mut keys: Vec<(BagKey, u32)> = Vec::with_capacity(self.values.outs.len());
        for (node, &global) in self.nodes.iter().zip(&self.globals) {
            for port in 0..self.counts[node.counts as usize].outputs {
                let key = (global, port, true, Reverse(Duration::ZERO), 0);
                keys.push((key, node.out_base + u32::from(port)));
            }
        }
        for pipe in self.pipes.iter().filter(|pipe| pipe.slot != NONE) {
            let link = &flat.links[pipe.link as usize];
            let key = (link.from, link.from_port, false, Reverse(link.latency), pipe.link);
            keys.push((key, pipe.slot));
        }
        keys.sort_unstable();
        for (order, (_, slot)) in keys.into_iter().enumerate() {
            self.values.outs[slot as usize].order = order as u32;
        }
    }

    fn observed(&mut self, options: &Options, sampled: &BTreeSet<(u32, u16)>) -> Vec<ObservedPort> {
        let mut ports = Vec::new();
        for (node, &component) in self.nodes.iter().zip(&self.components) {
            for port in 0..self.counts[node.counts as usize].outputs {
                let sampled = sampled.contains(&(component, port));
                if !options.digest && !sampled {
                    continue;
                }
                let slot = node.out_base + u32::from(port);
                self.values.outs[slot as usize].flags |= OutSlot::OBSERVED;
                let samples = sampled.then(Vec::new);
                ports.push(ObservedPort { slot, digest: 0, samples });
            }
        }
        debug_assert!(ports.is_sorted_by_key(|p| p.slot));
        ports
    }
}
