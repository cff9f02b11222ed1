//! Requirements are judged while the run goes on, from the same stream that is recorded.

use std::sync::{Arc, Mutex, PoisonError};

use ironbird_experiment::checked::{Requirement, Signal};
use ironbird_formula::{Evaluator, Status as Decided, Verdict as Judged};
use ironbird_kernel::{Leaf, LeafKind, Schema, Time};
use ironbird_record::continuous::TRAJECTORY;
use ironbird_record::{Event, Observer, Status, Verdict};
use ironbird_units::Unit;

use crate::live::Lamp;

/// Where the numbers of a signal lie in the bytes of its values.
struct Feed {
    /// Number of the tap.
    tap: u32,
    /// Requirement, and number of the signal in it.
    requirement: usize,
    signal: u32,
    /// Offsets and kinds of the leaves; none for a trajectory.
    leaves: Vec<Leaf>,
}

/// Evaluates all requirements of a run.
#[derive(Default)]
pub struct Judge {
    evaluators: Vec<Evaluator>,
    feeds: Vec<Feed>,
    numbers: Vec<f64>,
    /// What could not be evaluated.
    broken: Vec<Option<String>>,
}

impl Judge {
    /// Judges these requirements; `taps` says which taps show a signal, and its layout.
    pub fn new(requirements: &[Requirement], taps: impl Fn(&Signal) -> (Vec<u32>, Schema)) -> Self {
        let mut feeds = Vec::new();
        for (requirement, one) in requirements.iter().enumerate() {
            for (number, signal) in one.condition.signals.iter().enumerate() {
                let (taps, schema) = taps(signal);
                let (first, count) = signal.leaves;
                let leaves: Vec<Leaf> = match signal.continuous {
                    true => Vec::new(),
                    false => schema.leaves().into_iter().skip(first).take(count).collect(),
                };
                let signal = number as u32;
                let feed = |tap| Feed { tap, requirement, signal, leaves: leaves.clone() };
                feeds.extend(taps.into_iter().map(feed));
            }
        }
        feeds.sort_by_key(|feed| feed.tap);
        let evaluators = requirements.iter().map(|r| Evaluator::new(r.condition.formula.clone()));
        let evaluators: Vec<Evaluator> = evaluators.collect();
        let broken = vec![None; evaluators.len()];
        Judge { evaluators, feeds, numbers: Vec::new(), broken }
    }

    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) {
        let start = self.feeds.partition_point(|feed| feed.tap < tap);
        for feed in self.feeds[start..].iter().take_while(|feed| feed.tap == tap) {
            self.numbers.clear();
            if feed.leaves.is_empty() {
                self.numbers.push((TRAJECTORY.evaluate)(bytes, time));
            }
            self.numbers.extend(feed.leaves.iter().map(|leaf| number(bytes, leaf)));
            let pushed = self.evaluators[feed.requirement].push(time, feed.signal, &self.numbers);
            if let Err(error) = pushed {
                self.broken[feed.requirement].get_or_insert_with(|| error.to_string());
            }
        }
    }

    /// What is known of each requirement by now.
    fn lamps(&mut self) -> Vec<Lamp> {
        let lamps = self.evaluators.iter_mut().map(|evaluator| Lamp {
            violated: evaluator.is_violated(),
            margin: evaluator.margin_so_far(),
        });
        lamps.collect()
    }

    /// The verdicts of a run that ended at `end`, regularly or not.
    fn verdicts(self, requirements: &[Requirement], end: Time, regular: bool) -> Vec<Verdict> {
        let judged = self.evaluators.into_iter().zip(self.broken).zip(requirements);
        judged
            .map(|((evaluator, broken), requirement)| {
                let verdict =
                    if regular { evaluator.finish(end) } else { evaluator.finish_early(end) };
                match (verdict, broken) {
                    (Ok(verdict), None) => shown(requirement, &verdict),
                    (Err(error), _) => undecided(requirement, error.to_string()),
                    (_, Some(why)) => undecided(requirement, why),
                }
            })
            .collect()
    }
}

/// A leaf as a number.
pub fn number(bytes: &[u8], leaf: &Leaf) -> f64 {
    let mut word = [0; 8];
    let size = leaf.kind.size();
    if let Some(found) = bytes.get(leaf.offset..leaf.offset + size) {
        word[..size].copy_from_slice(found);
    }
    let bits = u64::from_le_bytes(word);
    match leaf.kind {
        LeafKind::Bool | LeafKind::U8 | LeafKind::U16 | LeafKind::U32 | LeafKind::U64 => {
            bits as f64
        }
        LeafKind::I8 => f64::from(bits as i8),
        LeafKind::I16 => f64::from(bits as i16),
        LeafKind::I32 => f64::from(bits as i32),
        LeafKind::I64 => bits as i64 as f64,
        LeafKind::F32 => f64::from(f32::from_bits(bits as u32)),
        LeafKind::F64 => f64::from_bits(bits),
        LeafKind::Payload => f64::NAN,
    }
}

fn shown(requirement: &Requirement, judged: &Judged) -> Verdict {
    let status = match judged.status {
        Decided::Pass => Status::Passed,
        Decided::Fail => Status::Failed,
        Decided::Inconclusive => Status::Undecided,
    };
    let first_violation = judged.first_violation.as_ref().map(|violation| {
        let value = match violation.value {
            Some(value) => format!(", which was {}", point(value, &violation.unit, requirement)),
            None => String::new(),
        };
        format!("{}: {}{value}", violation.time, bare(&violation.text))
    });
    let margin = match judged.margin.is_finite() && status != Status::Undecided {
        true => difference(judged.margin, &judged.margin_unit, requirement),
        false => String::new(),
    };
    Verdict {
        name: requirement.name.clone(),
        formula: requirement.condition.text.clone(),
        status,
        margin,
        first_violation: match status {
            Status::Undecided => "the run ended before it was decided".into(),
            _ => first_violation.unwrap_or_default(),
        },
    }
}

fn undecided(requirement: &Requirement, why: String) -> Verdict {
    Verdict {
        name: requirement.name.clone(),
        formula: requirement.condition.text.clone(),
        status: Status::Undecided,
        margin: String::new(),
        first_violation: why,
    }
}

/// Without the parentheses around all of it.
fn bare(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(text)
}

/// The unit in which the user measures what has this SI unit: that of the first such signal.
fn familiar<'a>(si: &str, requirement: &'a Requirement) -> Option<&'a Unit> {
    let units = requirement.condition.signals.iter().map(|signal| &signal.unit);
    units.into_iter().find(|unit| !unit.is_none() && unit.dimension().to_string() == si)
}

/// A value in a familiar unit.
fn point(value: f64, si: &str, requirement: &Requirement) -> String {
    match familiar(si, requirement) {
        Some(unit) => quantity(unit.from_base(value), unit.name()),
        None => quantity(value, si),
    }
}

/// A difference in a familiar unit; one of temperatures stays in kelvin.
fn difference(value: f64, si: &str, requirement: &Requirement) -> String {
    match familiar(si, requirement).filter(|unit| !unit.has_offset()) {
        Some(unit) => quantity(value / unit.scale(), unit.name()),
        None => quantity(value, si),
    }
}

/// A number for people: six digits are enough for them.
pub fn six_digits(number: f64) -> String {
    let digits = format!("{number:.5e}").parse::<f64>().unwrap_or(number);
    let size = digits.abs();
    match size != 0.0 && !(1e-4..1e7).contains(&size) {
        true => format!("{digits:e}"),
        false => digits.to_string(),
    }
}

/// The recording has all digits.
fn quantity(number: f64, unit: &str) -> String {
    let text = six_digits(number);
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}

/// A judge on the recording thread that can be asked afterwards.
#[derive(Clone)]
pub struct SharedJudge(Arc<Mutex<Judge>>);

impl SharedJudge {
    /// Shares a judge.
    pub fn new(judge: Judge) -> Self {
        SharedJudge(Arc::new(Mutex::new(judge)))
    }

    /// What is known of each requirement by now.
    pub fn lamps(&self) -> Vec<Lamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lamps()
    }

    /// The verdicts, once all values have been seen; the judge has nothing left afterwards.
    pub fn verdicts(&self, requirements: &[Requirement], end: Time, regular: bool) -> Vec<Verdict> {
        let judge = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        judge.verdicts(requirements, end, regular)
    }
}

impl Observer for SharedJudge {
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).value(tap, time, bytes);
        None
    }
}
