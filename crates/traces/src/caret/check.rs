//! Whether every name of an architecture stands for something, and chains hang together.

use std::collections::{BTreeMap, BTreeSet};

use ironbird_document::{Place, Problem, Problems};
use ironbird_kernel::path::nearest;

use super::{Architecture, NamedPath, Node, Trigger};

pub(super) fn check(architecture: &Architecture) -> Result<(), Problems> {
    let mut problems = Problems::default();
    let nodes = &architecture.nodes;
    once("node", nodes.iter().map(|node| (&*node.name, &node.place)), &mut problems);
    let callbacks = nodes.iter().flat_map(|node| &node.callbacks);
    once("callback", callbacks.map(|callback| (&*callback.name, &callback.place)), &mut problems);
    let groups: Vec<_> = nodes.iter().flat_map(|node| &node.groups).collect();
    once("group", groups.iter().map(|group| (&*group.name, &group.place)), &mut problems);
    for executor in &architecture.executors {
        let known = groups.iter().map(|group| group.name.as_str());
        for name in &executor.groups {
            known_name("callback group", name, known.clone(), &executor.place, &mut problems);
        }
    }
    nodes.iter().for_each(|node| check_node(node, &mut problems));
    architecture.paths.iter().for_each(|path| check_path(path, architecture, &mut problems));
    match problems.0.is_empty() {
        true => Ok(()),
        false => Err(problems),
    }
}

fn once<'a>(
    what: &str,
    names: impl Iterator<Item = (&'a str, &'a Place)>,
    problems: &mut Problems,
) {
    let mut first = BTreeMap::new();
    for (name, place) in names {
        if let Some(other) = first.insert(name, place) {
            let message = format!("there are two of the {what} \"{name}\"");
            problems.push(Problem::new(message, place, "here").also(other, "and here"));
        }
    }
}

fn known_name<'a>(
    what: &str,
    name: &str,
    mut known: impl Iterator<Item = &'a str> + Clone,
    place: &Place,
    problems: &mut Problems,
) {
    let candidates = known.clone();
    if !known.any(|candidate| candidate == name) {
        let message = format!("there is no {what} \"{name}\"");
        let near = nearest(name, candidates);
        problems.push(Problem::new(message, place, "used here").did_you_mean(near));
    }
}

fn check_node(node: &Node, problems: &mut Problems) {
    let known = node.callbacks.iter().map(|callback| callback.name.as_str());
    let what = format!("callback of {}", node.name);
    let grouped = node.groups.iter().map(|group| (&group.callbacks, &group.place));
    let published = node.publishes.iter().map(|publish| (&publish.callbacks, &node.place));
    for (names, place) in grouped.chain(published) {
        for name in names {
            known_name(&what, name, known.clone(), place, problems);
        }
    }
    let passed = node.variable_passings.iter().flat_map(|passing| [&passing.write, &passing.read]);
    for name in passed.chain(node.subscribes.iter().filter_map(|taken| taken.callback.as_ref())) {
        known_name(&what, name, known.clone(), &node.place, problems);
    }
}

fn check_path(path: &NamedPath, architecture: &Architecture, problems: &mut Problems) {
    if path.nodes.is_empty() {
        let message = format!("the path \"{}\" has no nodes", path.name);
        problems.push(Problem::new(message, &path.place, "here"));
    }
    let mut passed = BTreeSet::new();
    for (number, stage) in path.nodes.iter().enumerate() {
        let Some(node) = architecture.node(&stage.node) else {
            let known = architecture.nodes.iter().map(|node| node.name.as_str());
            known_name("node", &stage.node, known, &stage.place, problems);
            continue;
        };
        if let Some(topic) = &stage.subscribe_topic {
            let callbacks = node.callbacks.iter().filter_map(|callback| match &callback.trigger {
                Trigger::Subscription { topic } => Some(topic.as_str()),
                _ => None,
            });
            let known = node.subscribes.iter().map(|taken| taken.topic.as_str()).chain(callbacks);
            let what = format!("subscription of {} to", node.name);
            known_name(&what, topic, known, &stage.place, problems);
        }
        if let Some(topic) = &stage.publish_topic {
            let known = node.publishes.iter().map(|publish| publish.topic.as_str());
            let what = format!("publisher of {} of", node.name);
            known_name(&what, topic, known, &stage.place, problems);
            if !passed.insert((&stage.node, topic)) {
                let message = format!(
                    "the path \"{}\" is cyclic: it comes twice through the publisher of {} of {topic}",
                    path.name, stage.node
                );
                problems.push(Problem::new(message, &stage.place, "again here"));
            }
        }
        if let Some(next) = path.nodes.get(number + 1)
            && (stage.publish_topic.is_none() || stage.publish_topic != next.subscribe_topic)
        {
            let topic = |topic: &Option<String>| topic.clone().unwrap_or("nothing".into());
            let message = format!(
                "the path \"{}\" is broken: {} passes on {}, but {} takes {}",
                path.name,
                stage.node,
                topic(&stage.publish_topic),
                next.node,
                topic(&next.subscribe_topic),
            );
            problems.push(Problem::new(message, &next.place, "here"));
        }
    }
}
