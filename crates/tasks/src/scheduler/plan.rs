//! A system prepared for scheduling: ranks on ECUs, links between tasks, callback groups.

use ironbird_kernel::{RandomStream, Seed};

use super::ready::Ranks;
use crate::bus::Carrier;
use crate::system::{EcuId, Kind, Rules, Scheduler, System, TaskId};

/// What a scheduler looks up and never changes.
pub(crate) struct Plan {
    pub tasks: Vec<TaskPlan>,
    pub ecus: Vec<EcuPlan>,
    /// Links by sending task.
    pub links: Vec<Link>,
}

pub(crate) struct TaskPlan {
    pub ecu: EcuId,
    pub rank: usize,
    pub group: usize,
    /// Its links: from, to.
    pub links: (usize, usize),
    /// Whether it reads what others sample: then its jobs have more producers.
    pub samples: Vec<usize>,
}

pub(crate) struct EcuPlan {
    /// Tasks by rank.
    pub tasks: Vec<TaskId>,
    /// Which ranks are timers, and which are not.
    pub timers: Ranks,
    pub others: Ranks,
    /// Members of each callback group; none where it is reentrant.
    pub groups: Vec<Ranks>,
    pub threads: usize,
    pub rules: Option<Rules>,
    pub polls_on_wake: bool,
}

/// What the end of a job means to another task.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub to: TaskId,
    /// It releases a job, or it is read by jobs that something else releases.
    pub releases: bool,
    pub bus: Option<usize>,
}

impl Plan {
    pub fn new(system: &System) -> Self {
        let mut ecus: Vec<EcuPlan> = Vec::new();
        let mut places = vec![(0, 0); system.tasks.len()];
        for number in 0..system.ecus.len() {
            let plan = ecu_plan(system, number, &mut places);
            ecus.push(plan);
        }
        let mut links = Vec::new();
        let mut tasks: Vec<TaskPlan> = Vec::with_capacity(system.tasks.len());
        for (id, task) in system.tasks.iter().enumerate() {
            let first = links.len();
            for (to, reader) in system.tasks.iter().enumerate() {
                let bus = bus_between(system, task.ecu, reader.ecu);
                if reader.after.contains(&id) {
                    links.push(Link { to, releases: true, bus });
                }
                if reader.samples.contains(&id) {
                    // What is sampled within an ECU is a variable in its memory.
                    let bus = bus.filter(|_| task.ecu != reader.ecu);
                    links.push(Link { to, releases: false, bus });
                }
            }
            let (rank, group) = places[id];
            let links = (first, links.len());
            tasks.push(TaskPlan { ecu: task.ecu, rank, group, links, samples: Vec::new() });
        }
        for (number, link) in links.iter().enumerate().filter(|(_, link)| !link.releases) {
            tasks[link.to].samples.push(number);
        }
        Plan { tasks, ecus, links }
    }
}

fn ecu_plan(system: &System, number: EcuId, places: &mut [(usize, usize)]) -> EcuPlan {
    let ecu = &system.ecus[number];
    let mut tasks: Vec<TaskId> =
        (0..system.tasks.len()).filter(|id| system.tasks[*id].ecu == number).collect();
    let executor = match &ecu.scheduler {
        Scheduler::FixedPriority => None,
        Scheduler::Executor(executor) => Some(executor),
    };
    tasks.sort_by_key(|id| {
        let task = &system.tasks[*id];
        match executor {
            None => (Kind::Timer, task.order, *id),
            Some(executor) if executor.rules == Rules::Jazzy => {
                let seed = Seed { seed: executor.order_seed, repetition: 0 };
                (task.kind, RandomStream::new(seed, &task.name, "order").bits(), *id)
            }
            Some(_) => (task.kind, task.order, *id),
        }
    });
    let (mut timers, mut others) = (Ranks::new(tasks.len()), Ranks::new(tasks.len()));
    let mut names: Vec<&str> = Vec::new();
    let mut groups: Vec<Ranks> = Vec::new();
    for (rank, id) in tasks.iter().enumerate() {
        let task = &system.tasks[*id];
        if task.kind == Kind::Timer {
            timers.insert(rank)
        } else {
            others.insert(rank)
        }
        let group = names.iter().position(|name| *name == task.group).unwrap_or_else(|| {
            names.push(&task.group);
            groups.push(Ranks::new(tasks.len()));
            names.len() - 1
        });
        let reentrant = executor.is_some_and(|e| e.reentrant.contains(&task.group));
        if !reentrant {
            groups[group].insert(rank);
        }
        places[*id] = (rank, group);
    }
    EcuPlan {
        tasks,
        timers,
        others,
        groups,
        threads: executor.map_or(1, |executor| executor.threads),
        rules: executor.map(|executor| executor.rules),
        polls_on_wake: executor.is_some_and(|executor| executor.polls_on_wake),
    }
}

/// The bus that carries messages from one ECU to another: within an ECU only DDS takes time.
fn bus_between(system: &System, from: EcuId, to: EcuId) -> Option<usize> {
    system.buses.iter().position(|bus| {
        let has_both = bus.ecus.contains(&from) && bus.ecus.contains(&to);
        has_both && (from != to || matches!(bus.carrier, Carrier::Dds { .. }))
    })
}
