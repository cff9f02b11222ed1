//! Checks links: that they exist, fit, and leave no required input without a source.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use ironbird_component::{
    Direction, Mismatch, Part, PortDescription, Registry, ValueType, compatible,
};
use ironbird_kernel::path::{matches, nearest};
use ironbird_kernel::{Duration, LeafKind, Parameter, PortKind, Schema};

use crate::checked::{Component, Link, PortAt};
use crate::expand::{absolute, join};
use crate::inputs::{Given, LINK_KEYS, inputs};
use crate::names::{Names, is_at_or_below};
use crate::suggestions::Suggestions;
use crate::system::Components;
use crate::values;
use crate::via::{self, Adapted, VIA, key};
use ironbird_document::{Data, Item};
use ironbird_document::{Place, Problem, Problems};

/// More links than this are a mistake: a pattern in an array.
const MOST: usize = 2_000_000;

/// What has no source, and the problem with that: unless every scenario gives it one.
pub type Unlinked = Vec<(PortAt, Problem)>;

/// Checks the links of all components.
pub fn links(
    components: &Components,
    names: &Names<'_>,
    adapted: &Adapted,
    registry: &Registry,
    problems: &mut Problems,
) -> (Vec<Link>, Unlinked) {
    let mut links = Vec::new();
    let mut unlinked = Unlinked::new();
    // What is wrong at one place is wrong in every element of an array: once is enough, also for time.
    let mut failed: BTreeSet<(usize, usize, &str)> = BTreeSet::new();
    let key = |place: &Place| (Arc::as_ptr(&place.source) as usize, place.span.start);
    let with = (registry, Some(adapted));
    for (number, written) in components.written.iter().enumerate() {
        let component = &components.list[number];
        let mut linked = BTreeSet::new();
        if let Some(item) = written.table.get("in") {
            let table = item
                .table()
                .map_err(|problem| problem.help("write in.<input> = \"<component>.<output>\""));
            let Some(table) = problems.take(table) else { continue };
            let failed_itself = names.has_failed(&component.path);
            let read = inputs(component, table, failed_itself, problems);
            linked = read.linked;
            for Given { input, source } in read.given {
                let sources = match &source.data {
                    Data::Array(items) if input.kind == PortKind::Event => items.iter().collect(),
                    Data::Array(_) => {
                        let message = format!("\"{}\" is a signal and has one source", input.name);
                        problems.push(Problem::new(message, &source.place, "a list"));
                        continue;
                    }
                    _ => vec![&*source],
                };
                for source in sources {
                    let (file, start) = key(&source.place);
                    if failed.contains(&(file, start, "")) {
                        continue;
                    }
                    let to = PortAt { component: number, port: input.name.clone() };
                    let before = problems.0.len();
                    let made = link(names, &written.scope, source, to, with, problems);
                    links.extend(problems.take(made).into_iter().flatten());
                    if problems.0.len() > before {
                        failed.insert((file, start, ""));
                    }
                    if links.len() > MOST {
                        let message = format!("the system has more than {MOST} links");
                        problems.push(Problem::new(message, &source.place, "too many"));
                        return (Vec::new(), Unlinked::new());
                    }
                }
            }
        }
        for port in component.interface.inputs().filter(|port| port.required) {
            let (file, start) = key(&component.place);
            if linked.contains(port.name.as_str()) {
                continue;
            }
            if failed.insert((file, start, &port.name)) {
                let message = format!("input \"{}.{}\" is not linked", component.path, port.name);
                let problem = Problem::new(message, &component.place, "needs a source");
                let input = PortAt { component: number, port: port.name.clone() };
                unlinked.push((input, problem.help(suggest_source(names, number, port))));
            }
        }
    }
    (links, unlinked)
}

fn suggest_source(names: &Names<'_>, number: usize, input: &PortDescription) -> String {
    let fitting = names.components.iter().enumerate().filter(|(n, _)| *n != number).flat_map(
        |(_, component)| {
            let outputs = component.interface.outputs();
            outputs
                .filter(|output| compatible(output, input).is_ok())
                .map(|output| format!("{}.{}", component.path, output.name))
        },
    );
    let candidates: Vec<String> = fitting.collect();
    let best = nearest(&input.name, candidates.iter().map(String::as_str));
    match best.or(candidates.first().map(String::as_str)) {
        Some(source) => {
            format!("for example {} = \"{source}\"", key(&input.name))
        }
        None => format!("it reads {}; no output here fits it", input.value),
    }
}

/// The links that one value of `in` or `bind` means: several only for an event input. Only those of the system have
/// adapters.
pub(crate) fn link(
    names: &Names<'_>,
    scope: &str,
    item: &Item,
    to: PortAt,
    (registry, adapted): (&Registry, Option<&Adapted>),
    problems: &mut Problems,
) -> Result<Vec<Link>, Problem> {
    let (mut adapter, mut kept) = (None, Vec::new());
    let (source, latency, previous) = match &item.data {
        Data::Table(table) => {
            match (table.entry(VIA), adapted) {
                (None, _) => table.only(&LINK_KEYS, "a link")?,
                (Some(_), Some(adapted)) => match adapted.get(&to) {
                    Some(output) => adapter = Some(output),
                    // What is wrong with it was told when it was to be made.
                    None => return Ok(Vec::new()),
                },
                (Some(via), None) => {
                    let message = "an adapter is there from the start, and written in [system]";
                    let problem = Problem::new(message, &via.place, "not here");
                    return Err(problem.help("write it as a component of its own, and link that"));
                }
            }
            kept = via::kept(table);
            let Some(from) = table.get("from") else {
                let problem = Problem::new("a link needs `from`", &item.place, "no source");
                return Err(problem.help("for example { from = \"room.temperature\" }"));
            };
            let latency = table.get("latency").map(|item| values::duration(item, "a latency"));
            let latency = latency.transpose()?.unwrap_or(Duration::ZERO);
            (from, latency, values::is_previous(table)?)
        }
        _ => (item, Duration::ZERO, false),
    };
    let place = &source.place;
    let path = match adapter {
        Some(at) => join(&names.components[at.component].path, &at.port),
        None => absolute(source.text()?, scope),
    };
    let reader = &names.components[to.component];
    let input = reader.interface.input(&to.port).expect("it was found before");
    let paths = sources(names, &path, input.kind, place)?;
    let mut links = Vec::new();
    for path in paths {
        let (from, output, part) =
            names.port(&path, Direction::Output).map_err(|missing| missing.at(place))?;
        let shown = match part.is_part() {
            false => Some(Cow::Borrowed(output)),
            true => output.showing(&part, input.value).map(Cow::Owned),
        };
        let why = match &shown {
            None => Err(other_type(&part, input)),
            Some(shown) => compatible(shown, input).map_err(|why| mismatch(shown, input, &why)),
        };
        if let Err(why) = why {
            let to = join(&reader.path, &input.name);
            let message = format!("\"{path}\" does not fit \"{to}\": {why}");
            let problem = Problem::new(message, place, "does not fit");
            let suggestions = Suggestions { names, registry, source: &path, kept: kept.clone() };
            let problem = suggestions.instead(problem, (output, &part), input);
            let is_time = part.path == "taken" || part.path.ends_with(".taken");
            problems.push(match (output.kind != input.kind, is_time && shown.is_none()) {
                (true, _) => problem.help("an event comes and goes, a signal always has a value"),
                (_, true) => problem.help("adapter.latest shows when its sample was taken, in s"),
                _ => problem,
            });
            continue;
        }
        if !part.is_part()
            && let Some(beyond) = beyond(reader, &path, output, place)
        {
            problems.push(beyond);
            continue;
        }
        if let Some(dormant) = &names.components[from.component].dormant
            && !is_at_or_below(&reader.path, dormant)
            && input.required
        {
            let message = format!("\"{path}\" is not there before \"{dormant}\" is spawned");
            return Err(Problem::new(message, place, "not there yet")
                .help(format!("\"{}.{}\" must always have a source", reader.path, to.port)));
        }
        if previous && output.kind == PortKind::Event {
            let message = "only a signal has a previous value";
            return Err(Problem::new(message, place, "sends events"));
        }
        let latency = latency + names.components[from.component].delay;
        let part = part.is_part().then_some(part);
        links.push(Link { from, part, to: to.clone(), latency, previous, place: place.clone() });
    }
    Ok(links)
}

/// A parameter of a reader that counts further than its source goes.
fn beyond(
    reader: &Component,
    path: &str,
    output: &PortDescription,
    place: &Place,
) -> Option<Problem> {
    output.counts.iter().find_map(|(name, count)| {
        let Some(Parameter::Integer(number)) = reader.settings.get(name) else { return None };
        if *number < i64::from(*count) {
            return None;
        }
        let there = if *count == 1 {
            "the only one is 0".into()
        } else {
            format!("it has 0 to {}", count - 1)
        };
        let message = format!("\"{path}\" has no {name} {number}: {there}");
        Some(Problem::new(message, place, "does not go so far"))
    })
}

/// All outputs that a pattern means; a path without a star is itself.
fn sources(
    names: &Names<'_>,
    path: &str,
    kind: PortKind,
    place: &Place,
) -> Result<Vec<String>, Problem> {
    if !path.contains('*') {
        return Ok(vec![path.into()]);
    }
    if kind == PortKind::Signal {
        let message = "a signal has one source; only an event input takes a pattern";
        return Err(Problem::new(message, place, "a pattern"));
    }
    let outputs = names.components.iter().flat_map(|component| {
        component.interface.outputs().map(|port| join(&component.path, &port.name))
    });
    let found: Vec<String> = outputs.filter(|output| matches(path, output)).collect();
    if found.is_empty() {
        let problem = Problem::new(format!("no output fits \"{path}\""), place, "fits nothing");
        return Err(problem.consequence(names.any_failed()));
    }
    Ok(found)
}

/// Why a part is no value of the type that an input takes.
fn other_type(part: &Part, input: &PortDescription) -> String {
    let is_long = matches!(part.schema, Schema::Leaf(LeafKind::U64 | LeafKind::I64));
    if is_long && input.value == ValueType::of::<f64>() {
        let (given, taken) = (&part.schema, input.value);
        return format!("it is a whole number of 64 bits ({given}), which {taken} would round");
    }
    format!("it is {}, and \"{}\" takes {}", part.schema, input.name, input.value)
}

/// Why two ports do not fit.
fn mismatch(output: &PortDescription, input: &PortDescription, why: &Mismatch) -> String {
    match (output.value.is_continuous(), input.value.is_continuous()) {
        (true, false) => {
            format!("it is continuous, and sampled values ({}) are taken", input.value)
        }
        (false, true) => {
            format!("it is sampled ({}), and a continuous signal is taken", output.value)
        }
        _ => why.to_string(),
    }
}
