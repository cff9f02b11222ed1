//! Records of the data section, as bytes.

use std::collections::BTreeMap;

use super::kind;

/// A record under construction at the end of a buffer; its length is filled in by `end`.
pub(crate) struct Record<'a> {
    pub(super) out: &'a mut Vec<u8>,
    contents: usize,
}

impl<'a> Record<'a> {
    pub(crate) fn start(out: &'a mut Vec<u8>, kind: u8) -> Self {
        out.push(kind);
        out.extend_from_slice(&[0; 8]);
        let contents = out.len();
        Record { out, contents }
    }

    pub(crate) fn end(self) {
        let length = (self.out.len() - self.contents) as u64;
        self.out[self.contents - 8..self.contents].copy_from_slice(&length.to_le_bytes());
    }

    pub(crate) fn u16(&mut self, number: u16) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(crate) fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(crate) fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.out.extend_from_slice(bytes);
        self
    }

    /// Text or bytes behind their length.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.u32(text.len() as u32).bytes(text.as_bytes())
    }

    /// Pairs behind their length in bytes.
    pub(crate) fn map(&mut self, map: &BTreeMap<String, String>) -> &mut Self {
        let bytes: usize = map.iter().map(|(key, value)| 8 + key.len() + value.len()).sum();
        self.u32(bytes as u32);
        for (key, value) in map {
            self.text(key).text(value);
        }
        self
    }
}

pub(crate) fn header(out: &mut Vec<u8>, library: &str) {
    let mut record = Record::start(out, kind::HEADER);
    record.text("").text(library);
    record.end();
}

pub(crate) fn schema(out: &mut Vec<u8>, id: u16, name: &str, encoding: &str, text: &str) {
    let mut record = Record::start(out, kind::SCHEMA);
    record.u16(id).text(name).text(encoding).text(text);
    record.end();
}

pub(crate) fn channel(
    out: &mut Vec<u8>,
    id: u16,
    schema: u16,
    topic: &str,
    encoding: &str,
    metadata: &BTreeMap<String, String>,
) {
    let mut record = Record::start(out, kind::CHANNEL);
    record.u16(id).u16(schema).text(topic).text(encoding).map(metadata);
    record.end();
}

pub(crate) fn metadata(out: &mut Vec<u8>, name: &str, entries: &BTreeMap<String, String>) {
    let mut record = Record::start(out, kind::METADATA);
    record.text(name).map(entries);
    record.end();
}

pub(crate) fn data_end(out: &mut Vec<u8>, checksum: u32) {
    let mut record = Record::start(out, kind::DATA_END);
    record.u32(checksum);
    record.end();
}

/// What precedes the contents of a message: kind, length, channel, number, log and publish time.
pub(crate) fn message_header(
    channel: u16,
    sequence: u32,
    nanoseconds: u64,
    contents: usize,
) -> [u8; 31] {
    let mut header = [0; 31];
    header[0] = kind::MESSAGE;
    header[1..9].copy_from_slice(&(22 + contents as u64).to_le_bytes());
    header[9..11].copy_from_slice(&channel.to_le_bytes());
    header[11..15].copy_from_slice(&sequence.to_le_bytes());
    header[15..23].copy_from_slice(&nanoseconds.to_le_bytes());
    header[23..31].copy_from_slice(&nanoseconds.to_le_bytes());
    header
}

/// Where the messages of one channel lie in a chunk: pairs of log time and offset, as bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageIndex {
    pub entries: Vec<u8>,
}

impl MessageIndex {
    pub(crate) fn count(&self) -> u64 {
        self.entries.len() as u64 / 16
    }

    pub(crate) fn push(&mut self, nanoseconds: u64, offset: u64) {
        let mut entry = [0; 16];
        entry[..8].copy_from_slice(&nanoseconds.to_le_bytes());
        entry[8..].copy_from_slice(&offset.to_le_bytes());
        self.entries.extend_from_slice(&entry);
    }
}

pub(crate) fn message_index(out: &mut Vec<u8>, channel: u16, index: &MessageIndex) {
    let mut record = Record::start(out, kind::MESSAGE_INDEX);
    record.u16(channel).u32(index.entries.len() as u32).bytes(&index.entries);
    record.end();
}

/// What the summary says of one chunk.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkIndex {
    pub first: u64,
    pub last: u64,
    pub start: u64,
    pub length: u64,
    /// Channels and where their message indexes start in the file.
    pub message_indexes: Vec<(u16, u64)>,
    pub message_index_length: u64,
    /// Messages by channel.
    pub messages: Vec<(u16, u64)>,
    pub compression: &'static str,
    pub compressed: u64,
    pub uncompressed: u64,
}

/// Writes a chunk whose records `records` compresses; gives their compressed size.
pub(crate) fn chunk(
    out: &mut Vec<u8>,
    index: &ChunkIndex,
    checksum: u32,
    records: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>,
) -> std::io::Result<u64> {
    let mut record = Record::start(out, kind::CHUNK);
    record.u64(index.first).u64(index.last).u64(index.uncompressed).u32(checksum);
    record.text(index.compression);
    let length = record.out.len();
    record.u64(0);
    let start = record.out.len();
    records(record.out)?;
    let compressed = (record.out.len() - start) as u64;
    record.out[length..start].copy_from_slice(&compressed.to_le_bytes());
    record.end();
    Ok(compressed)
}
