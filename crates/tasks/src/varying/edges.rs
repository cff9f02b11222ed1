//! The offline guider under varying execution times: which job has a say in another, certainly or possibly.
//!
//! For a job J with the ranges EST to LST of its start, EFT to LFT of its finish, and the beginning B of its
//! worst busy period (We, Kim, Lee, Lee, RTSS 2017):
//!
//! | edge | from | certain |
//! |---|---|---|
//! | start | jobs above it on its ECU, released in [B, LST] | LST' <= EST |
//! | finish | jobs above it on its ECU, released in [B, LFT) | LST' < EFT |
//! | data | of each task that it samples: the last job whose result has come by EST in any case, and all later ones whose result may come by LST | there is but one |
//!
//! Start edges lead to jobs that read from the physical system or sample, finish edges to those that write to
//! it. The result of a job comes by a bus after its finish: after a latency, or in a time slot of its sender
//! (receive time = finish + wait for the slot + transmission time, behind other frames of the sender).

use std::collections::BTreeMap;

use super::parts::constant_latency;
use super::periodic::Periodic;
use super::ranges::{JobRange, Ranges};
use super::span::Span;
use crate::bus::{Carrier, tdma_arrival};
use crate::scheduler::{Link, Plan};
use crate::system::{System, TaskId, Ticks};

/// What one job has a say in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// When the other starts.
    Start,
    /// When the other ends.
    Finish,
    /// What the other reads.
    Data,
}

/// A job has a say in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VaryingEdge {
    /// The other: its task and instance.
    pub to: (TaskId, u64),
    /// In what.
    pub reason: Reason,
    /// The job that has it.
    pub from: (TaskId, u64),
    /// In every execution, not only in some.
    pub is_certain: bool,
}

/// Start and finish edges of an ECU.
pub(super) fn of_periodic(
    system: &System,
    periodic: &Periodic,
    horizon: Ticks,
) -> Vec<VaryingEdge> {
    let name = |number: usize| (periodic.jobs[number].task, periodic.jobs[number].instance);
    let mut edges = Vec::new();
    for (number, job) in periodic.jobs.iter().enumerate() {
        if job.start.earliest >= horizon {
            continue;
        }
        let (task, to) = (&system.tasks[job.task], name(number));
        if task.reads_physical || !task.samples.is_empty() {
            edges.extend(periodic.start_set(number).map(|(other, is_certain)| VaryingEdge {
                to,
                reason: Reason::Start,
                from: name(other),
                is_certain,
            }));
        }
        if task.writes_physical {
            edges.extend(periodic.finish_set(number).map(|(other, is_certain)| VaryingEdge {
                to,
                reason: Reason::Finish,
                from: name(other),
                is_certain,
            }));
        }
    }
    edges
}

/// Data edges between bounded ECUs.
pub(super) fn of_data(system: &System, plan: &Plan, ranges: &Ranges) -> Vec<VaryingEdge> {
    let mut edges = Vec::new();
    for (from, described) in plan.tasks.iter().enumerate() {
        for number in described.links.0..described.links.1 {
            let Link { to, releases, bus } = plan.links[number];
            let is_bounded =
                [from, to].iter().all(|task| ranges.is_bounded(system.tasks[*task].ecu));
            if releases || !is_bounded {
                continue;
            }
            let mut arrivals = arrivals(system, plan, ranges, (from, bus));
            for (arrival, job) in arrivals.iter_mut().zip(of_task(ranges, from)) {
                // A job that may start beyond the horizon has come by then in no case.
                arrival.latest = if job.is_certain { arrival.latest } else { Ticks::MAX };
            }
            for reader in of_task(ranges, to) {
                let latest = reader.start.latest.min(ranges.horizon.saturating_sub(1));
                let certain = arrivals.iter().rposition(|a| a.latest <= reader.start.earliest);
                let first = certain.unwrap_or(0);
                let may_come = |at: &usize| arrivals[*at].earliest <= latest;
                let candidates: Vec<usize> = (first..arrivals.len()).filter(may_come).collect();
                let is_certain = certain.is_some() && candidates.len() == 1;
                edges.extend(candidates.iter().map(|at| VaryingEdge {
                    to: (to, reader.instance),
                    reason: Reason::Data,
                    from: (from, *at as u64),
                    is_certain,
                }));
            }
        }
    }
    edges
}

fn of_task(ranges: &Ranges, task: TaskId) -> &[JobRange] {
    let first = ranges.jobs.partition_point(|job| job.task < task);
    let end = ranges.jobs.partition_point(|job| job.task <= task);
    &ranges.jobs[first..end]
}

/// When the results of the jobs of a task come by a bus; where nothing bounds that, the latest is the greatest
/// time.
fn arrivals(
    system: &System,
    plan: &Plan,
    ranges: &Ranges,
    (from, bus): (TaskId, Option<usize>),
) -> Vec<Span> {
    let jobs = of_task(ranges, from).iter();
    if let Some(latency) = constant_latency(system, bus) {
        return jobs.map(|job| job.finish + Span::at(latency)).collect();
    }
    let task = &system.tasks[from];
    match bus.map(|bus| &system.buses[bus].carrier) {
        Some(Carrier::Dds { latencies }) => {
            let least = latencies.first().copied().unwrap_or(0);
            let most = latencies.last().copied().unwrap_or(0);
            jobs.map(|job| job.finish + Span { earliest: least, latest: most }).collect()
        }
        Some(Carrier::CanTdma { slot, owners, frame }) => {
            let sent = sent_by(system, plan, ranges, (task.ecu, bus));
            let slots = (*slot, &owners[..]);
            let arrival = |job: &JobRange| {
                let next = |ready: Ticks, task: TaskId| {
                    let duration = frame.of(system.tasks[task].frame);
                    tdma_arrival(ready, 0, system.tasks[task].ecu, slots, duration)
                };
                // Of jobs that start beyond the horizon nothing is known: they might send before it.
                let is_known = job.finish.latest < ranges.horizon;
                let latest = if is_known { latest_arrival(&sent, job, next) } else { Ticks::MAX };
                Span { earliest: next(job.finish.earliest, job.task), latest }
            };
            jobs.map(arrival).collect()
        }
        _ => {
            let unbounded = |job: &JobRange| Span { latest: Ticks::MAX, ..job.finish };
            jobs.map(unbounded).collect()
        }
    }
}

/// Jobs of an ECU whose results go by a bus.
fn sent_by(
    system: &System,
    plan: &Plan,
    ranges: &Ranges,
    (ecu, bus): (usize, Option<usize>),
) -> Vec<JobRange> {
    let sends = |task: TaskId| {
        let (first, end) = plan.tasks[task].links;
        system.tasks[task].ecu == ecu && plan.links[first..end].iter().any(|link| link.bus == bus)
    };
    let which: BTreeMap<TaskId, bool> = (0..system.tasks.len()).map(|t| (t, sends(t))).collect();
    ranges.jobs.iter().filter(|job| which[&job.task]).copied().collect()
}

/// The latest arrival of a frame: behind all others of its sender that can be ready before it, each in a slot
/// of its own as late as it can be.
fn latest_arrival(
    sent: &[JobRange],
    job: &JobRange,
    next: impl Fn(Ticks, TaskId) -> Ticks,
) -> Ticks {
    let name = (job.task, job.instance);
    let mut ahead: Vec<(Ticks, TaskId)> = sent
        .iter()
        .filter(|other| other.finish.earliest <= job.finish.latest)
        .filter(|other| (other.task, other.instance) != name)
        .map(|other| (other.finish.latest.min(job.finish.latest), other.task))
        .collect();
    ahead.sort_unstable();
    let free = ahead.into_iter().fold(0, |free, (ready, task)| next(ready.max(free), task));
    next(job.finish.latest.max(free), job.task)
}
