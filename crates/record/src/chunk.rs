//! A chunk while it fills, and when it is full.

use ironbird_kernel::Time;

use crate::container::{self, ChunkIndex, MessageIndex};

/// When a chunk is closed and how it is stored. Only contents decide, so equal runs give equal files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// A chunk is closed when it holds this many bytes.
    pub full: usize,
    /// It is closed at the turn of a simulated second when it holds this many bytes.
    pub worth_closing: usize,
    /// How it is compressed.
    pub compression: Compression,
}

/// How chunks are compressed. Both ways give the same bytes for the same contents.
///
/// Measured on 20 noisy numbers at 1 kHz, 51 bytes each before compression: zstd 1 leaves 10.2 bytes at
/// 360 MB/s, zstd 3 10.2 at 240, lz4 14.3 at 310 (C) to 530 (Rust). Hence zstd 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// By Zstandard at this level; 1 is quick.
    Zstd(i32),
}

impl Default for Settings {
    fn default() -> Self {
        Settings { full: 256 << 10, worth_closing: 16 << 10, compression: Compression::Zstd(1) }
    }
}

/// Messages that will be written together.
pub(crate) struct Chunk {
    settings: Settings,
    records: Vec<u8>,
    /// By channel number.
    indexes: Vec<MessageIndex>,
    first: u64,
    last: u64,
    /// The simulated second of the first message.
    second: u64,
    compressor: Option<zstd::bulk::Compressor<'static>>,
}

impl Chunk {
    /// An empty chunk for channels numbered below `channels`.
    pub(crate) fn new(settings: Settings, channels: usize) -> std::io::Result<Self> {
        let compressor = match settings.compression {
            Compression::None => None,
            Compression::Zstd(level) => Some(zstd::bulk::Compressor::new(level)?),
        };
        Ok(Chunk {
            settings,
            records: Vec::with_capacity(settings.full + (4 << 10)),
            indexes: vec![MessageIndex::default(); channels],
            first: 0,
            last: 0,
            second: 0,
            compressor,
        })
    }

    /// Whether the chunk has to be closed before a message at `time` is added.
    pub(crate) fn is_complete(&self, time: Time) -> bool {
        self.records.len() >= self.settings.full
            || (self.records.len() >= self.settings.worth_closing && second(time) != self.second)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Adds a message.
    pub(crate) fn push(&mut self, channel: u16, sequence: u32, time: Time, message: &[u8]) {
        let nanoseconds = time.as_ps() / 1_000;
        if self.records.is_empty() {
            (self.first, self.last) = (nanoseconds, nanoseconds);
            self.second = second(time);
        }
        // Late events may lie before the others.
        self.first = self.first.min(nanoseconds);
        self.last = self.last.max(nanoseconds);
        self.indexes[usize::from(channel)].push(nanoseconds, self.records.len() as u64);
        let head = container::message_header(channel, sequence, nanoseconds, message.len());
        self.records.extend_from_slice(&head);
        self.records.extend_from_slice(message);
    }

    /// Appends the chunk and its message indexes to `out`, which will stand at `start` in the file, and
    /// empties it.
    pub(crate) fn close(&mut self, out: &mut Vec<u8>, start: u64) -> std::io::Result<ChunkIndex> {
        let base = out.len();
        let place = |out: &Vec<u8>| start + (out.len() - base) as u64;
        let mut index = ChunkIndex {
            first: self.first,
            last: self.last,
            start,
            compression: if self.compressor.is_some() { "zstd" } else { "" },
            uncompressed: self.records.len() as u64,
            ..ChunkIndex::default()
        };
        let checksum = crc32fast::hash(&self.records);
        index.compressed = container::chunk(out, &index, checksum, |out| {
            let before = out.len();
            match &mut self.compressor {
                None => out.extend_from_slice(&self.records),
                Some(compressor) => {
                    out.resize(before + zstd::zstd_safe::compress_bound(self.records.len()), 0);
                    let length =
                        compressor.compress_to_buffer(&self.records, &mut out[before..])?;
                    out.truncate(before + length);
                }
            }
            Ok(())
        })?;
        index.length = place(out) - start;
        for (channel, messages) in (0u16..).zip(&mut self.indexes) {
            if messages.count() > 0 {
                index.message_indexes.push((channel, place(out)));
                index.messages.push((channel, messages.count()));
                container::message_index(out, channel, messages);
                messages.entries.clear();
            }
        }
        index.message_index_length = place(out) - start - index.length;
        self.records.clear();
        Ok(index)
    }
}

fn second(time: Time) -> u64 {
    time.as_ps() / ironbird_kernel::time::PICOSECONDS_PER_SECOND
}
