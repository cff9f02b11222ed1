//! Phase 4: digests, samples and monitors read settled values.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::actions::PlannedAction;
use super::{Engine, Halt};
use crate::context::OutSlot;
use crate::monitor::{Condition, Readings};
use crate::store::{Stores, flat_bytes};
use crate::time::Time;
use crate::value::{AnyValue, Wire};

/// A recorded value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    pub time: Time,
    pub bytes: Vec<u8>,
}

/// An output port that somebody looks at.
pub(crate) struct ObservedPort {
    pub slot: u32,
    /// Hash of all that was sent so far, with times.
    pub digest: u64,
    pub samples: Option<Vec<Sample>>,
}

pub(crate) struct LocalMonitor {
    pub name: String,
    /// Its number in the stream of taps.
    pub number: u32,
    pub condition: Condition,
    /// Slot, store and number of each watched value.
    pub slots: Vec<u32>,
    pub places: Vec<(u16, u32)>,
    /// `None`: the run stops.
    pub actions: Option<Vec<PlannedAction>>,
    pub held: bool,
}

/// All that looks at the values of a partition.
#[derive(Default)]
pub(crate) struct Observation {
    /// By slot.
    pub ports: Vec<ObservedPort>,
    pub monitors: Vec<LocalMonitor>,
    /// Signals written in this round.
    touched: Vec<u32>,
    /// Digests before each change, newest last: (time, port, digest).
    undo: Vec<(Time, u32, u64)>,
    undo_limit: usize,
    wire: Wire,
    bytes: Vec<u8>,
}

impl Observation {
    pub fn new(ports: Vec<ObservedPort>) -> Self {
        let wire = Wire::canonical();
        let undo_limit = 4_096;
        Observation { ports, undo_limit, wire, ..Observation::default() }
    }

    /// Whether signals that somebody looks at were written.
    #[inline]
    pub fn has_news(&self) -> bool {
        !self.touched.is_empty()
    }

    fn port_of(&self, slot: u32) -> Option<usize> {
        self.ports.binary_search_by_key(&slot, |port| port.slot).ok()
    }

    fn take(&mut self, port: usize, now: Time, value: &dyn AnyValue) {
        self.wire.clear();
        value.encode_to(&mut self.wire);
        self.bytes.clear();
        self.bytes.extend_from_slice(&now.as_ps().to_le_bytes());
        self.wire.flatten(&mut self.bytes);
        let entry = &mut self.ports[port];
        self.undo.push((now, port as u32, entry.digest));
        entry.digest = xxh3_64_with_seed(&self.bytes, entry.digest);
        if let Some(samples) = &mut entry.samples {
            samples.push(Sample { time: now, bytes: flat_bytes(value) });
        }
    }

    /// Whether it is worth finding out what will not be taken back.
    pub fn wants_commit(&self) -> bool {
        self.undo.len() >= self.undo_limit
    }

    /// Nothing before `horizon` will be taken back.
    pub fn commit(&mut self, horizon: Time) {
        let keep = self.undo.partition_point(|&(time, ..)| time < horizon);
        self.undo.drain(..keep);
        self.undo_limit = (2 * self.undo.len()).max(4_096);
    }

    /// Takes back everything at `start` and later.
    pub fn discard_from(&mut self, start: Time) {
        while let Some(&(time, port, digest)) = self.undo.last()
            && time >= start
        {
            self.ports[port as usize].digest = digest;
            self.undo.pop();
        }
        for samples in self.ports.iter_mut().filter_map(|port| port.samples.as_mut()) {
            samples.truncate(samples.partition_point(|sample| sample.time < start));
        }
    }
}

impl Engine {
    /// Notes a write to an observed port: a message at once, a signal when the instant has settled.
    #[cold]
    pub(super) fn note(&mut self, number: u32, slot: &OutSlot, now: Time) {
        let Engine { observation, values, taps, .. } = self;
        if slot.is_signal() {
            observation.touched.push(number);
        } else {
            let port = observation.port_of(number);
            values.stores.get(slot.store).visit_messages(slot.head, &mut |value| {
                taps.note(now, number, value);
                if let Some(port) = port {
                    observation.take(port, now, value);
                }
            });
        }
    }

    /// Phase 4. Whether a monitor acted, so that another round is due.
    pub(super) fn observe(&mut self, now: Time) -> Result<bool, Halt> {
        if !self.observation.has_news() {
            return Ok(false);
        }
        let mut touched = std::mem::take(&mut self.observation.touched);
        touched.sort_unstable();
        touched.dedup();
        for &number in &touched {
            let slot = self.values.outs[number as usize];
            if slot.flags & OutSlot::OBSERVED == 0 {
                continue;
            }
            let port = self.observation.port_of(number);
            let Engine { observation, values, taps, .. } = self;
            values.stores.get(slot.store).visit_value(slot.head, &mut |value| {
                taps.note(now, number, value);
                if let Some(port) = port {
                    observation.take(port, now, value);
                }
            });
        }
        // All look before any of them acts: what one does is not settled yet.
        let has_news = |monitor: &LocalMonitor| {
            monitor.slots.iter().any(|slot| touched.binary_search(slot).is_ok())
        };
        let mut become_true = Vec::new();
        for index in 0..self.observation.monitors.len() {
            if has_news(&self.observation.monitors[index]) && self.look(index, now) {
                become_true.push(index);
            }
        }
        let mut acted = false;
        for index in become_true {
            let monitor = &mut self.observation.monitors[index];
            self.taps.note_response(now, monitor.number);
            let Some(actions) = monitor.actions.take() else {
                // The instant is finished first; of several monitors, the first by name counts.
                let name = monitor.name.clone();
                let earlier = self.stopping.take().map(|(_, other)| other);
                let first = earlier.map_or(name.clone(), |other| other.min(name));
                self.stopping = Some((now, first));
                continue;
            };
            for action in &actions {
                self.apply(action, now)?;
            }
            self.observation.monitors[index].actions = Some(actions);
            acted = true;
        }
        // What the actions wrote belongs to the next round.
        touched.clear();
        touched.append(&mut self.observation.touched);
        self.observation.touched = touched;
        Ok(acted)
    }

    /// Whether the condition of a monitor has become true.
    fn look(&mut self, index: usize, now: Time) -> bool {
        let stores: &Stores = &self.values.stores;
        let monitor = &mut self.observation.monitors[index];
        self.looking = Some(index);
        let holds = (monitor.condition)(&Readings { now, stores, places: &monitor.places });
        self.looking = None;
        !std::mem::replace(&mut monitor.held, holds) && holds
    }
}

/// One hash of the digests of many ports, in path order.
pub(crate) fn combine(digests: impl Iterator<Item = u64>) -> u64 {
    let bytes: Vec<u8> = digests.flat_map(u64::to_le_bytes).collect();
    xxh3_64(&bytes)
}
