//! Every byte of the protocol: what lies in a slot, in an introduction, and in the messages of the
//! upper layers. Version 1, the only one there ever was (SimBricks v0.1.0 to date).
//!
//! All integers are little-endian and packed. A slot begins with a header of 64 bytes:
//!
//! | bytes | what |
//! |---|---|
//! | 0..48 | the upper layer's fields |
//! | 48..56 | time stamp, u64 in picoseconds: when the receiver is to handle the message |
//! | 56..63 | not used |
//! | 63 | owner (bit 7) and type (bits 0 to 6) |
//! | 64.. | payload, up to the end of the slot |
//!
//! Nothing here does input or output; nothing panics on foreign bytes.

mod intro;
pub mod mem;
pub mod net;
pub mod pcie;
pub mod physical;

pub use intro::{
    CONNECTER_INTRO, ConnecterIntro, FLAG_SYNC, FLAG_SYNC_FORCE, LISTENER_INTRO, ListenerIntro,
    Protocol, QueuePlace, SyncMode, VERSION,
};

/// Bytes of a slot's header.
pub const HEADER: usize = 64;
/// Bytes of the header that belong to the upper layer.
pub const FIELDS: usize = 48;
/// Where the time stamp stands.
pub const TIMESTAMP_AT: usize = 48;
/// Where the bytes behind the time stamp begin that the base does not use.
pub const TAIL_AT: usize = 56;
/// Bytes behind the time stamp that the base does not use.
pub const TAIL: usize = 7;
/// Where the byte with owner and type stands.
pub const OWN_TYPE_AT: usize = 63;
/// The bit of the own-type byte that says that the consumer owns the slot: a message is ready.
pub const CONSUMER_OWNS: u8 = 0x80;
/// The bits of the own-type byte that hold the type.
pub const TYPE_MASK: u8 = 0x7f;

/// Type of a message that carries nothing but its time stamp.
pub const SYNC: u8 = 0x00;
/// Type of the last message of a link.
pub const TERMINATE: u8 = 0x01;
/// The first type that belongs to the upper layer; those between [`TERMINATE`] and it are reserved.
pub const FIRST_UPPER: u8 = 0x40;

/// The upper layer's part of a header.
pub type Fields = [u8; FIELDS];

/// The bytes behind the time stamp, which one upper layer uses as well.
pub type Tail = [u8; TAIL];

/// Bytes that are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// Too few bytes, or too many.
    #[error("{what} is {found} bytes long, but has {expected}")]
    Length {
        /// What was read.
        what: &'static str,
        /// What it should have been, in words.
        expected: Expected,
        /// How many bytes there were.
        found: usize,
    },
    /// A type that this upper layer does not have in this direction.
    #[error("message type {found:#04x} is not one of {layer}")]
    Type {
        /// The upper layer and the direction.
        layer: &'static str,
        /// The type found.
        found: u8,
    },
    /// Another version of the protocol.
    #[error("protocol version {found}, but this side speaks version {VERSION}")]
    Version {
        /// The version found.
        found: u64,
    },
    /// The upper layer's part does not begin inside the introduction, behind the base's part.
    #[error(
        "the upper layer's introduction is said to begin at byte {found} of {length}, \
         but the base's part takes {base}"
    )]
    UpperOffset {
        /// The offset found.
        found: u64,
        /// Bytes received.
        length: usize,
        /// Bytes of the base's part.
        base: usize,
    },
    /// A field holds a value that has no meaning.
    #[error("{field} is {found}, which means nothing")]
    Value {
        /// The field.
        field: &'static str,
        /// The value found.
        found: u64,
    },
}

/// A length that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// This many bytes.
    Exactly(usize),
    /// This many bytes or more.
    AtLeast(usize),
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(bytes) => write!(f, "{bytes}"),
            Self::AtLeast(bytes) => write!(f, "{bytes} or more"),
        }
    }
}

/// The header of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The upper layer's part.
    pub fields: Fields,
    /// When the receiver is to handle the message, in picoseconds.
    pub timestamp: u64,
    /// Whether a message is ready for the consumer.
    pub consumer_owns: bool,
    /// The type, below 0x80.
    pub kind: u8,
}

impl Header {
    /// The bytes as they stand in a slot.
    pub fn encode(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        put(&mut bytes, 0, self.fields);
        put(&mut bytes, TIMESTAMP_AT, self.timestamp.to_le_bytes());
        let owner = if self.consumer_owns { CONSUMER_OWNS } else { 0 };
        put(&mut bytes, OWN_TYPE_AT, [owner | (self.kind & TYPE_MASK)]);
        bytes
    }

    /// Reads the first [`HEADER`] bytes of a slot.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn decode(bytes: &[u8]) -> Result<Self, LayoutError> {
        let what = "a slot's header";
        if bytes.len() < HEADER {
            return Err(length(what, Expected::AtLeast(HEADER), bytes));
        }
        let [own_type] = take(bytes, OWN_TYPE_AT, what)?;
        Ok(Self {
            fields: take(bytes, 0, what)?,
            timestamp: u64::from_le_bytes(take(bytes, TIMESTAMP_AT, what)?),
            consumer_owns: own_type & CONSUMER_OWNS != 0,
            kind: own_type & TYPE_MASK,
        })
    }
}

fn length(what: &'static str, expected: Expected, bytes: &[u8]) -> LayoutError {
    LayoutError::Length { what, expected, found: bytes.len() }
}

/// The `N` bytes at `at`.
fn take<const N: usize>(
    bytes: &[u8],
    at: usize,
    what: &'static str,
) -> Result<[u8; N], LayoutError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.copied().ok_or_else(|| length(what, Expected::AtLeast(at + N), bytes))
}

/// Writes `value` at `at`, which lies inside for every layout of this module.
fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    bytes[at..at + N].copy_from_slice(&value);
}

/// The fields of a message of `layer`, whatever length a caller hands over.
fn fields(bytes: &[u8], layer: &'static str) -> Result<Fields, LayoutError> {
    bytes.try_into().map_err(|_| length(layer, Expected::Exactly(FIELDS), bytes))
}

/// The introductions of NET, of MEM, and of a PCIe host: four bytes without meaning.
pub const DUMMY_INTRO: [u8; 4] = [0; 4];

/// Reads an introduction without meaning.
///
/// # Errors
/// If it is not four bytes long.
pub fn decode_dummy_intro(bytes: &[u8]) -> Result<(), LayoutError> {
    if bytes.len() == DUMMY_INTRO.len() {
        return Ok(());
    }
    Err(length("the upper layer's introduction", Expected::Exactly(DUMMY_INTRO.len()), bytes))
}

/// Messages of one direction of an upper layer.
pub trait Upper: Sized {
    /// The type byte, from [`FIRST_UPPER`] to 0x7f.
    fn kind(&self) -> u8;

    /// The upper layer's fields; bytes without meaning are zero.
    fn encode(&self) -> Fields;

    /// What stands behind the time stamp.
    fn tail(&self) -> Tail {
        Tail::default()
    }

    /// Reads a message from its type, its fields, and what stands behind the time stamp.
    ///
    /// # Errors
    /// If there is no such type in this direction, or `fields` is not [`FIELDS`] bytes long.
    fn decode(kind: u8, fields: &[u8], tail: &Tail) -> Result<Self, LayoutError>;

    /// Bytes of payload, where the message itself says so. A read's answer does not: its length is
    /// that of the request.
    fn payload_len(&self) -> Option<usize>;
}
