//! Discrete events of a quantized state system: inputs, zero crossings, time events.
//!
//! Crossing functions are evaluated along x: it is continuous and one degree higher than q, so that
//! a crossing of a state whose trajectory is exact is found to the picosecond. The exception are
//! states that LIQSS treats implicitly (df_i/dx_i < 0). There x may rest anywhere within the quantum
//! of where it belongs, while q is where it belongs, and is what the crossing function gets.

use ironbird_kernel::Time;

use super::quantizer::Quantizer;
use super::{Cell, Qss, Quantized};
use crate::block::{Block, Changes, Edit, Function, Point};
use crate::error::Error;
use crate::number::{Flow, Number};
use crate::roots::{first_fall, leave_band};
use crate::series::Series;
use crate::trajectory::{Trajectory, evaluate, instant_after, seconds, shift};

/// The state trajectories at one instant.
struct Trajectories<'a> {
    now: u64,
    cells: &'a [Cell],
    quantized: &'a [Quantized],
    inputs: &'a [Trajectory],
}

impl Point<Series<4>> for Trajectories<'_> {
    fn x(&self, state: usize) -> Series<4> {
        match self.cells.get(state) {
            Some(cell) if cell.slope < 0.0 => Flow::along(self.quantized[state].from(self.now, 3)),
            Some(cell) => Flow::along(shift(cell.x, seconds(cell.start, self.now))),
            None => Number::constant(f64::NAN),
        }
    }
    fn u(&self, input: usize) -> Series<4> {
        match self.inputs.get(input) {
            Some(signal) => Flow::along(signal.from(Time::from_ps(self.now)).coefficients),
            None => Number::constant(f64::NAN),
        }
    }
    fn time(&self) -> Series<4> {
        Flow::along([Time::from_ps(self.now).as_secs_f64(), 1.0, 0.0, 0.0])
    }
}

impl Qss {
    /// Inputs have new trajectories from `t` on.
    pub(super) fn feel_inputs<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        t: u64,
        changed: &[(usize, Trajectory)],
    ) -> Result<(), Error> {
        self.now = t;
        for (input, _) in changed {
            self.expand_input::<M>(*input);
        }
        self.touched.clear();
        for (input, _) in changed {
            self.touched.extend(self.influence.crossings_of_input.list(*input));
        }
        self.evaluate_derivatives_of_inputs::<B, M>(block, changed.iter().map(|(input, _)| *input))
    }

    /// Expands an input anew, and evaluates the derivatives that read it.
    pub(super) fn quantize_input<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        input: usize,
    ) -> Result<(), Error> {
        self.expand_input::<M>(input);
        self.evaluate_derivatives_of_inputs::<B, M>(block, std::iter::once(input))
    }

    fn evaluate_derivatives_of_inputs<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        inputs: impl Iterator<Item = usize>,
    ) -> Result<(), Error> {
        let mut group = std::mem::take(&mut self.group);
        for input in inputs {
            group.extend(self.influence.derivatives_of_input.list(input));
        }
        group.sort_unstable();
        group.dedup();
        if !self.crossings.is_empty() {
            for &state in &group {
                self.touch_crossings_of(state);
            }
        }
        if Self::shares::<B, M>(block) {
            self.evaluate_group::<B, M>(block, &mut group)?;
        } else {
            for &state in &group {
                self.evaluate::<B, M>(block, state)?;
                self.schedule::<B, M>(block, state);
            }
            group.clear();
            self.group = group;
        }
        self.refresh_touched_crossings(block)
    }

    /// An input may have more terms than a method's q: it is cut off, and expanded again when what
    /// was cut off amounts to a quantum.
    pub(super) fn expand_input<M: Quantizer>(&mut self, input: usize) {
        let c = self.inputs[input].from(Time::from_ps(self.now)).coefficients;
        let quantum = self.settings.absolute.max(self.settings.relative * c[0].abs());
        let mut q = [0.0; 3];
        let mut rest = c;
        for k in 0..M::ORDER {
            q[k] = c[k];
            rest[k] = 0.0;
        }
        self.quantized_inputs[input] = Quantized { start: self.now, q };
        let due = if self.cells.is_empty() {
            // Nobody but crossing functions reads it, and they see all its terms.
            Time::NEVER.as_ps()
        } else {
            instant_after(self.now, leave_band(&rest, quantum)).max(self.now + 1)
        };
        self.next.set(self.cells.len() + input, due);
    }

    /// The Taylor terms of a crossing function, now.
    pub(super) fn crossing_terms<B: Block>(
        &self,
        block: &B,
        crossing: usize,
    ) -> Result<[f64; 4], Error> {
        let point = Trajectories {
            now: self.now,
            cells: &self.cells,
            quantized: &self.quantized,
            inputs: &self.inputs,
        };
        let z = block.crossing(crossing, &point).coefficients();
        match z.into_iter().find(|term| !term.is_finite()) {
            None => Ok(z),
            Some(value) => {
                let function = Function::Crossing(crossing);
                Err(Error::NotFinite { function, value, at: self.now() })
            }
        }
    }

    /// Works out when a crossing function that moves as `z` leaves its side.
    pub(super) fn schedule_crossing<B: Block>(&mut self, block: &B, crossing: usize, z: &[f64; 4]) {
        let state = &self.crossings[crossing];
        let source = self.cells.len() + self.inputs.len() + crossing;
        if state.has_passed(z, block.watches(crossing)) {
            self.next.set(source, self.now);
            return;
        }
        let sign = state.side.sign();
        let mut fall = first_fall(&z.map(|term| term * sign));
        if fall.is_infinite() && state.is_returning(z, block.watches(crossing)) {
            // It turns round before it gets back to zero: stay close to it.
            fall = 1e-12;
        }
        let due = instant_after(self.now, fall.min(trusted(z))).max(self.now + 1);
        self.next.set(source, due.min(self.now.saturating_add(self.settings.max_step.as_ps())));
    }

    /// Evaluates the crossing functions that read state `i` or a state whose derivative reads it.
    pub(super) fn crossings_of_changed_states<B: Block>(
        &mut self,
        block: &B,
        i: usize,
    ) -> Result<(), Error> {
        self.touch_crossings_of(i);
        for position in self.influence.derivatives_of_state.range(i) {
            self.touch_crossings_of(self.influence.derivatives_of_state.item(position));
        }
        self.refresh_touched_crossings(block)
    }

    fn touch_crossings_of(&mut self, state: usize) {
        self.touched.extend(self.influence.crossings_of_state.list(state));
    }

    fn refresh_touched_crossings<B: Block>(&mut self, block: &B) -> Result<(), Error> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        for &crossing in &touched {
            let z = self.crossing_terms(block, crossing)?;
            self.schedule_crossing(block, crossing, &z);
        }
        touched.clear();
        self.touched = touched;
        Ok(())
    }

    /// A crossing function was expected to pass through zero about now.
    pub(super) fn check_crossing<B: Block, M: Quantizer>(
        &mut self,
        block: &mut B,
        crossing: usize,
    ) -> Result<bool, Error> {
        let z = self.crossing_terms(block, crossing)?;
        let watched = block.watches(crossing);
        let state = &mut self.crossings[crossing];
        if !state.has_passed(&z, watched) {
            self.schedule_crossing(block, crossing, &z);
            return Ok(false);
        }
        let direction = state.side.departure();
        state.side = state.side.other();
        if !watched.includes(direction) {
            self.adopt_quantized::<B, M>(block, crossing);
            self.schedule_crossing(block, crossing, &z);
            return Ok(false);
        }
        state.count(crossing, Time::from_ps(self.now))?;
        self.statistics.crossings += 1;
        self.adopt_quantized::<B, M>(block, crossing);
        let changes = self.handled(|edit| block.on_crossing(crossing, direction, edit));
        self.note_announced(&changes, crossing);
        self.apply::<B, M>(block, changes, Some(crossing))
    }

    /// Where a crossing function saw q, x takes the value of q, which is within the quantum: what
    /// happens next must start from what was seen, or it would undo the crossing at once.
    fn adopt_quantized<B: Block, M: Quantizer>(&mut self, block: &B, crossing: usize) {
        for k in 0..self.influence.states_of_crossing(crossing).len() {
            let state = self.influence.states_of_crossing(crossing)[k] as usize;
            let cell = &mut self.cells[state];
            if cell.slope < 0.0 {
                cell.x = shift(cell.x, seconds(cell.start, self.now));
                cell.start = self.now;
                cell.x[0] = self.quantized[state].from(self.now, M::ORDER)[0];
                self.schedule::<B, M>(block, state);
            }
        }
    }

    /// The time event of the block is due.
    pub(super) fn time_event<B: Block, M: Quantizer>(
        &mut self,
        block: &mut B,
    ) -> Result<bool, Error> {
        self.statistics.time_events += 1;
        let changes = self.handled(|edit| block.on_time_event(edit));
        let (at, next) = (self.now(), block.next_time_event());
        if next <= at {
            return Err(Error::TimeEventNotLater { at, next });
        }
        self.note_announced(&changes, self.crossings.len());
        self.apply::<B, M>(block, changes, None)
    }

    /// An event from outside.
    pub(super) fn outside_event<B: Block, M: Quantizer>(
        &mut self,
        block: &mut B,
        t: u64,
        handler: impl FnOnce(&mut B, &mut Edit<'_>),
    ) -> Result<(), Error> {
        if !self.started {
            self.begin::<B, M>(block)?;
        }
        self.now = t;
        let changes = self.handled(|edit| handler(block, edit));
        self.apply::<B, M>(block, changes, None)?;
        Ok(())
    }

    pub(super) fn schedule_time_event<B: Block>(&mut self, block: &B) {
        let source = self.cells.len() + self.inputs.len() + self.crossings.len();
        self.next.set(source, block.next_time_event().as_ps().max(self.now));
    }

    /// Runs a handler of the block.
    fn handled(&mut self, handler: impl FnOnce(&mut Edit<'_>)) -> Changes {
        let mut changes = std::mem::take(&mut self.changes);
        let now = Time::from_ps(self.now);
        let state = |k: usize| {
            self.cells.get(k).map_or(f64::NAN, |c| evaluate(&c.x, seconds(c.start, self.now)))
        };
        let input = |k: usize| self.inputs.get(k).map_or(f64::NAN, |u| u.at(now));
        handler(&mut Edit::new(now, &state, &input, &mut changes));
        changes
    }

    fn note_announced(&mut self, changes: &Changes, number: usize) {
        if changes.visible {
            self.announced.push(number as u32);
        }
    }

    /// Carries out what a handler changed. Returns whether the event is visible.
    fn apply<B: Block, M: Quantizer>(
        &mut self,
        block: &B,
        changes: Changes,
        fired: Option<usize>,
    ) -> Result<bool, Error> {
        let mut dirty: Vec<usize> = Vec::new();
        let resets: Vec<usize> = changes.resets.iter().map(|(state, _)| *state).collect();
        self.check_indices(&resets, &[])?;
        for &(state, value) in &changes.resets {
            self.reset::<M>(state, value)?;
            dirty.push(state);
        }
        let mut crossings: Vec<usize> = fired.into_iter().collect();
        match &changes.affected {
            None => {
                self.trace_all(block)?;
                dirty = (0..self.cells.len()).collect();
                crossings = (0..self.crossings.len()).collect();
            }
            Some((derivatives, functions)) => {
                self.check_indices(derivatives, functions)?;
                let traced = derivatives.iter().map(|k| Function::Derivative(*k));
                let also = functions.iter().chain(&fired).map(|k| Function::Crossing(*k));
                self.trace(block, traced.chain(also))?;
                for &(state, _) in &changes.resets {
                    dirty.extend(self.influence.derivatives_of_state.list(state));
                }
                dirty.extend(derivatives);
                crossings.extend(functions);
                dirty.sort_unstable();
                dirty.dedup();
                for &state in &dirty {
                    crossings.extend(self.influence.crossings_of_state.list(state));
                }
                crossings.sort_unstable();
                crossings.dedup();
            }
        }
        for &state in &dirty {
            let before = self.cells[state];
            self.evaluate::<B, M>(block, state)?;
            self.schedule::<B, M>(block, state);
            if self.is_shaken(state, &before) {
                self.next.set(state, self.now);
            }
        }
        let mut visible = changes.visible;
        for &(state, _) in &changes.resets {
            self.next.set(state, self.now);
            visible |= self.watched[state];
        }
        for &crossing in &crossings {
            let z = self.crossing_terms(block, crossing)?;
            if fired == Some(crossing) {
                self.crossings[crossing].rearm(&z, block.watches(crossing));
            }
            self.schedule_crossing(block, crossing, &z);
        }
        self.schedule_time_event(block);
        self.changes = changes;
        Ok(visible)
    }

    /// Whether a discrete event has changed a right-hand side so much that a tenth of a quantum would
    /// come together within a usual step: then the quantized trajectory, which was chosen for the
    /// old one, is chosen anew.
    fn is_shaken(&self, state: usize, before: &Cell) -> bool {
        let cell = &self.cells[state];
        let expected = shift(before.x, seconds(before.start, self.now))[1];
        let jump = (cell.x[1] - expected).abs();
        let stiffening = (cell.slope - before.slope).abs();
        if cell.stride == 0.0 {
            return jump > 0.0;
        }
        jump * cell.stride > 0.1 * cell.quantum || stiffening * cell.stride > 0.1
    }

    /// Makes a state jump.
    fn reset<M: Quantizer>(&mut self, state: usize, value: f64) -> Result<(), Error> {
        let now = self.now;
        let cell = &mut self.cells[state];
        if !value.is_finite() {
            return Err(Error::StateNotFinite { state, value, at: Time::from_ps(now) });
        }
        cell.x = shift(cell.x, seconds(cell.start, now));
        cell.x[0] = value;
        cell.start = now;
        let slope = if M::ORDER > 1 { cell.x[1] } else { 0.0 };
        self.quantized[state] = Quantized { start: now, q: [value, slope, 0.0] };
        Ok(())
    }

    fn check_indices(&self, states: &[usize], crossings: &[usize]) -> Result<(), Error> {
        let (known, functions) = (self.cells.len(), self.crossings.len());
        if let Some(&state) = states.iter().find(|k| **k >= known) {
            return Err(Error::UnknownState { state, states: known });
        }
        if let Some(&crossing) = crossings.iter().find(|k| **k >= functions) {
            return Err(Error::UnknownCrossing { crossing, crossings: functions });
        }
        Ok(())
    }
}

/// How long the Taylor terms of a crossing function can be relied upon: until the last of them is
/// half as large as the largest of the others. Without a last term they are taken to be exact.
fn trusted(z: &[f64; 4]) -> f64 {
    let last = 2.0 * z[3].abs();
    if last == 0.0 {
        return f64::INFINITY;
    }
    let by_value = libm::cbrt(z[0].abs() / last);
    let by_slope = (z[1].abs() / last).sqrt();
    by_value.max(by_slope).max(z[2].abs() / last)
}
