//! `[[transaction]]` and `[[transaction.task]]`: what runs.

use ironbird_document::{Data, Item, Place, Problem, Problems, Table};

use super::numbers::{fraction, from_zero, named, positive, within};
use crate::fraction::Fraction;
use crate::system::{
    Clock, Execution, Frame, Kind, Scheduler, System, Task, TaskId, Ticks, Transaction,
};

/// What of a task can only be understood once all are known.
struct Unresolved<'a> {
    item: &'a Item,
    after: Option<&'a Item>,
    samples: Option<&'a Item>,
    period: Option<&'a Place>,
    order: Option<Place>,
}

/// Reads all, and what they say of each other.
pub fn read(item: &Item, system: &mut System, problems: &mut Problems) -> Result<(), Problem> {
    let mut unresolved: Vec<Unresolved> = Vec::new();
    for (item, table) in item.tables()? {
        if let Err(problem) = transaction(item, table, system, &mut unresolved, problems) {
            problems.push(problem);
        }
    }
    if !problems.0.is_empty() {
        return Ok(());
    }
    if system.tasks.is_empty() {
        return Err(Problem::new("there is no task", &item.place, "here"));
    }
    for (id, unresolved) in unresolved.iter().enumerate() {
        if let Err(problem) = resolve(id, unresolved, system) {
            problems.push(problem);
        }
    }
    if let Some(cycle) = cycle(system) {
        let names: Vec<&str> = cycle.iter().map(|id| system.tasks[*id].name.as_str()).collect();
        let message = format!("tasks release each other in a circle: {}", names.join(" -> "));
        let problem = Problem::new(message, &unresolved[cycle[0]].item.place, "in the circle");
        problems.push(
            problem.help("take one `after` away, or use `samples` to read without being released"),
        );
    }
    if problems.0.is_empty() {
        orders(system, &unresolved, problems);
    }
    Ok(())
}

fn transaction<'a>(
    item: &'a Item,
    table: &'a Table,
    system: &mut System,
    unresolved: &mut Vec<Unresolved<'a>>,
    problems: &mut Problems,
) -> Result<(), Problem> {
    table.only(&["name", "task"], "a transaction")?;
    let number = system.transactions.len();
    let name = match table.get("name") {
        Some(item) => item.text()?.to_owned(),
        None => format!("T{}", number + 1),
    };
    if system.transactions.iter().any(|other| other.name == name) {
        let message = format!("there are two transactions \"{name}\"");
        return Err(Problem::new(message, &item.place, "the second").help("rename one"));
    }
    let tasks = table.need("task", &item.place)?.tables()?;
    if tasks.is_empty() {
        return Err(Problem::new("a transaction needs a task", &item.place, "here"));
    }
    system.transactions.push(Transaction { name, tasks: Vec::new() });
    for (position, (item, table)) in tasks.into_iter().enumerate() {
        match task(item, table, (number, position), system) {
            Ok(task) if system.tasks.iter().any(|other| other.name == task.name) => {
                let message = format!("there are two tasks \"{}\"", task.name);
                problems.push(Problem::new(message, &item.place, "the second").help("rename one"));
            }
            Ok(task) => {
                let id = system.tasks.len();
                system.transactions[number].tasks.push(id);
                system.tasks.push(task);
                let order = table.entry("order").map(|entry| entry.item.place.clone());
                let (after, samples) = (table.get("after"), table.get("samples"));
                let period = table.entry("period").map(|entry| &entry.item.place);
                unresolved.push(Unresolved { item, after, samples, period, order });
            }
            Err(problem) => problems.push(problem),
        }
    }
    Ok(())
}

const KNOWN: [&str; 17] = [
    "name",
    "ecu",
    "kind",
    "period",
    "offset",
    "execution",
    "order",
    "reads_physical",
    "writes_physical",
    "after",
    "samples",
    "group",
    "queue_depth",
    "sim_speed",
    "sim_execution",
    "identifier",
    "bytes",
];

fn task(
    item: &Item,
    table: &Table,
    (transaction, position): (usize, usize),
    system: &System,
) -> Result<Task, Problem> {
    table.only(&KNOWN, "a task")?;
    let name = match table.get("name") {
        Some(item) => item.text()?.to_owned(),
        None => format!("{}.{position}", system.transactions[transaction].name),
    };
    let ecus = system.ecus.iter().map(|ecu| ecu.name.as_str());
    let ecu = named(table.need("ecu", &item.place)?, "ECU", ecus)?;
    let period = table.get("period").map(positive).transpose()?;
    let offset = table.get("offset").map(from_zero).transpose()?;
    let clock = match (period, table.get("offset")) {
        (Some(period), _) => Some(Clock { period, offset: offset.unwrap_or(0) }),
        (None, Some(item)) => {
            return Err(Problem::new("`offset` without `period`", &item.place, "here"));
        }
        (None, None) => None,
    };
    let kinds = Kind::ALL.map(|kind| (kind.name(), kind));
    let kind =
        table.get("kind").map(|item| item.one_of("a kind of callback", &kinds)).transpose()?;
    let kind = kind.unwrap_or(if clock.is_some() { Kind::Timer } else { Kind::Subscription });
    if kind == Kind::Timer && clock.is_none() {
        return Err(Problem::new("a timer needs a `period`", &item.place, "this task"));
    }
    let is_released = position > 0 || table.get("after").is_some();
    if clock.is_none() && !is_released {
        let problem =
            Problem::new("the first task of a transaction needs a `period`", &item.place, "here");
        return Err(problem.help("or `after`, the names of the tasks that release it"));
    }
    let execution = execution(table.need("execution", &item.place)?)?;
    let simulated = simulated(table, &execution, system.computer.speed)?;
    let truth = |key| table.get(key).map(Item::truth).transpose();
    let number = |key, default| {
        table
            .get(key)
            .map(from_zero)
            .transpose()
            .map(|number: Option<Ticks>| number.unwrap_or(default))
    };
    let group = table.get("group").map(Item::text).transpose()?.unwrap_or(&name).to_owned();
    let depth = table.get("queue_depth").map(|item| within(item, 1, 1_000_000)).transpose()?;
    Ok(Task {
        transaction,
        position,
        ecu,
        kind,
        clock,
        after: Vec::new(),
        samples: Vec::new(),
        execution,
        order: number("order", Ticks::MAX)?,
        group,
        queue_depth: depth.unwrap_or(10) as usize,
        reads_physical: truth("reads_physical")?.unwrap_or(false),
        writes_physical: truth("writes_physical")?.unwrap_or(false),
        simulated,
        frame: Frame {
            identifier: number("identifier", system.tasks.len() as u64)?,
            bytes: number("bytes", 8)?,
        },
        name,
    })
}

/// `2000`, `{ best = 1000, worst = 2000 }`, or `{ measured = [1000, 1200, 2000] }`.
fn execution(item: &Item) -> Result<Execution, Problem> {
    let Data::Table(table) = &item.data else { return Ok(Execution::constant(positive(item)?)) };
    if let Some(list) = table.get("measured") {
        table.only(&["measured"], "measured execution times")?;
        let mut measured = list.items()?.iter().map(positive).collect::<Result<Vec<_>, _>>()?;
        measured.sort_unstable();
        let (Some(&best), Some(&worst)) = (measured.first(), measured.last()) else {
            return Err(Problem::new("there is no measured time", &list.place, "empty"));
        };
        return Ok(Execution { best, worst, measured });
    }
    table.only(&["best", "worst"], "an execution time")?;
    let best = positive(table.need("best", &item.place)?)?;
    let worst = positive(table.need("worst", &item.place)?)?;
    if best > worst {
        return Err(Problem::new("`best` is longer than `worst`", &item.place, "here"));
    }
    Ok(Execution { best, worst, measured: Vec::new() })
}

/// Time on the simulation computer per time on the ECU: by the speed, or by what the longest job takes.
fn simulated(table: &Table, execution: &Execution, speed: Fraction) -> Result<Fraction, Problem> {
    match (table.get("sim_speed"), table.get("sim_execution")) {
        (Some(_), Some(item)) => {
            let problem = Problem::new("`sim_execution` beside `sim_speed`", &item.place, "here");
            Err(problem.help("one of them says how long the task takes on the simulation computer"))
        }
        (Some(item), None) => Ok(fraction(item)?.inverse()),
        (None, Some(item)) => {
            let time = positive(item)?;
            Ok(Fraction::new(time, execution.worst).unwrap_or(Fraction::ONE))
        }
        (None, None) => Ok(speed.inverse()),
    }
}

/// Finds the tasks that `after` and `samples` name; without `after`, the one in front.
fn resolve(id: TaskId, unresolved: &Unresolved, system: &mut System) -> Result<(), Problem> {
    let find = |item: &Item| -> Result<Vec<TaskId>, Problem> {
        let names = system.tasks.iter().map(|task| task.name.as_str());
        match &item.data {
            Data::Array(items) => {
                let mut found = Vec::new();
                for item in items {
                    let id = named(item, "task", names.clone())?;
                    if found.contains(&id) {
                        let message = format!("\"{}\" is named twice", system.tasks[id].name);
                        let problem = Problem::new(message, &item.place, "the second");
                        return Err(problem.help("name each task once"));
                    }
                    found.push(id);
                }
                Ok(found)
            }
            _ => Ok(vec![named(item, "task", names)?]),
        }
    };
    let samples = unresolved.samples.map(find).transpose()?.unwrap_or_default();
    let after = match (unresolved.after, &system.tasks[id]) {
        (Some(item), _) => find(item)?,
        (None, task) if task.position > 0 && task.clock.is_none() => {
            vec![system.transactions[task.transaction].tasks[task.position - 1]]
        }
        (None, _) => Vec::new(),
    };
    if let (Some(item), Kind::Timer) = (unresolved.after, system.tasks[id].kind) {
        let problem = Problem::new("a timer is released by its clock alone", &item.place, "here");
        return Err(problem.help("`samples` lets it read what another task has written"));
    }
    let task = &system.tasks[id];
    let is_linked = unresolved.after.is_some() || !samples.is_empty();
    if let (Some(period), true, false) = (unresolved.period, task.position > 0, is_linked) {
        let front = &system.tasks[system.transactions[task.transaction].tasks[task.position - 1]];
        let message = format!("nothing links \"{}\" to \"{}\"", task.name, front.name);
        let label = "it has a clock of its own, so the task in front does not release it";
        let problem = Problem::new(message, period, label);
        return Err(problem.help(format!(
            "take `period` away, or give it samples = [\"{}\"] or a [[transaction]] of its own",
            front.name
        )));
    }
    (system.tasks[id].after, system.tasks[id].samples) = (after, samples);
    Ok(())
}

/// Tasks that release each other in a circle, if there are any.
fn cycle(system: &System) -> Option<Vec<TaskId>> {
    // 0: not looked at, 1: on the way, 2: leads into no circle.
    let mut marks = vec![0u8; system.tasks.len()];
    for start in 0..system.tasks.len() {
        let mut way: Vec<(TaskId, usize)> = vec![(start, 0)];
        while let Some((task, next)) = way.last_mut() {
            let id = *task;
            marks[id] = marks[id].max(1);
            match system.tasks[id].after.get(*next) {
                Some(before) if marks[*before] == 1 => {
                    let from = way.iter().position(|(on_way, _)| on_way == before)?;
                    let mut circle: Vec<TaskId> = way[from..].iter().map(|(id, _)| *id).collect();
                    circle.reverse();
                    circle.push(circle[0]);
                    return Some(circle);
                }
                Some(before) => {
                    *next += 1;
                    let before = *before;
                    if marks[before] == 0 {
                        way.push((before, 0));
                    }
                }
                None => {
                    marks[id] = 2;
                    way.pop();
                }
            }
        }
    }
    None
}

/// Orders that were not written: of registration as in the file; of priority by period (rate monotonic).
fn orders(system: &mut System, unresolved: &[Unresolved], problems: &mut Problems) {
    for ecu in 0..system.ecus.len() {
        let ids: Vec<TaskId> =
            (0..system.tasks.len()).filter(|id| system.tasks[*id].ecu == ecu).collect();
        let written = ids.iter().filter(|id| unresolved[**id].order.is_some()).count();
        if written > 0 && written < ids.len() {
            let lacks =
                ids.iter().find(|id| unresolved[**id].order.is_none()).copied().unwrap_or(ids[0]);
            let message = format!(
                "\"{}\" has no `order`, but others on its ECU have",
                system.tasks[lacks].name
            );
            problems.push(Problem::new(message, &unresolved[lacks].item.place, "this task"));
            continue;
        }
        if written == 0 {
            let mut by_order = ids.clone();
            if system.ecus[ecu].scheduler == Scheduler::FixedPriority {
                by_order.sort_by_key(|id| (system.period_of(*id), *id));
            }
            for (order, id) in by_order.into_iter().enumerate() {
                system.tasks[id].order = order as u64;
            }
            continue;
        }
        for (at, id) in ids.iter().enumerate() {
            let order = system.tasks[*id].order;
            let same = ids[..at].iter().find(|other| system.tasks[**other].order == order);
            if let (Some(same), Some(place)) = (same, &unresolved[*id].order) {
                let message =
                    format!("\"{}\" has the order {order}, too", system.tasks[*same].name);
                problems.push(
                    Problem::new(message, place, "the second")
                        .help("each order stands once on an ECU"),
                );
            }
        }
    }
}
