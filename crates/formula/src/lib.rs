//! Expressions with units, conditions, and signal temporal logic: what a requirement or a trigger
//! says about the signals of a system.
//!
//! ```text
//! text ──► Formula ──► Checked ──► Evaluator ──► Verdict          a requirement, over a whole run
//!          parse       names,  ├─► TimedCondition                 a trigger, at every instant
//!                      units   └─► StateFormula                   at one instant
//! ```
//!
//! ```
//! use ironbird_formula::{Evaluator, Formula, Names, NoSuchSignal, SignalInfo, SignalKind, Status};
//! use ironbird_kernel::{Duration, Time};
//!
//! struct Drone;
//! impl Names for Drone {
//!     fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
//!         match path {
//!             "drone.altitude" => Ok(SignalInfo {
//!                 id: 0,
//!                 unit: "ft".parse().unwrap(),
//!                 leaves: 1,
//!                 kind: SignalKind::Number,
//!             }),
//!             _ => Err(NoSuchSignal { nearest: Some("drone.altitude".to_owned()) }),
//!         }
//!     }
//! }
//!
//! let formula = Formula::parse("always drone.altitude >= 10 m")?;
//! let mut evaluator = Evaluator::new(formula.check(&Drone)?);
//! let second = |s| Time::ZERO + Duration::from_secs(s);
//! evaluator.push(second(0), 0, &[100.0])?;
//! evaluator.push(second(7), 0, &[30.0])?;
//! let verdict = evaluator.finish(second(10))?;
//! assert_eq!(verdict.status, Status::Fail);
//! assert!((verdict.margin + 0.856).abs() < 1e-9 && verdict.margin_unit == "m");
//! assert_eq!(verdict.first_violation.unwrap().time, second(7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The language
//!
//! | | |
//! |---|---|
//! | numbers | `0.5`, `10 m/s`, `15deg`, `-20 degC`; a unit goes on as long as no space interrupts it: `10 m/s` is a speed, `10 m / 2` a length. After a number, `%` is the unit unless an operand follows |
//! | signals | `drone.altitude`, `quad[3].imu.rate`, `pose.position[2]`, `"odd name".x`, `.imu.rate`; `-` belongs to a name unless spaces surround it, so a difference is written `a - b` |
//! | arithmetic | `+ - * / %`, `^` with a whole exponent, `norm min max abs sqrt sin cos tan asin acos atan2 floor ceil exp ln sign`, `time` |
//! | vectors | `+ -` and scaling, element by element; `norm(a.position - b.position)` makes a number of them |
//! | comparisons | `< <= > >= == !=`, not chained |
//! | logic | `not and or implies`, also `! && \|\| ->`; `true`, `false`, boolean signals |
//! | future | `always f`, `eventually f`, `f until g`, with or without bounds: `always[0, 2 s] f` |
//! | past | `f for 10 s`: f has held without interruption for the last 10 s |
//!
//! From the weakest to the strongest: `implies` (to the right), `or`, `and`, `until`, `for`, `not`,
//! comparisons, `+ -`, `* / %`, unary `-`, `^`. `always` and `eventually` reach as far to the right as
//! they can.
//!
//! Everything is computed in SI base units. Sums and comparisons need equal dimensions; a bare
//! number fits a quantity with a unit only if it is 0, and a temperature not even then. An angle
//! counts as a dimension while it is scaled or measured against time, and vanishes in other products
//! (`rad/s * m` is `m/s`). A temperature in `degC` is a point on a scale: it may be compared, stand in
//! `min`, `max`, `abs`, and be subtracted; a difference is written in `K`.
//!
//! # Semantics
//!
//! A signal holds its value until its next sample. Time counts in picoseconds, windows include both
//! ends, and `f until[a, b] g` means: g at some instant t' of the window, and f from now until just
//! before t'. `time` inside a calculation is the instant of the latest sample; compared with a constant
//! it is exact at every instant. A comparison with NaN does not hold.
//!
//! The margin (robustness) of `a < b` is b - a, of `a == b` it is -|a - b|; `and` and `always` are
//! minima, `or` and `eventually` maxima, `not` the negative; what is merely true or false counts as
//! plus or minus infinity. A formula passes if its margin is positive and fails if it is negative. At
//! zero the comparison that decides the margin decides: `<=`, `>=` and `==` hold, `<`, `>` and `!=` do
//! not.
//!
//! What lies after the end of a trace is unknown. An operator without bounds closes with a run that
//! ended as planned ([`Evaluator::finish`]); a bounded window that reaches past the end leaves a range
//! of margins, and the verdict is inconclusive if zero lies in it.

mod ast;
mod check;
mod check_number;
mod checked;
mod constant;
mod error;
mod evaluator;
mod explain;
mod expression;
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
pub use expression::Expression;
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
