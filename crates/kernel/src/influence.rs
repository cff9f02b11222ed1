//! Who can reach whom, and over which least latency: what bounds how far anything may run ahead.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::error::GraphError;
use crate::flatten::{Flat, NO_NODE};
use crate::graph::{ComponentRef, Graph};
use crate::time::Duration;

/// Ways from node to node: links, and monitors, which join what they watch to what they act on.
pub(crate) struct Influence {
    /// (from, to, latency), sorted.
    edges: Vec<(u32, u32, Duration)>,
    /// Whether a node is periodic. What reaches one waits for its next step, and nobody runs ahead of that, since
    /// ticks are known: so no way leads through it.
    is_periodic: Vec<bool>,
}

impl Influence {
    pub fn new(graph: &Graph, flat: &Flat) -> Result<Self, GraphError> {
        let mut edges: Vec<_> = flat.links.iter().map(|l| (l.from, l.to, l.latency)).collect();
        for monitor in &graph.monitors {
            let nodes = monitor.nodes(graph, flat)?;
            for &from in &nodes {
                let others = nodes.iter().filter(|&&to| to != from);
                edges.extend(others.map(|&to| (from, to, Duration::ZERO)));
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
        let mut least: BTreeMap<u32, Duration> = BTreeMap::new();
        let mut open: BinaryHeap<_> = starts.map(|node| (Reverse(Duration::ZERO), node)).collect();
        while let Some((Reverse(latency), node)) = open.pop() {
            if least.get(&node).is_some_and(|&known| known <= latency) {
                continue;
            }
            least.insert(node, latency);
            if self.is_periodic[node as usize] {
                continue;
            }
            let first = self.edges.partition_point(|&(from, ..)| from < node);
            for &(_, to, more) in self.edges[first..].iter().take_while(|edge| edge.0 == node) {
                if within(to) {
                    open.push((Reverse(latency + more), to));
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
