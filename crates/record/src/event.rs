//! What happened in a run besides its values: actions, triggers, faults, states, verdicts.

use ironbird_kernel::Time;
use serde::{Deserialize, Serialize};

/// Something that happened. Ordered by time, then by its texts, so that the order in which threads
/// report does not show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// When.
    pub time: Time,
    /// Of what kind: `action`, `trigger`, `fault`, `stop`, `violation`, `command`, `state`, `verdict`.
    pub kind: String,
    /// The name that the experiment gives it; of a state, the component that entered it; of a command, its number, with
    /// leading zeros, so that those of one instant stay in their order.
    pub name: String,
    /// What happened, for people.
    pub text: String,
}

/// The topic that events are recorded under.
pub(crate) const TOPIC: &str = "/ironbird/events";
/// The name of their schema.
pub(crate) const SCHEMA_NAME: &str = "ironbird.Event";
/// Their JSON schema.
pub(crate) const SCHEMA: &str = r#"{"type":"object","properties":{"time_ps":{"type":"integer"},"kind":{"type":"string"},"name":{"type":"string"},"text":{"type":"string"}},"required":["time_ps","kind","name","text"]}"#;

/// An event as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    time_ps: u64,
    kind: String,
    name: String,
    text: String,
}

impl Event {
    /// Sorts what was recorded by time; states of one instant stay in the order in which they were entered.
    pub fn sort(events: &mut [Event]) {
        fn texts(event: &Event) -> (&str, &str) {
            if event.kind == "state" { ("", "") } else { (&event.name, &event.text) }
        }
        events.sort_by(|a, b| (a.time, &a.kind, texts(a)).cmp(&(b.time, &b.kind, texts(b))));
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let (kind, name, text) = (self.kind.clone(), self.name.clone(), self.text.clone());
        let stored = Stored { time_ps: self.time.as_ps(), kind, name, text };
        serde_json::to_vec(&stored).expect("plain data becomes JSON")
    }

    pub(crate) fn from_json(json: &[u8]) -> Option<Self> {
        let Stored { time_ps, kind, name, text } = serde_json::from_slice(json).ok()?;
        Some(Event { time: Time::from_ps(time_ps), kind, name, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_one_instant_keep_their_order_and_all_else_is_sorted() {
        let event = |ps, kind: &str, text: &str| Event {
            time: Time::from_ps(ps),
            kind: kind.into(),
            name: "x".into(),
            text: text.into(),
        };
        let mut events = [
            event(2, "state", "red"),
            event(2, "state", "amber"),
            event(2, "fault", "ends"),
            event(2, "fault", "begins"),
            event(1, "trigger", "fires"),
        ];
        Event::sort(&mut events);
        let texts = events.map(|event| event.text);
        assert_eq!(texts, ["fires", "begins", "ends", "red", "amber"]);
    }
}
