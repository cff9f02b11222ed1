//! A state machine in TOML, for people:
//!
//! ```toml
//! initial = "ask"
//! controllable = ["has.next?", "go.next", "rtl"]
//! uncontrollable = ["yes.next", "no.next", "arrived", "low.bat"]
//!
//! [answers]                       # these events come only after an action, one each time
//! "has.next?" = ["yes.next", "no.next"]
//!
//! [anywhere]                      # in every state that is not final and does not say otherwise
//! "low.bat" = "return"
//! ignore = ["arrived"]
//!
//! [state.ask]                     # one action, taken at once, or events
//! "has.next?" = "asked"
//!
//! [state.home]
//! final = true                    # what it does not name it ignores
//! ```

use std::path::Path;
use std::sync::Arc;

use ironbird_document::{Item, Problem, Source, Table, parse};

use super::draft::{Arrow, Draft, DraftState, Fault, Named, Origin};
use super::suggestion;

const KEYS: [&str; 6] =
    ["initial", "controllable", "uncontrollable", "answers", "anywhere", "state"];

pub(super) fn read(text: &str) -> Result<Draft, Fault> {
    // The name of the file is put before a fault by whoever opened it.
    let (name, folder) = (String::new(), Path::new("").to_owned());
    let file =
        parse(&Arc::new(Source { name, folder, text: text.to_owned() })).map_err(not_toml)?;
    let root = file.table().map_err(not_toml)?;
    refuse_unknown_keys(root)?;
    let need = |key: &str, example: &str| {
        root.get(key).ok_or_else(|| Fault::whole(format!("it needs \"{key}\": {example}")))
    };
    let initial = need("initial", "the state at the start, as in initial = \"ask\"")?;
    let actions = "the actions that it takes, as in controllable = [\"go.next\"]";
    let events = "the events that it hears, as in uncontrollable = [\"arrived\"]";
    let mut draft = Draft {
        origin: Origin::Hand,
        initial: one_name(initial, "the name of a state")?,
        actions: names(need("controllable", actions)?)?,
        events: names(need("uncontrollable", events)?)?,
        states: Vec::new(),
        anywhere: Vec::new(),
        ignored_anywhere: Vec::new(),
        answers: Vec::new(),
    };
    if let Some(answers) = root.get("answers") {
        for (action, events) in entries(answers, "[answers]")? {
            draft.answers.push((action, names(events)?));
        }
    }
    if let Some(anywhere) = root.get("anywhere") {
        let name = Named { text: "anywhere".into(), line: anywhere.place.line() };
        let state = state(name, anywhere)?;
        if state.is_final {
            return Err(Fault::at(state.name.line, "\"final\" is for a state, not for [anywhere]"));
        }
        (draft.anywhere, draft.ignored_anywhere) = (state.arrows, state.ignored);
    }
    let states = need("state", "its states, each a table such as [state.ask]")?;
    for (name, item) in entries(states, "the states")? {
        draft.states.push(state(name, item)?);
    }
    Ok(draft)
}

fn not_toml(problem: Problem) -> Fault {
    let line = problem.place.as_ref().map(|(place, _)| place.line());
    let what = match problem.message.contains("duplicate key") {
        true => "this key stands here for the second time; a label has one transition in a state, and a \
                 state one table"
            .into(),
        false => problem.message.clone(),
    };
    Fault { line, what }
}

fn refuse_unknown_keys(root: &Table) -> Result<(), Fault> {
    let Some(entry) = root.0.iter().find(|entry| !KEYS.contains(&entry.key.as_str())) else {
        return Ok(());
    };
    let mut hint = suggestion(&entry.key, KEYS.into_iter());
    if hint.is_empty() && entry.item.table().is_ok() {
        hint = format!("; a state is a table [state.{}]", entry.key);
    }
    Err(Fault::at(entry.place.line(), format!("there is no key \"{}\"{hint}", entry.key)))
}

/// Keys with their lines, in the order of the file.
fn entries<'a>(item: &'a Item, what: &str) -> Result<Vec<(Named, &'a Item)>, Fault> {
    let table = item.table().map_err(|_| {
        Fault::at(item.place.line(), format!("{what} are a table of names, not a single value"))
    })?;
    let named = table
        .0
        .iter()
        .map(|entry| (Named { text: entry.key.clone(), line: entry.place.line() }, &entry.item));
    Ok(named.collect())
}

fn one_name(item: &Item, expected: &str) -> Result<Named, Fault> {
    let line = item.place.line();
    match item.text().ok().filter(|text| !text.trim().is_empty()) {
        Some(text) => Ok(Named { text: text.to_owned(), line }),
        None => Err(Fault::at(line, format!("expected {expected}, as a text in quotes"))),
    }
}

fn names(item: &Item) -> Result<Vec<Named>, Fault> {
    let expected = "expected a list of labels, as in [\"go.next\", \"rtl\"]";
    let mut names: Vec<Named> = Vec::new();
    for item in item.items().map_err(|_| Fault::at(item.place.line(), expected))? {
        let name = one_name(item, "a label").map_err(|_| Fault::at(item.place.line(), expected))?;
        if names.iter().any(|other| other.text == name.text) {
            let what = format!("\"{}\" stands twice in this list", name.text);
            return Err(Fault::at(name.line, what));
        }
        names.push(name);
    }
    Ok(names)
}

fn state(name: Named, item: &Item) -> Result<DraftState, Fault> {
    let what = format!("the transitions of \"{}\"", name.text);
    let mut state = DraftState { name, is_final: false, arrows: Vec::new(), ignored: Vec::new() };
    for (key, item) in entries(item, &what)? {
        match key.text.as_str() {
            "final" => {
                let wrong = |_| Fault::at(key.line, "\"final\" is true or false");
                state.is_final = item.truth().map_err(wrong)?;
            }
            "ignore" => state.ignored = names(item)?,
            _ => {
                let to = one_name(item, "the name of the state after it")?.text;
                state.arrows.push(Arrow { label: key, to });
            }
        }
    }
    Ok(state)
}
