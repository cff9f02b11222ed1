//! Latencies of named paths, followed backwards from every execution that ends one: the message that it got,
//! the execution that published it, the message that was used there, and so on.
//!
//! Within a node the message that was used is the one that started the publishing callback, if that is a
//! subscription to the path's topic; else (a timer, another subscription) the latest that the node's
//! subscription had got when the publishing callback started: `use_latest_message` of CARET.

use std::collections::{BTreeMap, BTreeSet};

use super::communication::Messages;
use super::{Flow, MeasuredCallback, MeasuredPath};
use crate::caret::{Architecture, NamedPath, Trigger};
use crate::ros2::{Execution, Observed};

/// Callbacks between which data is passed inside of a node.
type Passings = BTreeSet<(usize, usize)>;

pub(super) fn paths(
    architecture: &Architecture,
    callbacks: &[MeasuredCallback],
    observed: &Observed,
    messages: &Messages<'_>,
    warnings: &mut Vec<String>,
) -> Vec<(MeasuredPath, Passings)> {
    let numbers = callbacks.iter().enumerate().map(|(own, callback)| (callback.observed, own));
    let numbers: BTreeMap<usize, usize> = numbers.collect();
    let found = architecture.paths.iter().map(|path| {
        let tracker = Tracker { path, callbacks, observed, messages };
        let measured = tracker.measure(&numbers);
        if measured.0.flows.is_empty() {
            warnings.push(format!(
                "no data went along all of the path \"{}\": {}",
                path.name,
                tracker.where_it_ends()
            ));
        }
        measured
    });
    found.collect()
}

struct Tracker<'a> {
    path: &'a NamedPath,
    callbacks: &'a [MeasuredCallback],
    observed: &'a Observed,
    messages: &'a Messages<'a>,
}

/// What was found going backwards: the last comes first.
#[derive(Default)]
struct Steps {
    executions: Vec<(usize, usize)>,
    publications: Vec<usize>,
    passings: Vec<(usize, usize)>,
}

impl Tracker<'_> {
    fn execution(&self, (callback, run): (usize, usize)) -> &Execution {
        &self.observed.callbacks[callback].executions[run]
    }

    /// The callback of a node that gets messages of a topic, as a number of the trace.
    fn subscription(&self, stage: usize) -> Option<usize> {
        let stage = self.path.nodes.get(stage)?;
        let takes = stage.subscribe_topic.as_deref()?;
        let found = self.callbacks.iter().find(|callback| {
            callback.node == stage.node
                && matches!(&callback.trigger, Trigger::Subscription { topic } if topic == takes)
        });
        found.map(|callback| callback.observed)
    }

    fn measure(&self, numbers: &BTreeMap<usize, usize>) -> (MeasuredPath, Passings) {
        let last = self.path.nodes.len().saturating_sub(1);
        let ending = self.subscription(last);
        let (mut flows, mut passings) = (Vec::new(), Passings::new());
        let mut message_latencies = Vec::new();
        for ending in ending.iter().copied() {
            let runs = self.observed.callbacks[ending].executions.iter().enumerate();
            for (run, execution) in runs {
                let Some(end_ns) = execution.end_ns else { continue };
                let mut steps = Steps::default();
                if self.back(last, (ending, run), &mut steps).is_none() {
                    continue;
                }
                steps.executions.reverse();
                steps.publications.reverse();
                let start_ns = self.execution(steps.executions[0]).start_ns;
                if let Some(first) = steps.publications.first() {
                    let published = self.observed.publications[*first].time_ns;
                    message_latencies.push(execution.start_ns.saturating_sub(published));
                }
                let known = |(a, b): &(usize, usize)| Some((*numbers.get(a)?, *numbers.get(b)?));
                passings.extend(steps.passings.iter().filter_map(known));
                let (executions, publications) = (steps.executions, steps.publications);
                flows.push(Flow { start_ns, end_ns, executions, publications });
            }
        }
        let along = flows.last().map(|flow: &Flow| flow.executions.clone()).unwrap_or_default();
        let path = MeasuredPath {
            name: self.path.name.clone(),
            callbacks: along.iter().filter_map(|(seen, _)| numbers.get(seen).copied()).collect(),
            latency: flows.iter().map(|flow| flow.end_ns.saturating_sub(flow.start_ns)).collect(),
            message_latency: message_latencies.into_iter().collect(),
            flows,
        };
        (path, passings)
    }

    /// From an execution that got the message of stage `stage` back to the start of the path.
    fn back(&self, stage: usize, run: (usize, usize), steps: &mut Steps) -> Option<()> {
        let (mut stage, mut run) = (stage, run);
        loop {
            steps.executions.push(run);
            let Some(before) = stage.checked_sub(1) else { return Some(()) };
            let topic = self.path.nodes[stage].subscribe_topic.as_deref()?;
            let publication = self.messages.publication(topic, self.execution(run))?;
            steps.publications.push(publication);
            let publishing = self.observed.publications[publication].within?;
            if self.node_of(publishing.0) != Some(&self.path.nodes[before].node) {
                return None;
            }
            run = publishing;
            if let Some(taking) = self.subscription(before)
                && taking != publishing.0
            {
                steps.executions.push(publishing);
                steps.passings.push((taking, publishing.0));
                let start = self.execution(publishing).start_ns;
                let runs = &self.observed.callbacks[taking].executions;
                let until = runs.partition_point(|run| run.start_ns <= start);
                run = (taking, until.checked_sub(1)?);
            }
            stage = before;
        }
    }

    fn node_of(&self, callback: usize) -> Option<&str> {
        self.observed.node_name(&self.observed.callbacks[callback])
    }

    /// For a path without any flow: the first node, from the end, that got nothing.
    fn where_it_ends(&self) -> String {
        for (number, stage) in self.path.nodes.iter().enumerate().skip(1).rev() {
            let topic = stage.subscribe_topic.as_deref().unwrap_or("its topic");
            match self.subscription(number) {
                None => return format!("{} has no subscription to {topic}", stage.node),
                Some(seen) if self.observed.callbacks[seen].executions.is_empty() => {
                    return format!("{} got no message on {topic}", stage.node);
                }
                Some(_) => {}
            }
        }
        "messages cannot be followed from node to node".into()
    }
}
