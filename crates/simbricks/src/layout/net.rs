//! NET (protocol 1), the same in both directions: Ethernet frames without their check sequence.
//!
//! PACKET 0x40: length u16 @0, port u8 @2, frame @64.

use super::{FIELDS, Fields, LayoutError, Tail, Upper, fields, put, take};

/// Type of the only message.
pub const PACKET: u8 = 0x40;
/// Bytes of a slot that SimBricks' own programs use: frames of up to 1536 bytes.
pub const ELEN: u64 = 1600;

const LAYER: &str = "NET";

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Bytes of the frame.
    pub len: u16,
    /// Zero in everything seen so far.
    pub port: u8,
}

impl Upper for Packet {
    fn kind(&self) -> u8 {
        PACKET
    }

    fn encode(&self) -> Fields {
        let mut bytes = [0; FIELDS];
        put(&mut bytes, 0, self.len.to_le_bytes());
        put(&mut bytes, 2, [self.port]);
        bytes
    }

    fn decode(kind: u8, bytes: &[u8], _: &Tail) -> Result<Self, LayoutError> {
        let bytes = fields(bytes, LAYER)?;
        if kind != PACKET {
            return Err(LayoutError::Type { layer: LAYER, found: kind });
        }
        let [port] = take(&bytes, 2, LAYER)?;
        Ok(Self { len: u16::from_le_bytes(take(&bytes, 0, LAYER)?), port })
    }

    fn payload_len(&self) -> Option<usize> {
        Some(usize::from(self.len))
    }
}
