//! Helpers that run side by side reach the program in the order of their birth, however the machine schedules them.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Children, Setup};
use rig::load::Load;
use rig::{Nothing, Run, SECOND, WAYS, Wire, compile, setup, supported};
use std::path::Path;
use std::process::Command;

fn with_helpers(backend: Backend) -> Setup {
    Setup { children: Children::Helpers { patience_ms: 30_000 }, ..setup(backend) }
}

/// What the server of `side_by_side.c` prints when it accepts in a certain way and runs a script.
fn printed(program: &Path, way: &str, script: &str, backend: Backend, wire: Wire) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("script.sh"), script).expect("the script");
    for name in ["say", "tell", "later"] {
        std::os::unix::fs::symlink(program, folder.path().join(name)).expect("a link");
    }
    let setup =
        Setup { folder: folder.path().to_string_lossy().into_owned(), ..with_helpers(backend) };
    let mut command = Command::new(program);
    command.arg(way);
    let outcome = Run::start(command, &setup, wire).play(60 * SECOND, &mut Nothing);
    assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    assert_eq!(outcome.complaints, "");
    outcome.printed
}

const ACCEPTED_BY: [&str; 3] = ["block", "poll", "edges"];

/// Runs a script that does something once a round, on an idle machine and on a busy one. In each round the server hears
/// the same words in the same order.
fn are_heard(rounds: usize, commands: &str, words: &[&str]) {
    if !supported() {
        return;
    }
    let program = compile("side_by_side.c");
    let script = format!("i=0; while [ $i -lt {rounds} ]; do\n{commands}\ni=$((i + 1)); done");
    let round = |i: usize| words.iter().map(move |word| format!("{word}{i} 0.000\n"));
    let expected: String = (0..rounds).flat_map(round).collect();
    let expected = expected + "script ended with 0 at 0.000\n";
    for (place, way) in ACCEPTED_BY.into_iter().enumerate() {
        let _load = (place == 1).then(Load::new);
        let (backend, wire) = WAYS[place];
        let printed = printed(&program, way, &script, backend, wire);
        let differ = printed.lines().zip(expected.lines()).filter(|(a, b)| a != b).count();
        assert!(printed == expected, "accepted by {way}, {differ} lines differ:\n{printed}");
    }
}

#[test]
fn a_command_in_the_background_is_heard_before_the_one_after_it() {
    are_heard(100, "say a$i & say b$i", &["a", "b"]);
}

#[test]
fn what_an_older_command_starts_is_heard_before_a_younger_command() {
    are_heard(100, "(say a$i; true) & say b$i", &["a", "b"]);
}

#[test]
fn connections_of_one_command_are_heard_in_the_order_of_their_making() {
    are_heard(40, "say a$i b$i c$i & say d$i e$i", &["a", "b", "c", "d", "e"]);
}

#[test]
fn commands_that_have_ended_are_heard_in_the_order_of_their_birth() {
    are_heard(100, "tell a$i & tell b$i & tell c$i & wait", &["a", "b", "c"]);
}

#[test]
fn more_commands_than_the_socket_has_room_for_are_heard_in_the_order_of_their_birth() {
    are_heard(
        30,
        "for word in a b c d e f; do say $word$i & done; wait",
        &["a", "b", "c", "d", "e", "f"],
    );
}

/// A script that ends before its command in the background, as PX4's does before `ekf2 start &`.
const OUTLIVED: &str = "later wait & say other\n(say third &); say fourth\n";

#[test]
fn a_command_that_outlives_its_script_is_answered_when_the_program_pleases() {
    if !supported() {
        return;
    }
    let program = compile("side_by_side.c");
    // The third is no longer the script's, so it is younger than all that are.
    let expected = "\
wait 0.000
other 0.000
fourth 0.000
third 0.000
script ended with 0 at 0.000
wait 10.000
";
    for round in 0..5 {
        let _load = (round % 2 == 1).then(Load::new);
        for (way, (backend, wire)) in ACCEPTED_BY.into_iter().cycle().zip(WAYS) {
            assert_eq!(printed(&program, way, OUTLIVED, backend, wire), expected, "by {way}");
        }
    }
}

#[test]
fn a_socket_that_is_closed_lets_those_go_who_wait_to_be_accepted() {
    if !supported() {
        return;
    }
    let program = compile("side_by_side.c");
    for (backend, wire) in WAYS {
        let printed = printed(&program, "close", "say a & say b 2> /dev/null", backend, wire);
        assert_eq!(printed, format!("a 0.000\nscript ended with {} at 0.000\n", 99 << 8));
    }
}

#[test]
fn the_ends_of_two_children_are_heard_in_the_order_of_their_birth() {
    if !supported() {
        return;
    }
    let program = compile("side_by_side.c");
    for (backend, wire) in WAYS {
        let outcome = rig::run(&program, &["ends"], &with_helpers(backend), wire, &mut Nothing);
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    }
}
