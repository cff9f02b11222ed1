//! ROS 2 executors: which callback an idle thread runs next.
//!
//! Rules by release after Casini, Blass, Luetkebohle, Brandenburg (ECRTS 2019) and the sources of rclcpp: the
//! ready set is a snapshot with one bit for each callback; it is polled when nothing in it can run. A callback
//! whose group is busy can neither be polled nor run.

use std::cmp::Reverse;

use super::{Due, Schedule};
use crate::job::Times;
use crate::system::{EcuId, Rules, TaskId, Ticks};

impl<T: Times> Schedule<'_, T> {
    /// Gives idle threads of an executor something to do.
    pub(super) fn choose(&mut self, ecu: EcuId, rules: Rules, now: Ticks) {
        if std::mem::take(&mut self.ecus[ecu].waits) && self.plan.ecus[ecu].polls_on_wake {
            self.poll(ecu, rules);
        }
        while self.ecus[ecu].idle > 0 {
            let Some(rank) = self.next_callback(ecu, rules) else {
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

    /// The callback that runs next, by rank.
    fn next_callback(&mut self, ecu: EcuId, rules: Rules) -> Option<usize> {
        if rules == Rules::Events {
            return self.ecus[ecu].events.pop_front();
        }
        for is_polled_again in [false, true] {
            let state = &self.ecus[ecu];
            if rules == Rules::Dashing {
                let timers = &self.plan.ecus[ecu].timers;
                let timer = state.available.first_of(timers, &state.blocked);
                if timer.is_some() {
                    return timer;
                }
            }
            let polled = state.polled.first_of(&state.available, &state.blocked);
            if polled.is_some() {
                return polled;
            }
            if !is_polled_again {
                self.poll(ecu, rules);
            }
        }
        None
    }

    /// The ready set becomes what there is to do now.
    fn poll(&mut self, ecu: EcuId, rules: Rules) {
        let (state, plan) = (&mut self.ecus[ecu], &self.plan.ecus[ecu]);
        let all = &state.available;
        match rules {
            Rules::Dashing => state.polled.become_of(all, &plan.others, &state.blocked),
            _ => state.polled.become_of(all, all, &state.blocked),
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
