//! The ways between columns: each net that changes its height has a track there, and what leads back
//! has a row below everything.

use std::collections::BTreeMap;

use crate::picture::level::{Level, Net, Point};

/// Distance of parallel lines.
const STEP: f64 = 10.0;
/// Free space at both sides of a gap.
const MARGIN: f64 = 16.0;

/// Where everything of a level is.
#[derive(Debug)]
pub struct Placed {
    pub width: f64,
    pub height: f64,
    /// Left upper corner of each node.
    pub corners: Vec<(f64, f64)>,
    tracks: BTreeMap<Track, f64>,
    rows: BTreeMap<Net, f64>,
}

/// A vertical line in the gap before a column: of a net that leaves the column before it, or of one
/// that comes back to a point of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Track {
    Leaving(usize, Net),
    Coming(usize, Net, usize, u64),
}

struct Span {
    track: Track,
    start: f64,
    low: f64,
    high: f64,
}

impl Placed {
    /// Places the nodes of a level whose tops are known.
    pub fn new(level: &Level, tops: &[f64], height: f64) -> Self {
        let mut widths = vec![0.0_f64; level.columns];
        for node in &level.nodes {
            widths[node.column] = widths[node.column].max(node.width);
        }
        let mut tracks = BTreeMap::new();
        let mut lefts = vec![0.0; level.columns];
        let mut x = 0.0;
        for column in 1..level.columns {
            let places = assign(spans(level, tops, column));
            let count = places.iter().map(|(_, place)| place + 1).max().unwrap_or(0) as f64;
            x += widths[column - 1] + MARGIN;
            for (track, place) in places {
                tracks.insert(track, x + place as f64 * STEP);
            }
            x += (count - 1.0).max(0.0) * STEP + MARGIN + level.notes[column];
            lefts[column] = x;
        }
        let corner = |(number, node): (usize, &crate::picture::level::Node)| {
            let left = lefts[node.column] + ((widths[node.column] - node.width) / 2.0).round();
            (left, tops[number])
        };
        let corners: Vec<(f64, f64)> = level.nodes.iter().enumerate().map(corner).collect();
        let mut placed = Placed { width: x, height, corners, tracks, rows: BTreeMap::new() };
        placed.find_rows(level);
        placed
    }

    fn coming(&self, level: &Level, net: Net, to: Point) -> f64 {
        self.tracks.get(&coming(level, net, to)).copied().unwrap_or_default()
    }

    fn leaving(&self, level: &Level, net: Net, from: Point) -> Option<f64> {
        self.tracks.get(&Track::Leaving(level.nodes[from.node].column + 1, net)).copied()
    }

    /// The shorter a way back, the higher it is.
    fn find_rows(&mut self, level: &Level) {
        let mut extents: BTreeMap<Net, (f64, f64)> = BTreeMap::new();
        for back in &level.returns {
            let start = self.leaving(level, back.net, back.from).unwrap_or_default();
            let end = self.coming(level, back.net, back.to);
            let extent = extents.entry(back.net).or_insert((end, start));
            *extent = (extent.0.min(end).min(start), extent.1.max(start).max(end));
        }
        let mut sorted: Vec<(Net, (f64, f64))> = extents.into_iter().collect();
        sorted.sort_by(|a, b| (a.1.1 - a.1.0).total_cmp(&(b.1.1 - b.1.0)));
        let mut taken: Vec<((f64, f64), usize)> = Vec::new();
        for (net, extent) in sorted {
            let beside = |other: &(f64, f64)| other.1 < extent.0 || extent.1 < other.0;
            let above = taken.iter().filter(|(other, _)| !beside(other)).map(|(_, row)| row + 1);
            let row = above.max().unwrap_or(0);
            taken.push((extent, row));
            self.rows.insert(net, self.height + MARGIN + row as f64 * STEP);
        }
        self.height = self.rows.values().copied().fold(self.height, f64::max);
    }

    fn right(&self, level: &Level, point: Point) -> (f64, f64) {
        let (x, y) = self.corners[point.node];
        (x + level.nodes[point.node].width, y + point.offset)
    }

    fn left(&self, point: Point) -> (f64, f64) {
        let (x, y) = self.corners[point.node];
        (x, y + point.offset)
    }

    /// The corners of a hop.
    pub fn hop(&self, level: &Level, hop: usize) -> Vec<(f64, f64)> {
        let hop = level.hops[hop];
        let (start, end) = (self.right(level, hop.from), self.left(hop.to));
        match self.leaving(level, hop.net, hop.from) {
            Some(x) if start.1 != end.1 => vec![start, (x, start.1), (x, end.1), end],
            _ => vec![start, end],
        }
    }

    /// The corners of a way back.
    pub fn way_back(&self, level: &Level, back: usize) -> Vec<(f64, f64)> {
        let back = level.returns[back];
        let (start, end) = (self.right(level, back.from), self.left(back.to));
        let row = self.rows[&back.net];
        let out = self.leaving(level, back.net, back.from).unwrap_or(start.0);
        let home = self.coming(level, back.net, back.to);
        vec![start, (out, start.1), (out, row), (home, row), (home, end.1), end]
    }
}

fn coming(level: &Level, net: Net, to: Point) -> Track {
    Track::Coming(level.nodes[to.node].column, net, to.node, to.offset.to_bits())
}

/// All vertical lines in the gap before a column.
fn spans(level: &Level, tops: &[f64], column: usize) -> Vec<Span> {
    let height = |point: Point| tops[point.node] + point.offset;
    let mut spans: BTreeMap<Track, Span> = BTreeMap::new();
    let mut stretch = |track: Track, start: f64, end: f64| {
        let span = spans.entry(track).or_insert(Span { track, start, low: start, high: start });
        (span.low, span.high) = (span.low.min(end), span.high.max(end));
    };
    for hop in level.hops.iter().filter(|hop| level.nodes[hop.to.node].column == column) {
        stretch(Track::Leaving(column, hop.net), height(hop.from), height(hop.to));
    }
    for back in &level.returns {
        if level.nodes[back.from.node].column + 1 == column {
            stretch(Track::Leaving(column, back.net), height(back.from), f64::INFINITY);
        }
        if level.nodes[back.to.node].column == column {
            stretch(coming(level, back.net, back.to), height(back.to), f64::INFINITY);
        }
    }
    spans.into_values().filter(|span| span.low < span.high).collect()
}

/// A place for each line, so that lines do not lie on each other and cross as little as can be: of two
/// that lead down the lower one goes first, of two that lead up the higher one; what comes back is last.
fn assign(mut spans: Vec<Span>) -> Vec<(Track, usize)> {
    let key = |span: &Span| {
        let down = span.high - span.start > span.start - span.low;
        match span.track {
            Track::Coming(..) => (1, span.start),
            Track::Leaving(..) => (0, if down { -span.start } else { span.start }),
        }
    };
    spans.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    let mut places: Vec<(Track, usize)> = Vec::new();
    for (number, span) in spans.iter().enumerate() {
        let beside = |other: &Span| other.high + 4.0 < span.low || span.high + 4.0 < other.low;
        let before = spans[..number].iter().zip(&places).filter(|(other, _)| !beside(other));
        let place = before.map(|(_, (_, place))| place + 1).max().unwrap_or(0);
        places.push((span.track, place));
    }
    places
}
