//! What ends a part of a step: surfaces that meet, and sliding contacts that come to stand.

use super::find::Found;
use super::opening::{State, size};
use super::part::Room;

impl Room {
    /// The time of the first event in a part of `span` seconds.
    pub fn next_event(&self, span: f64) -> Option<f64> {
        let times = (0..self.own.len()).filter_map(|number| {
            let state = &self.states[number];
            if state.open {
                self.closes(number, span, 0.0)
            } else if state.slides {
                self.stands(number, span)
            } else {
                None
            }
        });
        times.min_by(f64::total_cmp)
    }

    /// When an open contact closes, if it will have come in by more than `depth` meanwhile.
    pub fn closes(&self, number: usize, span: f64, depth: f64) -> Option<f64> {
        let State { gap, start, speed, open, .. } = self.states[number];
        // It may dip in and come out again, where a body turns quickly.
        let end = gap + 0.5 * span * self.solver.ended(number)[0];
        let (until, reached) = if end < -depth { (span, end) } else { (0.5 * span, gap) };
        if !open || reached >= -depth {
            return None;
        }
        // g(t) = g⁰ + w t + a t² / 2, with g⁰ not below zero.
        let start = start.max(0.0);
        let acceleration = 2.0 * ((reached - start) / until - speed) / until;
        let root = (speed * speed - 2.0 * acceleration * start).max(0.0).sqrt();
        let time =
            if speed > 0.0 { -(speed + root) / acceleration } else { 2.0 * start / (root - speed) };
        (time < span * (1.0 - 1e-6)).then_some(time.max(1e-6 * span))
    }

    /// When a sliding contact comes to stand.
    fn stands(&self, number: usize, span: f64) -> Option<f64> {
        let State { begun, freed, .. } = self.states[number];
        let ended = self.solver.ended(number);
        // How the slip would change with all of the friction.
        let part = self.used(number)?;
        let change = [1, 2].map(|row| (freed[row] - begun[row]) + (ended[row] - freed[row]) / part);
        let [x, y] = [begun[1], begun[2]];
        let time =
            -(x * change[0] + y * change[1]) / (change[0] * change[0] + change[1] * change[1]);
        let least = size([x + time * change[0], y + time * change[1]]);
        let near = self.solver.sticks(number) || least < 0.5 * size([x, y]);
        (near && time > 0.0 && time < 1.0 - 1e-6).then_some(span * time.max(1e-6))
    }

    /// What part of the friction between two bodies that slide is used: less than one where they would come to stand
    /// before the part of the step ends. By the power of all their contacts, as they may also pull against each other.
    fn used(&self, number: usize) -> Option<f64> {
        let Found { a, b, .. } = self.own[number];
        let (mut used, mut limit) = (0.0, 0.0);
        for (other, contact) in self.own.iter().enumerate() {
            let State { begun: [_, x, y], slides, .. } = self.states[other];
            if slides && contact.a == a && contact.b == b {
                let [pressed, first, second] = self.solver.impulse(other);
                used -= first * x + second * y;
                limit += contact.surface.friction * pressed * size([x, y]);
            }
        }
        (used > 1e-9 * limit).then(|| used / limit)
    }
}
