//! One number for everything that a run recorded: two runs that agree in it recorded the same.
//!
//! It covers, message by message in the order of time and channels, the channel's name, the instant
//! and the value, with all NaNs alike. It does not depend on chunks, compression, partitions or threads.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The hash while it grows.
#[derive(Clone)]
pub struct OutputHash(Box<Xxh3>);

impl Default for OutputHash {
    fn default() -> Self {
        OutputHash(Box::new(Xxh3::new()))
    }
}

impl OutputHash {
    /// What stands for a channel in the hash.
    pub(crate) fn key(channel: &str) -> [u8; 8] {
        xxh3_64(channel.as_bytes()).to_le_bytes()
    }

    /// Adds a message: the key of its channel, then its CDR encoding, which starts with its time.
    pub(crate) fn add(&mut self, keyed_message: &[u8]) {
        self.0.update(keyed_message);
    }

    /// The hash of all that was added, as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0.digest128())
    }
}
