//! ROS 2 executors: which callback an idle thread runs next.
//!
//! Rules by release after Casini, Blass, Luetkebohle, Brandenburg (ECRTS 2019) and the sources of rclcpp: the
//! ready set is a snapshot with one bit for each callback; it is polled when nothing in it can run. A callback
//! whose group is busy can neither be polled nor run.

use std::cmp::Reverse;

use super::plan::EcuPlan;
use super::{Due, EcuState, Schedule};
use crate::job::Times;
use crate::system::{EcuId, Rules, TaskId, Ticks};

impl<T: Times> Schedule<'_, T> {
    /// Gives idle threads of an executor something to do.
    pub(super) fn choose(&mut self, ecu: EcuId, rules: Rules, now: Ticks) {
        if std::mem::take(&mut self.ecus[ecu].waits) && self.plan.ecus[ecu].polls_on_wake {
            self.ecus[ecu].poll(&self.plan.ecus[ecu], rules);
        }
        while self.ecus[ecu].idle > 0 {
            let Some(rank) = self.ecus[ecu].next_callback(&self.plan.ecus[ecu], rules) else {
                self.ecus[ecu].waits = true;
                return;
            };
            let task = self.plan.ecus[ecu].tasks[rank];
            let number = self.start(task, now);
            let job = &mut self.jobs[number as usize];
            job.finish = now + job.execution;
            self.due.push(Reverse((job.finish, Due::End { job: number })));
            let state = &mut self.ecus[ecu];
            state.idle -= 1;
            state.polled.remove(rank);
            state.blocked.insert_all(&self.plan.ecus[ecu].groups[self.plan.tasks[task].group]);
        }
    }

    /// A callback has ended: its thread is idle and its group free.
    pub(super) fn release_thread(&mut self, task: TaskId) {
        let plan = &self.plan.tasks[task];
        let state = &mut self.ecus[plan.ecu];
        state.idle += 1;
        state.blocked.remove_all(&self.plan.ecus[plan.ecu].groups[plan.group]);
    }
}

impl EcuState {
    /// The callback that runs next, by rank.
    pub fn next_callback(&mut self, plan: &EcuPlan, rules: Rules) -> Option<usize> {
        if rules == Rules::Events {
            return self.events.pop_front();
        }
        for is_polled_again in [false, true] {
            if rules == Rules::Dashing {
                let timer = self.available.first_of(&plan.timers, &self.blocked);
                if timer.is_some() {
                    return timer;
                }
            }
            let polled = self.polled.first_of(&self.available, &self.blocked);
            if polled.is_some() {
                return polled;
            }
            if !is_polled_again {
                self.poll(plan, rules);
            }
        }
        None
    }

    /// The ready set becomes what there is to do now.
    pub fn poll(&mut self, plan: &EcuPlan, rules: Rules) {
        let all = &self.available;
        match rules {
            Rules::Dashing => self.polled.become_of(all, &plan.others, &self.blocked),
            _ => self.polled.become_of(all, all, &self.blocked),
        }
    }
}
