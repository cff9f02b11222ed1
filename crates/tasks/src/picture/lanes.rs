//! Schedules and simulations as Gantt charts: which thread or core is a lane, and what is on it.

use super::chart::{Bar, Chart, Due, Lane, Release};
use crate::decimal::shown;
use crate::guider::NEVER;
use crate::occupation::{Occupant, stretches};
use crate::policy::Policy;
use crate::report::{ScheduleReport, SimulatedJob, SimulationReport};
use crate::system::{Scheduler, System, TaskId};

/// Jobs that a chart shows at most: more cannot be told apart.
const MOST_JOBS: usize = 4000;

/// Names of colours that a legend shows at most.
const MOST_NAMES: usize = 60;

/// The schedule of all ECUs.
pub fn of_schedule(report: &ScheduleReport) -> Chart {
    let (system, timetable) = (report.system, report.timetable);
    let shown_jobs = &timetable.jobs[..timetable.jobs.len().min(MOST_JOBS)];
    let is_whole = shown_jobs.len() == timetable.jobs.len();
    let until = match shown_jobs.last() {
        Some(last) if !is_whole => last.start,
        _ => shown_jobs.iter().map(|job| job.finish).fold(timetable.horizon, u64::max),
    };
    let mut chart = Chart {
        title: format!("{}: schedule", report.name),
        subtitle: subtitle("arrows: releases", is_whole, shown_jobs.len()),
        unit: system.unit.symbol(),
        per_unit: 1,
        until,
        legend: legend(system),
        ..Chart::default()
    };
    if let Some(cycle) = timetable.cycle {
        let turns = [(cycle.since, "repeats from here"), (cycle.since + cycle.length, "again")];
        chart.turns = turns.map(|(at, text)| (at, text.to_owned())).to_vec();
        chart.turns.retain(|(at, _)| *at <= until);
    }
    for (ecu, described) in system.ecus.iter().enumerate() {
        let numbers: Vec<usize> = (0..shown_jobs.len())
            .filter(|number| system.tasks[shown_jobs[*number].task].ecu == ecu)
            .collect();
        let (threads, note) = match &described.scheduler {
            Scheduler::FixedPriority => (1, "fixed priority".to_owned()),
            Scheduler::Executor(executor) => (executor.threads, executor.rules.name().to_owned()),
        };
        let occupants: Vec<Occupant<(u64, usize, u64)>> = (numbers.iter())
            .map(|number| {
                let job = &shown_jobs[*number];
                let key = (system.tasks[job.task].order, job.task, job.instance);
                Occupant { start: job.start, finish: job.finish, key }
            })
            .collect();
        let mut ran = stretches(&occupants, threads);
        ran.sort_by_key(|stretch| (stretch.job, stretch.from));
        let first = chart.lanes.len();
        let lanes = ran.iter().map(|stretch| stretch.lane + 1).max().unwrap_or(1);
        for thread in 0..lanes {
            let name = if thread == 0 { described.name.clone() } else { String::new() };
            let thread_note = format!("{note}, thread {}", thread + 1);
            let note = if threads > 1 { thread_note } else { note.clone() };
            chart.lanes.push(Lane { name, note, is_first: thread == 0 });
        }
        for stretch in ran {
            let job = &shown_jobs[numbers[stretch.job]];
            let task = &system.tasks[job.task];
            let hover = format!(
                "{}: released {}, started {}, done {} {}",
                label(system, job.task, job.instance),
                job.release,
                job.start,
                job.finish,
                system.unit.symbol()
            );
            let lane = first + stretch.lane;
            if stretch.from == job.start {
                let (at, colour) = (job.release, task.transaction);
                let label = label(system, job.task, job.instance);
                chart.releases.push(Release { lane, at, label, colour });
            }
            chart.bars.push(Bar {
                lane,
                from: stretch.from,
                to: stretch.to,
                job: numbers[stretch.job],
                label: label(system, job.task, job.instance),
                hover,
                colour: task.transaction,
                reads: task.reads_physical && stretch.from == job.start,
                writes: task.writes_physical && stretch.to == job.finish,
                is_late: false,
            });
        }
    }
    chart
}

/// What the simulation computer did: `all` are all jobs or the first of them, in the order of their end.
pub fn of_simulation(report: &SimulationReport, all: &[SimulatedJob]) -> Chart {
    let (system, scale) = (report.system, report.scale);
    let unit = system.unit.symbol();
    let is_whole = all.len() <= MOST_JOBS;
    let all = &all[..all.len().min(MOST_JOBS)];
    let occupants: Vec<Occupant<(u64, u64, u64, usize)>> = (all.iter())
        .map(|SimulatedJob { done, .. }| {
            let by_deadline = report.how.policy == Policy::Ours;
            let first = if by_deadline { done.deadline } else { done.real_start };
            let key = (first, done.real_start, done.turn, done.node);
            Occupant { start: done.start, finish: done.finish, key }
        })
        .collect();
    let mut ran = stretches(&occupants, report.how.cores);
    ran.sort_by_key(|stretch| (stretch.job, stretch.from));
    let end = all.iter().map(|told| told.done.finish).max().unwrap_or(1);
    let dues = all
        .iter()
        .filter(|told| told.done.deadline != NEVER && system.tasks[told.job.task].writes_physical);
    let dues: Vec<Due> = dues
        .map(|SimulatedJob { job, done, .. }| Due {
            at: done.deadline,
            label: label(system, job.task, job.instance),
            colour: system.tasks[job.task].transaction,
            is_late: done.is_late,
        })
        .collect();
    let last_due = dues.iter().map(|due| due.at).max().unwrap_or(0);
    let lanes = ran.iter().map(|stretch| stretch.lane + 1).max().unwrap_or(1);
    let bars = ran.iter().map(|stretch| {
        let SimulatedJob { job, done, .. } = &all[stretch.job];
        let task = &system.tasks[job.task];
        let name = label(system, job.task, job.instance);
        let deadline = match done.deadline {
            NEVER => "no deadline".to_owned(),
            deadline => format!("deadline {}", shown(deadline, scale)),
        };
        let [start, finish, real_start, real_finish] =
            [done.start, done.finish, done.real_start, done.real_finish].map(|t| shown(t, scale));
        Bar {
            lane: stretch.lane,
            from: stretch.from,
            to: stretch.to,
            job: stretch.job,
            hover: format!(
                "{name}: simulated {start} to {finish} {unit}, really {real_start} to {real_finish} \
                 {unit}, {deadline}"
            ),
            label: name,
            colour: task.transaction,
            reads: task.reads_physical && stretch.from == done.start,
            writes: task.writes_physical && stretch.to == done.finish,
            is_late: done.is_late,
        }
    });
    let bars = bars.collect();
    Chart {
        title: format!("{}: simulated by {}", report.name, report.how.policy.name()),
        subtitle: subtitle("triangles: when writes are due", is_whole, all.len()),
        unit,
        per_unit: scale,
        until: end.max(last_due),
        lanes: (0..lanes)
            .map(|core| Lane {
                name: format!("core {}", core + 1),
                note: String::new(),
                is_first: core == 0,
            })
            .collect(),
        bars,
        dues,
        legend: legend(system),
        ..Chart::default()
    }
}

fn label(system: &System, task: TaskId, instance: u64) -> String {
    format!("{} {}", system.tasks[task].name, instance + 1)
}

fn legend(system: &System) -> Vec<String> {
    let names = system.transactions.iter().map(|transaction| transaction.name.clone());
    names.take(MOST_NAMES).collect()
}

fn subtitle(own: &str, is_whole: bool, count: usize) -> String {
    let part = if is_whole { String::new() } else { format!("the first {count} jobs; ") };
    format!("{part}{own}; R reads from and W writes to the physical system; dotted: interrupted")
}
