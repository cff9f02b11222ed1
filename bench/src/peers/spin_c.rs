//! The same protocol in plain C, which waits by spinning as SimBricks' own programs do: compiled when first needed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::ours_processes::{folder, star};
use crate::row::Side;

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/peers/simbricks_spin.c");

/// Why this peer cannot be measured here, and what to do about it.
pub fn missing() -> Option<String> {
    let found = Command::new("cc").arg("--version").output();
    let there = found.is_ok_and(|output| output.status.success());
    (!there).then(|| "there is no C compiler `cc`; install one, such as gcc".into())
}

fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let program = folder().join("spin");
        let status = Command::new("cc").args(["-O3", "-o"]).arg(&program).arg(SOURCE).status();
        assert!(status.is_ok_and(|status| status.success()), "{SOURCE} cannot be compiled");
        program
    })
}

/// Steps of so many processes in C: one in the middle, all others joined to it.
pub fn spinning(count: usize) -> Side {
    Box::new(move || star(count, || Command::new(program())))
}
