//! The first calls of new models, sources before their readers, and their first values.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::Engine;
use super::assemble::Sites;
use crate::checkpoint::PipeState;
use crate::context::Start;
use crate::flatten::{Flat, FlatLink};
use crate::graph::{ComponentRef, Graph};
use crate::model::AnyModel;
use crate::outcome::Fault;
use crate::port::PortKind;
use crate::span::Member;
use crate::store::NONE;
use crate::time::Time;

/// Calls `initialize` of new models, sources before their readers, and shows their first values
/// to readers behind pipes.
pub(super) fn initialize(
    graph: &Graph,
    flat: &Flat,
    engines: &mut [Engine],
    sites: &Sites,
    fresh: &[u32],
    now: Time,
    span: Option<&mut Member>,
) -> Result<(), Fault> {
    let order = initialisation_order(graph, flat, fresh);
    match span {
        None => {
            for node in order {
                let (partition, local) = sites.nodes[node as usize];
                engines[partition as usize].initialize_node(local, now)?;
                show_first_values(flat, engines, sites, node);
            }
        }
        Some(_) if fresh.is_empty() => {}
        Some(span) => initialize_here(flat, engines, sites, &order, now, span)?,
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

/// Calls the models of this process only. All processes go through the same order, so whoever waits
/// for a first value waits for a process that is not waiting for it.
fn initialize_here(
    flat: &Flat,
    engines: &mut [Engine],
    sites: &Sites,
    order: &[u32],
    now: Time,
    span: &mut Member,
) -> Result<(), Fault> {
    let here = span.number() as u32;
    let partition = |node: u32| sites.nodes[node as usize].0;
    let mut failed = None;
    for (place, &node) in order.iter().enumerate() {
        let first = flat.links.partition_point(|l| l.from < node);
        let links = flat.links[first..].iter().take_while(|l| l.from == node);
        let signals = (first..).zip(links).filter_map(|(number, link)| {
            let (far, pipe) = sites.far_pipes[number]?;
            engines[far as usize].pipes[pipe as usize].signal.then_some((number, link, pipe))
        });
        if partition(node) == here {
            let signals: Vec<_> = signals.map(|(number, link, _)| (number, *link)).collect();
            let local = sites.nodes[node as usize].1;
            if let Err(fault) = engines[here as usize].initialize_node(local, now) {
                failed = Some((place as u64, fault));
                span.say_failed();
                break;
            }
            show_first_values(flat, engines, sites, node);
            for (number, link) in signals.iter().filter(|(_, l)| partition(l.to) != here) {
                let engine = &engines[here as usize];
                let slot = engine.nodes[local as usize].out_base + u32::from(link.from_port);
                let value = engine.first_bytes(slot, sites.near_pipes[*number]);
                span.show_first(partition(link.to) as usize, *number as u32, &value);
            }
        } else {
            let here_too = signals.filter(|(_, link, _)| partition(link.to) == here);
            let awaited: Vec<_> = here_too.map(|(number, _, pipe)| (number, pipe)).collect();
            for (number, pipe) in awaited {
                let from = partition(node) as usize;
                let Some(value) = span.await_first(from, number as u32, now)? else {
                    // Its source failed earlier in the order; that failure is what counts.
                    return span.start(None, now);
                };
                let state = PipeState { value: Some(value), ..PipeState::default() };
                let shown = engines[here as usize].import_pipe_end(pipe, &state);
                shown.map_err(|error| span.nonsense(from, &error.to_string(), now))?;
            }
        }
    }
    span.start(failed, now)
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
        let value = Some(engine.first_bytes(slot, sites.near_pipes[number]));
        let state = PipeState { value, ..PipeState::default() };
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
    let mut ready: BinaryHeap<Reverse<u32>> = free.collect();
    let mut order = Vec::with_capacity(fresh.len());
    // A circle begins with one that has readers: who only looks on comes after those that it looks at. Nor does it
    // begin with one that was put in between, whose name begins with an underscore: it shows nothing of its own.
    let begins = |node: &u32| {
        let path = graph.path(ComponentRef(flat.nodes[*node as usize]));
        edges.binary_search_by_key(node, |edge| edge.0).is_ok() && !path.starts_with('_')
    };
    let (beginning, others): (Vec<u32>, Vec<u32>) = fresh.iter().partition(|node| begins(node));
    let mut rest = beginning.into_iter().chain(others);
    loop {
        let Some(node) =
            ready.pop().map(|Reverse(n)| n).or_else(|| rest.by_ref().find(|&n| !done[n as usize]))
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
        let Engine { values, surroundings, nodes, .. } = self;
        let model = &mut nodes[node as usize].model;
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
        if let Some(failure) = self.surroundings.failure.take() {
            let reason = failure.reason;
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
