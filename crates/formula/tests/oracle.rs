//! The evaluator beside a slow and simple oracle that applies the textbook definitions at every tick.
//!
//! `IRONBIRD_CASES=5000 cargo nextest run -p ironbird-formula --cargo-profile ci --test oracle`

mod generator;

use std::cmp::Ordering;

use generator::{Bounds, Expression, Plain, Random, Tree};
use ironbird_formula::{Evaluator, Formula, Status};
use ironbird_kernel::Time;

/// A margin and, beside it, the truth, which decides where the margin is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Margin {
    value: f64,
    truth: bool,
}

const LEAST: Margin = Margin { value: f64::NEG_INFINITY, truth: false };
const GREATEST: Margin = Margin { value: f64::INFINITY, truth: true };

impl Margin {
    fn order(&self, other: &Margin) -> Ordering {
        self.value.partial_cmp(&other.value).unwrap().then(self.truth.cmp(&other.truth))
    }
    fn min(self, other: Margin) -> Margin {
        if other.order(&self).is_lt() { other } else { self }
    }
    fn max(self, other: Margin) -> Margin {
        if other.order(&self).is_gt() { other } else { self }
    }
    fn negated(self) -> Margin {
        Margin { value: -self.value, truth: !self.truth }
    }
}

/// What is known of a margin: it lies between these.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    low: Margin,
    high: Margin,
}

const UNKNOWN: Range = Range { low: LEAST, high: GREATEST };

impl Range {
    fn exactly(margin: Margin) -> Range {
        Range { low: margin, high: margin }
    }
    fn not(self) -> Range {
        Range { low: self.high.negated(), high: self.low.negated() }
    }
    fn and(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.min(other.high) }
    }
    fn or(self, other: Range) -> Range {
        Range { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
    fn is(self, truth: bool) -> bool {
        if truth { self.low.truth } else { !self.high.truth }
    }
}

/// Three signals, one value a tick.
struct Trace {
    signals: [Vec<f64>; 3],
    start: u64,
    end: u64,
    aborted: bool,
}

impl Expression {
    fn value(&self, trace: &Trace, t: u64) -> f64 {
        match self {
            Expression::Signal(i) => trace.signals[*i][t as usize],
            Expression::Constant(c) => *c,
            Expression::Sum(a, b) => a.value(trace, t) + b.value(trace, t),
            Expression::Difference(a, b) => a.value(trace, t) - b.value(trace, t),
            Expression::Product(a, b) => a.value(trace, t) * b.value(trace, t),
            Expression::Absolute(a) => a.value(trace, t).abs(),
        }
    }
}

fn compare(comparison: &str, a: f64, b: f64) -> Margin {
    let (value, truth) = match comparison {
        "<" => (b - a, a < b),
        "<=" => (b - a, a <= b),
        ">" => (a - b, a > b),
        ">=" => (a - b, a >= b),
        "==" => (-(a - b).abs(), a == b),
        _ => ((a - b).abs(), a != b),
    };
    Margin { value, truth }
}

impl Trace {
    /// The ticks of a window; one tick after the end stands for all that is unseen.
    fn window(&self, t: u64, bounds: &Bounds) -> std::ops::RangeInclusive<u64> {
        match bounds {
            Some((a, b)) => t + a..=t + b,
            None if self.aborted => t..=self.end + 1,
            None => t..=self.end,
        }
    }

    fn range(&self, tree: &Tree, t: u64) -> Range {
        if t > self.end {
            return UNKNOWN;
        }
        match tree {
            Tree::Atom(a, comparison, b) => {
                Range::exactly(compare(comparison, a.value(self, t), b.value(self, t)))
            }
            Tree::Clock(comparison, ticks) => {
                let now = (self.start + t) as f64;
                let truth = compare(comparison, now, *ticks as f64).truth;
                Range::exactly(if truth { GREATEST } else { LEAST })
            }
            Tree::Not(a) => self.range(a, t).not(),
            Tree::And(a, b) => self.range(a, t).and(self.range(b, t)),
            Tree::Or(a, b) => self.range(a, t).or(self.range(b, t)),
            Tree::Implies(a, b) => self.range(a, t).not().or(self.range(b, t)),
            Tree::Always(bounds, a) => self
                .window(t, bounds)
                .map(|later| self.range(a, later))
                .fold(Range::exactly(GREATEST), Range::and),
            Tree::Eventually(bounds, a) => self
                .window(t, bounds)
                .map(|later| self.range(a, later))
                .fold(Range::exactly(LEAST), Range::or),
            Tree::Until(bounds, a, b) => self
                .window(t, bounds)
                .map(|later| {
                    let before = (t..later).map(|between| self.range(a, between));
                    before.fold(self.range(b, later), Range::and)
                })
                .fold(Range::exactly(LEAST), Range::or),
            Tree::For(_, duration) if t < *duration => Range::exactly(LEAST),
            Tree::For(a, duration) => (t - duration..=t)
                .map(|earlier| self.range(a, earlier))
                .fold(Range::exactly(GREATEST), Range::and),
        }
    }

    /// When it came about that `tree` certainly has this truth at t: the earliest of causes that
    /// suffice alone, the latest of causes that are all needed, the end of a window in which
    /// something did not happen.
    fn cause(&self, tree: &Tree, t: u64, truth: bool) -> u64 {
        let is = |tree: &Tree, t: u64, truth: bool| self.range(tree, t).is(truth);
        let last = |bounds: &Bounds| bounds.map_or(self.end, |(_, b)| (t + b).min(self.end));
        let first = |tree: &Tree, bounds: &Bounds, truth: bool| {
            let found = self.window(t, bounds).find(|later| is(tree, *later, truth)).unwrap();
            self.cause(tree, found, truth)
        };
        let one_of = |operands: [(&Tree, bool); 2]| {
            let sure = operands.iter().filter(|(tree, truth)| is(tree, t, *truth));
            sure.map(|(tree, truth)| self.cause(tree, t, *truth)).min().unwrap()
        };
        let all_of = |operands: [(&Tree, bool); 2]| {
            operands.iter().map(|(tree, truth)| self.cause(tree, t, *truth)).max().unwrap()
        };
        match (tree, truth) {
            (Tree::Atom(..) | Tree::Clock(..), _) => t,
            (Tree::Not(a), _) => self.cause(a, t, !truth),
            (Tree::And(a, b), true) => all_of([(a, true), (b, true)]),
            (Tree::And(a, b), false) => one_of([(a, false), (b, false)]),
            (Tree::Or(a, b), true) => one_of([(a, true), (b, true)]),
            (Tree::Or(a, b), false) => all_of([(a, false), (b, false)]),
            (Tree::Implies(a, b), true) => one_of([(a, false), (b, true)]),
            (Tree::Implies(a, b), false) => all_of([(a, true), (b, false)]),
            (Tree::Always(bounds, a), false) => first(a, bounds, false),
            (Tree::Always(bounds, a), true) => self.cause(a, last(bounds), true),
            (Tree::Eventually(bounds, a), true) => first(a, bounds, true),
            (Tree::Eventually(bounds, a), false) => self.cause(a, last(bounds), false),
            (Tree::Until(bounds, _, b), true) => first(b, bounds, true),
            (Tree::Until(bounds, a, b), false) => {
                let last = last(bounds);
                match (t..=last).find(|later| is(a, *later, false)) {
                    Some(broken) if broken < last || !is(b, last, false) => {
                        self.cause(a, broken, false)
                    }
                    _ => self.cause(b, last, false),
                }
            }
            (Tree::For(a, _), true) => self.cause(a, t, true),
            (Tree::For(_, duration), false) if t < *duration => t,
            (Tree::For(a, duration), false) => {
                let broken = (t - duration..=t).find(|earlier| is(a, *earlier, false)).unwrap();
                self.cause(a, broken, false)
            }
        }
    }
}

/// A trace with few changes on a coarse grid, so that margins of zero are common.
fn random_trace(random: &mut Random) -> Trace {
    let end = random.below(25);
    let signals = std::array::from_fn(|_| {
        let mut value = 0.0;
        (0..=end)
            .map(|t| {
                if t == 0 || random.below(4) == 0 {
                    value = random.below(9) as f64 * 0.5;
                }
                value
            })
            .collect()
    });
    Trace { signals, start: random.below(3) * 100, end, aborted: random.below(3) == 0 }
}

#[test]
fn verdict_margin_and_first_violation_are_those_of_the_textbook() {
    let scale = std::env::var("IRONBIRD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let cases = 10 * scale;
    let mut random = Random(11);
    let mut seen = [0; 3];
    for case in 0..cases {
        let depth = 1 + case % 3;
        let mut tree = Tree::random(&mut random, depth, 6, true);
        if case % 4 == 0 {
            // The form that is evaluated without memory.
            let inner = Box::new(Tree::random(&mut random, 0, 0, true));
            tree = if case % 8 == 0 {
                Tree::Always(None, inner)
            } else {
                Tree::Eventually(None, inner)
            };
        }
        let mut trace = random_trace(&mut random);
        let text = tree.text("ps");
        let formula = Formula::parse(&text).and_then(|f| f.check(&Plain)).expect("well formed");
        let needed: Vec<u32> = formula.signals().iter().map(|signal| signal.id).collect();
        // Without a sample, the trace starts at 0.
        if needed.is_empty() {
            trace.start = 0;
        }
        let start = trace.start;
        let mut evaluator = Evaluator::new(formula);
        for t in 0..=trace.end {
            for id in &needed {
                let samples = &trace.signals[*id as usize];
                let value = samples[t as usize];
                let time = Time::from_ps(start + t);
                let changes = t == 0 || samples[t as usize - 1] != value;
                if random.below(8) == 0 {
                    // What an instant shows before it has settled does not count.
                    evaluator.push(time, *id, &[77.0]).unwrap();
                    evaluator.push(time, *id, &[value]).unwrap();
                } else if changes || random.below(4) == 0 {
                    evaluator.push(time, *id, &[value]).unwrap();
                }
            }
        }
        let end = Time::from_ps(start + trace.end);
        let verdict =
            if trace.aborted { evaluator.finish_early(end) } else { evaluator.finish(end) };
        let verdict = verdict.unwrap();
        let Range { low, high } = trace.range(&tree, 0);
        let context = || format!("case {case}: {text}\n{:?}\n{verdict:?}", trace.signals);
        assert_eq!(verdict.bounds, (low.value, high.value), "{}", context());
        let status = match (low.truth, high.truth) {
            (true, _) => Status::Pass,
            (_, false) => Status::Fail,
            _ => Status::Inconclusive,
        };
        assert_eq!(verdict.status, status, "{}", context());
        let expected = (status == Status::Fail).then(|| start + trace.cause(&tree, 0, false));
        let found = verdict.first_violation.as_ref().map(|violation| violation.time.as_ps());
        assert_eq!(found, expected, "{}", context());
        seen[status as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > cases / 20), "{seen:?}");
}
