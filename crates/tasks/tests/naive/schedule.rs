//! The real schedule once more, tick by tick: written from the rules alone, with plain lists and loops.
//!
//! At every tick: jobs end; buses send and deliver; clocks tick; then every ECU decides.

use std::collections::VecDeque;

use ironbird_tasks::{
    Carrier, Executor, Job, Kind, Overrun, Rules, Scheduler, System, TaskId, Ticks, Times,
};

/// A message or a tick: when it came, and the job that sent it.
type Arrival = (Ticks, Option<usize>);

/// From task, to task, whether it releases, bus.
type Link = (TaskId, TaskId, bool, Option<usize>);

/// A frame on a bus: its job, and when it was given to the bus.
type Frame = (usize, Ticks);

pub struct Naive<'a, T> {
    system: &'a System,
    times: T,
    links: Vec<Link>,
    pub jobs: Vec<Job>,
    /// What is left of each job.
    left: Vec<Ticks>,
    pub sampled: Vec<(u32, u32)>,
    pub lost: Vec<u64>,
    queues: Vec<VecDeque<Arrival>>,
    counts: Vec<u64>,
    next_tick: Vec<Option<Ticks>>,
    /// Jobs that have started and not ended, by ECU.
    open: Vec<Vec<usize>>,
    ready: Vec<Vec<TaskId>>,
    events: Vec<VecDeque<TaskId>>,
    waits: Vec<bool>,
    /// Messages on their way: when they arrive, link, job.
    messages: Vec<(Ticks, usize, usize)>,
    /// Frames that wait, by bus and sender, and the one that is sent: when it ends, and its job.
    frames: Vec<Vec<VecDeque<Frame>>>,
    sending: Vec<Vec<Option<(Ticks, usize)>>>,
    latest: Vec<Option<usize>>,
}

impl<'a, T: Times> Naive<'a, T> {
    pub fn new(system: &'a System, times: T) -> Self {
        let mut links = Vec::new();
        for (from, sender) in system.tasks.iter().enumerate() {
            for (to, reader) in system.tasks.iter().enumerate() {
                let bus = system.buses.iter().position(|bus| {
                    let both = bus.ecus.contains(&sender.ecu) && bus.ecus.contains(&reader.ecu);
                    let is_dds = matches!(bus.carrier, Carrier::Dds { .. });
                    both && (sender.ecu != reader.ecu || is_dds)
                });
                if reader.after.contains(&from) {
                    links.push((from, to, true, bus));
                }
                if reader.samples.contains(&from) {
                    // Within an ECU it is a variable.
                    let bus = bus.filter(|_| sender.ecu != reader.ecu);
                    links.push((from, to, false, bus));
                }
            }
        }
        let (tasks, ecus) = (system.tasks.len(), system.ecus.len());
        let senders = || vec![VecDeque::new(); ecus];
        Naive {
            system,
            times,
            jobs: Vec::new(),
            left: Vec::new(),
            sampled: Vec::new(),
            lost: vec![0; tasks],
            queues: vec![VecDeque::new(); tasks],
            counts: vec![0; tasks],
            next_tick: system.tasks.iter().map(|task| task.clock.map(|c| c.offset)).collect(),
            open: vec![Vec::new(); ecus],
            ready: vec![Vec::new(); ecus],
            events: vec![VecDeque::new(); ecus],
            waits: vec![true; ecus],
            messages: Vec::new(),
            frames: system.buses.iter().map(|_| senders()).collect(),
            sending: system.buses.iter().map(|_| vec![None; ecus]).collect(),
            latest: vec![None; links.len()],
            links,
        }
    }

    /// All that happens from then on and before `until`.
    pub fn run_on(&mut self, from: Ticks, until: Ticks) {
        for now in from..until {
            self.end_jobs(now);
            (0..self.system.buses.len()).for_each(|bus| self.send_frames(bus, now));
            self.arrive_by_bus(now);
            self.tick(now);
            self.decide(now);
            // A timer that starts exactly when it should tick again does so at once.
            while self.tick(now) {
                self.decide(now);
            }
            for ecu in 0..self.open.len() {
                for job in self.on_processor(ecu) {
                    self.left[job] -= 1;
                }
            }
        }
    }

    /// Jobs of an ECU that progress: all of an executor, one of an operating system.
    fn on_processor(&self, ecu: usize) -> Vec<usize> {
        match self.system.ecus[ecu].scheduler {
            Scheduler::Executor(_) => self.open[ecu].clone(),
            Scheduler::FixedPriority => {
                let priority = |job: &usize| self.place(self.jobs[*job].task);
                self.open[ecu].iter().copied().min_by_key(priority).into_iter().collect()
            }
        }
    }

    fn place(&self, task: TaskId) -> (u64, usize) {
        (self.system.tasks[task].order, task)
    }

    fn end_jobs(&mut self, now: Ticks) {
        let mut ended: Vec<usize> = self.open.iter().flatten().copied().collect();
        ended.retain(|job| self.left[*job] == 0);
        ended.sort_unstable();
        for job in ended {
            self.jobs[job].finish = now;
            let task = self.jobs[job].task;
            let ecu = self.system.tasks[task].ecu;
            self.open[ecu].retain(|open| *open != job);
            let mut on_bus: Vec<usize> = Vec::new();
            for link in 0..self.links.len() {
                let (from, _, _, bus) = self.links[link];
                if from != task {
                    continue;
                }
                let Some(bus) = bus else {
                    self.deliver(link, job, now);
                    continue;
                };
                match &self.system.buses[bus].carrier {
                    Carrier::Constant { latency } => {
                        self.messages.push((now + latency, link, job));
                    }
                    Carrier::Dds { latencies } => {
                        let instance = self.jobs[job].instance;
                        let latency = self.times.latency(link, instance, latencies);
                        self.messages.push((now + latency, link, job));
                    }
                    _ if on_bus.contains(&bus) => {}
                    Carrier::CanTdma { .. } | Carrier::CanPriority { .. } => {
                        on_bus.push(bus);
                        self.frames[bus][ecu].push_back((job, now));
                    }
                }
            }
        }
    }

    /// Frames that are complete are taken off, others put on.
    fn send_frames(&mut self, bus: usize, now: Ticks) {
        let ecus = self.open.len();
        let mut has_ended = vec![false; ecus];
        for (ecu, has_ended) in has_ended.iter_mut().enumerate() {
            if let Some((_, job)) = self.sending[bus][ecu].take_if(|sent| sent.0 == now) {
                *has_ended = true;
                self.arrive_from(bus, job, now);
            }
        }
        let task_of = |job: usize| &self.system.tasks[self.jobs[job].task];
        match &self.system.buses[bus].carrier {
            Carrier::CanTdma { slot, owners, frame } => {
                let owner = owners[(now / slot) as usize % owners.len()];
                for (ecu, has_ended) in has_ended.into_iter().enumerate() {
                    let Some(&(job, since)) = self.frames[bus][ecu].front() else { continue };
                    let end = now + frame.of(task_of(job).frame);
                    let start = now / slot * slot;
                    let begins = now == start;
                    // In a slot goes what was ready at its start, as long as it fits.
                    let goes_on = has_ended && since <= start && end <= start + slot;
                    if self.sending[bus][ecu].is_none() && owner == ecu && (begins || goes_on) {
                        self.frames[bus][ecu].pop_front();
                        self.sending[bus][ecu] = Some((end, job));
                    }
                }
            }
            Carrier::CanPriority { frame } if self.sending[bus].iter().all(Option::is_none) => {
                let waiting = (0..ecus)
                    .flat_map(|ecu| self.frames[bus][ecu].iter().map(move |frame| (ecu, *frame)));
                // Those of equal identifiers in the order in which they came.
                let first = waiting
                    .min_by_key(|(_, (job, since))| (task_of(*job).frame.identifier, *since, *job));
                let Some((ecu, (job, _))) = first else { return };
                let end = now + frame.of(task_of(job).frame);
                self.frames[bus][ecu].retain(|waiting| waiting.0 != job);
                self.sending[bus][ecu] = Some((end, job));
            }
            _ => {}
        }
    }

    /// All links of a frame's sender on this bus get it.
    fn arrive_from(&mut self, bus: usize, job: usize, at: Ticks) {
        for (number, link) in self.links.iter().enumerate() {
            if link.0 == self.jobs[job].task && link.3 == Some(bus) {
                self.messages.push((at, number, job));
            }
        }
    }

    fn arrive_by_bus(&mut self, now: Ticks) {
        let mut due: Vec<(Ticks, usize, usize)> = self.messages.clone();
        due.retain(|message| message.0 == now);
        self.messages.retain(|message| message.0 != now);
        // Frames before other messages, frames by job, others by link.
        due.sort_unstable_by_key(|(_, link, job)| {
            let bus = self.links[*link].3.map(|bus| &self.system.buses[bus].carrier);
            match bus {
                Some(Carrier::CanTdma { .. } | Carrier::CanPriority { .. }) => (0, *job, *link),
                _ => (1, *link, *job),
            }
        });
        due.into_iter().for_each(|(_, link, job)| self.deliver(link, job, now));
    }

    fn deliver(&mut self, link: usize, job: usize, now: Ticks) {
        let (_, to, releases, _) = self.links[link];
        if releases {
            self.enqueue(to, (now, Some(job)), true);
        } else {
            let newer = |old: usize| self.jobs[old].instance < self.jobs[job].instance;
            if self.latest[link].is_none_or(newer) {
                self.latest[link] = Some(job);
            }
        }
    }

    fn enqueue(&mut self, task: TaskId, arrival: Arrival, is_message: bool) {
        let described = &self.system.tasks[task];
        if is_message && self.queues[task].len() == described.queue_depth {
            self.queues[task].pop_front();
            self.lost[task] += 1;
            let events = &mut self.events[described.ecu];
            if let Some(oldest) = events.iter().position(|event| *event == task) {
                events.remove(oldest);
            }
        }
        self.queues[task].push_back(arrival);
        self.events[described.ecu].push_back(task);
    }

    /// Clocks tick that should; says whether one did.
    fn tick(&mut self, now: Ticks) -> bool {
        let mut has_ticked = false;
        for task in 0..self.next_tick.len() {
            let described = &self.system.tasks[task];
            let Some(clock) = described.clock else { continue };
            if self.next_tick[task] != Some(now) {
                continue;
            }
            has_ticked = true;
            self.enqueue(task, (now, None), described.kind != Kind::Timer);
            let goes_on = !self.skips(task);
            self.next_tick[task] = goes_on.then_some(now + clock.period);
        }
        has_ticked
    }

    fn skips(&self, task: TaskId) -> bool {
        let described = &self.system.tasks[task];
        described.kind == Kind::Timer && self.system.ecus[described.ecu].overrun == Overrun::Skip
    }

    fn decide(&mut self, now: Ticks) {
        for ecu in 0..self.open.len() {
            match &self.system.ecus[ecu].scheduler {
                Scheduler::FixedPriority => self.start_highest(ecu, now),
                Scheduler::Executor(executor) => self.start_callbacks(ecu, executor, now),
            }
        }
    }

    /// The task of the lowest order among those that have something to do starts, unless it is already open.
    fn start_highest(&mut self, ecu: usize, now: Ticks) {
        let open = self.open[ecu].iter().map(|job| self.jobs[*job].task);
        let best_open = open.min_by_key(|task| self.place(*task));
        let waiting = self.tasks_of(ecu).into_iter().filter(|task| !self.queues[*task].is_empty());
        let best = waiting.min_by_key(|task| self.place(*task));
        if let Some(best) = best
            && best_open.is_none_or(|open| self.place(best) < self.place(open))
        {
            self.start(best, now);
        }
    }

    fn tasks_of(&self, ecu: usize) -> Vec<TaskId> {
        (0..self.system.tasks.len()).filter(|task| self.system.tasks[*task].ecu == ecu).collect()
    }

    fn start_callbacks(&mut self, ecu: usize, executor: &Executor, now: Ticks) {
        let wakes = std::mem::take(&mut self.waits[ecu]);
        // Other executors know no difference between waking and polling.
        if wakes && (executor.polls_on_wake || executor.rules != Rules::Dashing) {
            self.poll(ecu, executor);
        }
        while self.open[ecu].len() < executor.threads {
            let next = match executor.rules {
                Rules::Events => self.events[ecu].pop_front(),
                _ => self.next_of_set(ecu, executor).or_else(|| {
                    self.poll(ecu, executor);
                    self.next_of_set(ecu, executor)
                }),
            };
            let Some(next) = next else {
                self.waits[ecu] = true;
                return;
            };
            self.ready[ecu].retain(|task| *task != next);
            self.start(next, now);
        }
    }

    fn is_blocked(&self, task: TaskId, executor: &Executor) -> bool {
        let described = &self.system.tasks[task];
        !executor.reentrant.contains(&described.group)
            && self.open[described.ecu]
                .iter()
                .any(|job| self.system.tasks[self.jobs[*job].task].group == described.group)
    }

    /// Timers between any two callbacks up to Dashing; else what was polled, by type, then registration.
    fn next_of_set(&self, ecu: usize, executor: &Executor) -> Option<TaskId> {
        let kind = |task: &TaskId| self.system.tasks[*task].kind;
        let can_run = |task: &TaskId| {
            let is_candidate = match executor.rules {
                Rules::Dashing => kind(task) == Kind::Timer || self.ready[ecu].contains(task),
                _ => self.ready[ecu].contains(task),
            };
            is_candidate && !self.queues[*task].is_empty() && !self.is_blocked(*task, executor)
        };
        let all = self.tasks_of(ecu).into_iter().filter(can_run);
        all.min_by_key(|task| (kind(task), self.place(*task)))
    }

    fn poll(&mut self, ecu: usize, executor: &Executor) {
        let mut set = self.tasks_of(ecu);
        set.retain(|task| {
            let is_polled =
                executor.rules != Rules::Dashing || self.system.tasks[*task].kind != Kind::Timer;
            is_polled && !self.queues[*task].is_empty() && !self.is_blocked(*task, executor)
        });
        self.ready[ecu] = set;
    }

    fn start(&mut self, task: TaskId, now: Ticks) {
        let (release, trigger) = self.queues[task].pop_front().expect("something to do");
        let (number, instance) = (self.jobs.len(), self.counts[task]);
        self.counts[task] += 1;
        let execution = self.times.execution(task, instance);
        let trigger = trigger.map(|job| job as u32);
        self.jobs.push(Job { task, instance, release, start: now, finish: 0, execution, trigger });
        self.left.push(execution);
        self.open[self.system.tasks[task].ecu].push(number);
        for (number_of_link, link) in self.links.iter().enumerate() {
            if link.1 == task
                && !link.2
                && let Some(producer) = self.latest[number_of_link]
            {
                self.sampled.push((number as u32, producer as u32));
            }
        }
        if let Some(clock) = self.system.tasks[task].clock.filter(|_| self.skips(task)) {
            let mut next = release + clock.period;
            while next < now {
                next += clock.period;
            }
            self.next_tick[task] = Some(next);
        }
    }
}
