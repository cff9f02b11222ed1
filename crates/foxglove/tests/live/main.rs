//! A client of Foxglove's protocol watches a run, changes it, and holds it up in no way.

mod client;
mod door;
mod study;

use std::sync::mpsc::channel;
use std::time::Duration as Wall;

use ironbird_foxglove::{FoxgloveView, address};
use ironbird_record::Pose;
use serde_json::{Value, json};

use client::Client;
use study::{Study, watched};

/// A view on any free port, whose run waits for a client.
fn view() -> std::sync::Arc<FoxgloveView> {
    FoxgloveView::start("gust", address("0").unwrap(), true, true).expect("a port is free")
}

#[test]
fn a_client_sees_what_is_recorded() {
    // The view stays when the run is over: whatever is on its way then arrives, on a busy machine too.
    let view = view();
    let run = watched(Study::lasting("2 s"), view.clone(), Some(2.0));
    let mut client = Client::connect(&view.url());
    let capabilities = client.info["capabilities"].as_array().unwrap();
    assert!(capabilities.contains(&json!("time")) && capabilities.contains(&json!("parameters")));
    client.subscribe_to_all(&[
        "/tf",
        "/scene",
        "/world/quad/lidar/points",
        "/world/quad/motion",
        "/world/quad/position",
    ]);
    let end = Some(2_000_000_000);
    client.read_until(|client| {
        let times = [client.newest("/world/quad/position"), client.newest("/tf")];
        times == [end, end] && client.times.last().copied() == end
    });
    let ran = run.join().unwrap();

    let samples = ran.recording.samples("world.quad.position").unwrap();
    let seen = client.messages("/world/quad/position");
    let since = samples.iter().position(|(time, _)| seen[0].1["time_ps"] == time.as_ps());
    let since = since.expect("it is recorded");
    assert_eq!(seen.len(), samples.len() - since, "from the first that was seen none is missing");
    for (log_time, message) in &seen {
        let sample = samples.iter().find(|(time, _)| message["time_ps"] == time.as_ps());
        let (time, numbers) = sample.expect("it is recorded");
        assert_eq!(*log_time, time.as_ps() / 1000);
        let value = message["value"].as_array().expect("a vector");
        assert!(value.iter().zip(numbers).all(|(seen, number)| *seen == through_json(*number)));
    }

    let poses = ran.recording.poses().unwrap();
    let transforms = client.messages("/tf");
    for (log_time, transform) in transforms {
        assert_eq!(transform["child_frame_id"], "world.quad");
        let [north, east, down] = place_at(&poses, log_time as f64 * 1e-9);
        let part = |name: &str| transform["translation"][name].as_f64().unwrap();
        let off = [part("x") - east, part("y") - north, part("z") + down];
        assert!(off.iter().all(|axis| axis.abs() < 0.03), "at {log_time} ns: {off:?}");
    }

    let scene = client.messages("/scene");
    assert_eq!(scene.first().map(|(_, scene)| scene), Some(&ran.stored("/scene")[0]));
    let clouds = client.messages("/world/quad/lidar/points");
    assert!(clouds.iter().any(|(_, cloud)| cloud["data"] != ""), "the lidar sees the wall");
    assert!(client.times.is_sorted());
}

/// A number as the client reads it: `serde_json` is off by the last bit now and then, in small numbers above all.
fn through_json(number: f64) -> Value {
    serde_json::from_str(&number.to_string()).expect("a number")
}

/// Where a body is at a time, on the straight way between two poses.
fn place_at(poses: &[Pose], seconds: f64) -> [f64; 3] {
    let behind = poses.partition_point(|pose| pose.time.as_secs_f64() <= seconds).max(1);
    let (before, after) = (&poses[behind - 1], &poses[behind.min(poses.len() - 1)]);
    let span = after.time.as_secs_f64() - before.time.as_secs_f64();
    let since = (seconds - before.time.as_secs_f64()).clamp(0.0, span);
    let part = if span > 0.0 { since / span } else { 0.0 };
    [0, 1, 2].map(|axis| (1.0 - part) * before.position[axis] + part * after.position[axis])
}

#[test]
fn a_parameter_that_is_set_is_a_command_of_the_run() {
    let view = view();
    // So slow that it is not over before all of this was said.
    let run = watched(Study::lasting("2 s"), view.clone(), Some(0.001));
    let mut client = Client::connect(&view.url());
    client.subscribe_to_all(&["/log"]);
    let known = client.ask_for_parameters();
    assert_eq!(known["world.wind[0]"], "4 m/s");
    for paused in [true, false] {
        let set = client.set_parameter("ironbird.paused", &json!(paused));
        assert_eq!(set["ironbird.paused"], paused);
    }
    let set = client.set_parameter("world.wind[0]", &json!("-4 m/s"));
    assert_eq!(set["world.wind[0]"], "-4 m/s");
    let refused = client.set_parameter("world.wind[0]", &json!("a lot"));
    assert_eq!(refused["world.wind[0]"], "-4 m/s");
    assert!(client.errors.iter().any(|error| error.contains("a lot")), "{:?}", client.errors);
    let command = r#"set = { "world.wind[0]" = "-4 m/s" }"#;
    client.read_until(|client| {
        client.messages("/log").iter().any(|(_, log)| log["message"] == command)
    });
    client.set_parameter("ironbird.speed", &json!(0));
    let ran = run.join().unwrap();
    let commands = ran.outcomes.events.iter().filter(|event| event.kind == "command");
    let commands: Vec<&str> = commands.map(|event| event.text.as_str()).collect();
    assert_eq!(commands, [command]);
}

#[test]
fn a_client_that_takes_nothing_holds_nobody_up() {
    let study = || Study::lasting("20 s").recording_every("1 ms");
    let alone = study().run(None, None).outcomes.hash;
    let view = view();
    let url = view.url();
    let (done, ended) = channel();
    let run = watched(study(), view, None);
    let mut client = Client::connect(&url);
    client.subscribe_to_all(&["/world/quad/position"]);
    std::thread::spawn(move || done.send(run.join().unwrap().outcomes.hash));
    let hash = ended.recv_timeout(Wall::from_secs(120)).expect("the run waits for the client");
    assert_eq!(hash, alone);
    client.read_to_the_end();
    let (seen, recorded) = (client.messages("/world/quad/position").len(), 20_001);
    assert!(seen < recorded / 2, "{seen}: what was not taken in time was not dropped");
}
