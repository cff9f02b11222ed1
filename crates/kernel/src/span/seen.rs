//! What processes see of their outputs, brought to the sink of process 0.

use std::sync::{Arc, Mutex, PoisonError};

use super::post::Lost;
use super::record::Record;
use crate::stream::{Batch, Sink, Taken};
use crate::time::Time;

/// Where another process than 0 puts what it has seen, until it is sent.
#[derive(Default)]
pub(crate) struct Outlet {
    seen: Mutex<Vec<(Batch, Time)>>,
}

impl Outlet {
    /// What was seen since this was last asked, as records and the bytes behind them.
    pub fn take(&self) -> Vec<(Record, Vec<u8>)> {
        let seen = std::mem::take(&mut *self.seen.lock().unwrap_or_else(PoisonError::into_inner));
        let record = |(batch, until): (Batch, Time)| {
            let Batch { taken, bytes } = batch;
            let taken = taken.iter().map(|taken| (taken.time, taken.tap, taken.end)).collect();
            (Record::Seen { until, taken, length: bytes.len() as u64 }, bytes)
        };
        seen.into_iter().map(record).collect()
    }
}

impl Sink for Outlet {
    fn take(&self, _: usize, _: usize, batch: Batch, until: Time) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        // Most rounds see nothing.
        match seen.last_mut() {
            Some(last) if batch.taken.is_empty() => last.1 = until,
            _ => seen.push((batch, until)),
        }
    }
}

/// Where process 0 gives what it and others have seen.
pub(crate) struct Inlet {
    pub sink: Arc<dyn Sink>,
    pub partitions: usize,
    /// How many taps and monitors there are.
    pub taps: usize,
    /// Up to where each process has told what it saw.
    pub told: Vec<Time>,
}

impl Inlet {
    /// Gives what another process has seen to the sink.
    pub fn pass_on(
        &mut self,
        from: usize,
        until: Time,
        taken: Vec<(Time, u32, u32)>,
        bytes: &[u8],
    ) -> Result<(), Lost> {
        let told = self.told.get_mut(from).filter(|_| from < self.partitions);
        let Some(told) = told.filter(|told| **told <= until) else {
            return Err(Lost::nonsense(from, "it has seen something that it could not"));
        };
        let (mut time, mut end) = (*told, 0);
        for &(at, tap, here) in &taken {
            if at < time || at >= until || here < end || tap as usize >= self.taps {
                return Err(Lost::nonsense(from, "what it has seen makes no sense"));
            }
            (time, end) = (at, here);
        }
        if end as usize != bytes.len() {
            return Err(Lost::nonsense(from, "what it has seen does not end where it should"));
        }
        *told = until;
        let taken = taken.into_iter().map(|(time, tap, end)| Taken { time, tap, end }).collect();
        let batch = Batch { taken, bytes: bytes.to_vec() };
        self.sink.take(from, self.partitions, batch, until);
        Ok(())
    }
}
