//! Somebody at the sticks: `examples/live`, driven over the protocol of the page.

use serde_json::{Value, json};

use crate::client::{Client, Frame};
use crate::live::hash;
use crate::program::{Place, example};

fn axes(sticks: &[(&str, f64)]) -> Value {
    let axes: serde_json::Map<_, _> =
        sticks.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    json!({ "do": "drive", "component": "sticks", "axes": axes })
}

/// Where the first body is: north, east, down.
fn place_of(frame: &Frame) -> [f64; 3] {
    frame.poses.first().expect("the vehicle").1
}

#[test]
fn a_page_is_told_of_the_four_sticks_and_flies_with_them() {
    let place = Place::new();
    let experiment = example("live/fly.toml");
    let mut served = place.serve(&["run", &experiment, "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    let control = &client.hello["controls"][0];
    assert_eq!(control["component"], "sticks");
    let axis = |name: &str| json!({ "parameter": name, "least": -1.0, "most": 1.0, "rest": 0.0 });
    assert_eq!(control["axes"], json!(["roll", "pitch", "yaw", "throttle"].map(axis)));

    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "step", "by": 1 }));
    client.must(axes(&[("pitch", 1.0), ("throttle", 0.5), ("roll", 0.0), ("yaw", 0.0)]));
    client.must(json!({ "do": "step", "by": 2 }));
    client.must(axes(&[("pitch", 0.0), ("throttle", 0.0), ("roll", 0.0), ("yaw", 0.0)]));
    client.must(json!({ "do": "step", "by": 3 }));
    let frame = client.until(|frame| frame.time > 5.9);
    let [north, east, down] = place_of(&frame);
    assert!(north > 4.0 && east.abs() < 0.2 && down < -2.5, "{north} {east} {down}");
    client.must(json!({ "do": "end" }));
    served.wait_for("verdict");
    let (_, flown) = served.interrupt();
    let again = ["run", &experiment, "--commands", "out/recording.mcap", "--out", "again"];
    let (_, said) = place.run(&again);
    assert_eq!(hash(&said), hash(&flown));
}
