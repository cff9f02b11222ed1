//! The offline guider: which job of the simulation must wait for which, which are held to the times of the
//! real system, and by when each must be done.
//!
//! Jobs are nodes; an edge goes from a job to those that need its result: the one that its message released,
//! those that read it, and the next job of its own task, whose function keeps its state. Marks: R, the job
//! reads from the physical system and must not start before it really did (equation 1); W, it writes and must
//! be done when it really was (equation 2). Effective deadlines carry W back along the edges (equations 5, 6).
//!
//! Where the timetable repeats, so does the guider: a predecessor is written as a distance in job numbers, and
//! the job that stands at node `n` in turn `k` of the cycle has the number `n + k * jobs of the cycle`.

use crate::fraction::{greatest_common_divisor, least_common_multiple};
use crate::system::{Execution, System, Task, TaskId, Ticks};
use crate::timetable::Timetable;

/// No deadline.
pub const NEVER: Ticks = Ticks::MAX;

/// What the simulation computer has to do, and in which order it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guider {
    /// One for each job of the timetable.
    pub nodes: Vec<Node>,
    /// Distances back to predecessors, node by node.
    pub(crate) before: Vec<u32>,
    /// Distances on to successors, node by node.
    pub(crate) after: Vec<u32>,
    /// Node from which on the guider repeats, and by how much time; where it does not, there is no such node.
    pub cycle: Option<(usize, Ticks)>,
    /// Times here are counted in this part of a tick, so that simulated times are whole numbers.
    pub scale: u64,
}

/// A job of the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its task.
    pub task: TaskId,
    /// It must not start before its real start.
    pub reads: bool,
    /// It must be done by its real finish.
    pub writes: bool,
    /// Its task is released by a clock.
    pub is_timer: bool,
    /// When it starts on its ECU.
    pub start: Ticks,
    /// When it ends there.
    pub finish: Ticks,
    /// By when the simulation must have done it.
    pub deadline: Ticks,
    /// How long it takes on the simulation computer.
    pub cost: Ticks,
    /// Where its distances begin in `before` and in `after`.
    pub(crate) before: u32,
    pub(crate) after: u32,
    /// The first job of its task: its last distance leads to the turn before, if there is one.
    pub(crate) is_first: bool,
}

/// Speeds that do not go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "times on the simulation computer cannot be counted exactly: the speeds of the tasks have no common \
denominator that fits (use simpler ratios, such as 3.3)"
)]
pub struct NoCommonScale;

impl Guider {
    /// The guider of a timetable.
    pub fn new(system: &System, timetable: &Timetable) -> Result<Self, NoCommonScale> {
        let latest = timetable.jobs.iter().map(|job| job.finish).max().unwrap_or(0);
        let scale = common_scale(system, latest.max(timetable.horizon))?;
        let cycle = timetable.cycle.map(|cycle| (cycle.first, cycle.length * scale));
        let mut guider =
            Guider { nodes: Vec::new(), before: Vec::new(), after: Vec::new(), cycle, scale };
        guider.nodes.reserve(timetable.jobs.len() + 1);
        guider.before.reserve(2 * timetable.jobs.len());
        let mut last = vec![u32::MAX; system.tasks.len()];
        let mut sampled = timetable.sampled.iter().peekable();
        let begins = cycle.map_or(usize::MAX, |(first, _)| first);
        let mut in_cycle = vec![false; system.tasks.len()];
        timetable.jobs.iter().skip(begins).for_each(|job| in_cycle[job.task] = true);
        let runs_again = |producer: u32| in_cycle[timetable.jobs[producer as usize].task];
        for (number, job) in timetable.jobs.iter().enumerate() {
            let task = &system.tasks[job.task];
            let first = guider.before.len();
            guider.nodes.push(Node {
                task: job.task,
                reads: task.reads_physical,
                writes: task.writes_physical,
                is_timer: task.clock.is_some(),
                start: job.start * scale,
                finish: job.finish * scale,
                deadline: if task.writes_physical { job.finish * scale } else { NEVER },
                cost: task.simulated.of(job.execution * scale),
                before: first as u32,
                after: 0,
                is_first: last[job.task] == u32::MAX,
            });
            let mut add = |predecessor: u32| {
                let distance = number as u32 - predecessor;
                if !guider.before[first..].contains(&distance) {
                    guider.before.push(distance);
                }
            };
            job.trigger.into_iter().for_each(&mut add);
            if last[job.task] != u32::MAX {
                add(last[job.task]);
            }
            last[job.task] = number as u32;
            while let Some((_, producer)) =
                sampled.next_if(|(reader, _)| *reader as usize == number)
            {
                // What does not run in the cycle went before the reader's job of the turn before.
                if runs_again(*producer) || number < begins {
                    add(*producer);
                }
            }
            if guider.nodes[number].is_first && begins == 0 {
                guider.before.push(0);
            }
        }
        guider.close_cycle(&last);
        guider.list_successors();
        guider.set_deadlines();
        Ok(guider)
    }

    /// Number of jobs in one turn of the cycle.
    pub(crate) fn turn(&self) -> usize {
        self.nodes.len() - self.cycle.map_or(0, |(first, _)| first)
    }

    /// Distances back to the predecessors of a node.
    pub(crate) fn before(&self, node: usize) -> &[u32] {
        let end = self.nodes.get(node + 1).map_or(self.before.len(), |next| next.before as usize);
        &self.before[self.nodes[node].before as usize..end]
    }

    /// Distances on to the successors of a node.
    pub(crate) fn after(&self, node: usize) -> &[u32] {
        let end = self.nodes.get(node + 1).map_or(self.after.len(), |next| next.after as usize);
        &self.after[self.nodes[node].after as usize..end]
    }

    /// Edges between jobs of the timetable: from, to.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |node: usize| {
            self.before_in(node, 0).iter().map(move |back| (node - *back as usize, node))
        };
        (0..self.nodes.len()).flat_map(of)
    }

    /// The node at which the job of this number stands.
    #[inline]
    pub(crate) fn node_of(&self, number: usize) -> usize {
        if number < self.nodes.len() {
            return number;
        }
        match self.cycle {
            Some((first, _)) => first + (number - first) % self.turn(),
            None => number,
        }
    }

    /// The first job of a task comes after the last one of the turn before. Where the schedule has a beginning
    /// of its own, that has the first jobs.
    fn close_cycle(&mut self, last: &[u32]) {
        if !self.is_cycle_from_the_start() {
            return;
        }
        for node in 0..self.nodes.len() {
            if self.nodes[node].is_first {
                let end = self.nodes[node].before as usize + self.before(node).len() - 1;
                self.before[end] = (node + self.turn()) as u32 - last[self.nodes[node].task];
            }
        }
    }

    fn is_cycle_from_the_start(&self) -> bool {
        self.cycle.is_some_and(|(first, _)| first == 0)
    }

    /// Distances back to the predecessors of a node in turn `turn` of the cycle.
    #[inline]
    pub(crate) fn before_in(&self, node: usize, turn: u64) -> &[u32] {
        let all = self.before(node);
        let closes = turn == 0 && self.nodes[node].is_first && self.is_cycle_from_the_start();
        &all[..all.len() - usize::from(closes)]
    }

    /// Turns distances around: node `n` goes before node `n + d`, or the one that takes its place in a later
    /// turn.
    fn list_successors(&mut self) {
        let count = self.nodes.len();
        let (first, turn) = (self.cycle.map_or(count, |(first, _)| first), self.turn());
        // Each node of the cycle has the predecessors of its first turn, as far back in every turn. Where that is
        // before the cycle, it leads to another job in each of the next turns.
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(self.before.len() * 2);
        for node in 0..count {
            let at_once = self.before_in(node, 0);
            pairs.extend(at_once.iter().map(|back| (node as u32 - back, *back)));
            if node < first {
                continue;
            }
            for (at, back) in self.before(node).iter().enumerate() {
                let reach = *back as usize;
                if at < at_once.len() && node - reach >= first {
                    continue;
                }
                // In later turns: one job before the cycle after the other, until the cycle is reached.
                let mut number = node + turn;
                while number < reach {
                    number += turn;
                }
                pairs.push(((number - reach) as u32, *back));
                while number - reach < first {
                    number += turn;
                    pairs.push(((number - reach) as u32, *back));
                }
            }
        }
        let mut places = vec![0u32; count + 1];
        for (from, _) in &pairs {
            places[*from as usize + 1] += 1;
        }
        for node in 0..count {
            places[node + 1] += places[node];
            self.nodes[node].after = places[node];
        }
        self.after = vec![0; pairs.len()];
        for (from, distance) in pairs {
            let place = &mut places[from as usize];
            self.after[*place as usize] = distance;
            *place += 1;
        }
    }

    /// Equation 6: a job must be done when the first of its successors must. Backwards, and again where a
    /// successor stands in the next turn of the cycle.
    fn set_deadlines(&mut self) {
        let count = self.nodes.len();
        let (first, length) = self.cycle.unwrap_or((count, 0));
        let turn = self.turn();
        loop {
            let mut changed = false;
            for node in (0..count).rev() {
                let mut deadline = self.nodes[node].deadline;
                for on in self.after(node) {
                    let number = node + *on as usize;
                    let later = if number < count { 0 } else { ((number - first) / turn) as u64 };
                    let successor = self.nodes[self.node_of(number)].deadline;
                    if successor != NEVER {
                        deadline = deadline.min(successor + later * length);
                    }
                }
                if deadline != self.nodes[node].deadline {
                    self.nodes[node].deadline = deadline;
                    changed = true;
                }
            }
            if !changed || self.cycle.is_none() {
                return;
            }
        }
    }
}

/// The least part of a tick in which all simulated times are whole, for times up to some thousand turns after
/// `latest`. Where no number holds that, those of tasks whose jobs always take the same are whole in it (as they are
/// in a tick, where `sim_execution` says what they take), and others are rounded up.
pub(crate) fn common_scale(system: &System, latest: Ticks) -> Result<u64, NoCommonScale> {
    let most = system.tasks.iter().map(|task| task.simulated.of(1)).max().unwrap_or(1);
    let fits = |parts: &dyn Fn(&Task) -> u64| {
        let mut all = system.tasks.iter().map(parts);
        let scale = all.try_fold(1, least_common_multiple)?;
        latest.checked_mul(scale)?.checked_mul(most.max(1 << 16))?;
        Some(scale)
    };
    let of_constant = |task: &Task| {
        let (denominator, Execution { best, worst, .. }) =
            (task.simulated.denominator(), &task.execution);
        if best < worst { 1 } else { denominator / greatest_common_divisor(denominator, *worst) }
    };
    fits(&|task| task.simulated.denominator()).or_else(|| fits(&of_constant)).ok_or(NoCommonScale)
}
