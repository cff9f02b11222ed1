//! A run that is killed leaves a recording that can be read up to its last chunk.

use ironbird_kernel::{Duration, Time};
use ironbird_record::Recording;

use crate::program::{Place, experiment};

#[test]
fn a_killed_run_leaves_a_recording_that_every_command_reads() {
    let place = Place::new();
    let arguments = ["run", &experiment("endless.toml"), "--out", "out"];
    let mut child = place.start(&arguments, "out/recording.mcap", 3_000_000);
    child.kill().unwrap();
    child.wait().unwrap();

    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    let samples = recording.samples("thermometer.reading").unwrap();
    // 1000 samples a second without a gap, some 28 bytes each.
    let grid = (0..).map(|ms| Time::ZERO + Duration::from_ms(ms));
    assert!(samples.iter().map(|(time, _)| *time).eq(grid.take(samples.len())));
    assert!(samples.len() > 50_000, "{}", samples.len());
    let last = samples[samples.len() - 1].0;
    assert_eq!(recording.damaged.as_ref().unwrap().after, last);
    assert!(!recording.metadata.contains_key("result"));

    let report = place.run(&["report", "out/recording.mcap"]);
    assert_eq!(report.status, 0, "{}", report.err);
    assert!(report.err.contains(&format!("cut short after {last}")), "{}", report.err);
    assert!(place.text("out/report.html").contains("cut short"));

    let export = place.run(&["export", "out/recording.mcap", "--out", "table.csv"]);
    assert_eq!(export.status, 0, "{}", export.err);
    assert!(export.err.contains("cut short"), "{}", export.err);
    let table = place.text("table.csv");
    assert_eq!(table.lines().count(), 1 + samples.len());
    let seconds = last.to_string().replace(" s", "");
    assert!(table.lines().last().unwrap().starts_with(&format!("{seconds},")));

    let replay = place.run(&["replay", "out/recording.mcap"]);
    assert_eq!(replay.status, 1, "{}", replay.err);
    assert!(replay.err.contains("cut short"), "{}", replay.err);
    assert!(replay.out.contains(&format!("cut short; this run, to {last},")), "{}", replay.out);
}
