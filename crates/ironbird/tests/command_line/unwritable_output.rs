//! Places that cannot be written to.

use crate::program::{Place, experiment};

fn refused(place: &Place, arguments: &[&str], words: &[&str]) {
    let done = place.run(arguments);
    assert_eq!(done.status, 3, "{arguments:?}: {}", done.err);
    for word in words {
        assert!(done.err.contains(word), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn a_folder_that_is_a_file_or_lies_in_one_is_refused() {
    let place = Place::new();
    place.write("file", "");
    let rooms = experiment("rooms.toml");
    refused(&place, &["run", &rooms, "--out", "file"], &["the folder file: ", "--out"]);
    refused(&place, &["run", &rooms, "--out", "file/out"], &["the folder file/out: ", "--out"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_in_which_nobody_may_write_is_refused() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    for folder in ["/proc/ironbird", "/sys/ironbird"] {
        refused(&place, &["run", &rooms, "--out", folder], &["the folder", folder, "--out"]);
    }
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    for folder in ["taken/recording.mcap", "half/report.html"] {
        std::fs::create_dir_all(place.path(folder)).unwrap();
    }
    let run = |out, more: &[&'static str]| {
        [&["run", &rooms, "--until", "1 min", "--out", out], more].concat()
    };
    refused(&place, &run("taken", &[]), &["cannot create taken/recording.mcap: "]);
    refused(&place, &run("half", &[]), &["cannot write half/report.html: "]);
    // The run itself is recorded all the same.
    assert_eq!(place.run(&["replay", "half/recording.mcap"]).status, 0);
    refused(&place, &run("out", &["--junit", "no/junit.xml"]), &["cannot write no/junit.xml: "]);
    let recording = "out/recording.mcap";
    refused(&place, &["export", recording, "--out", "no/table.csv"], &["write no/table.csv: "]);
    refused(&place, &["report", recording, "--out", "no/page.html"], &["write no/page.html: "]);
    refused(&place, &["graph", &rooms, "--out", "no/graph.svg"], &["write no/graph.svg: "]);
}
