//! What somebody does to a run while it goes on, as text that can be done again.
//!
//! ```toml
//! [[command]]
//! time = "12.5 s"
//! set = { pilot.height = "3 m" }
//!
//! [[command]]
//! time = "14 s"
//! fault = { compass = true }
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_kernel::Time;
use ironbird_kernel::path::nearest;

use crate::acts::Acting;
use crate::checked::{Act, Experiment};
use crate::names::Names;
use crate::scenario::with_followers;
use crate::values;
use ironbird_document::{Data, Item, Place, Problem, Problems, Source, Table, parse};

/// What may be done.
const VERBS: [&str; 4] = ["set", "fault", "note", "end"];
/// Characters of a note at most.
pub const LONGEST_NOTE: usize = 200;

/// Something that somebody does to a run.
#[derive(Clone, Debug)]
pub enum Command {
    /// Sets parameters and rates.
    Set {
        /// At once.
        acts: Vec<Act>,
        /// One instant later: what follows with the previous value.
        later: Vec<Act>,
    },
    /// Switches faults of the scenario: number and whether it acts.
    Faults(Vec<(usize, bool)>),
    /// Says something.
    Note(String),
    /// Ends the run.
    End,
}

/// A command and when it is given.
#[derive(Clone, Debug)]
pub struct TimedCommand {
    /// When.
    pub at: Time,
    /// What it says: the lines of its entry but the time.
    pub text: String,
    /// What it does.
    pub command: Command,
}

/// Reads commands for one scenario of an experiment.
pub struct CommandReader<'a> {
    experiment: &'a Experiment,
    scenario: usize,
    registry: &'a Registry,
    names: Names<'a>,
}

/// No component has failed to be read.
static NONE_FAILED: BTreeSet<String> = BTreeSet::new();

impl<'a> CommandReader<'a> {
    /// For a scenario of an experiment.
    pub fn new(experiment: &'a Experiment, scenario: usize, registry: &'a Registry) -> Self {
        let names = Names::new(&experiment.components, &NONE_FAILED);
        CommandReader { experiment, scenario, registry, names }
    }

    /// Reads a single command: the lines of its entry but the time.
    pub fn read(&self, text: &str) -> Result<Command, Problem> {
        let source = Source { name: "the command".into(), folder: "".into(), text: text.into() };
        let item = parse(&Arc::new(source))?;
        self.entry(item.table()?, &item.place, &VERBS)
    }

    /// Reads a file of commands, in the order of time.
    pub fn read_file(&self, source: &Arc<Source>) -> Result<Vec<TimedCommand>, Problems> {
        let root = parse(source)?;
        let table = root.table()?;
        let mut problems = Problems::default();
        problems.take(table.only(&["command"], "a file of commands"));
        let entries = table.get("command").map_or(Ok(Vec::new()), Item::tables);
        let mut commands = Vec::new();
        for (item, table) in problems.take(entries).unwrap_or_default() {
            if let Some(command) = problems.take(self.timed(item, table)) {
                commands.push(command);
            }
        }
        if problems.is_fatal() {
            return Err(problems);
        }
        commands.sort_by_key(|command: &TimedCommand| command.at);
        Ok(commands)
    }

    fn timed(&self, item: &Item, table: &Table) -> Result<TimedCommand, Problem> {
        let at = Time::ZERO + values::duration(table.need("time", &item.place)?, "time")?;
        let mut rest = table.clone();
        rest.0.retain(|entry| entry.key != "time");
        let command = self.entry(&rest, &item.place, &VERBS)?;
        let texts = rest.0.iter().map(|entry| {
            let value = &entry.item.place.source.text[entry.item.place.span.clone()];
            format!("{} = {}", entry.key, value.trim())
        });
        Ok(TimedCommand { at, text: texts.collect::<Vec<_>>().join("\n"), command })
    }

    fn entry(&self, table: &Table, place: &Place, verbs: &[&str]) -> Result<Command, Problem> {
        table.only(verbs, "a command")?;
        let [entry] = table.0.as_slice() else {
            let problem = Problem::new("a command does one thing", place, "not one");
            return Err(problem.help(format!("write one of {}", verbs.join(", "))));
        };
        match entry.key.as_str() {
            "set" => self.set(table),
            "fault" => self.faults(&entry.item),
            "note" => {
                let text = entry.item.text()?;
                if text.chars().count() > LONGEST_NOTE || text.contains(char::is_control) {
                    let message = format!(
                        "a note is one line of at most {LONGEST_NOTE} characters that can be printed"
                    );
                    return Err(Problem::new(message, &entry.item.place, "here"));
                }
                Ok(Command::Note(text.into()))
            }
            _ => match entry.item.data {
                Data::Bool(true) => Ok(Command::End),
                _ => Err(Problem::new("write end = true", &entry.item.place, "not true")),
            },
        }
    }

    fn set(&self, table: &Table) -> Result<Command, Problem> {
        let followers = &self.experiment.followers;
        let composites = &self.experiment.composites;
        let acting = Acting { names: &self.names, composites, followers, registry: self.registry };
        let mut acts = acting.acts(table)?;
        let later = with_followers(followers, &acts, true);
        acts.extend(with_followers(followers, &acts.clone(), false));
        Ok(Command::Set { acts, later })
    }

    fn faults(&self, item: &Item) -> Result<Command, Problem> {
        let known = &self.experiment.scenarios[self.scenario].faults;
        let mut switched = Vec::new();
        for entry in &item.table()?.0 {
            let Data::Bool(active) = entry.item.data else {
                let message = format!("\"{}\" is switched by true or false", entry.key);
                return Err(Problem::new(message, &entry.item.place, "neither"));
            };
            let Some(number) = known.iter().position(|fault| fault.name == entry.key) else {
                let message = format!("there is no fault \"{}\"", entry.key);
                let problem = Problem::new(message, &entry.item.place, "this one");
                let names = known.iter().map(|fault| fault.name.as_str());
                return Err(match nearest(&entry.key, names) {
                    Some(name) => problem.help(format!("there is \"{name}\"")),
                    None => problem.help("faults that a command switches stand in [[fault]]"),
                });
            };
            switched.push((number, active));
        }
        Ok(Command::Faults(switched))
    }
}
