//! What is sent to clients, made once for all of them: copies share their bytes.

use std::sync::Arc;

pub use axum::extract::ws::Message;

/// A message with a JSON value.
pub fn json(value: &serde_json::Value) -> Message {
    Message::text(value.to_string())
}

/// How things are: a frame, and what sensors see then. Of several the newest counts.
pub type Moment = Arc<Vec<Message>>;

/// What clients are told one after the other.
#[derive(Clone, Debug)]
pub enum News {
    /// For everybody.
    Said(Message),
    /// How signals went on, each for those who have subscribed to it.
    Series(Arc<Vec<(u32, Message)>>),
}
