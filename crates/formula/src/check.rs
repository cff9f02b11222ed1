//! Checks the names, types and units of a formula and compiles its logic.

use std::sync::Arc;

use ironbird_kernel::path::nearest;
use ironbird_units::Dimension;

use crate::ast::{Ast, AstKind, Comparison, Logic, Window};
use crate::checked::{Atom, AtomKind, Checked, Node};
use crate::error::{FormulaError, Problem, Span};
use crate::names::{Names, SignalKind};
use crate::scalar::Scalar;
use crate::values::{Layout, Needed};

type Result<T> = std::result::Result<T, FormulaError>;

/// What names mean while a formula is checked.
pub(crate) enum Scope<'a> {
    Signals(&'a dyn Names),
    /// Numbers without unit, for constant expressions.
    Variables(&'a [(&'a str, f64)]),
}

pub(crate) struct Checker<'a> {
    source: &'a str,
    scope: Scope<'a>,
    signals: Vec<Needed>,
    atoms: Vec<Atom>,
    nodes: Vec<Node>,
}

pub(crate) fn check(source: &str, ast: &Ast, names: &dyn Names) -> Result<Checked> {
    let mut checker = Checker::new(source, Scope::Signals(names));
    checker.condition(ast)?;
    Ok(Checked {
        text: source.into(),
        layout: Arc::new(Layout::new(checker.signals)),
        atoms: checker.atoms.into(),
        nodes: checker.nodes,
    })
}

impl<'a> Checker<'a> {
    pub(crate) fn new(source: &'a str, scope: Scope<'a>) -> Self {
        Checker { source, scope, signals: Vec::new(), atoms: Vec::new(), nodes: Vec::new() }
    }

    /// The signals that were met.
    pub(crate) fn into_signals(self) -> Vec<Needed> {
        self.signals
    }

    pub(crate) fn text(&self, ast: &Ast) -> String {
        self.source[ast.span.start..ast.span.end].to_owned()
    }

    /// The value of a variable of a constant expression.
    pub(crate) fn variable(&self, name: &str) -> Option<f64> {
        let Scope::Variables(variables) = self.scope else { return None };
        variables.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }

    pub(crate) fn signal(&mut self, path: &str, ast: &Ast) -> Result<Needed> {
        if let Some(seen) = self.signals.iter().find(|s| s.path == path) {
            return Ok(seen.clone());
        }
        let path = path.to_owned();
        let names = match self.scope {
            Scope::Signals(names) => names,
            Scope::Variables(variables) => {
                let known = variables.iter().map(|(name, _)| *name);
                let nearest = nearest(&path, known).map(str::to_owned);
                return Err(FormulaError::new(Problem::NotConstant { path, nearest }, ast.span));
            }
        };
        let info = names.signal(&path).map_err(|unknown| {
            let (path, nearest) = (path.clone(), unknown.nearest);
            FormulaError::new(Problem::UnknownSignal { path, nearest }, ast.span)
        })?;
        let place = self.signals.last().map_or(0, |s| s.place + s.leaves);
        let (id, leaves, kind, unit) = (info.id, info.leaves, info.kind, info.unit);
        let needed = Needed { path, id, leaves, kind, unit, place };
        self.signals.push(needed.clone());
        Ok(needed)
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn atom(&mut self, ast: &Ast, kind: AtomKind, dimension: Dimension) -> usize {
        let text = self.text(ast);
        self.atoms.push(Atom { text, kind, dimension });
        self.push(Node::Atom(self.atoms.len() - 1))
    }

    fn negation(&mut self, of: usize) -> usize {
        match self.nodes[of] {
            // Only at the end of the list, where taking it out leaves no gap.
            Node::Not(inner) if of + 1 == self.nodes.len() => {
                self.nodes.pop();
                inner
            }
            _ => self.push(Node::Not(of)),
        }
    }

    /// Compiles a condition; its node is the last of the list.
    pub(crate) fn condition(&mut self, ast: &Ast) -> Result<usize> {
        match &ast.kind {
            AstKind::Bool(value) => Ok(self.atom(ast, AtomKind::Constant(*value), Dimension::NONE)),
            AstKind::Signal(path) => self.flag(path, ast),
            AstKind::Compare(comparison, left, right) => {
                self.comparison(*comparison, ast, left, right)
            }
            AstKind::Not(inner) => {
                let inner = self.condition(inner)?;
                Ok(self.negation(inner))
            }
            AstKind::Logic(logic, left, right) => {
                let mut left = self.condition(left)?;
                if *logic == Logic::Implies {
                    left = self.negation(left);
                }
                let right = self.condition(right)?;
                Ok(self.push(match logic {
                    Logic::And => Node::And(left, right),
                    Logic::Or | Logic::Implies => Node::Or(left, right),
                }))
            }
            AstKind::Eventually(window, inner) => {
                let inner = self.condition(inner)?;
                Ok(self.push(Node::Eventually { window: *window, inner, span: ast.span }))
            }
            AstKind::Always(window, inner) => self.always(*window, inner, ast.span),
            AstKind::Until(window, left, right) => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                Ok(self.push(Node::Until { window: *window, left, right, span: ast.span }))
            }
            AstKind::For(inner, duration) => {
                let inner = self.condition(inner)?;
                Ok(self.push(Node::For { duration: *duration, inner, span: ast.span }))
            }
            _ => {
                // A mistake inside the calculation is nearer to the cause than its being one.
                self.numbers(ast)?;
                let text = self.text(ast);
                Err(FormulaError::new(Problem::NotACondition { text }, ast.span))
            }
        }
    }

    fn always(&mut self, window: Option<Window>, inner: &Ast, span: Span) -> Result<usize> {
        let inner = self.condition(inner)?;
        let inner = self.negation(inner);
        let fails = self.push(Node::Eventually { window, inner, span });
        Ok(self.push(Node::Not(fails)))
    }

    /// A boolean signal that stands alone.
    fn flag(&mut self, path: &str, ast: &Ast) -> Result<usize> {
        let signal = self.signal(path, ast)?;
        let text = || self.text(ast);
        match (signal.kind, signal.leaves) {
            (SignalKind::Bool, 1) => {
                Ok(self.atom(ast, AtomKind::Flag(signal.place), Dimension::NONE))
            }
            (SignalKind::Bool, leaves) => {
                Err(FormulaError::new(Problem::Vector { text: text(), leaves }, ast.span))
            }
            _ => Err(FormulaError::new(Problem::NotACondition { text: text() }, ast.span)),
        }
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        ast: &Ast,
        left_ast: &Ast,
        right_ast: &Ast,
    ) -> Result<usize> {
        if let Some(node) = self.truth_comparison(comparison, left_ast, right_ast)? {
            return Ok(node);
        }
        let (left, right) = (self.single(left_ast)?, self.single(right_ast)?);
        let dimension = self.same_dimension((left_ast, &left), (right_ast, &right))?;
        let kind = match (&left.leaves[0], &right.leaves[0]) {
            (Scalar::Time, Scalar::Constant(seconds)) => AtomKind::Clock(comparison, *seconds),
            (Scalar::Constant(seconds), Scalar::Time) => {
                AtomKind::Clock(comparison.mirrored(), *seconds)
            }
            (left, right) => AtomKind::Compare(comparison, left.clone(), right.clone()),
        };
        Ok(self.atom(ast, kind, dimension))
    }

    /// `flag == true` and its like: the condition itself, or its negation.
    fn truth_comparison(
        &mut self,
        comparison: Comparison,
        left: &Ast,
        right: &Ast,
    ) -> Result<Option<usize>> {
        let equal = match comparison {
            Comparison::Equal => true,
            Comparison::NotEqual => false,
            _ => return Ok(None),
        };
        let (condition, value) = match (&left.kind, &right.kind) {
            (_, AstKind::Bool(value)) => (left, *value),
            (AstKind::Bool(value), _) => (right, *value),
            _ => return Ok(None),
        };
        let node = self.condition(condition)?;
        Ok(Some(if value == equal { node } else { self.negation(node) }))
    }
}
