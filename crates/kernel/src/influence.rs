//! Who can reach whom, and over which least latency: what bounds how far anything may run ahead.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::error::GraphError;
use crate::flatten::{Flat, NO_NODE};
use crate::graph::{ComponentRef, Graph};
use crate::time::Duration;

/// Ways from node to node: links, and monitors, which join what they watch to what they act on.
pub(crate) struct Influence {
    /// Sorted.
    edges: Vec<Edge>,
    /// Whether a node is periodic. What comes to one over a link waits for its next step, and nobody runs ahead of that,
    /// since ticks are known: so no way leads through it. What a monitor does to one (a reset, another rate) may show at
    /// once.
    is_periodic: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: u32,
    to: u32,
    latency: Duration,
    by_monitor: bool,
}

impl Influence {
    pub fn new(graph: &Graph, flat: &Flat) -> Result<Self, GraphError> {
        let links = flat.links.iter();
        let links =
            links.map(|l| Edge { from: l.from, to: l.to, latency: l.latency, by_monitor: false });
        let mut edges: Vec<Edge> = links.collect();
        for monitor in &graph.monitors {
            let nodes = monitor.nodes(graph, flat)?;
            for &from in &nodes {
                let others = nodes.iter().filter(|&&to| to != from);
                let edge = |&to: &u32| Edge { from, to, latency: Duration::ZERO, by_monitor: true };
                edges.extend(others.map(edge));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let is_periodic = flat.order.iter().map(|&place| place != NO_NODE).collect();
        Ok(Influence { edges, is_periodic })
    }

    /// The least latency from any of `starts` to each node that can be reached through nodes
    /// `within` (Dijkstra).
    pub fn distances(
        &self,
        starts: impl Iterator<Item = u32>,
        within: impl Fn(u32) -> bool,
    ) -> BTreeMap<u32, Duration> {
        let goes_on = |node: u32, by_monitor: bool| by_monitor || !self.is_periodic[node as usize];
        // Of each node: the least latency to it, and that of the ways that lead on from it.
        let (mut least, mut through) = (BTreeMap::new(), BTreeMap::new());
        let starts = starts.map(|node| (Reverse(Duration::ZERO), node, goes_on(node, false)));
        let mut open: BinaryHeap<_> = starts.collect();
        while let Some((Reverse(latency), node, is_through)) = open.pop() {
            least.entry(node).or_insert(latency);
            if !is_through || through.contains_key(&node) {
                continue;
            }
            through.insert(node, latency);
            let first = self.edges.partition_point(|edge| edge.from < node);
            for edge in self.edges[first..].iter().take_while(|edge| edge.from == node) {
                if within(edge.to) {
                    let goes_on = goes_on(edge.to, edge.by_monitor);
                    open.push((Reverse(latency + edge.latency), edge.to, goes_on));
                }
            }
        }
        least
    }

    /// Two run-ahead models that reach each other without latency would wait for each other.
    pub fn refuse_run_ahead_loops(&self, graph: &Graph, flat: &Flat) -> Result<(), GraphError> {
        let component = |node: u32| ComponentRef(flat.nodes[node as usize]);
        let run_ahead = |node: u32| graph.model(component(node)).is_some_and(|m| m.run_ahead);
        let models: Vec<u32> = (0..flat.nodes.len() as u32).filter(|&n| run_ahead(n)).collect();
        if models.len() < 2 {
            return Ok(());
        }
        let at_once: Vec<BTreeMap<u32, Duration>> = models
            .iter()
            .map(|&model| {
                let mut reached = self.distances([model].into_iter(), |_| true);
                reached.retain(|_, latency| *latency == Duration::ZERO);
                reached
            })
            .collect();
        for (i, a) in models.iter().enumerate() {
            for (j, b) in models.iter().enumerate().skip(i + 1) {
                if at_once[i].contains_key(b) && at_once[j].contains_key(a) {
                    let (a, b) = (graph.path(component(*a)), graph.path(component(*b)));
                    return Err(GraphError::RunAheadCycle { a, b });
                }
            }
        }
        Ok(())
    }
}
