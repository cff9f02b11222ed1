//! Expressions with units, conditions, and signal temporal logic.

mod ast;
mod check;
mod check_number;
mod checked;
mod constant;
mod error;
mod evaluator;
mod explain;
mod invariant;
mod names;
mod parse;
mod sampled;
mod scalar;
mod solve;
mod steps;
mod timed;
mod token;
mod values;
mod verdict;

pub use ast::{Arithmetic, Ast, AstKind, Comparison, Function, Logic, Window};
pub use checked::{Checked, StateFormula};
pub use constant::evaluate_constant;
pub use error::{FormulaError, Problem, Span};
pub use evaluator::Evaluator;
pub use names::{Names, NoSuchSignal, SignalInfo, SignalKind};
pub use sampled::sampled_robustness;
pub use timed::{TimedCondition, Timer};
pub use values::{Needed, SampleError, Values};
pub use verdict::{Status, Verdict, Violation};

/// A formula as it was written: its text and its tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    ast: Ast,
}

impl Formula {
    /// Reads a formula; its names are not looked up yet.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        Ok(Formula { text: text.to_owned(), ast: parse::parse(text)? })
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// Looks up the names and checks types and units.
    pub fn check(&self, names: &dyn Names) -> Result<Checked, FormulaError> {
        check::check(&self.text, &self.ast, names)
    }
}
