//! From names to numbers: unknown names, names that stand for two things, and states that leave a choice.

use std::collections::BTreeMap;

use super::draft::{Arrow, Draft, DraftState, Fault, Named, Origin};
use super::{Label, Machine, Reaction, State, port_name, suggestion};

/// A machine in numbers that is still to be judged as a whole.
pub(super) struct Resolved<'a> {
    pub draft: &'a Draft,
    pub initial: usize,
    pub states: Vec<ResolvedState<'a>>,
    /// Of each event, the state to which it leads from anywhere.
    pub anywhere: Vec<Option<usize>>,
    pub ignored_anywhere: Vec<usize>,
    /// Of each action, the events that answer it.
    pub answers: Vec<Vec<usize>>,
}

pub(super) struct ResolvedState<'a> {
    pub source: &'a DraftState,
    pub action: Option<Step>,
    pub events: Vec<Step>,
    pub ignored: Vec<usize>,
}

/// A transition in numbers.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub label: usize,
    pub to: usize,
    pub line: usize,
}

impl Draft {
    /// The machine, if nothing is wrong with it.
    pub fn check(&self) -> Result<Machine, Fault> {
        let actions = labels(&self.actions, &RESERVED)?;
        let events = labels(&self.events, &[])?;
        if let Some(both) = self.events.iter().find(|e| find(&self.actions, &e.text).is_some()) {
            let what = format!("\"{}\" is both controllable and uncontrollable", both.text);
            return Err(Fault::at(both.line, what));
        }
        let resolved = self.resolve()?;
        resolved.judge()?;
        let number = |n: usize| u32::try_from(n).map_err(|_| Fault::whole("it is too large"));
        let mut states = Vec::with_capacity(resolved.states.len());
        for state in &resolved.states {
            let action = match state.action {
                Some(step) => Some((number(step.label)?, number(step.to)?)),
                None => None,
            };
            let mut reactions = Vec::with_capacity(events.len());
            for event in 0..events.len() {
                reactions.push(match resolved.reaction(state, event) {
                    Some(Some(to)) => Reaction::Enter(number(to)?),
                    Some(None) => Reaction::Ignore,
                    None => Reaction::Unexpected,
                });
            }
            states.push(State { name: state.source.name.text.clone(), action, reactions });
        }
        Ok(Machine { initial: number(resolved.initial)?, states, actions, events })
    }

    fn resolve(&self) -> Result<Resolved<'_>, Fault> {
        let names: Names<'_> = self.states.iter().map(|s| s.name.text.as_str()).zip(0..).collect();
        let mut states = Vec::with_capacity(self.states.len());
        for source in &self.states {
            states.push(self.resolve_state(source, &names)?);
        }
        let mut anywhere = vec![None; self.events.len()];
        for arrow in &self.anywhere {
            let event = self.event(&arrow.label, "[anywhere] is for events")?;
            anywhere[event] = Some(state(&names, &arrow.to, arrow.label.line)?);
        }
        let ignored_anywhere = self.ignored(&self.ignored_anywhere)?;
        let mut answers = vec![Vec::new(); self.actions.len()];
        for (action, events) in &self.answers {
            let Some(number) = find(&self.actions, &action.text) else {
                let hint = suggestion(&action.text, texts(&self.actions));
                let what = format!("\"{}\" is no controllable action{hint}", action.text);
                return Err(Fault::at(action.line, what));
            };
            for event in events {
                answers[number].push(self.event(event, "only events are answers")?);
            }
        }
        let initial = state(&names, &self.initial.text, self.initial.line)?;
        Ok(Resolved { draft: self, initial, states, anywhere, ignored_anywhere, answers })
    }

    fn resolve_state<'a>(
        &'a self,
        source: &'a DraftState,
        names: &Names<'_>,
    ) -> Result<ResolvedState<'a>, Fault> {
        let name = &source.name.text;
        let mut resolved = ResolvedState { source, action: None, events: vec![], ignored: vec![] };
        let mut seen: Vec<&Arrow> = Vec::new();
        for arrow in &source.arrows {
            let Named { text, line } = &arrow.label;
            if let Some(first) = seen.iter().find(|other| other.label.text == *text) {
                let what = format!(
                    "two transitions of \"{text}\" from state \"{name}\", here and on line {}; which one is \
                     meant cannot be told",
                    first.label.line
                );
                return Err(Fault::at(*line, what));
            }
            seen.push(arrow);
            let to = state(names, &arrow.to, *line)?;
            match find(&self.actions, text) {
                Some(label) => {
                    if let Some(other) = &resolved.action {
                        let first = &self.actions[other.label].text;
                        let what = format!(
                            "state \"{name}\" takes two actions, \"{first}\" and \"{text}\"; which one cannot \
                             be told"
                        );
                        return Err(Fault::at(*line, what));
                    }
                    resolved.action = Some(Step { label, to, line: *line });
                }
                None => {
                    let label = self.event(&arrow.label, "")?;
                    resolved.events.push(Step { label, to, line: *line });
                }
            }
        }
        resolved.ignored = self.ignored(&source.ignored)?;
        self.refuse_mixed(&resolved)?;
        Ok(resolved)
    }

    /// What a person wrote twice over was not meant so.
    fn refuse_mixed(&self, state: &ResolvedState<'_>) -> Result<(), Fault> {
        let name = &state.source.name.text;
        if let Some(event) = state.events.iter().find(|step| state.ignored.contains(&step.label)) {
            let label = &self.events[event.label].text;
            let what = format!("state \"{name}\" ignores \"{label}\" and has a transition for it");
            return Err(Fault::at(event.line, what));
        }
        let Some(action) = &state.action else { return Ok(()) };
        let label = &self.actions[action.label].text;
        if state.source.is_final {
            let what = format!("state \"{name}\" is final, but takes the action \"{label}\"");
            return Err(Fault::at(action.line, what));
        }
        if self.origin == Origin::Hand
            && let Some(event) = state.events.first()
        {
            let what = format!(
                "state \"{name}\" takes the action \"{label}\" at once, so it never waits for \"{}\"; an event \
                 of any time belongs under [anywhere]",
                self.events[event.label].text
            );
            return Err(Fault::at(event.line, what));
        }
        Ok(())
    }

    fn event(&self, label: &Named, why: &str) -> Result<usize, Fault> {
        let Named { text, line } = label;
        find(&self.events, text).ok_or_else(|| {
            if find(&self.actions, text).is_some() {
                return Fault::at(*line, format!("\"{text}\" is a controllable action; {why}"));
            }
            let hint = suggestion(text, texts(&self.events).chain(texts(&self.actions)));
            let what = format!(
                "\"{text}\" stands neither under \"controllable\" nor under \"uncontrollable\"{hint}"
            );
            Fault::at(*line, what)
        })
    }

    fn ignored(&self, names: &[Named]) -> Result<Vec<usize>, Fault> {
        names.iter().map(|name| self.event(name, "only events are ignored")).collect()
    }
}

impl Resolved<'_> {
    /// What an event does in a state: nothing if that is not said, else the state after it, if it is
    /// another one.
    pub fn reaction(&self, state: &ResolvedState<'_>, event: usize) -> Option<Option<usize>> {
        if let Some(step) = state.events.iter().find(|step| step.label == event) {
            return Some(Some(step.to));
        }
        if state.source.is_final || state.ignored.contains(&event) {
            return Some(None);
        }
        match self.anywhere[event] {
            Some(to) => Some(Some(to)),
            None if self.ignored_anywhere.contains(&event) => Some(None),
            None => None,
        }
    }
}

/// The number of each state.
type Names<'a> = BTreeMap<&'a str, usize>;

fn state(names: &Names<'_>, name: &str, line: usize) -> Result<usize, Fault> {
    names.get(name).copied().ok_or_else(|| {
        let hint = suggestion(name, names.keys().copied());
        Fault::at(line, format!("there is no state \"{name}\"{hint}"))
    })
}

/// Outputs that every controller has.
const RESERVED: [&str; 2] = ["state", "entered"];

/// Labels with their ports, each of its own.
fn labels(names: &[Named], reserved: &[&str]) -> Result<Vec<Label>, Fault> {
    let mut labels: Vec<Label> = Vec::with_capacity(names.len());
    for Named { text, line } in names {
        let port = port_name(text);
        if port.is_empty() {
            let what = format!("\"{text}\" has no letter or digit to make the name of a port of");
            return Err(Fault::at(*line, what));
        }
        if reserved.contains(&port.as_str()) {
            let what =
                format!("\"{text}\" would be the port \"{port}\", which every controller has");
            return Err(Fault::at(*line, what));
        }
        if let Some(other) = labels.iter().find(|label| label.port == port) {
            let what =
                format!("\"{}\" and \"{text}\" would both be the port \"{port}\"", other.text);
            return Err(Fault::at(*line, what));
        }
        labels.push(Label { text: text.clone(), port });
    }
    Ok(labels)
}

fn find(names: &[Named], text: &str) -> Option<usize> {
    names.iter().position(|name| name.text == text)
}

fn texts(names: &[Named]) -> impl Iterator<Item = &str> {
    names.iter().map(|name| name.text.as_str())
}
