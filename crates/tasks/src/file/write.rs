//! A system as the file that describes it: what was imported can be read, changed and scheduled again.

use std::fmt::{self, Display, Write};

use crate::bus::{Carrier, FrameTime};
use crate::fraction::Fraction;
use crate::system::{Kind, Rules, Scheduler, System, Task};

/// A text in quotes. What JSON writes is a basic string of TOML, too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// A ratio as a number, or in quotes where no decimal number is equal to it.
fn ratio(fraction: Fraction) -> String {
    let text = fraction.to_string();
    if text.contains('/') { quoted(&text) } else { text }
}

/// The file that [`super::parse`] reads as this system.
pub fn write(system: &System) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let _ = whole(system, &mut out);
    out
}

fn whole(system: &System, out: &mut String) -> fmt::Result {
    writeln!(out, "time_unit = {}", quoted(system.unit.symbol()))?;
    writeln!(out, "sim_speed = {}", ratio(system.computer.speed))?;
    writeln!(out, "sim_cores = {}", system.computer.cores)?;
    writeln!(out, "max_hyper_period = {}", system.longest_hyper_period)?;
    for ecu in &system.ecus {
        writeln!(out, "\n[[ecu]]\nname = {}", quoted(&ecu.name))?;
        match &ecu.scheduler {
            Scheduler::FixedPriority => writeln!(out, "executor = \"fixed-priority\"")?,
            Scheduler::Executor(executor) => {
                if executor.threads > 1 {
                    writeln!(out, "executor = \"multi-threaded\"\nthreads = {}", executor.threads)?;
                } else {
                    writeln!(out, "executor = \"single-threaded\"")?;
                }
                writeln!(out, "rules = {}", quoted(executor.rules.name()))?;
                if !executor.polls_on_wake {
                    writeln!(out, "poll_on_wake = false")?;
                }
                if executor.rules == Rules::Jazzy {
                    writeln!(out, "order_seed = {}", executor.order_seed)?;
                }
                if !executor.reentrant.is_empty() {
                    let groups = executor.reentrant.iter().map(|group| quoted(group));
                    writeln!(out, "reentrant_groups = {}", list(groups))?;
                }
            }
        }
        writeln!(out, "overrun = {}", quoted(ecu.overrun.name()))?;
    }
    buses(system, out)?;
    for transaction in &system.transactions {
        writeln!(out, "\n[[transaction]]\nname = {}", quoted(&transaction.name))?;
        for id in &transaction.tasks {
            task(system, &system.tasks[*id], out)?;
        }
    }
    Ok(())
}

fn buses(system: &System, out: &mut String) -> fmt::Result {
    let names = |ecus: &[usize]| list(ecus.iter().map(|ecu| quoted(&system.ecus[*ecu].name)));
    for bus in &system.buses {
        writeln!(out, "\n[[bus]]\nname = {}", quoted(&bus.name))?;
        writeln!(out, "ecus = {}", names(&bus.ecus))?;
        let frame = match &bus.carrier {
            Carrier::Constant { latency } => {
                writeln!(out, "kind = \"constant\"\nlatency = {latency}")?;
                continue;
            }
            Carrier::Dds { latencies } => {
                writeln!(out, "kind = \"dds\"\nlatency = {}", list(latencies))?;
                continue;
            }
            Carrier::CanTdma { slot, owners, frame } => {
                writeln!(out, "kind = \"can-tdma\"\nslot = {slot}\nslots = {}", names(owners))?;
                frame
            }
            Carrier::CanPriority { frame } => {
                writeln!(out, "kind = \"can-priority\"")?;
                frame
            }
        };
        match frame {
            FrameTime::Constant(time) => writeln!(out, "frame_time = {time}")?,
            FrameTime::Bits { bit, .. } => {
                writeln!(out, "bit_rate = {}", 1_000_000_000_000 / bit)?;
            }
        }
    }
    Ok(())
}

fn task(system: &System, task: &Task, out: &mut String) -> fmt::Result {
    let names = |ids: &[usize]| list(ids.iter().map(|id| quoted(&system.tasks[*id].name)));
    writeln!(out, "\n[[transaction.task]]\nname = {}", quoted(&task.name))?;
    writeln!(out, "ecu = {}", quoted(&system.ecus[task.ecu].name))?;
    let usual = if task.clock.is_some() { Kind::Timer } else { Kind::Subscription };
    if task.kind != usual {
        writeln!(out, "kind = {}", quoted(task.kind.name()))?;
    }
    if let Some(clock) = task.clock {
        writeln!(out, "period = {}\noffset = {}", clock.period, clock.offset)?;
    }
    if !task.after.is_empty() {
        writeln!(out, "after = {}", names(&task.after))?;
    }
    if !task.samples.is_empty() {
        writeln!(out, "samples = {}", names(&task.samples))?;
    }
    let execution = &task.execution;
    match (execution.measured.is_empty(), execution.varies()) {
        (false, _) => writeln!(out, "execution = {{ measured = {} }}", list(&execution.measured))?,
        (true, false) => writeln!(out, "execution = {}", execution.worst)?,
        (true, true) => {
            let (best, worst) = (execution.best, execution.worst);
            writeln!(out, "execution = {{ best = {best}, worst = {worst} }}")?;
        }
    }
    writeln!(out, "order = {}", task.order)?;
    if task.group != task.name {
        writeln!(out, "group = {}", quoted(&task.group))?;
    }
    writeln!(out, "queue_depth = {}", task.queue_depth)?;
    for (key, is_so) in
        [("reads_physical", task.reads_physical), ("writes_physical", task.writes_physical)]
    {
        if is_so {
            writeln!(out, "{key} = true")?;
        }
    }
    if task.simulated.inverse() != system.computer.speed {
        writeln!(out, "sim_speed = {}", ratio(task.simulated.inverse()))?;
    }
    writeln!(out, "identifier = {}\nbytes = {}", task.frame.identifier, task.frame.bytes)
}
