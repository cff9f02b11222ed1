//! The online phase: the simulation computer runs the jobs of the guider.
//!
//! A job may run once its predecessors are done, and not before its real start where the policy holds it to
//! that. The guider is refilled job by job: a job that is done makes room for its successor in the next turn
//! of the cycle, so a run of any length needs the memory of one turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::guider::{Guider, NEVER};
use crate::policy::Policy;
use crate::system::Ticks;

/// How a guider is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// In which order.
    pub policy: Policy,
    /// On how many cores: at least one.
    pub cores: usize,
    /// How many turns of the cycle; 1 where the guider does not repeat.
    pub turns: u64,
    /// Stop at the first job that is late.
    pub stops_when_late: bool,
}

/// A job that the simulation computer has done. Times are in parts of a tick: see [`Guider::scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its node in the guider.
    pub node: usize,
    /// In which turn of the cycle.
    pub turn: u64,
    /// When it began to run.
    pub start: Ticks,
    /// When it was done.
    pub finish: Ticks,
    /// Its effective deadline; [`NEVER`] where it has none.
    pub deadline: Ticks,
    /// When it starts on its ECU.
    pub real_start: Ticks,
    /// When it ends on its ECU.
    pub real_finish: Ticks,
    /// It writes to the physical system, and was done after its real finish.
    pub is_late: bool,
}

/// Whether a system can be simulated in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The first job that was late, by the time it was done.
    pub first_late: Option<Done>,
    /// Jobs that were late.
    pub late: u64,
    /// Jobs that were done.
    pub jobs: u64,
    /// When the last one was done.
    pub end: Ticks,
}

impl Verdict {
    /// No job was late.
    pub fn is_simulatable(&self) -> bool {
        self.first_late.is_none()
    }
}

/// What runs first: a policy's time, then the real start, then the number of the job.
type Key = (Ticks, Ticks, usize);

struct Running {
    key: Key,
    node: usize,
    until: Ticks,
}

struct State<'a> {
    guider: &'a Guider,
    how: Simulation,
    /// Jobs in all.
    count: usize,
    /// Turns that each node has done.
    done: Vec<u64>,
    /// Of the present job of each node: when it began, and what is left of it.
    began: Vec<Ticks>,
    left: Vec<Ticks>,
    held: BinaryHeap<Reverse<(Ticks, usize)>>,
    ready: BinaryHeap<Reverse<Key>>,
    running: Vec<Running>,
}

impl Simulation {
    /// Runs all jobs; tells each one that is done to `observe`.
    pub fn run(mut self, guider: &Guider, mut observe: impl FnMut(&Done)) -> Verdict {
        self.cores = self.cores.max(1);
        let nodes = guider.nodes.len();
        let turns = if guider.cycle.is_some() { self.turns.max(1) } else { 1 };
        let mut state = State {
            guider,
            how: self,
            count: nodes.saturating_add(((turns - 1) as usize).saturating_mul(guider.turn())),
            done: vec![0; nodes],
            began: vec![NEVER; nodes],
            left: guider.nodes.iter().map(|node| node.cost).collect(),
            held: BinaryHeap::new(),
            ready: BinaryHeap::new(),
            running: Vec::new(),
        };
        let mut verdict = Verdict::default();
        for node in 0..nodes {
            if guider.before_in(node, 0).is_empty() {
                state.admit(node, node, 0, 0);
            }
        }
        let mut now = 0;
        loop {
            state.let_go(now);
            state.assign(now);
            let ends = state.running.iter().map(|running| running.until).min();
            let starts = state.held.peek().map(|Reverse((start, _))| *start);
            let Some(next) = [ends, starts].into_iter().flatten().min() else { break };
            now = next;
            while let Some(at) = state.running.iter().position(|running| running.until == now) {
                let done = state.end(at, now);
                verdict.jobs += 1;
                verdict.end = now;
                if done.is_late {
                    verdict.late += 1;
                    verdict.first_late.get_or_insert(done);
                }
                observe(&done);
                if done.is_late && self.stops_when_late {
                    return verdict;
                }
            }
        }
        verdict
    }
}

impl State<'_> {
    /// Which turn the job of a number belongs to, by its node.
    #[inline]
    fn turn_of(&self, number: usize, node: usize) -> u64 {
        if number == node { 0 } else { ((number - node) / self.guider.turn()) as u64 }
    }

    fn shift(&self, turn: u64) -> Ticks {
        self.guider.cycle.map_or(0, |(_, length)| turn * length)
    }

    fn key(&self, number: usize, node: usize, turn: u64) -> Key {
        let (node, shift) = (&self.guider.nodes[node], self.shift(turn));
        let start = node.start + shift;
        match self.how.policy {
            Policy::Ours => (node.deadline.saturating_add(shift), start, number),
            Policy::AllSync | Policy::TrueTime(_) => (start, start, number),
        }
    }

    /// A job whose predecessors are done may run, or waits for its real start.
    fn admit(&mut self, number: usize, node: usize, turn: u64, now: Ticks) {
        let start = self.guider.nodes[node].start + self.shift(turn);
        if start > now && self.how.policy.holds(&self.guider.nodes[node]) {
            self.held.push(Reverse((start, number)));
        } else {
            self.ready.push(Reverse(self.key(number, node, turn)));
        }
    }

    /// Jobs whose real start has come may run.
    fn let_go(&mut self, now: Ticks) {
        while let Some(Reverse((start, number))) = self.held.peek().copied() {
            if start > now {
                return;
            }
            self.held.pop();
            let node = self.guider.node_of(number);
            self.ready.push(Reverse(self.key(number, node, self.turn_of(number, node))));
        }
    }

    /// Gives cores the jobs that come first; under EDF takes them from those that come later.
    fn assign(&mut self, now: Ticks) {
        while let Some(Reverse(key)) = self.ready.peek().copied() {
            if self.running.len() == self.how.cores {
                let last = (0..self.running.len()).max_by_key(|at| self.running[*at].key);
                let Some(last) = last.filter(|_| self.how.policy == Policy::Ours) else { return };
                if self.running[last].key <= key {
                    return;
                }
                let stopped = self.running.swap_remove(last);
                self.left[stopped.node] = stopped.until - now;
                self.ready.pop();
                self.ready.push(Reverse(stopped.key));
            } else {
                self.ready.pop();
            }
            let node = self.guider.node_of(key.2);
            if self.began[node] == NEVER {
                self.began[node] = now;
            }
            self.running.push(Running { key, node, until: now + self.left[node] });
        }
    }

    /// A job is done: those that waited for it alone may run, and its place is filled anew.
    fn end(&mut self, at: usize, now: Ticks) -> Done {
        let Running { key: (_, real_start, number), node, .. } = self.running.swap_remove(at);
        let turn = self.turn_of(number, node);
        let start = std::mem::replace(&mut self.began[node], NEVER);
        self.left[node] = self.guider.nodes[node].cost;
        self.done[node] += 1;
        for on in self.guider.after(node) {
            let next = number + *on as usize;
            let place = self.guider.node_of(next);
            if next < self.count && self.may_run(next, place) {
                self.admit(next, place, self.turn_of(next, place), now);
            }
        }
        let (described, shift) = (&self.guider.nodes[node], self.shift(turn));
        let real_finish = described.finish + shift;
        Done {
            node,
            turn,
            start,
            finish: now,
            deadline: described.deadline.saturating_add(shift),
            real_start,
            real_finish,
            is_late: described.writes && now > real_finish,
        }
    }

    fn may_run(&self, number: usize, node: usize) -> bool {
        let turn = self.turn_of(number, node);
        self.guider.before_in(node, turn).iter().all(|back| {
            let before = number - *back as usize;
            let place = self.guider.node_of(before);
            self.done[place] > self.turn_of(before, place)
        })
    }
}
