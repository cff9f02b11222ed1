//! A recording gives back what was recorded, as far as the file is good.

mod sample_run;

use ironbird_record::{Kind, RecordError, Recording};
use proptest::prelude::*;
use sample_run::{TICKS, gust, record, result, temperature, time};

fn sample() -> Vec<u8> {
    record(1, 50).0
}

#[test]
fn everything_that_was_recorded_can_be_read() {
    let recording = Recording::from_bytes(sample()).unwrap();
    assert_eq!(recording.damaged, None);
    assert_eq!(recording.events, [gust()]);
    assert_eq!(recording.metadata["ironbird"]["seed"], "7");
    assert_eq!(recording.metadata["ironbird"]["scenario"], "gust");
    assert_eq!(recording.verdicts(), result().verdicts);
    assert_eq!(recording.last, time(TICKS - 1));

    let temperatures = recording.samples("room.temperature").unwrap();
    let expected: Vec<_> = (0..TICKS).map(|k| (time(k), vec![temperature(k)])).collect();
    assert_eq!(temperatures, expected);

    let pose = recording.channel("drone.pose").unwrap();
    assert_eq!((pose.unit_of("position[0]"), pose.unit_of("valid")), ("m", ""));
    assert_eq!(
        (pose.frame.as_str(), pose.doc.as_str(), pose.messages),
        ("NED", "where it is", TICKS)
    );
    let expected_leaves = [
        "position[0]",
        "position[1]",
        "position[2]",
        "valid",
        "mode",
        "covariance[0][0]",
        "covariance[0][1]",
        "covariance[1][0]",
        "covariance[1][1]",
    ];
    assert_eq!(pose.leaves, expected_leaves);
    let samples = recording.samples("drone.pose").unwrap();
    assert_eq!(samples[7].1, [7.0, -7.0, 0.5, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0]);
    assert!(samples[3].1[2].is_nan());

    let image = recording.channel("camera[0].image").unwrap();
    assert_eq!(
        (image.leaves.as_slice(), image.kind),
        (&["width".to_owned(), "stamp".into()][..], Kind::Event)
    );
    assert_eq!(recording.samples("camera[0].image").unwrap()[2], (time(20), vec![20.0, 20.0]));
    assert_eq!(recording.samples("radio.ping").unwrap().len(), 20);
    assert_eq!(recording.samples("drone.corners").unwrap()[9].1, [9.0, -1.0, 2.0, -32768.0]);
}

#[test]
fn whole_numbers_truths_and_messages_hold_until_the_next_and_reals_do_not() {
    let recording = Recording::from_bytes(sample()).unwrap();
    let steps = |name: &str| -> Vec<bool> {
        let channel = recording.channel(name).unwrap();
        (0..channel.leaves.len()).map(|leaf| channel.steps(leaf)).collect()
    };
    let [real, truth, choice] = [false, true, true];
    assert_eq!(steps("drone.pose"), [real, real, real, truth, choice, real, real, real, real]);
    assert_eq!(steps("camera[0].image"), [true, true]);
    assert_eq!(steps("plant.height"), [false]);
}

#[test]
fn a_continuous_signal_is_recorded_by_its_value() {
    let recording = Recording::from_bytes(sample()).unwrap();
    let samples = recording.samples("plant.height").unwrap();
    // Tick 13 lies 120 ms after the polynomial's start.
    assert_eq!(samples[13], (time(13), vec![1.0 + 0.12 * 2.0]));
}

#[test]
fn an_unknown_channel_suggests_the_nearest() {
    let recording = Recording::from_bytes(sample()).unwrap();
    let error = recording.samples("room.temprature").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the recording has no channel room.temprature; did you mean room.temperature?"
    );
}

#[test]
fn a_file_cut_at_any_byte_gives_what_lies_before() {
    let file = sample();
    let whole = Recording::from_bytes(file.clone()).unwrap().samples("room.temperature").unwrap();
    let mut lengths = std::collections::BTreeSet::new();
    for cut in 0..file.len() {
        match Recording::from_bytes(&file[..cut]) {
            Err(RecordError::NotARecording { .. }) => assert!(cut < 8),
            Err(other) => panic!("cut at {cut}: {other}"),
            Ok(recording) => {
                assert!(cut >= 8);
                let Ok(samples) = recording.samples("room.temperature") else { continue };
                assert_eq!(samples, whole[..samples.len()], "cut at {cut}");
                let is_complete = recording.metadata.contains_key("result");
                assert!(recording.damaged.is_some() || is_complete, "cut at {cut}");
                if let Some(damage) = &recording.damaged {
                    assert_eq!(damage.after, recording.last);
                }
                lengths.insert(samples.len());
            }
        }
    }
    // Several chunks came one by one.
    assert!(lengths.len() > 3, "{lengths:?}");
}

#[test]
fn a_changed_byte_is_noticed() {
    let file = sample();
    // The data ends with its end mark, 13 bytes; the index behind it is for other tools.
    let end_mark = [0x0f, 4, 0, 0, 0, 0, 0, 0, 0];
    let data = file.windows(9).rposition(|window| window == end_mark).unwrap() + 13;
    for place in (0..data).step_by(7) {
        let mut changed = file.clone();
        changed[place] ^= 0x20;
        if let Ok(recording) = Recording::from_bytes(changed) {
            assert!(recording.damaged.is_some(), "byte {place}");
        }
    }
}

#[test]
fn a_text_file_is_no_recording() {
    let error = Recording::from_bytes(&b"time,value\n0,1\n"[..]).unwrap_err();
    assert!(matches!(error, RecordError::NotARecording { .. }));
}

#[test]
fn a_missing_file_is_named() {
    let error = Recording::open(std::path::Path::new("no/such.mcap")).unwrap_err();
    assert!(error.to_string().starts_with("cannot read no/such.mcap: "), "{error}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        start in 0..2usize,
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut file = if start == 0 { sample()[..600].to_vec() } else { Vec::new() };
        file.extend_from_slice(&bytes);
        for (place, byte) in places {
            if !file.is_empty() {
                let place = place.index(file.len());
                file[place] = byte;
            }
        }
        ironbird_record::read_anything(&file);
    }

    #[test]
    fn a_damaged_real_file_is_read_or_refused(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut file = sample();
        for (place, byte) in places {
            let place = place.index(file.len());
            file[place] = byte;
        }
        ironbird_record::read_anything(&file);
    }
}
