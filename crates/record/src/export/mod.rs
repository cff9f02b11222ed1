//! Recordings as tables, for spreadsheets and notebooks; and frames of networks for those who look at packets.
//!
//! A *wide* table has the column `time_s`, then one column for every number of the chosen channels, and
//! a row for every instant at which one of them has a sample. An event that happens several times in an
//! instant has several rows.

mod csv;
mod parquet;
mod pcapng;

use ironbird_kernel::Time;

pub use csv::write_csv;
pub use parquet::{Layout, write_parquet};
pub use pcapng::write_pcapng;

use crate::channel::{Kind, column_name};
use crate::error::RecordError;
use crate::reader::{Recording, Samples};

/// What stands in a cell of a channel that has no sample at the instant of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gaps {
    /// Nothing.
    Empty,
    /// The last sample, for signals; events hold nothing.
    Hold,
}

/// A table while it is read row by row.
pub(crate) struct Table {
    pub columns: Vec<Column>,
    channels: Vec<Part>,
    gaps: Gaps,
}

/// A column of numbers.
pub(crate) struct Column {
    pub name: String,
    pub unit: String,
}

struct Part {
    samples: Samples,
    next: usize,
    width: usize,
    holds: bool,
}

impl Table {
    /// The numbers of the channels called `names`; of all channels if there are none.
    pub(crate) fn new(
        recording: &Recording,
        names: &[&str],
        gaps: Gaps,
    ) -> Result<Self, RecordError> {
        let all: Vec<&str> = recording.channels.iter().map(|c| c.name.as_str()).collect();
        let names = if names.is_empty() { &all } else { names };
        let mut table = Table { columns: Vec::new(), channels: Vec::new(), gaps };
        let samples = recording.samples_of(names)?;
        for (name, samples) in names.iter().zip(samples) {
            let channel = recording.channel(name)?;
            for leaf in &channel.leaves {
                table.columns.push(Column {
                    name: column_name(&channel.name, leaf),
                    unit: channel.unit_of(leaf).to_owned(),
                });
            }
            let (width, holds) = (channel.leaves.len(), channel.kind != Kind::Event);
            table.channels.push(Part { samples, next: 0, width, holds });
        }
        Ok(table)
    }

    /// Puts the numbers of the next row into `row` and gives its instant; `None` after the last.
    pub(crate) fn next_row(&mut self, row: &mut Vec<Option<f64>>) -> Option<Time> {
        let next = |part: &Part| part.samples.get(part.next).map(|(time, _)| *time);
        let time = self.channels.iter().filter_map(next).min()?;
        row.clear();
        for part in &mut self.channels {
            let is_now = part.samples.get(part.next).is_some_and(|(at, _)| *at == time);
            part.next += usize::from(is_now);
            let may_show = is_now || (self.gaps == Gaps::Hold && part.holds);
            match part.next.checked_sub(1).filter(|_| may_show) {
                Some(last) => row.extend(part.samples[last].1.iter().copied().map(Some)),
                None => row.resize(row.len() + part.width, None),
            }
        }
        Some(time)
    }
}
