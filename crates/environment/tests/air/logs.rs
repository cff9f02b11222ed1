//! A wind from a log.

use std::fs;

use ironbird_test_rig::{Rig, seconds, text};
use tempfile::TempDir;

/// A folder with a log.
fn log(lines: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("wind.csv");
    fs::write(&file, lines).unwrap();
    let file = file.to_str().unwrap().to_owned();
    (folder, file)
}

const OUTPUTS: [&str; 3] = ["wind.north", "wind.east", "wind.down"];

#[test]
fn it_goes_straight_from_line_to_line() {
    let (_folder, file) = log("# a day\ntime,north,east,note\n0,1,2,\n10,3,-2,calm\n");
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("wind", "wind.log", &[("file", text(&file))]);
    let run = rig.run(seconds(5.0), &OUTPUTS);
    assert_eq!(OUTPUTS.map(|output| *run.numbers(output).last().unwrap()), [2.0, 0.0, 0.0]);
}

#[test]
fn speed_and_direction_are_those_of_meteorologists() {
    let (_folder, file) = log("t,W,from\n0,10,90\n1000,20,90\n");
    let mut rig = Rig::of(&[ironbird_environment::register]);
    let columns = "t as time: ms, W as speed: kn, from as direction";
    rig.add(
        "wind",
        "wind.log",
        &[("file", text(&file)), ("columns", text(columns)), ("outside", text("hold"))],
    );
    let run = rig.run(seconds(3.0), &OUTPUTS);
    let [north, east, down] = OUTPUTS.map(|output| *run.numbers(output).last().unwrap());
    assert!(north.abs() < 1e-14 && (east + 20.0 * 1852.0 / 3600.0).abs() < 1e-12 && down == 0.0);
}

#[test]
fn beyond_its_last_line_the_run_ends() {
    let (_folder, file) = log("time,north,east\n0,1,2\n1,1,2\n");
    let mut rig = Rig::of(&[ironbird_environment::register]);
    rig.add("wind", "wind.log", &[("file", text(&file))]);
    let failure = rig.failure(seconds(2.0));
    assert!(failure.contains("the log covers 0 s to 1 s"), "{failure}");
}

#[test]
fn logs_with_errors_are_refused_with_their_line() {
    let rig = Rig::of(&[ironbird_environment::register]);
    for (lines, expected) in [
        ("time,north,east\n0,1,2\n0,1,2\n", "line 3"),
        ("time,north,east\n0,1,x\n", "line 2"),
        ("time,north,east\n0,NaN,1\n", "line 2"),
        ("time,north\n0,1\n", "there is no column \"east\""),
        ("time,speed\n0,1\n", "there is no column \"direction\""),
        ("time,north,east\n", "no lines with numbers"),
    ] {
        let (_folder, file) = log(lines);
        let refusal = rig.refusal("wind.log", &[("file", text(&file))]);
        assert!(refusal.contains(expected) && refusal.contains("wind.csv"), "{refusal}");
    }
}
