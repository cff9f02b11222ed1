//! Evaluates a formula while samples come in.

use ironbird_kernel::{Duration, Time};

use crate::checked::{
    AtomKind, Checked, Node, ShortCut, clock_changes, deciding_atom, short_cuts, state_margin,
    state_margins,
};
use crate::explain::{Blame, Why, explain};
use crate::scalar::{greater, holds};
use crate::solve::{Ending, Solution};
use crate::steps::Steps;
use crate::values::{SampleError, Values};
use crate::verdict::{Verdict, Violation};

/// Evaluates one formula over signals that hold each value until the next sample.
///
/// The trace starts at the first sample, where every signal must have a value. Samples of one
/// instant are all applied before the instant counts. `always` and `eventually` without bounds
/// around a formula about single instants need no memory of the past; other formulas keep the
/// instants at which a comparison changed its margin.
#[derive(Clone, Debug)]
pub struct Evaluator {
    formula: Checked,
    values: Values,
    start: Option<Time>,
    /// Instants at which a comparison with time changes, latest first.
    clock: Vec<Time>,
    memory: Memory,
    scratch: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Memory {
    /// Of `eventually f` and, by negation, of `always f`.
    Extreme(Extreme),
    /// The history of every atom.
    History(Vec<History>),
}

#[derive(Clone, Debug)]
struct Extreme {
    /// The node that `eventually` is about; it and all nodes before it speak about instants.
    body: usize,
    /// What of it need not be looked at.
    cuts: Vec<ShortCut>,
    /// The greatest margin of the body.
    greatest: f64,
    /// For `always`, where the body is what must not happen: when it first did.
    violation: Option<Violation>,
    always: bool,
}

#[derive(Clone, Debug, Default)]
struct History {
    margins: Steps,
    values: Steps,
}

impl Evaluator {
    /// An evaluator of `formula` that has seen nothing yet.
    pub fn new(formula: Checked) -> Self {
        let memory = match extreme(&formula.nodes) {
            Some(extreme) => Memory::Extreme(extreme),
            None => Memory::History(vec![History::default(); formula.atoms.len()]),
        };
        Evaluator::with_memory(formula, memory)
    }

    /// An evaluator that keeps the whole history and looks at instants with samples only.
    pub(crate) fn sampled(formula: Checked) -> Self {
        let memory = Memory::History(vec![History::default(); formula.atoms.len()]);
        Evaluator { clock: Vec::new(), ..Evaluator::with_memory(formula, memory) }
    }

    fn with_memory(formula: Checked, memory: Memory) -> Self {
        let mut clock: Vec<Time> = formula
            .atoms
            .iter()
            .filter_map(|atom| match atom.kind {
                AtomKind::Clock(_, seconds) => Some(clock_changes(seconds)),
                _ => None,
            })
            .flatten()
            .collect();
        clock.sort_unstable_by(|a, b| b.cmp(a));
        clock.dedup();
        let values = Values::new(formula.layout.clone());
        Evaluator { formula, values, start: None, clock, memory, scratch: Vec::new() }
    }

    /// A sample: the leaves of signal `id` from `time` on, in the signal's own unit. Samples come in
    /// the order of time.
    pub fn push(&mut self, time: Time, id: u32, leaves: &[f64]) -> Result<(), SampleError> {
        self.advance(time)?;
        self.values.set_time(time);
        self.values.set(id, leaves)
    }

    /// Whether `always f`, for an f about single instants, has failed up to and including the
    /// latest instant, as its samples are by now. Other formulas are decided at the end.
    pub fn is_violated(&mut self) -> bool {
        let Memory::Extreme(extreme @ Extreme { violation, always: true, .. }) = &self.memory
        else {
            return false;
        };
        if violation.is_some() {
            return true;
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let known = self.start.is_some() && self.values.complete().is_ok();
        let violated = known && holds(self.body_margin(extreme, &mut scratch));
        self.scratch = scratch;
        violated
    }

    /// The margin of `always f` and `eventually f`, for an f about single instants, over what was seen so far, in SI
    /// units. Other formulas are decided at the end.
    pub fn margin_so_far(&self) -> Option<f64> {
        let Memory::Extreme(Extreme { greatest, always, .. }) = &self.memory else { return None };
        let margin = if *always { -greatest } else { *greatest };
        margin.is_finite().then_some(margin)
    }

    /// The verdict on a run that ended at `end` as planned. Operators without bounds close with
    /// the run.
    pub fn finish(self, end: Time) -> Result<Verdict, SampleError> {
        self.conclude(end, Ending::Regular)
    }

    /// The verdict on a run that was cut short at `end`: whatever the rest could have changed is
    /// inconclusive.
    pub fn finish_early(self, end: Time) -> Result<Verdict, SampleError> {
        self.conclude(end, Ending::Aborted)
    }

    /// Completes every instant before `time` that has samples or changes by the clock.
    fn advance(&mut self, time: Time) -> Result<(), SampleError> {
        if self.start.is_none() {
            self.start = Some(time);
            self.values.set_time(time);
        }
        let latest = self.values.now;
        if time < latest {
            return Err(SampleError::Backwards { latest, found: time });
        }
        while self.clock.last().is_some_and(|change| *change <= latest) {
            self.clock.pop();
        }
        if time == latest {
            return Ok(());
        }
        self.settle()?;
        while let Some(change) = self.clock.pop_if(|change| *change < time) {
            self.values.now = change;
            self.settle()?;
        }
        Ok(())
    }

    fn body_margin(&self, extreme: &Extreme, scratch: &mut Vec<f64>) -> f64 {
        let nodes = &self.formula.nodes[..=extreme.body];
        state_margin(nodes, &extreme.cuts, |atom| self.margin_of_atom(atom), scratch)
    }

    fn margin_of_atom(&self, atom: usize) -> f64 {
        self.formula.atoms[atom].read(&self.values, &[]).margin
    }

    /// The current instant is complete: what its values mean is kept.
    fn settle(&mut self) -> Result<(), SampleError> {
        self.values.complete()?;
        let now = self.values.now;
        let elapsed = (now - self.start.unwrap_or(now)).as_ps();
        // Taken out while it changes, because the rest of the evaluator is read meanwhile.
        let mut memory = std::mem::replace(&mut self.memory, Memory::History(Vec::new()));
        match &mut memory {
            Memory::Extreme(extreme) => {
                let mut scratch = std::mem::take(&mut self.scratch);
                let margin = self.body_margin(extreme, &mut scratch);
                self.scratch = scratch;
                extreme.greatest = greater(extreme.greatest, margin);
                if extreme.always && extreme.violation.is_none() && holds(margin) {
                    extreme.violation = Some(self.violation_now(extreme.body));
                }
            }
            Memory::History(histories) => {
                for (atom, history) in self.formula.atoms.iter().zip(histories) {
                    let reading = atom.read(&self.values, &[]);
                    history.margins.push(elapsed, reading.margin);
                    history.values.push(elapsed, reading.value);
                }
            }
        }
        self.memory = memory;
        Ok(())
    }

    /// The violation that the values of this instant show.
    fn violation_now(&self, body: usize) -> Violation {
        let nodes = &self.formula.nodes[..=body];
        let mut margins = Vec::new();
        state_margins(nodes, |atom| self.margin_of_atom(atom), &mut margins);
        let atom = &self.formula.atoms[deciding_atom(nodes, &margins)];
        Violation::of(atom, self.values.now, atom.read(&self.values, &[]).value)
    }

    fn conclude(mut self, end: Time, ending: Ending) -> Result<Verdict, SampleError> {
        if self.start.is_none() {
            self.advance(Time::ZERO)?;
        }
        self.advance(end)?;
        self.values.now = end;
        self.settle()?;
        let unit = self.formula.margin_unit();
        if let Memory::Extreme(extreme) = &self.memory {
            let low = extreme.greatest;
            let high = if ending == Ending::Aborted { f64::INFINITY } else { low };
            let (low, high) = if extreme.always { (-high, -low) } else { (low, high) };
            let mut violation = extreme.violation.clone();
            if !extreme.always && !holds(high) {
                violation = Some(self.violation_now(extreme.body));
            }
            return Ok(Verdict::new(low, high, unit, violation));
        }
        let start = self.start.unwrap_or_default();
        let (margins, values) = self.take_history();
        let length = (end - start).as_ps();
        let solution = Solution::new(&self.formula.nodes, margins, length, ending);
        let root = self.formula.nodes.len() - 1;
        let (low, high) = (solution.low(root).at(0), solution.high(root).at(0));
        let violation = (!holds(high)).then(|| {
            let cause = explain(&self.formula.nodes, &solution, root, 0, Why::Fails);
            let time = start + Duration::from_ps(cause.time);
            match cause.what {
                Blame::Atom(atom) => {
                    Violation::of(&self.formula.atoms[atom], time, values[atom].at(cause.time))
                }
                Blame::TooEarly(span) => Violation::too_early(self.formula.text_of(span), time),
            }
        });
        Ok(Verdict::new(low, high, unit, violation))
    }

    /// The margins and the values of the atoms.
    fn take_history(&mut self) -> (Vec<Steps>, Vec<Steps>) {
        let histories = match &mut self.memory {
            Memory::History(histories) => std::mem::take(histories),
            Memory::Extreme(_) => Vec::new(),
        };
        histories.into_iter().map(|history| (history.margins, history.values)).unzip()
    }

    /// The margin of the formula at each of `count` samples that lie `period` apart. Samples are
    /// the ticks of this evaluation: nothing lies between them.
    pub(crate) fn margins_by_sample(
        mut self,
        period: u64,
        count: usize,
    ) -> Result<Vec<f64>, SampleError> {
        self.settle()?;
        let (margins, _) = self.take_history();
        let margins = margins.into_iter().map(|steps| steps.in_ticks_of(period)).collect();
        let nodes: Vec<Node> = self.formula.nodes.iter().map(|n| n.in_ticks_of(period)).collect();
        let solution = Solution::new(&nodes, margins, count.saturating_sub(1) as u64, Ending::Cut);
        let whole = solution.low(nodes.len() - 1);
        Ok((0..count as u64).map(|sample| whole.at(sample) + 0.0).collect())
    }
}

/// Recognises `eventually f` and `not eventually f` without bounds, where f is a state formula.
fn extreme(nodes: &[Node]) -> Option<Extreme> {
    let (always, eventually) = match nodes.last()? {
        Node::Not(inner) => (true, &nodes[*inner]),
        node => (false, node),
    };
    let Node::Eventually { window: None, inner, .. } = eventually else { return None };
    let body = *inner;
    let state = !nodes[..=body].iter().any(Node::is_temporal);
    let greatest = f64::NEG_INFINITY;
    let cuts = short_cuts(&nodes[..=body]);
    state.then_some(Extreme { body, cuts, greatest, violation: None, always })
}
