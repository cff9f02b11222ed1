//! Taps of a partition: chosen outputs, collected in batches for a sink.
//!
//! A signal holds its value between two instants. So a sample at T is taken when the engine is about
//! to go beyond T: sampling makes no instants of its own and cannot change a run.

use std::sync::Arc;

use super::Engine;
use crate::context::OutSlot;
use crate::store::Stores;
use crate::stream::{Batch, Sink};
use crate::time::{Duration, Grid, Time};
use crate::value::{AnyValue, Wire};

/// A batch of this many bytes is worth handing over.
const WORTHWHILE: usize = 32 * 1024;

/// Signals that are sampled at the ticks of one grid.
struct Sampled {
    grid: Grid,
    tick: u64,
    time: Time,
    /// The time between ticks, where it is a whole number of picoseconds.
    period: Option<Duration>,
    /// Number, store and value of each tap.
    members: Vec<(u32, u16, u32)>,
}

/// All taps of a partition.
pub(crate) struct Taps {
    sink: Option<Arc<dyn Sink>>,
    partition: usize,
    partitions: usize,
    /// Slot and number of each tap that takes every write, by slot.
    written: Vec<(u32, u32)>,
    sampled: Vec<Sampled>,
    /// Taps of signals whose first value is taken if nobody writes them in the first instant, and
    /// that instant.
    first: Vec<(u32, u32)>,
    start: Time,
    /// Where something is to be taken next without being written.
    pub(super) next: Time,
    batch: Batch,
    wire: Wire,
}

impl Default for Taps {
    fn default() -> Self {
        Taps {
            sink: None,
            partition: 0,
            partitions: 1,
            written: Vec::new(),
            sampled: Vec::new(),
            first: Vec::new(),
            start: Time::ZERO,
            next: Time::NEVER,
            batch: Batch::default(),
            wire: Wire::canonical(),
        }
    }
}

impl Taps {
    pub fn new(sink: Arc<dyn Sink>, partition: usize, partitions: usize, start: Time) -> Self {
        Taps { sink: Some(sink), partition, partitions, start, ..Taps::default() }
    }

    /// Whether there is enough to hand over.
    pub fn wants_hand_over(&self) -> bool {
        self.batch.bytes.len() >= WORTHWHILE || self.batch.taken.len() >= WORTHWHILE / 8
    }

    /// Taps whose first value is still to be taken.
    pub fn pending(&self) -> impl Iterator<Item = u32> + '_ {
        self.first.iter().map(|&(_, tap)| tap)
    }

    fn take(&mut self, time: Time, tap: u32, value: &dyn AnyValue) {
        let Taps { wire, batch, .. } = self;
        wire.clear();
        value.encode_to(wire);
        batch.push(time, tap, |bytes| wire.append_to(bytes));
    }

    /// The taps that take every write of a slot.
    fn of_slot(&self, slot: u32) -> std::ops::Range<usize> {
        let start = self.written.partition_point(|&(s, _)| s < slot);
        let length = self.written[start..].iter().take_while(|&&(s, _)| s == slot).count();
        start..start + length
    }

    /// Takes a value that was written, or a message that was sent.
    pub fn note(&mut self, now: Time, slot: u32, value: &dyn AnyValue) {
        for index in self.of_slot(slot) {
            let (_, tap) = self.written[index];
            self.take(now, tap, value);
        }
    }

    /// Takes note that a monitor responded.
    pub fn note_response(&mut self, now: Time, number: u32) {
        if self.sink.is_some() {
            self.batch.push(now, number, |_| ());
        }
    }

    fn sample_before(&mut self, stores: &Stores, outs: &[OutSlot], limit: Time) {
        if self.start < limit {
            for (slot, tap) in std::mem::take(&mut self.first) {
                // All that was taken so far was taken at the start.
                if !self.batch.taken.iter().any(|taken| taken.tap == tap) {
                    let out = outs[slot as usize];
                    let store = stores.get(out.store);
                    store.visit_value(out.head, &mut |value| self.take(self.start, tap, value));
                }
            }
        }
        loop {
            let (mut due, mut first) = (Time::NEVER, 0);
            for (index, group) in self.sampled.iter().enumerate() {
                if group.time < due {
                    (due, first) = (group.time, index);
                }
            }
            self.next = due;
            if due >= limit {
                return;
            }
            let members = std::mem::take(&mut self.sampled[first].members);
            for &(tap, store, value) in &members {
                stores.get(store).visit_value(value, &mut |value| self.take(due, tap, value));
            }
            let group = &mut self.sampled[first];
            group.members = members;
            group.tick += 1;
            group.time = match group.period {
                Some(period) => group.time + period,
                None => group.grid.tick(group.tick),
            };
        }
    }

    /// Nothing before `horizon` will be taken back: it goes to the sink.
    fn hand_over(&mut self, horizon: Time) {
        let Some(sink) = &self.sink else { return };
        let settled = self.batch.taken.partition_point(|taken| taken.time < horizon);
        let rest = self.batch.split_off(settled);
        let batch = std::mem::replace(&mut self.batch, rest);
        // The next is likely to be as large.
        self.batch.taken.reserve(batch.taken.len());
        self.batch.bytes.reserve(batch.bytes.len());
        sink.take(self.partition, self.partitions, batch, horizon);
    }

    /// Takes back everything at `start` and later.
    fn discard_from(&mut self, start: Time) {
        let kept = self.batch.taken.partition_point(|taken| taken.time < start);
        self.batch.split_off(kept);
    }
}

impl Engine {
    /// Takes what is to be sampled before `limit`: nothing will be written before it any more.
    #[inline]
    pub(super) fn sample_before(&mut self, limit: Time) {
        if self.taps.next < limit {
            self.taps.sample_before(&self.values.stores, &self.values.outs, limit);
        }
    }

    /// Gives everything before `horizon`, which will not be taken back, to the sink.
    pub fn hand_over(&mut self, horizon: Time) {
        self.sample_before(horizon);
        self.taps.hand_over(horizon);
    }

    /// Digests, samples and taps forget everything at `start` and later.
    pub fn discard_from(&mut self, start: Time) {
        self.observation.discard_from(start);
        self.taps.discard_from(start);
    }

    /// Lets a tap take every write of an output; `fresh` if nobody has taken its first value yet.
    pub fn tap_writes(&mut self, tap: u32, node: u32, port: u16, fresh: bool) {
        let slot = self.nodes[node as usize].out_base + u32::from(port);
        let out = &mut self.values.outs[slot as usize];
        out.flags |= OutSlot::OBSERVED;
        if out.is_signal() && fresh {
            self.taps.first.push((slot, tap));
            self.taps.next = self.taps.start;
        }
        let place = self.taps.written.partition_point(|&other| other < (slot, tap));
        self.taps.written.insert(place, (slot, tap));
    }

    /// Lets a tap take the value of a signal at the ticks of a grid.
    pub fn tap_at_ticks(&mut self, tap: u32, node: u32, port: u16, grid: Grid) {
        let slot = self.nodes[node as usize].out_base + u32::from(port);
        let out = self.values.outs[slot as usize];
        let member = (tap, out.store, out.head);
        if let Some(group) = self.taps.sampled.iter_mut().find(|group| group.grid == grid) {
            group.members.push(member);
            return;
        }
        let tick = grid.first_tick_from(self.taps.start);
        let (time, period) = (grid.tick(tick), grid.rate.exact_period());
        self.taps.sampled.push(Sampled { grid, tick, time, period, members: vec![member] });
        self.taps.next = self.taps.next.min(time);
    }
}
