//! Periodic components: when they tick, and their steps in static order.
//!
//! Fused, components of one grid tick as a group from one list; unfused, each waits in a queue of
//! its own. Both give the same steps in the same order.

use super::{Engine, Halt, Node};
use crate::checkpoint::TickerState;
use crate::context::Step;
use crate::event_queue::{EventQueue, QueueRegime};
use crate::model::AnyModel;
use crate::store::NONE;
use crate::time::{Duration, Grid, Rate, Time};

/// The clock of one periodic component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticker {
    pub node: u32,
    pub grid: Grid,
    /// Number of the next tick on the grid.
    pub next: u64,
    /// Ticks on earlier grids, so that numbers of ticks never come twice.
    pub base: u64,
    pub stopped: bool,
}

/// Components that always tick together.
struct Group {
    grid: Grid,
    next: u64,
    time: Time,
    /// The time between ticks, where it is a whole number of picoseconds.
    period: Option<Duration>,
    /// Numbers of tickers, ascending: the static order.
    members: Vec<u32>,
}

/// All clocks of a partition. Tickers are numbered in static order.
#[derive(Default)]
pub(crate) struct Calendar {
    pub tickers: Vec<Ticker>,
    groups: Vec<Group>,
    queue: Option<EventQueue>,
    next: Time,
    /// Numbers of due tickers, and of their ticks.
    due: Vec<(u32, u64)>,
}

impl Calendar {
    pub fn new(tickers: Vec<Ticker>, fused: bool) -> Self {
        let mut calendar = Calendar { tickers, next: Time::NEVER, ..Calendar::default() };
        if fused {
            calendar.regroup();
        } else {
            calendar.queue = Some(EventQueue::new(calendar.tickers.len(), QueueRegime::Adaptive));
            for ticker in 0..calendar.tickers.len() {
                calendar.requeue(ticker);
            }
        }
        calendar
    }

    #[inline]
    pub fn next_time(&self) -> Time {
        self.next
    }

    /// Puts tickers of the same grid and tick into one group.
    fn regroup(&mut self) {
        self.sync_tickers();
        self.groups.clear();
        for (number, ticker) in self.tickers.iter().enumerate().filter(|(_, t)| !t.stopped) {
            let same = |g: &&mut Group| g.grid == ticker.grid && g.next == ticker.next;
            match self.groups.iter_mut().find(same) {
                Some(group) => group.members.push(number as u32),
                None => self.groups.push(Group {
                    grid: ticker.grid,
                    next: ticker.next,
                    time: ticker.grid.tick(ticker.next),
                    period: ticker.grid.rate.exact_period(),
                    members: vec![number as u32],
                }),
            }
        }
        self.next = self.groups.iter().map(|g| g.time).min().unwrap_or(Time::NEVER);
    }

    /// Groups count for their members; writes the count back to them.
    fn sync_tickers(&mut self) {
        for group in &self.groups {
            for &member in &group.members {
                self.tickers[member as usize].next = group.next;
            }
        }
    }

    fn requeue(&mut self, number: usize) {
        let ticker = self.tickers[number];
        let time = if ticker.stopped { Time::NEVER } else { ticker.grid.tick(ticker.next) };
        if let Some(queue) = &mut self.queue {
            queue.set(number as u32, time);
            self.next = queue.next_time();
        }
    }

    /// The tickers due now, in static order, and their ticks; they go on to the next one.
    fn take_due(&mut self, now: Time) -> Vec<(u32, u64)> {
        let mut due = std::mem::take(&mut self.due);
        due.clear();
        if let Some(queue) = &mut self.queue {
            queue.take_due(now, |number| due.push((number, 0)));
            due.sort_unstable();
            due.dedup();
            for (number, tick) in &mut due {
                let ticker = &mut self.tickers[*number as usize];
                *tick = ticker.base + ticker.next;
                ticker.next += 1;
                self.requeue(*number as usize);
            }
            return due;
        }
        let mut groups = 0;
        self.next = Time::NEVER;
        for group in &mut self.groups {
            if group.time == now {
                let tickers = &self.tickers;
                due.extend(
                    group.members.iter().map(|&m| (m, tickers[m as usize].base + group.next)),
                );
                group.next += 1;
                group.time = match group.period {
                    Some(period) => now + period,
                    None => group.grid.tick(group.next),
                };
                groups += 1;
            }
            self.next = self.next.min(group.time);
        }
        if groups > 1 {
            due.sort_unstable();
        }
        due
    }

    fn change(&mut self, node: u32, change: impl FnOnce(&mut Ticker)) {
        self.sync_tickers();
        let Some(number) = self.tickers.iter().position(|t| t.node == node) else { return };
        change(&mut self.tickers[number]);
        if self.queue.is_some() {
            self.requeue(number);
        } else {
            self.groups.clear();
            self.regroup();
        }
    }

    pub fn stop(&mut self, node: u32) {
        self.change(node, |ticker| ticker.stopped = true);
    }

    /// Goes on at the first tick of the grid from now.
    pub fn start(&mut self, node: u32, now: Time) {
        self.change(node, |ticker| {
            ticker.stopped = false;
            ticker.next = ticker.next.max(ticker.grid.first_tick_from(now));
        });
    }

    /// A new grid whose tick 0 is now.
    pub fn set_rate(&mut self, node: u32, rate: Rate, now: Time) {
        self.change(node, |ticker| {
            // Numbers of ticks that could already have been used up to now are not used again.
            ticker.base += ticker.next.max(ticker.grid.first_tick_from(now));
            ticker.grid = Grid::new(now, rate);
            ticker.next = 0;
        });
    }

    pub fn export(&self, node: u32) -> Option<TickerState> {
        let number = self.tickers.iter().position(|t| t.node == node)?;
        let Ticker { grid, mut next, base, .. } = self.tickers[number];
        if let Some(group) = self.group_of(number) {
            next = group.next;
        }
        Some(TickerState { grid, next, base })
    }

    fn group_of(&self, number: usize) -> Option<&Group> {
        self.groups.iter().find(|g| g.members.binary_search(&(number as u32)).is_ok())
    }

    /// The next tick of a node.
    pub fn next_tick(&self, number: usize) -> Time {
        let ticker = self.tickers[number];
        if ticker.stopped {
            return Time::NEVER;
        }
        if self.queue.is_some() {
            return ticker.grid.tick(ticker.next);
        }
        self.group_of(number).map_or(Time::NEVER, |g| g.time)
    }
}

impl Engine {
    /// Phase 2: every due periodic component steps once.
    pub(super) fn step_due(&mut self, now: Time) -> Result<(), Halt> {
        let due = self.calendar.take_due(now);
        self.counters.steps += due.len() as u64;
        for &(number, tick) in &due {
            let node = self.calendar.tickers[number as usize].node;
            self.current = node;
            self.prepare(node, now);
            let mut frame = self.frame(node, now);
            frame.tick = tick;
            if frame.counts.streams > 0 {
                let streams = self.streams_of(node);
                self.surroundings.streams[streams].iter_mut().for_each(|s| s.seek(tick));
            }
            let AnyModel::Periodic(model) = &mut self.nodes[node as usize].model else { continue };
            let Engine { values, surroundings, .. } = self;
            model.step(&mut Step { values, surroundings, frame });
            self.check_failure()?;
            let state = &mut self.nodes[node as usize];
            state.last = now;
            if state.has(Node::PULLS) {
                (state.inbox_head, state.inbox_tail) = (NONE, NONE);
            }
            if !self.values.written.is_empty() {
                self.route(now);
            }
        }
        self.calendar.due = due;
        Ok(())
    }
}
