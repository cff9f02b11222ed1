//! The schedule of all ECUs, instant after instant.
//!
//! At an instant everything that is due happens first: jobs end and their messages go out, buses deliver,
//! clocks tick. Then every ECU to which something happened decides what runs next. So what ends at an
//! instant can be read by what starts at it (entry read and exit write; We et al., RTSS 2017).
//!
//! ```text
//! clock ─┐                    ┌─► fixed priority ─┐
//! bus ───┼─► queues of tasks ─┤                   ├─► job ─► end ─► messages ─► queues, buses
//! end ───┘                    └─► executor ───────┘
//! ```

mod executor;
mod fixed_priority;
mod learn;
mod plan;
mod ready;
mod state;
mod transport;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

pub(crate) use plan::{EcuPlan, Link, Plan};
use ready::Ranks;

use crate::bus::BusState;
use crate::job::{Job, Times};
use crate::system::{EcuId, Kind, Overrun, Rules, System, TaskId, Ticks};

/// Things that happen for one job, at most, where a schedule is of use: its clock, its end, its frames.
const EVENTS_PER_JOB: usize = 4;

/// No job.
const NONE: u32 = u32::MAX;

/// What is due, in the order in which it happens at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// A job ends.
    End { job: u32 },
    /// A bus can send the next frame.
    BusFree { bus: u32 },
    /// The result of a job arrives by a bus at all that are linked by it.
    Frame { job: u32, bus: u32 },
    /// The result of a job arrives by one link.
    Message { link: u32, job: u32 },
    /// The clock of a task ticks.
    Clock { task: u32 },
}

/// What waits to be executed: a message or a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    release: Ticks,
    /// Number of the job that sent it.
    trigger: u32,
}

#[derive(Default)]
struct TaskState {
    pending: VecDeque<Pending>,
    /// Jobs that have started.
    count: u64,
    /// A job that was interrupted: its number, and what is left of it.
    interrupted: Option<(u32, Ticks)>,
    /// Messages that were lost because the queue was full.
    lost: u64,
}

#[derive(Clone)]
pub(crate) struct EcuState {
    /// Ranks of tasks with something to do.
    pub available: Ranks,
    /// The ready set of an executor.
    pub polled: Ranks,
    /// Ranks whose callback group is busy.
    pub blocked: Ranks,
    /// Ranks in the order of arrival, for the events executor.
    pub events: VecDeque<usize>,
    pub idle: usize,
    /// An executor that found nothing to do.
    pub waits: bool,
    /// Fixed priority: what runs, and until when.
    running: Option<(u32, Ticks)>,
}

impl EcuState {
    /// Nothing to do yet.
    pub fn new(plan: &EcuPlan) -> Self {
        let empty = Ranks::new(plan.tasks.len());
        EcuState {
            available: empty.clone(),
            polled: empty.clone(),
            blocked: empty,
            events: VecDeque::new(),
            idle: plan.threads,
            waits: true,
            running: None,
        }
    }
}

/// Computes the schedule of a system.
pub struct Schedule<'a, T> {
    system: &'a System,
    plan: Plan,
    times: T,
    due: BinaryHeap<Reverse<(Ticks, Due)>>,
    tasks: Vec<TaskState>,
    ecus: Vec<EcuState>,
    buses: Vec<BusState>,
    /// Latest job received by each link.
    latest: Vec<u32>,
    touched: Vec<EcuId>,
    frames: u64,
    /// Things that have happened.
    happened: usize,
    jobs: Vec<Job>,
    sampled: Vec<(u32, u32)>,
}

impl<'a, T: Times> Schedule<'a, T> {
    /// A schedule that begins at time 0.
    pub fn new(system: &'a System, times: T) -> Self {
        let plan = Plan::new(system);
        let ecus = plan.ecus.iter().map(EcuState::new);
        let buses = system.buses.iter().map(|bus| BusState {
            free: vec![0; bus.ecus.iter().max().map_or(1, |most| most + 1)],
            ..BusState::default()
        });
        let mut due = BinaryHeap::new();
        for (id, task) in system.tasks.iter().enumerate() {
            if let Some(clock) = task.clock {
                due.push(Reverse((clock.offset, Due::Clock { task: id as u32 })));
            }
        }
        Schedule {
            system,
            times,
            due,
            tasks: system.tasks.iter().map(|_| TaskState::default()).collect(),
            ecus: ecus.collect(),
            buses: buses.collect(),
            latest: vec![NONE; plan.links.len()],
            touched: Vec::new(),
            frames: 0,
            happened: 0,
            jobs: Vec::new(),
            sampled: Vec::new(),
            plan,
        }
    }

    /// Lets everything happen that is due before `until`. Fails where more than `most` jobs start, or where so
    /// much else happens that it would not come to an end: a clock of a microsecond beside a job of an hour.
    pub fn run_until(&mut self, until: Ticks, most: usize) -> Result<(), TooManyJobs> {
        while let Some(Reverse((now, _))) = self.due.peek().copied().filter(|due| due.0.0 < until) {
            while let Some(Reverse((time, due))) = self.due.peek().copied() {
                if time != now {
                    break;
                }
                self.due.pop();
                self.happened += 1;
                self.happen(due, now);
            }
            self.touched.sort_unstable();
            self.touched.dedup();
            let mut touched = std::mem::take(&mut self.touched);
            for ecu in touched.drain(..) {
                match self.plan.ecus[ecu].rules {
                    Some(rules) => self.choose(ecu, rules, now),
                    None => self.preempt(ecu, now),
                }
            }
            self.touched = touched;
            if self.jobs.len() > most || self.happened / EVENTS_PER_JOB > most {
                return Err(TooManyJobs { most, by: now, starved: None });
            }
        }
        Ok(())
    }

    /// The jobs that have started, in the order of their start. The end of one that still runs is 0.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Pairs of jobs: the first read the result of the second without being released by it.
    pub fn sampled(&self) -> &[(u32, u32)] {
        &self.sampled
    }

    /// Messages that each task lost because its queue was full.
    pub fn lost(&self) -> Vec<u64> {
        self.tasks.iter().map(|task| task.lost).collect()
    }

    /// The longest period or execution time.
    pub(crate) fn longest(&self) -> Ticks {
        let periods = self.system.tasks.iter().filter_map(|task| task.clock.map(|c| c.period));
        periods.chain(self.system.tasks.iter().map(|task| task.execution.worst)).max().unwrap_or(0)
    }

    /// The name of a task.
    pub(crate) fn name_of(&self, task: TaskId) -> &str {
        &self.system.tasks[task].name
    }

    fn happen(&mut self, due: Due, now: Ticks) {
        match due {
            Due::End { job } => self.end(job, now),
            Due::BusFree { bus } => self.arbitrate(bus as usize, now),
            Due::Frame { job, bus } => {
                let (from, to) = self.plan.tasks[self.jobs[job as usize].task].links;
                for link in from..to {
                    if self.plan.links[link].bus == Some(bus as usize) {
                        self.deliver(link, job, now);
                    }
                }
            }
            Due::Message { link, job } => self.deliver(link as usize, job, now),
            Due::Clock { task } => self.tick(task as usize, now),
        }
    }

    /// A job ends, unless it was interrupted in the meantime.
    fn end(&mut self, number: u32, now: Ticks) {
        let task = self.jobs[number as usize].task;
        let ecu = self.plan.tasks[task].ecu;
        if self.plan.ecus[ecu].rules.is_some() {
            self.release_thread(task);
        } else {
            match self.ecus[ecu].running {
                Some(running) if running == (number, now) => {}
                _ => return,
            }
            self.ecus[ecu].running = None;
            self.jobs[number as usize].finish = now;
        }
        self.touched.push(ecu);
        self.send(number, now);
    }

    /// A clock ticks. That of a timer which skips goes on when its job starts.
    fn tick(&mut self, task: TaskId, now: Ticks) {
        let Some(clock) = self.system.tasks[task].clock else { return };
        self.arrive(task, Pending { release: now, trigger: NONE });
        if !self.skips(task) {
            self.due.push(Reverse((now + clock.period, Due::Clock { task: task as u32 })));
        }
    }

    fn skips(&self, task: TaskId) -> bool {
        let is_timer = self.system.tasks[task].kind == Kind::Timer;
        is_timer && self.system.ecus[self.plan.tasks[task].ecu].overrun == Overrun::Skip
    }

    /// Something to do for a task.
    fn arrive(&mut self, task: TaskId, pending: Pending) {
        let plan = &self.plan.tasks[task];
        let state = &mut self.tasks[task];
        let ecu = &mut self.ecus[plan.ecu];
        let by_events = self.plan.ecus[plan.ecu].rules == Some(Rules::Events);
        // Ticks are no messages: a clock has no queue that could overflow.
        let is_message = pending.trigger != NONE || self.system.tasks[task].kind != Kind::Timer;
        if is_message && state.pending.len() >= self.system.tasks[task].queue_depth {
            state.pending.pop_front();
            state.lost += 1;
            if let Some(at) = ecu.events.iter().position(|rank| *rank == plan.rank) {
                ecu.events.remove(at);
            }
        }
        state.pending.push_back(pending);
        ecu.available.insert(plan.rank);
        if by_events {
            ecu.events.push_back(plan.rank);
        }
        self.touched.push(plan.ecu);
    }

    /// Makes the next job of a task, which starts now.
    fn start(&mut self, task: TaskId, now: Ticks) -> u32 {
        let number = self.jobs.len() as u32;
        let state = &mut self.tasks[task];
        let pending = state.pending.pop_front().unwrap_or(Pending { release: now, trigger: NONE });
        let instance = state.count;
        state.count += 1;
        if state.pending.is_empty() {
            let plan = &self.plan.tasks[task];
            self.ecus[plan.ecu].available.remove(plan.rank);
        }
        let execution = self.times.execution(task, instance);
        let trigger = (pending.trigger != NONE).then_some(pending.trigger);
        let release = pending.release;
        self.jobs.push(Job { task, instance, release, start: now, finish: 0, execution, trigger });
        for link in &self.plan.tasks[task].samples {
            if self.latest[*link] != NONE {
                self.sampled.push((number, self.latest[*link]));
            }
        }
        if let Some(clock) = self.system.tasks[task].clock.filter(|_| self.skips(task)) {
            // `rcl_timer_call`: the first tick after this one that is not over.
            let missed = (now - release).div_ceil(clock.period).max(1);
            let next = release + missed * clock.period;
            self.due.push(Reverse((next, Due::Clock { task: task as u32 })));
        }
        number
    }
}

/// A schedule with more jobs than somebody wants to wait for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct TooManyJobs {
    /// How many there may be.
    pub most: usize,
    /// When the limit was passed.
    pub by: Ticks,
    /// A task whose job has started and does not end: others take all the time of its ECU.
    pub starved: Option<String>,
}

impl TooManyJobs {
    fn message(&self) -> String {
        let TooManyJobs { most, by, starved } = self;
        match starved {
            None => format!(
                "more than {most} jobs, or {EVENTS_PER_JOB} times as many ticks and messages, come before \
time {by}"
            ),
            Some(task) => format!(
                "a job of task {task} has started and has not ended by time {by}: the tasks before it take \
all the time of its ECU"
            ),
        }
    }
}
