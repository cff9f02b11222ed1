//! A run that people watch, change, and do again.

use std::time::Instant;

use serde_json::{Value, json};

use crate::client::Client;
use crate::program::{PATIENCE, Place, example};

const THERMOSTAT: &str = "thermostat/thermostat.toml";
/// The hash that a run prints.
pub fn hash(said: &str) -> &str {
    let line = said.lines().find_map(|line| line.trim().strip_prefix("hash "));
    line.unwrap_or_else(|| panic!("no hash: {said}"))
}

fn is_paused(frame: &crate::client::Frame) -> bool {
    frame.state == 1
}

#[test]
fn a_run_waits_for_its_page_ends_with_its_verdict_and_leaves_its_recording_there() {
    let place = Place::new();
    let mut served =
        place.serve(&["run", &example(THERMOSTAT), "--view", "--speed", "200000", "--out", "out"]);
    let mut client = Client::connect(&served);
    assert_eq!(client.hello["live"], true);
    assert_eq!(client.hello["duration"], 86_400.0);
    let ended = client.until_told("ended");
    assert_eq!(ended["verdict"], "holds");
    client.until(|frame| frame.state == 2);
    assert!(client.is_closed(), "something else is shown");
    served.wait_for("verdict: all 2 requirements hold");
    let client = Client::connect(&served);
    assert_eq!(client.hello["live"], false);
    let (status, said) = served.interrupt();
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn being_watched_paused_stepped_and_paced_changes_no_bit() {
    let place = Place::new();
    let (_, said) = place.run(&["run", &example(THERMOSTAT), "--out", "alone"]);
    let alone = hash(&said).to_owned();
    let mut served = place.serve(&["run", &example(THERMOSTAT), "--view", "--out", "watched"]);
    let mut client = Client::connect(&served);
    client.must(json!({ "do": "pause" }));
    let before = client.until(is_paused).time;
    client.must(json!({ "do": "step", "by": 1234.5 }));
    let after = client.until(|frame| is_paused(frame) && frame.time > before).time;
    assert!((after - before - 1234.5).abs() < 1e-6, "{before} {after}");
    client.must(json!({ "do": "step", "by": null }));
    let next = client.until(|frame| is_paused(frame) && frame.time > after).time;
    assert!(next - after <= 10.0 + 1e-6, "the thermometer reads every ten seconds: {after} {next}");
    let reading = client.signal("thermometer.reading");
    client.must(json!({ "do": "subscribe", "signals": [reading] }));
    client.must(json!({ "do": "speed", "value": 1000 }));
    client.must(json!({ "do": "go" }));
    client.until(|frame| frame.values.iter().any(|(id, value)| *id == reading && *value > 10.0));
    client.must(json!({ "do": "speed", "value": null }));
    client.until_told("ended");
    served.wait_for("verdict");
    let (_, said) = served.interrupt();
    assert_eq!(hash(&said), alone);
}

#[test]
fn a_long_step_is_seen_while_it_is_made_and_a_pause_gives_it_up() {
    let place = Place::new();
    let swarm = example("world/swarm.toml");
    let served = place.serve(&["run", &swarm, "--view", "--until", "100 h", "--out", "out"]);
    let mut client = Client::connect(&served);
    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "step", "by": 300_000 }));
    client.until(|frame| frame.state == 0 && frame.time > 2.0);
    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "note", "text": "enough" }));
    let noted = client.until_told("event")["time"].as_f64().expect("a time");
    assert!(noted < 300_000.0, "{noted}");
    assert_eq!(client.until(is_paused).time, noted, "it stands still");
}

#[test]
fn what_was_done_to_a_run_is_done_again_to_the_same_bits() {
    let place = Place::new();
    let experiment = example(THERMOSTAT);
    let (_, said) = place.run(&["run", &experiment, "--out", "alone"]);
    let alone = hash(&said).to_owned();
    let mut served = place.serve(&["run", &experiment, "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "step", "by": 3600.25 }));
    let fault = "the thermometer shows too much";
    client.must(json!({ "do": "fault", "name": fault, "active": true }));
    let told = client.until_told("fault");
    assert_eq!(
        (&told["name"], &told["active"], &told["by"]),
        (&json!(fault), &json!(true), &json!("person"))
    );
    // Of two values at one instant the last counts, whatever their order in the alphabet.
    for value in ["22 degC", "19 degC", "21.5 degC", "19 degC", "21.5 degC"] {
        client.must(json!({ "do": "set", "component": "thermostat", "parameter": "setpoint", "value": value }));
    }
    client.must(json!({ "do": "note", "text": "a note with \"quotes\" and ü" }));
    client.must(json!({ "do": "step", "by": 5000 }));
    client.must(json!({ "do": "fault", "name": fault, "active": false }));
    client.must(json!({ "do": "speed", "value": null }));
    client.must(json!({ "do": "go" }));
    client.until_told("ended");
    served.wait_for("verdict");
    let (_, said) = served.interrupt();
    let live = hash(&said).to_owned();
    assert_ne!(live, alone, "what was done has done something");

    let (status, said) = place.run(&["replay", "out/recording.mcap"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains(&format!("the same bits again: {live}")), "{said}");
    let again = ["run", &experiment, "--commands", "out/recording.mcap", "--out", "again"];
    for sharing in ["measured", "always", "turns"] {
        let two = ["--partitions", "2", "--sharing", sharing];
        let (_, said) = place.run(&[&again[..], &two].concat());
        assert_eq!(hash(&said), live);
    }
    let (status, said) = place.run(&["replay", "again/recording.mcap"]);
    assert_eq!(status, 0, "what was done again is in the recording, too: {said}");
}

#[test]
fn a_run_that_a_person_ends_ends_there_again() {
    let place = Place::new();
    let experiment = example(THERMOSTAT);
    let mut served = place.serve(&["run", &experiment, "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "step", "by": 7200 }));
    client.must(json!({ "do": "end" }));
    let ended = client.until_told("ended");
    assert!(
        ended["text"].as_str().is_some_and(|text| text.starts_with("interrupted at 7200")),
        "{ended}"
    );
    served.wait_for("verdict");
    let (status, said) = served.interrupt();
    assert_eq!(status, Some(1), "requirements stay undecided: {said}");
    let live = hash(&said).to_owned();
    let (status, replayed) = place.run(&["replay", "out/recording.mcap"]);
    assert_eq!(status, 0, "{replayed}");
    let (_, said) =
        place.run(&["run", &experiment, "--commands", "out/recording.mcap", "--out", "again"]);
    assert_eq!(hash(&said), live);
}

#[test]
fn a_file_of_commands_is_done_at_its_times() {
    let place = Place::new();
    place.write(
        "given.toml",
        r#"
[[command]]
time = "2 h"
set = { thermostat.setpoint = "20.5 degC" }

[[command]]
time = "1 h"
fault = { "the thermometer shows too much" = true }
"#,
    );
    place.write(
        "planned.toml",
        &format!(
            "ironbird = 1\nextends = {:?}\n[[at]]\nname = \"as given\"\ntime = \"2 h\"\nset = {{ thermostat.setpoint = \"20.5 degC\" }}\n",
            example(THERMOSTAT)
        ),
    );
    let experiment = example(THERMOSTAT);
    let (_, said) = place.run(&["run", &experiment, "--commands", "given.toml", "--out", "a"]);
    let given = hash(&said).to_owned();
    place.write(
        "given.toml",
        "[[command]]\ntime = \"2 h\"\nset = { thermostat.setpoint = \"20.5 degC\" }\n",
    );
    let (_, said) = place.run(&["run", &experiment, "--commands", "given.toml", "--out", "b"]);
    let only_set = hash(&said).to_owned();
    let (_, said) = place.run(&["run", "planned.toml", "--out", "c"]);
    assert_eq!(hash(&said), only_set, "a command does what the same entry of [[at]] does");
    assert_ne!(given, only_set, "the fault acts");
    for (text, why) in [
        ("[[command]]\ntime = \"1 h\"\n", "does one thing"),
        (
            "[[command]]\ntime = \"1 h\"\nfault = { \"the thermometer\" = true }\n",
            "there is no fault",
        ),
        ("[[command]]\ntime = \"1 h\"\nset = { thermostat.setpoints = \"1 K\" }\n", "setpoint"),
        ("[[command]]\nnote = \"when?\"\n", "time"),
    ] {
        place.write("given.toml", text);
        let (status, said) = place.run(&["run", &experiment, "--commands", "given.toml"]);
        assert_eq!(status, 2, "{text}: {said}");
        assert!(said.contains(why) && said.contains("given.toml"), "{text}: {said}");
    }
}

#[test]
fn a_fault_on_command_acts_only_then() {
    let place = Place::new();
    let plain = format!("ironbird = 1\nextends = {:?}\n", example(THERMOSTAT));
    let fault = "[[fault]]\nname = \"loose\"\nsignal = \"thermometer.reading\"\nbias = \"3 K\"\nwhen = \"command\"\n";
    place.write("plain.toml", &plain);
    place.write("armed.toml", &format!("{plain}{fault}"));
    place.write("given.toml", "[[command]]\ntime = \"5 h\"\nfault = { loose = true }\n");
    let run = |arguments: &[&str]| hash(&place.run(arguments).1).to_owned();
    let without = run(&["run", "plain.toml"]);
    assert_eq!(run(&["run", "armed.toml"]), without);
    assert_ne!(run(&["run", "armed.toml", "--commands", "given.toml"]), without);
}

#[test]
fn what_cannot_be_done_is_refused_with_a_sentence_and_the_run_goes_on() {
    let place = Place::new();
    let served = place.serve(&["run", &example(THERMOSTAT), "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    client.until(|frame| frame.state == 0);
    let set = |parameter: &str, value: &str| json!({ "do": "set", "component": "thermostat", "parameter": parameter, "value": value });
    for (request, why) in [
        (json!({ "do": "step", "by": 1 }), "must be paused"),
        (json!({ "do": "speed", "value": 0 }), "above 0"),
        (json!({ "do": "speed", "value": 1e-12 }), "at least"),
        (json!({ "do": "fault", "name": "no such fault", "active": true }), "there is no fault"),
        (set("setpoints", "20 degC"), "setpoint"),
        (set("setpoint", "20 m"), "degC"),
        (set("setpoint", "warm"), "warm"),
        (json!({ "do": "note", "text": "a".repeat(300) }), "at most 200"),
        (json!({ "do": "subscribe", "signals": [100_000] }), "there is no signal"),
        (json!({ "do": "window", "from": 0, "to": 1, "step": 0.1 }), "recording"),
    ] {
        let asked = request.to_string();
        let refused = client.ask(request).expect_err(&asked);
        assert!(refused.contains(why), "{asked}: {refused}");
    }
    let now = client.frame.clone().map_or(0.0, |frame| frame.time);
    client.until(|frame| frame.time > now);
    let (status, said) = served.interrupt();
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("interrupted at"), "{said}");
}

#[test]
fn what_a_signal_was_while_nobody_looked_is_known_to_who_comes_back() {
    let place = Place::new();
    let served = place.serve(&["run", &example(THERMOSTAT), "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    client.must(json!({ "do": "pause" }));
    let reading = client.signal("thermometer.reading");
    client.must(json!({ "do": "subscribe", "signals": [reading] }));
    let begin = client.until(is_paused).time;
    client.must(json!({ "do": "step", "by": 600 }));
    client.must(json!({ "do": "subscribe", "signals": [] }));
    client.must(json!({ "do": "step", "by": 600 }));
    // Values come to the view when they come to the recording.
    let is_known = |(from, to): &(f64, f64)| *from < begin + 20.0 && *to > begin + 1000.0;
    let begun = Instant::now();
    while !client.spans.get(&reading).is_some_and(is_known) {
        assert!(begun.elapsed() < PATIENCE, "{:?}", client.spans);
        client.must(json!({ "do": "subscribe", "signals": [reading] }));
    }
}

#[test]
fn what_was_planned_is_not_said_again_when_it_happens() {
    let place = Place::new();
    let planned = "[[at]]\nname = \"warmer\"\ntime = \"10 min\"\nset = { thermostat.setpoint = \"22 degC\" }\n";
    let plain = format!("ironbird = 1\nextends = {:?}\n", example(THERMOSTAT));
    place.write("planned.toml", &format!("{plain}{planned}"));
    let served = place.serve(&["run", "planned.toml", "--view", "--out", "out"]);
    let mut client = Client::connect(&served);
    let is_it = |event: &&Value| event["name"] == "warmer";
    assert_eq!(client.hello["events"].as_array().expect("events").iter().filter(is_it).count(), 1);
    client.must(json!({ "do": "pause" }));
    client.must(json!({ "do": "step", "by": 1200 }));
    client.until(|frame| frame.time > 1100.0);
    client.must(json!({ "do": "note", "text": "after it" }));
    client.until_told("event");
    let told: Vec<&Value> = client.told.iter().filter(|told| told["is"] == "event").collect();
    assert_eq!(told.len(), 1, "{told:?}");
    let late = Client::connect(&served);
    assert_eq!(late.hello["events"].as_array().expect("events").iter().filter(is_it).count(), 1);
}

#[test]
fn everybody_is_told_what_one_has_changed() {
    let place = Place::new();
    let served = place.serve(&["run", &example(THERMOSTAT), "--view", "--out", "out"]);
    let (mut one, mut other) = (Client::connect(&served), Client::connect(&served));
    one.must(json!({ "do": "set", "component": "thermostat", "parameter": "hysteresis", "value": "1 K" }));
    let told = other.until_told("parameter");
    assert_eq!(told["value"], "1 K");
    let late = Client::connect(&served);
    let parameters = late.hello["parameters"].as_array().expect("parameters");
    let known = parameters.iter().find(|one| one["parameter"] == "hysteresis").expect("hysteresis");
    assert_eq!(known["value"], "1 K");
    one.must(json!({ "do": "pause" }));
    other.until(is_paused);
    other.must(json!({ "do": "speed", "value": 10 }));
    assert_eq!(one.until_told("pace")["speed"], 10.0);
}
