//! Small models that an experiment needs beside those its user named.

mod caller;
mod constant;
mod player;
mod relay;

pub(crate) use caller::Caller;
pub(crate) use constant::Constant;
pub use player::Player;
pub(crate) use player::{Track, TypedTrack};
pub(crate) use relay::Relay;
