//! Several scenarios in one file, some of them repeated.

use std::collections::BTreeSet;

use crate::program::{Place, experiment};

#[test]
fn every_run_has_a_folder_and_every_repetition_other_random_numbers() {
    let place = Place::new();
    let json = place.run_json(&[&experiment("scenarios.toml"), "--out", "out"]);
    let folders = ["calm-0", "calm-1", "calm-2", "hot"];
    let mut files = BTreeSet::new();
    for folder in folders {
        files.insert(place.read(&format!("out/{folder}/recording.mcap")));
        assert!(place.text(&format!("out/{folder}/report.html")).contains("it stays warm"));
        let replay = place.run(&["replay", &format!("out/{folder}/recording.mcap")]);
        assert_eq!(replay.status, 0, "{folder}: {}{}", replay.out, replay.err);
    }
    assert_eq!(files.len(), 4);
    assert_eq!(std::fs::read_dir(place.path("out")).unwrap().count(), 4);
    let hash = |run: usize| json["runs"][run]["hash"].as_str().unwrap();
    assert_eq!(BTreeSet::from([hash(0), hash(1), hash(2)]).len(), 3);
    // The first repetition and a scenario that is not repeated draw the same numbers.
    assert_eq!(hash(0), hash(3));
}

#[test]
fn only_the_scenarios_that_are_named_run() {
    let place = Place::new();
    let scenarios = experiment("scenarios.toml");
    let json = place.run_json(&[&scenarios, "--out", "out", "--scenario", "hot"]);
    assert_eq!(json["runs"].as_array().unwrap().len(), 1);
    assert_eq!(json["runs"][0]["scenario"], "hot");
    // The only run needs no folder of its own.
    assert!(place.path("out/recording.mcap").exists());
    let wrong = place.run(&["run", &scenarios, "--scenario", "hat"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("there is no scenario \"hat\""), "{}", wrong.err);
    assert!(wrong.err.contains("hot"), "{}", wrong.err);
}
