//! What happens between the steps of a Runge-Kutta method.

use ironbird_kernel::Time;

use super::OneStep;
use crate::block::{Block, Changes, Edit};
use crate::error::Error;
use crate::events::Crossing;
use crate::trajectory::Trajectory;

impl OneStep {
    /// An input has a new trajectory from `t` on, which ends the present step.
    pub fn set_inputs(&mut self, t: Time, signals: &[(usize, Trajectory)]) {
        for &(input, signal) in signals {
            self.inputs[input] = signal;
        }
        self.cut(t.as_ps());
        self.now = t.as_ps();
        self.unsettled = true;
    }

    /// An event from outside, which ends the present step.
    pub fn disturb<B: Block>(
        &mut self,
        block: &mut B,
        t: Time,
        handler: impl FnOnce(&mut B, &mut Edit<'_>),
    ) -> Result<(), Error> {
        if !self.started {
            self.begin(block)?;
        }
        self.cut(t.as_ps());
        self.now = t.as_ps();
        let changes = self.handled(|edit| handler(block, edit));
        self.apply(changes)?;
        Ok(())
    }

    /// Handles the events that are due at the start of a step, until there are none. Returns
    /// whether one of them was visible.
    pub(super) fn settle<B: Block>(&mut self, block: &mut B) -> Result<bool, Error> {
        let mut visible = false;
        if !self.started {
            self.begin(block)?;
        }
        loop {
            if self.unsettled {
                self.derive(block)?;
                if let Some(crossing) = self.passed(block)? {
                    visible |= self.crossing(block, crossing)?;
                    continue;
                }
                self.unsettled = false;
            }
            let at = Time::from_ps(self.start);
            if block.next_time_event() > at {
                return Ok(visible);
            }
            self.statistics.time_events += 1;
            let changes = self.handled(|edit| block.on_time_event(edit));
            let next = block.next_time_event();
            if next <= at {
                return Err(Error::TimeEventNotLater { at, next });
            }
            self.note_announced(&changes, self.crossings.len());
            visible |= self.apply(changes)?;
        }
    }

    fn begin<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        if let Some(state) = self.x.iter().position(|value| !value.is_finite()) {
            let (value, at) = (self.x[state], Time::from_ps(self.start));
            return Err(Error::StateNotFinite { state, value, at });
        }
        self.derive(block)?;
        for crossing in 0..self.crossings.len() {
            self.crossings[crossing] = Crossing::new(&self.crossing_terms(block, crossing)?);
        }
        self.started = true;
        Ok(())
    }

    /// The first crossing function that has left its side.
    fn passed<B: Block>(&self, block: &B) -> Result<Option<usize>, Error> {
        for (crossing, state) in self.crossings.iter().enumerate() {
            let z = self.crossing_terms(block, crossing)?;
            if state.has_passed(&z, block.watches(crossing)) {
                return Ok(Some(crossing));
            }
        }
        Ok(None)
    }

    /// A crossing function has left its side. Returns whether others can see the event.
    fn crossing<B: Block>(&mut self, block: &mut B, crossing: usize) -> Result<bool, Error> {
        let watched = block.watches(crossing);
        let state = &mut self.crossings[crossing];
        let direction = state.side.departure();
        state.side = state.side.other();
        if !watched.includes(direction) {
            return Ok(false);
        }
        state.count(crossing, Time::from_ps(self.start))?;
        self.statistics.crossings += 1;
        let changes = self.handled(|edit| block.on_crossing(crossing, direction, edit));
        self.note_announced(&changes, crossing);
        let visible = self.apply(changes)?;
        self.derive(block)?;
        let z = self.crossing_terms(block, crossing)?;
        self.crossings[crossing].rearm(&z, watched);
        Ok(visible)
    }

    /// Runs a handler of the block.
    fn handled(&mut self, handler: impl FnOnce(&mut Edit<'_>)) -> Changes {
        let mut changes = std::mem::take(&mut self.changes);
        let now = Time::from_ps(self.start);
        let state = |k: usize| self.x.get(k).copied().unwrap_or(f64::NAN);
        let input = |k: usize| self.inputs.get(k).map_or(f64::NAN, |u| u.at(now));
        handler(&mut Edit::new(now, &state, &input, &mut changes));
        changes
    }

    fn note_announced(&mut self, changes: &Changes, number: usize) {
        if changes.visible {
            self.announced.push(number as u32);
        }
    }

    /// Carries out what a handler changed. Returns whether others can see the event.
    fn apply(&mut self, changes: Changes) -> Result<bool, Error> {
        for &(state, value) in &changes.resets {
            let states = self.x.len();
            let slot = self.x.get_mut(state).ok_or(Error::UnknownState { state, states })?;
            if !value.is_finite() {
                let at = Time::from_ps(self.start);
                return Err(Error::StateNotFinite { state, value, at });
            }
            *slot = value;
        }
        self.derived = false;
        self.unsettled = true;
        // After a discontinuity the length of the last step means nothing.
        self.controller.step = None;
        let visible = changes.visible;
        self.changes = changes;
        Ok(visible)
    }
}
