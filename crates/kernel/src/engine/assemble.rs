//! From a flat system and a placement to engines that can run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::observe::{Observation, ObservedPort};
use super::periodic::{Calendar, Ticker};
use super::run_ahead::RunAheadNode;
use super::{ActiveSet, Counters, Engine, Node, PathTable, Pipe, PipeEnd, Route, RouteKind};
use crate::checkpoint::{ComponentState, PipeState};
use crate::context::{Counts, InSlot, OutSlot, Start, Surroundings, Values};
use crate::event_queue::EventQueue;
use crate::flatten::{Flat, FlatLink, NO_NODE};
use crate::graph::{ComponentKind, ComponentRef, Graph};
use crate::influence::Influence;
use crate::interpose::Interposed;
use crate::model::AnyModel;
use crate::outcome::Fault;
use crate::placement::Placed;
use crate::port::PortKind;
use crate::random::RandomStream;
use crate::simulation::Options;
use crate::store::NONE;
use crate::time::{Duration, Grid, Time};

/// Components and links that were running before, by component number and link.
#[derive(Default)]
pub(crate) struct Parcels {
    pub models: BTreeMap<u32, (AnyModel, ComponentState)>,
    pub pipes: BTreeMap<LinkKey, (PipeState, Option<Box<Interposed>>)>,
}

/// What identifies a link while components keep their numbers: source, its port, target, its port,
/// and which one of several equal ones.
pub(crate) type LinkKey = (u32, u16, u32, u16, u32);

/// The keys of all flat links.
pub(crate) fn link_keys(flat: &Flat) -> Vec<LinkKey> {
    let mut keys: Vec<LinkKey> = Vec::with_capacity(flat.links.len());
    for link in &flat.links {
        let (from, to) = (flat.nodes[link.from as usize], flat.nodes[link.to as usize]);
        let ends = (from, link.from_port, to, link.to_port);
        let number = match keys.last() {
            Some(&(a, b, c, d, number)) if (a, b, c, d) == ends => number + 1,
            _ => 0,
        };
        keys.push((ends.0, ends.1, ends.2, ends.3, number));
    }
    keys
}

/// What links one partition to another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fabric {
    /// By (source partition, target partition): what may be sent, and when at the earliest.
    pub channels: BTreeMap<(u32, u32), ChannelPlan>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ChannelPlan {
    /// Latencies of links from periodic components, by number of the ticker: their next output is
    /// their next tick, whatever else happens.
    pub from_tickers: BTreeMap<u32, Duration>,
    /// The least latency of all other links.
    pub from_others: Option<Duration>,
    /// The least latency from what arrives in the source's partition to what leaves it here.
    pub through: Option<Duration>,
    /// Stores at both ends of the lanes that carry values.
    pub stores: Vec<(u16, u16)>,
}

/// What it takes to build engines.
pub(crate) struct Assembly<'a> {
    pub graph: &'a mut Graph,
    pub flat: &'a Flat,
    pub placed: &'a Placed,
    pub options: &'a Options,
    /// Outputs whose values are kept.
    pub sampled: &'a BTreeSet<(u32, u16)>,
    pub now: Time,
    pub parcels: Parcels,
}

/// Where each node and each link ended up.
pub(crate) struct Sites {
    /// Partition and local number of each node.
    pub nodes: Vec<(u32, u32)>,
    /// Partition and number of the pipe at the far end of each link, if it has one.
    pub far_pipes: Vec<Option<(u32, u32)>>,
    /// Number of the pipe at the near end, in the partition of the source.
    pub near_pipes: Vec<Option<u32>>,
}

pub(crate) fn assemble(assembly: Assembly<'_>) -> Result<(Vec<Engine>, Fabric, Sites), Fault> {
    let Assembly { graph, flat, placed, options, sampled, now, mut parcels } = assembly;
    let partitions = placed.report.partitions;
    let mut sites = Sites {
        nodes: Vec::with_capacity(flat.nodes.len()),
        far_pipes: vec![None; flat.links.len()],
        near_pipes: vec![None; flat.links.len()],
    };
    let mut builders: Vec<Builder> = (0..partitions).map(|_| Builder::default()).collect();
    let mut imports = Vec::new();
    let mut fresh = Vec::new();
    for (node, &component) in flat.nodes.iter().enumerate() {
        let partition = placed.partition_of[node];
        let builder = &mut builders[partition as usize];
        let local = builder.nodes.len() as u32;
        sites.nodes.push((partition, local));
        builder.add_node(graph, component, node as u32, options, flat.order[node]);
        match parcels.models.remove(&component) {
            Some((model, state)) => {
                builder.place_outputs_from(&state);
                builder.models.push(model);
                imports.push((partition, local, state));
            }
            None => {
                builder.take_fresh(graph, component);
                fresh.push(node as u32);
            }
        }
    }
    let mut fabric = Fabric::default();
    let keys = link_keys(flat);
    let sizes: Vec<u32> = builders.iter().map(|builder| builder.nodes.len() as u32).collect();
    let mut linker = Linker {
        graph,
        flat,
        sites: &mut sites,
        fabric: &mut fabric,
        keys: &keys,
        sizes: &sizes,
        seed: options.seed,
    };
    for number in 0..flat.links.len() {
        linker.link(&mut builders, number);
    }
    let saved_pipes: Vec<_> = keys.iter().map(|key| parcels.pipes.remove(key)).collect();

    let influence = Influence::new(graph, flat).map_err(|error| Fault::Failed {
        component: "a monitor".into(),
        at: now,
        reason: error.to_string(),
    })?;
    let arrivals: Vec<_> = (0..partitions as u32)
        .map(|partition| arrivals_in(partition, flat, &sites, &influence))
        .collect();
    for link in &flat.links {
        let (from, to) = (sites.nodes[link.from as usize].0, sites.nodes[link.to as usize].0);
        let periodic = flat.order[link.from as usize] != NO_NODE;
        if let Some(channel) = fabric.channels.get_mut(&(from, to))
            && let Some(&before) = arrivals[from as usize].get(&link.from)
            && !periodic
        {
            let through = before + link.latency;
            channel.through = Some(channel.through.map_or(through, |least| least.min(through)));
        }
    }
    let mut engines: Vec<Engine> = Vec::with_capacity(partitions);
    for (partition, builder) in builders.into_iter().enumerate() {
        let saved = imports
            .iter()
            .filter(|(p, ..)| *p == partition as u32)
            .map(|(_, local, state)| (*local, state))
            .collect();
        let (influence, arrivals) = (&influence, &arrivals[partition]);
        let surroundings = Finish {
            graph,
            flat,
            sites: &sites,
            influence,
            arrivals,
            options,
            sampled,
            now,
            saved,
        };
        engines.push(builder.finish(surroundings, partition as u32, partitions > 1));
    }
    for (partition, local, state) in &imports {
        let engine = &mut engines[*partition as usize];
        engine.import(*local, state).map_err(|error| Fault::Failed {
            component: engine.paths.path(*local),
            at: now,
            reason: error.to_string(),
        })?;
        if !engine.nodes[*local as usize].has(Node::STOPPED)
            && matches!(engine.models[*local as usize], AnyModel::Atomic(_))
        {
            engine.queue.set(*local, state.next);
        }
    }
    initialize(graph, flat, &mut engines, &sites, &fresh, now)?;
    for (number, saved) in saved_pipes.into_iter().enumerate() {
        let Some((state, interposer)) = saved else { continue };
        if let Some((partition, pipe)) = sites.far_pipes[number] {
            let engine = &mut engines[partition as usize];
            engine.import_pipe_end(pipe, &state).map_err(|error| Fault::Failed {
                component: engine.paths.path(engine.pipes[pipe as usize].target),
                at: now,
                reason: error.to_string(),
            })?;
        }
        if let (Some(interposer), Some(pipe)) = (interposer, sites.near_pipes[number]) {
            let partition = sites.nodes[flat.links[number].from as usize].0;
            engines[partition as usize].pipes[pipe as usize].interposer = Some(interposer);
        }
    }
    Ok((engines, fabric, sites))
}

/// What it takes to finish an engine.
struct Finish<'a> {
    graph: &'a Graph,
    flat: &'a Flat,
    sites: &'a Sites,
    influence: &'a Influence,
    /// Least latency to each node from what arrives in this partition.
    arrivals: &'a BTreeMap<u32, Duration>,
    options: &'a Options,
    sampled: &'a BTreeSet<(u32, u16)>,
    now: Time,
    /// States of nodes that were running before.
    saved: BTreeMap<u32, &'a ComponentState>,
}

/// An engine under construction.
#[derive(Default)]
struct Builder {
    globals: Vec<u32>,
    components: Vec<u32>,
    nodes: Vec<Node>,
    counts: Vec<Counts>,
    models: Vec<AnyModel>,
    values: Values,
    surroundings: Surroundings,
    /// Replica of each provider, by component.
    replicas: BTreeMap<u32, u32>,
    routes: Vec<(u32, Route)>,
    pipes: Vec<Pipe>,
    pulled: Vec<(u32, u32)>,
    queued_pipes: Vec<u32>,
    /// (place in the static order, node, component)
    tickers: Vec<(u32, u32, u32)>,
    run_aheads: Vec<u32>,
}

impl Builder {
    fn add_node(
        &mut self,
        graph: &Graph,
        component: u32,
        global: u32,
        options: &Options,
        order: u32,
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

    fn replica(&mut self, graph: &Graph, provider: u32) -> u32 {
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

    /// Takes a model that has not run yet, and the first values of its signals.
    fn take_fresh(&mut self, graph: &mut Graph, component: u32) {
        let fresh = graph.model_mut(component).and_then(|model| model.take_fresh());
        let fresh = fresh.expect("a model is fresh until it is built into an engine");
        let base = self.nodes.last().map_or(0, |node| node.out_base) as usize;
        for (port, initial) in &fresh.initials {
            let out = &mut self.values.outs[base + usize::from(*port)];
            out.head = self.values.stores.get_mut(out.store).add_value(initial.as_ref());
        }
        self.models.push(fresh.model);
    }

    /// Makes places for the signals of a model that has run; their values are imported later.
    fn place_outputs_from(&mut self, state: &ComponentState) {
        let base = self.nodes.last().map_or(0, |node| node.out_base) as usize;
        let signals = self.values.outs[base..].iter_mut().filter(|out| out.is_signal());
        for (out, bytes) in signals.zip(&state.outputs) {
            let added = self.values.stores.get_mut(out.store).add_decoded(bytes);
            out.head = added.expect("a value that was just written can be read");
        }
    }

    fn finish(mut self, around: Finish<'_>, partition: u32, may_be_cut: bool) -> Engine {
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
            let rate = model.and_then(|m| m.periodic()).map(|p| p.rate);
            let fresh = Ticker {
                node,
                grid: Grid::new(now, rate.expect("a periodic model has a rate")),
                next: 0,
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
        let observation = Observation::new(self.observed(options, sampled), Vec::new(), may_be_cut);
        let mut next_imminent = ActiveSet::default();
        next_imminent.resize(self.nodes.len());
        self.values.outs.shrink_to_fit();
        self.values.ins.shrink_to_fit();
        self.nodes.shrink_to_fit();
        self.models.shrink_to_fit();
        self.components.shrink_to_fit();
        Engine {
            paths: PathTable::new(graph.tree.clone(), self.components),
            queue: EventQueue::new(self.nodes.len() + self.queued_pipes.len(), options.queue),
            nodes: self.nodes,
            counts: self.counts,
            models: self.models,
            values: self.values,
            surroundings: self.surroundings,
            replica_of: self.replicas,
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
            stopped: BTreeMap::new(),
            initial_states: BTreeMap::new(),
            counters: Counters::default(),
            cycle_limit: options.cycle_limit,
            now,
            cycle: 0,
            current: NONE,
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

/// Turns flat links into routes and pipes.
struct Linker<'a> {
    graph: &'a Graph,
    flat: &'a Flat,
    sites: &'a mut Sites,
    fabric: &'a mut Fabric,
    keys: &'a [LinkKey],
    /// Nodes of each partition.
    sizes: &'a [u32],
    seed: crate::random::Seed,
}

impl Linker<'_> {
    fn link(&mut self, builders: &mut [Builder], number: usize) {
        let link = self.flat.links[number];
        let (source_partition, source) = self.sites.nodes[link.from as usize];
        let (partition, target) = self.sites.nodes[link.to as usize];
        let spec =
            &self.graph.layout_of(self.flat.nodes[link.to as usize]).inputs[link.to_port as usize];
        let signal = spec.kind == PortKind::Signal;
        let near = &mut builders[source_partition as usize];
        let source_slot = near.nodes[source as usize].out_base + u32::from(link.from_port);
        let source_out = near.values.outs[source_slot as usize];
        let far = &builders[partition as usize];
        let target_node = &far.nodes[target as usize];
        let periodic = target_node.has(Node::PERIODIC);
        let in_slot = target_node.in_base + u32::from(link.to_port);
        let wakes = !periodic && (!signal || spec.wakes || target_node.has(Node::RUN_AHEAD));

        if link.is_immediate() && link.chain == 0 && (signal || wakes) {
            let near = &mut builders[source_partition as usize];
            if signal {
                near.values.ins[in_slot as usize].value = source_out.head;
            }
            if wakes {
                let route = Route { target, port: link.to_port, kind: RouteKind::Bag };
                near.routes.push((source_slot, route));
            }
            return;
        }
        let value_bytes = signal.then(|| {
            let near = &builders[source_partition as usize];
            let store = near.values.stores.get(source_out.store);
            let mut bytes = Vec::new();
            store.visit_value(source_out.head, &mut |v| bytes = crate::store::flat_bytes(v));
            bytes
        });

        let far = &mut builders[partition as usize];
        let store = far.values.ins[in_slot as usize].store;
        let slot = far.values.outs.len() as u32;
        let far_number = far.pipes.len() as u32;
        let typed = far.values.stores.get_mut(store);
        let head = value_bytes.map_or(NONE, |bytes| {
            typed.add_decoded(&bytes).expect("a value that was just written can be read")
        });
        let typed = typed.add_pipe();
        let flags = if signal { OutSlot::SIGNAL } else { 0 };
        far.values.outs.push(OutSlot { store, flags, head, tail: NONE, order: 0 });
        if signal {
            far.values.ins[in_slot as usize].value = head;
        }
        let end = if wakes {
            far.queued_pipes.push(far_number);
            // Pipes are numbered behind the nodes of their partition.
            PipeEnd::Waking(self.sizes[partition as usize] + far.queued_pipes.len() as u32 - 1)
        } else {
            far.nodes[target as usize].flags |= Node::PULLS;
            far.pulled.push((target, far_number));
            PipeEnd::Pulled
        };
        let local = source_partition == partition;
        let mut pipe = Pipe {
            store,
            typed,
            latency: link.latency,
            signal,
            interposer: None,
            end,
            slot,
            source: if local { source_slot } else { NONE },
            target,
            port: link.to_port,
            link: number as u32,
            key: self.keys[number],
        };
        self.sites.far_pipes[number] = Some((partition, far_number));
        if local {
            pipe.interposer = self.interposer(&link);
            far.pipes.push(pipe);
            let route = Route { target: far_number, port: 0, kind: RouteKind::Pipe };
            far.routes.push((source_slot, route));
            self.sites.near_pipes[number] = Some(far_number);
            return;
        }
        far.pipes.push(pipe);
        let near = &mut builders[source_partition as usize];
        let near_number = near.pipes.len() as u32;
        near.pipes.push(Pipe {
            store: source_out.store,
            typed: near.values.stores.get_mut(source_out.store).add_pipe(),
            latency: link.latency,
            signal,
            interposer: self.interposer(&link),
            end: PipeEnd::Remote { channel: partition as u16, pipe: far_number },
            slot: NONE,
            source: source_slot,
            target: NONE,
            port: 0,
            link: number as u32,
            key: self.keys[number],
        });
        let route = Route { target: near_number, port: 0, kind: RouteKind::Pipe };
        near.routes.push((source_slot, route));
        self.sites.near_pipes[number] = Some(near_number);
        self.plan_channel(builders, &link, source_out.store, store);
    }

    fn plan_channel(&mut self, builders: &[Builder], link: &FlatLink, near: u16, far: u16) {
        let (source_partition, source) = self.sites.nodes[link.from as usize];
        let (partition, _) = self.sites.nodes[link.to as usize];
        let channel = self.fabric.channels.entry((source_partition, partition)).or_default();
        let builder = &builders[source_partition as usize];
        if builder.nodes[source as usize].has(Node::PERIODIC) {
            // Tickers are numbered by their place in the static order.
            let order = self.flat.order[link.from as usize];
            let ticker = builder.tickers.iter().filter(|&&(other, ..)| other < order).count();
            let latency = channel.from_tickers.entry(ticker as u32).or_insert(link.latency);
            *latency = link.latency.min(*latency);
        } else {
            let least = channel.from_others.map_or(link.latency, |l| l.min(link.latency));
            channel.from_others = Some(least);
        }
        if !channel.stores.contains(&(near, far)) {
            channel.stores.push((near, far));
        }
    }

    fn interposer(&self, link: &FlatLink) -> Option<Box<Interposed>> {
        let mut chain = None;
        for &attributes in self.flat.chains[link.chain as usize].iter().rev() {
            let attributes = &self.graph.attributes[attributes as usize];
            if let Some((name, interposer)) = &attributes.interposer {
                chain = Some(Box::new(Interposed {
                    link: name.clone(),
                    interposer: interposer.replicate(),
                    random: RandomStream::new(self.seed, name, "link"),
                    next: chain,
                }));
            }
        }
        chain
    }
}

/// The least latency to each node of a partition from what arrives from others.
fn arrivals_in(
    partition: u32,
    flat: &Flat,
    sites: &Sites,
    influence: &Influence,
) -> BTreeMap<u32, Duration> {
    let of = |node: u32| sites.nodes[node as usize].0;
    let inward = flat.links.iter().filter(|l| of(l.to) == partition && of(l.from) != partition);
    influence.distances(inward.map(|l| l.to), |node| of(node) == partition)
}

/// For each run-ahead model: which others reach it inside the partition, over which least latency.
fn influences_among(
    run_aheads: &[u32],
    within: impl Fn(u32) -> bool,
    influence: &Influence,
) -> Vec<Vec<(u32, Duration)>> {
    let mut result = vec![Vec::new(); run_aheads.len()];
    if run_aheads.len() < 2 {
        return result;
    }
    for (index, &start) in run_aheads.iter().enumerate() {
        let reached = influence.distances([start].into_iter(), &within);
        for (other, node) in run_aheads.iter().enumerate().filter(|&(other, _)| other != index) {
            if let Some(&latency) = reached.get(node) {
                result[other].push((index as u32, latency));
            }
        }
    }
    result
}

/// Calls `initialize` of new models, sources before their readers, and shows their first values
/// to readers behind pipes.
fn initialize(
    graph: &Graph,
    flat: &Flat,
    engines: &mut [Engine],
    sites: &Sites,
    fresh: &[u32],
    now: Time,
) -> Result<(), Fault> {
    let order = initialisation_order(graph, flat, fresh);
    for node in order {
        let (partition, local) = sites.nodes[node as usize];
        let engine = &mut engines[partition as usize];
        engine.initialize_node(local, now)?;
        show_first_values(flat, engines, sites, node);
    }
    // New readers of models that were there before.
    let is_fresh = |node: u32| fresh.binary_search(&node).is_ok();
    if fresh.len() < flat.nodes.len() {
        for node in 0..flat.nodes.len() as u32 {
            if !is_fresh(node) {
                show_first_values(flat, engines, sites, node);
            }
        }
    }
    Ok(())
}

fn show_first_values(flat: &Flat, engines: &mut [Engine], sites: &Sites, node: u32) {
    let (partition, local) = sites.nodes[node as usize];
    let first = flat.links.partition_point(|l| l.from < node);
    for number in first..flat.links.len() {
        let link = &flat.links[number];
        if link.from != node {
            break;
        }
        let Some((far, pipe)) = sites.far_pipes[number] else { continue };
        if !engines[far as usize].pipes[pipe as usize].signal {
            continue;
        }
        let engine = &engines[partition as usize];
        let slot = engine.nodes[local as usize].out_base + u32::from(link.from_port);
        let state = PipeState { value: Some(engine.value_bytes(slot)), ..PipeState::default() };
        engines[far as usize]
            .import_pipe_end(pipe, &state)
            .expect("a value that was just written can be read");
    }
}

/// Sources of signals before their readers; by path otherwise, and where they form a circle.
fn initialisation_order(graph: &Graph, flat: &Flat, fresh: &[u32]) -> Vec<u32> {
    let is_fresh = |node: u32| fresh.binary_search(&node).is_ok();
    let signal = |l: &FlatLink| {
        let layout = graph.layout_of(flat.nodes[l.to as usize]);
        layout.inputs[l.to_port as usize].kind == PortKind::Signal
    };
    let mut edges: Vec<(u32, u32)> = flat
        .links
        .iter()
        .filter(|l| l.from != l.to && is_fresh(l.from) && is_fresh(l.to) && signal(l))
        .map(|l| (l.from, l.to))
        .collect();
    edges.dedup();
    if edges.is_empty() {
        return fresh.to_vec();
    }
    let mut waiting: BTreeMap<u32, u32> = BTreeMap::new();
    for &(_, to) in &edges {
        *waiting.entry(to).or_default() += 1;
    }
    let mut done = vec![false; flat.nodes.len()];
    let free = fresh.iter().filter(|n| !waiting.contains_key(n)).map(|&n| Reverse(n));
    let mut ready: std::collections::BinaryHeap<Reverse<u32>> = free.collect();
    let mut order = Vec::with_capacity(fresh.len());
    let mut rest = fresh.iter();
    loop {
        let Some(node) = ready
            .pop()
            .map(|Reverse(n)| n)
            .or_else(|| rest.by_ref().copied().find(|&n| !done[n as usize]))
        else {
            return order;
        };
        if std::mem::replace(&mut done[node as usize], true) {
            continue;
        }
        order.push(node);
        let first = edges.partition_point(|&(from, _)| from < node);
        for &(_, to) in edges[first..].iter().take_while(|&&(from, _)| from == node) {
            if let Some(count) = waiting.get_mut(&to) {
                *count -= 1;
                if *count == 0 && !done[to as usize] {
                    ready.push(Reverse(to));
                }
            }
        }
    }
}

impl Engine {
    /// Calls a model before its first instant and schedules its first event.
    fn initialize_node(&mut self, node: u32, now: Time) -> Result<(), Fault> {
        self.current = node;
        let frame = self.frame(node, now);
        let Engine { values, surroundings, models, .. } = self;
        let model = &mut models[node as usize];
        let call = std::panic::AssertUnwindSafe(|| {
            model.as_model_mut().initialize(&mut Start { values, surroundings, frame });
            match model {
                AnyModel::Atomic(model) => Some(model.time_advance()),
                _ => None,
            }
        });
        let component = || self.paths.path(node);
        let advance = std::panic::catch_unwind(call).map_err(|panic| Fault::Panic {
            component: component(),
            at: now,
            message: crate::partition::panic_message(panic.as_ref()),
        })?;
        if let Some(reason) = self.surroundings.failure.take() {
            return Err(Fault::Failed { component: component(), at: now, reason });
        }
        for slot in self.values.written.drain(..) {
            self.values.outs[slot as usize].tail = NONE;
        }
        let state = &mut self.nodes[node as usize];
        state.last = now;
        if let Some(advance) = advance {
            self.queue.set(node, now + advance);
        }
        Ok(())
    }
}
