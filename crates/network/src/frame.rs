//! What goes over an Ethernet.

use ironbird_kernel::{Payload, Value};

/// An Ethernet frame from its destination address on, without preamble and check sequence.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct EthernetFrame {
    /// Its bytes; copies of the frame share them.
    pub bytes: Payload,
}

impl EthernetFrame {
    /// A frame of these bytes.
    pub fn new(bytes: impl Into<std::sync::Arc<[u8]>>) -> Self {
        EthernetFrame { bytes: Payload::new(bytes) }
    }
}
