//! Columns: which box stands left of which. Arrows that would close a circle lead back.

use std::collections::BTreeSet;

/// An arrow between two nodes; the lower its class, the rather it leads from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge<C> {
    pub class: C,
    pub from: usize,
    pub to: usize,
}

/// The column of each node, and the pairs of nodes whose arrows lead back.
#[derive(Debug)]
pub struct Ranks {
    pub of: Vec<usize>,
    pub back: BTreeSet<(usize, usize)>,
}

/// Ranks nodes along their edges. The order of the nodes decides where a circle begins. `alone` are nodes
/// without any arrow.
pub fn rank<C: Copy + Ord>(nodes: usize, edges: &[Edge<C>], alone: &[usize]) -> Ranks {
    let mut sorted = edges.to_vec();
    sorted.sort();
    let mut after: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); nodes];
    let mut back = BTreeSet::new();
    for edge in sorted {
        if after[edge.from].contains(&edge.to) {
            continue;
        }
        if reaches(&after, edge.to, edge.from) {
            back.insert((edge.from, edge.to));
        } else {
            after[edge.from].insert(edge.to);
        }
    }
    let mut of = longest_paths(&after);
    tighten(&after, &mut of);
    spread(alone, &mut of);
    Ranks { of, back }
}

fn reaches(after: &[BTreeSet<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; after.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&after[node]);
        }
    }
    false
}

fn longest_paths(after: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut before = vec![0; after.len()];
    for &node in after.iter().flatten() {
        before[node] += 1;
    }
    let mut of = vec![0; after.len()];
    let mut ready: Vec<usize> = (0..after.len()).filter(|&node| before[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &next in &after[node] {
            of[next] = of[next].max(of[node] + 1);
            before[next] -= 1;
            if before[next] == 0 {
                ready.push(next);
            }
        }
    }
    of
}

/// Moves what has more arrows going out than coming in to where they lead.
fn tighten(after: &[BTreeSet<usize>], of: &mut [usize]) {
    let mut before = vec![0; after.len()];
    for &node in after.iter().flatten() {
        before[node] += 1;
    }
    let mut by_rank: Vec<usize> = (0..after.len()).collect();
    by_rank.sort_by_key(|&node| std::cmp::Reverse(of[node]));
    for node in by_rank {
        let nearest = after[node].iter().map(|&next| of[next]).min();
        if let Some(nearest) = nearest.filter(|_| after[node].len() > before[node]) {
            of[node] = nearest - 1;
        }
    }
    let first = of.iter().copied().min().unwrap_or(0);
    of.iter_mut().for_each(|rank| *rank -= first);
}

/// Puts nodes without arrows side by side instead of all below each other.
fn spread(alone: &[usize], of: &mut [usize]) {
    let columns = of.iter().max().map_or(0, |last| last + 1);
    let square = (1..).find(|side| side * side >= alone.len()).unwrap_or(1);
    for (number, &node) in alone.iter().enumerate() {
        of[node] = number % columns.max(square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(class: u8, from: usize, to: usize) -> Edge<u8> {
        Edge { class, from, to }
    }

    #[test]
    fn a_loop_leads_back_where_the_class_says_so() {
        let ranks = rank(3, &[edge(1, 0, 1), edge(0, 1, 2), edge(0, 2, 0)], &[]);
        assert_eq!(ranks.of, [2, 0, 1]);
        assert_eq!(ranks.back, BTreeSet::from([(0, 1)]));
    }

    #[test]
    fn a_source_stands_next_to_what_it_feeds() {
        let ranks = rank(4, &[edge(0, 0, 1), edge(0, 1, 2), edge(0, 3, 2)], &[]);
        assert_eq!(ranks.of, [0, 1, 2, 1]);
    }

    #[test]
    fn nodes_without_arrows_form_a_square() {
        assert_eq!(rank::<u8>(4, &[], &[0, 1, 2, 3]).of, [0, 1, 0, 1]);
    }
}
