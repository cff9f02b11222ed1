//! Effective deadlines of the jobs of one task.

use std::sync::Arc;

use ironbird_kernel::Time;
use ironbird_tasks::{Guider, NEVER, System, TaskId, Timetable};

use crate::timing::TaskCalendar;

/// By when the jobs of a task must be done.
pub struct Deadlines {
    /// In picoseconds, by number of the job.
    times: Vec<u64>,
    calendar: Arc<TaskCalendar>,
}

impl Deadlines {
    /// The deadline of job `k`.
    pub fn of(&self, k: u64) -> Time {
        let Some((place, shift)) = self.calendar.fold(k) else { return Time::NEVER };
        match self.times.get(place) {
            Some(&time) if time != u64::MAX => Time::from_ps(time.saturating_add(shift)),
            _ => Time::NEVER,
        }
    }

    /// The deadlines of all tasks: of `system` with its reads and writes as the experiment has them.
    pub fn of_all(
        system: &System,
        timetable: &Timetable,
        calendars: impl Fn(TaskId) -> Arc<TaskCalendar>,
    ) -> Vec<Deadlines> {
        let mut all: Vec<Deadlines> = (0..system.tasks.len())
            .map(|task| Deadlines { times: Vec::new(), calendar: calendars(task) })
            .collect();
        // Speeds that cannot be counted exactly do not matter here: jobs take what they take.
        let mut system = system.clone();
        for task in &mut system.tasks {
            task.simulated = ironbird_tasks::Fraction::ONE;
        }
        let Ok(guider) = Guider::new(&system, timetable) else { return all };
        for node in &guider.nodes {
            let deadline = match node.deadline {
                NEVER => u64::MAX,
                deadline => deadline.saturating_mul(system.unit.picoseconds()),
            };
            all[node.task].times.push(deadline);
        }
        all
    }
}
