//! Expressions over plain numbers that are computed once, for templates.

use ironbird_units::{Quantity, Unit};

use crate::ast::AstKind;
use crate::check::{Checker, Scope};
use crate::error::{FormulaError, Problem};
use crate::parse::parse;
use crate::scalar::Scalar;

/// The value of `text`, an expression over `variables`, which are plain numbers.
///
/// ```
/// let x = ironbird_formula::evaluate_constant("10 m * (i % 8)", &[("i", 11.0)])?;
/// assert_eq!(x.to(&"m".parse().unwrap()), Ok(30.0));
/// # Ok::<(), ironbird_formula::FormulaError>(())
/// ```
pub fn evaluate_constant(text: &str, variables: &[(&str, f64)]) -> Result<Quantity, FormulaError> {
    let ast = parse(text)?;
    if let AstKind::Number(quantity) = &ast.kind {
        // As written, so that its own unit brings the same digits back.
        return Ok(quantity.clone());
    }
    let numbers = Checker::new(text, Scope::Variables(variables)).single(&ast)?;
    match numbers.leaves[0] {
        Scalar::Constant(value) => Ok(Quantity::new(value, Unit::base(numbers.dimension))),
        _ => {
            let problem = Problem::NotConstant { path: "time".to_owned(), nearest: None };
            Err(FormulaError::new(problem, ast.span))
        }
    }
}
