//! Adapters that are written at a link: `in.height = { from = "quad.sonar", via = "adapter.latest-number", initial = 0 }`.
//!
//! Such an adapter is a component like any other. It stands beside its reader, is called after the input
//! (`pilot-height`), and comes with the reader. Parameters that follow from the two ports are filled in; where the
//! reader steps at a rate, so does the adapter.

use std::collections::BTreeMap;

use ironbird_component::{
    ComponentType, Direction, Kind, PortDescription, Registry, RegistryError, Settings, ValueType,
};
use ironbird_kernel::path::compare_paths;
use ironbird_kernel::{Parameter, PortKind};

use crate::checked::{Component, PortAt};
use crate::expand::{Written, absolute, join};
use crate::inputs::{Given, inputs};
use crate::names::{Names, listed};
use crate::suggestions::{Suggestions, zero};
use crate::system::{Components, component, instantiate};
use crate::timing::Computers;
use crate::values;
use ironbird_document::{Data, Entry, Item, Place, Problem, Problems, Table};
use ironbird_units::Unit;

/// The key of a link that names an adapter.
pub(crate) const VIA: &str = "via";

/// Keys of such a link that are about the link, not about its adapter.
const OF_THE_LINK: [&str; 4] = ["from", "value", "latency", VIA];

/// Keys of components that such an adapter has from its reader, or from `via`.
const OF_ITS_READER: [&str; 3] = ["type", "enabled", "count"];

/// What an adapter shows before it has something to adapt: at a link it must be said.
pub(crate) const INITIAL: &str = "initial";

/// The outputs of adapters by the inputs that they are written at.
pub type Adapted = BTreeMap<PortAt, PortAt>;

/// Adds the adapters that are written at links.
pub fn add_adapters(
    components: &mut Components,
    registry: &Registry,
    timing: Computers<'_>,
    problems: &mut Problems,
) -> Adapted {
    let mut made = Vec::new();
    {
        let names = Names::new(&components.list, &components.failed);
        for (number, written) in components.written.iter().enumerate() {
            let Some(Item { data: Data::Table(table), .. }) = written.table.get("in") else {
                continue;
            };
            if !table.0.iter().any(|entry| mentions_via(&entry.item)) {
                continue;
            }
            // What else is wrong with them is told with the other links.
            let read = inputs(&components.list[number], table, false, &mut Problems::default());
            for Given { input, source } in read.given {
                let link = match &source.data {
                    Data::Table(link) => link,
                    Data::Array(items) if input.kind == PortKind::Event => {
                        problems.0.extend(items.iter().find_map(one_of_several));
                        continue;
                    }
                    _ => continue,
                };
                let Some(via) = link.entry(VIA) else { continue };
                let at = Link { names: &names, number, written, input, link, via };
                let adapter = at.adapter(registry, timing, problems);
                made.extend(problems.take(adapter).flatten());
            }
        }
    }
    // As the components: the order in which links are written decides nothing.
    made.sort_by(|a, b| compare_paths(&a.component.path, &b.component.path));
    let mut adapted = Adapted::new();
    for Made { reader, output, component, written } in made {
        let adapter = components.list.len();
        adapted.insert(reader, PortAt { component: adapter, port: output });
        components.list.push(component);
        components.written.push(written);
    }
    adapted
}

fn mentions_via(item: &Item) -> bool {
    match &item.data {
        Data::Table(table) => {
            table.get(VIA).is_some() || table.0.iter().any(|entry| mentions_via(&entry.item))
        }
        Data::Array(items) => items.iter().any(mentions_via),
        _ => false,
    }
}

/// An adapter is called after its input, so an input has one.
fn one_of_several(source: &Item) -> Option<Problem> {
    let Data::Table(link) = &source.data else { return None };
    let place = &link.entry(VIA)?.place;
    let problem =
        Problem::new("only an input with one source has an adapter", place, "one of several");
    Some(problem.help("write it as a component of its own, and link that"))
}

/// An adapter that was made.
struct Made {
    reader: PortAt,
    output: String,
    component: Component,
    written: Written,
}

/// A link with an adapter.
struct Link<'a> {
    names: &'a Names<'a>,
    /// Number of the reader.
    number: usize,
    written: &'a Written,
    input: &'a PortDescription,
    link: &'a Table,
    via: &'a Entry,
}

impl Link<'_> {
    fn reader(&self) -> &Component {
        &self.names.components[self.number]
    }

    fn place(&self) -> &Place {
        &self.via.item.place
    }

    fn adapter(
        &self,
        registry: &Registry,
        timing: Computers<'_>,
        problems: &mut Problems,
    ) -> Result<Option<Made>, Problem> {
        let Some(from) = self.link.get("from") else {
            let problem = Problem::new("a link needs `from`", self.place(), "no source");
            return Err(
                problem.help("for example { from = \"quad.sonar\", via = \"adapter.latest\" }")
            );
        };
        let source = absolute(from.text()?, &self.written.scope);
        let found = self.names.port(&source, Direction::Output);
        let (_, output, part) = found.map_err(|missing| missing.at(&from.place))?;
        let name = self.via.item.text()?;
        let adapter = self.adapter_type(registry, name)?;
        let fits = shown_as(output, &part, self.input)
            .into_iter()
            .find_map(|shown| Some((adapter.between(&shown, self.input)?, shown)));
        let Some((settings, shown)) = fits else {
            let to = join(&self.reader().path, &self.input.name);
            let message = format!("{name} does not make of \"{source}\" what \"{to}\" takes");
            let problem = Problem::new(message, self.place(), "not by way of this");
            let (names, kept) = (self.names, kept(self.link));
            let suggestions = Suggestions { names, registry, source: &source, kept };
            return Err(suggestions.instead(problem, (output, &part), self.input));
        };
        let mut known = adapter.description().parameters.iter();
        if let Some(initial) = known.find(|known| known.path == INITIAL)
            && self.link.get(INITIAL).is_none()
        {
            let message = format!("{name} must be told what to show before the first measurement");
            let problem = Problem::new(message, self.place(), "needs `initial`");
            let line = format!("{INITIAL} = {}", zero(&initial.kind));
            return Err(problem.help(format!("write {line} beside it, or another value")));
        }
        let written = self.as_component(name, &settings)?;
        let Some((mut component, shared)) = component(&written, registry, timing, problems) else {
            return Ok(None);
        };
        if let Some((.., place)) = shared.first() {
            let problem = Problem::new("an adapter at a link follows no parameter", place, "here");
            return Err(
                problem.help(format!("write it as a component of its own: type = \"{name}\""))
            );
        }
        let rate = || self.reader().rate.or(self.reader().description.rate);
        if component.description.kind == Kind::Periodic && component.rate.is_none() {
            component.rate = rate();
        }
        if !instantiate(&mut component, &written.table, registry, problems) {
            return Ok(None);
        }
        let interface = component.interface.clone();
        let Some((entry, exit)) = interface.way(&shown, self.input) else {
            let message = format!("{name} with these parameters does not join the two ports");
            let problem = Problem::new(message, self.place(), "not by way of this");
            let follow: Vec<&str> = settings.keys().map(String::as_str).collect();
            return Err(
                problem.help(format!("leave out what follows from the ports: {}", listed(&follow)))
            );
        };
        let written = linked(written, &entry.name, &source, &from.place)?;
        let reader = PortAt { component: self.number, port: self.input.name.clone() };
        Ok(Some(Made { reader, output: exit.name.clone(), component, written }))
    }

    fn adapter_type<'r>(
        &self,
        registry: &'r Registry,
        name: &str,
    ) -> Result<&'r dyn ComponentType, Problem> {
        let found = registry.get(name).map_err(|error| {
            let nearest = match &error {
                RegistryError::Unknown { nearest, .. } => nearest.clone(),
                _ => None,
            };
            let message = format!("there is no adapter \"{name}\"");
            let problem = Problem::new(message, self.place(), "not known");
            problem.help("`ironbird types adapter` lists them").did_you_mean(nearest.as_deref())
        })?;
        if !found.description().adapter {
            let message = format!("a component of type {name} is no adapter");
            let problem = Problem::new(message, self.place(), "no adapter");
            return Err(problem.help("write it as a component of its own, and link that"));
        }
        Ok(found)
    }

    /// The table of the adapter, as if it were written by itself.
    fn as_component(&self, name: &str, settings: &Settings) -> Result<Written, Problem> {
        let path = path_of(&self.reader().path, &self.input.name);
        let is_taken = self.names.component(&path).is_some();
        if is_taken {
            let message = format!("the adapter would be called \"{path}\", which there is already");
            let problem = Problem::new(message, self.place(), "needs a name");
            return Err(
                problem.help(format!("write it as a component of its own: type = \"{name}\""))
            );
        }
        let mut table = Table::default();
        let item = |data| Item { data, place: self.place().clone() };
        table.set("type", self.place(), item(Data::Text(name.into())));
        for (name, value) in settings {
            let data = match value {
                Parameter::Text(text) => Data::Text(text.clone()),
                Parameter::Real(real) => Data::Real(*real),
                Parameter::Integer(whole) => Data::Integer(*whole),
                Parameter::Bool(truth) => Data::Bool(*truth),
            };
            table.set(name, self.place(), item(data));
        }
        for entry in self.link.0.iter().filter(|entry| !OF_THE_LINK.contains(&&*entry.key)) {
            if OF_ITS_READER.contains(&&*entry.key) {
                let message = format!("an adapter at a link has no `{}` of its own", entry.key);
                let problem = Problem::new(message, &entry.place, "not here");
                return Err(
                    problem.help("it is there with its reader, once, and `via` is its type")
                );
            }
            let mut item = entry.item.clone();
            if let (INITIAL, Some(Parameter::Text(unit))) = (&*entry.key, settings.get("unit"))
                && let Ok(unit) = unit.parse()
            {
                in_unit(&mut item, &unit)?;
            }
            table.set(&entry.key, &entry.place, item);
        }
        Ok(Written {
            path,
            number: self.written.number,
            table,
            place: self.via.place.clone(),
            scope: self.written.scope.clone(),
            dormant: self.written.dormant.clone(),
            is_at_a_link: true,
        })
    }
}

/// What is shown before the first measurement may be written with a unit: that of the measurement follows from the ports.
fn in_unit(item: &mut Item, unit: &Unit) -> Result<(), Problem> {
    match &mut item.data {
        Data::Array(items) => items.iter_mut().try_for_each(|item| in_unit(item, unit)),
        Data::Text(_) => {
            item.data = Data::Real(values::real(item, unit, INITIAL)?);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The same adapter with the link to its source.
fn linked(
    mut written: Written,
    input: &str,
    source: &str,
    place: &Place,
) -> Result<Written, Problem> {
    let mut links = match written.table.get("in") {
        Some(item) => item.table()?.clone(),
        None => Table::default(),
    };
    if let Some(entry) = links.entry(input) {
        let message = format!("`from` is what goes into \"{input}\" of the adapter");
        return Err(Problem::new(message, &entry.place, "given twice"));
    }
    let from = Item { data: Data::Text(source.into()), place: place.clone() };
    links.set(input, place, from);
    let item = Item { data: Data::Table(links), place: place.clone() };
    written.table.set("in", place, item);
    Ok(written)
}

/// What a part of an output may be shown as, the likeliest first.
pub(crate) fn shown_as(
    output: &PortDescription,
    part: &ironbird_component::Part,
    input: &PortDescription,
) -> Vec<PortDescription> {
    if !part.is_part() {
        return vec![output.clone()];
    }
    let plain = [ValueType::of::<f64>(), ValueType::of::<[f64; 3]>(), ValueType::of::<bool>()];
    let others = plain.into_iter().filter(|value| *value != input.value);
    [input.value]
        .into_iter()
        .chain(others)
        .filter_map(|value| output.showing(part, value))
        .collect()
}

/// The path of the adapter at an input: `pilot-height` beside `pilot`, `fleet.pilot-height[3]` beside `fleet.pilot[3]`.
fn path_of(reader: &str, input: &str) -> String {
    let plain: String = input.replace(['.', '['], "-").replace(']', "");
    match reader.strip_suffix(']').and_then(|open| open.rsplit_once('[')) {
        Some((stem, index)) => format!("{stem}-{plain}[{index}]"),
        None => format!("{reader}-{plain}"),
    }
}

/// What a link says of its way, to be said again in its place: `value = "previous"`.
pub(crate) fn kept(link: &Table) -> Vec<String> {
    let of_the_way = link.0.iter().filter(|entry| ["value", "latency"].contains(&&*entry.key));
    let text = |entry: &Entry| Some(format!("{} = \"{}\"", entry.key, entry.item.text().ok()?));
    of_the_way.filter_map(text).collect()
}

/// `in.height = { from = "quad.sonar", via = "…", … }`, as a user would write it.
pub(crate) fn line(input: &str, source: &str, more: &[String]) -> String {
    if more.is_empty() {
        return format!("{} = \"{source}\"", key(input));
    }
    format!("{} = {{ from = \"{source}\", {} }}", key(input), more.join(", "))
}

/// `in.height`; a name with an index needs quotes.
pub(crate) fn key(input: &str) -> String {
    if input.contains('[') { format!("in.\"{input}\"") } else { format!("in.{input}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adapter_is_called_after_its_reader_and_its_input() {
        assert_eq!(path_of("pilot", "height"), "pilot-height");
        assert_eq!(path_of("fleet.pilot[3]", "height"), "fleet.pilot-height[3]");
        assert_eq!(path_of("world", "quad[2].wind.north"), "world-quad-2-wind-north");
        for path in ["pilot-height", "pilot-height[3]", "world-quad-2-wind-north"] {
            assert!(ironbird_kernel::path::is_valid_name(path));
        }
    }

    #[test]
    fn a_line_is_one_that_can_be_pasted() {
        let more = ["via = \"adapter.latest-number\"".to_owned(), "initial = 0".to_owned()];
        assert_eq!(
            line("height", "world.quad.sonar", &more),
            "in.height = { from = \"world.quad.sonar\", via = \"adapter.latest-number\", initial = 0 }"
        );
        assert_eq!(line("height", "quad.sonar.value", &[]), "in.height = \"quad.sonar.value\"");
        assert_eq!(key("quad[1].north"), "in.\"quad[1].north\"");
    }
}
