//! Frames as part of a state that is saved.

use ironbird_kernel::Payload;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::EthernetFrame;

/// A frame that is kept for a while.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held(pub EthernetFrame);

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes: &[u8] = &self.0.bytes;
        bytes.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Vec::<u8>::deserialize(deserializer)?;
        Ok(Held(EthernetFrame { bytes: Payload::new(bytes) }))
    }
}
