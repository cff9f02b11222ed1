//! Looking at outputs between two stretches of a run. It leaves no trace.

use super::Simulation;
use crate::engine::Engine;
use crate::wire::Wire;

/// The same outputs, looked at again and again: where they are is found once.
#[derive(Debug, Default)]
pub struct Look {
    wanted: Vec<(String, String)>,
    /// Partition and slot of each, where it is here.
    places: Vec<Option<(usize, u32)>>,
    /// The assembly of the system for which the places hold.
    assembly: u64,
    wire: Wire,
    bytes: Vec<u8>,
}

impl Look {
    /// Looks at these outputs: component and name of each.
    pub fn at(wanted: Vec<(String, String)>) -> Self {
        Look { wanted, wire: Wire::canonical(), ..Look::default() }
    }
}

impl Simulation {
    /// Shows the outputs of a look to `see`: number and value, as its fixed part and then its payloads. Of an output that
    /// sends messages to others, the value is how many, as eight bytes, if [`crate::Options::profile`] lets them be
    /// counted. Outputs that are not in this process at present are left out.
    pub fn look(&self, look: &mut Look, mut see: impl FnMut(usize, &[u8])) {
        if look.assembly != self.assembly || look.places.len() != look.wanted.len() {
            look.places =
                look.wanted.iter().map(|(path, port)| self.place_of(path, port)).collect();
            look.assembly = self.assembly;
        }
        let Look { places, wire, bytes, .. } = look;
        for (number, place) in places.iter().enumerate() {
            let Some((engine, slot)) = *place else { continue };
            let Engine { values, recorder, .. } = &self.engines[engine];
            let out = values.outs[slot as usize];
            if !out.is_signal() {
                let sent = recorder.as_ref().and_then(|recorder| recorder.sent_by(slot));
                if let Some(sent) = sent {
                    see(number, &sent.to_le_bytes());
                }
                continue;
            }
            wire.clear();
            bytes.clear();
            values.stores.get(out.store).visit_value(out.head, &mut |value| value.encode_to(wire));
            wire.append_to(bytes);
            see(number, bytes);
        }
    }

    fn place_of(&self, path: &str, port: &str) -> Option<(usize, u32)> {
        let component = self.graph.get(path)?;
        let model = self.graph.model(component)?;
        let outputs = &self.graph.layouts[model.layout as usize].outputs;
        let place = outputs.iter().position(|spec| &*spec.name == port)?;
        let mut engines =
            self.engines.iter().enumerate().filter(|(number, _)| self.is_here(*number));
        engines.find_map(|(number, engine)| {
            let mut nodes = 0..engine.nodes.len() as u32;
            let node = nodes.find(|node| engine.paths.path(*node) == path)?;
            Some((number, engine.slots_of(node).start + place as u32))
        })
    }
}
