//! A state machine as a file tells it: names, and the lines where they stand.

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Where, counted from 1; nowhere if it is the whole.
    pub line: Option<usize>,
    pub what: String,
}

impl Fault {
    pub fn at(line: usize, what: impl Into<String>) -> Self {
        Fault { line: Some(line), what: what.into() }
    }

    pub fn whole(what: impl Into<String>) -> Self {
        Fault { line: None, what: what.into() }
    }
}

/// A name and the line where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    pub text: String,
    pub line: usize,
}

/// A transition: what is taken or heard, and the state after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    pub label: Named,
    pub to: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DraftState {
    pub name: Named,
    pub is_final: bool,
    pub arrows: Vec<Arrow>,
    pub ignored: Vec<Named>,
}

/// Who wrote it, which decides how much it must say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A person: every event that can come needs a reaction, and a state that acts does not wait.
    Hand,
    /// A synthesis tool: events come only where the machine has a transition, and a state may have an
    /// action and events, of which it takes the action.
    Synthesis,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub origin: Origin,
    pub initial: Named,
    pub actions: Vec<Named>,
    pub events: Vec<Named>,
    pub states: Vec<DraftState>,
    /// What happens in every state that is not final and does not say otherwise.
    pub anywhere: Vec<Arrow>,
    pub ignored_anywhere: Vec<Named>,
    /// Events that come only after an action, one of them each time.
    pub answers: Vec<(Named, Vec<Named>)>,
}

impl Draft {
    /// A machine from states and transitions alone. Labels that are not controllable are events.
    pub fn synthesised(
        initial: Named,
        states: Vec<DraftState>,
        controllable: &[String],
    ) -> Result<Draft, Fault> {
        let (mut actions, mut events) = (Vec::<Named>::new(), Vec::<Named>::new());
        for Arrow { label, .. } in states.iter().flat_map(|state| &state.arrows) {
            let list = if controllable.contains(&label.text) { &mut actions } else { &mut events };
            if !list.iter().any(|known| known.text == label.text) {
                list.push(label.clone());
            }
        }
        if let Some(name) =
            controllable.iter().find(|name| actions.iter().all(|a| a.text != **name))
        {
            let hint = super::suggestion(name, events.iter().map(|event| event.text.as_str()));
            let what = format!(
                "\"controllable\" names \"{name}\", but no transition has this label{hint}"
            );
            return Err(Fault::whole(what));
        }
        Ok(Draft {
            origin: Origin::Synthesis,
            initial,
            actions,
            events,
            states,
            anywhere: Vec::new(),
            ignored_anywhere: Vec::new(),
            answers: Vec::new(),
        })
    }
}
