//! The reference implementation in Rust agrees with what was written, checksums and index included.

mod sample_run;

use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};

#[test]
fn all_checksums_are_right() {
    let (file, _) = sample_run::record(1, 50);
    let options = LinearReaderOptions::default()
        .with_prevalidate_chunk_crcs(true)
        .with_validate_data_section_crc(true)
        .with_validate_summary_section_crc(true)
        .with_check_finishes_after_end_magic(true);
    let mut reader = LinearReader::new_with_options(options);
    let mut input = file.as_slice();
    let mut messages = 0;
    while let Some(event) = reader.next_event() {
        match event.unwrap() {
            LinearReadEvent::ReadRequest(wanted) => {
                let read = std::io::Read::read(&mut input, reader.insert(wanted)).unwrap();
                reader.notify_read(read);
            }
            LinearReadEvent::Record { opcode, .. } => {
                messages += u64::from(opcode == mcap::records::op::MESSAGE);
            }
        }
    }
    assert_eq!(messages, 50 * 4 + 5 + 20 + 1);
}

#[test]
fn the_index_finds_every_message() {
    let (file, _) = sample_run::record(1, 50);
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    let mut found = 0;
    for chunk in &summary.chunk_indexes {
        for (_, entries) in summary.read_message_indexes(&file, chunk).unwrap() {
            for entry in &entries {
                let message = summary.seek_message(&file, chunk, entry).unwrap();
                assert_eq!(message.log_time, entry.log_time);
                found += 1;
            }
        }
    }
    assert_eq!(found, summary.stats.unwrap().message_count);
    assert_eq!(summary.channels.len(), 7);
}
