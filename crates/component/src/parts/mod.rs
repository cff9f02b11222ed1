//! Small models that an experiment needs beside those its user named.

mod caller;
mod constant;
mod gate;
mod player;
mod relay;

pub(crate) use caller::Caller;
pub(crate) use constant::Constant;
pub(crate) use gate::{Entry, Exit};
pub use gate::{EntryGate, ExitGate};
pub use player::Player;
pub(crate) use player::{Track, TypedTrack};
pub(crate) use relay::Relay;
