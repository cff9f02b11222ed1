//! How much of an ECU its tasks need in the long run.

use crate::system::{EcuId, Scheduler, System, TaskId};

/// What the tasks of an ECU need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// The ECU.
    pub ecu: EcuId,
    /// Time needed per time, of one thread.
    pub needed: f64,
    /// Threads there are.
    pub threads: usize,
}

impl Load {
    /// Part of the ECU that is needed.
    pub fn as_f64(&self) -> f64 {
        self.needed / self.threads as f64
    }

    /// More than there is; sums of decimal fractions may miss 1 by a rounding.
    pub fn is_above_one(&self) -> bool {
        self.as_f64() > 1.0 + 1e-12
    }
}

/// The load of every ECU with all jobs at their worst.
pub fn utilisation(system: &System) -> Vec<Load> {
    let mut loads: Vec<Load> = (0..system.ecus.len())
        .map(|ecu| {
            let threads = match &system.ecus[ecu].scheduler {
                Scheduler::FixedPriority => 1,
                Scheduler::Executor(executor) => executor.threads,
            };
            Load { ecu, needed: 0.0, threads }
        })
        .collect();
    for (task, rate) in system.tasks.iter().zip(rates(system)) {
        loads[task.ecu].needed += rate * task.execution.worst as f64;
    }
    loads
}

/// Jobs of each task per tick: of its clock, and of all that release it. Chains have no circles: that was
/// checked when the system was read.
fn rates(system: &System) -> Vec<f64> {
    let mut rates: Vec<Option<f64>> = vec![None; system.tasks.len()];
    // Not by recursion: a chain may be longer than the stack.
    let mut waiting: Vec<TaskId> = (0..system.tasks.len()).collect();
    while let Some(task) = waiting.last().copied() {
        let described = &system.tasks[task];
        let unknown = described.after.iter().filter(|before| rates[**before].is_none());
        let unknown: Vec<TaskId> = unknown.copied().collect();
        if rates[task].is_none() && !unknown.is_empty() {
            waiting.extend(unknown);
            continue;
        }
        waiting.pop();
        let own = described.clock.map_or(0.0, |clock| 1.0 / clock.period as f64);
        let others: f64 = described.after.iter().filter_map(|before| rates[*before]).sum();
        rates[task] = Some(own + others);
    }
    rates.into_iter().map(Option::unwrap_or_default).collect()
}
