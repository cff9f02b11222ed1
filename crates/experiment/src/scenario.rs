//! Checks what happens, what is required and what is recorded.

use std::collections::BTreeSet;

use ironbird_kernel::{Duration, Sampling, Time};

use crate::acts::{ACT_KEYS, Acting, flatten, leaves_of};
use crate::bindings::binding;
use crate::checked::{Act, Follower, PortAt, Requirement, Scenario, Stop, Timed, Trigger};
use crate::faults::fault;
use crate::formulas;
use crate::links::link;
use crate::names::Ending;
use crate::records::records;
use crate::system::parameter_of;
use crate::values;
use ironbird_document::{Data, Item, Table};
use ironbird_document::{Place, Problem, Problems};

/// More samples of a signal than these take days and fill disks.
const MOST_SAMPLES: f64 = 1e9;
/// Keys of a scenario.
const SCENARIO_KEYS: [&str; 13] = [
    "doc", "duration", "seed", "repeat", "set", "bind", "at", "when", "fault", "stop", "require",
    "record", "end",
];

/// Of a run whose duration is not known, which is told: nothing is later than its end.
const UNKNOWN: Duration = Duration::from_ps(u64::MAX);

/// All scenarios: those of `[scenario]` on top of what the root says, or the root alone.
pub fn scenarios(
    acting: &Acting<'_>,
    root: &Table,
    start: &Place,
    problems: &mut Problems,
) -> Vec<Scenario> {
    let common = part(acting, root, problems);
    let duration = root.get("duration").map(|item| values::duration(item, "`duration`"));
    let duration = duration.and_then(|duration| problems.take(duration));
    let seed = root.get("seed").and_then(|item| problems.take(seed_of(item))).unwrap_or(0);
    let mut scenarios = Vec::new();
    match root.get("scenario").map(Item::table) {
        None => {
            if duration.is_none() && root.get("duration").is_none() {
                problems.push(no_duration(start));
            }
            let duration = duration.unwrap_or(UNKNOWN);
            scenarios.push(Scenario { name: None, duration, seed, repeat: 1, ..common });
        }
        Some(Err(problem)) => problems.push(problem),
        Some(Ok(table)) => {
            for entry in &table.0 {
                let Some(own) = problems.take(entry.item.table()) else { continue };
                if let Err(problem) = own.only(&SCENARIO_KEYS, "a scenario") {
                    problems.push(problem);
                }
                let mut scenario = common.clone();
                scenario.name = Some(entry.key.clone());
                if !can_name_a_folder(&entry.key) {
                    let message = format!("a scenario cannot be called \"{}\"", entry.key);
                    let problem = Problem::new(message, &entry.place, "not a name");
                    problems.push(problem.help("its results are put into a folder of this name"));
                }
                scenario.extend(part(acting, own, problems));
                scenario.seed = seed;
                if let Some(item) = own.get("seed") {
                    scenario.seed = problems.take(seed_of(item)).unwrap_or(seed);
                }
                scenario.repeat = 1;
                if let Some(item) = own.get("repeat") {
                    let repeat = problems.take(item.count()).unwrap_or(1);
                    if repeat == 0 {
                        problems.push(Problem::new("`repeat` is at least 1", &item.place, "here"));
                    }
                    scenario.repeat = repeat;
                }
                let own_duration = own.get("duration").map(|i| values::duration(i, "`duration`"));
                match own_duration.map(|d| problems.take(d)).unwrap_or(duration) {
                    Some(duration) => scenario.duration = duration,
                    None if root.get("duration").is_none() && own.get("duration").is_none() => {
                        problems.push(no_duration(start));
                        scenario.duration = UNKNOWN;
                    }
                    // Told already.
                    None => scenario.duration = UNKNOWN,
                }
                scenarios.push(scenario);
            }
        }
    }
    for scenario in &mut scenarios {
        lead(acting, scenario, problems);
        check_names(scenario, problems);
        check_times(scenario, problems);
    }
    scenarios
}

/// A seed has 64 bits; TOML's whole numbers have one less, so a larger one is a text.
fn seed_of(item: &Item) -> Result<u64, Problem> {
    match &item.data {
        Data::Text(text) if is_whole(text) => text.parse().map_err(|_| {
            let message = format!("{} is the largest seed", u64::MAX);
            Problem::new(message, &item.place, "too large")
        }),
        _ => item.count(),
    }
}

fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn no_duration(start: &Place) -> Problem {
    Problem::new("the experiment does not say how long it runs", start, "")
        .help("write duration = \"10 s\" at the top")
}

fn can_name_a_folder(name: &str) -> bool {
    let bad =
        |c: char| c.is_control() || ['/', '\\', ':', '*', '?', '"', '<', '>', '|'].contains(&c);
    !name.is_empty() && !name.contains(bad) && !name.starts_with('.') && name.len() <= 200
}

impl Scenario {
    fn extend(&mut self, other: Scenario) {
        self.initial.extend(other.initial);
        self.bindings.extend(other.bindings);
        self.links.extend(other.links);
        self.actions.extend(other.actions);
        self.triggers.extend(other.triggers);
        self.faults.extend(other.faults);
        self.stops.extend(other.stops);
        self.requirements.extend(other.requirements);
        self.records.extend(other.records);
        self.end.extend(other.end);
    }
}

/// What stands at the root or in one scenario.
fn part(acting: &Acting<'_>, table: &Table, problems: &mut Problems) -> Scenario {
    let mut part = Scenario {
        name: None,
        duration: Duration::ZERO,
        seed: 0,
        repeat: 1,
        initial: Vec::new(),
        bindings: Vec::new(),
        links: Vec::new(),
        actions: Vec::new(),
        triggers: Vec::new(),
        faults: Vec::new(),
        stops: Vec::new(),
        requirements: Vec::new(),
        records: Vec::new(),
        end: Vec::new(),
    };
    if let Some(set) = table.get("set") {
        part.initial.extend(problems.take(initial(acting, set)).into_iter().flatten());
    }
    if let Some(bind) = table.get("bind") {
        let bound = bind_before_the_start(acting, bind, &mut part, problems);
        problems.take(bound);
    }
    each(table, "at", problems, |item, table| {
        part.actions.push(timed(acting, item, table)?);
        Ok(())
    });
    each(table, "when", problems, |item, table| {
        part.triggers.push(trigger(acting, item, table)?);
        Ok(())
    });
    each(table, "fault", problems, |item, table| {
        part.faults.push(fault(acting, item, table)?);
        Ok(())
    });
    each(table, "stop", problems, |item, table| {
        table.only(&["name", "doc", "condition"], "a stop condition")?;
        let (name, condition) = (name_of(item, table)?, required(item, table, "condition")?);
        let condition = formulas::condition(acting.names, condition)?;
        part.stops.push(Stop { name, condition, place: item.place.clone() });
        Ok(())
    });
    each(table, "require", problems, |item, table| {
        table.only(&["name", "doc", "formula", "stop"], "a requirement")?;
        let (name, formula) = (name_of(item, table)?, required(item, table, "formula")?);
        let condition = formulas::requirement(acting.names, formula)?;
        let stop = table.get("stop").map(Item::truth).transpose()?.unwrap_or(false);
        if let Some(entry) =
            table.entry("stop").filter(|_| stop && condition.formula.invariant().is_none())
        {
            let message = "only `always <condition>` can stop a run when it is violated";
            return Err(Problem::new(message, &entry.place, "not possible"));
        }
        // A monitor reads what is written; what is continuous moves in between.
        let continuous = condition.signals.iter().find(|signal| stop && signal.continuous);
        if let (Some(signal), Some(entry)) = (continuous, table.entry("stop")) {
            let message = format!("\"{}\" is continuous and cannot stop a run", signal.path);
            let problem = Problem::new(message, &entry.place, "not possible");
            return Err(
                problem.help("sample it with a component of type adapter.sample, or a sensor")
            );
        }
        part.requirements.push(Requirement { name, condition, stop, place: item.place.clone() });
        Ok(())
    });
    each(table, "record", problems, |item, table| {
        part.records.extend(records(acting, item, table)?);
        Ok(())
    });
    each(table, "end", problems, |item, table| {
        let keys: Vec<&str> = ["name", "doc", "set", "call", "stop", "start", "reset"].to_vec();
        table.only(&keys, "what happens at the end")?;
        part.end.extend(acting.acts(table)?);
        if part.end.is_empty() {
            return Err(nothing_done(item));
        }
        Ok(())
    });
    part
}

/// Binds queries and required services to who answers them, and inputs to outputs.
fn bind_before_the_start(
    acting: &Acting<'_>,
    bind: &Item,
    part: &mut Scenario,
    problems: &mut Problems,
) -> Result<(), Problem> {
    for (path, place, value) in flatten(bind)? {
        let found = acting.names.owner(&path, Ending::Service);
        let Some((component, name)) = problems.take(found.map_err(|missing| missing.at(&place)))
        else {
            continue;
        };
        let end = PortAt { component, port: name.into() };
        if acting.names.components[component].interface.input(name).is_some() {
            let made = link(acting.names, "", value, end, (acting.registry, None), problems);
            part.links.extend(problems.take(made).into_iter().flatten());
        } else {
            let made = binding(acting.names, end, "", &place, value);
            part.bindings.extend(problems.take(made));
        }
    }
    Ok(())
}

/// Every entry of a list of tables; a wrong one does not hide the next.
fn each(
    table: &Table,
    key: &str,
    problems: &mut Problems,
    mut read: impl FnMut(&Item, &Table) -> Result<(), Problem>,
) {
    let Some(list) = table.get(key) else { return };
    for (item, table) in problems.take(list.tables()).unwrap_or_default() {
        problems.take(read(item, table));
    }
}

pub(crate) fn required<'a>(item: &Item, table: &'a Table, key: &str) -> Result<&'a Item, Problem> {
    table.get(key).ok_or_else(|| Problem::new(format!("`{key}` is missing"), &item.place, "here"))
}

fn name_of(item: &Item, table: &Table) -> Result<String, Problem> {
    Ok(required(item, table, "name")?.text()?.to_owned())
}

fn nothing_done(item: &Item) -> Problem {
    Problem::new("nothing is done here", &item.place, "no action")
        .help(format!("one or several of {}", ACT_KEYS.join(", ")))
}

fn timed(acting: &Acting<'_>, item: &Item, table: &Table) -> Result<Timed, Problem> {
    let keys: Vec<&str> = ["name", "doc", "time"].into_iter().chain(ACT_KEYS).collect();
    table.only(&keys, "a timed event")?;
    let at = values::time(required(item, table, "time")?, "`time`")?;
    let acts = acting.acts(table)?;
    if acts.is_empty() {
        return Err(nothing_done(item));
    }
    let name = match table.get("name") {
        Some(name) => name.text()?.to_owned(),
        None => format!("at {at}"),
    };
    Ok(Timed { name, at, acts, place: item.place.clone() })
}

fn trigger(acting: &Acting<'_>, item: &Item, table: &Table) -> Result<Trigger, Problem> {
    let keys: Vec<&str> = ["name", "doc", "condition"].into_iter().chain(ACT_KEYS).collect();
    table.only(&keys, "a trigger")?;
    let written = required(item, table, "condition")?;
    let condition = formulas::condition(acting.names, written)?;
    let acts = acting.acts(table)?;
    if acts.is_empty() {
        return Err(nothing_done(item));
    }
    let structural = |act: &Act| matches!(act, Act::Spawn(_) | Act::Remove(_));
    if acts.iter().any(structural) {
        let entry = ["spawn", "remove"].iter().find_map(|key| table.entry(key));
        let place = entry.map_or(&item.place, |entry| &entry.place);
        let message =
            "a condition cannot change the system itself: others may have run ahead of it";
        let problem = Problem::new(message, place, "only at a fixed time");
        return Err(problem.help("use [[at]], or stop and start a component that is always there"));
    }
    let name = match table.get("name") {
        Some(name) => name.text()?.to_owned(),
        None => condition.text.clone(),
    };
    Ok(Trigger { name, condition, acts, place: item.place.clone() })
}

/// Parameters that a scenario sets before the start; fixed ones may be set, too.
fn initial(
    acting: &Acting<'_>,
    set: &Item,
) -> Result<Vec<(usize, String, ironbird_kernel::Parameter)>, Problem> {
    let mut found = Vec::new();
    for (path, place, value) in flatten(set)? {
        let (component, parameter) = acting.setting(&path, &place)?;
        let owner = &acting.names.components[component];
        let whole = parameter.split('[').next().unwrap_or(&parameter);
        if whole == "rate" && owner.description.kind == ironbird_component::Kind::Periodic {
            let problem =
                Problem::new("a scenario sets parameters here, not rates", &place, "a rate");
            let name = &owner.path;
            return Err(problem.help(format!(
                "change it at the start: [[scenario.<name>.at]] time = \"0 s\", set = {{ {name}.rate = ... }}"
            )));
        }
        let description = parameter_of(owner, whole, &place)?;
        acting.leads(component, whole, &place)?;
        for (leaf, value) in leaves_of(description, &parameter, &place, value)? {
            found.push((component, leaf, value));
        }
    }
    Ok(found)
}

/// What follows with these acts: at once, or, where it follows with the previous value, one instant later.
pub fn with_followers(followers: &[Follower], acts: &[Act], previous: bool) -> Vec<Act> {
    let mut more = Vec::new();
    for act in acts {
        let Act::Set { component, parameter, value } = act else { continue };
        let whole = parameter.split('[').next().unwrap_or(parameter);
        let led = followers.iter().filter(|f| {
            f.leader.component == *component && f.leader.port == whole && f.previous == previous
        });
        more.extend(led.map(|f| Act::Set {
            component: f.follower.component,
            parameter: format!("{}{}", f.follower.port, &parameter[whole.len()..]),
            value: value.clone(),
        }));
    }
    more
}

/// Followers change with their leaders, at once or one instant later.
fn lead(acting: &Acting<'_>, scenario: &mut Scenario, problems: &mut Problems) {
    let with_followers =
        |acts: &[Act], previous: bool| with_followers(acting.followers, acts, previous);
    let mut later = Vec::new();
    for timed in &mut scenario.actions {
        let delayed = with_followers(&timed.acts, true);
        timed.acts.extend(with_followers(&timed.acts.clone(), false));
        if !delayed.is_empty() {
            let at = timed.at + Duration::EPSILON;
            later.push(Timed { at, acts: delayed, ..timed.clone() });
        }
    }
    scenario.actions.extend(later);
    for trigger in &mut scenario.triggers {
        trigger.acts.extend(with_followers(&trigger.acts.clone(), false));
        if !with_followers(&trigger.acts, true).is_empty() {
            let message =
                "a condition cannot set a parameter that others follow with its previous value";
            let problem = Problem::new(message, &trigger.place, "sets it");
            problems.push(problem.help("let them follow its current value"));
        }
    }
    let initial = std::mem::take(&mut scenario.initial);
    for (component, parameter, value) in initial {
        let act = Act::Set { component, parameter, value };
        let acts = [
            std::slice::from_ref(&act),
            &with_followers(std::slice::from_ref(&act), false),
            &with_followers(std::slice::from_ref(&act), true),
        ]
        .concat();
        for act in acts {
            if let Act::Set { component, parameter, value } = act {
                scenario.initial.push((component, parameter, value));
            }
        }
    }
}

/// Names address entries and key random numbers: each once.
fn check_names(scenario: &Scenario, problems: &mut Problems) {
    let lists: [(&str, Vec<(&String, &Place)>); 4] = [
        ("faults", scenario.faults.iter().map(|f| (&f.name, &f.place)).collect()),
        ("requirements", scenario.requirements.iter().map(|r| (&r.name, &r.place)).collect()),
        ("triggers", scenario.triggers.iter().map(|t| (&t.name, &t.place)).collect()),
        ("stop conditions", scenario.stops.iter().map(|s| (&s.name, &s.place)).collect()),
    ];
    for (what, names) in lists {
        let mut seen = BTreeSet::new();
        for (name, place) in names {
            if !seen.insert(name) {
                let message = format!("there are two {what} called \"{name}\"");
                let problem = Problem::new(message, place, "again");
                problems.push(problem.help("a name says which one is meant: give each its own"));
            }
        }
    }
}

/// What can never happen is worth a word.
fn check_times(scenario: &Scenario, problems: &mut Problems) {
    if scenario.duration == UNKNOWN {
        return;
    }
    let end = Time::ZERO + scenario.duration;
    for record in &scenario.records {
        let Sampling::Every(rate) = record.sampling else { continue };
        let count = scenario.duration.as_secs_f64() * rate.as_f64();
        if count > MOST_SAMPLES {
            let message = format!("until {end} that is about {count:.0e} values of each signal");
            let problem = Problem::new(message, &record.place, "very often");
            problems.push(problem.help("a longer `every` records less").warning());
        }
    }
    for timed in scenario.actions.iter().filter(|timed| timed.at > end) {
        let message = format!("\"{}\" is after the end of the run at {end}", timed.name);
        problems.push(Problem::new(message, &timed.place, "never happens").warning());
    }
    for fault in &scenario.faults {
        if let crate::checked::Window::Times(from, _) = fault.window
            && from > end
        {
            let message = format!("fault \"{}\" is after the end of the run at {end}", fault.name);
            problems.push(Problem::new(message, &fault.place, "never happens").warning());
        }
    }
}
