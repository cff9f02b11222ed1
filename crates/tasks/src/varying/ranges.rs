//! The offline schedule under varying execution times: for every job the range of its release, start, finish.

use std::collections::BTreeMap;

use super::edges::{self, VaryingEdge};
use super::explore::{Explorer, Found, GaveUp};
use super::parts::{Way, components, constant_latency, ways};
use super::periodic::{Periodic, is_periodic};
use super::span::Span;
use crate::bus::Carrier;
use crate::scheduler::{Link, Plan};
use crate::system::{EcuId, Rules, Scheduler, System, TaskId, Ticks};
use crate::timetable::{Timetable, TimetableError};

/// What a job can do in some execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRange {
    /// The task.
    pub task: TaskId,
    /// Jobs of the task before it.
    pub instance: u64,
    /// When its clock ticks, or its message arrives.
    pub release: Span,
    /// EST to LST.
    pub start: Span,
    /// EFT to LFT.
    pub finish: Span,
    /// It starts before the horizon in every execution. Where not, finishes are those of the executions in which
    /// it does.
    pub is_certain: bool,
    /// The beginning of its busy period with all jobs at their worst, where priorities are fixed.
    pub busy_from: Option<Ticks>,
}

/// How the ranges of an ECU were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// By two schedules, all jobs at their best and all at their worst: every bound is reached.
    TwoSchedules,
    /// By all orders in which its jobs can run: no execution is outside, but bounds may be wider than needed.
    Explored {
        /// States that were looked at, of all ECUs of its group.
        states: usize,
    },
    /// Not at all.
    NotBounded {
        /// Why not.
        reason: String,
    },
}

/// Ranges of all jobs that can start before a horizon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// By task, then instance. None of ECUs that are not bounded.
    pub jobs: Vec<JobRange>,
    /// How each ECU was bounded.
    pub ecus: Vec<Bound>,
    /// Which job has a say in which, ascending. Start and finish edges of ECUs with two schedules, data edges
    /// between all that are bounded.
    pub edges: Vec<VaryingEdge>,
    /// Before this instant jobs start, in some execution at least.
    pub horizon: Ticks,
}

/// Why there are no ranges.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RangesError {
    /// There is no schedule with all jobs at their worst.
    #[error(transparent)]
    Timetable(#[from] TimetableError),
}

impl Ranges {
    /// Ranges of the jobs up to the end of the first hyper-period that repeats with all jobs at their worst.
    pub fn of(system: &System) -> Result<Self, RangesError> {
        let horizon = Timetable::of(system)?.horizon;
        Ok(Ranges::until(system, horizon, MOST_STATES))
    }

    /// Ranges of the jobs that can start before `horizon`; ECUs for which more than `most_states` states would
    /// have to be looked at are not bounded.
    pub fn until(system: &System, horizon: Ticks, most_states: usize) -> Self {
        let plan = Plan::new(system);
        let (jobs, ecus, edges) = (Vec::new(), Vec::new(), Vec::new());
        let mut ranges = Ranges { jobs, ecus, edges, horizon };
        for ecu in 0..system.ecus.len() {
            match is_periodic(system, ecu).then(|| Periodic::of(system, &plan, ecu, horizon)) {
                Some(Some(periodic)) => {
                    ranges.ecus.push(Bound::TwoSchedules);
                    ranges.add(&periodic);
                    ranges.edges.extend(edges::of_periodic(system, &periodic, horizon));
                }
                _ => ranges.ecus.push(Bound::NotBounded { reason: String::new() }),
            }
        }
        ranges.explore(system, &plan, most_states);
        ranges.jobs.sort_unstable_by_key(|job| (job.task, job.instance));
        let data = edges::of_data(system, &plan, &ranges);
        ranges.edges.extend(data);
        ranges.edges.sort_unstable();
        ranges
    }

    fn add(&mut self, periodic: &Periodic) {
        for (number, job) in periodic.jobs.iter().enumerate() {
            if job.start.earliest < self.horizon {
                self.jobs.push(JobRange {
                    task: job.task,
                    instance: job.instance,
                    release: Span::at(job.release),
                    start: job.start,
                    finish: job.finish,
                    is_certain: job.start.latest < self.horizon,
                    busy_from: Some(periodic.busy_from(number)),
                });
            }
        }
    }

    /// Explores the ECUs that two schedules do not bound. What releases jobs on them from an ECU that is
    /// bounded comes within known ranges; where more than ranges counts, that ECU is explored with them.
    fn explore(&mut self, system: &System, plan: &Plan, most_states: usize) {
        let ecu_of = |task: TaskId| system.tasks[task].ecu;
        let is_bounded = |ecu: &Bound| *ecu == Bound::TwoSchedules;
        let bounded: Vec<bool> = self.ecus.iter().map(is_bounded).collect();
        let mut within: Vec<bool> = bounded.iter().map(|bounded| !bounded).collect();
        for way in ways(plan).filter(|way| way.releases && bounded[ecu_of(way.from)]) {
            // Whose message comes first at an instant, and in which slot, depends on the order of all.
            let by_order = matches!(&system.ecus[ecu_of(way.to)].scheduler,
                Scheduler::Executor(executor) if executor.rules == Rules::Events);
            within[ecu_of(way.from)] |= by_order || constant_latency(system, way.bus).is_none();
        }
        let joined = ways(plan).filter(|way| way.releases);
        let joined = joined.map(|way| (ecu_of(way.from), ecu_of(way.to)));
        for group in components(&within, joined) {
            let result = match cannot_be_explored(system, plan, &group) {
                Some(reason) => Err(reason.to_owned()),
                None => self.explore_group(system, plan, (&group, &within), most_states),
            };
            for ecu in group.iter().filter(|ecu| !bounded[**ecu]) {
                self.ecus[*ecu] = match &result {
                    Ok((_, states)) => Bound::Explored { states: *states },
                    Err(reason) => Bound::NotBounded { reason: reason.clone() },
                };
            }
            let Ok((found, _)) = result else { continue };
            for ((task, instance), (release, start, finish)) in found.jobs {
                let is_asked = !bounded[ecu_of(task)] && start.earliest < self.horizon;
                if let Some(finish) = finish.filter(|_| is_asked) {
                    let is_certain =
                        start.latest < self.horizon && instance < found.at_least[&task];
                    self.jobs.push(JobRange {
                        task,
                        instance,
                        release,
                        start,
                        finish,
                        is_certain,
                        busy_from: None,
                    });
                }
            }
        }
    }

    fn explore_group(
        &self,
        system: &System,
        plan: &Plan,
        (group, within): (&[EcuId], &[bool]),
        most_states: usize,
    ) -> Result<(Found, usize), String> {
        let fed_until = self.horizon.saturating_mul(2);
        let too_long = || "jobs do not end within twice the horizon".to_owned();
        let mut feeds = BTreeMap::new();
        for (from, described) in plan.tasks.iter().enumerate() {
            for link in described.links.0..described.links.1 {
                let Link { to, releases, bus } = plan.links[link];
                let ecu = system.tasks[from].ecu;
                if !releases || within[ecu] || !group.contains(&system.tasks[to].ecu) {
                    continue;
                }
                let periodic = Periodic::of(system, plan, ecu, fed_until).ok_or_else(too_long)?;
                let latency = Span::at(constant_latency(system, bus).unwrap_or(0));
                let jobs = periodic.jobs.iter().filter(|job| job.task == from);
                feeds.insert(link, jobs.map(|job| job.finish + latency).collect());
            }
        }
        let fed_until = if feeds.is_empty() { Ticks::MAX } else { fed_until };
        let explorer = Explorer { system, plan, horizon: self.horizon, feeds, fed_until };
        explorer.run(group, most_states).map_err(|gave_up| match gave_up {
            GaveUp::States => {
                format!("its jobs can run in too many orders: more than {most_states} states")
            }
            GaveUp::Time => too_long(),
        })
    }

    /// Whether the ranges of an ECU's jobs are known.
    pub fn is_bounded(&self, ecu: EcuId) -> bool {
        !matches!(self.ecus.get(ecu), None | Some(Bound::NotBounded { .. }))
    }

    /// The range of a job; none where it never starts before the horizon.
    pub fn job(&self, task: TaskId, instance: u64) -> Option<&JobRange> {
        let found =
            self.jobs.binary_search_by_key(&(task, instance), |job| (job.task, job.instance));
        found.ok().map(|at| &self.jobs[at])
    }
}

/// What the exploration knows no rules for.
fn cannot_be_explored(system: &System, plan: &Plan, group: &[EcuId]) -> Option<&'static str> {
    let of_group = |way: &Way| way.releases && group.contains(&system.tasks[way.to].ecu);
    ways(plan).filter(of_group).find_map(|way| match system.buses[way.bus?].carrier {
        Carrier::CanPriority { .. } => {
            Some("messages that release jobs go by a CAN bus with arbitration")
        }
        Carrier::CanTdma { frame, .. } if frame.of(system.tasks[way.from].frame) == 0 => {
            Some("frames take no time")
        }
        _ => None,
    })
}

/// States that are looked at unless another limit is given.
pub const MOST_STATES: usize = 100_000;
