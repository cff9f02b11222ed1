//! The tree of a formula as it was written.

use ironbird_units::Quantity;

use crate::error::Span;

/// A node and where it stands in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Ast {
    /// What it is.
    pub kind: AstKind,
    /// Which bytes of the text it covers.
    pub span: Span,
    /// How many levels of nodes lie below it, itself included.
    pub(crate) depth: usize,
}

/// What a node of a formula is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of the grammar")]
pub enum AstKind {
    Number(Quantity),
    Bool(bool),
    Signal(String),
    /// Simulated time.
    Time,
    Negate(Box<Ast>),
    Arithmetic(Arithmetic, Box<Ast>, Box<Ast>),
    Power(Box<Ast>, i8),
    Call(Function, Vec<Ast>),
    Compare(Comparison, Box<Ast>, Box<Ast>),
    Not(Box<Ast>),
    Logic(Logic, Box<Ast>, Box<Ast>),
    Always(Option<Window>, Box<Ast>),
    Eventually(Option<Window>, Box<Ast>),
    Until(Option<Window>, Box<Ast>, Box<Ast>),
    /// The condition has held for so many picoseconds.
    For(Box<Ast>, u64),
}

/// The bounds of a temporal operator in picoseconds, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The nearer bound.
    pub from: u64,
    /// The farther bound.
    pub to: u64,
}

/// Operators between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// The remainder that has the sign of the divisor.
    Modulo,
}

/// Operators between two conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Logic {
    And,
    Or,
    Implies,
}

/// Comparisons of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// Functions of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Function {
    Norm,
    Min,
    Max,
    Abs,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan2,
    Floor,
    Ceil,
    Exp,
    Ln,
    Sign,
}

impl Function {
    const ALL: [(Function, &'static str); 16] = [
        (Function::Norm, "norm"),
        (Function::Min, "min"),
        (Function::Max, "max"),
        (Function::Abs, "abs"),
        (Function::Sqrt, "sqrt"),
        (Function::Sin, "sin"),
        (Function::Cos, "cos"),
        (Function::Tan, "tan"),
        (Function::Asin, "asin"),
        (Function::Acos, "acos"),
        (Function::Atan2, "atan2"),
        (Function::Floor, "floor"),
        (Function::Ceil, "ceil"),
        (Function::Exp, "exp"),
        (Function::Ln, "ln"),
        (Function::Sign, "sign"),
    ];

    /// The name in a formula.
    pub fn name(self) -> &'static str {
        Function::ALL.iter().find(|(f, _)| *f == self).map_or("", |(_, name)| name)
    }

    pub(crate) fn find(name: &str) -> Option<Function> {
        Function::ALL.iter().find(|(_, n)| *n == name).map(|(f, _)| *f)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Function::ALL.iter().map(|(_, name)| *name)
    }
}

impl Ast {
    pub(crate) fn leaf(kind: AstKind, span: Span) -> Self {
        Ast { kind, span, depth: 1 }
    }
}
