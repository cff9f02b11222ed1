//! Which callback of the trace is which of the architecture: by node, type and topic or period; then by the
//! function's name; then by the order of construction.

use std::collections::{BTreeMap, BTreeSet};

use super::{MeasuredCallback, MeasuredExecutor, timers};
use crate::caret::{Architecture, Callback, Node, Trigger};
use crate::ros2::{self, Observed, Publication};

/// What every callback of the trace published.
type Published<'a> = BTreeMap<usize, Vec<&'a Publication>>;

pub(super) fn callbacks(
    architecture: &Architecture,
    observed: &Observed,
    warnings: &mut Vec<String>,
) -> (Vec<MeasuredCallback>, Vec<MeasuredExecutor>) {
    let mut found = Vec::new();
    let mut published: Published = BTreeMap::new();
    for publication in &observed.publications {
        if let Some((by, _)) = publication.within {
            published.entry(by).or_default().push(publication);
        }
    }
    for node in &architecture.nodes {
        for callback in &node.callbacks {
            match find(node, callback, observed) {
                Some(index) => {
                    found.push(join(architecture, node, callback, observed, index, &published));
                }
                None => warnings.push(format!(
                    "{} is not in the trace: no callback of {} with {}",
                    callback.name,
                    node.name,
                    shown(&callback.trigger),
                )),
            }
        }
    }
    let executors = architecture.executors.iter().enumerate().map(|(index, executor)| {
        let own = found.iter().filter(|callback| callback.executor == Some(index));
        let runs = own.flat_map(|callback| &observed.callbacks[callback.observed].executions);
        let threads: BTreeSet<i64> = runs.map(|run| run.thread).collect();
        let name = executor.name.clone();
        MeasuredExecutor { name, kind: executor.kind, threads: threads.len() }
    });
    let executors = executors.collect();
    (found, executors)
}

fn shown(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Timer { period_ns } => format!("a timer of {period_ns} ns"),
        Trigger::Subscription { topic } => format!("a subscription to {topic}"),
        Trigger::Service { name } => format!("the service {name}"),
    }
}

fn find(node: &Node, callback: &Callback, observed: &Observed) -> Option<usize> {
    let alike = |seen: &ros2::Callback| {
        observed.node_name(seen) == Some(&node.name)
            && match (&callback.trigger, &seen.trigger) {
                (Trigger::Timer { period_ns }, ros2::Trigger::Timer { period_ns: seen, .. }) => {
                    seen.is_none_or(|seen| seen == *period_ns)
                }
                (
                    Trigger::Subscription { topic },
                    ros2::Trigger::Subscription { topic: Some(seen), .. },
                ) => topic == seen,
                (Trigger::Service { name }, ros2::Trigger::Service { name: Some(seen) }) => {
                    name == seen
                }
                _ => false,
            }
    };
    let all = observed.callbacks.iter().enumerate();
    let mut candidates: Vec<usize> =
        all.filter(|(_, seen)| alike(seen)).map(|(index, _)| index).collect();
    let same_symbol = |index: &usize| {
        callback.symbol.is_some() && observed.callbacks[*index].symbol == callback.symbol
    };
    if candidates.len() > 1 && candidates.iter().any(same_symbol) {
        candidates.retain(same_symbol);
    }
    let order = usize::try_from(callback.construction_order).ok()?;
    candidates.get(order).or(candidates.first()).copied()
}

fn join(
    architecture: &Architecture,
    node: &Node,
    callback: &Callback,
    observed: &Observed,
    index: usize,
    published: &Published<'_>,
) -> MeasuredCallback {
    let seen = &observed.callbacks[index];
    let group = node.groups.iter().find(|group| group.callbacks.contains(&callback.name));
    let executor = group.and_then(|group| {
        architecture.executors.iter().position(|executor| executor.groups.contains(&group.name))
    });
    let mut publishes = BTreeSet::new();
    let mut delays = Vec::new();
    for publication in published.get(&index).into_iter().flatten() {
        if let (Some((_, run)), Some(publisher)) = (publication.within, publication.publisher) {
            publishes.insert(observed.publishers[publisher].topic.clone());
            delays.push(publication.time_ns.saturating_sub(seen.executions[run].start_ns));
        }
    }
    let queue_depth = match &seen.trigger {
        ros2::Trigger::Subscription { queue_depth, .. } => *queue_depth,
        _ => None,
    };
    let releases = match callback.trigger {
        Trigger::Timer { period_ns } => timers::releases(seen, period_ns),
        _ => None,
    };
    MeasuredCallback {
        name: callback.name.clone(),
        node: node.name.clone(),
        trigger: callback.trigger.clone(),
        group: group.map(|group| group.name.clone()).unwrap_or_default(),
        is_reentrant: group.is_some_and(|group| group.is_reentrant),
        executor,
        observed: index,
        queue_depth,
        execution_times: seen.execution_times(),
        releases,
        publishes: publishes.into_iter().collect(),
        publish_delays: delays.into_iter().collect(),
    }
}
