//! MSP, the MultiWii serial protocol in its first version: `$M<`, length, command, content, checksum.
//!
//! The checksum is the exclusive or of all bytes from the length on. Answers begin with `$M>`, refusals with `$M!`.

use serde::{Deserialize, Serialize};

/// Sets a mode by a switch: which of the list, which mode, which auxiliary channel, from where to where.
pub const SET_MODE_RANGE: u8 = 35;
/// Asks for the state, with what prevents arming.
pub const STATUS_EX: u8 = 150;
/// Begins the calibration of the accelerometer.
pub const ACC_CALIBRATION: u8 = 205;

/// The longest content of a frame.
const LONGEST: usize = 255;

/// A request; none whose content is too long for a frame.
pub fn request(command: u8, content: &[u8]) -> Option<Vec<u8>> {
    let length = u8::try_from(content.len()).ok()?;
    let mut frame = vec![b'$', b'M', b'<', length, command];
    frame.extend_from_slice(content);
    frame.push(checksum(&frame[3..]));
    Some(frame)
}

fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ byte)
}

/// Answers as they come out of a stream of bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    bytes: Vec<u8>,
}

impl Answers {
    /// More bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next answer that is whole: its command and its content. Damaged ones and refusals are passed over.
    pub fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        loop {
            let begin = self.bytes.windows(3).position(|at| at == b"$M>");
            let Some(begin) = begin else {
                // The last two bytes may be the beginning of an answer.
                let done = self.bytes.len().saturating_sub(2);
                self.bytes.drain(..done);
                return None;
            };
            self.bytes.drain(..begin);
            let length = usize::from(*self.bytes.get(3)?);
            debug_assert!(length <= LONGEST);
            let end = 5 + length;
            let sum = *self.bytes.get(end)?;
            if checksum(&self.bytes[3..end]) == sum {
                let answer = (self.bytes[4], self.bytes[5..end].to_vec());
                self.bytes.drain(..=end);
                return Some(answer);
            }
            self.bytes.drain(..3);
        }
    }
}

/// What an autopilot says of its state (`MSP_STATUS_EX`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Whether its motors are armed: that is the first of its modes.
    pub armed: bool,
    /// Why it cannot be armed, a bit for each reason.
    pub arming_prevented: u32,
}

impl Status {
    /// Reads the content of an answer.
    ///
    /// It is: cycle time, I2C errors, sensors (u16 each), modes (u32), profile (u8), load (u16), profiles, rate profile
    /// (u8 each), how many more bytes of modes (u8, low 4 bits) and these, how many reasons (u8), reasons (u32).
    pub fn read(content: &[u8]) -> Option<Self> {
        let modes = *content.get(6)?;
        let more = usize::from(*content.get(15)? & 0x0F);
        let reasons = content.get(17 + more..21 + more)?;
        let arming_prevented = u32::from_le_bytes(reasons.try_into().ok()?);
        Some(Status { armed: modes & 1 != 0, arming_prevented })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_a_length_and_a_checksum() {
        let frame = request(SET_MODE_RANGE, &[0, 0, 0, 32, 48]).unwrap();
        assert_eq!(frame, [b'$', b'M', b'<', 5, 35, 0, 0, 0, 32, 48, 5 ^ 35 ^ 32 ^ 48]);
        assert_eq!(request(1, &[0; 256]), None);
    }

    #[test]
    fn answers_are_found_among_others_and_in_pieces() {
        let mut status = vec![0; 27];
        (status[6], status[15], status[17]) = (1, 1, 29);
        status[18..22].copy_from_slice(&0x1204_u32.to_le_bytes());
        let mut answer = request(STATUS_EX, &status).unwrap();
        answer[2] = b'>';
        let mut damaged = answer.clone();
        damaged[9] ^= 1;
        let stream = [b"noise$M!".as_slice(), &damaged, &answer].concat();
        let mut answers = Answers::default();
        let mut found = Vec::new();
        for piece in stream.chunks(7) {
            answers.push(piece);
            found.extend(std::iter::from_fn(|| answers.next()));
        }
        assert_eq!(found.len(), 1);
        let (command, content) = &found[0];
        assert_eq!(*command, STATUS_EX);
        let read = Status::read(content).unwrap();
        assert_eq!(read, Status { armed: true, arming_prevented: 0x1204 });
        assert_eq!(Status::read(&content[..20]), None);
    }
}
