//! What all ports show at once, for those who list them.

use std::collections::BTreeMap;

use super::Simulation;
use crate::graph::ComponentRef;
use crate::port::{PortKind, PortSpec};
use crate::value::AnyValue;
use crate::wire::Wire;

/// What the signals of a component are: by the name of the port, as the fixed part and then the payloads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PortValues {
    /// What it reads, also where an input has no source.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// What it shows.
    pub outputs: BTreeMap<String, Vec<u8>>,
}

fn bytes_of(value: &dyn AnyValue) -> Vec<u8> {
    let (mut wire, mut bytes) = (Wire::canonical(), Vec::new());
    value.encode_to(&mut wire);
    wire.append_to(&mut bytes);
    bytes
}

impl Simulation {
    /// What the signals of all components in this process are now, by the path of the component.
    pub fn port_values(&self) -> BTreeMap<String, PortValues> {
        let here = self.engines.iter().enumerate().filter(|(number, _)| self.is_here(*number));
        let mut all = BTreeMap::new();
        for (_, engine) in here {
            let stores = &engine.values.stores;
            for node in 0..engine.nodes.len() as u32 {
                let component = engine.paths.component(node);
                if self.graph.model(ComponentRef(component)).is_none() {
                    continue;
                }
                let layout = self.graph.layout_of(component);
                let signals = |specs: &[PortSpec]| {
                    let specs = specs.iter().enumerate();
                    let signals = specs.filter(|(_, spec)| spec.kind == PortKind::Signal);
                    signals.map(|(place, spec)| (place, spec.name.clone())).collect::<Vec<_>>()
                };
                let mut values = PortValues::default();
                let first = engine.nodes[node as usize].in_base as usize;
                for (place, name) in signals(&layout.inputs) {
                    let slot = engine.values.ins[first + place];
                    let mut bytes = Vec::new();
                    stores.get(slot.store).visit_value(slot.value, &mut |v| bytes = bytes_of(v));
                    values.inputs.insert(name, bytes);
                }
                let first = engine.slots_of(node).start as usize;
                for (place, name) in signals(&layout.outputs) {
                    let slot = engine.values.outs[first + place];
                    let mut bytes = Vec::new();
                    stores.get(slot.store).visit_value(slot.head, &mut |v| bytes = bytes_of(v));
                    values.outputs.insert(name, bytes);
                }
                all.insert(engine.paths.path(node), values);
            }
        }
        all
    }
}
