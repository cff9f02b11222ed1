//! Phase 2: steps of periodic components, in static order.
//!
//! A group steps tick after tick for as long as nothing else happens; everything else steps what
//! is due at one instant. Both give the same steps in the same order.

use super::calendar::{Calendar, Group, Member};
use super::{Engine, Halt, Node, Place};
use crate::context::{Frame, Share, Step};
use crate::model::AnyModel;
use crate::store::NONE;
use crate::time::{Duration, Time};

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
            let before = left;
            let pause = self.tick_plainly(group, end, another, &mut left);
            if let Some(recorder) = &mut self.recorder {
                let members = &self.calendar.groups[group].members;
                recorder.stepped(members.iter().map(|member| member.node), before - left);
            }
            if let Pause::At(member) = pause {
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
        let Group { beat, next: tick, base, time, members } = &mut groups[group];
        let (nodes, members) = (&mut nodes[..], &members[..]);
        let (share, inbox) = (&Share::default(), NONE);
        let mut step = Step { values, surroundings, share, inbox, now: *time, tick: *base + *tick };
        while step.now < end.min(another) && *left > 0 {
            self.now = step.now;
            counters.instants += 1;
            counters.steps += members.len() as u64;
            *left -= 1;
            (*tick, *time) = beat.after(*tick, *time);
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
            let node = self.calendar.tickers[number as usize].node;
            if let Some(recorder) = &mut self.recorder {
                recorder.call(node);
            }
            self.step_one(node, tick, now)?;
        }
        self.calendar.due = due;
        Ok(())
    }

    /// One step of any periodic component.
    fn step_one(&mut self, node: u32, tick: u64, now: Time) -> Result<(), Halt> {
        self.current = node;
        self.prepare(node, now);
        let Frame { share, inbox, .. } = self.frame(node, now);
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
