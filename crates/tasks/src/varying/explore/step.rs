//! What happens at an instant that is known within a span: the rules of [`crate::scheduler`], by spans.

use std::collections::BTreeSet;

use super::state::{Event, State};
use super::{Explorer, Found};
use crate::bus::{Carrier, tdma_arrival};
use crate::system::{EcuId, Kind, Overrun, Rules, TaskId, Ticks};
use crate::varying::span::Span;

/// A state in the middle of an instant.
#[derive(Clone)]
struct Instant {
    state: State,
    /// What is still to happen now.
    now: BTreeSet<Event>,
    touched: Vec<EcuId>,
}

impl Explorer<'_> {
    /// Lets events happen at one instant, then every ECU decide to which something happened. Mostly one state
    /// comes of it; more where a message may come at once or later.
    pub(super) fn step(
        &self,
        mut state: State,
        events: &[Event],
        at: Span,
        found: &mut Found,
    ) -> Vec<State> {
        state.events.retain(|(event, _)| !events.contains(event));
        for (_, time) in &mut state.events {
            time.earliest = time.earliest.max(at.earliest + 1);
        }
        let now = events.iter().copied().collect();
        let mut open = vec![Instant { state, now, touched: Vec::new() }];
        let mut after = Vec::new();
        while let Some(mut instant) = open.pop() {
            match instant.now.pop_first() {
                Some(event) => {
                    instant.state.happened += 1;
                    self.happen(instant, event, at, found, &mut open);
                }
                None => {
                    instant.touched.sort_unstable();
                    instant.touched.dedup();
                    for ecu in instant.touched {
                        match self.plan.ecus[ecu].rules {
                            Some(rules) => self.choose(&mut instant.state, (ecu, rules), at, found),
                            None => self.preempt(&mut instant.state, ecu, at, found),
                        }
                    }
                    after.push(instant.state);
                }
            }
        }
        after
    }

    fn happen(
        &self,
        mut instant: Instant,
        event: Event,
        at: Span,
        found: &mut Found,
        open: &mut Vec<Instant>,
    ) {
        match event {
            Event::End { job, task, instance } => {
                self.end(&mut instant, task);
                let state = &mut instant.state;
                state.open.retain(|other| *other != (task, instance));
                found.ends((task, instance), at);
                let mut all = vec![instant];
                self.send(&mut all, (job, task), at);
                open.extend(all);
                return;
            }
            Event::Frame { task, bus, .. } => {
                let (from, to) = self.plan.tasks[task].links;
                for link in from..to {
                    if self.plan.links[link].bus == Some(bus) {
                        self.deliver(&mut instant, link, at);
                    }
                }
            }
            Event::Message { link, .. } => self.deliver(&mut instant, link, at),
            Event::Feed { link, number } => {
                self.deliver(&mut instant, link, at);
                self.feed(&mut instant.state, link, number + 1, at.earliest + 1);
            }
            Event::Clock { task } => {
                self.arrive(&mut instant, (task, false), at);
                if let Some(clock) = self.system.tasks[task].clock.filter(|_| !self.skips(task)) {
                    instant.state.push(event, at + Span::at(clock.period));
                }
            }
        }
        open.push(instant);
    }

    fn end(&self, instant: &mut Instant, task: TaskId) {
        let plan = &self.plan.tasks[task];
        let state = &mut instant.state.ecus[plan.ecu];
        match self.plan.ecus[plan.ecu].rules {
            Some(_) => {
                state.idle += 1;
                state.blocked.remove_all(&self.plan.ecus[plan.ecu].groups[plan.group]);
            }
            None => instant.state.running[plan.ecu] = None,
        }
        instant.touched.push(plan.ecu);
    }

    /// Sends the result of a job.
    fn send(&self, all: &mut Vec<Instant>, (job, task): (u64, TaskId), at: Span) {
        let (from, to) = self.plan.tasks[task].links;
        for link in from..to {
            let Some(bus) = self.plan.links[link].bus else {
                all.iter_mut().for_each(|instant| self.deliver(instant, link, at));
                continue;
            };
            let message = Event::Message { link, job };
            match &self.system.buses[bus].carrier {
                Carrier::Constant { latency } => post(all, message, at, Span::at(*latency)),
                Carrier::Dds { latencies } => {
                    let least = latencies.first().copied().unwrap_or(0);
                    let most = latencies.last().copied().unwrap_or(0);
                    post(all, message, at, Span { earliest: least, latest: most });
                }
                _ if (from..link).any(|other| self.plan.links[other].bus == Some(bus)) => {}
                Carrier::CanTdma { slot, owners, frame } => {
                    let described = &self.system.tasks[task];
                    let duration = frame.of(described.frame);
                    let slots = (described.ecu, (*slot, &owners[..]), duration);
                    for instant in &mut *all {
                        let free = &mut instant.state.free[bus][described.ecu];
                        *free = tdma_span(at, *free, slots);
                        let arrival = *free;
                        instant.state.push(Event::Frame { job, task, bus }, arrival);
                    }
                }
                // Groups in which such a frame releases something are not explored.
                Carrier::CanPriority { .. } => {}
            }
        }
    }

    fn deliver(&self, instant: &mut Instant, link: usize, at: Span) {
        let to = self.plan.links[link];
        if to.releases {
            self.arrive(instant, (to.to, true), at);
        }
    }

    /// Something to do for a task: a message or a tick.
    fn arrive(&self, instant: &mut Instant, (task, is_sent): (TaskId, bool), at: Span) {
        let plan = &self.plan.tasks[task];
        let described = &self.system.tasks[task];
        let pending = &mut instant.state.tasks[task].pending;
        let ecu = &mut instant.state.ecus[plan.ecu];
        if (is_sent || described.kind != Kind::Timer) && pending.len() >= described.queue_depth {
            pending.pop_front();
            if let Some(at) = ecu.events.iter().position(|rank| *rank == plan.rank) {
                ecu.events.remove(at);
            }
        }
        pending.push_back(at);
        ecu.available.insert(plan.rank);
        if self.plan.ecus[plan.ecu].rules == Some(Rules::Events) {
            ecu.events.push_back(plan.rank);
        }
        instant.touched.push(plan.ecu);
    }

    fn choose(&self, state: &mut State, (ecu, rules): (EcuId, Rules), at: Span, found: &mut Found) {
        let plan = &self.plan.ecus[ecu];
        if std::mem::take(&mut state.ecus[ecu].waits) && plan.polls_on_wake {
            state.ecus[ecu].poll(plan, rules);
        }
        while state.ecus[ecu].idle > 0 {
            let Some(rank) = state.ecus[ecu].next_callback(plan, rules) else {
                state.ecus[ecu].waits = true;
                return;
            };
            let task = plan.tasks[rank];
            self.start(state, task, at, found);
            let ecu = &mut state.ecus[ecu];
            ecu.idle -= 1;
            ecu.polled.remove(rank);
            ecu.blocked.insert_all(&plan.groups[self.plan.tasks[task].group]);
        }
    }

    fn preempt(&self, state: &mut State, ecu: EcuId, at: Span, found: &mut Found) {
        let Some(rank) = state.ecus[ecu].available.first() else { return };
        if let Some((job, task)) = state.running[ecu] {
            let running_rank = self.plan.tasks[task].rank;
            if rank >= running_rank {
                return;
            }
            let is_its =
                |event: &Event| matches!(event, Event::End { job: other, .. } if *other == job);
            if let Some(place) = state.events.iter().position(|(event, _)| is_its(event))
                && let (Event::End { instance, .. }, until) = state.events.remove(place)
            {
                let left = Span {
                    earliest: until.earliest.saturating_sub(at.latest).max(1),
                    latest: until.latest - at.earliest,
                };
                state.tasks[task].interrupted = Some((job, instance, left));
            }
            state.ecus[ecu].available.insert(running_rank);
        }
        let task = self.plan.ecus[ecu].tasks[rank];
        let job = match state.tasks[task].interrupted.take() {
            Some((job, instance, left)) => {
                if state.tasks[task].pending.is_empty() {
                    state.ecus[ecu].available.remove(rank);
                }
                state.push(Event::End { job, task, instance }, at + left);
                job
            }
            None => self.start(state, task, at, found),
        };
        state.running[ecu] = Some((job, task));
    }

    /// Makes the next job of a task, which starts now.
    fn start(&self, state: &mut State, task: TaskId, at: Span, found: &mut Found) -> u64 {
        let job = state.started;
        state.started += 1;
        let own = &mut state.tasks[task];
        let release = own.pending.pop_front().unwrap_or(at);
        let instance = own.count;
        own.count += 1;
        if own.pending.is_empty() {
            let plan = &self.plan.tasks[task];
            state.ecus[plan.ecu].available.remove(plan.rank);
        }
        found.starts((task, instance), release, at);
        if at.earliest < self.horizon {
            state.open.push((task, instance));
            state.open.sort_unstable();
        }
        let execution = Span::of(&self.system.tasks[task].execution);
        state.push(Event::End { job, task, instance }, at + execution);
        if let Some(clock) = self.system.tasks[task].clock.filter(|_| self.skips(task)) {
            state.push(Event::Clock { task }, tick_after(release, at, clock.period));
        }
        job
    }

    fn skips(&self, task: TaskId) -> bool {
        let described = &self.system.tasks[task];
        let overrun = self.system.ecus[described.ecu].overrun;
        described.kind == Kind::Timer && overrun == Overrun::Skip
    }
}

/// The first tick of a clock after the one of `release` that is not over at the instant `at`.
fn tick_after(release: Span, at: Span, period: Ticks) -> Span {
    let Some(known) = release.known() else {
        // The ticks themselves are not known, only that they are a period apart.
        let next = release + Span::at(period);
        let earliest = next.earliest.max(at.earliest);
        return Span { earliest, latest: next.latest.max(at.latest + period - 1) };
    };
    let next = |now: Ticks| known + now.saturating_sub(known).div_ceil(period).max(1) * period;
    Span { earliest: next(at.earliest), latest: next(at.latest) }
}

/// A message comes after a latency: at once where that is nothing, which is before ECUs decide.
fn post(all: &mut Vec<Instant>, message: Event, at: Span, latency: Span) {
    let mut later = Vec::new();
    if latency.latest > 0 {
        let latency = Span { earliest: latency.earliest.max(1), ..latency };
        later = all.clone();
        later.iter_mut().for_each(|instant| instant.state.push(message, at + latency));
    }
    if latency.earliest == 0 {
        all.iter_mut().for_each(|instant| {
            instant.now.insert(message);
        });
        all.extend(later);
    } else {
        *all = later;
    }
}

/// When a frame is received that is ready within `ready` behind another that ends within `free`: never earlier
/// because either is later.
fn tdma_span(
    ready: Span,
    free: Span,
    (sender, slots, duration): (EcuId, (Ticks, &[EcuId]), Ticks),
) -> Span {
    let arrival = |ready, free| tdma_arrival(ready, free, sender, slots, duration);
    Span {
        earliest: arrival(ready.earliest, free.earliest),
        latest: arrival(ready.latest, free.latest),
    }
}
