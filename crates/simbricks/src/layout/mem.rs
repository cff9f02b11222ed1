//! MEM (protocol 3): a host reads and writes a memory.
//!
//! | direction | message | fields |
//! |---|---|---|
//! | host to memory | READ 0x60, WRITE 0x61, WRITE_POSTED 0x62 | request u64 @0, address space u64 @8, address u64 @16, length u16 @24, written data @64 |
//! | memory to host | READCOMP 0x40 | request u64 @0, data @64 |
//! | memory to host | WRITECOMP 0x41 | request u64 @0 |
//!
//! A posted write is not answered.

use super::{FIELDS, Fields, LayoutError, Tail, Upper, fields, put, take};

/// Bytes of a slot that SimBricks' own programs use.
pub const ELEN: u64 = 8256;

const TO_MEMORY: &str = "MEM from host to memory";
const TO_HOST: &str = "MEM from memory to host";

/// What a read or a write is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Comes back in the answer.
    pub request: u64,
    /// Address space, for those who switch by it.
    pub address_space: u64,
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub len: u16,
}

/// From the host to the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToMemory {
    /// 0x60
    Read(Request),
    /// 0x61
    Write(Request),
    /// 0x62
    WritePosted(Request),
}

impl ToMemory {
    fn request(&self) -> &Request {
        match self {
            Self::Read(request) | Self::Write(request) | Self::WritePosted(request) => request,
        }
    }
}

impl Upper for ToMemory {
    fn kind(&self) -> u8 {
        match self {
            Self::Read(_) => 0x60,
            Self::Write(_) => 0x61,
            Self::WritePosted(_) => 0x62,
        }
    }

    fn encode(&self) -> Fields {
        let request = self.request();
        let mut bytes = [0; FIELDS];
        put(&mut bytes, 0, request.request.to_le_bytes());
        put(&mut bytes, 8, request.address_space.to_le_bytes());
        put(&mut bytes, 16, request.address.to_le_bytes());
        put(&mut bytes, 24, request.len.to_le_bytes());
        bytes
    }

    fn decode(kind: u8, bytes: &[u8], _: &Tail) -> Result<Self, LayoutError> {
        let bytes = fields(bytes, TO_MEMORY)?;
        let request = Request {
            request: u64::from_le_bytes(take(&bytes, 0, TO_MEMORY)?),
            address_space: u64::from_le_bytes(take(&bytes, 8, TO_MEMORY)?),
            address: u64::from_le_bytes(take(&bytes, 16, TO_MEMORY)?),
            len: u16::from_le_bytes(take(&bytes, 24, TO_MEMORY)?),
        };
        match kind {
            0x60 => Ok(Self::Read(request)),
            0x61 => Ok(Self::Write(request)),
            0x62 => Ok(Self::WritePosted(request)),
            found => Err(LayoutError::Type { layer: TO_MEMORY, found }),
        }
    }

    fn payload_len(&self) -> Option<usize> {
        match self {
            Self::Read(_) => Some(0),
            Self::Write(request) | Self::WritePosted(request) => Some(usize::from(request.len)),
        }
    }
}

/// From the memory to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToHost {
    /// 0x40, with as much data as was asked for.
    ReadComplete {
        /// The request it answers.
        request: u64,
    },
    /// 0x41
    WriteComplete {
        /// The request it answers.
        request: u64,
    },
}

impl Upper for ToHost {
    fn kind(&self) -> u8 {
        match self {
            Self::ReadComplete { .. } => 0x40,
            Self::WriteComplete { .. } => 0x41,
        }
    }

    fn encode(&self) -> Fields {
        let (Self::ReadComplete { request } | Self::WriteComplete { request }) = self;
        let mut bytes = [0; FIELDS];
        put(&mut bytes, 0, request.to_le_bytes());
        bytes
    }

    fn decode(kind: u8, bytes: &[u8], _: &Tail) -> Result<Self, LayoutError> {
        let bytes = fields(bytes, TO_HOST)?;
        let request = u64::from_le_bytes(take(&bytes, 0, TO_HOST)?);
        match kind {
            0x40 => Ok(Self::ReadComplete { request }),
            0x41 => Ok(Self::WriteComplete { request }),
            found => Err(LayoutError::Type { layer: TO_HOST, found }),
        }
    }

    fn payload_len(&self) -> Option<usize> {
        match self {
            Self::ReadComplete { .. } => None,
            Self::WriteComplete { .. } => Some(0),
        }
    }
}
