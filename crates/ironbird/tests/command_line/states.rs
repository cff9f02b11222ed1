//! A run shows the trace of states of what has states.

use crate::program::{Place, example};

/// Two cells are reached within twenty seconds.
const TRACE: &str = "3 x (ask > asked > go > going) at 19.897 s";

#[test]
fn run_prints_the_folded_trace() {
    let place = Place::new();
    let coverage = example("fixed-wing/coverage.toml");
    let done = place.run(&["run", &coverage, "--until", "20 s", "--out", "out"]);
    let line = format!("\n  states of mission.controller: {TRACE}\n");
    assert!(done.out.contains(&line), "{}{}", done.out, done.err);
}

#[test]
fn json_has_the_trace_and_the_state_at_the_end() {
    let place = Place::new();
    let json = place.run_json(&[&example("fixed-wing/coverage.toml"), "--until", "20 s"]);
    let states = &json["runs"][0]["states"][0];
    assert_eq!(states["component"], "mission.controller");
    assert_eq!(states["last"], "going");
    assert_eq!(states["entered"], 12);
    assert_eq!(states["trace"], TRACE);
}

#[test]
fn a_report_of_the_recording_lists_the_states() {
    let place = Place::new();
    let coverage = example("fixed-wing/coverage.toml");
    place.run_json(&[&coverage, "--until", "20 s", "--out", "out"]);
    let row = "<td>state</td><td>mission.controller</td><td>ask &gt; asked &gt; go &gt; going</td>";
    let listed = |page: &str| place.text(page).matches(row).count();
    assert_eq!(listed("out/report.html"), 3);
    let report = ["report", "out/recording.mcap", "--signal", "view.*", "--out", "again.html"];
    assert_eq!(place.run(&report).status, 0);
    assert_eq!(listed("again.html"), 3);
    assert_eq!(
        place.run(&["replay", "out/recording.mcap", "--folder", folder(&coverage)]).status,
        0
    );
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').expect("a file in a folder").0
}
