//! Templates and arrays become plain components: 64 vehicles without 64 copies.

use std::collections::{BTreeMap, BTreeSet};

use ironbird_kernel::path::{is_valid_name, nearest};

use crate::each::Elements;
use crate::fill_in::fill_in;
use crate::merge::merge;
use ironbird_document::{Data, Entry, Item, Table};
use ironbird_document::{Place, Problem, Problems};

/// Composites inside composites deeper than this are a mistake.
const DEEPEST: usize = 16;
/// More components than this are a mistake.
const MOST: usize = 200_000;
/// More values than this in all components together are one, too: they would fill the memory.
const MOST_VALUES: usize = 8_000_000;

/// A component as it was written, after templates and arrays.
#[derive(Clone, Debug)]
pub struct Written {
    /// Its path, without `system`.
    pub path: String,
    /// How many were written before it.
    pub number: usize,
    /// Its table: `type`, parameters and fixed keys.
    pub table: Table,
    /// Where its name stands.
    pub place: Place,
    /// What a path that starts with a dot is relative to: the template instance or composite that it
    /// belongs to.
    pub scope: String,
    /// The innermost composite that has `enabled = false`, or itself: it comes by `spawn`.
    pub dormant: Option<String>,
    /// It is an adapter that is written at a link, not by itself.
    pub is_at_a_link: bool,
}

/// All components of a system, in the order in which they were written, and the composites.
#[derive(Clone, Debug, Default)]
pub struct Expanded {
    /// Components.
    pub components: Vec<Written>,
    /// Paths of composites, and where they stand.
    pub composites: BTreeMap<String, Place>,
    /// Paths of what could not be expanded.
    pub failed: BTreeSet<String>,
}

/// Expands `[system]` with the templates of the file, which begins at `start`.
pub fn expand(root: &Table, start: &Place, problems: &mut Problems) -> Expanded {
    let templates = match root.get("template").map(Item::table) {
        Some(Ok(table)) => {
            for template in table.0.iter().filter(|t| !matches!(t.item.data, Data::Table(_))) {
                let message = format!("template \"{}\" is {}", template.key, template.item.kind());
                let problem = Problem::new(message, &template.place, "not a table");
                problems.push(problem.help("a template is a table that holds components"));
            }
            Some(table)
        }
        Some(Err(problem)) => {
            problems.push(problem);
            None
        }
        None => None,
    };
    let mut expander = Expander {
        templates,
        expanded: Expanded::default(),
        problems,
        open: Vec::new(),
        made: 0,
        overflowed: false,
    };
    match root.get("system").map(|item| (item, item.table())) {
        Some((_, Ok(system))) => {
            let scope = Scope { path: "", template: "", dormant: None, depth: 0 };
            expander.composite(system, &scope);
        }
        Some((_, Err(problem))) => expander.problems.push(problem),
        None => expander.problems.push(
            Problem::new("the experiment has no [system]", start, "")
                .help("describe its components: [system.room] type = \"plant.room\""),
        ),
    }
    expander.expanded
}

struct Expander<'a> {
    templates: Option<&'a Table>,
    expanded: Expanded,
    problems: &'a mut Problems,
    /// Templates that are being filled in, from the outermost.
    open: Vec<String>,
    /// Values in all that was made so far.
    made: usize,
    overflowed: bool,
}

/// Where the expander is.
struct Scope<'a> {
    path: &'a str,
    template: &'a str,
    dormant: Option<&'a str>,
    depth: usize,
}

impl Expander<'_> {
    /// A table that holds components.
    fn composite(&mut self, table: &Table, scope: &Scope<'_>) {
        // A component without its type is one mistake, however many parameters it has.
        let strays = || table.0.iter().filter(|entry| is_stray(entry, scope));
        let typo = strays().find(|entry| nearest(&entry.key, ["type"].into_iter()).is_some());
        if let Some(stray) = typo.or(strays().next()) {
            return self.stray(stray, scope);
        }
        let arrays = table.0.iter().filter(|entry| count_of(&entry.item).is_some());
        let arrays: BTreeSet<&str> = arrays.map(|entry| entry.key.as_str()).collect();
        for entry in &table.0 {
            if self.overflowed {
                return;
            }
            if entry.key == "enabled" && !scope.path.is_empty() {
                continue;
            }
            let owner = entry.key.split_once('[').map(|(stem, _)| stem);
            if owner.is_some_and(|owner| arrays.contains(owner)) {
                // Belongs to an element of an array, and is taken in there.
                continue;
            }
            let reserved = entry.key.starts_with('_');
            if reserved || !is_valid_name(&entry.key) {
                let message = format!("\"{}\" cannot name a component", entry.key);
                let problem = Problem::new(message, &entry.place, "not a name");
                let problem = match (reserved, entry.key.contains('.')) {
                    (true, _) => problem.help("names that start with _ are Ironbird's own"),
                    (_, true) => problem.help("a path goes without quotes: [system.a.b]"),
                    _ => problem.help("use letters, digits, - and _"),
                };
                self.refuse(&join(scope.path, &entry.key), problem);
                continue;
            }
            self.named(entry, table, scope);
        }
    }

    /// What could not be expanded: paths into it mean nothing, which is no mistake of its own.
    fn refuse(&mut self, path: &str, problem: Problem) {
        self.problems.push(problem);
        self.expanded.failed.insert(path.into());
    }

    /// Counts what is copied; says so once if it is too much.
    fn has_space_for(&mut self, item: &Item, place: &Place) -> bool {
        self.made = self.made.saturating_add(item.weight());
        let components = self.expanded.components.len().max(self.expanded.composites.len());
        if !self.overflowed && (self.made > MOST_VALUES || components >= MOST) {
            let message = match components >= MOST {
                true => format!("the system has more than {MOST} components"),
                false => format!("the system holds more than {MOST_VALUES} values"),
            };
            self.problems.push(Problem::new(message, place, "too many"));
            self.overflowed = true;
        }
        !self.overflowed
    }

    fn stray(&mut self, entry: &Entry, scope: &Scope<'_>) {
        let inside = match scope.path {
            "" => "[system]".into(),
            path => format!("\"{path}\""),
        };
        let message =
            format!("{inside} has no `type`, but \"{}\" in it is {}", entry.key, entry.item.kind());
        let problem = Problem::new(message, &entry.place, "not a component");
        let near = nearest(&entry.key, ["type", "enabled"].into_iter());
        let problem = match near.filter(|near| *near != entry.key) {
            Some(near) => problem.did_you_mean(Some(near)),
            None if entry.key == "enabled" => problem.help("remove it: the system is always there"),
            None if entry.key == "count" => {
                problem.help("only what has a `type` can be an array: make it a template")
            }
            None => problem.help(
                "a table without `type` holds components: give it one, or move this into one",
            ),
        };
        self.refuse(scope.path, problem);
    }

    /// One component, composite or array.
    fn named(&mut self, entry: &Entry, siblings: &Table, scope: &Scope<'_>) {
        let path = join(scope.path, &entry.key);
        let Some(count) = count_of(&entry.item) else {
            if self.has_space_for(&entry.item, &entry.place) {
                self.element(&entry.key, entry, entry.item.clone(), scope);
            }
            return;
        };
        let count_place = count.place.clone();
        let count = match count.count() {
            Ok(count) if (1..=MOST as u64).contains(&count) => count as usize,
            Ok(_) => {
                let message = format!("`count` must be from 1 to {MOST}");
                return self.refuse(&path, Problem::new(message, &count.place, "not possible"));
            }
            Err(problem) => return self.refuse(&path, problem),
        };
        for other in &siblings.0 {
            let Some((stem, index)) = other.key.split_once('[') else { continue };
            if stem == entry.key
                && let Err(problem) = other.item.table()
            {
                return self.refuse(&path, problem.help("an element of an array is a component"));
            }
            let inside = index.trim_end_matches(']').parse::<usize>().is_ok_and(|i| i < count);
            if stem == entry.key && !(inside && is_valid_name(&other.key)) {
                let message =
                    format!("\"{}\" is not an element of the array \"{stem}\"", other.key);
                let problem = Problem::new(message, &other.place, "no such element");
                let last = count - 1;
                self.problems
                    .push(problem.help(format!("elements are {stem}[0] to {stem}[{last}]")));
            }
        }
        let mut elements = Elements::new(count);
        let own: BTreeMap<&str, &Entry> = siblings.0.iter().map(|e| (e.key.as_str(), e)).collect();
        for index in 0..count {
            if !self.has_space_for(&entry.item, &count_place) {
                return;
            }
            let name = format!("{}[{index}]", entry.key);
            let mut item = entry.item.clone();
            if let Data::Table(table) = &mut item.data {
                table.remove("count");
            }
            if let Err(problem) = elements.resolve(&mut item, index) {
                // The same for every element.
                return self.refuse(&path, problem);
            }
            let mut name_place = entry;
            if let Some(own) = own.get(name.as_str()) {
                merge(&mut item, own.item.clone());
                name_place = own;
            }
            self.element(&name, name_place, item, scope);
        }
    }

    fn element(&mut self, name: &str, entry: &Entry, item: Item, scope: &Scope<'_>) {
        let path = join(scope.path, name);
        let Data::Table(table) = item.data else { return };
        let dormant = match table.get("enabled").map(Item::truth) {
            Some(Ok(false)) => Some(path.as_str()),
            Some(Err(problem)) => return self.refuse(&path, problem),
            _ => None,
        };
        let dormant = scope.dormant.or(dormant);
        if scope.depth > DEEPEST {
            let message = format!("\"{path}\" is nested too deeply: {DEEPEST} levels are the most");
            return self.refuse(&path, Problem::new(message, &entry.place, "too deep"));
        }
        let Some(kind) = table.get("type") else {
            self.expanded.composites.insert(path.clone(), entry.place.clone());
            let template = if scope.template.is_empty() { "" } else { scope.template };
            let inner = Scope { path: &path, template, dormant, depth: scope.depth + 1 };
            return self.composite(&table, &inner);
        };
        let type_name = match kind.text() {
            Ok(text) => text,
            Err(problem) => return self.refuse(&path, problem),
        };
        if let Some(template) = type_name.strip_prefix("template.") {
            let place = kind.place.clone();
            return self.instance(template, &place, table.clone(), entry, &path, dormant, scope);
        }
        let scope_path = if scope.template.is_empty() { scope.path } else { scope.template };
        let mut table = table;
        if let Some(index) = own_index(&path) {
            let links = table.0.iter_mut().filter(|entry| ["in", "bind"].contains(&&*entry.key));
            links.for_each(|entry| put_index(&mut entry.item, index));
        }
        self.expanded.components.push(Written {
            path: path.clone(),
            number: self.expanded.components.len(),
            table,
            place: entry.place.clone(),
            scope: scope_path.into(),
            dormant: dormant.map(Into::into),
            is_at_a_link: false,
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn instance(
        &mut self,
        template: &str,
        place: &Place,
        mut own: Table,
        entry: &Entry,
        path: &str,
        dormant: Option<&str>,
        scope: &Scope<'_>,
    ) {
        let templates = self.templates.map(|table| &table.0[..]).unwrap_or_default();
        let Some(found) = templates.iter().find(|entry| entry.key == template) else {
            let near = nearest(template, templates.iter().map(|entry| entry.key.as_str()));
            let message = format!("there is no template \"{template}\"");
            let problem = Problem::new(message, place, "not defined");
            let problem = match near {
                Some(near) => problem.did_you_mean(Some(&format!("template.{near}"))),
                None => problem.help(format!("define it: [template.{template}.<component>]")),
            };
            return self.refuse(path, problem);
        };
        if let Some(start) = self.open.iter().position(|open| open == template) {
            let circle = [&self.open[start..], &[template.to_owned()]].concat().join(" -> ");
            let message = format!("template \"{template}\" contains itself: {circle}");
            return self.refuse(path, Problem::new(message, place, "closes the circle"));
        }
        if !self.has_space_for(&found.item, place) {
            return;
        }
        let mut item = found.item.clone();
        let Data::Table(table) = &mut item.data else {
            // That it is no table was told where it is written.
            self.expanded.failed.insert(path.into());
            return;
        };
        own.remove("type");
        own.remove("enabled");
        let mut parameters = match table.remove("parameters").map(|entry| entry.item) {
            Some(Item { data: Data::Table(parameters), .. }) => parameters,
            Some(other) => {
                let message = "the parameters of a template are a table";
                return self.refuse(path, Problem::new(message, &other.place, "not a table"));
            }
            None => Table::default(),
        };
        for parameter in &mut parameters.0 {
            if let Some(given) = own.remove(&parameter.key) {
                parameter.item = given.item;
            }
        }
        for given in &own.0 {
            let knows = table.0.iter().any(|known| known.key == given.key);
            if !knows {
                let known: Vec<&str> =
                    table.0.iter().chain(&parameters.0).map(|e| e.key.as_str()).collect();
                let message = format!(
                    "template \"{template}\" has no component or parameter \"{}\"",
                    given.key
                );
                let near = nearest(&given.key, known.iter().copied());
                let problem = Problem::new(message, &given.place, "not known here");
                let problem = match near {
                    Some(near) => problem.did_you_mean(Some(near)),
                    None if known.is_empty() => problem.help("it is empty"),
                    None => problem.help(format!("it has: {}", known.join(", "))),
                };
                return self.refuse(path, problem);
            }
        }
        if let Err(problem) = fill_in(&mut item, &parameters) {
            return self.refuse(path, problem);
        }
        merge(&mut item, Item { data: Data::Table(own), place: entry.item.place.clone() });
        self.expanded.composites.insert(path.into(), entry.place.clone());
        let inner = Scope { path, template: path, dormant, depth: scope.depth + 1 };
        if let Data::Table(table) = &item.data {
            self.open.push(template.into());
            self.composite(table, &inner);
            self.open.pop();
        }
    }
}

/// What belongs into a component, but stands beside components.
fn is_stray(entry: &Entry, scope: &Scope<'_>) -> bool {
    match &entry.item.data {
        Data::Table(table) => {
            let links = ["in", "bind"].contains(&entry.key.as_str());
            let value = |inner: &Entry| !matches!(inner.item.data, Data::Table(_));
            links && table.get("type").is_none() && table.0.iter().any(value)
        }
        // The element of an array is told of as such.
        _ => (scope.path.is_empty() || entry.key != "enabled") && !entry.key.contains('['),
    }
}

fn count_of(item: &Item) -> Option<&Item> {
    match &item.data {
        // A composite may hold a component of that name; only what has a type is an array.
        Data::Table(table) if table.get("type").is_some() => table.get("count"),
        _ => None,
    }
}

/// `parent.name`
pub(crate) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.into() } else { format!("{parent}.{name}") }
}

/// The number of the innermost element of an array that a path leads through.
fn own_index(path: &str) -> Option<&str> {
    let (rest, _) = path.rsplit_once(']')?;
    Some(rest.rsplit_once('[')?.1)
}

/// Puts the number of the element where a link says `[i]`.
fn put_index(item: &mut Item, index: &str) {
    match &mut item.data {
        Data::Text(text) if text.contains("[i]") => {
            *text = text.replace("[i]", &format!("[{index}]"))
        }
        Data::Array(items) => items.iter_mut().for_each(|item| put_index(item, index)),
        Data::Table(table) => {
            table.0.iter_mut().for_each(|entry| put_index(&mut entry.item, index));
        }
        _ => {}
    }
}

/// A path that starts with a dot is relative to where it is written.
pub(crate) fn absolute(path: &str, scope: &str) -> String {
    match path.strip_prefix('.') {
        Some(rest) => join(scope, rest),
        None => path.into(),
    }
}
