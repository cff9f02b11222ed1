//! ULog, the log format of PX4: <https://docs.px4.io/main/en/dev_log/ulog_file_format>.
//!
//! ```text
//! header   "ULog" 01 12 35, version, start time      16 bytes
//! message  u16 size, u8 type, size bytes             again and again
//!   B  flags: which parts of the file were appended later
//!   F  "name:type field;type[4] field;…"             the fields of a message, which may be nested
//!   A  u8 instance, u16 id, name                     what is logged under this id
//!   D  u16 id, the fields                            one message
//! ```
//!
//! All other messages (information, parameters, texts, dropouts, and what later versions add) are passed
//! over. A file that ends in the middle of a message is read up to it.

use std::collections::BTreeMap;

use crate::fields::{Field, Scale, Stored};
use crate::records::Records;

/// How every file begins; the version follows.
pub(crate) const MAGIC: [u8; 7] = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35];
const HEADER: usize = 16;
const MESSAGE_HEADER: usize = 3;
/// Bit 0 of the first of the flags that a reader must know: data were appended.
const APPENDED: u8 = 1;
/// Types nest in practice two deep; deeper than this they are a circle.
const DEEPEST: usize = 8;
/// No real message has more columns.
const MOST_COLUMNS: usize = 20_000;

/// What a file holds, and what is wrong with it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub records: Vec<Records>,
    pub damage: Option<String>,
}

/// A place in the file, and what is wrong there.
pub(crate) type Wrong = (usize, String);

/// Finds all messages of a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Found, Wrong> {
    if bytes.len() < HEADER {
        return Err((bytes.len(), "the file ends inside of its header of 16 bytes".into()));
    }
    let mut reader = Reader::default();
    let mut at = HEADER;
    while at < bytes.len() {
        let message = Message::at(bytes, at);
        // What was being written when data were appended is cut off by them.
        let limit = reader.appended.first().copied().unwrap_or(bytes.len());
        match message {
            Some(message) if message.end <= limit => {
                reader.take(&message)?;
                at = message.end;
            }
            _ if limit < bytes.len() && at <= limit => {
                at = limit;
                reader.appended.remove(0);
            }
            _ => {
                let left = bytes.len() - at;
                reader
                    .notes
                    .push(format!("the last {left} bytes, from byte {at}, are no whole message"));
                break;
            }
        }
    }
    let damage = (!reader.notes.is_empty()).then(|| reader.notes.join("; "));
    let records = reader.logged.into_values().filter(|records| !records.rows.is_empty());
    Ok(Found { records: records.collect(), damage })
}

struct Message<'a> {
    kind: u8,
    /// Where its contents begin.
    start: usize,
    end: usize,
    contents: &'a [u8],
}

impl<'a> Message<'a> {
    fn at(bytes: &'a [u8], at: usize) -> Option<Self> {
        let header = bytes.get(at..at + MESSAGE_HEADER)?;
        let start = at + MESSAGE_HEADER;
        let end = start + usize::from(u16::from_le_bytes([header[0], header[1]]));
        Some(Message { kind: header[2], start, end, contents: bytes.get(start..end)? })
    }
}

#[derive(Default)]
struct Reader {
    formats: BTreeMap<String, String>,
    /// By the id that data come with.
    logged: BTreeMap<u16, Records>,
    /// How many bytes a message must have.
    sizes: BTreeMap<u16, usize>,
    /// Where appended data begin.
    appended: Vec<usize>,
    notes: Vec<String>,
}

impl Reader {
    fn take(&mut self, message: &Message<'_>) -> Result<(), Wrong> {
        match message.kind {
            b'B' => self.flags(message),
            b'F' => {
                let text = String::from_utf8_lossy(message.contents);
                if let Some((name, fields)) = text.split_once(':') {
                    self.formats.insert(name.to_owned(), fields.to_owned());
                    return Ok(());
                }
                Err((message.start, format!("the format {text:?} has no \":\" after its name")))
            }
            b'A' => self.subscribe(message),
            b'D' => {
                self.data(message);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn flags(&mut self, message: &Message<'_>) -> Result<(), Wrong> {
        let Some(contents) = message.contents.get(..40) else {
            return Err((message.start, "the message of flags is shorter than 40 bytes".into()));
        };
        let unknown = contents[8] & !APPENDED != 0 || contents[9..16].iter().any(|byte| *byte != 0);
        if unknown {
            let what = "it needs a later reader: it has flags that are not known here";
            return Err((message.start + 8, what.into()));
        }
        if contents[8] & APPENDED != 0 {
            let offsets = contents[16..40].chunks_exact(8);
            let offsets = offsets.map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default()));
            let offsets = offsets.filter_map(|offset| usize::try_from(offset).ok());
            self.appended = offsets.filter(|offset| *offset >= message.end).collect();
            self.appended.sort_unstable();
        }
        Ok(())
    }

    fn subscribe(&mut self, message: &Message<'_>) -> Result<(), Wrong> {
        let [instance, low, high, name @ ..] = message.contents else {
            return Err((message.start, "a subscription is shorter than 3 bytes".into()));
        };
        let (id, name) = (u16::from_le_bytes([*low, *high]), String::from_utf8_lossy(name));
        let mut fields = Vec::new();
        let size = self.lay_out(&name, "", 0, 0, &mut fields);
        let size = size.map_err(|what| (message.start, format!("\"{name}\": {what}")))?;
        let time = fields.iter().position(|field| field.name == "timestamp");
        let name = format!("{name}[{instance}]");
        let rows = Vec::new();
        self.sizes.insert(id, size);
        self.logged.insert(id, Records { name, fields, time, time_name: "\"timestamp\"", rows });
        Ok(())
    }

    /// Finds the fields of a type; gives where it ends, without padding at its end, which is not logged.
    fn lay_out(
        &self,
        name: &str,
        prefix: &str,
        start: usize,
        depth: usize,
        fields: &mut Vec<Field>,
    ) -> Result<usize, String> {
        let Some(format) = self.formats.get(name) else {
            return Err(format!("there is no format of \"{name}\""));
        };
        if depth > DEEPEST {
            return Err(format!("\"{name}\" is nested more than {DEEPEST} deep"));
        }
        let (mut offset, mut end) = (start, start);
        for entry in format.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            let Some((kind, field)) = entry.split_once(' ') else {
                return Err(format!("the field \"{entry}\" is not written as \"type name\""));
            };
            let (kind, count) = match kind.split_once('[') {
                None => (kind, None),
                Some((kind, count)) => {
                    let count = count.trim_end_matches(']').parse::<usize>();
                    let count = count.ok().filter(|count| (1..=u16::MAX.into()).contains(count));
                    (kind, Some(count.ok_or_else(|| format!("\"{entry}\" has no such length"))?))
                }
            };
            let full = format!("{prefix}{}", field.trim());
            let is_padding = field.trim().starts_with("_padding");
            // Letters make one text.
            let (count, letters) = match plain(kind) {
                Some(Stored::Text) => (None, count.unwrap_or(1)),
                _ => (count, 1),
            };
            for index in 0..count.unwrap_or(1) {
                let name = if count.is_some() { format!("{full}[{index}]") } else { full.clone() };
                match plain(kind) {
                    Some(stored) => {
                        let (scale, unit) = (Scale::Times(1.0), String::new());
                        if !is_padding {
                            fields.push(Field { name, offset, stored, scale, unit });
                        }
                        offset += stored.size() * letters;
                    }
                    None => {
                        let prefix = format!("{name}.");
                        offset = self.lay_out(kind, &prefix, offset, depth + 1, fields)?;
                    }
                }
                if fields.len() > MOST_COLUMNS || offset > usize::from(u16::MAX) {
                    return Err(format!("\"{entry}\" is longer than a message can be"));
                }
            }
            if !is_padding {
                end = offset;
            }
        }
        // Padding inside of a nested type is logged.
        Ok(if depth == 0 { end } else { offset })
    }

    fn data(&mut self, message: &Message<'_>) {
        let [low, high, ..] = message.contents else { return };
        let id = u16::from_le_bytes([*low, *high]);
        let size = self.sizes.get(&id).copied().unwrap_or(0);
        match self.logged.get_mut(&id) {
            Some(records) if message.contents.len() >= 2 + size => {
                records.rows.push(message.start + 2);
            }
            Some(records) if self.notes.len() < 3 => self.notes.push(format!(
                "a message of {} at byte {} has {} bytes instead of {size}",
                records.name,
                message.start,
                message.contents.len() - 2
            )),
            None if self.notes.len() < 3 => {
                self.notes.push(format!("nobody says what the data at byte {} are", message.start));
            }
            _ => {}
        }
    }
}

fn plain(kind: &str) -> Option<Stored> {
    Some(match kind {
        "int8_t" => Stored::I8,
        "uint8_t" | "bool" => Stored::U8,
        "int16_t" => Stored::I16,
        "uint16_t" => Stored::U16,
        "int32_t" => Stored::I32,
        "uint32_t" => Stored::U32,
        "int64_t" => Stored::I64,
        "uint64_t" => Stored::U64,
        "float" => Stored::F32,
        "double" => Stored::F64,
        "char" => Stored::Text,
        _ => return None,
    })
}
