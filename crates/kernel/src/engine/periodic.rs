//! Periodic components: when they tick, and their steps in static order.
//!
//! Fused, components of one grid tick as a group from one list, tick after tick for as long as
//! nothing else happens; unfused, each waits in a queue of its own. Both give the same steps in the
//! same order.

use super::{Engine, Halt, Node, Place};
use crate::checkpoint::TickerState;
use crate::context::{Frame, Share, Step};
use crate::event_queue::{EventQueue, QueueRegime};
use crate::model::AnyModel;
use crate::store::NONE;
use crate::time::{Duration, Grid, Rate, Time};

/// The clock of one periodic component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticker {
    pub node: u32,
    /// Which part of all values belongs to it.
    pub share: Share,
    /// Its steps need no preparation; see [`Node::steps_plainly`].
    pub plain: bool,
    pub grid: Grid,
    /// Number of the next tick on the grid.
    pub next: u64,
    /// Ticks on earlier grids, so that numbers of ticks never come twice.
    pub base: u64,
    pub stopped: bool,
}

/// Components that always tick together, with the same number.
struct Group {
    grid: Grid,
    next: u64,
    base: u64,
    time: Time,
    /// The time between ticks, where it is a whole number of picoseconds.
    period: Option<Duration>,
    /// By number, ascending: the static order.
    members: Vec<Member>,
}

/// What a group knows of a component, so that a step looks at nothing else.
struct Member {
    number: u32,
    node: u32,
    share: Share,
    plain: bool,
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
        (self.next, self.time) = after(self.grid, self.period, self.next, self.time);
    }
}

/// The tick after the one of this number at this time.
#[inline]
fn after(grid: Grid, period: Option<Duration>, tick: u64, time: Time) -> (u64, Time) {
    let next = period.map_or_else(|| grid.tick(tick + 1), |period| time + period);
    (tick + 1, next)
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
            let clock = (ticker.grid, ticker.next, ticker.base);
            let same = |g: &&mut Group| (g.grid, g.next, g.base) == clock;
            match self.groups.iter_mut().find(same) {
                Some(group) => group.members.push(Member::new(number, ticker)),
                None => self.groups.push(Group {
                    grid: ticker.grid,
                    next: ticker.next,
                    base: ticker.base,
                    time: ticker.grid.tick(ticker.next),
                    period: ticker.grid.rate.exact_period(),
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
    fn sole_group(&self) -> Option<(usize, Time)> {
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
        self.groups
            .iter()
            .find(|g| g.members.binary_search_by_key(&(number as u32), |m| m.number).is_ok())
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

/// Why a group has stopped ticking.
enum Pause {
    /// It is not its turn, or it has ticked often enough.
    BetweenTicks,
    /// In a tick, before the member of this number, something is to be done but the next step.
    At(usize),
}

/// Steps plain members from number `from` on, as far as nothing is to be done but the next step;
/// where that is not the end, the number of the next member.
#[inline(always)]
fn step_plain<'a>(
    members: &'a [Member],
    from: usize,
    nodes: &mut [Node],
    step: &mut Step<'a>,
    current: &mut u32,
) -> Option<usize> {
    for (at, member) in members.iter().enumerate().skip(from) {
        if !member.plain {
            return Some(at);
        }
        let state = &mut nodes[member.node as usize];
        let AnyModel::Periodic(model) = &mut state.model else { continue };
        *current = member.node;
        step.share = &member.share;
        model.step(step);
        if step.surroundings.failure.is_some() {
            return Some(at + 1);
        }
        state.last = step.now;
        if !step.values.written.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

impl Engine {
    /// Where periodic components are all that is active: instants at which one group of them is due
    /// and nothing else, one after the other, at most `most` of them. How many there were.
    pub(super) fn run_periodic(&mut self, limit: Time, most: u32) -> Result<u32, Halt> {
        let mut left = most;
        while left > 0 && self.stopping.is_none() {
            let Some((group, another)) = self.calendar.sole_group() else { break };
            let next = self.calendar.next;
            let end = limit.min(self.next_disturbance());
            if next >= end || next == self.now {
                break;
            }
            // A sample at T is due when the clock is about to pass T.
            self.sample_before(next);
            let end = end.min(self.taps.next + Duration::EPSILON);
            (self.cycle, self.rounds) = (1, 1);
            self.place = Place { round: 0, phase: 2, cycle: 0 };
            if let Pause::At(member) = self.tick_plainly(group, end, another, &mut left) {
                let now = self.now;
                self.finish_tick(group, member, now)?;
                self.begin_phase(3);
                self.cycles(now)?;
                if self.show(now)? {
                    self.settle(now)?;
                }
            }
        }
        Ok(most - left)
    }

    /// The next instant of anything but a periodic component.
    fn next_disturbance(&mut self) -> Time {
        self.queue.next_time().min(self.next_action_time())
    }

    /// Lets a group tick, before `end` and before `another` group does, as long as its members
    /// step plainly. Counts `left` down.
    // Not inlined: alone, its loop keeps what it needs in registers.
    #[inline(never)]
    fn tick_plainly(&mut self, group: usize, end: Time, another: Time, left: &mut u32) -> Pause {
        let Engine { calendar, nodes, values, surroundings, counters, current, .. } = self;
        let Calendar { groups, next, .. } = calendar;
        let Group { grid, next: tick, base, time, period, members } = &mut groups[group];
        let (nodes, members) = (&mut nodes[..], &members[..]);
        let (share, inbox) = (&Share::default(), NONE);
        let mut step = Step { values, surroundings, share, inbox, now: *time, tick: *base + *tick };
        while step.now < end.min(another) && *left > 0 {
            self.now = step.now;
            counters.instants += 1;
            counters.steps += members.len() as u64;
            *left -= 1;
            (*tick, *time) = after(*grid, *period, *tick, *time);
            *next = another.min(*time);
            if let Some(at) = step_plain(members, 0, nodes, &mut step, current) {
                return Pause::At(at);
            }
            (step.now, step.tick) = (*time, *base + *tick);
        }
        Pause::BetweenTicks
    }

    /// Steps the members from number `at` on of a group that has gone on to its next tick.
    fn finish_tick(&mut self, group: usize, mut at: usize, now: Time) -> Result<(), Halt> {
        loop {
            self.check_failure()?;
            if !self.values.written.is_empty() {
                self.route(now);
            }
            let Engine { calendar, nodes, values, surroundings, current, .. } = self;
            let Group { next, base, members, .. } = &calendar.groups[group];
            let tick = base + next - 1;
            let Some(member) = members.get(at) else { return Ok(()) };
            let next = if member.plain {
                let (share, inbox) = (&member.share, NONE);
                let mut step = Step { values, surroundings, share, inbox, now, tick };
                step_plain(members, at, nodes, &mut step, current)
            } else {
                let node = member.node;
                self.step_one(node, tick, now)?;
                Some(at + 1)
            };
            match next {
                Some(next) => at = next,
                None => return Ok(()),
            }
        }
    }

    /// Phase 2: every due periodic component steps once.
    pub(super) fn step_due(&mut self, now: Time) -> Result<(), Halt> {
        let due = self.calendar.take_due(now);
        self.counters.steps += due.len() as u64;
        for &(number, tick) in &due {
            self.step_one(self.calendar.tickers[number as usize].node, tick, now)?;
        }
        self.calendar.due = due;
        Ok(())
    }

    /// One step of any periodic component.
    fn step_one(&mut self, node: u32, tick: u64, now: Time) -> Result<(), Halt> {
        self.current = node;
        self.prepare(node, now);
        let Frame { share, inbox, .. } = self.frame(node, now);
        if share.counts.streams > 0 {
            let streams = self.streams_of(node);
            self.surroundings.streams[streams].iter_mut().for_each(|s| s.seek(tick));
        }
        let Engine { values, surroundings, nodes, .. } = self;
        let AnyModel::Periodic(model) = &mut nodes[node as usize].model else { return Ok(()) };
        model.step(&mut Step { values, surroundings, share: &share, inbox, now, tick });
        self.check_failure()?;
        let state = &mut self.nodes[node as usize];
        state.last = now;
        if state.has(Node::PULLS) {
            (state.inbox_head, state.inbox_tail) = (NONE, NONE);
        }
        if !self.values.written.is_empty() {
            self.route(now);
        }
        Ok(())
    }
}
