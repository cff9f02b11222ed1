//! The sending side of a serial line: bytes one after the other, each as long as its bits.

use std::collections::VecDeque;

use ironbird_devices::{SerialByte, bit_time};
use ironbird_kernel::Time;

/// A serial line of a program.
#[derive(Clone, Debug)]
pub struct SerialLine {
    /// Bits per second, both ways.
    pub baud: u32,
    waiting: VecDeque<u8>,
    /// When the byte that is on the line is over.
    over: Time,
}

impl SerialLine {
    /// A line on which nothing is sent.
    pub fn new(baud: u32) -> Self {
        SerialLine { baud, waiting: VecDeque::new(), over: Time::NEVER }
    }

    /// The program writes bytes.
    pub fn write(&mut self, now: Time, bytes: &[u8]) {
        self.waiting.extend(bytes);
        if self.over.is_never() && !self.waiting.is_empty() {
            self.over = now + bit_time(SerialByte::BITS, self.baud);
        }
    }

    /// When the next byte is over.
    pub fn next(&self) -> Time {
        self.over
    }

    /// The byte that is over now.
    pub fn take(&mut self, now: Time) -> Option<SerialByte> {
        if self.over > now {
            return None;
        }
        let byte = self.waiting.pop_front()?;
        self.over = match self.waiting.is_empty() {
            true => Time::NEVER,
            false => now + bit_time(SerialByte::BITS, self.baud),
        };
        Some(SerialByte { byte, baud: self.baud })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ironbird_kernel::Duration;

    #[test]
    fn bytes_follow_each_other_at_the_rate_of_the_line() {
        let mut line = SerialLine::new(100_000);
        line.write(Time::ZERO, b"ab");
        let mut sent = Vec::new();
        while !line.next().is_never() {
            let now = line.next();
            sent.push((now, line.take(now).unwrap().byte));
        }
        let at = |us| Time::ZERO + Duration::from_us(us);
        assert_eq!(sent, [(at(100), b'a'), (at(200), b'b')]);
        assert_eq!(line.take(at(300)), None);
    }
}
