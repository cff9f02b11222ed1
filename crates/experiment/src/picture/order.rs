//! The order of the nodes in each column: every node goes near the middle of what it is joined to, to
//! and fro, and the order with the fewest crossings is kept.

use crate::picture::level::{Level, Point};

const SWEEPS: usize = 12;

/// Orders the nodes of each column from top to bottom.
pub fn order(level: &Level) -> Vec<Vec<usize>> {
    let mut columns = level.by_column();
    let mut best = columns.clone();
    let mut fewest = crossings(level, &columns);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            break;
        }
        let rightwards = sweep % 2 == 0;
        let count = columns.len();
        for step in 1..count {
            let column = if rightwards { step } else { count - 1 - step };
            sort_column(level, &mut columns, column, rightwards);
        }
        let now = crossings(level, &columns);
        if now < fewest {
            (fewest, best) = (now, columns.clone());
        }
    }
    best
}

/// The place of each node in its column.
fn places(level: &Level, columns: &[Vec<usize>]) -> Vec<f64> {
    let mut places = vec![0.0; level.nodes.len()];
    for column in columns {
        for (place, &node) in column.iter().enumerate() {
            places[node] = place as f64;
        }
    }
    places
}

/// The place of a point: ports of one node are apart.
fn place_of(level: &Level, places: &[f64], point: Point) -> f64 {
    let height = level.nodes[point.node].height;
    let within = if height > 0.0 { point.offset / height } else { 0.5 };
    places[point.node] + within
}

fn sort_column(level: &Level, columns: &mut [Vec<usize>], column: usize, rightwards: bool) {
    let places = places(level, columns);
    let mut sums = vec![(0.0, 0.0); level.nodes.len()];
    for hop in &level.hops {
        let (own, other) = if rightwards { (hop.to, hop.from) } else { (hop.from, hop.to) };
        if level.nodes[own.node].column == column {
            let sum = &mut sums[own.node];
            *sum = (sum.0 + place_of(level, &places, other), sum.1 + 1.0);
        }
    }
    let wish = |node: usize| match sums[node] {
        (_, 0.0) => places[node],
        (sum, count) => sum / count,
    };
    columns[column].sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
}

/// How often hops between the same two columns cross.
fn crossings(level: &Level, columns: &[Vec<usize>]) -> usize {
    let places = places(level, columns);
    let mut gaps: Vec<Vec<(f64, f64)>> = vec![Vec::new(); columns.len()];
    for hop in &level.hops {
        let ends = (place_of(level, &places, hop.from), place_of(level, &places, hop.to));
        gaps[level.nodes[hop.from.node].column].push(ends);
    }
    gaps.into_iter().map(inversions).sum()
}

fn inversions(mut ends: Vec<(f64, f64)>) -> usize {
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut seen: Vec<f64> = Vec::new();
    let mut count = 0;
    for (_, to) in ends {
        let at = seen.partition_point(|other| *other <= to);
        count += seen.len() - at;
        seen.insert(at, to);
    }
    count
}
