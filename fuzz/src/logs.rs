//! Flight logs of all kinds.

use std::path::Path;

use ironbird_logs::{Log, LogStart};

/// Whatever a file holds, its columns can be listed and read, or refused; times do not go back.
pub fn flight_log(bytes: &[u8]) {
    let Ok(log) = Log::from_bytes(Path::new("fuzzed"), bytes.to_vec()) else { return };
    let Ok(columns) = log.columns() else { return };
    for column in columns.iter().take(50) {
        if let Ok(series) = log.series(&[&column.name], None, LogStart::FirstLine) {
            assert!(series[0].samples.is_sorted_by_key(|(time, _)| *time));
        }
    }
}
