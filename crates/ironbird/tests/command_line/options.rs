//! Options that change an experiment without its file: `--set`, `--seed`, `--duration`.

use ironbird_kernel::{Duration, Time};
use ironbird_record::Recording;

use crate::program::{Place, experiment};

fn rooms() -> String {
    experiment("rooms.toml")
}

#[test]
fn the_same_seed_gives_the_same_hash_and_another_one_another() {
    let place = Place::new();
    let seed = |seed| place.hash(&[&rooms(), "--out", "out", "--until", "10 min", "--seed", seed]);
    let own = place.hash(&[&rooms(), "--out", "out", "--until", "10 min"]);
    assert_eq!(own, seed("11"), "11 is the seed in the file");
    assert_eq!(seed("12"), seed("12"));
    assert_ne!(own, seed("12"));
}

#[test]
fn a_run_ends_where_until_says() {
    let place = Place::new();
    let json = place.run_json(&[&rooms(), "--out", "out", "--until", "90 s"]);
    assert_eq!(json["runs"][0]["end_ps"], 90_000_000_000_000u64);
    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    let readings = recording.samples("flat[0].thermometer.reading").unwrap();
    assert_eq!(readings.len(), 91, "one a second, the last one at 90 s");
    assert_eq!(readings[90].0, Time::ZERO + Duration::from_secs(90));
    let replay = place.run(&["replay", "out/recording.mcap"]);
    assert_eq!(replay.status, 0, "{}", replay.out);
}

#[test]
fn an_end_after_that_of_the_experiment_changes_nothing() {
    let place = Place::new();
    let json = place.run_json(&[&rooms(), "--out", "out", "--until", "9 h"]);
    assert_eq!(json["runs"][0]["end_ps"], 10_800_000_000_000_000u64);
}

#[test]
fn parameters_and_root_keys_can_be_set() {
    let place = Place::new();
    let short = [&rooms(), "--out", "out", "--set", "duration=1 min"];
    let json = place.run_json(&short);
    assert_eq!(json["runs"][0]["end_ps"], 60_000_000_000_000u64);
    let plain = place.hash(&short);
    let noisy = [&short[..], &["--set", "flat[1].thermometer.noise=\"0.5 K\""]].concat();
    assert_ne!(plain, place.hash(&noisy));
    let same = [&short[..], &["--set", "flat[1].thermometer.noise=\"0.03 K\""]].concat();
    let changed = Recording::open(&place.path("out/recording.mcap")).unwrap();
    assert!(changed.metadata["ironbird"]["experiment"].contains("0.5 K"));
    assert_eq!(plain, place.hash(&same));
}

#[test]
fn a_parameter_in_groups_in_groups_can_be_set() {
    let place = Place::new();
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/auv-navigation/survey.toml");
    let set = |name: &str| place.run(&["check", study, "--set", &format!("{name}=\"0.01 m/s\"")]);
    let known = set("navigation.function.kalman.dvl.noise");
    assert_eq!(known.status, 0, "{}", known.err);
    let unknown = set("navigation.function.kalman.dvl.nose");
    assert_eq!(unknown.status, 2);
    assert!(unknown.err.contains("kalman.dvl.noise"), "{}", unknown.err);
}

#[test]
fn verify_finds_the_same_bits() {
    let place = Place::new();
    let done = place.run(&["verify", &rooms(), "--partitions", "3", "--until", "30 min"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("the same bits on 1 and on 3 partitions"), "{}", done.out);
}

#[test]
fn the_resolved_file_runs_to_the_same_hash() {
    let place = Place::new();
    for name in ["rooms.toml", "scenarios.toml"] {
        let original = experiment(name);
        let resolved = place.run(&["check", &original, "--resolved"]);
        assert_eq!(resolved.status, 0, "{}", resolved.err);
        place.write("flat.toml", &resolved.out);
        let hashes = |file: &str| -> Vec<String> {
            let json = place.run_json(&[file, "--out", "out", "--until", "10 min"]);
            let runs = json["runs"].as_array().unwrap();
            runs.iter().map(|run| run["hash"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(hashes(&original), hashes("flat.toml"), "{name}");
        let again = place.run(&["check", "flat.toml", "--resolved"]);
        assert_eq!(again.out, resolved.out, "what is flat stays as it is");
    }
}

#[test]
fn a_seed_that_is_too_large_is_told_how_large_it_may_be() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    for seed in ["18446744073709551616", "x"] {
        let done = place.run(&["run", &rooms, "--seed", seed]);
        assert_eq!(done.status, 2);
        let words = "a seed is a whole number from 0 to 18446744073709551615";
        assert!(done.err.contains(words), "{}", done.err);
    }
}
