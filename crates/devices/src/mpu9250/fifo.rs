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
        if self.bytes.len() + bytes.len() <= SIZE {
            self.bytes.extend(bytes);
            return false;
        }
        for byte in bytes {
            if self.bytes.len() >= SIZE {
                if stops_when_full {
                    break;
                }
                self.bytes.pop_front();
            }
            self.bytes.push_back(*byte);
        }
        true
    }

    /// Appends the oldest bytes to `read`.
    pub fn read(&mut self, count: usize, read: &mut Vec<u8>) {
        let (begin, there) = (read.len(), count.min(self.bytes.len()));
        let (older, newer) = self.bytes.as_slices();
        let of_older = there.min(older.len());
        read.extend_from_slice(&older[..of_older]);
        read.extend_from_slice(&newer[..there - of_older]);
        self.bytes.drain(..there);
        self.last = read[begin..].last().copied().unwrap_or(self.last);
        read.resize(begin + count, self.last);
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

    fn read(fifo: &mut Fifo, count: usize) -> Vec<u8> {
        let mut read = Vec::new();
        fifo.read(count, &mut read);
        read
    }

    #[test]
    fn a_full_fifo_that_stops_keeps_the_oldest_bytes() {
        let (mut fifo, full) = filled(true);
        assert_eq!(fifo.counted(), 512);
        assert_eq!(full.iter().position(|full| *full), Some(36));
        assert_eq!(read(&mut fifo, 1), [0]);
    }

    #[test]
    fn a_full_fifo_that_goes_on_keeps_the_newest_bytes() {
        let (mut fifo, _) = filled(false);
        let last = read(&mut fifo, 513);
        assert_eq!((last[0], last[511]), (3, 39));
        assert_eq!(last[512], 39, "an empty one repeats its last byte");
        assert_eq!(read(&mut fifo, 1), [39]);
    }
}
