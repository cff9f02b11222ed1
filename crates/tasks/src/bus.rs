//! What carries messages between ECUs, and when they arrive.
//!
//! - CAN with TDMA slots: receive time = finish + wait for the sender's next slot + transmission time
//!   (We et al., RTSS 2017, section 2).
//! - CAN by priority: of the frames that wait when the bus is free the one of the lowest identifier is sent;
//!   a frame is never interrupted (ISO 11898-1).
//! - DDS: a latency for each message, drawn from what was measured.

use std::collections::BTreeSet;

use ironbird_kernel::RandomStream;

use crate::system::{EcuId, Frame, Ticks};

/// A bus, and who is on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bus {
    /// Its name.
    pub name: String,
    /// The ECUs on it. With [`Carrier::Dds`] one alone makes messages within it take time, too.
    pub ecus: Vec<EcuId>,
    /// How it carries messages.
    pub carrier: Carrier,
}

/// How a bus carries messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// All take the same time.
    Constant {
        /// That time.
        latency: Ticks,
    },
    /// CAN with time slots: each ECU sends in its own slots only, from their start on, what is ready then.
    CanTdma {
        /// Length of a slot.
        slot: Ticks,
        /// Whose slot each one is, round and round from time 0.
        owners: Vec<EcuId>,
        /// How long a frame takes.
        frame: FrameTime,
    },
    /// CAN with arbitration by identifier.
    CanPriority {
        /// How long a frame takes.
        frame: FrameTime,
    },
    /// A latency for each message.
    Dds {
        /// What latencies are drawn from, ascending: each entry is as likely as any other.
        latencies: Vec<Ticks>,
    },
}

/// How long a frame takes on a CAN bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameTime {
    /// As given, for all.
    Constant(Ticks),
    /// By bytes of data: picoseconds of a bit, picoseconds of a tick.
    Bits {
        /// Picoseconds of one bit.
        bit: u64,
        /// Picoseconds of one tick.
        tick: u64,
    },
}

impl FrameTime {
    /// The longest a frame of the base format can be: 44 bits and the data, of which 34 bits and the data may
    /// get a stuff bit after every four, and 3 bits between frames (Davis, Burns, Bril, Lukkien 2007, eq. 1).
    /// Data beyond 8 bytes is sent as several frames.
    pub fn of(self, frame: Frame) -> Ticks {
        match self {
            FrameTime::Constant(time) => time,
            FrameTime::Bits { bit, tick } => {
                let bits = |bytes: u64| {
                    let data = 8 * bytes;
                    47 + data + (34 + data - 1) / 4
                };
                let (full, rest) = (frame.bytes / 8, frame.bytes % 8);
                let last = if rest > 0 || full == 0 { bits(rest) } else { 0 };
                (full * bits(8) + last).saturating_mul(bit).div_ceil(tick).max(1)
            }
        }
    }
}

/// A message on its way: sent by a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiting {
    pub identifier: u64,
    /// When it came to the bus, and in which order.
    pub since: Ticks,
    pub number: u64,
    pub job: u32,
    pub duration: Ticks,
}

/// What a bus remembers while a schedule is computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BusState {
    /// TDMA: when each ECU's last frame ends. Arbitration: when the bus is free, for all.
    pub free: Vec<Ticks>,
    /// Frames that wait for arbitration.
    pub waiting: BTreeSet<Waiting>,
}

/// When a frame of `duration` that is ready at `ready` is received, behind the sender's frame that ends at
/// `free`. In a slot go the frames that are ready at its start, back to back as long as they fit; one that is
/// ready later waits for the sender's next slot, be the slot idle or not. So a frame is never received earlier
/// because it, or another one in front of it, was ready later. What would be received after the end of all
/// time is received then.
pub(crate) fn tdma_arrival(
    ready: Ticks,
    free: Ticks,
    sender: EcuId,
    (slot, owners): (Ticks, &[EcuId]),
    duration: Ticks,
) -> Ticks {
    if free > ready {
        let number = (free - 1) / slot;
        let received = free.saturating_add(duration);
        // Behind another frame, in a slot at whose start both were ready and that has room left.
        if owners[number as usize % owners.len()] == sender
            && ready <= number * slot
            && received <= (number + 1).saturating_mul(slot)
        {
            return received;
        }
    }
    let mut number = ready.max(free).div_ceil(slot);
    while owners[number as usize % owners.len()] != sender {
        number += 1;
    }
    number.saturating_mul(slot).saturating_add(duration)
}

/// One of the latencies, for the message of this number.
pub(crate) fn drawn(latencies: &[Ticks], stream: &mut RandomStream, number: u64) -> Ticks {
    stream.seek(number);
    latencies[stream.below(latencies.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_frame_of_eight_bytes_has_135_bits() {
        let at_500_kbit = FrameTime::Bits { bit: 2_000_000, tick: 1_000_000 };
        let of = |bytes| at_500_kbit.of(Frame { identifier: 0, bytes });
        assert_eq!(of(8), 2 * 135);
        assert_eq!(of(0), 2 * 55);
        assert_eq!(of(16), 2 * 2 * 135);
    }

    #[test]
    fn a_frame_waits_for_the_start_of_its_slot() {
        let bus = (10, &[0, 1][..]);
        assert_eq!(tdma_arrival(0, 0, 0, bus, 3), 3, "at the start of its slot");
        assert_eq!(tdma_arrival(1, 0, 0, bus, 3), 23, "too late for it");
        assert_eq!(tdma_arrival(1, 0, 1, bus, 3), 13);
        assert_eq!(tdma_arrival(0, 3, 0, bus, 3), 6, "behind another one in the same slot");
        assert_eq!(tdma_arrival(0, 9, 0, bus, 3), 23, "there is no room left");
        assert_eq!(tdma_arrival(1, 3, 0, bus, 3), 23, "too late for a slot that is in use");
        assert_eq!(tdma_arrival(1, 23, 0, bus, 3), 26, "behind another one in the next slot");
    }

    #[test]
    fn no_frame_is_received_earlier_because_something_was_ready_later() {
        // Frames of 12 do not fit into a slot.
        for (owners, duration) in [(&[0, 1][..], 3), (&[0, 0, 1], 4), (&[0], 2), (&[0, 1], 12)] {
            let of = |ready, free| tdma_arrival(ready, free, 0, (10, owners), duration);
            for (ready, free) in (0..60).flat_map(|ready| (0..60).map(move |free| (ready, free))) {
                assert!(of(ready, free) <= of(ready + 1, free), "ready {ready}, free {free}");
                assert!(of(ready, free) <= of(ready, free + 1), "ready {ready}, free {free}");
            }
        }
    }
}
