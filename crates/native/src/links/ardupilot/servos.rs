//! Packets of servos, as ArduPilot's JSON interface sends them.
//!
//! Little-endian: magic (u16), rate of frames in Hz (u16), number of the frame (u32), pulses in µs (u16 each): 16 of them
//! with the magic 18458, 32 with 29569. A channel that was never set is 0.

use serde::{Deserialize, Serialize};

/// Channels of the longer packet.
pub const CHANNELS: usize = 32;
const HEADER: usize = 8;

/// A packet of servos.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Servos {
    /// How many steps of physics it wants in a second, as advice.
    pub frame_rate: u16,
    /// How many answers it has taken.
    pub frame: u32,
    /// Pulses in µs; those that the packet does not have are 0.
    pub pulses: [u16; CHANNELS],
}

impl Servos {
    /// Reads a packet; one of another magic or length is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (header, rest) = bytes.split_first_chunk::<HEADER>()?;
        let &[magic_low, magic_high, rate_low, rate_high, a, b, c, d] = header;
        let channels = match u16::from_le_bytes([magic_low, magic_high]) {
            18_458 => 16,
            29_569 => CHANNELS,
            _ => return None,
        };
        let (words, odd) = rest.as_chunks::<2>();
        if words.len() != channels || !odd.is_empty() {
            return None;
        }
        let mut pulses = [0; CHANNELS];
        for (pulse, word) in pulses.iter_mut().zip(words) {
            *pulse = u16::from_le_bytes(*word);
        }
        Some(Servos {
            frame_rate: u16::from_le_bytes([rate_low, rate_high]),
            frame: u32::from_le_bytes([a, b, c, d]),
            pulses,
        })
    }
}

/// How the numbers of frames went so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frames {
    last: Option<u32>,
    /// Packets so far.
    pub packets: u64,
    /// Packets that carried the number of the one before: it got no answer in time, or took none.
    pub resent: u64,
    /// Numbers that never came.
    pub missed: u64,
    /// How often the numbers began anew: ArduPilot has started again.
    pub restarts: u64,
}

impl Frames {
    /// A packet has come.
    pub fn count(&mut self, frame: u32) {
        self.packets += 1;
        match self.last {
            Some(last) if frame == last => self.resent += 1,
            Some(last) if frame > last => self.missed += u64::from(frame - last - 1),
            Some(_) => self.restarts += 1,
            None => {}
        }
        self.last = Some(frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(magic: u16, frame: u32, pulses: &[u16]) -> Vec<u8> {
        let mut bytes = [magic.to_le_bytes(), 1200_u16.to_le_bytes()].concat();
        bytes.extend(frame.to_le_bytes());
        bytes.extend(pulses.iter().flat_map(|pulse| pulse.to_le_bytes()));
        bytes
    }

    #[test]
    fn both_kinds_of_packets_are_read() {
        let short = Servos::read(&packet(18_458, 7, &[1500; 16])).unwrap();
        assert_eq!((short.frame_rate, short.frame), (1200, 7));
        assert_eq!((short.pulses[15], short.pulses[16]), (1500, 0));
        let long = Servos::read(&packet(29_569, 7, &[1500; 32])).unwrap();
        assert_eq!(long.pulses, [1500; 32]);
    }

    #[test]
    fn what_is_no_packet_is_refused() {
        assert_eq!(Servos::read(&packet(18_458, 0, &[0; 32])), None);
        assert_eq!(Servos::read(&packet(29_569, 0, &[0; 16])), None);
        assert_eq!(Servos::read(&packet(18_459, 0, &[0; 16])), None);
        assert_eq!(Servos::read(&packet(18_458, 0, &[0; 16])[..39]), None);
        assert_eq!(Servos::read(&[]), None);
    }

    #[test]
    fn frames_are_counted() {
        let mut frames = Frames::default();
        [0, 1, 1, 2, 5, 0, 1].into_iter().for_each(|frame| frames.count(frame));
        let Frames { packets, resent, missed, restarts, .. } = frames;
        assert_eq!((packets, resent, missed, restarts), (7, 1, 2, 1));
    }
}
