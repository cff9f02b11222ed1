//! A measured ROS 2 system as a [`System`]: what CARET's architecture file and a trace say, ready to be
//! scheduled.
//!
//! | measured | becomes |
//! |---|---|
//! | executor with its threads | ECU |
//! | callback group | group, reentrant or not |
//! | timer with the grid of its releases | clock with period and offset; the first release of all is time 0 |
//! | execution times | measured times, from which jobs are drawn |
//! | publication to subscription | `after` |
//! | latest message that is used | `samples` |
//! | transport of all messages | latencies of one DDS bus |
//! | first and last callback of a named path | reads from and writes to the physical system |
//!
//! A task sends when it ends. A callback that publishes some time before its end makes the message so much
//! later; that time is taken off the latency.

use ironbird_traces::Distribution;
use ironbird_traces::caret::{ExecutorKind, Trigger};
use ironbird_traces::measured::{Measured, MeasuredCallback, MeasuredExecutor};

use crate::bus::{Bus, Carrier};
use crate::file::LONGEST_HYPER_PERIOD;
use crate::fraction::Fraction;
use crate::system::{
    Clock, Computer, Ecu, Execution, Executor, Frame, Kind, Overrun, Rules, Scheduler, System,
    Task, TaskId, Ticks, TimeUnit, Transaction,
};

/// Depth of a queue that the trace does not tell: that of `rclcpp::QoS(10)`, which examples have.
const USUAL_QUEUE: u64 = 10;

/// An imported system, and what became of what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// The system, in nanoseconds.
    pub system: System,
    /// The task of each callback of [`Measured::callbacks`], unless it was left out.
    pub tasks: Vec<Option<TaskId>>,
    /// The tasks of each path of [`Measured::paths`]; empty where one of its callbacks was left out.
    pub chains: Vec<Vec<TaskId>>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// Why a measured system cannot be scheduled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// There is nothing that starts anything.
    #[error("no timer of the architecture ran in the trace: nothing would ever run")]
    NoTimer,
}

/// Makes a system of what was measured. The trace does not tell the rules of its executors: they are those
/// of the ROS 2 release that was traced.
pub fn import(measured: &Measured, rules: Rules) -> Result<Imported, ImportError> {
    let mut notes = Vec::new();
    let order = transactions(measured, &mut notes);
    if order.is_empty() {
        return Err(ImportError::NoTimer);
    }
    let mut tasks = vec![None; measured.callbacks.len()];
    for (task, callback) in order.iter().flatten().enumerate() {
        tasks[*callback] = Some(task);
    }
    let known = |callbacks: &mut dyn Iterator<Item = usize>| -> Vec<TaskId> {
        callbacks.filter_map(|callback| tasks[callback]).collect()
    };
    let releases = measured.callbacks.iter().filter_map(|callback| callback.releases.as_ref());
    let start = releases.map(|releases| releases.first_ns).min().unwrap_or(0);
    let mut system = System {
        unit: TimeUnit::Nanosecond,
        ecus: ecus(measured, &tasks, rules),
        tasks: Vec::new(),
        transactions: Vec::new(),
        buses: buses(measured),
        computer: Computer { cores: 1, speed: Fraction::ONE },
        longest_hyper_period: LONGEST_HYPER_PERIOD / TimeUnit::Nanosecond.picoseconds(),
    };
    for (transaction, members) in order.iter().enumerate() {
        let first = system.tasks.len();
        for (position, number) in members.iter().enumerate() {
            let callback = &measured.callbacks[*number];
            let sent = measured.communications.iter().filter(|sent| sent.to == *number);
            let passed = measured.passings.iter().filter(|passing| passing.to == *number);
            let mut after = known(&mut sent.map(|sent| sent.from));
            after.sort_unstable();
            after.dedup();
            let mut samples = known(&mut passed.map(|passing| passing.from));
            samples.sort_unstable();
            samples.dedup();
            system.tasks.push(Task {
                name: callback.name.clone(),
                transaction,
                position,
                ecu: callback.executor.unwrap_or(0),
                kind: kind(callback),
                clock: clock(callback, start),
                after,
                samples,
                execution: execution(&callback.execution_times),
                order: callback.observed as u64,
                group: callback.group.clone(),
                queue_depth: callback.queue_depth.unwrap_or(USUAL_QUEUE).max(1) as usize,
                reads_physical: false,
                writes_physical: false,
                simulated: Fraction::ONE,
                frame: Frame { identifier: system.tasks.len() as u64, bytes: 8 },
            });
        }
        let name = system.tasks[first].name.clone();
        system
            .transactions
            .push(Transaction { name, tasks: (first..system.tasks.len()).collect() });
    }
    let mut chains = Vec::new();
    for path in &measured.paths {
        let chain = known(&mut path.callbacks.iter().copied());
        let chain = if chain.len() == path.callbacks.len() { chain } else { Vec::new() };
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            system.tasks[*first].reads_physical = true;
            system.tasks[*last].writes_physical = true;
        }
        chains.push(chain);
    }
    Ok(Imported { system, tasks, chains, notes })
}

/// Callbacks that run, by the timer that starts them: each once, after those that send to it.
fn transactions(measured: &Measured, notes: &mut Vec<String>) -> Vec<Vec<usize>> {
    let callbacks = &measured.callbacks;
    let reason = |callback: &MeasuredCallback| {
        if callback.execution_times.is_empty() {
            Some("it never ran to its end")
        } else if callback.executor.is_none() {
            Some("it is in no executor")
        } else {
            None
        }
    };
    let mut left: Vec<bool> = callbacks.iter().map(|callback| reason(callback).is_none()).collect();
    let mut found = Vec::new();
    for (number, callback) in callbacks.iter().enumerate() {
        if callback.releases.is_none() || !left[number] {
            continue;
        }
        let (mut members, mut waiting) = (Vec::new(), vec![number]);
        while let Some(next) = waiting.pop() {
            if std::mem::replace(&mut left[next], false) {
                members.push(next);
                let sent = measured.communications.iter().filter(|sent| sent.from == next);
                waiting.extend(sent.map(|sent| sent.to).rev());
            }
        }
        found.push(members);
    }
    let taken: Vec<usize> = found.iter().flatten().copied().collect();
    for (number, callback) in callbacks.iter().enumerate() {
        if !taken.contains(&number) {
            let reason = reason(callback).unwrap_or("nothing in the trace starts it");
            notes.push(format!("{} is left out: {reason}", callback.name));
        }
    }
    found
}

fn ecus(measured: &Measured, tasks: &[Option<TaskId>], rules: Rules) -> Vec<Ecu> {
    let ecu = |(number, executor): (usize, &MeasuredExecutor)| {
        let taken = measured.callbacks.iter().zip(tasks).filter(|(_, task)| task.is_some());
        let own = taken.map(|(callback, _)| callback).filter(|own| own.executor == Some(number));
        let reentrant = own.filter(|callback| callback.is_reentrant);
        let mut reentrant: Vec<String> = reentrant.map(|callback| callback.group.clone()).collect();
        reentrant.sort_unstable();
        reentrant.dedup();
        let threads = match executor.kind {
            ExecutorKind::SingleThreaded | ExecutorKind::StaticSingleThreaded => 1,
            ExecutorKind::MultiThreaded => executor.threads.max(1),
        };
        let polls_on_wake = true;
        let executor_rules = Executor { rules, threads, polls_on_wake, reentrant, order_seed: 0 };
        Ecu {
            name: executor.name.clone(),
            scheduler: Scheduler::Executor(executor_rules),
            overrun: Overrun::Skip,
        }
    };
    measured.executors.iter().enumerate().map(ecu).collect()
}

/// One bus for all messages, also for those within an executor.
fn buses(measured: &Measured) -> Vec<Bus> {
    let mut latencies: Vec<Ticks> = Vec::new();
    for sent in &measured.communications {
        let from = &measured.callbacks[sent.from];
        let ends = (from.execution_times.median(), from.publish_delays.median());
        let tail = match ends {
            (Some(execution), Some(delay)) => execution.saturating_sub(delay).max(0),
            _ => 0,
        };
        let samples = sent.transport.samples().iter();
        latencies.extend(samples.map(|sample| sample.saturating_sub(tail).max(0).unsigned_abs()));
    }
    if latencies.is_empty() {
        return Vec::new();
    }
    latencies.sort_unstable();
    let ecus = (0..measured.executors.len()).collect();
    vec![Bus { name: "dds".into(), ecus, carrier: Carrier::Dds { latencies } }]
}

fn kind(callback: &MeasuredCallback) -> Kind {
    match callback.trigger {
        Trigger::Timer { .. } => Kind::Timer,
        Trigger::Subscription { .. } => Kind::Subscription,
        Trigger::Service { .. } => Kind::Service,
    }
}

fn clock(callback: &MeasuredCallback, start: i64) -> Option<Clock> {
    let releases = callback.releases.as_ref()?;
    let offset = releases.first_ns.saturating_sub(start).max(0).unsigned_abs();
    Some(Clock { period: releases.period_ns.unsigned_abs(), offset })
}

fn execution(times: &Distribution) -> Execution {
    // A job takes some time, be it less than the tracer's clock can tell.
    let measured = times.samples().iter().map(|time| (*time).max(1).unsigned_abs());
    let measured: Vec<Ticks> = measured.collect();
    let best = measured.first().copied().unwrap_or(1);
    Execution { best, worst: measured.last().copied().unwrap_or(best), measured }
}
