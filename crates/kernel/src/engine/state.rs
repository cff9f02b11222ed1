//! What a component or a pipe would have to say to go on elsewhere.

use std::collections::BTreeSet;

use super::{Engine, Node, PipeEnd, Sample};
use crate::checkpoint::{
    ComponentState, LoadError, PipeState, RunAheadState, SaveError, StateReader, StateWriter,
};
use crate::context::OutSlot;
use crate::interpose::Interposed;
use crate::store::{Stamp, flat_bytes};
use crate::time::Time;
use crate::value::DecodeError;

/// The model's state and its outputs at its start, kept for a reset.
#[derive(Clone, Debug, Default)]
pub(crate) struct InitialState {
    pub model: Vec<u8>,
    pub outputs: Vec<Vec<u8>>,
}

impl Engine {
    /// Slots of the signal outputs of a node.
    pub fn signal_slots(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.slots_of(node).filter(|&slot| self.values.outs[slot as usize].is_signal())
    }

    pub fn value_bytes(&self, slot: u32) -> Vec<u8> {
        let out = self.values.outs[slot as usize];
        let mut bytes = Vec::new();
        let store = self.values.stores.get(out.store);
        store.visit_value(out.head, &mut |value| bytes = flat_bytes(value));
        bytes
    }

    /// What the reader behind a pipe sees of a value at the start.
    pub fn first_bytes(&self, slot: u32, pipe: Option<u32>) -> Vec<u8> {
        let selections = pipe.and_then(|pipe| self.pipes[pipe as usize].selections.as_deref());
        let Some(selections) = selections else { return self.value_bytes(slot) };
        let out = self.values.outs[slot as usize];
        let mut bytes = Vec::new();
        let store = self.values.stores.get(out.store);
        store.visit_value(out.head, &mut |value| bytes = selections.first_bytes(value));
        bytes
    }

    /// The state of a node's model.
    pub fn save_model(&self, node: u32, writer: &mut StateWriter) -> Result<(), SaveError> {
        self.nodes[node as usize].model.as_model().save(writer)
    }

    /// Remembers the present state of a node as its initial one.
    pub fn keep_initial(&mut self, node: u32) -> Result<(), SaveError> {
        let mut writer = StateWriter::default();
        self.save_model(node, &mut writer)?;
        let model = writer.into_bytes();
        let outputs = self.signal_slots(node).map(|slot| self.value_bytes(slot)).collect();
        self.initial_states.insert(node, InitialState { model, outputs });
        Ok(())
    }

    /// The state of a node without its model.
    pub fn export(&self, node: u32) -> ComponentState {
        let state = &self.nodes[node as usize];
        let streams = self.streams_of(node);
        let stopped = state.has(Node::STOPPED);
        let run_ahead = self.run_aheads.iter().find(|r| r.node == node);
        ComponentState {
            next: self.queue.time(node),
            last: state.last,
            streams: self.surroundings.streams[streams].to_vec(),
            outputs: self.signal_slots(node).map(|slot| self.value_bytes(slot)).collect(),
            stopped: stopped.then(|| self.stopped.get(&node).copied().unwrap_or_default()),
            periodic: self.calendar.export(node),
            run_ahead: run_ahead.map(|r| RunAheadState {
                clock: r.clock,
                pending: r.pending,
                idle: r.idle,
            }),
            model: None,
            kept: Vec::new(),
            initial: self
                .initial_states
                .get(&node)
                .map(|i| postcard::to_stdvec(&(&i.model, &i.outputs)).unwrap_or_default()),
            digests: self.digests_of(node),
            answered_by: self.answered_by(node),
        }
    }

    /// Lets another provider, which has a replica here, answer a query of a node.
    pub(super) fn bind_query(&mut self, node: u32, query: u16, provider: u32) -> Result<(), ()> {
        let state = &self.nodes[node as usize];
        let counts = self.counts[state.counts as usize];
        let replica = self.replica_of.get(&provider).filter(|_| query < counts.queries).ok_or(())?;
        let slot = state.in_base as usize + counts.first_query() + usize::from(query);
        self.values.ins[slot].value = *replica;
        self.rebound.insert((node, query), provider);
        Ok(())
    }

    /// The queries of a node that an action has bound anew, and the paths of those who answer them.
    fn answered_by(&self, node: u32) -> Vec<(u16, String)> {
        let bound = self.rebound.range((node, 0)..=(node, u16::MAX));
        bound.map(|((_, query), who)| (*query, self.paths.component_path(*who))).collect()
    }

    fn digests_of(&self, node: u32) -> Vec<u64> {
        let slots = self.slots_of(node);
        let ports = self.observation.ports.iter();
        ports.filter(|port| slots.contains(&port.slot)).map(|port| port.digest).collect()
    }

    /// Puts a node into a saved state; clocks of periodic and run-ahead models are set elsewhere.
    pub fn import(&mut self, node: u32, saved: &ComponentState) -> Result<(), LoadError> {
        let wrong = |what: &str| LoadError::Failed(format!("{what} do not fit"));
        if saved.next < self.now {
            return Err(LoadError::Failed("it was due before the checkpoint".into()));
        }
        let state = &mut self.nodes[node as usize];
        state.last = saved.last;
        if let Some(rest) = saved.stopped {
            state.flags |= Node::STOPPED;
            self.stopped.insert(node, rest);
        }
        let streams = self.streams_of(node);
        if saved.streams.len() != streams.len() {
            return Err(wrong("random streams"));
        }
        self.surroundings.streams[streams].clone_from_slice(&saved.streams);
        let slots: Vec<u32> = self.signal_slots(node).collect();
        if slots.len() != saved.outputs.len() {
            return Err(wrong("outputs"));
        }
        for (slot, bytes) in slots.into_iter().zip(&saved.outputs) {
            let out = self.values.outs[slot as usize];
            let loaded = self.values.stores.get_mut(out.store).load_value(out.head, bytes);
            loaded.map_err(|_| wrong("outputs"))?;
        }
        if let Some(bytes) = &saved.initial {
            let (model, outputs) =
                postcard::from_bytes(bytes).map_err(|e| LoadError::Failed(e.to_string()))?;
            self.initial_states.insert(node, InitialState { model, outputs });
        }
        let slots = self.slots_of(node);
        let ports = self.observation.ports.iter_mut().filter(|port| slots.contains(&port.slot));
        for (port, &digest) in ports.zip(&saved.digests) {
            port.digest = digest;
        }
        for (query, provider) in &saved.answered_by {
            let mut replicas = self.replica_of.keys();
            // One that is gone has been replaced by whom the graph names.
            if let Some(&found) = replicas.find(|c| self.paths.component_path(**c) == *provider) {
                self.bind_query(node, *query, found).map_err(|()| wrong("queries"))?;
            }
        }
        if let Some(bytes) = &saved.model {
            let mut reader = StateReader::with_kept(bytes, &saved.kept);
            self.nodes[node as usize].model.as_model_mut().load(&mut reader)?;
            reader.finish()?;
        }
        Ok(())
    }

    /// The kept values of an output port.
    pub fn samples_of(&self, key: (u32, u16)) -> &[Sample] {
        let found = self.sampled().find(|(k, _)| *k == key);
        found
            .map_or(&[], |(_, port)| self.observation.ports[port].samples.as_deref().unwrap_or(&[]))
    }

    /// All kept values, by component and port.
    pub fn take_samples(&mut self) -> Vec<((u32, u16), Vec<Sample>)> {
        let ports: Vec<_> = self.sampled().collect();
        let take = |(key, port): ((u32, u16), usize)| {
            let samples = self.observation.ports[port].samples.as_mut().map(std::mem::take);
            (key, samples.unwrap_or_default())
        };
        ports.into_iter().map(take).collect()
    }

    /// Component and port of each recorded output, and its number among the observed.
    fn sampled(&self) -> impl Iterator<Item = ((u32, u16), usize)> + '_ {
        let ports = self.observation.ports.iter().enumerate();
        ports.filter(|(_, port)| port.samples.is_some()).map(|(number, port)| {
            let node = self.nodes.partition_point(|n| n.out_base <= port.slot) - 1;
            let offset = (port.slot - self.nodes[node].out_base) as u16;
            ((self.paths.component(node as u32), offset), number)
        })
    }

    /// Lets a monitor look at a signal: its slot, and where its value is.
    pub fn watch(&mut self, node: u32, port: u16) -> (u32, (u16, u32)) {
        let slot = self.nodes[node as usize].out_base + u32::from(port);
        let out = &mut self.values.outs[slot as usize];
        out.flags |= OutSlot::MONITORED;
        (slot, (out.store, out.head))
    }

    /// What is in a pipe here. A pipe between partitions has an end in each; both are exported.
    pub fn export_pipe(&self, number: u32) -> Result<PipeState, SaveError> {
        let pipe = &self.pipes[number as usize];
        let mut interposers = Vec::new();
        let mut chain = pipe.interposer.as_deref();
        while let Some(Interposed { interposer, random, next, .. }) = chain {
            let mut writer = StateWriter::default();
            interposer.save(&mut writer)?;
            interposers.push((writer.into_bytes(), random.clone()));
            chain = next.as_deref();
        }
        let here = !matches!(pipe.end, PipeEnd::Remote { .. });
        Ok(PipeState {
            in_flight: self.in_flight(number),
            value: (pipe.signal && here).then(|| self.value_bytes(pipe.slot)),
            interposers,
        })
    }

    pub fn in_flight(&self, number: u32) -> Vec<(Time, Time, u32, u32, Vec<u8>)> {
        let pipe = &self.pipes[number as usize];
        if pipe.shared {
            return Vec::new();
        }
        let items = self.values.stores.get(pipe.store).save_pipe(pipe.typed);
        // Only the order of cycles of one instant matters; their numbers tell of neighbours.
        let cycles: BTreeSet<(Time, u32)> =
            items.iter().map(|(_, stamp, _)| (stamp.sent, stamp.cycle)).collect();
        let flat = |(arrival, stamp, bytes): (Time, Stamp, Vec<u8>)| {
            let earlier = cycles.range((stamp.sent, 0)..(stamp.sent, stamp.cycle)).count();
            (arrival, stamp.sent, earlier as u32, stamp.index, bytes)
        };
        items.into_iter().map(flat).collect()
    }

    /// Fills the far end of a pipe.
    pub fn import_pipe_end(&mut self, number: u32, saved: &PipeState) -> Result<(), DecodeError> {
        let pipe = &self.pipes[number as usize];
        let store = self.values.stores.get_mut(pipe.store);
        for (arrival, sent, cycle, index, bytes) in &saved.in_flight {
            let stamp = Stamp { sent: *sent, cycle: *cycle, index: *index };
            store.load_pipe(pipe.typed, *arrival, stamp, bytes)?;
        }
        if let Some(bytes) = &saved.value {
            let out = self.values.outs[pipe.slot as usize];
            store.load_value(out.head, bytes)?;
        }
        if let PipeEnd::Waking(queued) = pipe.end {
            let arrival = store.next_arrival(pipe.typed);
            self.queue.set(queued, arrival);
        }
        Ok(())
    }

    /// Puts the interposers of a pipe into a saved state.
    pub fn import_interposers(&mut self, number: u32, saved: &PipeState) -> Result<(), LoadError> {
        let mut chain = self.pipes[number as usize].interposer.as_deref_mut();
        for (bytes, random) in &saved.interposers {
            let Some(interposed) = chain else {
                return Err(LoadError::Failed("interposers do not fit".into()));
            };
            let mut reader = StateReader::new(bytes);
            interposed.interposer.load(&mut reader)?;
            reader.finish()?;
            interposed.random = random.clone();
            chain = interposed.next.as_deref_mut();
        }
        Ok(())
    }
}
