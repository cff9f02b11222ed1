//! Flat links as routes inside a partition, and as pipes where a reader does not see a value at once.

use super::assemble::{Fabric, LinkKey, Sites};
use super::build::Builder;
use super::{Node, Pipe, PipeEnd, Route, RouteKind};
use crate::context::OutSlot;
use crate::flatten::{Flat, FlatLink};
use crate::graph::Graph;
use crate::interpose::Interposed;
use crate::port::{PortKind, PortType};
use crate::random::RandomStream;
use crate::selection::Selections;
use crate::store::{NONE, flat_bytes};
use crate::time::Duration;

/// Why decoding cannot fail.
const JUST_WRITTEN: &str = "a value that was just written can be read";

impl Pipe {
    /// Another way into the same queue.
    fn shared_end(&self, link: usize, key: LinkKey) -> Pipe {
        Pipe { interposer: None, selections: None, shared: true, link: link as u32, key, ..*self }
    }
}

/// Turns flat links into routes and pipes.
pub(super) struct Linker<'a> {
    pub graph: &'a Graph,
    pub flat: &'a Flat,
    pub sites: &'a mut Sites,
    pub fabric: &'a mut Fabric,
    pub keys: &'a [LinkKey],
    /// Nodes of each partition.
    pub sizes: &'a [u32],
    pub seed: crate::random::Seed,
}

impl Linker<'_> {
    pub fn link(&mut self, builders: &mut [Builder], number: usize) {
        let link = self.flat.links[number];
        let (source_partition, source) = self.sites.nodes[link.from as usize];
        let (partition, target) = self.sites.nodes[link.to as usize];
        let spec =
            &self.graph.layout_of(self.flat.nodes[link.to as usize]).inputs[link.to_port as usize];
        let signal = spec.kind == PortKind::Signal;
        let near = &mut builders[source_partition as usize];
        let source_slot = near.nodes[source as usize].out_base + u32::from(link.from_port);
        let source_out = near.values.outs[source_slot as usize];
        let target_node = &builders[partition as usize].nodes[target as usize];
        let periodic = target_node.has(Node::PERIODIC);
        let wakes = !periodic && (!signal || spec.wakes || target_node.has(Node::RUN_AHEAD));

        if link.is_immediate() && link.chain == 0 && (signal || wakes) {
            let in_slot = target_node.in_base + u32::from(link.to_port);
            let near = &mut builders[source_partition as usize];
            if signal {
                near.values.ins[in_slot as usize].value = source_out.head;
            }
            if wakes {
                let route = Route { target, port: link.to_port, kind: RouteKind::Bag };
                near.routes.push((source_slot, route));
            }
            return;
        }
        let first_value = signal.then(|| {
            let store = builders[source_partition as usize].values.stores.get(source_out.store);
            let selections = self.selections(&link);
            let mut bytes = Vec::new();
            store.visit_value(source_out.head, &mut |value| {
                bytes = match &selections {
                    None => flat_bytes(value),
                    Some(selections) => selections.first_bytes(value),
                };
            });
            bytes
        });
        let local = source_partition == partition;
        let far = &mut builders[partition as usize];
        let mut end = match self.twin(number) {
            Some(twin) if !local => {
                self.sites.far_pipes[number] = Some((partition, twin));
                None
            }
            Some(twin) => Some(far.pipes[twin as usize].shared_end(number, self.keys[number])),
            None => {
                let mut pipe = self.far_end(far, number, wakes, signal);
                if let Some(bytes) = first_value {
                    let store = far.values.stores.get_mut(pipe.store);
                    let head = store.add_decoded(&bytes).expect(JUST_WRITTEN);
                    far.values.outs[pipe.slot as usize].head = head;
                    let in_slot = far.nodes[target as usize].in_base + u32::from(link.to_port);
                    far.values.ins[in_slot as usize].value = head;
                }
                pipe.latency = link.latency;
                Some(pipe)
            }
        };
        if local && let Some(pipe) = &mut end {
            pipe.source = source_slot;
            pipe.latency = link.latency;
            pipe.interposer = self.interposer(&link);
            pipe.selections = self.selections(&link);
        }
        if let Some(pipe) = end {
            let number_here = far.pipes.len() as u32;
            far.pipes.push(pipe);
            self.sites.far_pipes[number] = Some((partition, number_here));
            if local {
                let route = Route { target: number_here, port: 0, kind: RouteKind::Pipe };
                far.routes.push((source_slot, route));
                self.sites.near_pipes[number] = Some(number_here);
            }
        }
        if !local {
            self.near_end(builders, number, source_slot);
        }
    }

    /// The pipe of the link before this one, if it joins the same ports: messages of one port are
    /// ordered by send time, over whichever link they came, so both end in one queue.
    fn twin(&self, number: usize) -> Option<u32> {
        let ends = |l: &FlatLink| (l.from, l.from_port, l.to, l.to_port);
        let before = number.checked_sub(1)?;
        if ends(&self.flat.links[before]) != ends(&self.flat.links[number]) {
            return None;
        }
        self.sites.far_pipes[before].map(|(_, pipe)| pipe)
    }

    /// The end from which the target takes values.
    fn far_end(&self, far: &mut Builder, number: usize, wakes: bool, signal: bool) -> Pipe {
        let link = &self.flat.links[number];
        let (partition, target) = self.sites.nodes[link.to as usize];
        let in_slot = far.nodes[target as usize].in_base + u32::from(link.to_port);
        let store = far.values.ins[in_slot as usize].store;
        let slot = far.values.outs.len() as u32;
        let pipe = far.pipes.len() as u32;
        let flags = if signal { OutSlot::SIGNAL } else { 0 };
        far.values.outs.push(OutSlot { store, flags, head: NONE, tail: NONE, order: 0 });
        let end = if wakes {
            far.queued_pipes.push(pipe);
            // Pipes are numbered behind the nodes of their partition.
            PipeEnd::Waking(self.sizes[partition as usize] + far.queued_pipes.len() as u32 - 1)
        } else {
            far.nodes[target as usize].flags |= Node::PULLS;
            far.pulled.push((target, pipe));
            PipeEnd::Pulled
        };
        Pipe {
            store,
            typed: far.values.stores.get_mut(store).add_pipe(),
            latency: Duration::ZERO,
            signal,
            interposer: None,
            selections: None,
            end,
            slot,
            source: NONE,
            target,
            port: link.to_port,
            shared: false,
            link: number as u32,
            key: self.keys[number],
        }
    }

    /// The end into which the source sends values for another partition.
    fn near_end(&mut self, builders: &mut [Builder], number: usize, source_slot: u32) {
        let link = self.flat.links[number];
        let Some((partition, far_pipe)) = self.sites.far_pipes[number] else { return };
        let far = &builders[partition as usize].pipes[far_pipe as usize];
        let (far_store, signal) = (far.store, far.signal);
        let near = &mut builders[self.sites.nodes[link.from as usize].0 as usize];
        let selections = self.selections(&link);
        let store = match &selections {
            None => near.values.outs[source_slot as usize].store,
            // The pipe holds what its reader takes.
            Some(_) => near.values.stores.of_type(self.target_type(&link)),
        };
        let pipe = near.pipes.len() as u32;
        near.pipes.push(Pipe {
            store,
            typed: near.values.stores.get_mut(store).add_pipe(),
            latency: link.latency,
            signal,
            interposer: self.interposer(&link),
            selections,
            end: PipeEnd::Remote { channel: partition as u16, pipe: far_pipe },
            slot: NONE,
            source: source_slot,
            target: NONE,
            port: 0,
            shared: false,
            link: number as u32,
            key: self.keys[number],
        });
        let route = Route { target: pipe, port: 0, kind: RouteKind::Pipe };
        near.routes.push((source_slot, route));
        self.sites.near_pipes[number] = Some(pipe);
        self.plan_channel(builders, &link, store, far_store);
    }

    fn plan_channel(&mut self, builders: &[Builder], link: &FlatLink, near: u16, far: u16) {
        let (source_partition, source) = self.sites.nodes[link.from as usize];
        let (partition, _) = self.sites.nodes[link.to as usize];
        let channel = self.fabric.channels.entry((source_partition, partition)).or_default();
        let builder = &builders[source_partition as usize];
        if builder.nodes[source as usize].has(Node::PERIODIC) {
            // Tickers are numbered by their place in the static order.
            let order = self.flat.order[link.from as usize];
            let ticker = builder.tickers.iter().filter(|&&(other, ..)| other < order).count();
            let latency = channel.from_tickers.entry(ticker as u32).or_insert(link.latency);
            *latency = link.latency.min(*latency);
        } else {
            let least = channel.from_others.map_or(link.latency, |l| l.min(link.latency));
            channel.from_others = Some(least);
        }
        if !channel.stores.contains(&(near, far)) {
            channel.stores.push((near, far));
        }
    }

    /// The type of what the target of a link takes.
    fn target_type(&self, link: &FlatLink) -> &'static dyn PortType {
        let layout = self.graph.layout_of(self.flat.nodes[link.to as usize]);
        layout.inputs[link.to_port as usize].value
    }

    fn selections(&self, link: &FlatLink) -> Option<Box<Selections>> {
        let mut selections = Vec::new();
        let mut passed = 0;
        for &attributes in &self.flat.chains[link.chain as usize] {
            let attributes = &self.graph.attributes[attributes as usize];
            selections.extend(attributes.selection.map(|selection| (passed, selection)));
            passed += usize::from(attributes.interposer.is_some());
        }
        Selections::new(&selections).map(Box::new)
    }

    fn interposer(&self, link: &FlatLink) -> Option<Box<Interposed>> {
        let mut chain = None;
        for &attributes in self.flat.chains[link.chain as usize].iter().rev() {
            let attributes = &self.graph.attributes[attributes as usize];
            if let Some((name, interposer)) = &attributes.interposer {
                chain = Some(Box::new(Interposed {
                    link: name.clone(),
                    interposer: interposer.replicate(),
                    random: RandomStream::new(self.seed, name, "link"),
                    next: chain,
                }));
            }
        }
        chain
    }
}
