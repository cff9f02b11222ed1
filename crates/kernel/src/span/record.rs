//! What processes of a span tell each other: records, each of one kind, some with bytes behind them.

use serde::{Deserialize, Serialize};

use crate::partition::Halted;
use crate::store::Stamp;
use crate::time::Time;

/// One piece of what a process says. Whatever arrives is checked before it is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Record {
    /// A value for a pipe of the receiver; its bytes follow.
    Data { pipe: u32, arrival: Time, stamp: Stamp, length: u64 },
    /// Nothing that follows arrives before this instant.
    Promise(Time),
    /// Nothing more of this stretch follows.
    Last,
    /// To process 0.
    Up(Up),
    /// From process 0.
    Down(Down),
    /// The first value of a signal for a link into the receiver; its bytes follow.
    First { link: u32, length: u64 },
    /// A model of the sender failed before the first instant: no more first values follow.
    Failed,
    /// What a process says at a gate, which all pass together; bytes follow.
    Said { gate: u64, length: u64 },
    /// What process 0 answers.
    Decided { gate: u64, length: u64 },
    /// To process 0: what the sender has seen of its outputs before an instant, as in a
    /// [`crate::Batch`]: times, taps, and where the bytes of each end; the bytes follow.
    Seen { until: Time, taken: Vec<(Time, u32, u32)>, length: u64 },
}

/// What processes tell process 0 in a stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Up {
    /// What happened before this instant will not be taken back by the sender.
    Position(Time),
    /// Its partition halted.
    Halted(Halted),
    /// Its partition is through with the stretch.
    Finished,
    /// What it knows of its own future and of messages; asked for in a wave, or because it is idle.
    Quiet { wave: Option<u64>, idle: bool, next: Time, sent: u64, received: u64 },
    /// Somebody there wants to pause.
    PleasePause,
    /// It has stopped in order to pause, here.
    Met(Time),
}

/// What process 0 tells all others in a stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Down {
    /// The stretch ends before this instant.
    End(Time),
    /// Nothing before this instant will be taken back by anybody.
    Horizon(Time),
    /// Nothing happens anywhere before this instant.
    Floor(Time),
    /// All are to say what they know.
    Wave(u64),
    /// All are to meet.
    Pause,
    /// Here the stretch is paused.
    Paused(Time),
    /// All are through; this is what halted the stretch.
    Verdict(Option<Halted>),
}

impl Record {
    /// Appends the record and the bytes that belong to it.
    pub fn write(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let taken = std::mem::take(out);
        *out = postcard::to_extend(self, taken).expect("plain data always serialises");
        out.extend_from_slice(bytes);
    }

    /// The bytes that follow this record.
    fn following(&self) -> u64 {
        match self {
            Record::Data { length, .. }
            | Record::First { length, .. }
            | Record::Said { length, .. }
            | Record::Seen { length, .. }
            | Record::Decided { length, .. } => *length,
            _ => 0,
        }
    }

    /// The first record, the bytes that belong to it, and how many bytes both take.
    pub fn read(bytes: &[u8]) -> Result<(Record, &[u8], usize), String> {
        let (record, rest) = postcard::take_from_bytes::<Record>(bytes)
            .map_err(|error| format!("a record cannot be read: {error}"))?;
        let length = usize::try_from(record.following()).unwrap_or(usize::MAX);
        let (own, rest) = rest
            .split_at_checked(length)
            .ok_or_else(|| "a record is shorter than it says".to_owned())?;
        Ok((record, own, bytes.len() - rest.len()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn records() -> impl Strategy<Value = (Record, Vec<u8>)> {
        let time = any::<u64>().prop_map(Time::from_ps);
        let bytes = prop::collection::vec(any::<u8>(), 0..40);
        let parts = (any::<u32>(), time.clone(), any::<(u32, u32)>(), time, bytes, 0..8u8);
        parts.prop_map(|(pipe, arrival, (cycle, index), sent, bytes, kind)| {
            let (length, gate) = (bytes.len() as u64, u64::from(pipe));
            let record = match kind {
                0 => Record::Promise(arrival),
                1 => Record::Last,
                2 => Record::Up(Up::Met(sent)),
                3 => Record::Down(Down::Verdict(None)),
                4 => Record::First { link: pipe, length },
                5 => Record::Said { gate, length },
                6 => Record::Decided { gate, length },
                _ => {
                    let stamp = Stamp { sent, cycle, index };
                    Record::Data { pipe, arrival, stamp, length }
                }
            };
            let own = if record.following() > 0 { bytes } else { Vec::new() };
            (record, own)
        })
    }

    proptest! {
        #[test]
        fn what_is_written_behind_one_another_is_read_back(
            written in prop::collection::vec(records(), 0..20)
        ) {
            let mut bytes = Vec::new();
            for (record, own) in &written {
                record.write(own, &mut bytes);
            }
            let mut rest = bytes.as_slice();
            for (record, own) in &written {
                let (read, following, length) = Record::read(rest).unwrap();
                prop_assert_eq!((&read, following), (record, own.as_slice()));
                rest = &rest[length..];
            }
            prop_assert!(rest.is_empty());
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..200), kind in 0..12u8
        ) {
            let mut bytes = bytes;
            if let Some(first) = bytes.first_mut() {
                *first = kind;
            }
            if let Ok((_, own, length)) = Record::read(&bytes) {
                prop_assert!(length > 0 && own.len() < length && length <= bytes.len());
            }
        }

        #[test]
        fn what_is_cut_short_is_refused((record, own) in records()) {
            let mut bytes = Vec::new();
            record.write(&own, &mut bytes);
            for length in 0..bytes.len() {
                prop_assert!(Record::read(&bytes[..length]).is_err());
            }
        }
    }
}
