//! Coordinates of boxes and arrows: the inside of each composite is laid out first, and is then one box
//! among others. An arrow that crosses borders is laid out piece by piece.

use std::collections::{BTreeMap, BTreeSet};

use crate::picture::coordinates::tops;
use crate::picture::diagram::{Diagram, End, LEFT, RIGHT};
use crate::picture::gaps::Placed;
use crate::picture::level::{Level, Net, Point, Way};
use crate::picture::order::order;
use crate::picture::ranks::{Edge, rank};
use crate::picture::size::{self, SMALL, text_width};

/// Free space inside a composite, above and below.
const PADDING: f64 = 16.0;

/// Where a box is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Where everything is. The area of the first block is the whole.
#[derive(Debug)]
pub struct Layout {
    pub areas: Vec<Area>,
    /// The corners of each arrow.
    pub paths: Vec<Vec<(f64, f64)>>,
}

/// How an arrow goes through a composite: between two children, out of one, or into one.
#[derive(Clone, Copy)]
enum Crossing {
    Within(usize, usize),
    Out(usize),
    In(usize),
}

/// The inside of a composite.
struct Inside {
    level: Level,
    placed: Placed,
    /// Heights at which nets cross its borders.
    borders: [BTreeMap<Net, f64>; 2],
}

/// Lays out a diagram.
pub fn lay_out(diagram: &Diagram) -> Layout {
    let mut builder = Builder::new(diagram);
    for block in (0..diagram.blocks.len()).rev() {
        if diagram.blocks[block].children.is_empty() {
            let (width, height) = size::of_component(&diagram.blocks[block]);
            builder.areas[block] = Area { width, height, ..Area::default() };
        } else {
            builder.lay_out_inside(block);
        }
    }
    builder.finish()
}

struct Builder<'a> {
    diagram: &'a Diagram,
    nets: BTreeMap<End, Net>,
    /// What goes through each block, in the order in which each arrow does.
    crossings: Vec<Vec<(usize, Crossing)>>,
    /// The blocks that each arrow goes through.
    ways: Vec<Vec<usize>>,
    areas: Vec<Area>,
    insides: Vec<Option<Inside>>,
}

impl<'a> Builder<'a> {
    fn new(diagram: &'a Diagram) -> Self {
        let count = diagram.blocks.len();
        let mut nets = BTreeMap::new();
        let mut crossings = vec![Vec::new(); count];
        let mut ways = Vec::new();
        for (number, arrow) in diagram.arrows.iter().enumerate() {
            let net = nets.len();
            nets.entry(arrow.from).or_insert(net);
            let way = way(diagram, arrow.from.block, arrow.to.block);
            for (block, crossing) in &way {
                crossings[*block].push((number, *crossing));
            }
            ways.push(way.into_iter().map(|(block, _)| block).collect());
        }
        let insides = (0..count).map(|_| None).collect();
        Builder { diagram, nets, crossings, ways, areas: vec![Area::default(); count], insides }
    }

    fn lay_out_inside(&mut self, block: usize) {
        let children = &self.diagram.blocks[block].children;
        let place: BTreeMap<usize, usize> =
            children.iter().enumerate().map(|(place, child)| (*child, place)).collect();
        let mut edges = Vec::new();
        let mut alone: BTreeSet<usize> = place.values().copied().collect();
        for (arrow, crossing) in &self.crossings[block] {
            match crossing {
                Crossing::Within(from, to) => {
                    let class = self.diagram.arrows[*arrow].kind;
                    edges.push(Edge { class, from: place[from], to: place[to] });
                    alone.remove(&place[from]);
                    alone.remove(&place[to]);
                }
                Crossing::Out(child) | Crossing::In(child) => {
                    alone.remove(&place[child]);
                }
            }
        }
        let alone: Vec<usize> = alone.into_iter().collect();
        let ranks = rank(children.len(), &edges, &alone);
        let mut level = Level::new(ranks.of.iter().max().map_or(0, |last| last + 1));
        for (child, rank) in children.iter().zip(&ranks.of) {
            let area = self.areas[*child];
            level.add_block(*child, *rank, (area.width, area.height));
        }
        for (arrow, crossing) in &self.crossings[block] {
            let net = self.nets[&self.diagram.arrows[*arrow].from];
            let port = |child: &usize, side: usize| {
                let offset = self.port_offset(*arrow, *child, side);
                Point { node: place[child], offset }
            };
            match crossing {
                Crossing::Within(from, to) if ranks.back.contains(&(place[from], place[to])) => {
                    level.back(*arrow, net, port(from, RIGHT), port(to, LEFT));
                }
                Crossing::Within(from, to) => {
                    level.forward(*arrow, net, port(from, RIGHT), port(to, LEFT));
                }
                Crossing::Out(from) => {
                    let border = level.border(RIGHT, net);
                    level.forward(*arrow, net, port(from, RIGHT), border);
                }
                Crossing::In(to) => {
                    let border = level.border(LEFT, net);
                    level.forward(*arrow, net, border, port(to, LEFT));
                }
            }
            self.make_room_for_note(*arrow, crossing, &place, &mut level);
        }
        let columns = order(&level);
        let (tops, height) = tops(&level, &columns);
        let placed = Placed::new(&level, &tops, height);
        let head = self.head(block);
        let borders = [LEFT, RIGHT].map(|side| {
            level.border_nodes(side).map(|(net, node)| (net, head + tops[node])).collect()
        });
        let name = text_width(&self.diagram.blocks[block].name, size::NAME * 1.08) + 28.0;
        self.areas[block].width = placed.width.max(name);
        self.areas[block].height = head + placed.height + PADDING;
        self.insides[block] = Some(Inside { level, placed, borders });
    }

    /// The part of a composite's box above its inside.
    fn head(&self, block: usize) -> f64 {
        let title = !(block == 0 && self.diagram.title.is_empty());
        if title { size::COMPOSITE_HEAD + PADDING / 2.0 } else { PADDING }
    }

    /// A note stands at the end of its arrow.
    fn make_room_for_note(
        &self,
        arrow: usize,
        crossing: &Crossing,
        place: &BTreeMap<usize, usize>,
        level: &mut Level,
    ) {
        let (Crossing::Within(_, to) | Crossing::In(to)) = crossing else { return };
        let arrow = &self.diagram.arrows[arrow];
        if *to == arrow.to.block && !arrow.note.is_empty() {
            let column = level.nodes[place[to]].column;
            let room = text_width(&arrow.note, SMALL) + 6.0;
            level.notes[column] = level.notes[column].max(room);
        }
    }

    /// Where an arrow meets a block, from the block's top.
    fn port_offset(&self, arrow: usize, block: usize, side: usize) -> f64 {
        let arrow = &self.diagram.arrows[arrow];
        match &self.insides[block] {
            Some(inside) => inside.borders[side][&self.nets[&arrow.from]],
            None => size::port_height(if side == LEFT { arrow.to.port } else { arrow.from.port }),
        }
    }

    /// From places inside each composite to places in the picture.
    fn finish(mut self) -> Layout {
        for block in 0..self.areas.len() {
            let Some(inside) = &self.insides[block] else { continue };
            let (x, y) = (self.areas[block].x, self.areas[block].y + self.head(block));
            for (node, corner) in inside.level.nodes.iter().zip(&inside.placed.corners) {
                if let Some(child) = node.block {
                    (self.areas[child].x, self.areas[child].y) = (x + corner.0, y + corner.1);
                }
            }
        }
        let paths = (0..self.ways.len()).map(|arrow| self.path(arrow)).collect();
        Layout { areas: self.areas, paths }
    }

    fn path(&self, arrow: usize) -> Vec<(f64, f64)> {
        let mut path: Vec<(f64, f64)> = Vec::new();
        for &block in &self.ways[arrow] {
            let Some(inside) = &self.insides[block] else { continue };
            let Inside { level, placed, .. } = inside;
            let corners = match &level.ways[&arrow] {
                Way::Hops(hops) => hops.iter().flat_map(|&hop| placed.hop(level, hop)).collect(),
                Way::Return(back) => placed.way_back(level, *back),
            };
            let (x, y) = (self.areas[block].x, self.areas[block].y + self.head(block));
            path.extend(corners.into_iter().map(|corner: (f64, f64)| (x + corner.0, y + corner.1)));
        }
        without_needless_corners(&path)
    }
}

/// The blocks whose inside an arrow goes through, from its start to its end.
fn way(diagram: &Diagram, from: usize, to: usize) -> Vec<(usize, Crossing)> {
    let mut ups = vec![from];
    let mut downs = vec![to];
    let depth = |block: usize| {
        std::iter::successors(Some(block), |&b| (b != 0).then(|| diagram.blocks[b].parent)).count()
    };
    let parent = |block: &[usize]| diagram.blocks[block[block.len() - 1]].parent;
    let (mut high, mut low) = (depth(from), depth(to));
    while parent(&ups) != parent(&downs) {
        if high >= low {
            ups.push(parent(&ups));
            high -= 1;
        } else {
            downs.push(parent(&downs));
            low -= 1;
        }
    }
    let inside = |child: usize| diagram.blocks[child].parent;
    let (last_up, last_down) = (ups[ups.len() - 1], downs[downs.len() - 1]);
    let mut way: Vec<(usize, Crossing)> = Vec::new();
    way.extend(ups[..ups.len() - 1].iter().map(|&child| (inside(child), Crossing::Out(child))));
    way.push((inside(last_up), Crossing::Within(last_up, last_down)));
    let downs = downs[..downs.len() - 1].iter().rev();
    way.extend(downs.map(|&child| (inside(child), Crossing::In(child))));
    way
}

fn without_needless_corners(path: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    for &point in path {
        if out.last() == Some(&point) {
            continue;
        }
        if let [.., a, b] = out[..]
            && ((a.0 == b.0 && b.0 == point.0) || (a.1 == b.1 && b.1 == point.1))
        {
            out.pop();
        }
        out.push(point);
    }
    out
}
