//! Values as bytes: a fixed part in little-endian wire order, and payloads beside it.

use crate::payload::Payload;

/// Why bytes are not a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end too early.
    #[error("the bytes of the value end too early")]
    Truncated,
    /// The bytes are no value of this type.
    #[error("the bytes are not a valid {kind}")]
    Invalid {
        /// The type that was expected.
        kind: &'static str,
    },
}

/// A value being written.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    fixed: Vec<u8>,
    payloads: Vec<Payload>,
    canonical: bool,
}

impl Wire {
    /// A wire on which every NaN is the same NaN: for hashes, which must not depend on the machine.
    pub fn canonical() -> Self {
        Wire { canonical: true, ..Wire::default() }
    }

    /// Whether NaNs are made equal.
    pub fn is_canonical(&self) -> bool {
        self.canonical
    }

    /// The fixed part: as long as the schema says.
    pub fn fixed(&self) -> &[u8] {
        &self.fixed
    }

    /// The payloads in the order of their leaves.
    pub fn payloads(&self) -> &[Payload] {
        &self.payloads
    }

    /// Forgets what was written and keeps the memory.
    pub fn clear(&mut self) {
        self.fixed.clear();
        self.payloads.clear();
    }

    /// Appends bytes of a leaf.
    pub fn put(&mut self, bytes: &[u8]) {
        self.fixed.extend_from_slice(bytes);
    }

    /// Appends a payload: its length to the fixed part, its bytes by reference.
    pub fn put_payload(&mut self, payload: &Payload) {
        self.put(&(payload.len() as u64).to_le_bytes());
        self.payloads.push(payload.clone());
    }

    /// Appends the fixed part and the payloads to `out`.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.fixed);
        for payload in &self.payloads {
            out.extend_from_slice(payload);
        }
    }

    /// Everything in one run of bytes: the length of the fixed part, the fixed part, the payloads.
    pub fn flatten(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.fixed.len() as u64).to_le_bytes());
        self.append_to(out);
    }
}

/// A value being read, from a [`Wire`] (payloads stay shared) or from flat bytes.
#[derive(Debug)]
pub struct WireReader<'a> {
    fixed: &'a [u8],
    payloads: Payloads<'a>,
}

#[derive(Debug)]
enum Payloads<'a> {
    Shared(std::slice::Iter<'a, Payload>),
    Flat(&'a [u8]),
}

impl<'a> WireReader<'a> {
    /// Reads what was written to `wire`.
    pub fn new(wire: &'a Wire) -> Self {
        WireReader { fixed: &wire.fixed, payloads: Payloads::Shared(wire.payloads.iter()) }
    }

    /// Reads what [`Wire::flatten`] wrote.
    pub fn flat(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let (length, rest) = bytes.split_first_chunk().ok_or(DecodeError::Truncated)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (fixed, payloads) = rest.split_at_checked(length).ok_or(DecodeError::Truncated)?;
        Ok(WireReader { fixed, payloads: Payloads::Flat(payloads) })
    }

    /// The next `N` bytes of the fixed part.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (bytes, rest) = self.fixed.split_first_chunk().ok_or(DecodeError::Truncated)?;
        self.fixed = rest;
        Ok(*bytes)
    }

    /// The next payload.
    pub fn take_payload(&mut self) -> Result<Payload, DecodeError> {
        let length = u64::from_le_bytes(self.take()?);
        match &mut self.payloads {
            Payloads::Shared(payloads) => payloads.next().cloned().ok_or(DecodeError::Truncated),
            Payloads::Flat(bytes) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                let (payload, rest) =
                    bytes.split_at_checked(length).ok_or(DecodeError::Truncated)?;
                *bytes = rest;
                Ok(Payload::new(payload))
            }
        }
    }

    /// Whether every byte of the fixed part was read.
    pub fn is_empty(&self) -> bool {
        self.fixed.is_empty()
    }
}
