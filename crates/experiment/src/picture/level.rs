//! One composite's inside: its children, the ends of what comes from and goes to outside, and the
//! places where long arrows pass a column, in columns from left to right.

use std::collections::BTreeMap;

/// A signal on its way: all arrows from one port.
pub type Net = usize;

/// Something in a column.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub column: usize,
    pub width: f64,
    pub height: f64,
    /// The block; otherwise an arrow passes here or ends at the border.
    pub block: Option<usize>,
}

/// A point at the side of a node.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub node: usize,
    /// From the top of the node.
    pub offset: f64,
}

/// A piece of a net from one column to the next.
#[derive(Clone, Copy, Debug)]
pub struct Hop {
    pub net: Net,
    pub from: Point,
    pub to: Point,
}

/// A piece of a net that leads back, below everything.
#[derive(Clone, Copy, Debug)]
pub struct Return {
    pub net: Net,
    pub from: Point,
    pub to: Point,
}

/// How an arrow goes through a level.
#[derive(Clone, Debug)]
pub enum Way {
    Hops(Vec<usize>),
    Return(usize),
}

/// The inside of a composite. The first and the last column are its borders.
#[derive(Debug)]
pub struct Level {
    pub columns: usize,
    pub nodes: Vec<Node>,
    pub hops: Vec<Hop>,
    pub returns: Vec<Return>,
    /// For each arrow that goes through.
    pub ways: BTreeMap<usize, Way>,
    /// Room for notes before each column.
    pub notes: Vec<f64>,
    passes: BTreeMap<(Net, usize), usize>,
    borders: [BTreeMap<Net, usize>; 2],
    known: BTreeMap<(Net, usize, usize, u64), usize>,
}

impl Level {
    /// A level with so many columns between its borders.
    pub fn new(columns: usize) -> Self {
        Level {
            columns: columns + 2,
            nodes: Vec::new(),
            hops: Vec::new(),
            returns: Vec::new(),
            ways: BTreeMap::new(),
            notes: vec![0.0; columns + 2],
            passes: BTreeMap::new(),
            borders: [BTreeMap::new(), BTreeMap::new()],
            known: BTreeMap::new(),
        }
    }

    /// Adds a child. Children are numbered as they are added.
    pub fn add_block(&mut self, block: usize, rank: usize, (width, height): (f64, f64)) {
        self.nodes.push(Node { column: rank + 1, width, height, block: Some(block) });
    }

    fn add_point(&mut self, column: usize) -> usize {
        self.nodes.push(Node { column, width: 0.0, height: 0.0, block: None });
        self.nodes.len() - 1
    }

    /// Where a net crosses the border on a side.
    pub fn border(&mut self, side: usize, net: Net) -> Point {
        let column = if side == 0 { 0 } else { self.columns - 1 };
        let known = self.borders[side].get(&net).copied();
        let node = known.unwrap_or_else(|| self.add_point(column));
        self.borders[side].insert(net, node);
        Point { node, offset: 0.0 }
    }

    /// Nodes of the border on a side.
    pub fn border_nodes(&self, side: usize) -> impl Iterator<Item = (Net, usize)> {
        self.borders[side].iter().map(|(net, node)| (*net, *node))
    }

    /// Leads an arrow from left to right. Arrows of one net share their way as long as they can.
    pub fn forward(&mut self, arrow: usize, net: Net, from: Point, to: Point) {
        let (first, last) = (self.nodes[from.node].column, self.nodes[to.node].column);
        let mut hops = Vec::new();
        let mut at = from;
        for column in first + 1..last {
            let known = self.passes.get(&(net, column)).copied();
            let node = known.unwrap_or_else(|| self.add_point(column));
            self.passes.insert((net, column), node);
            let next = Point { node, offset: 0.0 };
            hops.push(self.hop(net, at, next));
            at = next;
        }
        hops.push(self.hop(net, at, to));
        self.ways.insert(arrow, Way::Hops(hops));
    }

    fn hop(&mut self, net: Net, from: Point, to: Point) -> usize {
        let key = (net, from.node, to.node, to.offset.to_bits());
        let hop = *self.known.entry(key).or_insert(self.hops.len());
        if hop == self.hops.len() {
            self.hops.push(Hop { net, from, to });
        }
        hop
    }

    /// Leads an arrow back, below everything.
    pub fn back(&mut self, arrow: usize, net: Net, from: Point, to: Point) {
        self.ways.insert(arrow, Way::Return(self.returns.len()));
        self.returns.push(Return { net, from, to });
    }

    /// The nodes of each column, as they were added.
    pub fn by_column(&self) -> Vec<Vec<usize>> {
        let mut columns = vec![Vec::new(); self.columns];
        for (number, node) in self.nodes.iter().enumerate() {
            columns[node.column].push(number);
        }
        columns
    }
}
