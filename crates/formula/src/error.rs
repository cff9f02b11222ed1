//! What can be wrong with a formula, and where in its text.

use std::fmt;

use ironbird_units::UnitError;

/// A range of bytes in the text of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// From the start of `self` to the end of `other`.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }
}

/// A formula that cannot be used: what is wrong, and which bytes of its text are to blame.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{problem}")]
pub struct FormulaError {
    /// What is wrong.
    pub problem: Problem,
    /// Where.
    pub span: Span,
}

impl FormulaError {
    pub(crate) fn new(problem: Problem, span: Span) -> Self {
        FormulaError { problem, span }
    }

    /// What to write instead, where that can be said.
    pub fn help(&self) -> Option<String> {
        self.problem.help()
    }
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Problem {
    #[error("a formula is expected, but there is nothing")]
    Empty,
    #[error("the formula is longer than {limit} bytes")]
    TooLong { limit: usize },
    #[error("the formula is nested deeper than {limit} levels")]
    TooDeep { limit: usize },
    #[error("the calculation has more than {limit} operations")]
    TooLarge { limit: usize },
    #[error("\"{character}\" has no meaning here")]
    UnknownCharacter { character: char },
    #[error("the quoted name has no closing quote")]
    OpenQuote,
    #[error("a quoted name is empty")]
    EmptyName,
    #[error("\"{text}\" is not a name: an index is a whole number in brackets")]
    BadIndex { text: String },
    #[error("{0}")]
    Unit(UnitError),
    #[error("expected {expected}, found {found}")]
    Unexpected { expected: &'static str, found: String },
    #[error("comparisons cannot be chained")]
    ChainedComparison,
    #[error("the exponent of ^ must be a whole number from -16 to 16")]
    BadExponent,
    #[error("the bounds are in the wrong order: {low} is after {high}")]
    ReversedBounds { low: String, high: String },
    #[error("there is no function \"{name}\"{}", suggestion(.nearest))]
    UnknownFunction { name: String, nearest: Option<String> },
    #[error("{function} takes {expected}, not {found}")]
    ArgumentCount { function: &'static str, expected: &'static str, found: usize },
    #[error("there is no signal \"{path}\"{}", suggestion(.nearest))]
    UnknownSignal { path: String, nearest: Option<String> },
    #[error("\"{path}\" is not known in a constant expression{}", suggestion(.nearest))]
    NotConstant { path: String, nearest: Option<String> },
    #[error("\"{left}\" is {left_is}, but \"{right}\" is {right_is}")]
    Dimensions { left: String, left_is: String, right: String, right_is: String },
    #[error("\"{number}\" needs a unit: \"{other}\" is {other_is}")]
    BareNumber { number: String, other: String, other_is: String, unit: String },
    #[error("the dimension of \"{text}\" is out of range")]
    DimensionRange { text: String },
    #[error("{function} takes {expected}, but \"{text}\" is {found}")]
    Argument { function: &'static str, expected: &'static str, text: String, found: String },
    #[error("\"{text}\" has {leaves} values, where one is expected")]
    Vector { text: String, leaves: usize },
    #[error("\"{left}\" has {left_leaves} values, but \"{right}\" has {right_leaves}")]
    Leaves { left: String, left_leaves: usize, right: String, right_leaves: usize },
    #[error("\"{text}\" is a number, where a condition is expected")]
    NotACondition { text: String },
    #[error("\"{text}\" is a condition, where a number is expected")]
    NotANumber { text: String },
    #[error("\"{text}\" is a point on a temperature scale and cannot be used in this calculation")]
    OffsetLiteral { text: String, kelvin: String },
    #[error("\"{text}\" looks into the future, which a condition cannot")]
    TemporalInCondition { text: String },
    #[error("\"{text}\" has a `for` inside a `for`")]
    NestedFor { text: String },
    #[error("the value of \"{text}\" is not a finite number")]
    NotFinite { text: String },
    #[error("a division by \"{text}\", which is always 0")]
    DivisionByZero { text: String },
}

impl Problem {
    fn help(&self) -> Option<String> {
        let text = match self {
            Problem::ChainedComparison => "write `a < b and b < c`".to_owned(),
            Problem::UnknownSignal { path, .. } | Problem::NotConstant { path, .. }
                if path.contains('-') =>
            {
                "`-` may be part of a name; write spaces around it to subtract".to_owned()
            }
            Problem::OpenQuote => "close it with \"".to_owned(),
            Problem::BareNumber { number, unit, .. } => {
                format!("write the unit after the number, like `{number} {unit}`")
            }
            Problem::Vector { text, .. } => {
                format!("write `norm({text})` for its length, or one value like `{text}[0]`")
            }
            Problem::NotACondition { text } => format!("compare it, like `{text} > 0`"),
            Problem::OffsetLiteral { kelvin, .. } => {
                format!("write {kelvin} K for a difference")
            }
            Problem::TemporalInCondition { .. } => {
                "`always`, `eventually` and `until` belong into a requirement; use `for` here"
                    .to_owned()
            }
            Problem::TooDeep { .. } => "split it into several formulas".to_owned(),
            Problem::UnknownCharacter { character: '=' } => "write == to compare".to_owned(),
            Problem::UnknownCharacter { character: '&' } => "write `and` or &&".to_owned(),
            Problem::UnknownCharacter { character: '|' } => "write `or` or ||".to_owned(),
            _ => return None,
        };
        Some(text)
    }
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!(", did you mean \"{name}\"?")).unwrap_or_default()
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
