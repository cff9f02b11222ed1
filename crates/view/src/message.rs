//! What is sent to clients, made once for all of them.

use std::sync::Arc;

/// A message.
#[derive(Clone, Debug)]
pub enum Message {
    /// JSON.
    Text(Arc<str>),
    /// As the protocol has it.
    Binary(Arc<Vec<u8>>),
}

impl Message {
    /// A JSON value.
    pub fn json(value: &serde_json::Value) -> Self {
        Message::Text(value.to_string().into())
    }
}
