//! Evaluates a formula over a whole trace, bottom up, with bounds where the future is unseen.

use std::rc::Rc;

use crate::checked::Node;
use crate::steps::{Horizon, Steps};

/// What the end of the samples means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The run ended as planned: operators without bounds speak about the run and close with it;
    /// a bounded window that reaches past the end has an unseen part.
    Regular,
    /// The run was aborted: nothing is known of what would have followed.
    Aborted,
    /// Every window is cut off at the end, as is usual for sampled signals.
    Cut,
}

/// A lower and an upper bound of every node's margin at every instant.
pub(crate) struct Solution {
    low: Vec<Rc<Steps>>,
    high: Vec<Rc<Steps>>,
    pub end: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Low,
    High,
}

impl Solution {
    pub(crate) fn low(&self, node: usize) -> &Steps {
        &self.low[node]
    }

    pub(crate) fn high(&self, node: usize) -> &Steps {
        &self.high[node]
    }

    fn side(&self, node: usize, side: Side) -> &Rc<Steps> {
        match side {
            Side::Low => &self.low[node],
            Side::High => &self.high[node],
        }
    }

    /// Evaluates all nodes over the margins of the atoms.
    pub(crate) fn new(nodes: &[Node], atoms: Vec<Steps>, end: u64, ending: Ending) -> Self {
        let atoms: Vec<Rc<Steps>> = atoms.into_iter().map(Rc::new).collect();
        let mut solution = Solution { low: Vec::new(), high: Vec::new(), end };
        for node in nodes {
            let low = solution.evaluate(node, Side::Low, &atoms, ending);
            let high = if solution.is_exact(node, ending) {
                low.clone()
            } else {
                solution.evaluate(node, Side::High, &atoms, ending)
            };
            solution.low.push(low);
            solution.high.push(high);
        }
        solution
    }

    /// Whether both bounds of a node are the same: those of its children are, and it sees no
    /// unseen future.
    fn is_exact(&self, node: &Node, ending: Ending) -> bool {
        let same = |child: usize| Rc::ptr_eq(&self.low[child], &self.high[child]);
        let closed = |bounded: bool| horizon(ending, bounded, Side::Low, self.end).beyond.is_none();
        match node {
            Node::Atom(_) => true,
            Node::Not(inner) | Node::For { inner, .. } => same(*inner),
            Node::And(a, b) | Node::Or(a, b) => same(*a) && same(*b),
            Node::Eventually { window, inner, .. } => same(*inner) && closed(window.is_some()),
            Node::Until { window, left, right, .. } => {
                same(*left) && same(*right) && closed(window.is_some())
            }
        }
    }

    fn evaluate(&self, node: &Node, side: Side, atoms: &[Rc<Steps>], ending: Ending) -> Rc<Steps> {
        let of = |child: usize| self.side(child, side);
        let horizon = |bounded: bool| horizon(ending, bounded, side, self.end);
        Rc::new(match node {
            Node::Atom(atom) => return atoms[*atom].clone(),
            // The lower bound of a negation comes from the upper bound of what it negates.
            Node::Not(inner) => match side {
                Side::Low => self.high[*inner].negated(),
                Side::High => self.low[*inner].negated(),
            },
            Node::And(a, b) => of(*a).both(of(*b)),
            Node::Or(a, b) => of(*a).either(of(*b)),
            Node::Eventually { window, inner, .. } => {
                of(*inner).eventually(*window, horizon(window.is_some()))
            }
            Node::Until { window, left, right, .. } => {
                of(*left).until(of(*right), *window, horizon(window.is_some()))
            }
            Node::For { duration, inner, .. } => of(*inner).held_for(*duration, self.end),
        })
    }
}

fn horizon(ending: Ending, bounded: bool, side: Side, end: u64) -> Horizon {
    let unseen = match side {
        Side::Low => f64::NEG_INFINITY,
        Side::High => f64::INFINITY,
    };
    let open = match ending {
        Ending::Regular => bounded,
        Ending::Aborted => true,
        Ending::Cut => false,
    };
    Horizon { end, beyond: open.then_some(unseen) }
}
