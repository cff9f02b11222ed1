//! Messages of one kind in a binary log: where their fields lie, and where in the file they stand.
//!
//! Both binary formats come down to this: a table whose rows are scattered over the file. Only the rows are
//! remembered when a file is opened; a column is read when somebody asks for it.

use std::path::Path;

use ironbird_kernel::Time;

use crate::error::LogError;
use crate::fields::{Field, Stored};

/// All messages of one kind and instance.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    /// What columns are called after: `vehicle_attitude[0]`, `ATT`.
    pub name: String,
    pub fields: Vec<Field>,
    /// The field that holds the time in microseconds.
    pub time: Option<usize>,
    /// What that field should be called.
    pub time_name: &'static str,
    /// Where the bytes of each message begin.
    pub rows: Vec<usize>,
}

const PS_PER_US: u64 = 1_000_000;

impl Records {
    /// The numbers of a field with their times.
    pub fn samples(
        &self,
        file: &Path,
        bytes: &[u8],
        field: &Field,
    ) -> Result<Vec<(Time, f64)>, LogError> {
        let file = || file.to_path_buf();
        let Some(time) = self.time.map(|time| &self.fields[time]) else {
            let (message, expected) = (self.name.clone(), self.time_name);
            return Err(LogError::NoTime { file: file(), message, expected });
        };
        if field.stored == Stored::Text {
            let column = format!("{}.{}", self.name, field.name);
            return Err(LogError::Text { file: file(), column });
        }
        let mut samples: Vec<(Time, f64)> = Vec::with_capacity(self.rows.len());
        let mut before = 0;
        for &byte in &self.rows {
            let at = |field: &Field| bytes.get(byte + field.offset..).unwrap_or_default();
            let Some(us) = whole(time.stored, at(time)) else { continue };
            let Some(number) = field.stored.number(at(field)) else { continue };
            if us < before {
                let message = self.name.clone();
                return Err(LogError::TimeGoesBack {
                    file: file(),
                    byte,
                    message,
                    before,
                    time: us,
                });
            }
            before = us;
            let ps = us.checked_mul(PS_PER_US).filter(|ps| *ps < u64::MAX);
            let ps = ps.ok_or_else(|| LogError::TimeTooLarge { file: file(), byte, time: us })?;
            samples.push((Time::from_ps(ps), field.scale.apply(number)));
        }
        Ok(samples)
    }
}

/// A whole number that is not negative, exactly.
fn whole(stored: Stored, bytes: &[u8]) -> Option<u64> {
    match stored {
        Stored::U64 => bytes.get(..8).map(|b| u64::from_le_bytes(b.try_into().unwrap_or_default())),
        _ => stored.number(bytes).filter(|n| *n >= 0.0).map(|n| n as u64),
    }
}
