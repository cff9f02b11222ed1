//! How high each node stands: arrows become as straight as the order of the nodes allows.

use crate::picture::level::{Level, Point};

/// Free space between boxes, and beside a passing arrow.
const BETWEEN_BOXES: f64 = 26.0;
const BESIDE_ARROW: f64 = 14.0;
const SWEEPS: usize = 10;

/// The top of each node, from 0, and the height of all.
pub fn tops(level: &Level, columns: &[Vec<usize>]) -> (Vec<f64>, f64) {
    let mut tops = vec![0.0; level.nodes.len()];
    let spaces: Vec<Vec<f64>> = columns.iter().map(|column| stacked(level, column)).collect();
    for (column, spaces) in columns.iter().zip(&spaces) {
        let height = spaces.last().copied().unwrap_or(0.0);
        for (&node, space) in column.iter().zip(spaces) {
            tops[node] = space - height / 2.0;
        }
    }
    for sweep in 0..SWEEPS {
        let rightwards = sweep % 2 == 0;
        for step in 0..columns.len() {
            let column = if rightwards { step } else { columns.len() - 1 - step };
            align(level, &columns[column], &spaces[column], rightwards, &mut tops);
        }
    }
    // A border follows what is inside.
    if let ([first, .., last], [above, .., below]) = (columns, &spaces[..]) {
        align(level, first, above, false, &mut tops);
        align(level, last, below, true, &mut tops);
    }
    let first = tops.iter().copied().fold(f64::INFINITY, f64::min);
    tops.iter_mut().for_each(|top| *top = (*top - first).round());
    straighten(level, columns, &mut tops);
    let ends = tops.iter().zip(&level.nodes).map(|(top, node)| top + node.height);
    let height = ends.fold(0.0, f64::max);
    (tops, height)
}

/// Takes out bends of a pixel or two, which come from rounding, where an arrow passes or leaves.
fn straighten(level: &Level, columns: &[Vec<usize>], tops: &mut [f64]) {
    let mut source = vec![None; level.nodes.len()];
    for hop in level.hops.iter().filter(|hop| level.nodes[hop.to.node].block.is_none()) {
        source[hop.to.node] = Some(hop.from);
    }
    for &node in columns.iter().flatten() {
        let Some(Point { node: from, offset }) = source[node] else { continue };
        let straight = tops[from] + offset;
        if (straight - tops[node]).abs() <= 2.0 {
            tops[node] = straight;
        }
    }
}

/// The tops of a column's nodes if they stand as close as they may.
fn stacked(level: &Level, column: &[usize]) -> Vec<f64> {
    let mut tops = Vec::new();
    let mut top = 0.0;
    for (place, &node) in column.iter().enumerate() {
        if place > 0 {
            let boxes = level.nodes[column[place - 1]].block.and(level.nodes[node].block);
            top += if boxes.is_some() { BETWEEN_BOXES } else { BESIDE_ARROW };
        }
        tops.push(top);
        top += level.nodes[node].height;
    }
    tops
}

/// Moves the nodes of a column to where their neighbours on one side want them, or on the other side
/// if there are none: the nearest to it, in the sense of least squares, that keeps order and distance.
fn align(level: &Level, column: &[usize], spaces: &[f64], rightwards: bool, tops: &mut [f64]) {
    let wishes: Vec<(f64, f64)> =
        column.iter().map(|&node| wish(level, node, rightwards, tops)).collect();
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for ((wish, weight), space) in wishes.into_iter().zip(spaces) {
        let mut pool = (wish - space, weight, 1);
        while let Some(last) = pools.last().copied().filter(|last| last.0 >= pool.0) {
            let weight = last.1 + pool.1;
            let mean = (last.0 * last.1 + pool.0 * pool.1) / weight;
            pool = (mean, weight, last.2 + pool.2);
            pools.pop();
        }
        pools.push(pool);
    }
    let places = pools.iter().flat_map(|pool| std::iter::repeat_n(pool.0, pool.2));
    for ((&node, space), place) in column.iter().zip(spaces).zip(places) {
        tops[node] = place + space;
    }
}

/// Where a node wants to be, and how much.
fn wish(level: &Level, node: usize, rightwards: bool, tops: &[f64]) -> (f64, f64) {
    let from_side = |left: bool| {
        let mut wishes: Vec<(f64, f64)> = Vec::new();
        for hop in &level.hops {
            let (own, other) = if left { (hop.to, hop.from) } else { (hop.from, hop.to) };
            if own.node == node {
                let is_pass = |point: Point| usize::from(level.nodes[point.node].block.is_none());
                let weight = [1.0, 2.0, 8.0][is_pass(own) + is_pass(other)];
                wishes.push((tops[other.node] + other.offset - own.offset, weight));
            }
        }
        wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
        wishes
    };
    let mut wishes = from_side(rightwards);
    if wishes.is_empty() {
        wishes = from_side(!rightwards);
    }
    // The middle one rather than the mean: one arrow is straight instead of none.
    match wishes.get(wishes.len().saturating_sub(1) / 2) {
        Some(&(middle, _)) => (middle, wishes.iter().map(|(_, weight)| weight).sum()),
        None => (tops[node], 0.1),
    }
}
