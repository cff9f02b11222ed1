//! The writer of the Rust crate `mcap` (MIT), with the same messages and compression.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;

use mcap::records::MessageHeader;
use mcap::{Compression, WriteOptions};

use crate::measure::by_wall_time;
use crate::ours_experiment::Stream;
use crate::row::Side;

/// Writes a stream: values by wall time, from the first value to the finished file. The numbers are
/// made beforehand, as ours are.
pub fn record(stream: Stream) -> Side {
    let values: Vec<f64> = (0..stream.ticks)
        .flat_map(|tick| (0..stream.channels).map(move |channel| Stream::value(tick, channel)))
        .collect();
    Box::new(move || {
        let name = format!("ironbird-bench-peer-{}.mcap", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = BufWriter::new(File::create(&path).expect("the folder can be written"));
        let options =
            WriteOptions::new().compression(Some(Compression::Zstd)).chunk_size(Some(256 << 10));
        let mut writer = options.create(file).expect("it starts");
        let text = b"uint64 time_ps\nfloat64 value\n";
        let schema = writer.add_schema("bank/Value", "ros2msg", text).expect("it is new");
        let channels: Vec<u16> = (0..stream.channels)
            .map(|n| {
                let topic = Cow::from(format!("/{}", Stream::name(n).replace('.', "/")));
                writer.add_channel(schema, &topic, "cdr", &BTreeMap::new()).expect("it is new")
            })
            .collect();
        let sample = by_wall_time(|| {
            let mut message = [0; 20];
            message[1] = 1;
            let mut values = values.iter();
            for tick in 0..stream.ticks {
                for &channel_id in &channels {
                    let value = values.next().expect("there is one for each");
                    message[4..12].copy_from_slice(&(tick * 1_000_000_000).to_le_bytes());
                    message[12..].copy_from_slice(&value.to_le_bytes());
                    let time = tick * 1_000_000;
                    let header = MessageHeader {
                        channel_id,
                        sequence: tick as u32,
                        log_time: time,
                        publish_time: time,
                    };
                    writer.write_to_known_channel(&header, &message).expect("it is written");
                }
            }
            writer.finish().expect("it is written");
            stream.values()
        });
        drop(writer);
        let _ = std::fs::remove_file(&path);
        sample
    })
}
