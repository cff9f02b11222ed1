//! Messages from publication to callback: which is which, and how long each took.

use std::collections::BTreeMap;

use super::{Communication, MeasuredCallback, MeasuredExecutor};
use crate::Distribution;
use crate::caret::ExecutorKind;
use crate::ros2::{Execution, Observed, Trigger};

/// Publications by topic.
pub(super) struct Messages<'a> {
    observed: &'a Observed,
    by_stamp: BTreeMap<(&'a str, u64), usize>,
    /// In the order of time.
    by_topic: BTreeMap<&'a str, Vec<usize>>,
    arrivals: BTreeMap<u64, i64>,
}

impl<'a> Messages<'a> {
    pub(super) fn new(observed: &'a Observed) -> Self {
        let mut messages = Messages {
            observed,
            by_stamp: BTreeMap::new(),
            by_topic: BTreeMap::new(),
            arrivals: observed.arrivals.iter().copied().collect(),
        };
        for (index, publication) in observed.publications.iter().enumerate() {
            let Some(publisher) = publication.publisher else { continue };
            let topic = observed.publishers[publisher].topic.as_str();
            messages.by_topic.entry(topic).or_default().push(index);
            if let Some(stamp) = publication.source_stamp {
                messages.by_stamp.insert((topic, stamp), index);
            }
        }
        messages
    }

    /// The publication that an execution of a subscription got: by its stamp; without one, the last that
    /// was published before.
    pub(super) fn publication(&self, topic: &str, run: &Execution) -> Option<usize> {
        if let Some(message) = &run.message {
            if message.publication.is_some() {
                return message.publication;
            }
            if let Some(stamp) = message.source_stamp {
                let found = self.by_stamp.get(&(topic, stamp));
                // Stamps on one side only say nothing.
                if found.is_some() || !self.by_stamp.is_empty() {
                    return found.copied();
                }
            }
        }
        let published = self.by_topic.get(topic)?;
        let before = published
            .partition_point(|index| self.observed.publications[*index].time_ns <= run.start_ns);
        before.checked_sub(1).map(|last| published[last])
    }

    fn arrival(&self, publication: usize) -> Option<i64> {
        let stamp = self.observed.publications[publication].source_stamp?;
        self.arrivals.get(&stamp).copied()
    }
}

/// When executions ended that kept a callback from starting, ascending.
struct Blockers(Vec<i64>);

impl Blockers {
    fn new(
        callback: &MeasuredCallback,
        callbacks: &[MeasuredCallback],
        executors: &[MeasuredExecutor],
        observed: &Observed,
    ) -> Self {
        let executor = callback.executor.map(|index| executors[index].kind);
        let has_one_thread = executor.is_some_and(|kind| kind != ExecutorKind::MultiThreaded);
        let same_group = |index: usize| {
            let own = observed.callbacks[callback.observed].group;
            match own.zip(observed.callbacks[index].group) {
                Some((own, other)) => own == other,
                None => callbacks
                    .iter()
                    .any(|other| other.observed == index && other.group == callback.group),
            }
        };
        let same_executor = |index: usize| {
            callbacks.iter().any(|o| o.observed == index && o.executor == callback.executor)
        };
        let blocks = |index: usize| {
            (has_one_thread && same_executor(index))
                || (!callback.is_reentrant && same_group(index))
        };
        let all = observed.callbacks.iter().enumerate().filter(|(index, _)| blocks(*index));
        let runs = all.flat_map(|(_, callback)| &callback.executions);
        let mut ends: Vec<i64> = runs.filter_map(|run| run.end_ns).collect();
        ends.sort_unstable();
        Blockers(ends)
    }

    /// Whether something still ran after a publication that ended before the callback started.
    fn any(&self, published: i64, start: i64) -> bool {
        let first = self.0.partition_point(|end| *end <= published);
        self.0.get(first).is_some_and(|end| *end <= start)
    }
}

pub(super) fn communications(
    callbacks: &[MeasuredCallback],
    executors: &[MeasuredExecutor],
    observed: &Observed,
    messages: &Messages<'_>,
) -> Vec<Communication> {
    let number: BTreeMap<usize, usize> =
        callbacks.iter().enumerate().map(|(own, callback)| (callback.observed, own)).collect();
    let mut found = Vec::new();
    for (to, callback) in callbacks.iter().enumerate() {
        let seen = &observed.callbacks[callback.observed];
        let Trigger::Subscription { topic: Some(topic), .. } = &seen.trigger else { continue };
        let blockers = Blockers::new(callback, callbacks, executors, observed);
        let mut samples: BTreeMap<usize, Samples> = BTreeMap::new();
        for run in &seen.executions {
            let Some(publication) = messages.publication(topic, run) else { continue };
            let published = &observed.publications[publication];
            let from = published.within.and_then(|(by, _)| number.get(&by));
            let Some(from) = from else { continue };
            let latency = run.start_ns.saturating_sub(published.time_ns);
            let samples = samples.entry(*from).or_default();
            samples.latency.push(latency);
            match messages.arrival(publication) {
                Some(arrival) => {
                    samples.transport.push(arrival.saturating_sub(published.time_ns));
                    samples.waiting.push(run.start_ns.saturating_sub(arrival));
                }
                None if blockers.any(published.time_ns, run.start_ns) => {
                    samples.blocked.push(latency);
                }
                None => {
                    samples.transport.push(latency);
                    samples.waiting.push(0);
                }
            }
        }
        let topic = topic.clone();
        found.extend(samples.into_iter().map(|(from, samples)| {
            let transport = Distribution::new(samples.transport);
            let usual = transport.median().unwrap_or(0);
            let waited = samples.blocked.iter().map(|latency| latency.saturating_sub(usual).max(0));
            let waiting = samples.waiting.into_iter().chain(waited).collect();
            let latency = Distribution::new(samples.latency);
            Communication { topic: topic.clone(), from, to, latency, transport, waiting }
        }));
    }
    found
}

#[derive(Default)]
struct Samples {
    latency: Vec<i64>,
    transport: Vec<i64>,
    waiting: Vec<i64>,
    blocked: Vec<i64>,
}
