//! The container format: MCAP, version 0 (<https://mcap.dev/spec>), as far as recordings need it.
//!
//! ```text
//! magic | header, metadata, schemas, channels | chunk, its message indexes | chunk … | metadata |
//! data end | summary: schemas, channels, statistics, chunk and metadata indexes | footer | magic
//! ```
//!
//! A record is one byte of kind, eight of length, and its contents. Files are written front to back
//! without ever going back, so a file that was cut short is good up to its last whole chunk.
//!
//! Written here rather than with the `mcap` crate, whose writer takes every message through six small
//! writes and three maps: 3.3 million messages per second without compression and 1.6 with, on a machine
//! where this one does 17 and 8. The crate reads our files in the tests.

mod read;
mod records;
mod summary;

pub(crate) use read::{
    ChannelRecord, Damaged, Walk, read_channel, read_message, read_metadata, read_schema,
};
pub(crate) use records::{ChunkIndex, MessageIndex, channel, chunk, data_end, header};
pub(crate) use records::{message_header, message_index, metadata, schema};
pub(crate) use summary::Summary;

/// The first and the last bytes of a file.
pub(crate) const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'A', b'P', 0x30, b'\r', b'\n'];

/// Kinds of records.
pub(crate) mod kind {
    pub(crate) const HEADER: u8 = 0x01;
    pub(crate) const FOOTER: u8 = 0x02;
    pub(crate) const SCHEMA: u8 = 0x03;
    pub(crate) const CHANNEL: u8 = 0x04;
    pub(crate) const MESSAGE: u8 = 0x05;
    pub(crate) const CHUNK: u8 = 0x06;
    pub(crate) const MESSAGE_INDEX: u8 = 0x07;
    pub(crate) const CHUNK_INDEX: u8 = 0x08;
    pub(crate) const STATISTICS: u8 = 0x0b;
    pub(crate) const METADATA: u8 = 0x0c;
    pub(crate) const METADATA_INDEX: u8 = 0x0d;
    pub(crate) const SUMMARY_OFFSET: u8 = 0x0e;
    pub(crate) const DATA_END: u8 = 0x0f;
}
