//! Tables hold what the recording holds.

mod sample_run;

use ironbird_record::Recording;
use ironbird_record::export::{Gaps, Layout, write_csv, write_parquet};
use ironbird_record::log::{ColumnMap, TimeUnit, read_csv};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, RowAccessor};
use sample_run::{TICKS, record, temperature, time};

fn recording() -> Recording {
    Recording::from_bytes(record(1, 50).0).unwrap()
}

fn csv(names: &[&str], gaps: Gaps) -> String {
    let mut out = Vec::new();
    write_csv(&recording(), names, gaps, &mut out, "out.csv").unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_csv_table_has_exact_times_and_empty_cells_where_there_is_no_sample() {
    let text = csv(&["drone.corners", "camera[0].image"], Gaps::Empty);
    let mut lines = text.lines();
    let header = "time_s,drone.corners[0][0],drone.corners[0][1],drone.corners[1][0],drone.corners[1][1],camera[0].image.width,camera[0].image.stamp";
    assert_eq!(lines.next(), Some(header));
    assert_eq!(lines.next(), Some("0.000000000007,0,-1,2,-32768,0,0"));
    assert_eq!(lines.next(), Some("0.040000000007,1,-1,2,-32768,,"));
    assert_eq!(text.lines().count() as u64, TICKS + 1);
}

#[test]
fn held_signals_fill_the_rows_of_others() {
    // The pings come twice in an instant: two rows, of which the second holds the temperature.
    let text = csv(&["radio.ping", "room.temperature", "camera[0].image"], Gaps::Hold);
    assert_eq!(text.lines().nth(2), Some("0.000000000007,20,,"));
    let text = csv(&["radio.ping", "room.temperature"], Gaps::Empty);
    assert_eq!(text.lines().nth(2), Some("0.000000000007,"));
}

#[test]
fn a_csv_table_reads_back_as_a_log() {
    let text = csv(&["room.temperature"], Gaps::Empty);
    let map = ColumnMap {
        time_column: "time_s".into(),
        start: ironbird_record::log::LogStart::Zero,
        time_unit: TimeUnit::Seconds,
        columns: vec![("room.temperature".into(), "t".into())],
    };
    let series = read_csv(text.as_bytes(), &map).unwrap();
    let expected: Vec<_> = (0..TICKS).map(|k| (time(k), temperature(k))).collect();
    assert_eq!(series[0].samples, expected);
}

fn parquet_rows(layout: Layout) -> (Vec<parquet::record::Row>, SerializedFileReader<bytes::Bytes>) {
    let mut out = Vec::new();
    let names = ["room.temperature", "camera[0].image"];
    write_parquet(&recording(), &names, Gaps::Empty, layout, &mut out, "out.parquet").unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(out)).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    (rows, reader)
}

#[test]
fn a_wide_parquet_table_reads_back() {
    let (rows, reader) = parquet_rows(Layout::Wide);
    assert_eq!(rows.len() as u64, TICKS);
    for (k, row) in (0..).zip(&rows) {
        assert_eq!(row.get_ulong(0).unwrap(), time(k).as_ps());
        assert_eq!(row.get_double(1).unwrap(), time(k).as_secs_f64());
        assert_eq!(row.get_double(2).unwrap(), temperature(k));
        let width = row.get_column_iter().nth(3).unwrap().1;
        let expected = if k.is_multiple_of(10) { Field::Double(k as f64) } else { Field::Null };
        assert_eq!(*width, expected);
    }
    let metadata = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert_eq!(metadata[0].key, "unit:room.temperature");
    assert_eq!(metadata[0].value.as_deref(), Some("degC"));
}

#[test]
fn a_long_parquet_table_has_a_row_for_every_number() {
    let (rows, _) = parquet_rows(Layout::Long);
    assert_eq!(rows.len() as u64, TICKS + 2 * 5);
    assert_eq!(rows[1].get_string(2).unwrap(), "camera[0].image.width");
    assert_eq!(rows[3].get_double(3).unwrap(), temperature(1));
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let recording = recording();
    let error = write_csv(&recording, &[], Gaps::Empty, Full, "out.csv").unwrap_err();
    assert_eq!(error.to_string(), "cannot export to out.csv: full");
    let error = write_parquet(&recording, &[], Gaps::Empty, Layout::Wide, Full, "out.parquet");
    assert!(error.unwrap_err().to_string().starts_with("cannot export to out.parquet: "));
}
