//! How long jobs and messages take: always the same, or drawn.

use ironbird_kernel::{RandomStream, Seed};

use crate::bus::drawn;
use crate::job::Times;
use crate::system::{System, TaskId, Ticks};

/// Every job takes its best time, or every job its worst; messages take the least, or the greatest latency.
pub struct Extreme {
    executions: Vec<Ticks>,
    best: bool,
}

impl Extreme {
    /// All at their worst.
    pub fn worst(system: &System) -> Self {
        let executions = system.tasks.iter().map(|task| task.execution.worst).collect();
        Extreme { executions, best: false }
    }

    /// All at their best.
    pub fn best(system: &System) -> Self {
        let executions = system.tasks.iter().map(|task| task.execution.best).collect();
        Extreme { executions, best: true }
    }
}

impl Times for Extreme {
    fn execution(&mut self, task: TaskId, _: u64) -> Ticks {
        self.executions[task]
    }

    fn latency(&mut self, _: usize, _: u64, latencies: &[Ticks]) -> Ticks {
        let end = if self.best { latencies.first() } else { latencies.last() };
        end.copied().unwrap_or(0)
    }
}

/// Drawn for each job from what was measured, or evenly between best and worst; for each message from its
/// latencies. A job's time depends on the seed, its task's name and its number alone.
pub struct Drawn<'a> {
    system: &'a System,
    tasks: Vec<RandomStream>,
    links: Vec<RandomStream>,
    seed: Seed,
}

impl<'a> Drawn<'a> {
    /// Times from a seed.
    pub fn new(system: &'a System, seed: Seed) -> Self {
        let stream = |name: &str| RandomStream::new(seed, name, "execution");
        let tasks = system.tasks.iter().map(|task| stream(&task.name)).collect();
        Drawn { system, tasks, links: Vec::new(), seed }
    }
}

impl Times for Drawn<'_> {
    fn execution(&mut self, task: TaskId, instance: u64) -> Ticks {
        let execution = &self.system.tasks[task].execution;
        let stream = &mut self.tasks[task];
        stream.seek(instance);
        match execution.measured.len() {
            0 => execution.best + stream.below(execution.worst - execution.best + 1),
            count => execution.measured[stream.below(count as u64) as usize],
        }
    }

    fn latency(&mut self, link: usize, number: u64, latencies: &[Ticks]) -> Ticks {
        while self.links.len() <= link {
            let name = self.links.len().to_string();
            self.links.push(RandomStream::new(self.seed, &name, "latency"));
        }
        drawn(latencies, &mut self.links[link], number)
    }
}
