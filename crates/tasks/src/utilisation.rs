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
    let mut rates = vec![None; system.tasks.len()];
    let mut loads: Vec<Load> = (0..system.ecus.len())
        .map(|ecu| {
            let threads = match &system.ecus[ecu].scheduler {
                Scheduler::FixedPriority => 1,
                Scheduler::Executor(executor) => executor.threads,
            };
            Load { ecu, needed: 0.0, threads }
        })
        .collect();
    for (id, task) in system.tasks.iter().enumerate() {
        loads[task.ecu].needed += rate(system, id, &mut rates) * task.execution.worst as f64;
    }
    loads
}

/// Jobs of a task per tick. Chains have no cycles: that was checked when the system was read.
fn rate(system: &System, task: TaskId, rates: &mut [Option<f64>]) -> f64 {
    if let Some(rate) = rates[task] {
        return rate;
    }
    let own = system.tasks[task].clock.map_or(0.0, |clock| 1.0 / clock.period as f64);
    let others: f64 = system.tasks[task].after.iter().map(|id| rate(system, *id, rates)).sum();
    rates[task] = Some(own + others);
    own + others
}
