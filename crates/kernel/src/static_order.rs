//! The one order in which periodic components step, over all rates, from their data dependencies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::error::GraphError;
use crate::flatten::{FlatLink, NO_NODE};
use crate::graph::{ComponentRef, Graph};

/// The place of each periodic node: sources before their readers, otherwise by path. A circle is
/// opened at the member with the lowest priority number; without one it is refused.
pub(crate) fn static_order(
    graph: &Graph,
    nodes: &[u32],
    links: &[FlatLink],
) -> Result<Vec<u32>, GraphError> {
    let periodic =
        |node: u32| graph.model(ComponentRef(nodes[node as usize])).and_then(|m| m.periodic());
    let mut edges: Vec<(u32, u32)> = links
        .iter()
        .filter(|l| l.is_immediate() && l.from != l.to)
        .filter(|l| periodic(l.from).is_some() && periodic(l.to).is_some())
        .map(|l| (l.from, l.to))
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut waiting_for = vec![0u32; nodes.len()];
    for &(_, to) in &edges {
        waiting_for[to as usize] += 1;
    }
    let members: Vec<u32> = (0..nodes.len() as u32).filter(|&n| periodic(n).is_some()).collect();
    let mut ready: BinaryHeap<Reverse<u32>> =
        members.iter().filter(|&&n| waiting_for[n as usize] == 0).map(|&n| Reverse(n)).collect();
    let mut order = vec![NO_NODE; nodes.len()];
    let mut placed = 0;
    loop {
        while let Some(Reverse(node)) = ready.pop() {
            order[node as usize] = placed;
            placed += 1;
            let first = edges.partition_point(|&(from, _)| from < node);
            for &(_, to) in edges[first..].iter().take_while(|&&(from, _)| from == node) {
                waiting_for[to as usize] = waiting_for[to as usize].saturating_sub(1);
                if waiting_for[to as usize] == 0 && order[to as usize] == NO_NODE {
                    ready.push(Reverse(to));
                }
            }
        }
        let Some(&stuck) = members.iter().find(|&&n| order[n as usize] == NO_NODE) else {
            return Ok(order);
        };
        let cycle = find_cycle(stuck, &edges, &order);
        let first =
            cycle.iter().filter_map(|&n| Some((periodic(n)?.priority?, n))).min().ok_or_else(
                || GraphError::PeriodicCycle {
                    cycle: cycle
                        .iter()
                        .chain(cycle.first())
                        .map(|&n| graph.path(ComponentRef(nodes[n as usize])))
                        .collect(),
                },
            )?;
        waiting_for[first.1 as usize] = 0;
        ready.push(Reverse(first.1));
    }
}

/// Walks from a node that waits to one it waits for, until one comes again; in data direction.
fn find_cycle(start: u32, edges: &[(u32, u32)], order: &[u32]) -> Vec<u32> {
    let mut way = vec![start];
    loop {
        let at = *way.last().expect("the way starts with a node");
        let source = edges
            .iter()
            .find(|&&(from, to)| to == at && order[from as usize] == NO_NODE)
            .map_or(at, |&(from, _)| from);
        if let Some(place) = way.iter().position(|&n| n == source) {
            let mut cycle = way.split_off(place);
            cycle.reverse();
            return cycle;
        }
        way.push(source);
    }
}
