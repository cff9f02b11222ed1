//! Checks links: that they exist, fit, and leave no required input without a source.

use std::collections::BTreeSet;
use std::sync::Arc;

use ironbird_component::{Direction, Mismatch, PortDescription, Registry, compatible};
use ironbird_kernel::path::{matches, nearest};
use ironbird_kernel::{Duration, PortKind};

use crate::checked::{Component, Link, PortAt};
use crate::expand::{absolute, join};
use crate::inputs::{Given, LINK_KEYS, inputs};
use crate::names::{Names, is_at_or_below};
use crate::system::Components;
use crate::values;
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
    registry: &Registry,
    problems: &mut Problems,
) -> (Vec<Link>, Unlinked) {
    let mut links = Vec::new();
    let mut unlinked = Unlinked::new();
    // What is wrong at one place is wrong in every element of an array: once is enough, also for time.
    let mut failed: BTreeSet<(usize, usize, &str)> = BTreeSet::new();
    let key = |place: &Place| (Arc::as_ptr(&place.source) as usize, place.span.start);
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
                    let made = link(names, &written.scope, source, to, registry, problems);
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
            // A name with dots goes as it is; one with an index needs quotes.
            let name = if input.name.contains('[') {
                format!("\"{}\"", input.name)
            } else {
                input.name.clone()
            };
            format!("for example in.{name} = \"{source}\"")
        }
        None => format!("it reads {}; no output here fits it", input.value),
    }
}

/// The links that one value of `in` or `bind` means: several only for an event input.
pub(crate) fn link(
    names: &Names<'_>,
    scope: &str,
    item: &Item,
    to: PortAt,
    registry: &Registry,
    problems: &mut Problems,
) -> Result<Vec<Link>, Problem> {
    let (source, latency, previous) = match &item.data {
        Data::Table(table) => {
            table.only(&LINK_KEYS, "a link")?;
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
    let path = absolute(source.text()?, scope);
    let reader = &names.components[to.component];
    let input = reader.interface.input(&to.port).expect("it was found before");
    let paths = sources(names, &path, input.kind, place)?;
    let mut links = Vec::new();
    for path in paths {
        let (from, output, leaves) =
            names.port(&path, Direction::Output).map_err(|missing| missing.at(place))?;
        if leaves.1 != output.value.schema().leaves().len() && !output.value.is_continuous() {
            let message = format!("\"{path}\" is a part of an output; a link carries all of it");
            return Err(Problem::new(message, place, "a part"));
        }
        if let Err(mismatch) = compatible(output, input) {
            problems.push(mismatched(&path, reader, &to, &mismatch, registry, output, place));
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
        links.push(Link { from, to: to.clone(), latency, previous, place: place.clone() });
    }
    Ok(links)
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

fn mismatched(
    path: &str,
    reader: &Component,
    to: &PortAt,
    mismatch: &Mismatch,
    registry: &Registry,
    output: &PortDescription,
    place: &Place,
) -> Problem {
    let input = reader.interface.input(&to.port).expect("it was found before");
    let (gives, takes) = (output.value.is_continuous(), input.value.is_continuous());
    let why = match (gives, takes) {
        (true, false) => {
            format!("it is continuous, and sampled values ({}) are taken", input.value)
        }
        (false, true) => {
            format!("it is sampled ({}), and a continuous signal is taken", output.value)
        }
        _ => mismatch.to_string(),
    };
    let message = format!("\"{path}\" does not fit \"{}.{}\": {why}", reader.path, to.port);
    let problem = Problem::new(message, place, "does not fit");
    match registry.adapters(output, input).as_slice() {
        [] if output.kind != input.kind => {
            problem.help("an event comes and goes, a signal always has a value")
        }
        [] => problem,
        [one] => problem.help(format!("put a component of type {one} between them")),
        several => {
            problem.help(format!("one of these between them would fit: {}", several.join(", ")))
        }
    }
}
