//! What a machine can do as a whole: which states it reaches, where it would act for ever, which events
//! find no answer, and where it would wait for ever.

use super::check::{Resolved, ResolvedState};
use super::draft::{Fault, Origin};

impl Resolved<'_> {
    /// The first thing that is wrong.
    pub fn judge(&self) -> Result<(), Fault> {
        let coming = self.what_can_come();
        self.refuse_unreachable(&coming)?;
        self.refuse_endless_action()?;
        self.refuse_unused_actions()?;
        if self.draft.origin == Origin::Hand {
            self.refuse_missing_reactions(&coming)?;
        }
        self.refuse_dead_ends(&coming)
    }

    fn name(&self, state: usize) -> &str {
        &self.states[state].source.name.text
    }

    fn event(&self, event: usize) -> &str {
        &self.draft.events[event].text
    }

    /// Where an event can come, as a set for each state that is reached; `None` for the others.
    ///
    /// An event that answers an action can come from when the action is taken until one of its answers
    /// has come; any other event can come at any time. It is the least fixed point over all transitions.
    fn what_can_come(&self) -> Vec<Option<Vec<bool>>> {
        let events = self.draft.events.len();
        let is_answer: Vec<bool> =
            (0..events).map(|event| self.answers.iter().any(|a| a.contains(&event))).collect();
        let at_first: Vec<bool> = is_answer.iter().map(|is_answer| !is_answer).collect();
        let mut coming: Vec<Option<Vec<bool>>> = vec![None; self.states.len()];
        coming[self.initial] = Some(at_first);
        let mut changed = vec![self.initial];
        while let Some(number) = changed.pop() {
            let Some(here) = coming[number].clone() else { continue };
            for (to, there) in self.leaving(number, &here) {
                let mut is_new = coming[to].is_none();
                let known = coming[to].get_or_insert_with(|| vec![false; events]);
                for (known, new) in known.iter_mut().zip(there) {
                    is_new |= new && !*known;
                    *known |= new;
                }
                if is_new {
                    changed.push(to);
                }
            }
        }
        coming
    }

    /// The states after this one, with what can come there by this way.
    fn leaving(&self, number: usize, here: &[bool]) -> Vec<(usize, Vec<bool>)> {
        let state = &self.states[number];
        let mut leaving = Vec::new();
        if let Some(action) = state.action {
            let mut there = here.to_vec();
            self.answers[action.label].iter().for_each(|event| there[*event] = true);
            leaving.push((action.to, there));
            if self.draft.origin == Origin::Hand {
                return leaving;
            }
        }
        for event in 0..here.len() {
            let Some(Some(to)) = self.reaction(state, event) else { continue };
            if !here[event] {
                continue;
            }
            let mut there = here.to_vec();
            for answers in self.answers.iter().filter(|answers| answers.contains(&event)) {
                answers.iter().for_each(|event| there[*event] = false);
            }
            leaving.push((to, there));
        }
        leaving
    }

    fn refuse_unreachable(&self, coming: &[Option<Vec<bool>>]) -> Result<(), Fault> {
        let Some(lost) = coming.iter().position(Option::is_none) else { return Ok(()) };
        let name = self.name(lost);
        let what =
            format!("state \"{name}\" cannot be reached from \"{}\"", self.name(self.initial));
        Err(Fault::at(self.states[lost].source.name.line, what))
    }

    /// A circle of actions would go round for ever without time going by.
    fn refuse_endless_action(&self) -> Result<(), Fault> {
        // By which walk a state was seen: each has one action at most, so a walk that meets itself goes
        // round.
        let mut seen_by = vec![usize::MAX; self.states.len()];
        for start in 0..self.states.len() {
            let mut path = Vec::new();
            let mut here = start;
            while let Some(action) = self.states[here].action
                && seen_by[here] == usize::MAX
            {
                seen_by[here] = start;
                path.push(here);
                here = action.to;
            }
            if seen_by[here] != start {
                continue;
            }
            let circle = path.iter().skip_while(|state| **state != here);
            let names: Vec<&str> = circle.map(|state| self.name(*state)).collect();
            let what = format!(
                "these states act for ever and never wait for an event: {} -> {}",
                names.join(" -> "),
                self.name(here)
            );
            return Err(Fault::at(self.states[here].source.name.line, what));
        }
        Ok(())
    }

    fn refuse_unused_actions(&self) -> Result<(), Fault> {
        let taken: Vec<usize> =
            self.states.iter().filter_map(|state| Some(state.action?.label)).collect();
        let mut actions = self.draft.actions.iter().enumerate();
        let Some((_, action)) = actions.find(|(number, _)| !taken.contains(number)) else {
            return Ok(());
        };
        let what = format!("no state takes the action \"{}\"", action.text);
        Err(Fault::at(action.line, what))
    }

    fn refuse_missing_reactions(&self, coming: &[Option<Vec<bool>>]) -> Result<(), Fault> {
        for (state, coming) in self.states.iter().zip(coming) {
            let Some(coming) = coming else { continue };
            let name = &state.source.name;
            if let Some(step) = state.events.iter().find(|step| !coming[step.label]) {
                let what = format!(
                    "\"{}\" cannot come in state \"{}\": by [answers] it follows an action that was not taken \
                     before",
                    self.event(step.label),
                    name.text
                );
                return Err(Fault::at(step.line, what));
            }
            if state.action.is_some() {
                continue;
            }
            let unhandled = (0..coming.len())
                .find(|event| coming[*event] && self.reaction(state, *event).is_none());
            if let Some(event) = unhandled {
                let event = self.event(event);
                let what = format!(
                    "state \"{}\" has no reaction to \"{event}\", which can come there; give it a transition, \
                     or ignore = [\"{event}\"]",
                    name.text
                );
                return Err(Fault::at(name.line, what));
            }
        }
        Ok(())
    }

    fn refuse_dead_ends(&self, coming: &[Option<Vec<bool>>]) -> Result<(), Fault> {
        let leaves = |state: &ResolvedState<'_>, coming: &[bool]| {
            let mut events = (0..coming.len()).filter(|event| coming[*event]);
            state.action.is_some()
                || events.any(|event| matches!(self.reaction(state, event), Some(Some(_))))
        };
        for (state, coming) in self.states.iter().zip(coming) {
            let stuck = coming.as_ref().is_some_and(|coming| !leaves(state, coming));
            if stuck && !state.source.is_final {
                let name = &state.source.name;
                let what = format!(
                    "nothing leads out of state \"{}\"; if the mission ends there, say final = true",
                    name.text
                );
                return Err(Fault::at(name.line, what));
            }
        }
        Ok(())
    }
}
