//! The cells of a mission, one after the other.

use ironbird_control::mission::Cell;
use ironbird_kernel::Parameter;
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, seconds, text};

use crate::stub::register;

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn write(&self, name: &str, content: &str) -> String {
        let file = self.0.path().join(name);
        std::fs::write(&file, content).expect("it can be written");
        file.to_string_lossy().into_owned()
    }

    /// What a user reads, without the folder of the test.
    fn refusal(&self, settings: &[(&str, Parameter)]) -> String {
        let said = Rig::of(&[register]).refusal("mission.iterator", settings);
        said.replace(&format!("{}/", self.0.path().display()), "")
    }
}

/// An iterator whose commands are clicked at these times.
fn rig(settings: &[(&str, Parameter)], clicks: &[(&str, &str)]) -> Rig {
    let mut rig = Rig::of(&[register]);
    rig.add("cells", "mission.iterator", settings);
    for (command, times) in clicks {
        let name = format!("at-{command}");
        rig.add(&name, "test.clicker", &[("times", text(times))]);
        rig.link(&format!("{name}.click"), &format!("cells.{command}"));
    }
    rig
}

fn numbers(run: &Run) -> Vec<u32> {
    run.samples::<Cell>("cells.go").iter().map(|(_, cell)| cell.number).collect()
}

fn times(run: &Run, output: &str) -> Vec<f64> {
    run.samples::<u32>(output).iter().map(|(time, _)| time.as_secs_f64()).collect()
}

const THREE: &str = "north, east, height\n0, 10, 120\n0, 20, 130\n0, 30, 140\n";
const OUTPUTS: [&str; 4] = ["cells.yes_next", "cells.no_next", "cells.go", "cells.left"];

#[test]
fn each_question_gives_the_next_cell_until_none_is_left_and_reset_puts_all_back() {
    let files = Files::new();
    let settings = [("cells", text(&files.write("cells.csv", THREE))), ("order", text("as-given"))];
    let clicks = [("has_next", "1 3 5 7 10"), ("go_next", "2 4 6 11"), ("reset", "9")];
    let run = rig(&settings, &clicks).run(seconds(20.0), &OUTPUTS);
    assert_eq!(numbers(&run), [1, 2, 3, 1]);
    assert_eq!(times(&run, "cells.yes_next"), [1.0, 3.0, 5.0, 10.0]);
    assert_eq!(times(&run, "cells.no_next"), [7.0]);
    let cell = run.samples::<Cell>("cells.go")[1].1;
    assert_eq!(cell, Cell { number: 2, north: 0.0, east: 20.0, height: 130.0 });
}

#[test]
fn removing_can_be_a_command_of_its_own() {
    let files = Files::new();
    let settings = [
        ("cells", text(&files.write("cells.csv", THREE))),
        ("order", text("as-given")),
        ("has_next_removes", Parameter::Bool(false)),
    ];
    let clicks = [("has_next", "1 2 5 8"), ("remove_next", "3 6 7"), ("go_next", "4 4.5 7.5")];
    let run = rig(&settings, &clicks).run(seconds(20.0), &OUTPUTS);
    assert_eq!(numbers(&run), [1, 1, 3]);
    assert_eq!(times(&run, "cells.yes_next"), [1.0, 2.0, 5.0]);
    assert_eq!(times(&run, "cells.no_next"), [8.0]);
}

#[test]
fn to_go_without_a_current_cell_is_a_fault() {
    let files = Files::new();
    let settings = [("cells", text(&files.write("cells.csv", THREE)))];
    assert_eq!(
        rig(&settings, &[("go_next", "1")]).failure(seconds(2.0)),
        "\"cells\" failed at 1 s: \"go_next\" came, but no cell is current; \"has_next\" makes one current"
    );
}

#[test]
fn an_area_is_cut_into_cells_and_those_in_a_zone_are_left_out() {
    let files = Files::new();
    let area = files.write("area.csv", "north, east\n0, 0\n200, 0\n200, 150\n0, 150\n");
    let zones =
        files.write("zones.csv", "zone, north, east\n1, 60, 60\n1, 60, 90\n1, 90, 90\n1, 90, 60\n");
    let asks: Vec<String> = (1..=12).map(|n| format!("{n}")).collect();
    let goes: Vec<String> = (1..=12).map(|n| format!("{n}.5")).collect();
    let clicks = [("has_next", asks.join(" ")), ("go_next", goes.join(" "))];
    let clicks: Vec<(&str, &str)> = clicks.iter().map(|(a, b)| (*a, b.as_str())).collect();
    let run = rig(&[("area", text(&area))], &clicks).run(seconds(20.0), &OUTPUTS);
    assert_eq!(numbers(&run), [1, 2, 3, 4, 8, 7, 6, 5, 9, 10, 11, 12]);
    let settings = [("area", text(&area)), ("no_fly_zones", text(&zones))];
    let eleven = [("has_next", clicks[0].1), ("go_next", &clicks[1].1[..clicks[1].1.len() - 5])];
    let run = rig(&settings, &eleven).run(seconds(20.0), &OUTPUTS);
    assert_eq!(numbers(&run), [1, 2, 3, 4, 8, 7, 5, 9, 10, 11, 12]);
}

#[test]
fn wrong_files_are_refused_with_their_line() {
    let files = Files::new();
    let square = files.write("square.csv", "north, east\n0, 0\n100, 0\n100, 100\n0, 100\n");
    let cases: &[(&str, &str, &str)] = &[
        (
            "cells",
            "north, east\n0, 0\n0, x\n",
            "bad.csv, line 3, column 2 (east): \"x\" is not a finite number; expected east in m",
        ),
        (
            "cells",
            "north, east\n0, 0\n5, 0\n0, 0\n",
            "bad.csv, line 4: the same place as on line 2",
        ),
        ("cells", "north, east\n", "bad.csv: it has no cells; a mission needs at least one"),
        (
            "cells",
            "x, y\n0, 0\n",
            "bad.csv, line 1 (header): there is no column \"north\", which is needed, in m",
        ),
        (
            "area",
            "north, east\n0, 0\n5, 0\n",
            "bad.csv, line 3: 2 corners; a polygon has at least three",
        ),
        ("area", "north, east\n", "bad.csv: it has no corners; an area has at least three"),
        (
            "area",
            "north, east\n0, 0\n9, 9\n9, 0\n0, 9\n",
            "bad.csv, line 4: the edge that begins here meets the one that begins on line 2; a polygon does not cross itself",
        ),
        (
            "area",
            "north, east\n0, 0\n9, 0\n9, 0\n0, 9\n",
            "bad.csv, line 4: the same corner as the one before; it is closed without saying so",
        ),
        (
            "area",
            "north, east\n0, 0\n9, 0\n9, 1\n",
            "bad.csv: no cell of 50 m has its middle in this area",
        ),
        (
            "no_fly_zones",
            "north, east\n0, 0\n9, 0\n9, 1\n",
            "bad.csv, line 1 (header): there is no column \"zone\", the number of the zone to which a corner belongs",
        ),
        (
            "no_fly_zones",
            "zone, north, east\n1, 0, 0\n1, 9, 0\n1, 9, 1\n2, 0, 0\n2, 9, 0\n2, 9, 1\n1, 5, 5\n",
            "bad.csv, line 8, column 1 (zone): zone 1 began on line 2 and had ended",
        ),
        ("no_fly_zones", "zone, north, east\n", "bad.csv: it has no zones; leave the file away"),
        (
            "no_fly_zones",
            "zone, north, east\n1, -1, -1\n1, 500, -1\n1, 500, 500\n1, -1, 500\n",
            "bad.csv: every cell lies in one of these zones; a mission needs at least one",
        ),
    ];
    for (parameter, content, expected) in cases {
        let mut settings = vec![(*parameter, text(&files.write("bad.csv", content)))];
        if *parameter == "no_fly_zones" {
            settings.push(("area", text(&square)));
        }
        assert_eq!(files.refusal(&settings), *expected, "{content}");
    }
    assert_eq!(
        files.refusal(&[]),
        "it needs \"cells\", a file of cells, or an \"area\" to cut into cells"
    );
    let both = [("cells", text(&square)), ("area", text(&square))];
    assert_eq!(files.refusal(&both), "it has \"cells\" and an \"area\"; give one of the two");
}

#[test]
fn an_iterator_goes_on_after_a_checkpoint() {
    let files = Files::new();
    let settings = [("cells", text(&files.write("cells.csv", THREE)))];
    let clicks = [("has_next", "1 3 5"), ("go_next", "2 4 6")];
    let graph = || rig(&settings, &clicks).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(3.5), seconds(7.0));
}
