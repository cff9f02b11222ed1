//! Which components and composites are drawn, and which stand for others: elements of an array that
//! have the same shape become one box, and a system too large to be read is drawn less deeply.

use std::collections::BTreeMap;

use ironbird_kernel::path::compare_paths;

use crate::Experiment;
use crate::checked::PortAt;

/// This many equal elements of an array are drawn as one.
const FOLDED: usize = 3;
/// Nobody can read more boxes than this.
const MOST: usize = 250;

/// A component or composite of the system. Parents come before their children; the first is the system.
#[derive(Debug, Default)]
pub struct Member {
    pub name: String,
    pub path: String,
    pub depth: usize,
    pub parent: usize,
    pub children: Vec<usize>,
    pub component: Option<usize>,
    /// How many components it is or holds.
    pub components: usize,
}

/// The system with the choice of what is drawn.
pub struct Folded {
    pub members: Vec<Member>,
    /// Member of each component of the experiment.
    pub of_component: Vec<usize>,
    /// The member that is drawn for each member; often itself.
    pub drawn_as: Vec<usize>,
}

/// Chooses what is drawn.
pub fn fold(experiment: &Experiment) -> Folded {
    let (members, of_component) = members(experiment);
    let shapes = shapes(experiment, &members, &of_component);
    let drawn_as = (0..members.len()).collect();
    let mut folded = Folded { members, of_component, drawn_as };
    for parent in 0..folded.members.len() {
        for class in equal_elements(&folded.members, &shapes, parent) {
            folded.fold_class(&class);
        }
    }
    for member in 0..folded.members.len() {
        let mut at = folded.drawn_as[member];
        while folded.drawn_as[at] != at {
            at = folded.drawn_as[at];
        }
        folded.drawn_as[member] = at;
    }
    folded.limit();
    folded
}

fn members(experiment: &Experiment) -> (Vec<Member>, Vec<usize>) {
    let mut members = vec![Member::default()];
    let mut by_path: BTreeMap<String, usize> = BTreeMap::new();
    let mut of_component = vec![0; experiment.components.len()];
    for number in experiment.as_written() {
        let component = &experiment.components[number];
        let mut at = 0;
        members[0].components += 1;
        for (depth, name) in component.path.split('.').enumerate() {
            let path = crate::expand::join(&members[at].path, name);
            let next = *by_path.entry(path.clone()).or_insert(members.len());
            if next == members.len() {
                members[at].children.push(next);
                let depth = depth + 1;
                let name = name.to_owned();
                members.push(Member { name, path, depth, parent: at, ..Member::default() });
            }
            at = next;
            members[at].components += 1;
        }
        members[at].component = Some(number);
        of_component[number] = at;
    }
    (members, of_component)
}

/// A number for each member; equal numbers mean the same types, names, states and links inside.
fn shapes(experiment: &Experiment, members: &[Member], of_component: &[usize]) -> Vec<usize> {
    let mut inside: Vec<Vec<String>> = vec![Vec::new(); members.len()];
    let mut note = |from: &PortAt, to: &PortAt, how: String| {
        let (a, b) = (of_component[from.component], of_component[to.component]);
        let holder = common(members, a, b);
        let relative = |member: usize| &members[member].path[members[holder].path.len()..];
        let text = format!("{}.{}>{}.{}{how}", relative(a), from.port, relative(b), to.port);
        inside[holder].push(text);
    };
    for link in &experiment.links {
        let part = link.part.as_ref().map_or("", |part| &part.path);
        note(&link.from, &link.to, format!("|{}|{}|{part}", link.latency, link.previous));
    }
    for binding in &experiment.bindings {
        note(&binding.asker, &binding.provider, format!("?{}", binding.latency));
    }
    let mut known = BTreeMap::new();
    let mut shapes = vec![0; members.len()];
    for (member, about) in members.iter().enumerate().rev() {
        let component = about.component.map(|number| &experiment.components[number]);
        let own = component.map(|one| (one.type_name.as_str(), one.dormant.is_some()));
        let children: Vec<(&str, usize)> =
            about.children.iter().map(|&c| (members[c].name.as_str(), shapes[c])).collect();
        inside[member].sort();
        let next = known.len();
        shapes[member] =
            *known.entry((own, children, std::mem::take(&mut inside[member]))).or_insert(next);
    }
    shapes
}

/// The innermost member that holds both.
fn common(members: &[Member], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let deeper = if members[a].depth >= members[b].depth { &mut a } else { &mut b };
        *deeper = members[*deeper].parent;
    }
    a
}

/// `quad` of `quad[3]`
fn stem(name: &str) -> Option<&str> {
    name.split_once('[').map(|(stem, _)| stem)
}

fn equal_elements(members: &[Member], shapes: &[usize], parent: usize) -> Vec<Vec<usize>> {
    let mut classes: BTreeMap<(&str, usize), Vec<usize>> = BTreeMap::new();
    for &child in &members[parent].children {
        if let Some(stem) = stem(&members[child].name) {
            classes.entry((stem, shapes[child])).or_default().push(child);
        }
    }
    classes.into_values().filter(|class| class.len() >= FOLDED).collect()
}

impl Folded {
    fn fold_class(&mut self, class: &[usize]) {
        for &other in &class[1..] {
            let mut pairs = vec![(other, class[0])];
            while let Some((member, first)) = pairs.pop() {
                self.drawn_as[member] = first;
                let children = |of: usize| self.members[of].children.iter().copied();
                pairs.extend(children(member).zip(children(first)));
            }
        }
        let names: Vec<&str> = class.iter().map(|&one| self.members[one].name.as_str()).collect();
        self.members[class[0]].name = range_name(&names);
    }

    /// Draws only the outer composites, if there is too much inside them.
    fn limit(&mut self) {
        let drawn: Vec<usize> =
            (1..self.members.len()).filter(|&m| self.drawn_as[m] == m).collect();
        let at_most = |depth: usize| -> Vec<usize> {
            drawn.iter().copied().filter(|&m| self.members[m].depth <= depth).collect()
        };
        let deepest = drawn.iter().map(|&m| self.members[m].depth).max().unwrap_or(1);
        let depth = (1..=deepest).rev().find(|&d| at_most(d).len() <= MOST).unwrap_or(1);
        let mut kept = at_most(depth);
        let rest = kept.split_off(MOST.min(kept.len()));
        let count = self.members.len();
        let others = (!rest.is_empty()).then(|| {
            let name = format!("… {} more", rest.len());
            let components = rest.iter().map(|&m| self.members[m].components).sum();
            self.members.push(Member { name, depth: 1, components, ..Member::default() });
            self.drawn_as.push(self.members.len() - 1);
            self.members.len() - 1
        });
        for member in 1..count {
            let mut at = self.drawn_as[member];
            while self.members[at].depth > depth {
                at = self.drawn_as[self.members[at].parent];
            }
            let shown = kept.binary_search(&at).is_ok();
            self.drawn_as[member] = if shown { at } else { others.unwrap_or(at) };
        }
    }
}

/// Ports of a block that differ in an index only are drawn as one: what is drawn for each,
/// `quad[0…63].position` for `quad[7].position`.
pub fn fold_ports(mut ports: Vec<&str>) -> BTreeMap<&str, String> {
    ports.sort_by(|a, b| compare_paths(a, b));
    ports.dedup();
    let mut classes: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for port in ports {
        if let Some((stem, rest)) = port.split_once('[')
            && let Some((_, tail)) = rest.split_once(']')
        {
            classes.entry((stem, tail)).or_default().push(port);
        }
    }
    let mut drawn = BTreeMap::new();
    for ((_, tail), class) in classes.into_iter().filter(|(_, class)| class.len() >= FOLDED) {
        let elements: Vec<&str> = class.iter().map(|p| &p[..p.len() - tail.len()]).collect();
        let name = format!("{}{tail}", range_name(&elements));
        drawn.extend(class.into_iter().map(|port| (port, name.clone())));
    }
    drawn
}

/// `quad[0…2, 4…63]`
fn range_name(names: &[&str]) -> String {
    let index = |name: &str| name.split_once('[')?.1.trim_end_matches(']').parse::<usize>().ok();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for at in names.iter().filter_map(|name| index(name)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => ranges.push((at, at)),
        }
    }
    let text = |&(first, last): &(usize, usize)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}…{last}"),
    };
    let shown = match &ranges[..] {
        [first, second, .., last] if ranges.len() > 4 => {
            format!("{}, {}, …, {}", text(first), text(second), text(last))
        }
        all => all.iter().map(text).collect::<Vec<_>>().join(", "),
    };
    format!("{}[{shown}]", names.first().and_then(|name| stem(name)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{fold_ports, range_name};

    #[test]
    fn elements_are_named_by_their_ranges() {
        assert_eq!(range_name(&["a[0]", "a[1]", "a[2]", "a[4]", "a[5]"]), "a[0…2, 4, 5]");
        assert_eq!(range_name(&["a[0]", "a[2]", "a[4]", "a[6]", "a[8]"]), "a[0, 2, …, 8]");
    }

    #[test]
    fn ports_that_differ_in_an_index_are_one() {
        let ports = ["q[10].x", "q[9].x", "q[8].x", "q[8].y", "q[9].y", "plain"];
        let drawn = fold_ports(ports.into());
        assert_eq!(drawn["q[9].x"], "q[8…10].x");
        assert_eq!(drawn.get("q[8].y"), None, "two are drawn as two");
        assert_eq!(drawn.len(), 3);
    }
}
