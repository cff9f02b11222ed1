//! Recordings and logs as components of another system.

use ironbird_kernel::{Duration, Time};
use ironbird_record::{Kind, Recording};

use crate::program::{Place, example, experiment};

/// A place with a recording of the rooms.
fn recorded() -> (Place, Recording) {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "rooms", "--until", "1 h"]).status, 0);
    let recording = Recording::open(&place.path("rooms/recording.mcap")).unwrap();
    (place, recording)
}

fn run(place: &Place, experiment: &str) -> Recording {
    place.write("again.toml", format!("ironbird = 1\nduration = \"1 h\"\n{experiment}"));
    let done = place.run(&["run", "again.toml", "--out", "again"]);
    assert_eq!(done.status, 0, "{}", done.err);
    Recording::open(&place.path("again/recording.mcap")).unwrap()
}

#[test]
fn a_controller_that_hears_a_recording_does_what_it_did() {
    let (place, before) = recorded();
    let after = run(
        &place,
        r#"
        [system.log]
        type = "replay.recording"
        file = "rooms/recording.mcap"
        signals = "flat[3].thermometer.reading, flat[3].room.*"
        [system.thermostat]
        type = "control.thermostat"
        rate = "6 1/min"
        in.temperature = { from = "log.reading", latency = "20 ms" }
        [[record]]
        signals = ["log.*", "thermostat.heating"]
        "#,
    );
    let same = |was: &str, is: &str, at_least: usize| {
        let (was, is) = (before.samples(was).unwrap(), after.samples(is).unwrap());
        assert!(was.len() > at_least);
        assert_eq!(was, is);
    };
    same("flat[3].thermometer.reading", "log.reading", 3_600);
    same("flat[3].room.temperature", "log.temperature", 20);
    same("flat[0].thermostat.heating", "thermostat.heating", 360);
    let heating = after.samples("thermostat.heating").unwrap();
    assert!(heating.iter().any(|(_, power)| power[0] == 0.0), "it was switched off at times");
    assert_eq!(after.channel("log.reading").unwrap().unit, "degC");
    assert_eq!(after.channel("log.temperature").unwrap().kind, Kind::Signal);
    let replay = place.run(&["replay", "again/recording.mcap"]);
    assert_eq!(replay.status, 0, "{}{}", replay.out, replay.err);
}

#[test]
fn a_continuous_signal_goes_in_straight_lines_through_its_samples() {
    let (place, before) = recorded();
    let after = run(
        &place,
        r#"
        [system.log]
        type = "replay.recording"
        file = "rooms/recording.mcap"
        signals = "flat[2].room.temperature"
        between = "line"
        [system.thermometer]
        type = "sensor.thermometer"
        rate = "1 Hz"
        in.temperature = "log.temperature"
        [[record]]
        signals = ["log.temperature"]
        "#,
    );
    let samples = after.samples("log.temperature").unwrap();
    assert_eq!(samples, before.samples("flat[2].room.temperature").unwrap());
    assert_eq!(after.channel("log.temperature").unwrap().kind, Kind::Continuous);
}

#[test]
fn signals_of_the_same_name_are_called_by_their_whole_name() {
    let (place, _) = recorded();
    let after = run(
        &place,
        r#"
        [system.log]
        type = "replay.recording"
        file = "rooms/recording.mcap"
        signals = "*.thermometer.*, flat[1].room.*"
        [[record]]
        signals = ["log.*"]
        "#,
    );
    let names: Vec<&str> = after.channels.iter().map(|channel| channel.name.as_str()).collect();
    let readings = [0, 1, 2, 3].map(|flat| format!("log.flat-{flat}-thermometer-reading"));
    assert!(readings.iter().all(|name| names.contains(&name.as_str())), "{names:?}");
    assert!(names.contains(&"log.temperature"), "{names:?}");
}

const LOG: &str = "t,Speed over ground,heading,note\n\
    0.5,1.25,10,start\n\
    1.000000001,,20,\n\
    1.7,-3e-2,20,turn\n\
    40,0.1,355.5,end\n";

#[test]
fn a_log_is_played_at_its_irregular_times() {
    let place = Place::new();
    place.write("log.csv", LOG);
    let experiment = |more: &str| {
        format!(
            "[system.log]\ntype = \"replay.csv\"\nfile = \"log.csv\"\ntime = \"t\"\ntime_unit = \"ms\"\n\
             columns = \"Speed over ground as speed: m/s, heading: deg\"\n{more}\n\
             [[record]]\nsignals = [\"log.*\"]\n"
        )
    };
    let us = |us: u64| Time::ZERO + Duration::from_us(us);
    let of = |recording: &Recording, name: &str| -> Vec<(Time, f64)> {
        let samples = recording.samples(name).unwrap();
        samples.into_iter().map(|(time, numbers)| (time, numbers[0])).collect()
    };
    let played = run(&place, &experiment(""));
    let first = Time::from_ps(1_000_000_001);
    let speeds = [(Time::ZERO, 1.25), (us(500), 1.25), (us(1_700), -0.03), (us(40_000), 0.1)];
    assert_eq!(of(&played, "log.speed"), speeds);
    let headings = [
        (Time::ZERO, 10.0),
        (us(500), 10.0),
        (first, 20.0),
        (us(1_700), 20.0),
        (us(40_000), 355.5),
    ];
    assert_eq!(of(&played, "log.heading"), headings);
    assert_eq!(played.channel("log.speed").unwrap().unit, "m/s");

    let earlier = run(&place, &experiment("offset = \"-1.2 ms\""));
    let headings = [(Time::ZERO, 20.0), (us(500), 20.0), (us(38_800), 355.5)];
    assert_eq!(of(&earlier, "log.heading"), headings);

    // Half-way between two samples a line is half-way between their values.
    let lines = run(&place, &experiment("between = \"line\"\noffset = \"-20.85 ms\""));
    let start = of(&lines, "log.speed")[0].1;
    assert!((start - 0.035).abs() < 1e-12, "{start}");
}

#[test]
fn what_export_writes_can_be_played() {
    let (place, before) = recorded();
    let signal = ["--signal", "flat[3].thermometer.reading"];
    let export = ["export", "rooms/recording.mcap", "--out", "log.csv"];
    assert_eq!(place.run(&[&export[..], &signal].concat()).status, 0);
    let after = run(
        &place,
        "[system.log]\ntype = \"replay.csv\"\nfile = \"log.csv\"\n\
         columns = \"flat[3].thermometer.reading: degC\"\n[[record]]\nsignals = [\"log.reading\"]\n",
    );
    let samples = after.samples("log.reading").unwrap();
    assert_eq!(samples, before.samples("flat[3].thermometer.reading").unwrap());
}

#[test]
fn the_force_from_the_log_of_the_cart_pole_moves_the_cart_as_it_did() {
    let place = Place::new();
    let cart = |name: &str, out| {
        let file = example(&format!("cart-pole/{name}"));
        let done = place.run(&["run", &file, "--out", out, "--until", "4 s"]);
        assert!(done.status < 2, "{}", done.err);
        let recording = Recording::open(&place.path(out).join("recording.mcap")).unwrap();
        recording.samples("cart.angle").unwrap()
    };
    let before = cart("cart-pole.toml", "before");
    assert_eq!(before.len(), 401);
    assert_eq!(before, cart("replayed.toml", "after"));
}

/// What `check` says about a log with these settings.
fn refusal(place: &Place, settings: &str) -> String {
    let log = format!("[system.log]\n{settings}\n");
    place.write("wrong.toml", format!("ironbird = 1\nduration = \"1 s\"\n{log}"));
    let done = place.run(&["check", "wrong.toml"]);
    assert_eq!(done.status, 2, "{settings}");
    // Long messages are broken into lines that begin with a bar.
    done.err.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

#[test]
fn a_wrong_log_is_refused_with_file_line_and_column() {
    let place = Place::new();
    let csv = |text: &str, settings: &str| {
        place.write("log.csv", text);
        let columns = if settings.contains("columns") { "" } else { "columns = \"x: m\"\n" };
        let settings = format!("type = \"replay.csv\"\nfile = \"log.csv\"\n{columns}{settings}");
        refusal(&place, &settings)
    };
    let contains = |text: String, words: &str| assert!(text.contains(words), "{text}");
    contains(
        csv("time_s,x\n0,1\n2,2\n1,3\n", ""),
        "log.csv, line 4, column 1 (time_s): the time \"1\" comes after \"2\"; times must not go back",
    );
    contains(
        csv("time_s,x\n-1,1\n", ""),
        "log.csv, line 2, column 1 (time_s): the time \"-1\" is negative",
    );
    contains(
        csv("time_s,x\n0,one\n", ""),
        "log.csv, line 2, column 2 (x): \"one\" is not a number",
    );
    contains(csv("time_s,y\n0,1\n", ""), "log.csv, line 1 (header): there is no column \"x\"");
    contains(csv("time_s,x\n", ""), "column \"x\": it has no samples");
    contains(csv("t,x\n0,1\n", ""), "parameter \"time\"");
    contains(
        csv("time_s,x\n0,1\n1,nan\n", "between = \"line\""),
        "no line leads through NaN at 1 s",
    );
    contains(csv("time_s,x\n0,1\n", "columns = \"x: parrots\""), "\"x: parrots\"");
    contains(
        csv("time_s,x\n0,1\n", "columns = \"x, x as x\""),
        "two outputs would be called \"x\"",
    );
    contains(csv("time_s,x\n0,1\n", "offset = \"soon\""), "parameter \"offset\"");
}

#[test]
fn a_wrong_recording_is_refused() {
    let (place, _) = recorded();
    let bytes = place.read("rooms/recording.mcap");
    place.write("half.mcap", &bytes[..bytes.len() / 2]);
    place.write("text.mcap", "not a recording");
    let of = |file: &str, more: &str| {
        refusal(&place, &format!("type = \"replay.recording\"\nfile = \"{file}\"\n{more}"))
    };
    let contains = |text: String, words: &str| assert!(text.contains(words), "{text}");
    contains(of("text.mcap", ""), "text.mcap is not a recording");
    contains(of("missing.mcap", ""), "does not exist");
    contains(of("half.mcap", ""), "set cut_short = true");
    contains(
        of("rooms/recording.mcap", "signals = \"flat[0].room.temperatur\""),
        "did you mean flat[0].room.temperature?",
    );
    contains(of("rooms/recording.mcap", "signals = \"roof.*\""), "fits \"roof.*\"");
    let played = run(
        &place,
        "[system.log]\ntype = \"replay.recording\"\nfile = \"half.mcap\"\ncut_short = true\n\
         signals = \"flat[0].thermometer.*\"\n[[record]]\nsignals = [\"log.reading\"]\n",
    );
    assert!(played.samples("log.reading").unwrap().len() > 100);
}
