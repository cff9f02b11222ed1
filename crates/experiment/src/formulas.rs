//! Formulas in an experiment: their signals are those of the system, their errors have places.

use std::cell::RefCell;

use ironbird_formula::{
    Formula, FormulaError, Names as FormulaNames, NoSuchSignal, Problem as Wrong, SignalInfo,
    SignalKind,
};

use crate::checked::{Condition, Signal};
use crate::names::Names;
use ironbird_document::Item;
use ironbird_document::{Place, Problem};

/// The signals of a system, as a formula sees them.
struct Signals<'a> {
    names: &'a Names<'a>,
    found: RefCell<Vec<Signal>>,
}

impl FormulaNames for Signals<'_> {
    fn signal(&self, path: &str) -> Result<SignalInfo, NoSuchSignal> {
        let found = self.names.signal(path);
        let found = found.map_err(|missing| NoSuchSignal { nearest: missing.nearest })?;
        let mut all = self.found.borrow_mut();
        let id = match all.iter().position(|signal| signal.path == path) {
            Some(id) => id,
            None => {
                all.push(found.signal.clone());
                all.len() - 1
            }
        };
        let kind = if found.is_bool { SignalKind::Bool } else { SignalKind::Number };
        let Signal { unit, leaves, .. } = found.signal;
        Ok(SignalInfo { id: id as u32, unit, leaves: leaves.1, kind })
    }
}

/// A formula of any kind.
pub fn requirement(names: &Names<'_>, item: &Item) -> Result<Condition, Problem> {
    let text = item.text()?;
    let signals = Signals { names, found: RefCell::default() };
    let checked = Formula::parse(text).and_then(|formula| formula.check(&signals));
    let formula = checked.map_err(|error| refused(names, &error, text, &item.place))?;
    let signals = signals.found.into_inner();
    if signals.is_empty() {
        let message = "the formula speaks of no signal";
        return Err(Problem::new(message, &item.place, "always the same"));
    }
    Ok(Condition { text: text.into(), formula, signals })
}

/// A formula that can be decided at every instant: for triggers, stops and faults.
pub fn condition(names: &Names<'_>, item: &Item) -> Result<Condition, Problem> {
    let condition = requirement(names, item)?;
    if condition.formula.reads_time() {
        let message = "a condition is looked at when its signals are written, not when time passes";
        let problem = Problem::new(message, &item.place, "speaks of `time`");
        return Err(problem.help("use [[at]] for what happens at a time"));
    }
    if let Err(error) = condition.formula.split_for() {
        return Err(problem(&error, &condition.text, &item.place));
    }
    for signal in &condition.signals {
        let owner = &names.components[signal.port.component];
        if signal.continuous {
            let message =
                format!("\"{}\" is continuous: it crosses a limit between instants", signal.path);
            let problem = Problem::new(message, &item.place, "not possible here");
            return Err(
                problem.help("sample it with a component of type adapter.sample, or a sensor")
            );
        }
        if let Some(dormant) = &owner.dormant {
            let message =
                format!("\"{}\" is not there before \"{dormant}\" is spawned", signal.path);
            let problem = Problem::new(message, &item.place, "not there yet");
            return Err(problem.help("let it be there from the start, and stop and start it"));
        }
    }
    Ok(condition)
}

/// A name that means nothing has a better message than the formula knows.
fn refused(names: &Names<'_>, error: &FormulaError, text: &str, place: &Place) -> Problem {
    if let Wrong::UnknownSignal { path, .. } = &error.problem
        && let Err(missing) = names.signal(path)
    {
        return missing.at(&inside(place, text, error.span.start..error.span.end));
    }
    problem(error, text, place)
}

/// What is wrong with a formula, at its place in the file.
pub fn problem(error: &FormulaError, text: &str, place: &Place) -> Problem {
    let place = inside(place, text, error.span.start..error.span.end);
    let problem = Problem::new(error.to_string(), &place, "here");
    match error.help() {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// A part of a text value: the value stands in quotes, and may be escaped.
fn inside(place: &Place, text: &str, span: std::ops::Range<usize>) -> Place {
    let written = place.source.text.get(place.span.clone()).unwrap_or_default();
    match written.find(text) {
        Some(start) => place.part(start + span.start..start + span.end.max(span.start)),
        None => place.clone(),
    }
}
