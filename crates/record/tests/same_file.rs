//! Equal runs give equal files, however they were cut and partitioned.

mod sample_run;

use sample_run::{Memory, channels, feed, gust, info, record, result, small_chunks, time};

use ironbird_record::{Event, Recorder, Recording, RecordingThread};

#[test]
fn the_file_does_not_depend_on_partitions_or_batches() {
    let (file, hash) = record(1, 50);
    for (partitions, batch_ticks) in [(1, 50), (1, 3), (2, 7), (3, 1), (6, 50)] {
        let (again, same_hash) = record(partitions, batch_ticks);
        assert_eq!(hash, same_hash, "{partitions} partitions, batches of {batch_ticks}");
        assert!(file == again, "{partitions} partitions, batches of {batch_ticks}");
    }
}

#[test]
fn the_hash_is_the_same_without_a_file_and_when_read_back() {
    let (file, hash) = record(2, 5);
    let taps = (0..channels().len()).map(Some).collect();
    let recorder = Recorder::hash_only(&channels()).unwrap();
    let thread = RecordingThread::start(recorder, taps, Vec::new()).unwrap();
    feed(&thread, 1, 50);
    assert_eq!(thread.close().unwrap().output_hash(), Some(hash.clone()));
    let recording = Recording::from_bytes(file).unwrap();
    assert_eq!(recording.output_hash().unwrap(), hash);
    assert_eq!(recording.metadata["result"]["hash"], hash);
}

#[test]
fn only_recorded_taps_count() {
    let (_, all) = record(1, 50);
    let recorder = Recorder::hash_only(&channels()).unwrap();
    let taps = (0..channels().len()).map(|tap| (tap != 4).then_some(tap)).collect();
    let thread = RecordingThread::start(recorder, taps, Vec::new()).unwrap();
    feed(&thread, 1, 50);
    assert_ne!(thread.close().unwrap().output_hash(), Some(all));
}

#[test]
fn an_event_that_was_planned_for_after_the_end_is_left_out() {
    let memory = Memory::default();
    let file = Box::new(memory.clone());
    let recorder = Recorder::to(file, "a", &info(), &channels(), small_chunks()).unwrap();
    let taps = (0..channels().len()).map(Some).collect();
    let thread = RecordingThread::start(recorder, taps, Vec::new()).unwrap();
    let never = Event { time: time(51), ..gust() };
    let at_the_end = Event { time: time(50), kind: "verdict".into(), ..gust() };
    thread.event(never);
    feed(&thread, 2, 5);
    let mut recorded = thread.close().unwrap();
    recorded.event(at_the_end.clone());
    recorded.finish(&result()).unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    assert_eq!(Recording::from_bytes(bytes).unwrap().events, [gust(), at_the_end]);
}
