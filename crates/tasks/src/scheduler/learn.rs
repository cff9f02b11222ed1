//! Execution times that become known after their jobs have started.

use std::cmp::Reverse;

use super::{Due, Schedule};
use crate::job::Times;
use crate::system::Ticks;

impl<T: Times> Schedule<'_, T> {
    /// When something is due next.
    pub(crate) fn next(&self) -> Option<Ticks> {
        self.due.peek().map(|Reverse((time, _))| *time)
    }

    /// When a job that has started and not ended would end, if nothing else began. Nothing while it is
    /// interrupted.
    pub(crate) fn end_of(&self, number: u32) -> Option<Ticks> {
        let job = &self.jobs[number as usize];
        let ecu = self.plan.tasks[job.task].ecu;
        match (self.plan.ecus[ecu].rules, self.ecus[ecu].running) {
            (Some(_), _) => Some(job.finish),
            (None, Some((running, until))) => (running == number).then_some(until),
            (None, None) => None,
        }
    }

    /// What is left of a job that is interrupted.
    pub(crate) fn left_of(&self, number: u32) -> Option<Ticks> {
        let interrupted = self.tasks[self.jobs[number as usize].task].interrupted;
        interrupted.filter(|(job, _)| *job == number).map(|(_, left)| left)
    }

    /// A job that has started and not ended takes as long as this: not less than was thought.
    pub(crate) fn learn(&mut self, number: u32, execution: Ticks) {
        let job = &mut self.jobs[number as usize];
        let more = execution - job.execution;
        job.execution = execution;
        let (task, is_end) = (job.task, Due::End { job: number });
        let state = &mut self.ecus[self.plan.tasks[task].ecu];
        let end = match (&mut state.running, &mut self.tasks[task].interrupted) {
            // An executor: nothing interrupts its jobs.
            _ if self.plan.ecus[self.plan.tasks[task].ecu].rules.is_some() => {
                job.finish += more;
                job.finish
            }
            (Some((running, until)), _) if *running == number => {
                *until += more;
                *until
            }
            (_, Some((interrupted, left))) if *interrupted == number => {
                *left += more;
                return;
            }
            _ => return,
        };
        self.due.retain(|Reverse((_, due))| *due != is_end);
        self.due.push(Reverse((end, is_end)));
    }
}
