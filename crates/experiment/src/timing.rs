//! `[timing]` and `timing = { … }`: which computers the control software runs on, and which component is
//! which of their tasks.
//!
//! ```toml
//! [timing]
//! tasks = "ecus.toml"
//! times = "drawn"
//!
//! [system.controller]
//! type = "control.pid"
//! timing = { ecu = "ecu1", task = "T1.2" }
//! ```

use std::sync::Arc;

use ironbird_component::{Description, Kind};
use ironbird_document::{Entry, Item, Place, Problem, Problems, Table};
use ironbird_kernel::Rate;
use ironbird_kernel::path::nearest;
use ironbird_tasks::{System, TaskId};

use crate::checked::{Component, JobTimes, Link, Timing};
use crate::expand::Written;

/// The computers of an experiment, for those that may run on them.
#[derive(Clone, Copy)]
pub enum Computers<'a> {
    /// There are none.
    None,
    /// There are some, but something is wrong with them.
    Broken,
    /// These.
    Known(&'a Timing),
}

/// What `[timing]` says.
pub fn timing(root: &Table, problems: &mut Problems) -> Option<Timing> {
    let entry = root.entry("timing")?;
    match read(entry) {
        Ok(timing) => Some(timing),
        Err(found) => {
            found.0.into_iter().for_each(|problem| problems.push(problem));
            None
        }
    }
}

fn read(entry: &Entry) -> Result<Timing, Problems> {
    let table = entry.item.table()?;
    table.only(&["tasks", "times", "cores"], "[timing]")?;
    let tasks = table.need("tasks", &entry.item.place)?;
    let file = tasks.place.source.folder.join(tasks.text()?);
    if !file.is_file() {
        let message = format!("there is no file \"{}\"", file.display());
        return Err(Problem::new(message, &tasks.place, "named here").into());
    }
    let system = ironbird_tasks::read(&file)?;
    let times = match table.get("times") {
        Some(item) => item.one_of(
            "a choice of times",
            &[("worst", JobTimes::Worst), ("best", JobTimes::Best), ("drawn", JobTimes::Drawn)],
        )?,
        None => JobTimes::Worst,
    };
    let cores = match table.get("cores") {
        Some(item) => match item.count()? {
            0 => return Err(Problem::new("must be at least 1", &item.place, "here").into()),
            cores => cores as usize,
        },
        None => system.computer.cores,
    };
    Ok(Timing { system: Arc::new(system), file, times, cores })
}

/// The task that a component is, and the rate it then has.
pub fn task_of(
    written: &Written,
    description: &Description,
    rate: Option<Rate>,
    timing: Computers<'_>,
) -> Result<Option<(TaskId, Option<Rate>)>, Problem> {
    let Some(entry) = written.table.entry("timing") else { return Ok(None) };
    let place = &entry.item.place;
    let table = entry.item.table()?;
    table.only(&["ecu", "task"], "`timing`")?;
    let timing = match timing {
        Computers::Known(timing) => Some(timing),
        // What is wrong with them is told already.
        Computers::Broken => return Ok(None),
        Computers::None => None,
    };
    let Some(timing) = timing else {
        let problem = Problem::new("the experiment describes no computers", place, "runs on one");
        return Err(
            problem.help("write [timing] with tasks = \"…\", a file of ECUs and their tasks")
        );
    };
    let system = &timing.system;
    let ecu = named(table.need("ecu", place)?, "ECU", system.ecus.iter().map(|ecu| &ecu.name))?;
    let item = table.need("task", place)?;
    let task = named(item, "task", system.tasks.iter().map(|task| &task.name))?;
    if system.tasks[task].ecu != ecu {
        let there = &system.ecus[system.tasks[task].ecu].name;
        let message = format!("the task \"{}\" runs on \"{there}\"", system.tasks[task].name);
        return Err(Problem::new(message, &item.place, "not on this ECU"));
    }
    if written.dormant.is_some() {
        let message = format!(
            "\"{}\" is spawned later: the tasks of an ECU are there from the start",
            written.path
        );
        return Err(Problem::new(message, place, "not allowed"));
    }
    match description.kind {
        Kind::Periodic => Ok(Some((task, Some(rate_of(system, task, rate, place)?)))),
        Kind::EventDriven => Ok(Some((task, None))),
        kind => {
            let message = format!("\"{}\" is {kind}: no task of a computer", written.path);
            let problem = Problem::new(message, place, "not allowed");
            Err(problem.help("a periodic or an event-driven component can be one"))
        }
    }
}

/// The rate of a task; one that was written must be the same.
fn rate_of(
    system: &System,
    task: TaskId,
    written: Option<Rate>,
    place: &Place,
) -> Result<Rate, Problem> {
    let unreachable = || Problem::new("nothing ever releases this task", place, "here");
    let period = system.period_of(task).ok_or_else(unreachable)?;
    let unit = system.unit.picoseconds();
    let rate =
        Rate::new(1_000_000_000_000, period.saturating_mul(unit)).map_err(|_| unreachable())?;
    match written {
        Some(written) if written != rate => {
            let name = &system.tasks[task].name;
            let unit = system.unit.symbol();
            let message = format!(
                "its rate is {written}, but its task \"{name}\" has a period of {period} {unit}"
            );
            Err(Problem::new(message, place, "here").help("leave `rate` out: the task has one"))
        }
        _ => Ok(rate),
    }
}

/// Links between tasks of different ECUs that the file of tasks does not know: no bus would carry them.
pub fn check_links(
    timing: &Timing,
    components: &[Component],
    links: &[Link],
    problems: &mut Problems,
) {
    let tasks = &timing.system.tasks;
    for link in links {
        let ends = [&link.from, &link.to].map(|at| components[at.component].task);
        let [Some(from), Some(to)] = ends else { continue };
        let is_known = tasks[to].after.contains(&from) || tasks[to].samples.contains(&from);
        if tasks[from].ecu == tasks[to].ecu || is_known {
            continue;
        }
        let (sender, reader) = (&tasks[from].name, &tasks[to].name);
        let message = format!(
            "in the file of tasks \"{reader}\" neither comes after \"{sender}\" nor samples it: what it reads \
is there when the job of \"{sender}\" ends, without a bus"
        );
        let problem = Problem::new(message, &link.place, "reads from another ECU").warning();
        problems
            .push(problem.help(format!("write samples = [\"{sender}\"] at the task \"{reader}\"")));
    }
}

fn named<'a>(
    item: &Item,
    what: &str,
    names: impl Iterator<Item = &'a String> + Clone,
) -> Result<usize, Problem> {
    let text = item.text()?;
    names.clone().position(|name| name == text).ok_or_else(|| {
        let message = format!("there is no {what} \"{text}\" in the file of tasks");
        let problem = Problem::new(message, &item.place, "not known");
        let names: Vec<&str> = names.map(String::as_str).collect();
        match nearest(text, names.iter().copied()) {
            Some(near) => problem.did_you_mean(Some(near)),
            None => problem.help(format!("there are {}", names.join(", "))),
        }
    })
}
