//! Which states components enter, for the recording and for people.
//!
//! A component shows its states by an event output called `entered` whose value has a text called `name`: a
//! payload in UTF-8. Such outputs are always looked at, whether they are recorded or not.

use std::sync::{Arc, Mutex, PoisonError};

use ironbird_component::{Direction, PortDescription};
use ironbird_kernel::{Leaf, LeafKind, PortKind, Schema, Time};
use ironbird_record::{Event, Observer};

use crate::trace::Trace;

/// What such outputs are called.
const PORT: &str = "entered";
/// What the text in their values is called.
const NAME: &str = "name";
/// A run keeps at most this many states of a component: more are of no use to people.
const MOST: usize = 100_000;

/// Where a text lies in the bytes of a value: its fixed part, then all payloads.
pub struct TextPlace {
    fixed: usize,
    /// Leaves that hold the lengths of the payloads before it.
    before: Vec<Leaf>,
    /// The leaf that holds its own length.
    length: Leaf,
}

/// Where the name of the state lies, if this is an output that shows states.
pub fn state_name(port: &PortDescription) -> Option<TextPlace> {
    let shows = port.direction == Direction::Output && port.kind == PortKind::Event;
    if shows && port.name == PORT { text_at(&port.value.schema(), NAME) } else { None }
}

fn text_at(schema: &Schema, path: &str) -> Option<TextPlace> {
    let payloads = schema.leaves().into_iter().filter(|leaf| leaf.kind == LeafKind::Payload);
    let mut before: Vec<Leaf> = payloads.collect();
    let place = before.iter().position(|leaf| leaf.path == path)?;
    before.truncate(place + 1);
    let length = before.pop()?;
    Some(TextPlace { fixed: schema.size(), before, length })
}

impl TextPlace {
    /// The text in a value, fit to be printed; none if the value is cut.
    fn text(&self, bytes: &[u8]) -> Option<String> {
        let length = |leaf: &Leaf| {
            let size = bytes.get(leaf.offset..leaf.offset + leaf.kind.size())?;
            usize::try_from(u64::from_le_bytes(size.try_into().ok()?)).ok()
        };
        let mut start = self.fixed;
        for leaf in &self.before {
            start = start.checked_add(length(leaf)?)?;
        }
        let text = bytes.get(start..start.checked_add(length(&self.length)?)?)?;
        let text = String::from_utf8_lossy(text);
        Some(text.replace(char::is_control, "\u{fffd}"))
    }
}

/// A tap that shows the states of a component.
pub struct Source {
    /// Its number.
    pub tap: u32,
    /// Path of the component.
    pub component: String,
    /// Where the name is.
    pub name: TextPlace,
}

/// Keeps the states that components enter, and makes them events of the recording.
#[derive(Clone)]
pub struct States(Arc<Mutex<Vec<(Source, Trace)>>>);

impl States {
    /// Looks at these taps.
    pub fn new(sources: Vec<Source>) -> Self {
        let traced = sources.into_iter().map(|source| {
            let trace = Trace { component: source.component.clone(), ..Trace::default() };
            (source, trace)
        });
        States(Arc::new(Mutex::new(traced.collect())))
    }

    /// The states that were entered since the last time, of which `told` says how many were told of each component.
    pub fn since(&self, told: &mut Vec<usize>) -> Vec<Event> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.resize(kept.len(), 0);
        let mut events = Vec::new();
        for ((_, trace), told) in kept.iter().zip(told) {
            let new = trace.entered.iter().skip(*told);
            events.extend(new.map(|(time, text)| Event {
                time: *time,
                kind: "state".into(),
                name: trace.component.clone(),
                text: text.clone(),
            }));
            *told = trace.entered.len();
        }
        events
    }

    /// The traces of all components that entered a state; none is left afterwards.
    pub fn traces(&self) -> Vec<Trace> {
        let kept = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let traces = kept.into_iter().map(|(_, trace)| trace);
        traces.filter(|trace| !trace.entered.is_empty()).collect()
    }
}

impl Observer for States {
    fn value(&mut self, tap: u32, time: Time, bytes: &[u8]) -> Option<Event> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (source, trace) = kept.iter_mut().find(|(source, _)| source.tap == tap)?;
        let text = source.name.text(bytes)?;
        trace.enter(time, text.clone(), MOST);
        let (kind, name) = ("state".to_owned(), source.component.clone());
        (trace.left_out == 0).then_some(Event { time, kind, name, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::{Payload, Value, Wire};

    #[derive(Clone, Value)]
    struct Entered {
        icon: Payload,
        number: u32,
        name: Payload,
        last: f64,
    }

    fn bytes(name: &[u8]) -> Vec<u8> {
        let (icon, name) = (Payload::new(*b"<svg>"), Payload::new(name));
        let mut wire = Wire::default();
        Entered { icon, number: 7, name, last: 0.5 }.encode(&mut wire);
        let payloads: Vec<u8> =
            wire.payloads().iter().flat_map(|payload| payload.to_vec()).collect();
        [wire.fixed(), &payloads].concat()
    }

    #[test]
    fn a_name_is_found_behind_other_payloads() {
        let place = text_at(&Entered::schema(), NAME).unwrap();
        assert_eq!(place.text(&bytes("süß".as_bytes())).as_deref(), Some("süß"));
        assert_eq!(place.text(&bytes(b"")).as_deref(), Some(""));
    }

    #[test]
    fn what_cannot_be_printed_is_replaced() {
        let place = text_at(&Entered::schema(), NAME).unwrap();
        assert_eq!(place.text(&bytes(b"a\x1b[2J\xff")).as_deref(), Some("a\u{fffd}[2J\u{fffd}"));
    }

    #[test]
    fn a_value_that_is_cut_has_no_name() {
        let place = text_at(&Entered::schema(), NAME).unwrap();
        let whole = bytes(b"going");
        for length in 0..whole.len() {
            assert_eq!(place.text(&whole[..length]), None, "{length}");
        }
    }

    #[test]
    fn values_without_a_text_called_name_show_no_states() {
        assert!(text_at(&u32::schema(), NAME).is_none());
        assert!(text_at(&Payload::schema(), NAME).is_none());
        assert!(text_at(&Entered::schema(), "number").is_none());
    }
}
