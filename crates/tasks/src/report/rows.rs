//! Jobs as rows of a list in JSON.

use serde::Serialize;
use serde_json::Number;

use super::simulated::SimulatedJob;
use crate::decimal::number;
use crate::guider::{Guider, NEVER};
use crate::system::{System, TaskId, Ticks};
use crate::timetable::Timetable;

/// What a job is.
#[derive(Serialize)]
pub struct Name<'a> {
    /// Its task.
    pub task: &'a str,
    /// Which job of its task, from 1.
    pub instance: u64,
    pub transaction: &'a str,
    pub ecu: &'a str,
    /// It reads from the physical system.
    pub reads: bool,
    /// It writes to it.
    pub writes: bool,
}

impl<'a> Name<'a> {
    pub fn of(system: &'a System, task: TaskId, instance: u64) -> Self {
        let task = &system.tasks[task];
        Name {
            task: &task.name,
            instance: instance + 1,
            transaction: &system.transactions[task.transaction].name,
            ecu: &system.ecus[task.ecu].name,
            reads: task.reads_physical,
            writes: task.writes_physical,
        }
    }
}

/// A job of a schedule.
#[derive(Serialize)]
pub struct ScheduledRow<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    release: Option<Number>,
    start: Option<Number>,
    finish: Option<Number>,
    deadline: Option<Number>,
    release_ticks: Ticks,
    start_ticks: Ticks,
    finish_ticks: Ticks,
    deadline_ticks: Option<Ticks>,
    /// Place in the list of the job whose message released it.
    released_by: Option<u32>,
}

impl<'a> ScheduledRow<'a> {
    pub fn of(system: &'a System, timetable: &Timetable, guider: &Guider, at: usize) -> Self {
        let (job, scale) = (&timetable.jobs[at], guider.scale);
        let [release_ticks, start_ticks, finish_ticks] =
            [job.release, job.start, job.finish].map(|time| time * scale);
        let deadline = Some(guider.nodes[at].deadline).filter(|deadline| *deadline != NEVER);
        ScheduledRow {
            name: Name::of(system, job.task, job.instance),
            release: number(release_ticks, scale),
            start: number(start_ticks, scale),
            finish: number(finish_ticks, scale),
            deadline: deadline.and_then(|deadline| number(deadline, scale)),
            release_ticks,
            start_ticks,
            finish_ticks,
            deadline_ticks: deadline,
            released_by: job.trigger,
        }
    }
}

/// A job that was simulated.
#[derive(Serialize)]
pub struct SimulatedRow<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    release: Option<Number>,
    start: Option<Number>,
    finish: Option<Number>,
    deadline: Option<Number>,
    real_start: Option<Number>,
    real_finish: Option<Number>,
    release_ticks: Ticks,
    start_ticks: Ticks,
    finish_ticks: Ticks,
    deadline_ticks: Option<Ticks>,
    real_start_ticks: Ticks,
    real_finish_ticks: Ticks,
    /// When it was done and its real times were known.
    known_ticks: Ticks,
    late: bool,
}

impl<'a> SimulatedRow<'a> {
    pub fn of(system: &'a System, scale: u64, told: &SimulatedJob) -> Self {
        let SimulatedJob { job, done, known } = told;
        let release_ticks = job.release * scale;
        let deadline = Some(done.deadline).filter(|deadline| *deadline != NEVER);
        SimulatedRow {
            name: Name::of(system, job.task, job.instance),
            release: number(release_ticks, scale),
            start: number(done.start, scale),
            finish: number(done.finish, scale),
            deadline: deadline.and_then(|deadline| number(deadline, scale)),
            real_start: number(done.real_start, scale),
            real_finish: number(done.real_finish, scale),
            release_ticks,
            start_ticks: done.start,
            finish_ticks: done.finish,
            deadline_ticks: deadline,
            real_start_ticks: done.real_start,
            real_finish_ticks: done.real_finish,
            known_ticks: *known,
            late: done.is_late,
        }
    }
}
