//! A wide table as CSV.

use std::io::Write;

use super::{Gaps, Table};
use crate::decimal::seconds;
use crate::error::RecordError;
use crate::reader::Recording;

/// Writes the channels called `names` (all, if there are none) to `output`; `file` is what errors call
/// it. Times are exact; numbers are the shortest that read back the same.
pub fn write_csv(
    recording: &Recording,
    names: &[&str],
    gaps: Gaps,
    output: impl Write,
    file: &str,
) -> Result<(), RecordError> {
    let mut table = Table::new(recording, names, gaps)?;
    let failed =
        |error: csv::Error| RecordError::Export { file: file.to_owned(), cause: error.to_string() };
    let mut writer = csv::Writer::from_writer(output);
    let header = table.columns.iter().map(|column| column.name.as_str());
    writer.write_record(std::iter::once("time_s").chain(header)).map_err(failed)?;
    let mut row = Vec::new();
    while let Some(time) = table.next_row(&mut row) {
        writer.write_field(seconds(time)).map_err(failed)?;
        for cell in &row {
            let text = cell.map(|number| number.to_string()).unwrap_or_default();
            writer.write_field(text).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
    }
    writer.flush().map_err(|error| failed(error.into()))
}
