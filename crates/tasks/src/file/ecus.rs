//! `[[ecu]]`: the control computers.

use std::collections::BTreeSet;

use ironbird_document::{Item, Problem, Problems, Table};

use super::numbers::{from_zero, named, within};
use crate::system::{Ecu, Executor, Overrun, Rules, Scheduler, System};

/// What `executor` may say.
#[derive(Clone, Copy)]
enum Written {
    FixedPriority,
    MultiThreaded,
    SingleThreaded,
    Release(Rules),
}

/// Releases of ROS 2 and the rules of their executors.
const RELEASES: [(&str, Rules); 16] = [
    ("dashing", Rules::Dashing),
    ("eloquent", Rules::Eloquent),
    ("jazzy", Rules::Jazzy),
    ("events", Rules::Events),
    ("ardent", Rules::Dashing),
    ("bouncy", Rules::Dashing),
    ("crystal", Rules::Dashing),
    ("foxy", Rules::Eloquent),
    ("galactic", Rules::Eloquent),
    ("humble", Rules::Eloquent),
    ("iron", Rules::Eloquent),
    ("kilted", Rules::Jazzy),
    ("rolling", Rules::Jazzy),
    ("static-single-threaded", Rules::Eloquent),
    ("events-executor", Rules::Events),
    ("thesis", Rules::Dashing),
];

/// The rules of the executors of a ROS 2 release, by its name.
pub fn rules_of(release: &str) -> Option<Rules> {
    RELEASES.iter().find(|(name, _)| *name == release).map(|(_, rules)| *rules)
}

/// Reads all.
pub fn read(item: &Item, problems: &mut Problems) -> Result<Vec<Ecu>, Problem> {
    let mut ecus: Vec<Ecu> = Vec::new();
    for (item, table) in item.tables()? {
        match ecu(item, table) {
            Ok(ecu) if ecus.iter().any(|other| other.name == ecu.name) => {
                let message = format!("there are two ECUs \"{}\"", ecu.name);
                problems.push(Problem::new(message, &item.place, "the second").help("rename one"));
            }
            Ok(ecu) => ecus.push(ecu),
            Err(problem) => problems.push(problem),
        }
    }
    if ecus.is_empty() && problems.0.is_empty() {
        return Err(Problem::new("there is no ECU", &item.place, "here").help("write [[ecu]]"));
    }
    Ok(ecus)
}

/// Whether every group that is said to be reentrant is one: that of a task on this ECU.
pub fn check_groups(item: &Item, system: &System, problems: &mut Problems) -> Result<(), Problem> {
    for (number, (_, table)) in item.tables()?.into_iter().enumerate() {
        let own = system.tasks.iter().filter(|task| task.ecu == number);
        let groups: BTreeSet<&str> = own.map(|task| task.group.as_str()).collect();
        let what = format!("task of ECU \"{}\" in the callback group", system.ecus[number].name);
        let reentrant = table.get("reentrant_groups").map(Item::items).transpose()?;
        for group in reentrant.unwrap_or_default() {
            if let Err(problem) = named(group, &what, groups.iter().copied()) {
                problems.push(problem);
            }
        }
    }
    Ok(())
}

fn ecu(item: &Item, table: &Table) -> Result<Ecu, Problem> {
    let known = [
        "name",
        "executor",
        "rules",
        "threads",
        "overrun",
        "poll_on_wake",
        "reentrant_groups",
        "order_seed",
    ];
    table.only(&known, "an ECU")?;
    let name = table.need("name", &item.place)?.text()?.to_owned();
    let mut words = vec![
        ("single-threaded", Written::SingleThreaded),
        ("multi-threaded", Written::MultiThreaded),
        ("fixed-priority", Written::FixedPriority),
    ];
    words.extend(RELEASES.map(|(word, rules)| (word, Written::Release(rules))));
    let written = table.get("executor").map(|item| item.one_of("an executor", &words));
    let written = written.transpose()?.unwrap_or(Written::SingleThreaded);
    let overrun = table.get("overrun").map(|item| {
        item.one_of("what a late timer does", &[("skip", Overrun::Skip), ("queue", Overrun::Queue)])
    });
    let overrun = overrun.transpose()?;
    if let Written::FixedPriority = written {
        for key in ["rules", "threads", "poll_on_wake", "reentrant_groups", "order_seed"] {
            if let Some(entry) = table.entry(key) {
                let message = format!("`{key}` belongs to a ROS 2 executor");
                return Err(Problem::new(message, &entry.place, "this ECU has fixed priorities"));
            }
        }
        let (scheduler, overrun) = (Scheduler::FixedPriority, overrun.unwrap_or(Overrun::Queue));
        return Ok(Ecu { name, scheduler, overrun });
    }
    let rules = table.get("rules").map(|item| item.one_of("a ROS 2 release", &RELEASES));
    let rules = match (rules.transpose()?, written) {
        (Some(rules), _) | (None, Written::Release(rules)) => rules,
        (None, _) => Rules::Dashing,
    };
    let threads = match (table.get("threads"), written) {
        (Some(item), Written::MultiThreaded) => within(item, 1, 1024)? as usize,
        (Some(item), _) => {
            let problem =
                Problem::new("only a multi-threaded executor has threads", &item.place, "here");
            return Err(problem.help("write executor = \"multi-threaded\""));
        }
        (None, Written::MultiThreaded) => {
            let problem =
                Problem::new("a multi-threaded executor needs `threads`", &item.place, "here");
            return Err(problem.help("rclcpp has as many as the computer has cores: say how many"));
        }
        (None, _) => 1,
    };
    if rules == Rules::Events && matches!(written, Written::MultiThreaded) {
        return Err(Problem::new("the events executor has one thread", &item.place, "here"));
    }
    let polls_on_wake = table.get("poll_on_wake").map(Item::truth).transpose()?.unwrap_or(true);
    let order_seed = table.get("order_seed").map(from_zero).transpose()?.unwrap_or(0);
    let reentrant = table.get("reentrant_groups").map(Item::texts).transpose()?.unwrap_or_default();
    let reentrant = reentrant.into_iter().map(|(group, _)| group.to_owned()).collect();
    let executor = Executor { rules, threads, polls_on_wake, reentrant, order_seed };
    let (scheduler, overrun) = (Scheduler::Executor(executor), overrun.unwrap_or(Overrun::Skip));
    Ok(Ecu { name, scheduler, overrun })
}
