//! What becomes of the result of a job: who gets it, and when.

use std::cmp::Reverse;

use super::{Due, NONE, Pending, Schedule};
use crate::bus::{Carrier, Waiting, tdma_arrival};
use crate::job::Times;
use crate::system::Ticks;

impl<T: Times> Schedule<'_, T> {
    /// Sends the result of a job to all that are linked to its task.
    pub(super) fn send(&mut self, number: u32, now: Ticks) {
        let job = self.jobs[number as usize];
        let (from, to) = self.plan.tasks[job.task].links;
        for at in from..to {
            let Some(bus) = self.plan.links[at].bus else {
                self.deliver(at, number, now);
                continue;
            };
            let due = Due::Message { link: at as u32, job: number };
            match &self.system.buses[bus].carrier {
                Carrier::Constant { latency } => self.due.push(Reverse((now + latency, due))),
                Carrier::Dds { latencies } => {
                    let latency = self.times.latency(at, job.instance, latencies);
                    self.due.push(Reverse((now + latency, due)));
                }
                // One frame reaches all that are on the bus.
                _ if (from..at).any(|other| self.plan.links[other].bus == Some(bus)) => {}
                Carrier::CanTdma { slot, owners, frame } => {
                    let task = &self.system.tasks[job.task];
                    let duration = frame.of(task.frame);
                    let free = &mut self.buses[bus].free[task.ecu];
                    *free = tdma_arrival(now, *free, task.ecu, (*slot, owners), duration);
                    let due = Due::Frame { job: number, bus: bus as u32 };
                    self.due.push(Reverse((*free, due)));
                }
                Carrier::CanPriority { frame } => {
                    let task = &self.system.tasks[job.task];
                    self.frames += 1;
                    self.buses[bus].waiting.insert(Waiting {
                        identifier: task.frame.identifier,
                        since: now,
                        number: self.frames,
                        job: number,
                        duration: frame.of(task.frame),
                    });
                    // Once all that ends now has ended: arbitration is between all of it.
                    let free = self.buses[bus].free[0].max(now);
                    self.due.push(Reverse((free, Due::BusFree { bus: bus as u32 })));
                }
            }
        }
    }

    /// The waiting frame of the lowest identifier goes on the bus, if it is free.
    pub(super) fn arbitrate(&mut self, bus: usize, now: Ticks) {
        let state = &mut self.buses[bus];
        if state.free[0] > now {
            return;
        }
        let Some(frame) = state.waiting.pop_first() else { return };
        let arrival = now.saturating_add(frame.duration);
        state.free[0] = arrival;
        let waits = !state.waiting.is_empty();
        self.due.push(Reverse((arrival, Due::Frame { job: frame.job, bus: bus as u32 })));
        if waits {
            self.due.push(Reverse((arrival, Due::BusFree { bus: bus as u32 })));
        }
    }

    /// The result of a job arrives.
    pub(super) fn deliver(&mut self, link: usize, job: u32, now: Ticks) {
        let to = self.plan.links[link];
        if to.releases {
            self.arrive(to.to, Pending { release: now, trigger: job });
            return;
        }
        // A message that was overtaken brings nothing new.
        let newer = |old: u32| self.jobs[old as usize].instance < self.jobs[job as usize].instance;
        if self.latest[link] == NONE || newer(self.latest[link]) {
            self.latest[link] = job;
        }
    }
}
