//! What every port of a system is linked to, for those who list ports.

use std::collections::BTreeMap;

use ironbird_component::{Direction, Part};
use ironbird_kernel::Duration;

use crate::checked::{Component, Link, PortAt};

/// The other end of a link, as seen from a port.
#[derive(Clone, Debug, PartialEq)]
pub struct OtherEnd {
    /// `path.port` at the other end; at an input with the part that it takes: `quad.gps.value[2]`.
    pub name: String,
    /// The part of the output that the link carries, if not all.
    pub part: Option<Part>,
    /// How long values take.
    pub latency: Duration,
    /// Whether the reader sees the value of an earlier instant.
    pub previous: bool,
}

/// The other ends of all links, by port.
#[derive(Clone, Debug, Default)]
pub struct OtherEnds(BTreeMap<(PortAt, Direction), Vec<OtherEnd>>);

impl OtherEnds {
    /// Those of these links between these components.
    pub fn new<'a>(components: &[Component], links: impl Iterator<Item = &'a Link>) -> Self {
        let mut ends: BTreeMap<(PortAt, Direction), Vec<OtherEnd>> = BTreeMap::new();
        let name = |at: &PortAt| format!("{}.{}", components[at.component].path, at.port);
        for link in links {
            let Link { part, latency, previous, .. } = link;
            let end = |name| OtherEnd {
                name,
                part: part.clone(),
                latency: *latency,
                previous: *previous,
            };
            let path = part.as_ref().map_or("", |part| part.path.as_str());
            let source = end(crate::names::behind(&name(&link.from), path));
            let reader = end(name(&link.to));
            ends.entry((link.to.clone(), Direction::Input)).or_default().push(source);
            ends.entry((link.from.clone(), Direction::Output)).or_default().push(reader);
        }
        OtherEnds(ends)
    }

    /// What a port is linked to.
    pub fn of(&self, component: usize, direction: Direction, port: &str) -> &[OtherEnd] {
        let at = PortAt { component, port: port.into() };
        self.0.get(&(at, direction)).map_or(&[], Vec::as_slice)
    }
}
