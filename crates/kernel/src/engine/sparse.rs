//! Instants of single event-driven models, without the ways of the general case.

use super::{Engine, Halt, Place};
use crate::time::Time;

impl Engine {
    /// Where few models are active: instants at which a single event-driven model is due and
    /// nothing else, one after the other, at most `most` of them. How many there were.
    pub(super) fn run_sparse(&mut self, limit: Time, most: u32) -> Result<u32, Halt> {
        let end = limit.min(self.calendar.next_time()).min(self.next_action_time());
        for done in 0..most {
            let now = self.queue.next_time();
            if now >= end || now == self.now || self.stopping.is_some() {
                return Ok(done);
            }
            let Some(node) = self.queue.take_single(now, self.nodes.len()) else {
                return Ok(done);
            };
            // The next node's memory comes while this one is dealt with.
            if let Some(next) = self.queue.runner_up().and_then(|n| self.nodes.get(n as usize)) {
                self.warmth ^= next.flags;
            }
            self.sample_before(now);
            (self.now, self.cycle, self.rounds) = (now, 2, 1);
            self.place = Place { round: 0, phase: 1, cycle: 1 };
            self.counters.instants += 1;
            self.output_of(node, now);
            self.transition(node, now, true)?;
            if !self.next_imminent.is_empty() || !self.receivers.is_empty() {
                self.imminent.clear();
                self.transitions(now)?;
                self.cycles(now)?;
            }
            if !self.filled.is_empty() || !self.values.inbox.is_empty() {
                self.end_cycle();
            }
            if self.observation.has_news() && self.show(now)? {
                // A monitor acted: the general way from here.
                self.settle(now)?;
                return Ok(done + 1);
            }
        }
        Ok(most)
    }
}
