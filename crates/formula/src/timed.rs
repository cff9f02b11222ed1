//! Conditions with `for`, taken apart so that a caller can keep the time.

use std::sync::Arc;

use ironbird_kernel::Duration;
use ironbird_units::Dimension;

use crate::checked::{Atom, AtomKind, Checked, Node, StateFormula};
use crate::error::{FormulaError, Problem, Span};
use crate::values::Values;

/// A condition whose `for` parts are realised by timers.
///
/// A timer runs while its condition holds: it starts when the condition becomes true, is fulfilled
/// once it has run for its duration, and is reset when the condition becomes false. The whole
/// condition is `outer`, given which timers are fulfilled ([`StateFormula::holds_with`]). All parts
/// read the same [`Values`].
#[derive(Clone, Debug)]
pub struct TimedCondition {
    /// One for every `for`, in the order of the text.
    pub timers: Vec<Timer>,
    /// The condition over signals and timers.
    pub outer: StateFormula,
}

/// A `for` of a condition.
#[derive(Clone, Debug)]
pub struct Timer {
    /// What must hold without interruption.
    pub condition: StateFormula,
    /// For how long.
    pub duration: Duration,
}

impl TimedCondition {
    /// A place for the values that all parts read.
    pub fn values(&self) -> Values {
        self.outer.values()
    }
}

impl Checked {
    /// Takes a condition apart into timers and what joins them. A formula that looks into the
    /// future, or has a `for` inside a `for`, is refused.
    pub fn split_for(&self) -> Result<TimedCondition, FormulaError> {
        let whole = Span { start: 0, end: self.text.len() };
        let refuse = |problem| Err(FormulaError::new(problem, whole));
        let mut atoms = self.atoms.to_vec();
        // A fulfilled timer stands where its `for` was; what lay below it stays, unread.
        let mut outer = self.nodes.clone();
        let mut timers = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            match node {
                Node::Eventually { .. } | Node::Until { .. } => {
                    let text = self.text.to_string();
                    return refuse(Problem::TemporalInCondition { text });
                }
                Node::For { text, duration, inner } => {
                    let nodes = self.subtree(*inner);
                    if nodes.iter().any(Node::is_temporal) {
                        return refuse(Problem::NestedFor { text: text.clone() });
                    }
                    outer[index] = Node::Atom(atoms.len());
                    let kind = AtomKind::Slot(timers.len());
                    atoms.push(Atom { text: text.clone(), kind, dimension: Dimension::NONE });
                    timers.push((nodes, Duration::from_ps(*duration)));
                }
                _ => {}
            }
        }
        let atoms: Arc<[Atom]> = atoms.into();
        let formula =
            |nodes| StateFormula { layout: self.layout.clone(), atoms: atoms.clone(), nodes };
        let timers = timers
            .into_iter()
            .map(|(nodes, duration)| Timer { condition: formula(nodes), duration })
            .collect();
        Ok(TimedCondition { timers, outer: formula(outer) })
    }

    /// The nodes up to `root`: they hold its whole subtree, because children come first.
    fn subtree(&self, root: usize) -> Vec<Node> {
        self.nodes[..=root].to_vec()
    }
}
