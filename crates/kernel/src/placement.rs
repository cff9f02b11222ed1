//! Placement: which models must stay together, and which thread advances whom.

use std::collections::BTreeMap;

use crate::error::GraphError;
use crate::flatten::{Flat, NO_NODE};
use crate::graph::{ComponentRef, Graph};

/// How models are spread over partitions (threads).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// As many partitions as there are independent units, at most this many.
    AtMost(usize),
    /// The partition of each component, by path; those inside a named composite follow it.
    Explicit(BTreeMap<String, usize>),
    /// The same for some components; all others go with those that they cannot be separated from, or
    /// to partition 0. Paths of components that come later, or are gone, may be among them.
    Partial(BTreeMap<String, usize>),
}

/// What placement came to: how many partitions, and what stood against more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacementReport {
    /// Partitions in use.
    pub partitions: usize,
    /// Groups of models without a zero-latency link between them: the most partitions there could be.
    pub units: usize,
    /// Where fewer partitions are used than were allowed: the zero-latency links that hold the
    /// largest unit together (the first 20).
    pub held_together_by: Vec<(String, String)>,
}

/// The partition of every node.
pub(crate) struct Placed {
    pub partition_of: Vec<u32>,
    pub report: PlacementReport,
}

pub(crate) fn place(
    graph: &Graph,
    flat: &Flat,
    placement: &Placement,
) -> Result<Placed, GraphError> {
    let units = Units::of(graph, flat)?;
    let mut placed = match placement {
        Placement::AtMost(0) => return Err(GraphError::NoPartition),
        Placement::AtMost(limit) => spread(&units, *limit),
        Placement::Explicit(map) => assign(graph, flat, &units, map, false)?,
        Placement::Partial(map) => assign(graph, flat, &units, map, true)?,
    };
    placed.report.units = units.count();
    if let Placement::AtMost(limit) = placement
        && placed.report.partitions < *limit
    {
        placed.report.held_together_by = units.held_by(graph, flat);
    }
    Ok(placed)
}

/// Nodes joined by zero-latency links, as a forest (union-find).
struct Units {
    parent: Vec<u32>,
}

impl Units {
    fn of(graph: &Graph, flat: &Flat) -> Result<Self, GraphError> {
        let mut units = Units { parent: (0..flat.nodes.len() as u32).collect() };
        for link in flat.links.iter().filter(|l| l.is_immediate()) {
            units.join(link.from, link.to);
        }
        for monitor in &graph.monitors {
            let nodes = monitor.nodes(graph, flat)?;
            for pair in nodes.windows(2) {
                units.join(pair[0], pair[1]);
            }
        }
        for node in 0..units.parent.len() as u32 {
            let root = units.root(node);
            units.parent[node as usize] = root;
        }
        Ok(units)
    }

    /// The root above a node; halves the way for the next look-up.
    fn root(&mut self, node: u32) -> u32 {
        let mut at = node;
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            self.parent[at as usize] = self.parent[above as usize];
            at = self.parent[at as usize];
        }
        at
    }

    /// The lower node becomes the root, so that roots do not depend on the order of links.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn sizes(&self) -> BTreeMap<u32, usize> {
        let mut sizes = BTreeMap::new();
        for &root in &self.parent {
            *sizes.entry(root).or_insert(0) += 1;
        }
        sizes
    }

    fn count(&self) -> usize {
        self.sizes().len()
    }

    fn held_by(&self, graph: &Graph, flat: &Flat) -> Vec<(String, String)> {
        let largest = self.sizes().into_iter().max_by_key(|&(root, size)| (size, !root));
        let Some((largest, _)) = largest else { return Vec::new() };
        flat.links
            .iter()
            .filter(|l| {
                l.is_immediate() && l.from != l.to && self.parent[l.from as usize] == largest
            })
            .take(20)
            .map(|l| flat.ends(graph, l))
            .collect()
    }
}

/// Largest unit first, always to the partition with the fewest models.
fn spread(units: &Units, limit: usize) -> Placed {
    let mut sizes: Vec<(usize, u32)> = units.sizes().into_iter().map(|(r, s)| (s, r)).collect();
    sizes.sort_by_key(|&(size, root)| (std::cmp::Reverse(size), root));
    let partitions = limit.min(sizes.len()).max(1);
    let mut load = vec![0usize; partitions];
    let mut partition_of_unit = BTreeMap::new();
    for (size, root) in sizes {
        let lightest = (0..partitions).min_by_key(|&p| load[p]).unwrap_or(0);
        load[lightest] += size;
        partition_of_unit.insert(root, lightest as u32);
    }
    let partition_of = units.parent.iter().map(|root| partition_of_unit[root]).collect();
    Placed { partition_of, report: PlacementReport { partitions, ..Default::default() } }
}

fn assign(
    graph: &Graph,
    flat: &Flat,
    units: &Units,
    map: &BTreeMap<String, usize>,
    partial: bool,
) -> Result<Placed, GraphError> {
    let mut given = vec![None; graph.components.len()];
    for (path, &partition) in map {
        match graph.find(path) {
            Ok(found) => given[found.0 as usize] = Some(partition),
            Err(_) if partial => {}
            Err(missing) => return Err(missing),
        }
    }
    let mut of_node = Vec::with_capacity(flat.nodes.len());
    let mut of_unit = vec![None; flat.nodes.len()];
    for (&component, &root) in flat.nodes.iter().zip(&units.parent) {
        let mut at = component;
        while given[at as usize].is_none() && at != 0 {
            at = graph.parent(at);
        }
        let partition = given[at as usize];
        of_node.push(partition);
        of_unit[root as usize] = of_unit[root as usize].or(partition);
    }
    let mut partition_of = Vec::with_capacity(flat.nodes.len());
    for (node, &component) in flat.nodes.iter().enumerate() {
        let with_others = || of_unit[units.parent[node] as usize].unwrap_or(0);
        let partition = of_node[node].or_else(|| partial.then(with_others));
        let unplaced = || GraphError::Unplaced { path: graph.path(ComponentRef(component)) };
        partition_of.push(partition.ok_or_else(unplaced)? as u32);
    }
    // Numbers are renamed to 0, 1, 2 … in their order.
    let mut used: Vec<u32> = partition_of.clone();
    used.sort_unstable();
    used.dedup();
    for partition in &mut partition_of {
        *partition = used.binary_search(partition).map_or(NO_NODE, |place| place as u32);
    }
    let apart = |a: u32, b: u32| partition_of[a as usize] != partition_of[b as usize];
    for link in flat.links.iter().filter(|l| l.is_immediate()) {
        if apart(link.from, link.to) {
            let (from, to) = flat.ends(graph, link);
            return Err(GraphError::CutUnit { from, to });
        }
    }
    for (node, &root) in units.parent.iter().enumerate() {
        if apart(node as u32, root) {
            let path = |n: u32| graph.path(ComponentRef(flat.nodes[n as usize]));
            return Err(GraphError::CutUnit { from: path(root), to: path(node as u32) });
        }
    }
    let partitions = used.len().max(1);
    Ok(Placed { partition_of, report: PlacementReport { partitions, ..Default::default() } })
}
