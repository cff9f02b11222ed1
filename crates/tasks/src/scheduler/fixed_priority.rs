//! Preemptive fixed priorities: the ready task of the lowest rank runs; what it interrupts goes on later.

use std::cmp::Reverse;

use super::{Due, Schedule};
use crate::job::Times;
use crate::system::{EcuId, Ticks};

impl<T: Times> Schedule<'_, T> {
    /// Lets the task of the lowest rank run.
    pub(super) fn preempt(&mut self, ecu: EcuId, now: Ticks) {
        let Some(rank) = self.ecus[ecu].available.first() else { return };
        if let Some((running, until)) = self.ecus[ecu].running {
            let task = self.jobs[running as usize].task;
            let running_rank = self.plan.tasks[task].rank;
            // A second job of the running task waits for the first.
            if rank >= running_rank {
                return;
            }
            self.tasks[task].interrupted = Some((running, until - now));
            self.ecus[ecu].available.insert(running_rank);
        }
        let task = self.plan.ecus[ecu].tasks[rank];
        let (number, left) = match self.tasks[task].interrupted.take() {
            Some(interrupted) => {
                if self.tasks[task].pending.is_empty() {
                    self.ecus[ecu].available.remove(rank);
                }
                interrupted
            }
            None => {
                let number = self.start(task, now);
                (number, self.jobs[number as usize].execution)
            }
        };
        self.ecus[ecu].running = Some((number, now + left));
        self.due.push(Reverse((now + left, Due::End { job: number })));
    }
}
