//! Finds the instant and the comparison to blame when a formula fails.

use crate::ast::Window;
use crate::checked::Node;
use crate::error::Span;
use crate::scalar::holds;
use crate::solve::Solution;

/// Why a formula fails (or holds) at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cause {
    pub time: u64,
    pub what: Blame,
    margin: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Blame {
    Atom(usize),
    /// A `for` that could not have lasted yet.
    TooEarly(Span),
}

/// What a cause explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Fails,
    Holds,
}

/// Why node `at`, which certainly fails or holds at `time`, does so. Of several causes that suffice
/// alone the earliest counts; where all are needed the latest, since until then there was hope. What
/// should have happened within a window did not happen by its end.
pub(crate) fn explain(
    nodes: &[Node],
    solution: &Solution,
    at: usize,
    time: u64,
    why: Why,
) -> Cause {
    let again = |node, time, why| explain(nodes, solution, node, time, why);
    let certain = |node: usize, time: u64, why: Why| match why {
        Why::Fails => !holds(solution.high(node).at(time)),
        Why::Holds => holds(solution.low(node).at(time)),
    };
    let fails: fn(f64) -> bool = |margin| !holds(margin);
    let until = |window: &Option<Window>| {
        window.map_or(solution.end, |w| time.saturating_add(w.to).min(solution.end))
    };
    let from = |window: &Option<Window>| {
        window.map_or(time, |w| time.saturating_add(w.from)).min(solution.end)
    };
    let margin = match why {
        Why::Fails => solution.high(at).at(time),
        Why::Holds => solution.low(at).at(time),
    };
    let cause = match (&nodes[at], why) {
        (Node::Atom(atom), _) => Cause { time, what: Blame::Atom(*atom), margin },
        (Node::Not(inner), Why::Fails) => again(*inner, time, Why::Holds),
        (Node::Not(inner), Why::Holds) => again(*inner, time, Why::Fails),
        (Node::And(a, b) | Node::Or(a, b), _) => {
            let conjunction = matches!(nodes[at], Node::And(..));
            let one_suffices = conjunction == (why == Why::Fails);
            match (certain(*a, time, why), certain(*b, time, why)) {
                (true, false) => again(*a, time, why),
                (false, true) => again(*b, time, why),
                _ => {
                    let (first, second) = (again(*a, time, why), again(*b, time, why));
                    choose(first, second, one_suffices, conjunction)
                }
            }
        }
        (Node::Eventually { window, inner, .. }, Why::Fails) => again(*inner, until(window), why),
        (Node::Eventually { window, inner, .. }, Why::Holds) => {
            let first = solution.low(*inner).first(from(window), until(window), holds);
            again(*inner, first.unwrap_or(time), why)
        }
        (Node::Until { window, left, right, .. }, Why::Fails) => {
            let deadline = until(window);
            match solution.high(*left).first(time, deadline, fails) {
                Some(broken) if broken < deadline || !certain(*right, deadline, why) => {
                    again(*left, broken, why)
                }
                _ => again(*right, deadline, why),
            }
        }
        (Node::Until { window, right, .. }, Why::Holds) => {
            let first = solution.low(*right).first(from(window), until(window), holds);
            again(*right, first.unwrap_or(time), why)
        }
        (Node::For { duration, inner, span }, Why::Fails) => match time.checked_sub(*duration) {
            None => Cause { time, what: Blame::TooEarly(*span), margin },
            Some(start) => {
                let first = solution.high(*inner).first(start, time, fails);
                again(*inner, first.unwrap_or(time), why)
            }
        },
        (Node::For { inner, .. }, Why::Holds) => again(*inner, time, why),
    };
    Cause { margin, ..cause }
}

fn choose(first: Cause, second: Cause, earliest: bool, conjunction: bool) -> Cause {
    let take_second = if first.time != second.time {
        (second.time < first.time) == earliest
    } else {
        // At one instant, the operand that decides the margin.
        let order = second.margin.total_cmp(&first.margin);
        if conjunction { order.is_lt() } else { order.is_gt() }
    };
    if take_second { second } else { first }
}
