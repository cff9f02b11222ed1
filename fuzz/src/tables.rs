//! CSV files with a header, as tables and as logs.

use ironbird_tables::log::{ColumnMap, LogStart, TimeUnit, read_csv};
use ironbird_tables::table::{Quantity, Table};

/// The first line is a map of columns, the rest a file: what reads is finite, and times do not go back.
pub fn table(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (map, file) = (String::from_utf8_lossy(&bytes[..end]), bytes.get(end + 1..).unwrap_or(b""));
    let quantities = [Quantity { name: "time", unit: "s" }, Quantity { name: "depth", unit: "m" }];
    if let Ok(table) = Table::read(file, &map, &quantities)
        && let (Some(times), Some(depths)) = (table.get("time"), table.get("depth"))
    {
        assert_eq!(times.len(), depths.len());
        (1..times.len()).for_each(|row| assert!(table.line(row - 1) < table.line(row)));
    }
    for start in [LogStart::Zero, LogStart::FirstLine] {
        let map = ColumnMap {
            time_column: "time".into(),
            time_unit: TimeUnit::Milliseconds,
            start,
            columns: vec![("depth".into(), "depth".into())],
        };
        if let Ok(series) = read_csv(file, &map) {
            assert!(series[0].samples.is_sorted_by_key(|(time, _)| *time));
        }
    }
}
