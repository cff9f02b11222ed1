//! A machine from a file: what it does with events, and that all files say the same.

use ironbird_control::mission::StateEntered;
use ironbird_test_rig::{Rig, Run, assert_goes_on_after_a_checkpoint, seconds, text};

use crate::stub::{mission, register};

/// The states that were entered, in order.
fn trace(run: &Run) -> Vec<String> {
    let entered = run.samples::<StateEntered>("mission.entered");
    let names = entered.iter().map(|(_, entered)| entered.name.to_vec());
    names.map(|name| String::from_utf8(name).expect("a name")).collect()
}

fn times(run: &Run, output: &str) -> Vec<f64> {
    run.samples::<u32>(output).iter().map(|(time, _)| time.as_secs_f64()).collect()
}

/// A controller whose events are clicked at these times.
fn rig(machine: &str, controllable: &str, clicks: &[(&str, &str)]) -> Rig {
    let mut rig = Rig::of(&[register]);
    let mut settings = vec![("machine", text(machine))];
    if !controllable.is_empty() {
        settings.push(("controllable", text(controllable)));
    }
    rig.add("mission", "mission.controller", &settings);
    for (event, times) in clicks {
        let name = format!("at-{event}");
        rig.add(&name, "test.clicker", &[("times", text(times))]);
        rig.link(&format!("{name}.click"), &format!("mission.{event}"));
    }
    rig
}

const OUTPUTS: [&str; 4] =
    ["mission.entered", "mission.has_next", "mission.go_next", "mission.rtl"];

#[test]
fn the_covering_controller_goes_where_it_is_told_that_there_is_a_cell() {
    let clicks = [("yes_next", "1 3"), ("arrived", "2 4"), ("no_next", "5")];
    let run = rig(&mission("cover.toml"), "", &clicks).run(seconds(10.0), &OUTPUTS);
    let expected = [
        "ask",
        "asked",
        "go",
        "going",
        "ask",
        "asked",
        "go",
        "going",
        "ask",
        "asked",
        "return",
        "returning",
    ];
    assert_eq!(trace(&run), expected);
    assert_eq!(times(&run, "mission.has_next"), [0.0, 2.0, 4.0]);
    assert_eq!(times(&run, "mission.go_next"), [1.0, 3.0]);
    assert_eq!(times(&run, "mission.rtl"), [5.0]);
    let counts: Vec<u32> =
        run.samples::<u32>("mission.has_next").into_iter().map(|(_, count)| count).collect();
    assert_eq!(counts, [1, 2, 3]);
}

#[test]
fn a_low_battery_sends_it_home_from_any_state_and_nothing_after_it_counts() {
    let clicks = [("yes_next", "1"), ("low_bat", "1.5 6"), ("arrived", "2")];
    let run = rig(&mission("cover.toml"), "", &clicks).run(seconds(10.0), &OUTPUTS);
    assert_eq!(trace(&run), ["ask", "asked", "go", "going", "return", "returning"]);
    assert_eq!(times(&run, "mission.rtl"), [1.5]);
    let clicks = [("low_bat", "0")];
    let run = rig(&mission("cover.toml"), "", &clicks).run(seconds(1.0), &OUTPUTS);
    assert_eq!(trace(&run), ["ask", "asked", "return", "returning"]);
}

#[test]
fn events_of_one_instant_are_handled_in_the_order_of_the_file() {
    let clicks = [("yes_next", "1"), ("arrived", "2"), ("low_bat", "2")];
    let run = rig(&mission("cover.toml"), "", &clicks).run(seconds(3.0), &OUTPUTS);
    // low.bat is named first.
    assert_eq!(trace(&run)[3..], ["going", "return", "returning"]);
}

#[test]
fn the_state_is_a_number_whose_meaning_stands_in_its_description() {
    let run =
        rig(&mission("cover.toml"), "", &[("yes_next", "1")]).run(seconds(2.0), &["mission.state"]);
    let states: Vec<u32> = run.samples::<u32>("mission.state").iter().map(|(_, n)| *n).collect();
    // What is left at the end of an instant: asked, then going.
    assert_eq!(states.last(), Some(&3));
}

#[test]
fn an_event_that_cannot_come_ends_the_run_or_is_ignored() {
    let clicks = [("arrived", "1")];
    assert_eq!(
        rig(&mission("cover.toml"), "", &clicks).failure(seconds(2.0)),
        "\"mission\" failed at 1 s: the event \"arrived\" came in state \"asked\", where the file of the \
         machine says that it cannot; handle it there, or set unexpected = \"ignore\""
    );
    let mut rig = Rig::of(&[register]);
    let settings = [("machine", text(&mission("cover.toml"))), ("unexpected", text("ignore"))];
    rig.add("mission", "mission.controller", &settings);
    rig.add("clicker", "test.clicker", &[("times", text("1"))]);
    rig.link("clicker.click", "mission.arrived");
    assert_eq!(trace(&rig.run(seconds(2.0), &OUTPUTS)), ["ask", "asked"]);
}

#[test]
fn patrol_begins_again_find_stays_and_search_turns_into_cover() {
    let clicks = [("no_next", "1"), ("yes_next", "2"), ("arrived", "3"), ("low_bat", "4")];
    let run = rig(&mission("patrol.toml"), "", &clicks).run(seconds(9.0), &OUTPUTS);
    assert_eq!(trace(&run)[..5], ["ask", "asked", "again", "ask", "asked"]);
    assert_eq!(trace(&run)[9..], ["return", "returning"]);

    let clicks = [("yes_next", "1"), ("found", "2 3"), ("arrived", "4"), ("low_bat", "5")];
    let run = rig(&mission("find.toml"), "", &clicks).run(seconds(9.0), &OUTPUTS);
    assert_eq!(trace(&run)[4..], ["stay", "staying", "return", "returning"]);

    let clicks = [
        ("search_yes_next", "1"),
        ("found", "2"),
        ("arrived", "3 5"),
        ("cover_yes_next", "4"),
        ("cover_no_next", "6"),
    ];
    let machine = mission("search-and-cover.toml");
    let run = rig(&machine, "", &clicks).run(seconds(9.0), &["mission.entered"]);
    let expected = [
        "ask to search",
        "asked to search",
        "go to search",
        "searching",
        "ask to cover",
        "asked to cover",
        "go to cover",
        "covering",
        "ask to cover",
        "asked to cover",
        "return",
        "returning",
    ];
    assert_eq!(trace(&run), expected);
}

#[test]
fn files_of_synthesis_tools_say_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("it can be written");
        file.to_string_lossy().into_owned()
    };
    let aut = write(
        "cover.aut",
        "des (0, 9, 6)\n(0, \"has.next\", 1)\n(1,yes.next,2)\n( 1, \"no.next\", 4 )\n\
         (1, \"low.bat\", 4)\n(2, \"go.next\", 3)\n(2, \"low.bat\", 4)\n(3, \"arrived\", 0)\n\
         (3, \"low.bat\", 4)\n(4, \"rtl\", 5)\n",
    );
    let fsp = write(
        "cover.lts",
        "Process:\n\tC\nStates:\n\t6\nTransitions:\n\tC = Q0,\n\tQ0\t= (has.next -> Q1),\n\
         \tQ1\t= ({no.next, low.bat} -> Q4\n\t\t  |yes.next -> Q2),\n\
         \tQ2\t= (go.next -> Q3\n\t\t  |low.bat -> Q4),\n\tQ3\t= (arrived -> Q0\n\t\t  |low.bat -> Q4),\n\
         \tQ4\t= (rtl -> STOP).\n",
    );
    let clicks = [("yes_next", "1"), ("arrived", "2"), ("low_bat", "3")];
    let cases: [(&str, &str, &[&str]); 2] = [
        (&aut, "has.next, go.next, rtl", &["0", "1", "2", "3", "0", "1", "4", "5"]),
        (&fsp, "has.next, go.next, rtl", &["Q0", "Q1", "Q2", "Q3", "Q0", "Q1", "Q4", "STOP"]),
    ];
    for (machine, controllable, expected) in cases {
        let run = rig(machine, controllable, &clicks).run(seconds(9.0), &OUTPUTS);
        assert_eq!(trace(&run), expected);
        assert_eq!(times(&run, "mission.rtl"), [3.0]);
    }
}

#[test]
fn a_controller_goes_on_after_a_checkpoint() {
    let clicks = [("yes_next", "1 3"), ("arrived", "2 4"), ("no_next", "5")];
    let graph = || rig(&mission("cover.toml"), "", &clicks).into_graph();
    assert_goes_on_after_a_checkpoint(graph, seconds(2.5), seconds(6.0));
}
