//! Numbers that are computed from signals, again and again.

use std::sync::Arc;

use ironbird_units::Unit;

use crate::check::{Checker, Scope};
use crate::error::FormulaError;
use crate::names::Names;
use crate::parse::parse;
use crate::scalar::Scalar;
use crate::values::{Layout, Needed, Values};

/// A number that is computed from signals.
///
/// ```
/// use ironbird_formula::{Expression, Names, NoSuchSignal, SignalInfo, SignalKind};
///
/// struct Air;
/// impl Names for Air {
///     fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
///         let (id, unit) = if path == "speed" { (0, "kn") } else { (1, "deg") };
///         let unit = unit.parse().unwrap();
///         Ok(SignalInfo { id, unit, leaves: 1, kind: SignalKind::Number })
///     }
/// }
/// let east = Expression::parse("1.02 * speed * sin(heading)", &Air)?;
/// let mut values = east.values();
/// values.set(0, &[100.0])?;
/// values.set(1, &[90.0])?;
/// assert!((east.value(&values) - 102.0 * 1852.0 / 3600.0).abs() < 1e-9);
/// assert_eq!(east.unit().to_string(), "m/s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    layout: Arc<Layout>,
    scalar: Scalar,
    unit: Unit,
}

impl Expression {
    /// Reads an expression, looks up its names and checks its units.
    pub fn parse(text: &str, names: &dyn Names) -> Result<Self, FormulaError> {
        let ast = parse(text)?;
        let mut checker = Checker::new(text, Scope::Signals(names));
        let numbers = checker.single(&ast)?;
        let unit = Unit::base(numbers.dimension);
        let scalar = numbers.leaves.into_iter().next().unwrap_or(Scalar::Constant(f64::NAN));
        Ok(Expression { layout: Arc::new(Layout::new(checker.into_signals())), scalar, unit })
    }

    /// The signals that must be supplied.
    pub fn signals(&self) -> &[Needed] {
        &self.layout.signals
    }

    /// The base unit that its numbers are in.
    pub fn unit(&self) -> &Unit {
        &self.unit
    }

    /// A place for the values of its signals.
    pub fn values(&self) -> Values {
        Values::new(self.layout.clone())
    }

    /// The number for these values, in the base unit.
    pub fn value(&self, values: &Values) -> f64 {
        self.scalar.value(&values.leaves, values.sampled.as_secs_f64())
    }
}
