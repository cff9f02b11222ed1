//! The guider and the simulation computer once more: edges from the definition, deadlines by repetition,
//! policies tick by tick.

use ironbird_tasks::{NEVER, Policy, Reading, System, Ticks, Timetable};

/// A job of the simulation. Times are in parts of a tick.
pub struct Node {
    pub start: Ticks,
    pub finish: Ticks,
    pub deadline: Ticks,
    pub cost: Ticks,
    pub reads: bool,
    pub writes: bool,
    pub is_timer: bool,
    pub before: Vec<usize>,
}

/// The nodes of a timetable, with times in parts of `1 / scale` of a tick.
pub fn nodes(system: &System, timetable: &Timetable, scale: u64) -> Vec<Node> {
    let jobs = &timetable.jobs;
    let mut nodes: Vec<Node> = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        let task = &system.tasks[job.task];
        let same_task = (0..number).rev().find(|other| jobs[*other].task == job.task);
        let sampled = timetable.sampled.iter().filter(|(reader, _)| *reader as usize == number);
        let trigger = job.trigger.map(|trigger| trigger as usize);
        let before = trigger.into_iter().chain(same_task);
        let ratio = task.simulated;
        nodes.push(Node {
            start: job.start * scale,
            finish: job.finish * scale,
            deadline: if task.writes_physical { job.finish * scale } else { NEVER },
            cost: job.execution * scale * ratio.numerator() / ratio.denominator(),
            reads: task.reads_physical,
            writes: task.writes_physical,
            is_timer: task.clock.is_some(),
            before: before.chain(sampled.map(|(_, producer)| *producer as usize)).collect(),
        });
    }
    // Equation 6, until nothing changes.
    loop {
        let mut changed = false;
        for number in 0..nodes.len() {
            for before in nodes[number].before.clone() {
                let deadline = nodes[before].deadline.min(nodes[number].deadline);
                changed |= deadline != nodes[before].deadline;
                nodes[before].deadline = deadline;
            }
        }
        if !changed {
            return nodes;
        }
    }
}

/// Start and finish of every node on a computer of so many cores.
pub fn simulate(nodes: &[Node], policy: Policy, cores: usize) -> Vec<(Ticks, Ticks)> {
    let is_held = |node: &Node| match policy {
        Policy::Ours | Policy::TrueTime(Reading::Published) => node.reads,
        Policy::AllSync => true,
        Policy::TrueTime(Reading::Interaction) => node.reads || node.writes,
        Policy::TrueTime(Reading::Timers) => node.reads || node.is_timer,
    };
    let mut left: Vec<Ticks> = nodes.iter().map(|node| node.cost).collect();
    let mut result = vec![(NEVER, NEVER); nodes.len()];
    let mut running: Vec<usize> = Vec::new();
    let mut now = 0;
    while result.iter().any(|(_, finish)| *finish == NEVER) {
        let mut can_run: Vec<usize> = (0..nodes.len())
            .filter(|number| {
                let node = &nodes[*number];
                left[*number] > 0
                    && node.before.iter().all(|before| left[*before] == 0)
                    && (now >= node.start || !is_held(node))
            })
            .collect();
        match policy {
            Policy::Ours => {
                can_run.sort_by_key(|at| (nodes[*at].deadline, nodes[*at].start, *at));
                running = can_run;
            }
            _ => {
                can_run.retain(|number| !running.contains(number));
                can_run.sort_by_key(|at| (nodes[*at].start, *at));
                running.extend(can_run);
            }
        }
        running.truncate(cores);
        now += 1;
        for number in &running {
            result[*number].0 = result[*number].0.min(now - 1);
            left[*number] -= 1;
            if left[*number] == 0 {
                result[*number].1 = now;
            }
        }
        running.retain(|number| left[*number] > 0);
    }
    result
}
