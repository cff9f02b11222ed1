//! Checks `[[record]]`: which outputs are recorded, and when.

use std::collections::BTreeSet;

use ironbird_component::Direction;
use ironbird_kernel::{Duration, PortKind, Rate, Sampling};

use crate::acts::Acting;
use crate::checked::{PortAt, Recorded};
use crate::scenario::required;
use crate::values;
use ironbird_document::{Item, Table};
use ironbird_document::{Place, Problem};
use ironbird_kernel::path::matches;

/// One entry of `[[record]]`.
pub fn records(acting: &Acting<'_>, item: &Item, table: &Table) -> Result<Vec<Recorded>, Problem> {
    table.only(&["name", "doc", "signals", "every"], "a record")?;
    let sampling = match table.get("every") {
        None => Sampling::EveryWrite,
        Some(every) => {
            let period = values::duration(every, "`every`")?;
            if period == Duration::ZERO {
                let message = "`every` is longer than 0 s";
                let problem = Problem::new(message, &every.place, "not possible");
                return Err(problem.help("without it, every value is recorded"));
            }
            let rate = Rate::from_period(period).map_err(|error| {
                Problem::new(format!("`every`: {error}"), &every.place, "not possible")
            })?;
            Sampling::Every(rate)
        }
    };
    let place = table.get("every").map_or(&item.place, |every| &every.place);
    // In the order in which they are named, which is the order of plots and columns.
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for (pattern, written) in required(item, table, "signals")?.texts()? {
        let chosen = chosen(acting, pattern, written, sampling)?;
        found.extend(chosen.into_iter().filter(|port| seen.insert(port.clone())));
    }
    let record = |port| Recorded { port, sampling, place: place.clone() };
    Ok(found.into_iter().map(record).collect())
}

fn chosen(
    acting: &Acting<'_>,
    pattern: &str,
    place: &Place,
    sampling: Sampling,
) -> Result<Vec<PortAt>, Problem> {
    if !pattern.contains('*') {
        let found = acting.names.port(pattern, Direction::Output);
        let (at, port, part) = found.map_err(|missing| missing.at(place))?;
        if part.is_part() {
            let whole = format!("{}.{}", acting.names.components[at.component].path, at.port);
            let problem = Problem::new("outputs are recorded whole", place, "a part of one");
            return Err(problem.help(format!("record \"{whole}\"")));
        }
        if port.kind == PortKind::Event && sampling != Sampling::EveryWrite {
            let message = format!("\"{pattern}\" sends events, which cannot be sampled");
            let problem = Problem::new(message, place, "has no value in between");
            return Err(problem.help("record it in an entry of its own, without `every`"));
        }
        return Ok(vec![at]);
    }
    let mut found = Vec::new();
    for (number, component) in acting.names.components.iter().enumerate() {
        for port in component.interface.outputs() {
            // A pattern takes what can be sampled.
            let possible = port.kind == PortKind::Signal || sampling == Sampling::EveryWrite;
            if possible && matches(pattern, &format!("{}.{}", component.path, port.name)) {
                found.push(PortAt { component: number, port: port.name.clone() });
            }
        }
    }
    if found.is_empty() {
        let message = format!("no output fits \"{pattern}\"");
        let problem = Problem::new(message, place, "fits nothing");
        let problem = problem.help("a * stands for a part of a name, a last * for all below");
        return Err(problem.consequence(acting.names.any_failed()));
    }
    Ok(found)
}
