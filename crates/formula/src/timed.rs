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
        let mut split = Split { formula: self, atoms: self.atoms.to_vec(), timers: Vec::new() };
        let mut outer = Vec::new();
        split.copy(self.nodes.len() - 1, &mut outer, None)?;
        let Split { atoms, timers, .. } = split;
        let atoms: Arc<[Atom]> = atoms.into();
        let formula =
            |nodes| StateFormula { layout: self.layout.clone(), atoms: atoms.clone(), nodes };
        let timers = timers
            .into_iter()
            .map(|(nodes, duration)| Timer { condition: formula(nodes), duration })
            .collect();
        Ok(TimedCondition { timers, outer: formula(outer) })
    }
}

struct Split<'a> {
    formula: &'a Checked,
    atoms: Vec<Atom>,
    timers: Vec<(Vec<Node>, Duration)>,
}

impl Split<'_> {
    /// Appends the subtree of `root` to `into`, with a timer in the place of every `for`; inside
    /// the `for` at `within`, none may follow.
    fn copy(
        &mut self,
        root: usize,
        into: &mut Vec<Node>,
        within: Option<Span>,
    ) -> Result<usize, FormulaError> {
        let node = match &self.formula.nodes[root] {
            Node::Atom(atom) => Node::Atom(*atom),
            Node::Not(inner) => Node::Not(self.copy(*inner, into, within)?),
            Node::And(a, b) => {
                Node::And(self.copy(*a, into, within)?, self.copy(*b, into, within)?)
            }
            Node::Or(a, b) => Node::Or(self.copy(*a, into, within)?, self.copy(*b, into, within)?),
            Node::Eventually { span, .. } | Node::Until { span, .. } => {
                let text = self.formula.text_of(*span);
                return Err(FormulaError::new(Problem::TemporalInCondition { text }, *span));
            }
            Node::For { duration, inner, span } => {
                let text = self.formula.text_of(*span);
                if let Some(outer) = within {
                    let text = self.formula.text_of(outer);
                    return Err(FormulaError::new(Problem::NestedFor { text }, *span));
                }
                let mut condition = Vec::new();
                self.copy(*inner, &mut condition, Some(*span))?;
                let kind = AtomKind::Slot(self.timers.len());
                self.timers.push((condition, Duration::from_ps(*duration)));
                self.atoms.push(Atom { text, kind, dimension: Dimension::NONE });
                Node::Atom(self.atoms.len() - 1)
            }
        };
        into.push(node);
        Ok(into.len() - 1)
    }
}
