//! What a requirement compares with what, from its text.

use ironbird_formula::{Ast, AstKind, Comparison, Formula, Window, evaluate_constant};
use ironbird_units::Quantity;

/// A comparison in a formula. A number that does not change stands on its right.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// All of it, as written.
    pub text: String,
    pub left: String,
    pub right: String,
    pub comparison: Comparison,
    /// The right side, if it does not change.
    pub limit: Option<Quantity>,
}

/// When a requirement looks at its condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Looked {
    /// Whether the condition must hold always, and not just once.
    pub always: bool,
    pub window: Option<Window>,
    /// The condition.
    pub condition: String,
}

impl Compared {
    /// By how much it holds.
    pub fn margin(&self, left: f64, right: f64) -> f64 {
        match self.comparison {
            Comparison::Less | Comparison::LessOrEqual => right - left,
            Comparison::Greater | Comparison::GreaterOrEqual => left - right,
            Comparison::Equal => -(left - right).abs(),
            Comparison::NotEqual => (left - right).abs(),
        }
    }

    /// What its limit asks, for a legend.
    pub fn asks(&self) -> String {
        let word = match self.comparison {
            Comparison::Less => "below",
            Comparison::LessOrEqual => "at most",
            Comparison::Greater => "above",
            Comparison::GreaterOrEqual => "at least",
            Comparison::Equal => "exactly",
            Comparison::NotEqual => "not",
        };
        format!("{word} {}", self.right)
    }
}

/// The comparisons of signals in a formula, from left to right; none if it cannot be read.
pub fn comparisons(text: &str) -> Vec<Compared> {
    let mut found = Vec::new();
    if let Ok(formula) = Formula::parse(text) {
        collect(text, formula.ast(), &mut found);
    }
    found
}

fn collect(text: &str, ast: &Ast, found: &mut Vec<Compared>) {
    if let AstKind::Compare(comparison, left, right) = &ast.kind {
        found.extend(compared(text, ast, *comparison, left, right));
    }
    for child in children(ast) {
        collect(text, child, found);
    }
}

fn compared(
    text: &str,
    whole: &Ast,
    comparison: Comparison,
    left: &Ast,
    right: &Ast,
) -> Option<Compared> {
    let of = |ast: &Ast| text.get(ast.span.start..ast.span.end).unwrap_or_default().to_owned();
    let (whole, mut left_text, mut right_text) = (of(whole), of(left), of(right));
    let mut comparison = comparison;
    if !has_signal(left) {
        std::mem::swap(&mut left_text, &mut right_text);
        comparison = turned(comparison);
    }
    let limit = match has_signal(left) && has_signal(right) {
        true => None,
        false => Some(evaluate_constant(&right_text, &[]).ok()?),
    };
    let is_about_signals = has_signal(left) || has_signal(right);
    is_about_signals.then_some(Compared {
        text: whole,
        left: left_text,
        right: right_text,
        comparison,
        limit,
    })
}

/// The same comparison with its sides swapped.
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}

/// The signals that a formula names, each once.
pub fn signals(text: &str) -> Vec<String> {
    fn walk(ast: &Ast, found: &mut Vec<String>) {
        if let AstKind::Signal(path) = &ast.kind
            && !found.contains(path)
        {
            found.push(path.clone());
        }
        children(ast).into_iter().for_each(|child| walk(child, found));
    }
    let mut found = Vec::new();
    if let Ok(formula) = Formula::parse(text) {
        walk(formula.ast(), &mut found);
    }
    found
}

/// What `always` or `eventually` around all of a formula says; none if there is neither.
pub fn looked(text: &str) -> Option<Looked> {
    let formula = Formula::parse(text).ok()?;
    let (always, window, inner) = match &formula.ast().kind {
        AstKind::Always(window, inner) => (true, window, inner),
        AstKind::Eventually(window, inner) => (false, window, inner),
        _ => return None,
    };
    let condition = text.get(inner.span.start..inner.span.end)?.to_owned();
    Some(Looked { always, window: *window, condition })
}

fn has_signal(ast: &Ast) -> bool {
    matches!(ast.kind, AstKind::Signal(_)) || children(ast).into_iter().any(has_signal)
}

fn children(ast: &Ast) -> Vec<&Ast> {
    match &ast.kind {
        AstKind::Number(_) | AstKind::Bool(_) | AstKind::Signal(_) | AstKind::Time => Vec::new(),
        AstKind::Negate(inner)
        | AstKind::Power(inner, _)
        | AstKind::Not(inner)
        | AstKind::Always(_, inner)
        | AstKind::Eventually(_, inner)
        | AstKind::For(inner, _) => vec![inner],
        AstKind::Arithmetic(_, left, right)
        | AstKind::Compare(_, left, right)
        | AstKind::Logic(_, left, right)
        | AstKind::Until(_, left, right) => vec![left, right],
        AstKind::Call(_, arguments) => arguments.iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_stands_on_the_right_whichever_side_it_was_written_on() {
        let found = comparisons("always (time > 5 s implies 12 deg >= abs(roll) and pitch < yaw)");
        let sides: Vec<_> = found.iter().map(|c| (c.left.as_str(), c.asks())).collect();
        assert_eq!(
            sides,
            [("abs(roll)", "at most 12 deg".to_owned()), ("pitch", "below yaw".to_owned())]
        );
        assert_eq!(found[0].limit.as_ref().map(Quantity::number), Some(12.0));
        assert_eq!(found[1].limit, None);
    }

    #[test]
    fn a_window_and_the_condition_in_it_are_found() {
        let found = looked("always[3 s, 5 s] (x < 1 m)").unwrap();
        assert!(found.always && found.condition.contains("x < 1 m"));
        assert_eq!(
            found.window.map(|w| (w.from, w.to)),
            Some((3_000_000_000_000, 5_000_000_000_000))
        );
        assert_eq!(looked("x < 1 m"), None);
        assert_eq!(signals("eventually landed and x < 1 m and x > 0 m"), ["landed", "x"]);
    }
}
