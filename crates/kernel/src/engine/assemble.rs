//! From a flat system and a placement to engines that can run.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Builder, Finish};
use super::initialize::initialize;
use super::link::Linker;
use super::{Engine, Node};
use crate::checkpoint::{ComponentState, PipeState};
use crate::flatten::{Flat, NO_NODE};
use crate::graph::{ComponentKind, ComponentRef, Graph};
use crate::influence::Influence;
use crate::interpose::Interposed;
use crate::model::AnyModel;
use crate::outcome::Fault;
use crate::placement::Placed;
use crate::simulation::Options;
use crate::span::Member;
use crate::time::{Duration, Time};

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
    /// The other processes, if this one advances one partition only.
    pub span: Option<&'a mut Member>,
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
    let Assembly { graph, flat, placed, options, sampled, now, mut parcels, span } = assembly;
    // A process without a partition has an empty one.
    let partitions = placed.report.partitions.max(span.as_ref().map_or(1, |span| span.count()));
    let here = span.as_ref().map(|span| span.number() as u32);
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
        let (global, order) = (node as u32, flat.order[node]);
        match parcels.models.remove(&component) {
            Some((model, mut state)) => {
                let is_old = |query: u16| !graph.bound_anew.contains(&(component, query));
                state.answered_by.retain(|(query, _)| is_old(*query));
                builder.add_node(graph, component, global, options, order, model);
                builder.place_outputs_from(&state).map_err(|error| Fault::Failed {
                    component: graph.path(ComponentRef(component)),
                    at: now,
                    reason: error.to_string(),
                })?;
                imports.push((partition, local, state));
            }
            None => {
                let model = graph.model_mut(component).and_then(|model| model.take_fresh());
                let model = model.expect("a model is fresh until it is built into an engine");
                builder.add_node(graph, component, global, options, order, model.model);
                builder.place_initials(&model.initials);
                fresh.push(global);
            }
        }
    }
    graph.bound_anew.clear();
    // A provider that nobody asks still takes parameters, for those who ask later.
    for component in 0..graph.components.len() as u32 {
        if let ComponentKind::Provider(_) = graph.components[component as usize] {
            builders[0].replica(graph, component);
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
        engines.push(builder.finish(surroundings, partition as u32));
    }
    for (partition, local, state) in &imports {
        let engine = &mut engines[*partition as usize];
        engine.import(*local, state).map_err(|error| Fault::Failed {
            component: engine.paths.path(*local),
            at: now,
            reason: error.to_string(),
        })?;
        if !engine.nodes[*local as usize].has(Node::STOPPED)
            && matches!(engine.nodes[*local as usize].model, AnyModel::Atomic(_))
        {
            engine.queue.set(*local, state.next);
        }
    }
    initialize(graph, flat, &mut engines, &sites, &fresh, now, span)?;
    if options.resettable {
        for &node in &fresh {
            let (partition, local) = sites.nodes[node as usize];
            if here.is_some_and(|here| here != partition) {
                continue;
            }
            // Those that cannot save themselves cannot be reset.
            let _ = engines[partition as usize].keep_initial(local);
        }
    }
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
pub(super) fn influences_among(
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
