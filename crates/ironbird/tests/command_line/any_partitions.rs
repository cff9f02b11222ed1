//! The number of partitions shows in how long a run takes and nowhere else.

use crate::program::{Place, experiment};

#[test]
fn the_file_and_its_hash_are_the_same_on_any_number_of_partitions() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let mut first = None;
    for (partitions, used) in [("1", 1), ("2", 2), ("3", 3), ("4", 4), ("8", 5)] {
        let always = ["--partitions", partitions, "--sharing", "always"];
        let json = place.run_json(&[&[&*rooms, "--out", partitions], &always[..]].concat());
        let run = &json["runs"][0];
        assert_eq!(run["partitions"], used, "four rooms and the air");
        assert!(run["sharing"].is_null());
        let hash = run["hash"].as_str().unwrap().to_owned();
        let file = place.read(&format!("{partitions}/recording.mcap"));
        let (one, same) = first.get_or_insert((hash.clone(), file.clone()));
        assert_eq!(*one, hash, "{partitions} partitions");
        assert!(*same == file, "the files differ on {partitions} partitions");
    }
}

#[test]
fn partitions_that_are_measured_or_take_turns_do_not_show() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let once = place.hash(&[&rooms, "--out", "once"]);
    let turns = ["--out", "turns", "--partitions", "4", "--sharing", "turns"];
    let json = place.run_json(&[&[&*rooms], &turns[..]].concat());
    assert_eq!(json["runs"][0]["hash"], once);
    let sharing = &json["runs"][0]["sharing"];
    assert_eq!(sharing["partitions"], 4);
    for way in ["alone_s", "shared_s"] {
        assert!(sharing[way].as_f64().is_some_and(|seconds| seconds > 0.0), "{sharing}");
    }
    assert!(place.read("once/recording.mcap") == place.read("turns/recording.mcap"));
    let done = place.run(&["run", &rooms, "--out", "measured", "--partitions", "4"]);
    assert!(done.out.contains(" of at most 5 partitions: "), "{}", done.out);
    assert!(done.out.contains(&once), "{}", done.out);
}

#[test]
fn two_runs_of_one_experiment_leave_the_same_bytes() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    for out in ["once", "twice"] {
        let done = place.run(&["run", &rooms, "--out", out, "--partitions", "3"]);
        assert_eq!(done.status, 0, "{}", done.err);
    }
    assert!(place.read("once/recording.mcap") == place.read("twice/recording.mcap"));
}

#[test]
fn a_recording_is_replayed_on_any_number_of_partitions() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "out"]).status, 0);
    for partitions in ["1", "4"] {
        let replay = place.run(&["replay", "out/recording.mcap", "--partitions", partitions]);
        assert_eq!(replay.status, 0, "{}{}", replay.out, replay.err);
        assert!(replay.out.contains("the same bits again"), "{}", replay.out);
    }
}
