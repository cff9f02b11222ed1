//! Missions are read, uploaded over links that lose, and refused with a place.

use std::fs;
use std::path::Path;

use ironbird_kernel::Parameter;
use ironbird_mavlink::{Answer, Failure};
use ironbird_test_rig::{Rig, Run, Setting, real, seconds};

use crate::vehicle::{joined, whole};

const TABLE: &str = "\
# a square
action,   north, east, altitude, time
take-off,      ,     ,       20,
waypoint,   100,    0,       20,    5
waypoint,   100,  100,       25,
delay,         ,     ,         ,   10
land,         0,    0,         ,
";

const PLAIN_TEXT: &str = "\
QGC WPL 110
0\t1\t3\t22\t0\t0\t0\t0\t0\t0\t20\t1
1\t0\t3\t16\t5\t0\t0\t0\t47.398\t8.546\t20\t1
2\t0\t3\t21\t0\t0\t0\t0\t47.398\t8.546\t0\t1
";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    fs::write(&file, text).expect("it can be written");
    file.to_string_lossy().into_owned()
}

fn with_mission(file: &str, vehicle: &[Setting<'_>]) -> Rig {
    let mut rig = joined(&[("missions", Parameter::Text(file.into()))], vehicle);
    rig.call::<_, Answer>(seconds(1.05), "station.upload-mission.square", &());
    rig
}

const OUTPUTS: [&str; 2] = ["vehicle.items", "station.vehicle.command_failed"];

fn items(run: &Run) -> Vec<[f64; 4]> {
    run.samples("vehicle.items").into_iter().map(|(_, item)| item).collect()
}

#[test]
fn a_table_becomes_a_mission_around_home() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "square.csv", TABLE);
    let run = with_mission(&file, &[]).run(seconds(2.0), &OUTPUTS);
    let items = items(&run);
    let kinds: Vec<f64> = items.iter().map(|item| item[0]).collect();
    assert_eq!(kinds, [22.0, 16.0, 16.0, 93.0, 21.0]);
    let heights: Vec<f64> = items.iter().map(|item| item[3]).collect();
    assert_eq!(heights, [20.0, 20.0, 25.0, 0.0, 0.0]);
    assert_eq!(items[0][1..3], [0.0, 0.0]);
    assert_eq!(items[4][1..3], [473_977_420.0, 85_455_940.0]);
    // 100 m north are 8.99e-4 deg at this latitude; 100 m east 1.326e-3 deg.
    let north = items[1][1] - 473_977_420.0;
    let east = items[2][2] - 85_455_940.0;
    assert!((north - 8_994.0).abs() < 3.0, "{north}");
    assert!((east - 13_255.0).abs() < 30.0, "{east}");
    assert!(run.samples::<Failure>(OUTPUTS[1]).is_empty());
}

#[test]
fn plain_text_of_qgroundcontrol_is_a_mission() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "square.waypoints", PLAIN_TEXT);
    let run = with_mission(&file, &[]).run(seconds(2.0), &OUTPUTS);
    let expected = [
        [22.0, 0.0, 0.0, 20.0],
        [16.0, 473_980_000.0, 85_460_000.0, 20.0],
        [21.0, 473_980_000.0, 85_460_000.0, 0.0],
    ];
    assert_eq!(items(&run), expected);
}

#[test]
fn a_mission_arrives_though_most_messages_are_not_heard() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "square.csv", TABLE);
    let run = with_mission(&file, &[("deaf", whole(3))]).run(seconds(60.0), &OUTPUTS);
    assert_eq!(items(&run).len(), 5);
    assert!(run.samples::<Failure>(OUTPUTS[1]).is_empty());
}

#[test]
fn a_mission_arrives_over_a_link_that_loses_a_third_both_ways() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "square.csv", TABLE);
    let station = [("missions", Parameter::Text(file)), ("attempts", whole(20))];
    let mut rig = joined(&station, &[("silence", real(1e6))]);
    // The first vehicle is silent; the one behind the link has the same number.
    rig.add("far", "test.vehicle", &[]);
    rig.add("link", "network.link", &[("loss", real(0.33))]);
    rig.link("far.frames_out", "link.a.send");
    rig.link("link.b.received", "station.frames_in");
    rig.link("station.frames_out", "link.b.send");
    rig.link("link.a.received", "far.frames_in");
    rig.call::<_, Answer>(seconds(1.05), "station.upload-mission.square", &());
    let run = rig.run(seconds(120.0), &["far.items", OUTPUTS[1], "link.a.lost"]);
    let items = run.samples::<[f64; 4]>("far.items");
    assert!(items.len() >= 5, "{}", items.len());
    let failures = run.samples::<Failure>(OUTPUTS[1]);
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn a_mission_that_nobody_takes_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = write(folder.path(), "square.waypoints", PLAIN_TEXT);
    let run = with_mission(&file, &[("deaf", whole(100_000))]).run(seconds(60.0), &OUTPUTS);
    let failures = run.samples::<Failure>(OUTPUTS[1]);
    let [(time, failure)] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(&*failure.text, b"upload-mission.square: no answer to 5 attempts");
    assert_eq!(*time, seconds(6.05));
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let rig = joined(&[], &[]);
    let cases = [
        ("", "line 1 (header): there is no column \"action\"; there are none"),
        ("action,altitude\n", "the mission has no items"),
        (
            "action,altitude\ntake-off,20\nhover,1\n",
            "line 3, column 1 (action): \"hover\" is no action; expected take-off, waypoint, land, delay, \
             return-to-launch",
        ),
        (
            "action,altitude\ntake-off,high\n",
            "line 2, column 2 (altitude): \"high\" is not a number",
        ),
        ("action,altitude\ntake-off,\n", "line 2: take-off needs an altitude"),
        (
            "action,altitude,sped\ntake-off,1,2\n",
            "line 1 (header): there is no use for a column \"sped\"; those of a mission are action, north, east, \
             latitude, longitude, altitude, time",
        ),
        (
            "action,latitude,longitude,altitude\nwaypoint,91,0,5\n",
            "line 2, column 2 (latitude): 91 deg; expected -90 to 90",
        ),
        (
            "action,north,east,altitude\nwaypoint,1,,5\n",
            "line 2: a place has both coordinates, or none",
        ),
        (
            "action,north,latitude\n",
            "line 1 (header): places are north and east of home, or latitude and longitude; not both",
        ),
        ("action,time\ndelay,-1\n", "line 2, column 2 (time): a time in seconds is 0 or more"),
        ("QGC WPL 120\n", "line 1: \"QGC WPL 120\"; expected \"QGC WPL 110\""),
        ("QGC WPL 110\n0 1 3 22\n", "line 2: 4 cells, but the header has 12 columns"),
        (
            "QGC WPL 110\n0 1 3 9999 0 0 0 0 0 0 20 1\n",
            "line 2, column 4 (command): 9999 is no MAV_CMD",
        ),
        (
            "QGC WPL 110\n1 1 3 22 0 0 0 0 0 0 20 1\n",
            "line 2, column 1 (index): 1; expected 0, as items are counted",
        ),
        (
            "QGC WPL 110\n0 1 3 22 0 0 0 0 0 x 20 1\n",
            "line 2, column 10 (longitude): \"x\" is not a number",
        ),
    ];
    for (text, message) in cases {
        let file = write(folder.path(), "square.csv", text);
        let said =
            rig.refusal("mavlink.ground-station", &[("missions", Parameter::Text(file.clone()))]);
        let comma = if message.starts_with("line") { "," } else { ":" };
        assert_eq!(said, format!("parameter \"missions\": {file}{comma} {message}"));
    }
}

#[test]
fn a_file_that_is_not_there_is_said() {
    let rig = joined(&[], &[]);
    let said =
        rig.refusal("mavlink.ground-station", &[("missions", Parameter::Text("no.csv".into()))]);
    assert!(said.contains("no.csv\" does not exist"), "{said}");
}
