//! Recordings, played in any direction, one or two at a time.

use serde_json::json;

use crate::client::{Client, Frame};
use crate::program::{Place, example};

/// Poses are left out of recordings where the straight way between two others is a centimetre away; what a bend adds
/// within one of their steps comes on top.
const THINNED: f64 = 0.03;

/// The first seconds of sixteen quadrotors.
fn recorded(place: &Place, out: &str, seed: &str) {
    let (status, said) = place.run(&[
        "run",
        &example("world/swarm.toml"),
        "--until",
        "3 s",
        "--seed",
        seed,
        "--out",
        out,
    ]);
    assert!(status < 2, "{said}");
}

fn position(frame: &Frame, body: u16) -> [f64; 3] {
    frame.poses.iter().find(|(number, _)| *number == body).expect("it is there").1
}

#[test]
fn vehicles_are_where_their_signals_say_in_any_direction() {
    let place = Place::new();
    recorded(&place, "out", "1");
    let served = place.serve(&["view", "out/recording.mcap"]);
    let mut client = Client::connect(&served);
    assert_eq!(client.hello["live"], false);
    let bodies = client.hello["scene"]["bodies"].as_array().expect("bodies").clone();
    assert_eq!(bodies.len(), 16);
    assert!(bodies.iter().all(|body| body["kind"] == "multirotor"));
    assert_eq!(client.hello["scene"]["ground"]["kind"], "plane");
    for (number, path) in [(0, "world.quad[0]"), (15, "world.quad[15]")] {
        assert_eq!(bodies[number]["path"], path);
        let axes = [0, 1, 2].map(|axis| client.signal(&format!("{path}.position.[{axis}]")));
        client.must(json!({ "do": "subscribe", "signals": axes }));
        // Later first: a slider goes both ways. Poses are recorded every 40 ms.
        for from in [2.0, 0.4] {
            client.windows.clear();
            client.must(json!({ "do": "window", "from": from, "to": from + 0.4, "step": 0.04 }));
            let frames = client.windows.pop().expect("a window comes before its answer");
            assert_eq!(frames.len(), 11);
            for frame in &frames {
                let seen = position(frame, number as u16);
                for (axis, id) in axes.iter().enumerate() {
                    let value =
                        frame.values.iter().find(|(signal, _)| signal == id).expect("a value").1;
                    assert!(
                        (seen[axis] - value).abs() < THINNED,
                        "{path} at {}: {seen:?}",
                        frame.time
                    );
                }
            }
        }
    }
}

#[test]
fn two_recordings_stand_side_by_side() {
    let place = Place::new();
    recorded(&place, "a", "1");
    let (status, said) =
        place.run(&["run", &example("world/collide.toml"), "--until", "2 s", "--out", "b"]);
    assert!(status < 2, "{said}");
    let served = place.serve(&["view", "a/recording.mcap", "b/recording.mcap"]);
    let (first, second) = (Client::connect_to(&served, 0), Client::connect_to(&served, 1));
    assert_eq!(first.hello["runs"], json!(["a/recording.mcap", "b/recording.mcap"]));
    assert_eq!(second.hello["run"], 1);
    assert_ne!(first.hello["title"], second.hello["title"]);
    assert!((first.hello["duration"].as_f64().expect("a number") - 3.0).abs() < 0.1);
}

#[test]
fn what_only_a_live_run_can_do_is_refused() {
    let place = Place::new();
    recorded(&place, "out", "1");
    let served = place.serve(&["view", "out/recording.mcap"]);
    let mut client = Client::connect(&served);
    for request in
        [json!({ "do": "pause" }), json!({ "do": "end" }), json!({ "do": "note", "text": "a" })]
    {
        let refused = client.ask(request).expect_err("nothing can be changed any more");
        assert!(refused.contains("live run"), "{refused}");
    }
    let (status, _) = served.interrupt();
    assert_eq!(status, Some(0));
}

#[test]
fn a_recording_that_was_cut_short_is_shown_as_far_as_it_goes() {
    let place = Place::new();
    recorded(&place, "out", "1");
    let whole = std::fs::read(place.path("out/recording.mcap")).expect("a recording");
    std::fs::write(place.path("cut.mcap"), &whole[..whole.len() / 2]).expect("a file");
    let served = place.serve(&["view", "cut.mcap"]);
    let client = Client::connect(&served);
    let duration = client.hello["duration"].as_f64().expect("a number");
    assert!(duration > 0.1 && duration < 3.0, "{duration}");
}

#[test]
fn the_system_is_shown_where_the_files_of_the_experiment_are() {
    let place = Place::new();
    recorded(&place, "out", "1");
    let components = |more: &[&str]| {
        let served = place.serve(&[&["view", "out/recording.mcap"], more].concat());
        let client = Client::connect(&served);
        client.hello["graph"]["components"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(components(&[]), 0);
    assert!(components(&["--folder", &example("world")]) > 1);
}
