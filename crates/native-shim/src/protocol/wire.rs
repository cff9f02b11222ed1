//! Plain values to bytes and back.

use std::fmt;

/// Why bytes are not a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The frame ends inside the named field.
    Short {
        /// The field that is not complete.
        field: &'static str,
    },
    /// The sender speaks another version.
    Version {
        /// What it speaks.
        found: u8,
    },
    /// A number that stands for a choice is none of the known ones.
    Unknown {
        /// What was to be chosen.
        field: &'static str,
        /// The number.
        found: u8,
    },
    /// A text is not UTF-8.
    Text {
        /// The field.
        field: &'static str,
    },
    /// Bytes are left over after the frame.
    Long {
        /// How many.
        extra: usize,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { field } => write!(f, "the frame ends inside `{field}`"),
            Self::Version { found } => write!(
                f,
                "the frame has version {found}, expected {}: the program and the host come from different builds",
                super::VERSION
            ),
            Self::Unknown { field, found } => write!(f, "{found} is no known `{field}`"),
            Self::Text { field } => write!(f, "`{field}` is not valid UTF-8"),
            Self::Long { extra } => write!(f, "{extra} bytes follow the end of the frame"),
        }
    }
}

impl std::error::Error for DecodeError {}

pub(crate) trait Write {
    fn put_u8(&mut self, value: u8);
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    fn put_i32(&mut self, value: i32);
    fn put_bool(&mut self, value: bool);
    fn put_bytes(&mut self, value: &[u8]);
    fn put_text(&mut self, value: &str);
    fn put_count(&mut self, count: usize);
}

impl Write for Vec<u8> {
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }
    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_le_bytes());
    }
    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }
    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }
    fn put_i32(&mut self, value: i32) {
        self.extend_from_slice(&value.to_le_bytes());
    }
    fn put_bool(&mut self, value: bool) {
        self.push(u8::from(value));
    }
    fn put_bytes(&mut self, value: &[u8]) {
        self.put_count(value.len());
        self.extend_from_slice(value);
    }
    fn put_text(&mut self, value: &str) {
        self.put_bytes(value.as_bytes());
    }
    // A frame is at most `MAX_FRAME` long, so a longer list cannot be sent anyway.
    fn put_count(&mut self, count: usize) {
        self.put_u32(u32::try_from(count).unwrap_or(u32::MAX));
    }
}

pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, length: usize, field: &'static str) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) =
            self.rest.split_at_checked(length).ok_or(DecodeError::Short { field })?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Short { field })?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self, field: &'static str) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.array(field)?))
    }
    pub(crate) fn u16(&mut self, field: &'static str) -> Result<u16, DecodeError> {
        Ok(u16::from_le_bytes(self.array(field)?))
    }
    pub(crate) fn u32(&mut self, field: &'static str) -> Result<u32, DecodeError> {
        Ok(u32::from_le_bytes(self.array(field)?))
    }
    pub(crate) fn u64(&mut self, field: &'static str) -> Result<u64, DecodeError> {
        Ok(u64::from_le_bytes(self.array(field)?))
    }
    pub(crate) fn i32(&mut self, field: &'static str) -> Result<i32, DecodeError> {
        Ok(i32::from_le_bytes(self.array(field)?))
    }
    pub(crate) fn bool(&mut self, field: &'static str) -> Result<bool, DecodeError> {
        match self.u8(field)? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(DecodeError::Unknown { field, found }),
        }
    }
    pub(crate) fn bytes(&mut self, field: &'static str) -> Result<Vec<u8>, DecodeError> {
        let length = self.u32(field)? as usize;
        Ok(self.take(length, field)?.to_vec())
    }
    pub(crate) fn text(&mut self, field: &'static str) -> Result<String, DecodeError> {
        String::from_utf8(self.bytes(field)?).map_err(|_| DecodeError::Text { field })
    }
    // Every entry takes at least one byte, so a count that promises more than is left is refused before any memory is
    // set aside for it.
    pub(crate) fn list<T>(
        &mut self,
        field: &'static str,
        entry: fn(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = self.u32(field)? as usize;
        if count > self.rest.len() {
            return Err(DecodeError::Short { field });
        }
        (0..count).map(|_| entry(self)).collect()
    }
    pub(crate) fn version(&mut self) -> Result<(), DecodeError> {
        match self.u8("version")? {
            super::VERSION => Ok(()),
            found => Err(DecodeError::Version { found }),
        }
    }
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(DecodeError::Long { extra: self.rest.len() })
        }
    }
}
