//! From what a user calls a thing to the thing.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};

use ironbird_component::{Direction, Part, PortDescription};
use ironbird_kernel::PortKind;
use ironbird_kernel::path::{edit_distance, nearest};

use crate::checked::{Component, Experiment, PortAt, Signal};
use crate::suggestions::inner_parts;
use ironbird_document::{Place, Problem};

/// All components by path.
pub struct Names<'a> {
    /// In the order of the experiment.
    pub components: &'a [Component],
    by_path: BTreeMap<&'a str, usize>,
    /// Numbers of the ports of each component by name, put in order when one is first looked for.
    ports: Vec<OnceCell<Vec<usize>>>,
    /// Paths of what was written, but wrongly: what is said of them cannot be judged.
    failed: &'a BTreeSet<String>,
    /// How often something like a name may still be searched among all others.
    guesses: Cell<usize>,
}

/// Searching costs time: whoever makes more mistakes of this kind makes one mistake many times.
const MOST_GUESSES: usize = 100;

/// A signal with what a formula must know of it.
pub struct Found {
    /// Which.
    pub signal: Signal,
    /// Whether it is a truth value.
    pub is_bool: bool,
}

/// Why a name means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is wrong.
    pub message: String,
    /// What may have been meant.
    pub nearest: Option<String>,
    /// A word on its place.
    pub label: &'static str,
    /// It is only missing because something else is wrong.
    pub is_consequence: bool,
}

impl Missing {
    fn new(message: String, nearest: Option<String>) -> Self {
        Missing { message, nearest, label: "not found", is_consequence: false }
    }

    /// Says another word on its place.
    fn labelled(self, label: &'static str) -> Self {
        Missing { label, ..self }
    }

    fn consequence(self, is_consequence: bool) -> Self {
        Missing { is_consequence, ..self }
    }

    /// As a problem of something that is no part of the file.
    fn anywhere(self) -> Problem {
        Problem::somewhere(self.message).did_you_mean(self.nearest.as_deref())
    }

    /// As a problem at a place.
    pub fn at(self, place: &Place) -> Problem {
        Problem::new(self.message, place, self.label)
            .did_you_mean(self.nearest.as_deref())
            .consequence(self.is_consequence)
    }
}

impl Experiment {
    /// The output, or the part of one, that a path names: `aircraft.view.position[0]`.
    pub fn signal(&self, path: &str) -> Result<Signal, Problem> {
        let found = Names::new(&self.components, &BTreeSet::new()).signal(path);
        found.map(|found| found.signal).map_err(Missing::anywhere)
    }

    /// The number of the component that a path leads into, and what follows: `aircraft.initial.speed` is
    /// `initial.speed` of `aircraft`.
    pub fn parameter<'t>(&self, path: &'t str) -> Result<(usize, &'t str), Problem> {
        let names = BTreeSet::new();
        let found = Names::new(&self.components, &names).owner(path, Ending::Parameter);
        found.map_err(Missing::anywhere)
    }
}

/// What a path is expected to end in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The name of a port.
    Port,
    /// The name of a parameter.
    Parameter,
    /// The name of a service, query or the like.
    Service,
}

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Ending::Port => "port",
            Ending::Parameter => "parameter",
            Ending::Service => "service",
        }
    }
}

impl<'a> Names<'a> {
    /// The names of these components.
    pub fn new(components: &'a [Component], failed: &'a BTreeSet<String>) -> Self {
        let by_path = components.iter().enumerate().map(|(n, c)| (c.path.as_str(), n)).collect();
        let ports = components.iter().map(|_| OnceCell::new()).collect();
        Names { components, by_path, ports, failed, guesses: Cell::new(MOST_GUESSES) }
    }

    /// Whether a path leads to or into something that was written wrongly.
    pub fn has_failed(&self, path: &str) -> bool {
        let ends = path.char_indices().filter(|(_, c)| ['.', '['].contains(c)).map(|(at, _)| at);
        ends.chain([0, path.len()]).any(|end| self.failed.contains(&path[..end]))
    }

    /// Whether anything was written wrongly, so that patterns may miss it.
    pub fn any_failed(&self) -> bool {
        !self.failed.is_empty()
    }

    /// The component at exactly this path.
    pub fn component(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// Splits a path into the component and what follows it: the longest component counts.
    pub fn split<'t>(&self, path: &'t str) -> Option<(usize, &'t str)> {
        let ends = path.char_indices().filter(|(_, c)| *c == '.').map(|(at, _)| at);
        let mut ends: Vec<usize> = ends.collect();
        ends.reverse();
        ends.into_iter().find_map(|at| Some((self.component(&path[..at])?, &path[at + 1..])))
    }

    /// No component of this path: what may have been meant?
    pub fn missing_component(&self, path: &str) -> Missing {
        let candidates = self.by_path.keys().copied();
        if self.has_failed(path) {
            let message = format!("\"{path}\" is wrong itself");
            return Missing::new(message, None).consequence(true);
        }
        let message = format!("there is no component \"{path}\"");
        let near = if self.may_guess() { nearest(path, candidates) } else { None };
        Missing::new(message, near.map(Into::into))
    }

    /// The component of a path that ends in the name of a port or parameter.
    pub fn owner<'t>(&self, path: &'t str, ending: Ending) -> Result<(usize, &'t str), Missing> {
        self.split(path).ok_or_else(|| {
            let near_port = || match ending {
                Ending::Port => self.near_port(path, Direction::Output),
                _ => None,
            };
            let Some((component, last)) = path.rsplit_once('.') else {
                let what = ending.name();
                let is_consequence = self.has_failed(path);
                let message = format!("\"{path}\" names no {what}: write component.{what}");
                return Missing::new(message, near_port()).consequence(is_consequence);
            };
            let missing = self.missing_component(component);
            let nearest = match missing.nearest {
                Some(near) => Some(format!("{near}.{last}")),
                None if missing.is_consequence => None,
                None => near_port(),
            };
            Missing { nearest, ..missing }
        })
    }

    fn may_guess(&self) -> bool {
        let left = self.guesses.get();
        self.guesses.set(left.saturating_sub(1));
        left > 0
    }

    fn near_port(&self, path: &str, direction: Direction) -> Option<String> {
        if !self.may_guess() {
            return None;
        }
        let ports = self.components.iter().flat_map(|component| {
            let ports = component.interface.ports.iter().filter(|p| p.direction == direction);
            ports.map(|port| format!("{}.{}", component.path, port.name))
        });
        let ports: Vec<String> = ports.collect();
        nearest(path, ports.iter().map(String::as_str)).map(Into::into)
    }

    /// A port of a component and the part of its value that is meant.
    pub fn port(
        &self,
        path: &str,
        direction: Direction,
    ) -> Result<(PortAt, &'a PortDescription, Part), Missing> {
        let (component, rest) = self.owner(path, Ending::Port)?;
        let owner = &self.components[component];
        let Some(port) = self.longest(component, rest, direction) else {
            return Err(self.missing_port(component, rest, direction));
        };
        let (name, leaf) = rest.split_at(port.name.len());
        let part = port
            .part(leaf)
            .ok_or_else(|| missing_part(&format!("{}.{name}", owner.path), port, leaf))?;
        Ok((PortAt { component, port: port.name.clone() }, port, part))
    }

    /// The port whose name `rest` begins with, up to its end, a dot or a bracket; the longest counts.
    fn longest(
        &self,
        component: usize,
        rest: &str,
        direction: Direction,
    ) -> Option<&'a PortDescription> {
        let all = &self.components[component].interface.ports;
        let key = |number: usize| (all[number].name.as_str(), all[number].direction);
        let sorted = self.ports[component].get_or_init(|| {
            let mut numbers: Vec<usize> = (0..all.len()).collect();
            numbers.sort_by_key(|&number| key(number));
            numbers
        });
        let find =
            |name: &str| sorted.binary_search_by_key(&(name, direction), |&number| key(number));
        beginnings(rest).find_map(|name| find(name).ok()).map(|at| &all[sorted[at]])
    }

    /// No such port: what may have been meant?
    fn missing_port(&self, component: usize, rest: &str, direction: Direction) -> Missing {
        let owner = &self.components[component];
        let other = match direction {
            Direction::Input => Direction::Output,
            Direction::Output => Direction::Input,
        };
        let is_consequence = self.has_failed(&owner.path);
        let found = self.longest(component, rest, other).filter(|port| {
            let is_one_name = !owner.interface.ports.iter().any(|p| p.name.contains(['.', '[']));
            is_one_name || port.part(&rest[port.name.len()..]).is_some()
        });
        if let Some(port) = found {
            let message = format!("\"{}.{}\" is not an {direction}", owner.path, port.name);
            let missing = Missing::new(message, None).labelled("not one");
            return missing.consequence(is_consequence);
        }
        let ports = owner.interface.ports.iter().filter(|p| p.direction == direction);
        let known: Vec<&str> = ports.map(|p| p.name.as_str()).collect();
        // A part of a value may follow: the beginning that is nearest to a port is what was meant.
        let is_plain = known.iter().all(|name| !name.contains(['.', '[']));
        let (name, near) = match is_plain {
            true => {
                let name = beginnings(rest).last().unwrap_or(rest);
                (name, nearest(name, known.iter().copied()))
            }
            false => nearest_beginning(rest, &known),
        };
        let message = match (near, known.is_empty()) {
            (None, false) => format!(
                "\"{}\" has no {direction} \"{name}\"; it has {}",
                owner.path,
                listed(&known)
            ),
            _ => format!("\"{}\" has no {direction} \"{name}\"", owner.path),
        };
        let nearest = near.map(|near| format!("{}.{near}", owner.path));
        Missing::new(message, nearest).consequence(is_consequence)
    }

    /// A signal for a formula.
    pub fn signal(&self, path: &str) -> Result<Found, Missing> {
        let (at, port, part) = self.port(path, Direction::Output)?;
        let leaves = (part.first, part.leaves);
        if port.kind == PortKind::Event {
            let message = format!("\"{path}\" sends events; a formula needs a signal");
            return Err(Missing::new(message, None).labelled("sends events"));
        }
        let continuous = port.value.is_continuous();
        let all = port.value.schema().leaves();
        let unit_of = |leaf: usize| port.units.of(&all[leaf].path);
        let unit = if continuous { port.units.of("") } else { unit_of(leaves.0) };
        let same = continuous || (leaves.0..leaves.0 + leaves.1).all(|l| unit_of(l) == unit);
        if !same {
            let message = format!("the parts of \"{path}\" have different units: name one of them");
            return Err(Missing::new(message, None).labelled("several units"));
        }
        let is_bool =
            leaves.1 == 1 && !continuous && all[leaves.0].kind == ironbird_kernel::LeafKind::Bool;
        let signal = Signal { path: path.into(), port: at, leaves, continuous, unit };
        Ok(Found { signal, is_bool })
    }
}

/// A port at `path` has no such part: what may have been meant, or what there is as far as the name leads.
fn missing_part(path: &str, port: &PortDescription, leaf: &str) -> Missing {
    // Up to where it leads to something.
    let mut beginnings = beginnings(leaf).filter(|beginning| !beginning.is_empty());
    let inside = beginnings.find_map(|beginning| Some((beginning, port.part(beginning)?)));
    let near = port.near_part(leaf);
    let is_left_out = |near: &str, of: &str| near == of.trim_start_matches('.');
    if let Some((beginning, part)) = inside
        && near.as_deref().is_none_or(|near| is_left_out(near, beginning))
    {
        let parts = inner_parts(port, &part);
        let parts: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        let (whole, rest) = (format!("{path}{beginning}"), &leaf[beginning.len()..]);
        let has = if parts.is_empty() { "none" } else { &listed(&parts) };
        let message = format!("\"{whole}\" has no part \"{rest}\"; it has {has}");
        return Missing::new(message, None);
    }
    let parts = port.part_names();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let others = match (&near, parts.as_slice()) {
        (Some(_), _) | (None, []) => String::new(),
        (None, parts) => format!("; it has {}", listed(parts)),
    };
    let message = format!("\"{path}\" ({}) has no part \"{leaf}\"{others}", port.value);
    Missing::new(message, near.map(|near| behind(path, &near)))
}

/// The beginnings of a path that may be a name, from the longest: all of it, and up to each dot or
/// bracket.
fn beginnings(path: &str) -> impl Iterator<Item = &str> {
    let cuts = path.char_indices().rev().filter(|(_, c)| ['.', '['].contains(c));
    std::iter::once(path.len()).chain(cuts.map(|(at, _)| at)).map(|end| &path[..end])
}

/// The beginning of a path that is nearest to one of the names, and that name.
fn nearest_beginning<'t, 'n>(path: &'t str, names: &[&'n str]) -> (&'t str, Option<&'n str>) {
    let near = beginnings(path).filter_map(|beginning| {
        let near = nearest(beginning, names.iter().copied())?;
        Some((edit_distance(beginning, near), beginning, near))
    });
    match near.min_by_key(|(distance, ..)| *distance) {
        Some((_, beginning, near)) => (beginning, Some(near)),
        None => (path, None),
    }
}

/// More names than these are not read.
const MOST_LISTED: usize = 24;

/// Names one after the other; of many, the first ones.
pub(crate) fn listed(names: &[&str]) -> String {
    match names.len().checked_sub(MOST_LISTED) {
        Some(more) if more > 0 => {
            format!("{} and {more} more", names[..MOST_LISTED].join(", "))
        }
        _ => names.join(", "),
    }
}

/// The path of a part of what is at a path.
pub(crate) fn behind(path: &str, part: &str) -> String {
    let dot = if part.is_empty() || part.starts_with('[') { "" } else { "." };
    format!("{path}{dot}{part}")
}

/// Whether `path` is `base` or inside it.
pub fn is_at_or_below(path: &str, base: &str) -> bool {
    path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
