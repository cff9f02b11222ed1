//! Boxes and arrows, without coordinates.

use std::collections::BTreeMap;

use crate::Experiment;
use crate::checked::{Binding, FaultTarget, Link, PortAt};
use crate::picture::faults;
use crate::picture::fold::{Folded, fold, fold_ports};
use ironbird_kernel::Duration;

/// What is drawn. The first block is the system; parents come before what is in them.
#[derive(Debug)]
pub struct Diagram {
    pub title: String,
    pub blocks: Vec<Block>,
    pub arrows: Vec<Arrow>,
    pub marks: Vec<Mark>,
}

/// A component, or a composite if it has children.
#[derive(Debug, Default)]
pub struct Block {
    pub parent: usize,
    pub children: Vec<usize>,
    pub name: String,
    /// The type of a component; what is not drawn of a composite.
    pub subtitle: String,
    /// What is told to the one who points at it.
    pub hover: String,
    /// It comes by `spawn`.
    pub dormant: bool,
    /// It stands for several.
    pub stacked: bool,
    /// Names of ports that are drawn at its left side, and at its right side.
    pub ports: [Vec<String>; 2],
}

/// Left side of a block: what it takes in.
pub const LEFT: usize = 0;
/// Right side of a block: what it gives out.
pub const RIGHT: usize = 1;

/// An end of an arrow: a block and the number of its port on that side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    pub block: usize,
    pub port: usize,
}

/// Why there is an arrow. The first kinds are better followed from left to right than the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Link,
    LateLink,
    Binding,
    PreviousLink,
}

/// A link or binding.
#[derive(Debug)]
pub struct Arrow {
    pub from: End,
    pub to: End,
    pub kind: Kind,
    /// Latency, or that the value is a previous one.
    pub note: String,
    /// All links and bindings that it stands for, one in a line; long lists are cut.
    pub hover: String,
    count: usize,
}

/// A fault: of a block, or of a port on one of its sides.
#[derive(Debug)]
pub struct Mark {
    pub block: usize,
    pub port: Option<(usize, usize)>,
    pub text: String,
}

/// Lines that are told at most.
const LINES: usize = 8;

impl Diagram {
    /// What is to be drawn of an experiment.
    pub fn of(experiment: &Experiment) -> Self {
        let folded = fold(experiment);
        let mut drawing = Drawing::blocks(experiment, &folded);
        let written = |at: &PortAt| experiment.components[at.component].written;
        let mut links: Vec<_> = experiment.links.iter().collect();
        links.sort_by_key(|link| written(&link.to));
        links.into_iter().for_each(|link| drawing.link(link, None));
        let mut bindings: Vec<_> = experiment.bindings.iter().collect();
        bindings.sort_by_key(|binding| written(&binding.asker));
        bindings.into_iter().for_each(|binding| drawing.binding(binding, None));
        for scenario in &experiment.scenarios {
            for link in &scenario.links {
                drawing.link(link, scenario.name.as_deref());
            }
            for binding in &scenario.bindings {
                drawing.binding(binding, scenario.name.as_deref());
            }
            for fault in &scenario.faults {
                let text = faults::describe(experiment, scenario, fault);
                drawing.mark(&fault.target, text);
            }
        }
        drawing.diagram
    }

    /// Whether a fault acts on what an arrow carries.
    pub fn is_broken(&self, arrow: &Arrow) -> bool {
        let hit = |end: End, side: usize| {
            self.marks.iter().any(|m| m.block == end.block && m.port == Some((side, end.port)))
        };
        hit(arrow.from, RIGHT) || hit(arrow.to, LEFT)
    }

    /// `room.heater` for the heater in the room.
    pub fn path(&self, block: usize) -> String {
        let parent = self.blocks[block].parent;
        let name = &self.blocks[block].name;
        if parent == 0 { name.clone() } else { format!("{}.{name}", self.path(parent)) }
    }
}

type Key = (End, End, Kind, String);

struct Drawing<'a> {
    experiment: &'a Experiment,
    diagram: Diagram,
    /// Block of each component, and whether it is drawn itself rather than something that holds it.
    of_component: Vec<(usize, bool)>,
    block_at: BTreeMap<&'a str, usize>,
    /// What is drawn for ports that are drawn together, by component and side.
    folded_ports: BTreeMap<(usize, usize), BTreeMap<&'a str, String>>,
    arrows: BTreeMap<Key, usize>,
}

impl<'a> Drawing<'a> {
    fn blocks(experiment: &'a Experiment, folded: &'a Folded) -> Self {
        let mut block_of = vec![0; folded.members.len()];
        let mut blocks = vec![Block::default()];
        let drawn = |member: &usize| folded.drawn_as[*member] == *member;
        for member in (1..folded.members.len()).filter(drawn) {
            let about = &folded.members[member];
            block_of[member] = blocks.len();
            let parent = block_of[about.parent];
            blocks[parent].children.push(block_of[member]);
            let component = about.component.map(|number| &experiment.components[number]);
            let mut block = Block { parent, name: about.name.clone(), ..Block::default() };
            block.stacked = block.name.contains('…') || block.name.contains(',');
            let spawned = |dormant: &String| component.is_some() || *dormant == about.path;
            block.dormant = match component {
                Some(component) => component.dormant.is_some(),
                None => {
                    experiment.components.iter().any(|c| c.dormant.as_ref().is_some_and(spawned))
                }
            };
            match component {
                Some(component) => {
                    block.subtitle = component.type_name.clone();
                    let rate = component.rate.or(component.description.rate);
                    let rate = rate.map(|rate| format!(", {rate}")).unwrap_or_default();
                    let doc = component.description.doc.trim();
                    let head = format!("{} ({}{rate})", about.path, component.description.kind);
                    block.hover = format!("{head}\n{doc}").trim_end().into();
                }
                None => block.hover = format!("{}: {} components", about.name, about.components),
            }
            blocks.push(block);
        }
        for (member, about) in folded.members.iter().enumerate().skip(1) {
            let block = &mut blocks[block_of[member]];
            if drawn(&member) && about.component.is_none() && block.children.is_empty() {
                block.subtitle = format!("{} components", about.components);
            }
        }
        let at = |member: usize| block_of[folded.drawn_as[member]];
        let of_component = folded.of_component.iter().map(|&member| {
            (at(member), folded.members[folded.drawn_as[member]].component.is_some())
        });
        let block_at =
            folded.members.iter().enumerate().map(|(m, about)| (about.path.as_str(), at(m)));
        let title = experiment.title.clone();
        Drawing {
            experiment,
            of_component: of_component.collect(),
            block_at: block_at.collect(),
            folded_ports: folded_ports(experiment),
            diagram: Diagram { title, blocks, arrows: Vec::new(), marks: Vec::new() },
            arrows: BTreeMap::new(),
        }
    }

    /// The end of an arrow at a side of a component's block. What is inside a block that hides its
    /// components has no port names.
    fn end(&mut self, component: usize, side: usize, name: String) -> End {
        let (block, itself) = self.of_component[component];
        let folded = self.folded_ports.get(&(component, side));
        let name = match folded.and_then(|folded| folded.get(name.as_str())) {
            _ if !itself => String::new(),
            Some(folded) => folded.clone(),
            None => name,
        };
        let ports = &mut self.diagram.blocks[block].ports[side];
        let port = ports.iter().position(|port| *port == name).unwrap_or(ports.len());
        if port == ports.len() {
            ports.push(name);
        }
        End { block, port }
    }

    fn arrow(&mut self, from: End, to: End, kind: Kind, note: String, hover: &str) {
        let hidden = self.diagram.blocks[from.block].subtitle.ends_with(" components");
        if from.block == to.block && hidden {
            return;
        }
        let arrows = &mut self.diagram.arrows;
        let at = *self.arrows.entry((from, to, kind, note.clone())).or_insert(arrows.len());
        if at == arrows.len() {
            arrows.push(Arrow { from, to, kind, note, hover: hover.into(), count: 1 });
            return;
        }
        let arrow = &mut arrows[at];
        arrow.count += 1;
        match arrow.count {
            count if count <= LINES => arrow.hover = format!("{}\n{hover}", arrow.hover),
            count if count == LINES + 1 => arrow.hover.push_str("\n…"),
            _ => {}
        }
    }

    fn link(&mut self, link: &Link, scenario: Option<&str>) {
        let from = self.end(link.from.component, RIGHT, link.from.port.clone());
        let to = self.end(link.to.component, LEFT, link.to.port.clone());
        let late = latency(link.latency);
        let (kind, notes) = match (link.previous, late.is_some()) {
            (true, _) => (Kind::PreviousLink, vec!["previous".to_owned()]),
            (false, true) => (Kind::LateLink, Vec::new()),
            (false, false) => (Kind::Link, Vec::new()),
        };
        let part = link.part.as_ref().map(|part| part.path.clone());
        let notes = part.into_iter().chain(notes).chain(late);
        let notes = notes.chain(scenario.map(|s| format!("in {s}")));
        let note = notes.collect::<Vec<_>>().join(", ");
        let hover = self.hover(&link.from, &link.to, &note);
        self.arrow(from, to, kind, note, &hover);
    }

    fn binding(&mut self, binding: &Binding, scenario: Option<&str>) {
        let query = binding.provider.port.is_empty();
        let asked = if query { "?" } else { "()" };
        let provided = if query { "" } else { "()" };
        let asker = format!("{}{asked}", binding.asker.port);
        let provider = format!("{}{provided}", binding.provider.port);
        let from = self.end(binding.asker.component, RIGHT, asker);
        let to = self.end(binding.provider.component, LEFT, provider);
        let notes = latency(binding.latency).into_iter().chain(scenario.map(|s| format!("in {s}")));
        let note = notes.collect::<Vec<_>>().join(", ");
        let hover = self.hover(&binding.asker, &binding.provider, &note);
        self.arrow(from, to, Kind::Binding, note, &hover);
    }

    fn hover(&self, from: &PortAt, to: &PortAt, note: &str) -> String {
        let name = |port: &PortAt| match port.port.as_str() {
            "" => self.experiment.components[port.component].path.clone(),
            _ => self.experiment.port_name(port),
        };
        let note = if note.is_empty() { String::new() } else { format!(" ({note})") };
        format!("{} → {}{note}", name(from), name(to))
    }

    fn mark(&mut self, target: &FaultTarget, text: String) {
        let (block, port) = match target {
            FaultTarget::Output(at, _) => {
                let end = self.end(at.component, RIGHT, at.port.clone());
                (end.block, Some((RIGHT, end.port)))
            }
            FaultTarget::Input(at, _) => {
                let end = self.end(at.component, LEFT, at.port.clone());
                (end.block, Some((LEFT, end.port)))
            }
            FaultTarget::Component(path) => {
                (self.block_at.get(path.as_str()).copied().unwrap_or(0), None)
            }
        };
        self.diagram.marks.push(Mark { block, port, text });
    }
}

/// Ports that are linked and drawn together, by component and side.
fn folded_ports(experiment: &Experiment) -> BTreeMap<(usize, usize), BTreeMap<&str, String>> {
    let of_scenarios = experiment.scenarios.iter().flat_map(|scenario| &scenario.links);
    let mut linked: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
    for link in experiment.links.iter().chain(of_scenarios) {
        for (at, side) in [(&link.from, RIGHT), (&link.to, LEFT)] {
            linked.entry((at.component, side)).or_default().push(&at.port);
        }
    }
    linked.into_iter().map(|(at, ports)| (at, fold_ports(ports))).collect()
}

/// Where there is one.
fn latency(latency: Duration) -> Option<String> {
    (latency != Duration::ZERO).then(|| latency.to_string())
}
