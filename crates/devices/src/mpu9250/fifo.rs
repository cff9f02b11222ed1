//! The FIFO of 512 bytes.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

const SIZE: usize = 512;

/// Bytes in the order in which they were written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fifo {
    bytes: VecDeque<u8>,
    /// The byte that was read last: an empty FIFO repeats it.
    last: u8,
    /// What the counter registers show: reading the upper one takes the present count.
    counted: u16,
}

impl Fifo {
    /// Appends bytes. Where there is no more room, the oldest give way, or the new ones are lost. Returns whether there
    /// was not room for all.
    pub fn write(&mut self, bytes: &[u8], stops_when_full: bool) -> bool {
        let mut overflows = false;
        for byte in bytes {
            if self.bytes.len() >= SIZE {
                overflows = true;
                if stops_when_full {
                    break;
                }
                self.bytes.pop_front();
            }
            self.bytes.push_back(*byte);
        }
        overflows
    }

    /// The oldest byte.
    pub fn read(&mut self) -> u8 {
        self.last = self.bytes.pop_front().unwrap_or(self.last);
        self.last
    }

    /// Counts the bytes in it.
    pub fn count(&mut self) {
        self.counted = self.bytes.len() as u16;
    }

    /// The last count.
    pub fn counted(&self) -> u16 {
        self.counted
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(stops: bool) -> (Fifo, Vec<bool>) {
        let mut fifo = Fifo::default();
        let frame = |k: u8| [k; 14];
        let full = (0..40).map(|k| fifo.write(&frame(k), stops)).collect();
        fifo.count();
        (fifo, full)
    }

    #[test]
    fn a_full_fifo_that_stops_keeps_the_oldest_bytes() {
        let (mut fifo, full) = filled(true);
        assert_eq!(fifo.counted(), 512);
        assert_eq!(full.iter().position(|full| *full), Some(36));
        assert_eq!(fifo.read(), 0);
    }

    #[test]
    fn a_full_fifo_that_goes_on_keeps_the_newest_bytes() {
        let (mut fifo, _) = filled(false);
        let last: Vec<u8> = (0..512).map(|_| fifo.read()).collect();
        assert_eq!((last[0], last[511]), (3, 39));
        assert_eq!(fifo.read(), 39, "an empty one repeats its last byte");
    }
}
