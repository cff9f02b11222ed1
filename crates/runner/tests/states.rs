//! The states that components enter are shown, whoever looks.

mod systems;

use ironbird_kernel::{Sharing, Time};
use ironbird_record::Event;
use ironbird_runner::{How, report};
use systems::{Ran, experiment, run_text, run_with};

/// Two lights that go through three states every second, four times, and are off then.
const LIGHTS: &str = r#"
    duration = "10 s"
    [system.east.light]
    type = "test.light"
    [system.west]
    type = "test.light"
    [system.listener]
    type = "test.dice"
    [[record]]
    signals = ["listener.number"]
"#;

const SECOND: u64 = 1_000_000_000_000;

fn states(events: &[Event], name: &str) -> Vec<(u64, String)> {
    let states = events.iter().filter(|event| event.kind == "state" && event.name == name);
    states.map(|event| (event.time.as_ps() / SECOND, event.text.clone())).collect()
}

fn expected() -> Vec<(u64, String)> {
    let rounds = (0..4).flat_map(|second| ["red", "amber", "green"].map(|s| (second, s)));
    rounds.chain([(4, "off")]).map(|(second, state)| (second, state.to_owned())).collect()
}

#[test]
fn every_state_is_an_event_of_the_recording_in_the_order_in_which_it_was_entered() {
    let ran = run_text(LIGHTS);
    for light in ["east.light", "west"] {
        assert_eq!(states(&ran.recording.events, light), expected());
    }
}

#[test]
fn outcomes_have_the_folded_trace_of_each_component() {
    let ran = run_text(LIGHTS);
    let components: Vec<&str> = ran.outcomes.traces.iter().map(|t| t.component.as_str()).collect();
    assert_eq!(components, ["east.light", "west"]);
    for trace in &ran.outcomes.traces {
        assert_eq!(trace.text(), "4 x (red > amber > green) > off at 4 s");
        assert_eq!(trace.entered.last(), Some(&(Time::from_ps(4 * SECOND), "off".to_owned())));
    }
}

#[test]
fn the_hash_and_the_channels_are_the_same_whether_there_are_states_or_not() {
    let quiet = LIGHTS.replace("test.light", "test.dice");
    let (with, without) = (run_text(LIGHTS), run_text(&quiet));
    let names =
        |ran: &Ran| ran.recording.channels.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(with.outcomes.hash, without.outcomes.hash);
    assert_eq!(names(&with), names(&without));
    assert!(without.outcomes.traces.is_empty());
    assert!(without.recording.events.is_empty());
}

#[test]
fn a_recorded_output_is_a_channel_and_a_trace() {
    let text = format!("{LIGHTS}\n[[record]]\nsignals = [\"west.entered\"]\n");
    let ran = run_text(&text);
    assert_eq!(ran.values("west.entered").len(), 13);
    assert_eq!(states(&ran.recording.events, "west"), expected());
    assert_eq!(ran.outcomes.traces.len(), 2);
}

#[test]
fn the_file_with_states_is_the_same_on_any_number_of_partitions() {
    let experiment = experiment(LIGHTS);
    let sharing = Sharing::Always;
    let on =
        |partitions| run_with(&experiment, 0, How { partitions, sharing, ..How::default() }, 0);
    let one = on(1);
    for partitions in [2, 3] {
        let several = on(partitions);
        assert_eq!(several.outcomes.statistics.placement.partitions, partitions);
        assert!(one.file == several.file, "the files differ on {partitions} partitions");
        assert_eq!(one.outcomes.traces, several.outcomes.traces);
    }
}

#[test]
fn a_component_that_comes_and_goes_shows_its_states_while_it_is_there() {
    let text = format!(
        "{LIGHTS}\n[system.guest]\ntype = \"test.light\"\nenabled = false\n\
         [[at]]\ntime = \"3 s\"\nspawn = \"guest\"\n[[at]]\ntime = \"4500 ms\"\nremove = \"guest\"\n"
    );
    let ran = run_text(&text);
    let guest = ran.outcomes.traces.iter().find(|trace| trace.component == "guest").unwrap();
    assert_eq!(guest.entered.first().unwrap().0, Time::from_ps(3 * SECOND));
    assert_eq!(guest.text(), "2 x (red > amber > green) at 4 s");
}

#[test]
fn the_report_lists_the_states_of_an_instant_in_one_line_and_draws_none() {
    let ran = run_text(LIGHTS);
    let report = report(&ran.recording, &[], Some(&ran.outcomes)).unwrap();
    let mut rows: Vec<(u64, String)> =
        (0..4).map(|second| (second, "red > amber > green".to_owned())).collect();
    rows.push((4, "off".to_owned()));
    assert_eq!(states(&report.events, "west"), rows);
    assert!(report.plots.iter().all(|plot| plot.marks.is_empty()));
    assert!(report.to_html().contains("red &gt; amber &gt; green"));
}

#[test]
fn messages_with_a_north_and_an_east_are_places_on_the_map() {
    let ran = run_text(
        "duration = \"3 s\"\n[system.rover]\ntype = \"test.rover\"\n\
         [[record]]\nsignals = [\"rover.position\", \"rover.go\"]\n",
    );
    let report = report(&ran.recording, &[], None).unwrap();
    let [map] = &report.maps[..] else { panic!("{:?}", report.maps) };
    let tracks: Vec<(&str, bool)> =
        map.tracks.iter().map(|track| (track.name.as_str(), track.is_path)).collect();
    assert_eq!(tracks, [("rover.position", true), ("rover.go", false)]);
    // East goes to the right, north up.
    assert_eq!(map.tracks[0].points[1], (2.0, 1.0));
    assert_eq!(map.tracks[1].points[1], (20.0, 10.0));
}
