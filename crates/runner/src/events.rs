//! What happened in a run, for its recording and its report.

use std::sync::{Arc, Mutex, PoisonError};

use ironbird_experiment::Experiment;
use ironbird_experiment::checked::{Act, Fault, FaultKind, FaultTarget, Scenario, Window};
use ironbird_kernel::Time;
use ironbird_record::{Event, Observer, Verdict};

use crate::conditions::Meaning;

/// What is known beforehand to happen up to `end`.
pub fn planned(experiment: &Experiment, scenario: &Scenario, end: Time) -> Vec<Event> {
    let mut events = Vec::new();
    for timed in scenario.actions.iter().filter(|timed| timed.at <= end) {
        let text: Vec<String> = timed.acts.iter().map(|act| describe(experiment, act)).collect();
        events.push(event(timed.at, "action", &timed.name, text.join("; ")));
    }
    for fault in &scenario.faults {
        let Window::Times(from, until) = fault.window else { continue };
        if from <= end {
            events.push(event(
                from,
                "fault",
                &fault.name,
                format!("begins: {}", broken(experiment, fault)),
            ));
        }
        if until <= end {
            events.push(event(until, "fault", &fault.name, "ends".into()));
        }
    }
    events
}

/// The kind of events that commands are.
pub const COMMAND: &str = "command";

/// A command that somebody gave, as it can be given again: the how manieth it is, and what it says.
pub fn command_event(time: Time, number: usize, text: &str) -> Event {
    event(time, COMMAND, &format!("{number:06}"), text.into())
}

fn event(time: Time, kind: &str, name: &str, text: String) -> Event {
    Event { time, kind: kind.into(), name: name.into(), text }
}

fn describe(experiment: &Experiment, act: &Act) -> String {
    let path = |number: &usize| &experiment.components[*number].path;
    match act {
        Act::Set { component, parameter, value } => {
            let value = match value {
                ironbird_kernel::Parameter::Bool(b) => b.to_string(),
                ironbird_kernel::Parameter::Integer(i) => i.to_string(),
                ironbird_kernel::Parameter::Real(x) => x.to_string(),
                ironbird_kernel::Parameter::Text(t) => format!("\"{t}\""),
            };
            format!("sets {}.{parameter} to {value}", path(component))
        }
        Act::SetRate { component, rate } => {
            format!("sets the rate of {} to {} Hz", path(component), rate.as_f64())
        }
        Act::Call { service, .. } => format!("calls {}", experiment.port_name(service)),
        Act::Bind(binding) => format!("binds {}", experiment.port_name(&binding.asker)),
        Act::Stop(path) => format!("stops {path}"),
        Act::Start(path) => format!("starts {path}"),
        Act::Reset(path) => format!("resets {path}"),
        Act::Spawn(path) => format!("spawns {path}"),
        Act::Remove(path) => format!("removes {path}"),
    }
}

/// What a fault does, in words.
pub fn broken(experiment: &Experiment, fault: &Fault) -> String {
    let (FaultTarget::Output(at, how) | FaultTarget::Input(at, how)) = &fault.target else {
        let FaultTarget::Component(path) = &fault.target else { return String::new() };
        return format!("{path} stands still");
    };
    let port = experiment.port_name(at);
    match how.kind {
        FaultKind::Override(number) => format!("{port} is {number}"),
        FaultKind::Bias(number) => format!("{number} is added to {port}"),
        FaultKind::Scale(factor) => format!("{port} is multiplied by {factor}"),
        FaultKind::Stuck => format!("{port} is stuck"),
        FaultKind::Delay(delay) => format!("{port} comes {delay} late"),
        FaultKind::Drop(probability) => format!("{port} is lost with probability {probability}"),
        FaultKind::Noise(deviation) => format!("noise of deviation {deviation} on {port}"),
    }
}

/// Verdicts as events at the end of a run.
pub fn verdicts(verdicts: &[Verdict], at: Time) -> Vec<Event> {
    verdicts
        .iter()
        .map(|verdict| event(at, "verdict", &verdict.name, verdict.status.word().into()))
        .collect()
}

/// Keeps what monitors did.
#[derive(Clone)]
pub struct Responses(Arc<Mutex<Kept>>);

struct Kept {
    /// Taps come before monitors in the stream.
    first: u32,
    meanings: Vec<Meaning>,
    seen: Vec<(Time, Meaning)>,
}

impl Responses {
    /// Monitors with these meanings, numbered from `first`.
    pub fn new(first: u32, meanings: Vec<Meaning>) -> Self {
        Responses(Arc::new(Mutex::new(Kept { first, meanings, seen: Vec::new() })))
    }

    /// Everything that monitors did, as events.
    pub fn events(&self) -> Vec<Event> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = kept.seen.iter().filter_map(|(time, meaning)| {
            let (kind, name, text) = match meaning {
                Meaning::Timing => return None,
                Meaning::Trigger(name) => ("trigger", name, "fires"),
                Meaning::FaultBegins(name) => ("fault", name, "begins"),
                Meaning::FaultEnds(name) => ("fault", name, "ends"),
                Meaning::Stop(name) => ("stop", name, "ends the run"),
                Meaning::Violation(name) => ("violation", name, "ends the run"),
            };
            Some(event(*time, kind, name, text.into()))
        });
        seen.collect()
    }

    /// What ended the run at this instant.
    pub fn stopped_by(&self, at: Time) -> Option<Meaning> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = |meaning: &Meaning| matches!(meaning, Meaning::Stop(_) | Meaning::Violation(_));
        let found = kept.seen.iter().find(|(time, meaning)| *time == at && ends(meaning));
        found.map(|(_, meaning)| meaning.clone())
    }
}

impl Observer for Responses {
    /// What they did is recorded at the end, when it is known which of it ended the run.
    fn value(&mut self, tap: u32, time: Time, _: &[u8]) -> Option<Event> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = tap.checked_sub(kept.first)?;
        if let Some(meaning) = kept.meanings.get(number as usize).cloned() {
            // A fault by condition that was never on has not ended.
            let ends = |name: &String| {
                let on = kept.seen.iter().rev().find_map(|(_, seen)| match seen {
                    Meaning::FaultBegins(other) if other == name => Some(true),
                    Meaning::FaultEnds(other) if other == name => Some(false),
                    _ => None,
                });
                on == Some(true)
            };
            match &meaning {
                Meaning::Timing => {}
                Meaning::FaultEnds(name) if !ends(name) => {}
                _ => kept.seen.push((time, meaning)),
            }
        }
        None
    }
}
