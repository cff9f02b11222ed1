//! Flattening: from a tree of composites to models in path order and links between them.
//! Hierarchy costs nothing while running.

use std::collections::HashSet;

use crate::error::GraphError;
use crate::graph::{ComponentKind, ComponentRef, End, Graph};
use crate::path::compare_segments;
use crate::port::PortKind;
use crate::static_order::static_order;
use crate::time::Duration;

/// "No node" for components that are no models.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// A link from a model to a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatLink {
    pub from: u32,
    pub to: u32,
    pub from_port: u16,
    pub to_port: u16,
    pub latency: Duration,
    /// Number of its chain of interposers and selections; 0 for none.
    pub chain: u32,
}

impl FlatLink {
    /// Whether the value is there in the very cycle in which it was sent.
    pub fn is_immediate(&self) -> bool {
        self.latency == Duration::ZERO
    }
}

/// A system without hierarchy. Nodes are models in path order.
pub(crate) struct Flat {
    /// Component of each node.
    pub nodes: Vec<u32>,
    /// Node of each component.
    pub node_of: Vec<u32>,
    /// Ordered by source node, source port, target node, target port, then as they were made.
    pub links: Vec<FlatLink>,
    /// Attributes with an interposer or a selection that each chain passes, in order. Chain 0 is empty.
    pub chains: Vec<Vec<u32>>,
    /// Place in the static order of each periodic node; `NO_NODE` for others.
    pub order: Vec<u32>,
}

impl Flat {
    pub fn new(graph: &Graph) -> Result<Self, GraphError> {
        let nodes = models_in_path_order(graph);
        let mut node_of = vec![NO_NODE; graph.components.len()];
        for (node, &component) in nodes.iter().enumerate() {
            node_of[component as usize] = node as u32;
        }
        let (mut links, chains) = Router::new(graph)?.flat_links(&nodes, &node_of);
        links.sort_by_key(|l| (l.from, l.from_port, l.to, l.to_port));
        check_signal_sources(graph, &nodes, &links)?;
        let order = static_order(graph, &nodes, &links)?;
        Ok(Flat { nodes, node_of, links, chains, order })
    }

    /// `a.out -> b.in` for messages.
    pub fn ends(&self, graph: &Graph, link: &FlatLink) -> (String, String) {
        let end = |node: u32, port, input| {
            graph.end_name(End { component: self.nodes[node as usize], port, input })
        };
        (end(link.from, link.from_port, false), end(link.to, link.to_port, true))
    }
}

fn models_in_path_order(graph: &Graph) -> Vec<u32> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); graph.components.len()];
    for component in graph.existing() {
        children[graph.parent(component.0) as usize].push(component.0);
    }
    let name = |number: u32| &*graph.tree[number as usize].1;
    for siblings in &mut children {
        // Descending, because the walk takes them from the end.
        siblings.sort_by(|&a, &b| compare_segments(name(b), name(a)));
    }
    let mut nodes = Vec::new();
    let mut open = vec![0];
    while let Some(component) = open.pop() {
        if let ComponentKind::Model(_) = graph.components[component as usize] {
            nodes.push(component);
        }
        open.append(&mut children[component as usize]);
    }
    nodes
}

/// Follows links through the ports of composites.
struct Router<'a> {
    graph: &'a Graph,
    /// Links by their source.
    by_source: Vec<u32>,
    /// Ports of composites from which no model is reached.
    dead: HashSet<(u32, u16, bool)>,
    chains: Vec<Vec<u32>>,
}

/// One way on: where it leads, its latency so far, and the interposers and selections passed.
struct Way {
    at: End,
    latency: Duration,
    previous: bool,
    passed: Vec<u32>,
}

impl<'a> Router<'a> {
    fn new(graph: &'a Graph) -> Result<Self, GraphError> {
        let mut by_source: Vec<u32> = (0..graph.links.len() as u32).collect();
        by_source.sort_by_key(|&l| graph.links[l as usize].from);
        let mut router =
            Router { graph, by_source, dead: HashSet::new(), chains: vec![Vec::new()] };
        router.refuse_loops()?;
        Ok(router)
    }

    fn links_from(&self, end: End) -> &[u32] {
        let from = |&l: &u32| self.graph.links[l as usize].from;
        let start = self.by_source.partition_point(|l| from(l) < end);
        let length = self.by_source[start..].partition_point(|l| from(l) == end);
        &self.by_source[start..start + length]
    }

    fn is_model(&self, component: u32) -> bool {
        matches!(self.graph.components[component as usize], ComponentKind::Model(_))
    }

    /// Visits every composite port once, deepest first: finds loops and dead ends.
    fn refuse_loops(&mut self) -> Result<(), GraphError> {
        let key = |end: End| (end.component, end.port, end.input);
        let mut done: HashSet<(u32, u16, bool)> = HashSet::new();
        for start in 0..self.graph.links.len() {
            let start = self.graph.links[start].from;
            if self.is_model(start.component) || done.contains(&key(start)) {
                continue;
            }
            // Ports on the way from `start`, each with the number of links already looked at.
            let mut way = vec![(start, 0, false)];
            while let Some(&mut (at, ref mut looked, ref mut alive)) = way.last_mut() {
                let next = self.links_from(at).get(*looked).copied();
                *looked += 1;
                let Some(link) = next else {
                    let alive = *alive;
                    way.pop();
                    done.insert(key(at));
                    if !alive {
                        self.dead.insert(key(at));
                    } else if let Some((_, _, parent)) = way.last_mut() {
                        *parent = true;
                    }
                    continue;
                };
                let to = self.graph.links[link as usize].to;
                if self.is_model(to.component) {
                    *alive = true;
                } else if done.contains(&key(to)) {
                    *alive |= !self.dead.contains(&key(to));
                } else if let Some(place) = way.iter().position(|(end, ..)| *end == to) {
                    let ends = way[place..].iter().map(|(end, ..)| *end).chain([to]);
                    let ports = ends.map(|end| self.graph.end_name(end)).collect();
                    return Err(GraphError::PortLoop { ports });
                } else {
                    way.push((to, 0, false));
                }
            }
        }
        Ok(())
    }

    fn flat_links(mut self, nodes: &[u32], node_of: &[u32]) -> (Vec<FlatLink>, Vec<Vec<u32>>) {
        let mut flat = Vec::new();
        let mut open: Vec<Way> = Vec::new();
        for (from, &component) in nodes.iter().enumerate() {
            let outputs = self.graph.layout_of(component).outputs.len();
            for from_port in 0..outputs as u16 {
                let at = End { component, port: from_port, input: false };
                open.push(Way { at, latency: Duration::ZERO, previous: false, passed: Vec::new() });
                while let Some(way) = open.pop() {
                    if self.is_model(way.at.component) && way.at.input {
                        // The smallest latency there is shows the value of an earlier instant.
                        let least = if way.previous { Duration::EPSILON } else { Duration::ZERO };
                        flat.push(FlatLink {
                            from: from as u32,
                            to: node_of[way.at.component as usize],
                            from_port,
                            to_port: way.at.port,
                            latency: way.latency.max(least),
                            chain: self.chain(way.passed),
                        });
                        continue;
                    }
                    for &number in self.links_from(way.at) {
                        let link = self.graph.links[number as usize];
                        if self.dead.contains(&(link.to.component, link.to.port, link.to.input)) {
                            continue;
                        }
                        let (special, attributes) = self.graph.attributes_of(number);
                        let mut passed = way.passed.clone();
                        if attributes.interposer.is_some() || attributes.selection.is_some() {
                            passed.push(special);
                        }
                        open.push(Way {
                            at: link.to,
                            latency: way.latency + attributes.latency,
                            previous: way.previous || attributes.previous,
                            passed,
                        });
                    }
                }
            }
        }
        (flat, self.chains)
    }

    fn chain(&mut self, passed: Vec<u32>) -> u32 {
        if passed.is_empty() {
            return 0;
        }
        self.chains.push(passed);
        self.chains.len() as u32 - 1
    }
}

/// Every signal input has exactly one source, unless it is optional.
fn check_signal_sources(
    graph: &Graph,
    nodes: &[u32],
    links: &[FlatLink],
) -> Result<(), GraphError> {
    let end = |node: u32, port, input| {
        graph.end_name(End { component: nodes[node as usize], port, input })
    };
    let mut sources: Vec<&FlatLink> = links
        .iter()
        .filter(|l| {
            let layout = graph.layout_of(nodes[l.to as usize]);
            layout.inputs[l.to_port as usize].kind == PortKind::Signal
        })
        .collect();
    sources.sort_by_key(|l| (l.to, l.to_port));
    if let Some(pair) =
        sources.windows(2).find(|p| (p[0].to, p[0].to_port) == (p[1].to, p[1].to_port))
    {
        return Err(GraphError::TwoSources {
            to: end(pair[0].to, pair[0].to_port, true),
            first: end(pair[0].from, pair[0].from_port, false),
            second: end(pair[1].from, pair[1].from_port, false),
        });
    }
    for (node, &component) in nodes.iter().enumerate() {
        let node = node as u32;
        for (port, spec) in graph.layout_of(component).inputs.iter().enumerate() {
            let port = port as u16;
            let linked =
                || sources.binary_search_by_key(&(node, port), |l| (l.to, l.to_port)).is_ok();
            if spec.kind == PortKind::Signal && !spec.optional && !linked() {
                return Err(GraphError::Unconnected { port: end(node, port, true) });
            }
        }
        for (query, spec) in graph.layout_of(component).queries.iter().enumerate() {
            let bound = |b: &crate::graph::QueryBinding| {
                (b.component, usize::from(b.query)) == (component, query)
            };
            if !graph.bindings.iter().any(bound) {
                return Err(GraphError::UnboundQuery {
                    path: graph.path(ComponentRef(component)),
                    query: spec.name.clone(),
                });
            }
        }
    }
    Ok(())
}
