//! When periodic components tick.
//!
//! Fused, components of one grid tick as a group from one list; unfused, each waits in a queue of
//! its own.

use crate::agenda::SharedAgenda;
use crate::checkpoint::TickerState;
use crate::context::Share;
use crate::event_queue::{EventQueue, QueueRegime};
use crate::time::{Duration, Grid, Rate, Time};

/// The clock of one periodic component.
#[derive(Clone, Debug)]
pub(crate) struct Ticker {
    pub node: u32,
    /// Which part of all values belongs to it.
    pub share: Share,
    /// Its steps need no preparation; see `Node::steps_plainly`.
    pub plain: bool,
    pub grid: Grid,
    /// Where it ticks by an agenda, not on the grid.
    pub agenda: Option<SharedAgenda>,
    /// Number of the next tick on the grid.
    pub next: u64,
    /// Ticks on earlier grids, so that numbers of ticks never come twice.
    pub base: u64,
    pub stopped: bool,
}

/// Components that always tick together, with the same number.
pub(super) struct Group {
    pub beat: Beat,
    pub next: u64,
    pub base: u64,
    pub time: Time,
    /// By number, ascending: the static order.
    pub members: Vec<Member>,
}

/// When the ticks of a group are.
pub(super) struct Beat {
    grid: Grid,
    /// The time between ticks, where it is a whole number of picoseconds.
    period: Option<Duration>,
    agenda: Option<SharedAgenda>,
}

impl Beat {
    fn of(ticker: &Ticker) -> Self {
        let Ticker { grid, agenda, .. } = ticker;
        let period = grid.rate.exact_period().filter(|_| agenda.is_none());
        Beat { grid: *grid, period, agenda: agenda.clone() }
    }

    /// The tick after the one of this number at this time.
    #[inline]
    pub fn after(&self, tick: u64, time: Time) -> (u64, Time) {
        let next = match self.period {
            Some(period) => time + period,
            None => tick_of(self.grid, self.agenda.as_ref(), tick + 1),
        };
        (tick + 1, next)
    }
}

/// The instant of a tick.
fn tick_of(grid: Grid, agenda: Option<&SharedAgenda>, tick: u64) -> Time {
    agenda.map_or_else(|| grid.tick(tick), |agenda| agenda.tick(tick))
}

impl Ticker {
    fn time(&self) -> Time {
        tick_of(self.grid, self.agenda.as_ref(), self.next)
    }

    fn first_tick_from(&self, now: Time) -> u64 {
        match &self.agenda {
            Some(agenda) => agenda.first_tick_from(now),
            None => self.grid.first_tick_from(now),
        }
    }
}

/// What a group knows of a component, so that a step looks at nothing else.
pub(super) struct Member {
    pub number: u32,
    pub node: u32,
    pub share: Share,
    pub plain: bool,
}

impl Member {
    fn new(number: usize, ticker: &Ticker) -> Self {
        let Ticker { node, share, plain, .. } = *ticker;
        Member { number: number as u32, node, share, plain }
    }
}

impl Group {
    /// Goes on to the next tick.
    #[inline]
    fn advance(&mut self) {
        (self.next, self.time) = self.beat.after(self.next, self.time);
    }
}

/// All clocks of a partition. Tickers are numbered in static order.
#[derive(Default)]
pub(crate) struct Calendar {
    pub tickers: Vec<Ticker>,
    pub(super) groups: Vec<Group>,
    queue: Option<EventQueue>,
    pub(super) next: Time,
    /// Numbers of due tickers, and of their ticks.
    pub(super) due: Vec<(u32, u64)>,
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
            let clock = (ticker.grid, ticker.next, ticker.base);
            let same = |g: &&mut Group| {
                let has_agenda = ticker.agenda.is_some() || g.beat.agenda.is_some();
                !has_agenda && (g.beat.grid, g.next, g.base) == clock
            };
            match self.groups.iter_mut().find(same) {
                Some(group) => group.members.push(Member::new(number, ticker)),
                None => self.groups.push(Group {
                    beat: Beat::of(ticker),
                    next: ticker.next,
                    base: ticker.base,
                    time: ticker.time(),
                    members: vec![Member::new(number, ticker)],
                }),
            }
        }
        self.next = self.groups.iter().map(|g| g.time).min().unwrap_or(Time::NEVER);
    }

    /// Groups count for their members; writes the count back to them.
    fn sync_tickers(&mut self) {
        for group in &self.groups {
            for member in &group.members {
                self.tickers[member.number as usize].next = group.next;
            }
        }
    }

    fn requeue(&mut self, number: usize) {
        let ticker = &self.tickers[number];
        let time = if ticker.stopped { Time::NEVER } else { ticker.time() };
        if let Some(queue) = &mut self.queue {
            queue.set(number as u32, time);
            self.next = queue.next_time();
        }
    }

    /// The tickers due now, in static order, and their ticks; they go on to the next one.
    pub(super) fn take_due(&mut self, now: Time) -> Vec<(u32, u64)> {
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
                let tick = group.base + group.next;
                due.extend(group.members.iter().map(|m| (m.number, tick)));
                group.advance();
                groups += 1;
            }
            self.next = self.next.min(group.time);
        }
        if groups > 1 {
            due.sort_unstable();
        }
        due
    }

    /// The group that ticks next, if no other does at the same time, and when another one ticks.
    pub(super) fn sole_group(&self) -> Option<(usize, Time)> {
        let first = self.groups.iter().position(|group| group.time == self.next)?;
        let others = self.groups.iter().enumerate().filter(|&(other, _)| other != first);
        let another = others.map(|(_, group)| group.time).min().unwrap_or(Time::NEVER);
        (another > self.next).then_some((first, another))
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
            ticker.next = ticker.next.max(ticker.first_tick_from(now));
        });
    }

    /// A new grid whose tick 0 is now; one that ticks by an agenda keeps to it.
    pub fn set_rate(&mut self, node: u32, rate: Rate, now: Time) {
        self.change(node, |ticker| {
            if ticker.agenda.is_some() {
                return;
            }
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
        self.groups
            .iter()
            .find(|g| g.members.binary_search_by_key(&(number as u32), |m| m.number).is_ok())
    }

    /// The next tick of a node.
    pub fn next_tick(&self, number: usize) -> Time {
        let ticker = &self.tickers[number];
        if ticker.stopped {
            return Time::NEVER;
        }
        if self.queue.is_some() {
            return ticker.time();
        }
        self.group_of(number).map_or(Time::NEVER, |g| g.time)
    }
}
