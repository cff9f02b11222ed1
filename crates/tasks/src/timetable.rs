//! The schedule of a hyper-period, job by job, and how it repeats.
//!
//! A schedule whose jobs always take the same time repeats once its state at the end of a hyper-period has
//! been there before: mostly at once, later where offsets or a backlog make a beginning of their own.

use crate::fraction::least_common_multiple;
use crate::job::{Job, Times};
use crate::scheduler::{Schedule, TooManyJobs};
use crate::system::{System, TaskId, Ticks};
use crate::times::Extreme;
use crate::utilisation::utilisation;

/// Jobs that a timetable may have at most.
pub const MOST_JOBS: usize = 5_000_000;

/// Hyper-periods after which a schedule should have begun to repeat.
const MOST_HYPER_PERIODS: u64 = 64;

/// Jobs in the order of their start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timetable {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// Pairs of jobs: the first read the result of the second without being released by it. Ascending.
    pub sampled: Vec<(u32, u32)>,
    /// Before this instant jobs start.
    pub horizon: Ticks,
    /// From which job on the schedule repeats, if it does.
    pub cycle: Option<Cycle>,
    /// Messages that each task lost because its queue was full.
    pub lost: Vec<u64>,
}

/// How a schedule repeats: the jobs from number `first` on, shifted by `length`, again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// Number of the first job.
    pub first: usize,
    /// When it begins: a turn or more after it could, where the schedule has a beginning of its own. So what
    /// the jobs of the cycle need of others was done in turns that are like it.
    pub from: Ticks,
    /// From when on the schedule repeats.
    pub since: Ticks,
    /// From its beginning to the next.
    pub length: Ticks,
}

/// Why there is no timetable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TimetableError {
    /// Periods whose least common multiple is too long.
    #[error(
        "the hyper-period of the periods {} {unit} is {} (`max_hyper_period` sets the limit; {culprit} {unit} \
is the period that passes it)", listed(periods), too_long(*length, *limit, unit)
    )]
    HyperPeriod {
        /// All periods, each once, ascending.
        periods: Vec<Ticks>,
        /// The one that makes it too long, taken in this order.
        culprit: Ticks,
        /// The hyper-period, where it can be written at all.
        length: Option<Ticks>,
        /// The limit.
        limit: Ticks,
        /// Unit of all these.
        unit: &'static str,
    },
    /// Nothing has a clock.
    #[error("no task has a period: nothing would ever run")]
    NoClock,
    /// Too many jobs.
    #[error(transparent)]
    TooManyJobs(#[from] TooManyJobs),
    /// A backlog grows.
    #[error(
        "the schedule does not begin to repeat within {after} hyper-periods{}",
        overloaded(ecus)
    )]
    DoesNotSettle {
        /// Hyper-periods that were tried.
        after: u64,
        /// ECUs with more to do than they can, and their utilisation.
        ecus: Vec<(String, f64)>,
    },
}

fn listed(periods: &[Ticks]) -> String {
    let texts: Vec<String> = periods.iter().map(Ticks::to_string).collect();
    texts.join(", ")
}

fn too_long(length: Option<Ticks>, limit: Ticks, unit: &str) -> String {
    match length {
        Some(length) => format!("{length} {unit}, longer than {limit} {unit}"),
        None => format!("longer than {limit} {unit}"),
    }
}

fn overloaded(ecus: &[(String, f64)]) -> String {
    let texts: Vec<String> = ecus
        .iter()
        .map(|(name, load)| format!("{name} is overloaded: utilisation {load:.3}"))
        .collect();
    if texts.is_empty() { String::new() } else { format!(": {}", texts.join(", ")) }
}

/// The least common multiple of all periods.
pub fn hyper_period(system: &System) -> Result<Ticks, TimetableError> {
    let mut periods: Vec<Ticks> =
        system.tasks.iter().filter_map(|task| task.clock.map(|clock| clock.period)).collect();
    periods.sort_unstable();
    periods.dedup();
    let limit = system.longest_hyper_period;
    let mut length = periods.first().copied().ok_or(TimetableError::NoClock)?;
    let mut culprit = (length > limit).then_some(length);
    for period in &periods {
        let Some(next) = least_common_multiple(length, *period) else {
            let (culprit, unit) = (culprit.unwrap_or(*period), system.unit.symbol());
            return Err(TimetableError::HyperPeriod {
                periods,
                culprit,
                length: None,
                limit,
                unit,
            });
        };
        length = next;
        if length > limit {
            culprit.get_or_insert(*period);
        }
    }
    match culprit {
        None => Ok(length),
        Some(culprit) => {
            let (unit, length) = (system.unit.symbol(), Some(length));
            Err(TimetableError::HyperPeriod { periods, culprit, length, limit, unit })
        }
    }
}

impl Timetable {
    /// The schedule with all jobs at their worst, up to the end of the first hyper-period that repeats.
    pub fn of(system: &System) -> Result<Self, TimetableError> {
        Timetable::repeating(system, Extreme::worst(system))
    }

    /// The schedule with all jobs at their best or at their worst, up to the end of the first hyper-period that
    /// repeats.
    pub fn repeating(system: &System, times: Extreme) -> Result<Self, TimetableError> {
        let length = hyper_period(system)?;
        let mut schedule = Schedule::new(system, times);
        let mut states = vec![(schedule.state(0), 0)];
        for count in 1..=MOST_HYPER_PERIODS {
            let Some(end) = length.checked_mul(count) else { break };
            schedule.run_until(end, MOST_JOBS)?;
            let state = schedule.state(end);
            if let Some(before) = states.iter().position(|(other, _)| *other == state) {
                let length = end - before as u64 * length;
                return match before {
                    0 => Timetable::finish(
                        schedule,
                        end,
                        Some(Cycle { first: 0, from: 0, since: 0, length }),
                    ),
                    _ => Timetable::with_beginning(schedule, states[before].1, (end, length)),
                };
            }
            states.push((state, schedule.jobs().len()));
        }
        let loads = utilisation(system).into_iter().filter(|load| load.is_above_one());
        let ecus = loads.map(|load| (system.ecus[load.ecu].name.clone(), load.as_f64())).collect();
        Err(TimetableError::DoesNotSettle { after: MOST_HYPER_PERIODS, ecus })
    }

    /// A schedule with a beginning of its own that repeats from job `regular` on; it has been computed up to
    /// `from`. What goes before a job in the first turn may have run at another distance than in all later ones,
    /// so a turn counts as the cycle only if all that goes before its jobs is regular already.
    fn with_beginning(
        mut schedule: Schedule<'_, Extreme>,
        regular: usize,
        (mut from, length): (Ticks, Ticks),
    ) -> Result<Self, TimetableError> {
        let since = from - length;
        loop {
            let first = schedule.jobs().len();
            let Some(end) = from.checked_add(length) else {
                return Err(TimetableError::DoesNotSettle {
                    after: from / length,
                    ecus: Vec::new(),
                });
            };
            schedule.run_until(end, MOST_JOBS)?;
            let (jobs, sampled) = (schedule.jobs(), schedule.sampled());
            let sampled =
                sampled[sampled.partition_point(|pair| (pair.0 as usize) < first)..].iter();
            let triggers = jobs[first..].iter().filter_map(|job| job.trigger);
            let is_early = |number: u32| {
                let task = jobs[number as usize].task;
                // What never runs again is no part of the cycle.
                (number as usize) < regular && jobs[first..].iter().any(|job| job.task == task)
            };
            if !triggers.chain(sampled.map(|pair| pair.1)).any(is_early) {
                return Timetable::finish(
                    schedule,
                    end,
                    Some(Cycle { first, from, since, length }),
                );
            }
            from = end;
        }
    }

    /// The schedule of all jobs that start before `horizon`.
    pub fn until(system: &System, times: impl Times, horizon: Ticks) -> Result<Self, TooManyJobs> {
        let mut schedule = Schedule::new(system, times);
        schedule.run_until(horizon, MOST_JOBS)?;
        Timetable::finish(schedule, horizon, None)
    }

    /// Lets jobs that have started come to their end, and forgets those that start meanwhile.
    fn finish<E: From<TooManyJobs>>(
        mut schedule: Schedule<'_, impl Times>,
        horizon: Ticks,
        cycle: Option<Cycle>,
    ) -> Result<Self, E> {
        let count = schedule.jobs().len();
        let lost = schedule.lost();
        let mut until = horizon;
        let mut step = 1;
        let patience =
            schedule.longest().saturating_add(horizon).saturating_mul(MOST_HYPER_PERIODS);
        while let Some(job) = schedule.jobs()[..count].iter().find(|job| job.finish == 0) {
            if step > patience {
                let starved = Some(schedule.name_of(job.task).to_owned());
                return Err(TooManyJobs { most: MOST_JOBS, by: until, starved }.into());
            }
            (until, step) = (until.saturating_add(step), step.saturating_mul(2));
            schedule.run_until(until, MOST_JOBS)?;
        }
        let mut jobs = schedule.jobs().to_vec();
        jobs.truncate(count);
        let mut sampled = schedule.sampled().to_vec();
        sampled.retain(|(reader, _)| (*reader as usize) < count);
        Ok(Timetable { jobs, sampled, horizon, cycle, lost })
    }

    /// The jobs of a task.
    pub fn jobs_of(&self, task: TaskId) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(move |job| job.task == task)
    }
}
