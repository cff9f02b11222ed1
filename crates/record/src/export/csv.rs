//! A wide table as CSV.

use std::io::Write;

use super::{Gaps, Table};
use crate::error::RecordError;
use crate::reader::Recording;
use ironbird_tables::decimal::seconds;

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
            writer.write_field(cell.map(text).unwrap_or_default()).map_err(failed)?;
        }
        writer.write_record(None::<&[u8]>).map_err(failed)?;
    }
    writer.flush().map_err(|error| failed(error.into()))
}

/// The shortest text that reads back as the same number; an exponent where zeros would fill the cell.
fn text(number: f64) -> String {
    let is_plain = number == 0.0 || !number.is_finite() || (1e-5..1e16).contains(&number.abs());
    if is_plain { number.to_string() } else { format!("{number:e}") }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (number, expected) in
            [(20.0, "20"), (-0.1, "-0.1"), (1e300, "1e300"), (-2.5e-9, "-2.5e-9"), (0.0, "0")]
        {
            assert_eq!(text(number), expected);
            assert_eq!(text(number).parse(), Ok(number));
        }
    }
}
