//! `ironbird export` and `ironbird graph`.

use crate::program::{Place, experiment};

fn recorded() -> Place {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "out", "--until", "1 min"]).status, 0);
    place
}

#[test]
fn a_table_has_a_column_for_every_signal() {
    let place = recorded();
    let done =
        place.run(&["export", "out/recording.mcap", "--signal", "flat[1].*", "--out", "a.csv"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let table = place.text("a.csv");
    let header =
        "time_s,flat[1].room.temperature,flat[1].thermometer.reading,flat[1].thermostat.heating";
    assert_eq!(table.lines().next(), Some(header));
    assert!(table.lines().all(|line| line.split(',').count() == 4));
    let printed = place.run(&["export", "out/recording.mcap", "--signal", "flat[1].*"]);
    assert_eq!(printed.out, table);
    let held = place.run(&["export", "out/recording.mcap", "--signal", "flat[1].*", "--hold"]);
    assert!(table.contains(",,") && !held.out.contains(",,"), "{}", held.out);
}

#[test]
fn a_parquet_file_begins_and_ends_as_one() {
    let place = recorded();
    let done = place.run(&["export", "out/recording.mcap", "--out", "table.parquet"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let bytes = place.read("table.parquet");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn tables_of_another_kind_and_signals_that_do_not_exist_are_refused() {
    let place = recorded();
    let refused = |arguments: &[&str], word: &str| {
        let done = place.run(&[&["export", "out/recording.mcap"], arguments].concat());
        assert_eq!(done.status, 2, "{}", done.err);
        assert!(done.err.contains(word), "{}", done.err);
    };
    refused(&["--out", "table.xls"], "use .csv, .parquet or .pcapng");
    refused(&["--format", "parquet"], "name a file with --out");
    refused(&["--signal", "flat[1].room.temperatur"], "did you mean flat[1].room.temperature?");
}

#[test]
fn a_system_is_drawn_as_a_picture_and_as_text() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    let svg = place.run(&["graph", &rooms]);
    assert_eq!(svg.status, 0, "{}", svg.err);
    let picture = roxmltree::Document::parse(&svg.out).unwrap();
    assert!(picture.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    assert!(svg.out.contains("thermostat"));
    let mermaid = place.run(&["graph", &rooms, "--format", "mermaid", "--out", "rooms.mmd"]);
    assert_eq!(mermaid.status, 0, "{}", mermaid.err);
    let text = place.text("rooms.mmd");
    assert!(text.contains("flowchart") && text.contains("subgraph"), "{text}");
}
