//! How long frames take on a wire (IEEE 802.3, clause 3 and 4).

use ironbird_kernel::{Duration, Time};

/// Preamble and start of frame delimiter.
const PREAMBLE: u64 = 8;
/// The check sequence behind a frame.
pub(crate) const CHECK_SEQUENCE: u64 = 4;
/// The pause between two frames.
const GAP: u64 = 12;
/// A frame without check sequence is filled up to this length.
const SHORTEST: u64 = 60;

/// Bytes of a frame from its destination address to the end of its check sequence.
pub(crate) fn checked_bytes(frame: &[u8]) -> u64 {
    (frame.len() as u64).max(SHORTEST) + CHECK_SEQUENCE
}

/// Bits per second. None: bits take no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BitRate(Option<u64>);

impl BitRate {
    /// The rate of a parameter, to the nearest bit per second; 0 stands for none.
    pub fn new(bits_per_second: f64) -> Self {
        let rounded = bits_per_second.round() as u64;
        BitRate((rounded > 0).then_some(rounded))
    }

    /// How long this many bytes take, rounded up to a picosecond.
    pub fn time(self, bytes: u64) -> Duration {
        let Some(rate) = self.0 else { return Duration::ZERO };
        let ps = (u128::from(bytes) * 8 * 1_000_000_000_000).div_ceil(u128::from(rate));
        Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}

/// When a frame that begins now has left, and when the next one may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Its last bit is on the wire.
    pub left: Time,
    /// The pause behind it is over.
    pub free: Time,
}

/// A frame begins at `now`.
pub(crate) fn passage(frame: &[u8], rate: BitRate, now: Time) -> Passage {
    let bytes = PREAMBLE + checked_bytes(frame);
    Passage { left: now + rate.time(bytes), free: now + rate.time(bytes + GAP) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_frame_takes_122_080_ns_at_100_megabits() {
        // 8 + 1514 + 4 + 12 = 1538 bytes of 80 ns each.
        let passage = passage(&[0; 1514], BitRate::new(100e6), Time::ZERO);
        assert_eq!(passage.left.as_ps(), 122_080_000);
        assert_eq!(passage.free.as_ps(), 123_040_000);
    }

    #[test]
    fn short_frames_are_filled_up() {
        let rate = BitRate::new(1e9);
        assert_eq!(passage(&[0; 14], rate, Time::ZERO), passage(&[0; 60], rate, Time::ZERO));
        assert_eq!(passage(&[0; 60], rate, Time::ZERO).left.as_ps(), 72 * 8 * 1000);
    }

    #[test]
    fn times_that_are_no_whole_picoseconds_are_rounded_up() {
        assert_eq!(BitRate::new(3.0).time(1).as_ps(), 2_666_666_666_667);
        assert_eq!(BitRate::new(0.0).time(1_000_000), Duration::ZERO);
    }
}
