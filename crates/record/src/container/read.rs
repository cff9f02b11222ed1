//! Records from bytes that cannot be trusted.

use std::collections::BTreeMap;
use std::io::Read;

use super::{MAGIC, kind};

/// A chunk that says it holds more than this is taken for damage.
const LARGEST_CHUNK: u64 = 1 << 30;

/// Why reading stopped before the end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Damaged(pub String);

fn damaged(cause: impl Into<String>) -> Damaged {
    Damaged(cause.into())
}

/// Goes through the records of a file, those inside chunks included.
pub(crate) struct Walk<R> {
    input: R,
    /// Bytes that are still to come.
    left: u64,
    /// Of all that was read.
    checksum: crc32fast::Hasher,
    record: Vec<u8>,
    chunk: Vec<u8>,
}

impl<R: Read> Walk<R> {
    /// Starts behind the magic; `None` if the input does not begin with it.
    pub(crate) fn new(mut input: R, length: u64) -> std::io::Result<Option<Self>> {
        let mut magic = [0; MAGIC.len()];
        if length < magic.len() as u64 {
            return Ok(None);
        }
        input.read_exact(&mut magic)?;
        let left = length - magic.len() as u64;
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&magic);
        let (record, chunk) = (Vec::new(), Vec::new());
        Ok((magic == MAGIC).then_some(Walk { input, left, checksum, record, chunk }))
    }

    /// Shows every record up to the end of the data section to `each`; a chunk's only after the
    /// chunk proved whole. `Err` says why the rest of the file cannot be read.
    pub(crate) fn run(
        mut self,
        mut each: impl FnMut(u8, &[u8]) -> Result<(), Damaged>,
    ) -> Result<(), Damaged> {
        loop {
            if self.left == 0 {
                return Err(damaged("the file ends before its end mark: the run was cut short"));
            }
            let mut head = [0; 9];
            self.fill(&mut head)?;
            let length = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
            if length > self.left {
                return Err(damaged("the file ends in the middle of a record"));
            }
            let mut record = std::mem::take(&mut self.record);
            record.resize(length as usize, 0);
            self.fill(&mut record)?;
            match head[0] {
                kind::CHUNK => {
                    unpack(&record, &mut self.chunk)?;
                    let mut records = self.chunk.as_slice();
                    while let Some((kind, contents, rest)) = split_record(records) {
                        each(kind, contents)?;
                        records = rest;
                    }
                    if !records.is_empty() {
                        return Err(damaged("a chunk ends in the middle of a record"));
                    }
                }
                kind::DATA_END => return self.check_all(&record),
                kind => each(kind, &record)?,
            }
            self.checksum.update(&head);
            self.checksum.update(&record);
            self.record = record;
        }
    }

    /// Compares all that was read with the checksum at the end of the data.
    fn check_all(self, data_end: &[u8]) -> Result<(), Damaged> {
        let expected = Contents(data_end).u32().ok_or_else(|| damaged("the end mark is broken"))?;
        if expected != 0 && expected != self.checksum.finalize() {
            return Err(damaged(
                "the file does not match its checksum: something in it was changed",
            ));
        }
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Damaged> {
        if (bytes.len() as u64) > self.left {
            return Err(damaged("the file ends in the middle of a record"));
        }
        self.left -= bytes.len() as u64;
        self.input.read_exact(bytes).map_err(|error| damaged(format!("it cannot be read: {error}")))
    }
}

fn split_record(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (head, rest) = bytes.split_at_checked(9)?;
    let length = u64::from_le_bytes(head[1..].try_into().ok()?);
    let (contents, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    Some((head[0], contents, rest))
}

/// Decompresses a chunk into `records` and checks it.
fn unpack(chunk: &[u8], records: &mut Vec<u8>) -> Result<(), Damaged> {
    let mut contents = Contents(chunk);
    let mut head = || {
        contents.u64()?;
        contents.u64()?;
        let (size, checksum) = (contents.u64()?, contents.u32()?);
        let (compression, length) = (contents.text()?, contents.u64()?);
        Some((size, checksum, compression, contents.take(usize::try_from(length).ok()?)?))
    };
    let (size, checksum, compression, packed) =
        head().ok_or_else(|| damaged("the head of a chunk is broken"))?;
    if size > LARGEST_CHUNK {
        return Err(damaged(format!("a chunk says it holds {size} bytes")));
    }
    records.clear();
    match compression {
        "" => records.extend_from_slice(packed),
        "zstd" => {
            // One byte more than promised is enough to see that the promise was wrong.
            zstd::stream::read::Decoder::with_buffer(packed)
                .and_then(|decoder| decoder.take(size + 1).read_to_end(records))
                .map_err(|error| damaged(format!("a chunk cannot be decompressed: {error}")))?;
        }
        other => return Err(damaged(format!("a chunk is compressed by {other:?}, not by zstd"))),
    }
    if records.len() as u64 != size || (checksum != 0 && crc32fast::hash(records) != checksum) {
        return Err(damaged("the contents of a chunk do not match its checksum"));
    }
    Ok(())
}

/// The contents of a record, taken from the front.
pub(crate) struct Contents<'a>(pub &'a [u8]);

impl<'a> Contents<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.u32()?;
        std::str::from_utf8(self.take(length as usize)?).ok()
    }

    fn map(&mut self) -> Option<BTreeMap<String, String>> {
        let length = self.u32()?;
        let mut pairs = Contents(self.take(length as usize)?);
        let mut map = BTreeMap::new();
        while !pairs.0.is_empty() {
            map.insert(pairs.text()?.to_owned(), pairs.text()?.to_owned());
        }
        Some(map)
    }
}

/// Number, name, encoding and text of a schema.
pub(crate) fn read_schema(record: &[u8]) -> Option<(u16, &str, &str, &str)> {
    let mut contents = Contents(record);
    Some((contents.u16()?, contents.text()?, contents.text()?, contents.text()?))
}

/// What a record says of a channel.
pub(crate) struct ChannelRecord<'a> {
    pub id: u16,
    pub schema: u16,
    pub topic: &'a str,
    pub encoding: &'a str,
    pub metadata: BTreeMap<String, String>,
}

pub(crate) fn read_channel(record: &[u8]) -> Option<ChannelRecord<'_>> {
    let mut contents = Contents(record);
    Some(ChannelRecord {
        id: contents.u16()?,
        schema: contents.u16()?,
        topic: contents.text()?,
        encoding: contents.text()?,
        metadata: contents.map()?,
    })
}

/// Channel and contents of a message.
pub(crate) fn read_message(record: &[u8]) -> Option<(u16, &[u8])> {
    let mut contents = Contents(record);
    let channel = contents.u16()?;
    contents.take(4 + 8 + 8)?;
    Some((channel, contents.0))
}

/// Name and entries of a metadata record.
pub(crate) fn read_metadata(record: &[u8]) -> Option<(String, BTreeMap<String, String>)> {
    let mut contents = Contents(record);
    Some((contents.text()?.to_owned(), contents.map()?))
}
