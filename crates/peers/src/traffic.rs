//! What passes over a link, message by message, for those who want to look at it.

use ironbird_component::{ParameterDescription, ParameterKind, PortDescription, ValueType};
use ironbird_kernel::{Parameter, Payload, PortKind, Value};
use ironbird_simbricks::layout::net::Packet;
use ironbird_simbricks::layout::{Fields, Upper};
use ironbird_simbricks::{Message, Protocol};

/// A message of an upper layer that passed over a link.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct LinkMessage {
    /// The number of the upper layer: 1 is NET, 4 the physical interface.
    pub protocol: u8,
    /// The type of the message.
    pub kind: u8,
    /// Whether it was sent to the peer; received from it otherwise.
    pub sent: bool,
    /// The 48 bytes of the upper layer in its header.
    pub header: Payload,
    /// What it carries.
    pub payload: Payload,
}

/// The output on which messages are shown.
pub(crate) fn port() -> PortDescription {
    let messages = ValueType::of::<LinkMessage>();
    PortDescription::output("messages", PortKind::Event, messages).doc(
        "Every message that passes, if `trace` is true: when it is sent, and when it is due here.",
    )
}

/// The parameter that asks for it.
pub(crate) fn parameter() -> ParameterDescription {
    let doc = "Whether every message that passes is shown at `messages`. Recorded, NET can be exported to a pcapng file.";
    ParameterDescription::required("trace", ParameterKind::Bool, doc)
        .or([Parameter::Bool(false)])
        .fixed()
}

/// Messages that passed and were not shown yet.
#[derive(Debug)]
pub(crate) struct Traffic {
    protocol: Protocol,
    passed: Vec<LinkMessage>,
}

impl Traffic {
    pub fn new(protocol: Protocol) -> Self {
        Traffic { protocol, passed: Vec::new() }
    }

    pub fn sent(&mut self, message: &impl Upper, payload: &[u8]) {
        self.add(true, message.kind(), message.encode(), payload);
    }

    pub fn received(&mut self, message: &Message<'_>) {
        let fields = message.fields();
        let mut payload = Vec::new();
        // Of the layers here only NET carries more than its header.
        if self.protocol == Protocol::NET
            && let Ok(Packet { len, .. }) = message.upper()
        {
            payload.resize(usize::from(len), 0);
            if message.payload(&mut payload).is_err() {
                payload.clear();
            }
        }
        self.add(false, message.kind(), fields, &payload);
    }

    fn add(&mut self, sent: bool, kind: u8, fields: Fields, payload: &[u8]) {
        let protocol = self.protocol.0 as u8;
        let (header, payload) = (Payload::new(fields), Payload::new(payload));
        self.passed.push(LinkMessage { protocol, kind, sent, header, payload });
    }

    pub fn is_empty(&self) -> bool {
        self.passed.is_empty()
    }

    pub fn take(&mut self) -> impl Iterator<Item = LinkMessage> + '_ {
        self.passed.drain(..)
    }
}
