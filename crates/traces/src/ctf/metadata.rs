//! The metadata of a trace: packets around a text (CTF 1.8.3, section 7.1), or the text alone; and what the
//! text says of clocks, streams and events (section 7.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::field::{ByteOrder, FieldType};
use super::lexer::{Mistake, Token, tokens};
use super::tsdl::{Attribute, Block, Parser};

/// In front of every packet of metadata, in the byte order of the trace.
const METADATA_MAGIC: u32 = 0x75D1_1D57;
/// magic, uuid, checksum, content size, packet size, four bytes of schemes and version.
const METADATA_HEADER: usize = 4 + 16 + 4 + 4 + 4 + 5;

/// What a metadata text says.
pub(super) struct Metadata {
    pub uuid: Option<[u8; 16]>,
    pub packet_header: Option<Arc<FieldType>>,
    pub clocks: BTreeMap<String, Clock>,
    pub streams: BTreeMap<u64, StreamType>,
    /// Facts about the machine and the tracer, such as `hostname`.
    pub environment: Vec<(String, String)>,
}

/// How the value of a clock becomes nanoseconds since 1970.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Clock {
    frequency: u64,
    offset_seconds: i64,
    offset_cycles: i64,
}

impl Clock {
    pub(super) const NANOSECONDS: Clock =
        Clock { frequency: 1_000_000_000, offset_seconds: 0, offset_cycles: 0 };

    /// Rounded down; the end of the range of 64 bits where it is beyond.
    pub(super) fn nanoseconds(&self, cycles: u64) -> i64 {
        let cycles = i128::from(cycles) + i128::from(self.offset_cycles);
        let frequency = i128::from(self.frequency);
        let seconds = i128::from(self.offset_seconds) + cycles.div_euclid(frequency);
        let rest = cycles.rem_euclid(frequency) * 1_000_000_000 / frequency;
        let time = seconds * 1_000_000_000 + rest;
        time.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
}

#[derive(Default)]
pub(super) struct StreamType {
    pub packet_context: Option<Arc<FieldType>>,
    pub event_header: Option<Arc<FieldType>>,
    pub event_context: Option<Arc<FieldType>>,
    pub events: BTreeMap<u64, EventType>,
}

pub(super) struct EventType {
    pub name: Arc<str>,
    pub context: Option<Arc<FieldType>>,
    pub fields: Option<Arc<FieldType>>,
}

/// The text of a metadata file.
pub(super) fn text(bytes: &[u8]) -> Result<String, (usize, String)> {
    let word = |at: usize| bytes.get(at..at + 4).and_then(|word| <[u8; 4]>::try_from(word).ok());
    let read: fn([u8; 4]) -> u32 = match word(0) {
        Some(magic) if u32::from_le_bytes(magic) == METADATA_MAGIC => u32::from_le_bytes,
        Some(magic) if u32::from_be_bytes(magic) == METADATA_MAGIC => u32::from_be_bytes,
        _ => return Ok(String::from_utf8_lossy(bytes).into_owned()),
    };
    let (mut text, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let number = |offset: usize| word(at + offset).map(read).ok_or("a packet is cut short");
        let wrong = |what: &str| (at, what.to_owned());
        if number(0).map_err(wrong)? != METADATA_MAGIC {
            return Err(wrong("a packet of metadata does not start here"));
        }
        if bytes.get(at + 32).is_none_or(|compression| *compression != 0) {
            return Err(wrong("the packet is compressed or encrypted, which LTTng does not do"));
        }
        let content = number(24).map_err(wrong)? as usize / 8;
        let packet = number(28).map_err(wrong)? as usize / 8;
        if content < METADATA_HEADER || packet < content {
            return Err(wrong("the sizes of the packet contradict each other"));
        }
        let part = bytes.get(at + METADATA_HEADER..at + content);
        text.extend_from_slice(part.ok_or_else(|| wrong("the packet is cut short"))?);
        at += packet;
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

impl Metadata {
    pub(super) fn parse(text: &str) -> Result<Metadata, Mistake> {
        let tokens = tokens(text)?;
        let mut parser = Parser::new(&tokens, trace_byte_order(&tokens)?);
        let mut metadata = Metadata {
            uuid: None,
            packet_header: None,
            clocks: BTreeMap::new(),
            streams: BTreeMap::new(),
            environment: Vec::new(),
        };
        while parser.peek().is_some() {
            if parser.declaration()? {
                continue;
            }
            let line = parser.line();
            let kind = parser.word()?;
            let block = parser.block()?;
            parser.expect(";")?;
            match kind {
                "trace" => metadata.trace(&block)?,
                "clock" => metadata.clock(&block)?,
                "stream" => metadata.stream(&block)?,
                "event" => metadata.event(&block)?,
                "env" => {
                    metadata.environment.extend(block.attributes.into_iter().map(|(key, value)| {
                        match value {
                            Attribute::Number(number) => (key, number.to_string()),
                            Attribute::Text(text) | Attribute::Word(text) => (key, text),
                        }
                    }))
                }
                "callsite" => {}
                _ => {
                    let what = format!("\"{kind}\" is nothing that metadata may hold");
                    return Err(Mistake { line, what });
                }
            }
        }
        Ok(metadata)
    }

    fn trace(&mut self, block: &Block) -> Result<(), Mistake> {
        if block.number("major")?.is_some_and(|major| major != 1) {
            return Err(block.mistake("only version 1.8 of the Common Trace Format is known"));
        }
        if let Some(uuid) = block.attribute("uuid") {
            let uuid = parse_uuid(uuid.text());
            self.uuid = Some(uuid.ok_or_else(|| block.mistake("\"uuid\" is no UUID"))?);
        }
        self.packet_header = block.field_type("packet.header");
        Ok(())
    }

    fn clock(&mut self, block: &Block) -> Result<(), Mistake> {
        let Some(name) = block.attribute("name") else {
            return Err(block.mistake("a clock has no name"));
        };
        let whole = |key: &str, default: i64| match block.number(key)? {
            None => Ok(default),
            Some(number) => i64::try_from(number)
                .map_err(|_| block.mistake(format!("\"{key}\" of a clock is out of range"))),
        };
        let frequency = whole("freq", 1_000_000_000)?;
        let clock = Clock {
            frequency: u64::try_from(frequency).unwrap_or(0),
            offset_seconds: whole("offset_s", 0)?,
            offset_cycles: whole("offset", 0)?,
        };
        if clock.frequency == 0 {
            return Err(block.mistake("the frequency of a clock must be positive"));
        }
        self.clocks.insert(name.text().to_owned(), clock);
        Ok(())
    }

    fn stream(&mut self, block: &Block) -> Result<(), Mistake> {
        let stream = self.streams.entry(identity(block, "id")?).or_default();
        stream.packet_context = block.field_type("packet.context");
        stream.event_header = block.field_type("event.header");
        stream.event_context = block.field_type("event.context");
        Ok(())
    }

    fn event(&mut self, block: &Block) -> Result<(), Mistake> {
        let Some(name) = block.attribute("name") else {
            return Err(block.mistake("an event has no name"));
        };
        let event = EventType {
            name: name.text().into(),
            context: block.field_type("context"),
            fields: block.field_type("fields"),
        };
        let (id, stream_id) = (identity(block, "id")?, identity(block, "stream_id")?);
        let stream = self.streams.entry(stream_id).or_default();
        if let Some(other) = stream.events.insert(id, event) {
            let what = format!("\"{}\" and \"{}\" are both event {id}", other.name, name.text());
            return Err(block.mistake(what));
        }
        Ok(())
    }
}

fn identity(block: &Block, key: &str) -> Result<u64, Mistake> {
    let number = block.number(key)?.unwrap_or(0);
    number.try_into().map_err(|_| block.mistake(format!("\"{key}\" must not be negative")))
}

/// Types may be declared before the block that says what their byte order is.
fn trace_byte_order(tokens: &[(Token, usize)]) -> Result<ByteOrder, Mistake> {
    let word = |token: &Token, wanted: &str| matches!(token, Token::Word(word) if word == wanted);
    let Some(start) = tokens.iter().position(|(token, _)| word(token, "trace")) else {
        return Ok(ByteOrder::Little);
    };
    let inside = &tokens[start..];
    let Some(at) = inside.iter().position(|(token, _)| word(token, "byte_order")) else {
        return Ok(ByteOrder::Little);
    };
    match inside.get(at + 2) {
        Some((token, _)) if word(token, "le") => Ok(ByteOrder::Little),
        Some((token, _)) if word(token, "be") || word(token, "network") => Ok(ByteOrder::Big),
        _ => Err(Mistake { line: inside[at].1, what: "\"byte_order\" must be le or be".into() }),
    }
}

fn parse_uuid(text: &str) -> Option<[u8; 16]> {
    let digits: Vec<u32> =
        text.chars().filter(|c| *c != '-').map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let bytes: Vec<u8> =
        digits.chunks_exact(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect();
    (digits.len() == 32).then(|| bytes.try_into().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_counts_from_1970() {
        let clock = Clock { frequency: 1000, offset_seconds: 2, offset_cycles: -500 };
        assert_eq!(clock.nanoseconds(0), 1_500_000_000);
        assert_eq!(clock.nanoseconds(1500), 3_000_000_000);
        assert_eq!(Clock::NANOSECONDS.nanoseconds(u64::MAX), i64::MAX);
    }

    #[test]
    fn mistakes_in_metadata_have_their_line() {
        let line = |text: &str| Metadata::parse(text).map(|_| ()).unwrap_err().line;
        assert_eq!(line("\n\ntrace { byte_order = middle; };"), 3);
        assert_eq!(line("event { name = \"a\"; };\nevent { name = \"b\"; };"), 2);
        assert_eq!(line("struct a {\n  unknown_t b;\n};"), 2);
        assert_eq!(line("clock { name = a;\n freq = 0; };"), 1);
        let nested = "struct { ".repeat(1000);
        let what = Metadata::parse(&nested).map(|_| ()).unwrap_err().what;
        assert!(what.contains("nested"), "{what}");
    }

    #[test]
    fn the_byte_order_of_the_trace_holds_for_types_declared_before_it() {
        let text = "typealias integer { size = 32; } := word;
            trace { byte_order = be; packet.header := struct { word magic; }; };";
        let header = Metadata::parse(text).unwrap().packet_header.unwrap();
        let super::super::field::Kind::Struct(members) = &header.kind else { panic!("a struct") };
        let super::super::field::Kind::Integer(word) = &members[0].field.kind else {
            panic!("an integer")
        };
        assert_eq!(word.order, ByteOrder::Big);
    }
}
