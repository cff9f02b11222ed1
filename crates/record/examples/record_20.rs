//! How many values per second go through the recording thread into a file: 20 numbers at 1 kHz.
//!
//! `cargo run --release -p ironbird-record --example record_20 [simulated seconds]`

use std::sync::Arc;
use std::time::Instant;

use ironbird_kernel::{Batch, Duration, LeafKind, Schema, Sink, Time};
use ironbird_record::{
    Channel, Compression, Recorder, RecordingThread, RunInfo, RunResult, Settings,
};

const CHANNELS: u32 = 20;

/// A number that moves: a slow oscillation with noise in its last digits, as a sensor gives.
fn signal(tick: u64, channel: u32) -> f64 {
    let noise = (tick.wrapping_mul(6_364_136_223_846_793_005) ^ u64::from(channel)) >> 52;
    libm::sin(tick as f64 * 1e-3 + f64::from(channel)) + noise as f64 * 1e-6
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: u64 = std::env::args().nth(1).map_or(Ok(20), |text| text.parse())?;
    let schema = Schema::Leaf(LeafKind::F64);
    let channels: Vec<Channel> =
        (0..CHANNELS).map(|n| Channel::new(format!("bank[{n}].y"), schema.clone())).collect();
    // Batches of a tenth of a second, made beforehand: only recording is measured.
    let batches: Vec<(Batch, Time)> = (0..seconds * 10)
        .map(|tenth| {
            let mut batch = Batch::default();
            for tick in tenth * 100..(tenth + 1) * 100 {
                let time = Time::ZERO + Duration::from_ms(tick);
                for channel in 0..CHANNELS {
                    let bytes = signal(tick, channel).to_le_bytes();
                    batch.push(time, channel, |out| out.extend_from_slice(&bytes));
                }
            }
            (batch, Time::ZERO + Duration::from_ms((tenth + 1) * 100))
        })
        .collect();
    let values = seconds * 1_000 * u64::from(CHANNELS);
    let path = std::env::temp_dir().join(format!("ironbird-record-20-{}.mcap", std::process::id()));
    println!("{values} values of {CHANNELS} channels");
    println!("{:>8}  {:>12}  {:>14}", "", "Mvalue/s", "bytes/value");
    for (name, compression) in [("none", Compression::None), ("zstd 1", Compression::Zstd(1))] {
        let settings = Settings { compression, ..Settings::default() };
        let recorder = Recorder::create(&path, &RunInfo::default(), &channels, settings)?;
        let taps = (0..CHANNELS as usize).map(Some).collect();
        let batches = batches.clone();
        let start = Instant::now();
        let thread = Arc::new(RecordingThread::start(recorder, taps, Vec::new())?);
        for (batch, until) in batches {
            thread.take(0, 1, batch, until);
        }
        thread.close()?.finish(&RunResult::default())?;
        let rate = values as f64 / start.elapsed().as_secs_f64() / 1e6;
        let size = std::fs::metadata(&path)?.len() as f64 / values as f64;
        println!("{name:>8}  {rate:>12.2}  {size:>14.2}");
    }
    std::fs::remove_file(&path)?;
    Ok(())
}
