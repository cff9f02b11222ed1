//! A formula whose names, types and units are right, in the form that is evaluated.
//!
//! Nodes lie in one list, children before parents, so that evaluation is a loop. `always`, `implies`
//! and `true` are expressed by what is left: `always f` is `not eventually not f`.

use std::sync::Arc;

use ironbird_kernel::Time;
use ironbird_units::Dimension;

use crate::ast::{Comparison, Window};
use crate::error::Span;
use crate::scalar::{Scalar, certain, greater, holds, lesser};
use crate::values::{Layout, Needed, Values};

/// What is true or false at an instant without looking at other instants.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub text: String,
    pub kind: AtomKind,
    pub dimension: Dimension,
}

#[derive(Clone, Debug)]
pub(crate) enum AtomKind {
    Constant(bool),
    /// A boolean signal: its place in [`Values`].
    Flag(usize),
    Compare(Comparison, Scalar, Scalar),
    /// Simulated time compared with a constant number of seconds. It changes between samples, and
    /// its margin would grow with every instant; so it is merely true or false.
    Clock(Comparison, f64),
    /// Whether a `for` is fulfilled, which a caller finds out with a timer.
    Slot(usize),
}

/// An atom at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub margin: f64,
    /// The left side of the comparison.
    pub value: f64,
}

impl Atom {
    pub(crate) fn read(&self, values: &Values, slots: &[bool]) -> Reading {
        let truth = |truth: bool| Reading { margin: certain(truth), value: f64::from(truth) };
        match &self.kind {
            AtomKind::Constant(value) => truth(*value),
            AtomKind::Flag(place) => truth(values.leaves[*place] != 0.0),
            AtomKind::Slot(slot) => truth(slots.get(*slot).copied().unwrap_or(false)),
            AtomKind::Compare(comparison, left, right) => {
                let time = values.sampled.as_secs_f64();
                let (left, right) =
                    (left.value(&values.leaves, time), right.value(&values.leaves, time));
                Reading { margin: comparison.margin(left, right), value: left }
            }
            AtomKind::Clock(comparison, seconds) => {
                let value = values.now.as_secs_f64();
                Reading { margin: certain(holds(comparison.margin(value, *seconds))), value }
            }
        }
    }

    /// Whether its margin is a quantity and not merely true or false.
    fn is_quantitative(&self) -> bool {
        matches!(self.kind, AtomKind::Compare(..))
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Or(usize, usize),
    Eventually { window: Option<Window>, inner: usize, span: Span },
    Until { window: Option<Window>, left: usize, right: usize, span: Span },
    For { duration: u64, inner: usize, span: Span },
}

impl Node {
    pub(crate) fn is_temporal(&self) -> bool {
        matches!(self, Node::Eventually { .. } | Node::Until { .. } | Node::For { .. })
    }

    /// The same node with its bounds in multiples of `period`, of which they must be multiples.
    pub(crate) fn in_ticks_of(&self, period: u64) -> Node {
        let mut node = self.clone();
        match &mut node {
            Node::Eventually { window: Some(window), .. }
            | Node::Until { window: Some(window), .. } => {
                *window = Window { from: window.from / period, to: window.to / period };
            }
            Node::For { duration, .. } => *duration /= period,
            _ => {}
        }
        node
    }
}

/// A formula that fits the system it speaks about.
#[derive(Clone, Debug)]
pub struct Checked {
    pub(crate) text: Arc<str>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) atoms: Arc<[Atom]>,
    /// Children before parents; the last is the whole formula.
    pub(crate) nodes: Vec<Node>,
}

impl Checked {
    /// The text of the formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn text_of(&self, span: Span) -> String {
        self.text[span.start..span.end].to_owned()
    }

    /// The signals that must be supplied.
    pub fn signals(&self) -> &[Needed] {
        &self.layout.signals
    }

    /// Whether the formula can be decided at one instant: it has no temporal operator and no `for`.
    pub fn is_state_formula(&self) -> bool {
        !self.nodes.iter().any(Node::is_temporal)
    }

    /// The formula for evaluation at single instants, if that is possible.
    pub fn state_formula(&self) -> Option<StateFormula> {
        self.is_state_formula().then(|| StateFormula {
            layout: self.layout.clone(),
            atoms: self.atoms.clone(),
            nodes: self.nodes.clone(),
        })
    }

    /// The unit of the formula's margin in SI base units: empty where it has none, "mixed units"
    /// where the formula compares quantities of several kinds.
    pub fn margin_unit(&self) -> String {
        let mut dimensions =
            self.atoms.iter().filter(|a| a.is_quantitative()).map(|atom| atom.dimension);
        let Some(first) = dimensions.next() else { return String::new() };
        if dimensions.any(|other| other != first) {
            return "mixed units".to_owned();
        }
        if first.is_none() { String::new() } else { first.to_string() }
    }
}

/// A formula that speaks about one instant.
#[derive(Clone, Debug)]
pub struct StateFormula {
    pub(crate) layout: Arc<Layout>,
    pub(crate) atoms: Arc<[Atom]>,
    pub(crate) nodes: Vec<Node>,
}

impl StateFormula {
    /// The signals that must be supplied.
    pub fn signals(&self) -> &[Needed] {
        &self.layout.signals
    }

    /// A place for the values of the formula's signals. Formulas that were split from one formula
    /// read the same values.
    pub fn values(&self) -> Values {
        Values::new(self.layout.clone())
    }

    /// Whether the formula is true for these values.
    pub fn holds(&self, values: &Values) -> bool {
        holds(self.margin(values, &[]))
    }

    /// Whether the formula is true for these values and these fulfilled timers
    /// ([`crate::TimedCondition`]).
    pub fn holds_with(&self, values: &Values, timers: &[bool]) -> bool {
        holds(self.margin(values, timers))
    }

    /// By how much the formula is true (positive) or false (negative): `a < b` gives b - a,
    /// `a == b` gives -|a - b|; `and` is the minimum, `or` the maximum, `not` the negative; what is
    /// merely true or false counts as plus or minus infinity.
    pub fn robustness(&self, values: &Values) -> f64 {
        // Without the sign of zero, which carries the truth of a strict comparison.
        self.margin(values, &[]) + 0.0
    }

    fn margin(&self, values: &Values, slots: &[bool]) -> f64 {
        let mut margins = Vec::with_capacity(self.nodes.len());
        state_margins(&self.nodes, |a| self.atoms[a].read(values, slots).margin, &mut margins)
    }
}

/// Fills in the margin of every node of a state formula; the last one is returned.
pub(crate) fn state_margins(
    nodes: &[Node],
    atom: impl Fn(usize) -> f64,
    margins: &mut Vec<f64>,
) -> f64 {
    margins.clear();
    for node in nodes {
        let margin = node_margin(node, &atom, margins);
        margins.push(margin);
    }
    margins.last().copied().unwrap_or(f64::NEG_INFINITY)
}

/// The margin of a node of a state formula whose children have theirs.
fn node_margin(node: &Node, atom: impl Fn(usize) -> f64, margins: &[f64]) -> f64 {
    match *node {
        Node::Atom(index) => atom(index),
        Node::Not(inner) => -margins[inner],
        Node::And(a, b) => lesser(margins[a], margins[b]),
        Node::Or(a, b) => greater(margins[a], margins[b]),
        // Not part of a state formula; nothing reads what stands here.
        Node::Eventually { .. } | Node::Until { .. } | Node::For { .. } => f64::NEG_INFINITY,
    }
}

/// The margin at which a node decides that of its parent by itself, and the parent; none for a node that cannot.
pub(crate) type ShortCut = Option<(f64, usize)>;

/// The short cuts of a state formula: minus infinity on the left of `and`, plus infinity on the left of `or`.
///
/// Nodes between a left side and its parent are those of the right side, which nobody else reads.
pub(crate) fn short_cuts(nodes: &[Node]) -> Vec<ShortCut> {
    let mut cuts = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        match *node {
            Node::And(left, _) => cuts[left] = Some((f64::NEG_INFINITY, parent)),
            Node::Or(left, _) => cuts[left] = Some((f64::INFINITY, parent)),
            _ => {}
        }
    }
    cuts
}

/// As [`state_margins`], without what the margin does not depend on: comparisons with time are plus or minus infinity,
/// so that most of the instants of a requirement about some seconds of a run cost little. Margins are never NaN.
pub(crate) fn state_margin(
    nodes: &[Node],
    cuts: &[ShortCut],
    atom: impl Fn(usize) -> f64,
    margins: &mut Vec<f64>,
) -> f64 {
    margins.clear();
    while margins.len() < nodes.len() {
        let mut at = margins.len();
        let margin = node_margin(&nodes[at], &atom, margins);
        margins.push(margin);
        while let Some((decisive, parent)) = cuts[at]
            && margin == decisive
        {
            // Nothing reads what stands in between.
            margins.resize(parent + 1, margin);
            at = parent;
        }
    }
    margins.last().copied().unwrap_or(f64::NEG_INFINITY)
}

/// The atom that decides the margin of a state formula.
pub(crate) fn deciding_atom(nodes: &[Node], margins: &[f64]) -> usize {
    let mut at = nodes.len() - 1;
    loop {
        at = match nodes[at] {
            Node::Atom(atom) => return atom,
            Node::And(a, b) if margins[b].total_cmp(&margins[a]).is_lt() => b,
            Node::Or(a, b) if margins[b].total_cmp(&margins[a]).is_gt() => b,
            Node::And(a, _) | Node::Or(a, _) | Node::Not(a) => a,
            Node::Eventually { inner, .. } | Node::For { inner, .. } => inner,
            Node::Until { right, .. } => right,
        };
    }
}

/// The instants at which a comparison of time with `seconds` may change its truth.
pub(crate) fn clock_changes(seconds: f64) -> [Time; 2] {
    let first = |reached: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0u64, u64::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            if reached(Time::from_ps(middle).as_secs_f64()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Time::from_ps(low)
    };
    [first(&|t| t >= seconds), first(&|t| t > seconds)]
}
