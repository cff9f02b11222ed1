//! The end of a file: what it holds and where, for readers that seek.

use std::collections::BTreeMap;

use super::records::{ChunkIndex, Record};
use super::{MAGIC, kind};

/// What was written, for the summary section.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// The schema records, as they stand in the data section.
    pub schemas: Vec<u8>,
    pub schema_count: u16,
    /// The channel records, as they stand in the data section.
    pub channels: Vec<u8>,
    pub channel_count: u32,
    pub chunks: Vec<ChunkIndex>,
    /// Where metadata records start, their lengths and names.
    pub metadata: Vec<(u64, u64, String)>,
}

impl Summary {
    /// Writes the summary section, the footer and the last magic; `start` is where that is in the file.
    pub(crate) fn write(&self, out: &mut Vec<u8>, start: u64) {
        let base = out.len();
        let mut groups = Vec::new();
        let mut group = |out: &mut Vec<u8>, kind: u8, write: &dyn Fn(&mut Vec<u8>)| {
            let before = out.len();
            write(out);
            if out.len() > before {
                groups.push((kind, start + (before - base) as u64, (out.len() - before) as u64));
            }
        };
        group(out, kind::SCHEMA, &|out| out.extend_from_slice(&self.schemas));
        group(out, kind::CHANNEL, &|out| out.extend_from_slice(&self.channels));
        group(out, kind::STATISTICS, &|out| self.statistics(out));
        group(out, kind::CHUNK_INDEX, &|out| self.chunk_indexes(out));
        group(out, kind::METADATA_INDEX, &|out| self.metadata_indexes(out));
        let offsets = start + (out.len() - base) as u64;
        for (kind, group_start, length) in groups {
            let mut record = Record::start(out, kind::SUMMARY_OFFSET);
            record.bytes(&[kind]).u64(group_start).u64(length);
            record.end();
        }
        let mut footer = Record::start(out, kind::FOOTER);
        footer.u64(start).u64(offsets);
        // The length is part of what the checksum covers.
        footer.u32(0);
        footer.end();
        let checked = out.len() - 4;
        let checksum = crc32fast::hash(&out[base..checked]);
        out[checked..].copy_from_slice(&checksum.to_le_bytes());
        out.extend_from_slice(&MAGIC);
    }

    fn statistics(&self, out: &mut Vec<u8>) {
        let mut messages: BTreeMap<u16, u64> = BTreeMap::new();
        for (channel, count) in self.chunks.iter().flat_map(|chunk| &chunk.messages) {
            *messages.entry(*channel).or_insert(0) += count;
        }
        let first = self.chunks.iter().map(|chunk| chunk.first).min();
        let last = self.chunks.iter().map(|chunk| chunk.last).max();
        let mut record = Record::start(out, kind::STATISTICS);
        record
            .u64(messages.values().sum())
            .u16(self.schema_count)
            .u32(self.channel_count)
            .u32(0)
            .u32(self.metadata.len() as u32)
            .u32(self.chunks.len() as u32)
            .u64(first.unwrap_or(0))
            .u64(last.unwrap_or(0))
            .u32(messages.len() as u32 * 10);
        for (channel, count) in &messages {
            record.u16(*channel).u64(*count);
        }
        record.end();
    }

    fn chunk_indexes(&self, out: &mut Vec<u8>) {
        for chunk in &self.chunks {
            let mut record = Record::start(out, kind::CHUNK_INDEX);
            record.u64(chunk.first).u64(chunk.last).u64(chunk.start).u64(chunk.length);
            record.u32(chunk.message_indexes.len() as u32 * 10);
            for (channel, place) in &chunk.message_indexes {
                record.u16(*channel).u64(*place);
            }
            record.u64(chunk.message_index_length).text(chunk.compression);
            record.u64(chunk.compressed).u64(chunk.uncompressed);
            record.end();
        }
    }

    fn metadata_indexes(&self, out: &mut Vec<u8>) {
        for (start, length, name) in &self.metadata {
            let mut record = Record::start(out, kind::METADATA_INDEX);
            record.u64(*start).u64(*length).text(name);
            record.end();
        }
    }
}
