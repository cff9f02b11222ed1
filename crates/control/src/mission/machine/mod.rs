//! Finite state machines that control a mission.
//!
//! ```text
//!  file ──► Draft ──────► Machine
//!  .toml    names, lines   numbers; checked: every event that can come has one reaction
//!  .aut
//!  .fsp
//! ```
//!
//! A machine takes *controllable actions* and hears *uncontrollable events* (Zudaire, Garrett, Uchitel,
//! "Iterator-based temporal logic task planning", ICRA 2020). Each state either takes one action, at once,
//! or waits for events.

mod aldebaran;
mod check;
mod draft;
mod fsp;
mod reach;
mod toml_file;

use std::path::Path;

use ironbird_kernel::path::nearest;

pub(super) use draft::{Draft, Fault};

/// A label: an action that the machine takes, or an event that it hears.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Label {
    /// As the file spells it: `has.next?`.
    pub text: String,
    /// Its port: `has_next`.
    pub port: String,
}

/// What an event does in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaction {
    Enter(u32),
    Ignore,
    /// The file says that it cannot come here.
    Unexpected,
}

/// One state of a checked machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub name: String,
    /// The action that is taken at once, and the state after it.
    pub action: Option<(u32, u32)>,
    /// What each event does; of no meaning where there is an action.
    pub reactions: Vec<Reaction>,
}

/// A machine without mistakes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Machine {
    pub initial: u32,
    pub states: Vec<State>,
    pub actions: Vec<Label>,
    pub events: Vec<Label>,
}

impl Machine {
    /// Reads a file; its ending says what it is. `controllable` names the actions of a format that does
    /// not tell them from events.
    pub fn open(file: &Path, controllable: &str) -> Result<Machine, String> {
        let named = |fault: Fault| match fault.line {
            Some(line) => format!("{}, line {line}: {}", file.display(), fault.what),
            None => format!("{}: {}", file.display(), fault.what),
        };
        let draft = Draft::open(file, controllable).map_err(named)?;
        draft.check().map_err(named)
    }
}

impl Draft {
    /// Reads a file without judging what it says.
    pub fn open(file: &Path, controllable: &str) -> Result<Draft, Fault> {
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let read: fn(&str, &[String]) -> Result<Draft, Fault> = match ending {
            "toml" => |text, _| toml_file::read(text),
            "aut" => aldebaran::read,
            "fsp" | "lts" => fsp::read,
            _ => {
                let what = "a state machine is a file .toml, .aut (Aldebaran) or .fsp, .lts (FSP)";
                return Err(Fault::whole(what));
            }
        };
        let names: Vec<String> = controllable
            .split(',')
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
            .collect();
        if (ending == "toml") != names.is_empty() {
            let what = match ending {
                "toml" => {
                    "it says itself which actions are controllable; leave \"controllable\" away"
                }
                _ => {
                    "such a file does not say which labels are actions; name them: \
                     controllable = \"go.next, rtl\""
                }
            };
            return Err(Fault::whole(what));
        }
        let text = ironbird_files::read_text(file, ironbird_files::LARGEST_DATA)
            .map_err(|error| Fault::whole(format!("it cannot be read: {error}")))?;
        read(&text, &names)
    }
}

/// The port of a label: `has.next?` is `has_next`, `arrived[2]` is `arrived_2`.
pub(super) fn port_name(label: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = label.trim().chars().map(plain).collect();
    let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// "; did you mean …?", where a known name is near.
fn suggestion<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(typed, known).map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}

/// The line of a place in a text, counted from 1.
fn line_of(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.bytes().filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::{aldebaran, fsp, port_name, toml_file};

    #[test]
    fn labels_become_names_of_ports() {
        assert_eq!(port_name("has.next?"), "has_next");
        assert_eq!(port_name("low.bat"), "low_bat");
        assert_eq!(port_name("arrived[2]"), "arrived_2");
        assert_eq!(port_name("goNext"), "gonext");
    }

    #[test]
    fn no_damage_to_a_file_is_more_than_a_fault() {
        let toml = include_str!("../../../../../examples/fixed-wing/missions/find.toml");
        let aut = "des (0, 3, 3)\n(0, \"go.next\", 1)\n(1, arrived, 0)\n(1, \"low.bat\", 2)\n";
        let flat = "C = Q0,\nQ0 = (go.next -> Q1), // on\nQ1 = ({arrived, found} -> Q0 | low.bat -> END).\n";
        let actions = ["go.next".to_owned()];
        let mut number = 1u64;
        let mut random = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (number >> 33) as usize % below
        };
        let mut taken = [0; 3];
        for round in 0..30_000 {
            let kind = round % 3;
            let mut bytes = [toml, aut, flat][kind].as_bytes().to_vec();
            for _ in 0..random(4) {
                let (from, to) = (random(bytes.len()), random(bytes.len()));
                match random(3) {
                    0 => bytes[from] = bytes[to],
                    1 => drop(bytes.drain(from.min(to)..from.max(to).min(from.min(to) + 9))),
                    _ => bytes[from] = random(128) as u8,
                }
                bytes.push(b'\n');
            }
            let text = String::from_utf8(bytes).expect("it stays plain");
            let draft = match kind {
                0 => toml_file::read(&text),
                1 => aldebaran::read(&text, &actions),
                _ => fsp::read(&text, &actions),
            };
            taken[kind] += usize::from(draft.is_ok_and(|draft| draft.check().is_ok()));
        }
        // What was not damaged, and damage to comments and names, is taken.
        assert!(taken.iter().all(|count| (2_500..9_999).contains(count)), "{taken:?}");
    }
}
