//! Everything that decides how a schedule goes on, relative to an instant: where two such states are equal,
//! the schedule repeats.

use std::cmp::Reverse;

use super::{Due, NONE, Schedule};
use crate::bus::Carrier;
use crate::job::Times;
use crate::system::Ticks;

impl<T: Times> Schedule<'_, T> {
    /// The state just before `now`, with times counted from then and jobs counted back.
    pub(crate) fn state(&self, now: Ticks) -> Vec<u64> {
        let mut state = Vec::new();
        let job = |number: u32| match number {
            NONE => [u64::MAX, 0],
            number => {
                let job = &self.jobs[number as usize];
                [job.task as u64, self.tasks[job.task].count - job.instance]
            }
        };
        let mut due: Vec<[u64; 5]> = Vec::with_capacity(self.due.len());
        for Reverse((time, what)) in &self.due {
            let (kind, number, [task, back]) = match *what {
                Due::End { job: number } => (0, 0, job(number)),
                Due::BusFree { bus } => (1, bus, [0, 0]),
                Due::Frame { job: number, bus } => (2, bus, job(number)),
                Due::Message { link, job: number } => (3, link, job(number)),
                Due::Clock { task } => (4, task, [0, 0]),
            };
            due.push([time - now, kind, u64::from(number), task, back]);
        }
        due.sort_unstable();
        state.extend(due.into_iter().flatten());
        for task in &self.tasks {
            state.push(task.pending.len() as u64);
            for pending in &task.pending {
                state.push(now - pending.release);
                state.extend(job(pending.trigger));
            }
            if let Some((number, left)) = task.interrupted {
                state.extend(job(number));
                state.push(left);
            }
        }
        for ecu in &self.ecus {
            for ranks in [&ecu.available, &ecu.polled, &ecu.blocked] {
                state.extend(ranks.words());
            }
            state.extend(ecu.events.iter().map(|rank| *rank as u64));
            state.extend([ecu.idle as u64, u64::from(ecu.waits)]);
            if let Some((number, until)) = ecu.running {
                state.extend(job(number));
                state.push(until - now);
            }
        }
        for (bus, described) in self.buses.iter().zip(&self.system.buses) {
            state.extend(bus.free.iter().map(|free| free.saturating_sub(now)));
            for waiting in &bus.waiting {
                state.push(waiting.identifier);
                state.extend(job(waiting.job));
            }
            if let Carrier::CanTdma { slot, owners, .. } = &described.carrier {
                state.push(now % (slot * owners.len() as u64));
            }
        }
        state.extend(self.latest.iter().flat_map(|number| job(*number)));
        state
    }
}
