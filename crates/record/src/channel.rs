//! What is recorded: named channels with units, frames and layouts.

use std::collections::BTreeMap;

use ironbird_kernel::Schema;

/// How a channel behaves between its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Holds its value until the next message.
    Signal,
    /// Has a value only at the instants of its messages.
    Event,
    /// Changes steadily; its messages are samples.
    Continuous,
}

impl Kind {
    /// The word that stands in the file.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Signal => "signal",
            Kind::Event => "event",
            Kind::Continuous => "continuous",
        }
    }

    /// The kind of that word.
    pub fn from_word(word: &str) -> Option<Kind> {
        [Kind::Signal, Kind::Event, Kind::Continuous].into_iter().find(|kind| kind.word() == word)
    }
}

/// One recorded output.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Path of the component and name of the port: `room.temperature`.
    pub name: String,
    /// The layout of its values, as the kernel has them.
    pub schema: Schema,
    /// The unit of all its numbers, empty for none.
    pub unit: String,
    /// Units of single numbers by their path (`position[2]`), where they differ.
    pub leaf_units: BTreeMap<String, String>,
    /// The reference frame, empty for none.
    pub frame: String,
    /// What it means.
    pub doc: String,
    /// How it behaves between messages.
    pub kind: Kind,
}

impl Channel {
    /// A signal without unit, frame or documentation.
    pub fn new(name: impl Into<String>, schema: Schema) -> Self {
        Channel {
            name: name.into(),
            schema,
            unit: String::new(),
            leaf_units: BTreeMap::new(),
            frame: String::new(),
            doc: String::new(),
            kind: Kind::Signal,
        }
    }

    /// The same channel with a unit.
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// The unit of the number at `leaf`.
    pub fn unit_of(&self, leaf: &str) -> &str {
        self.leaf_units.get(leaf).unwrap_or(&self.unit)
    }

    /// The topic that it is recorded under: `room.temperature` is `/room/temperature`.
    pub fn topic(&self) -> String {
        topic(&self.name)
    }

    /// What a recording says of it beside its layout.
    pub fn metadata(&self) -> BTreeMap<String, String> {
        let leaf_units = if self.leaf_units.is_empty() {
            String::new()
        } else {
            serde_json::to_string(&self.leaf_units).expect("plain data becomes JSON")
        };
        let entries = [
            ("name", &self.name),
            ("unit", &self.unit),
            ("leaf_units", &leaf_units),
            ("frame", &self.frame),
            ("doc", &self.doc),
            ("kind", &self.kind.word().to_owned()),
        ];
        let said = entries.into_iter().filter(|(_, value)| !value.is_empty());
        said.map(|(key, value)| (key.to_owned(), value.clone())).collect()
    }
}

/// The topic of a channel: `room.temperature` is `/room/temperature`.
pub(crate) fn topic(name: &str) -> String {
    format!("/{}", name.replace('.', "/"))
}

/// The name of the column of one number of a channel: `drone.pose.position[2]`.
pub fn column_name(channel: &str, leaf: &str) -> String {
    let dot = if leaf.is_empty() || leaf.starts_with('[') { "" } else { "." };
    format!("{channel}{dot}{leaf}")
}
