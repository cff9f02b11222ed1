//! Recordings that are damaged are read as far as they are good, or refused.

use crate::program::{Place, experiment};

/// A place with a small recording, and its bytes.
fn recorded() -> (Place, Vec<u8>) {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "out", "--until", "20 min"]).status, 0);
    let bytes = place.read("out/recording.mcap");
    (place, bytes)
}

const COMMANDS: [&[&str]; 3] = [
    &["export", "bad.mcap", "--out", "bad.csv"],
    &["report", "bad.mcap", "--out", "bad.html"],
    &["replay", "bad.mcap"],
];

#[test]
fn what_is_no_recording_is_refused() {
    let place = Place::new();
    for contents in ["", "time_s,x\n0,1\n", "\u{89}MCAP"] {
        place.write("bad.mcap", contents);
        for command in COMMANDS {
            let done = place.run(command);
            assert_eq!(done.status, 2, "{command:?}: {}", done.err);
            assert!(done.err.contains("bad.mcap is not a recording"), "{}", done.err);
        }
    }
    for command in COMMANDS {
        std::fs::remove_file(place.path("bad.mcap")).ok();
        let done = place.run(command);
        assert_eq!(done.status, 2);
        assert!(done.err.contains("cannot read bad.mcap: "), "{}", done.err);
    }
}

/// All commands do what they can: exit status and message agree, and nothing panics.
fn check(place: &Place, what: &str) {
    for command in COMMANDS {
        let done = place.run(command);
        let read = match (command[0], done.status) {
            ("replay", 1) => done.out.contains("cut short"),
            // Only the index between the chunks is damaged, and the checksum of the whole file.
            ("replay", 0) => done.out.contains("the same bits"),
            ("export" | "report", 0) => true,
            (_, 2) => false,
            (_, status) => panic!("{what}: {command:?} gives {status}: {}", done.err),
        };
        if read {
            assert!(done.err.contains("the recording is cut short after "), "{what}: {}", done.err);
        } else {
            assert!(done.err.contains("bad.mcap"), "{what}: {}", done.err);
        }
    }
}

#[test]
fn a_recording_that_ends_too_early_is_read_as_far_as_it_goes() {
    let (place, bytes) = recorded();
    for part in [9, 100, 1_000, bytes.len() / 3, bytes.len() - bytes.len() / 10] {
        place.write("bad.mcap", &bytes[..part]);
        check(&place, &format!("{part} of {} bytes", bytes.len()));
    }
}

#[test]
fn a_recording_that_lacks_only_its_index_is_whole() {
    let (place, bytes) = recorded();
    // Here the end mark of MCAP and a part of the index are missing, which only other tools read.
    place.write("bad.mcap", &bytes[..bytes.len() - 100]);
    for command in COMMANDS {
        assert_eq!(place.run(command).status, 0, "{command:?}");
    }
}

#[test]
fn a_recording_with_wrong_bytes_is_read_up_to_them() {
    let (place, bytes) = recorded();
    for at in [10, 300, bytes.len() / 2, bytes.len() - bytes.len() / 4] {
        let mut damaged = bytes.clone();
        damaged[at..at + 16].iter_mut().for_each(|byte| *byte ^= 0xff);
        place.write("bad.mcap", damaged);
        check(&place, &format!("wrong bytes at {at} of {}", bytes.len()));
    }
}

#[test]
fn what_lies_before_the_damage_is_exported_unchanged() {
    let (place, bytes) = recorded();
    place.write("bad.mcap", &bytes[..bytes.len() / 2]);
    let export = |file| place.run(&["export", file]).out;
    let (whole, half) = (export("out/recording.mcap"), export("bad.mcap"));
    let lines = half.lines().count();
    assert!(lines > 100 && lines < whole.lines().count(), "{lines}");
    // The last instant may have been cut in the middle.
    assert!(half.lines().take(lines - 1).eq(whole.lines().take(lines - 1)));
}
