//! The board of `examples/physical` flies a quadrotor in another process, whoever simulates that.
#![cfg(unix)]

#[path = "../study/mod.rs"]
mod study;

use std::ffi::OsString;
use std::process::{Command, Stdio};

use study::{Ran, folder, open_study};

const OPTIONS: &str = ":latency=500000";

fn python() -> OsString {
    std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into())
}

/// Runs the board, whose world listens at `socket`.
fn board(socket: &str) -> Ran {
    let link = format!("devices.link=\"connect:{socket}{OPTIONS}\"");
    open_study("physical", "board", &[&link]).run(0, 0)
}

/// From 8 s on, how far the altitude is from what is wanted at most.
fn off(ran: &Ran) -> f64 {
    let late = ran.samples("devices.altitude").into_iter().filter(|(time, _)| *time > 8.0);
    late.map(|(_, altitude)| (altitude[0] - 1.5).abs()).fold(0.0, f64::max)
}

/// The board in our world: how far it is off, and the hashes of both runs.
fn in_our_world() -> (f64, [String; 2]) {
    let sockets = tempfile::tempdir().unwrap();
    let socket = sockets.path().join("quad").display().to_string();
    let link = format!("quad.link=\"listen:{socket}:{OPTIONS}\"");
    std::thread::scope(|threads| {
        let world = threads.spawn(move || open_study("physical", "world", &[&link]).run(0, 0));
        let board = board(&socket);
        let world = world.join().unwrap();
        board.holds();
        world.holds();
        (off(&board), [board.outcomes.hash.clone(), world.outcomes.hash.clone()])
    })
}

#[test]
fn the_board_flies_in_our_world_and_does_so_twice_alike() {
    let (off, hashes) = in_our_world();
    assert!(off < 0.01, "{off} m");
    assert_eq!(in_our_world(), (off, hashes));
}

#[test]
fn the_same_board_flies_in_mujoco() {
    let found = Command::new(python()).args(["-c", "import mujoco"]).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("skipped: {:?} has no package mujoco; ./test prepares one", python());
        return;
    }
    let sockets = tempfile::tempdir().unwrap();
    let socket = sockets.path().join("quad").display().to_string();
    let mut command = Command::new(python());
    command.arg("-B").arg(folder("physical").join("mujoco_world.py"));
    let world = command.arg(format!("listen:{socket}:{OPTIONS}")).spawn().unwrap();
    let board = board(&socket);
    let output = world.wait_with_output().unwrap();
    assert!(output.status.success(), "it ends with the board");
    board.holds();
    assert!(off(&board) < 0.01, "{} m", off(&board));
}
