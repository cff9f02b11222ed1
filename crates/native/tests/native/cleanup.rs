//! Nothing of a program outlives a run, whatever ends it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ironbird_test_rig::{seconds, text};

use crate::programs::{compile, rig};

/// A program that writes down its process and its folder, and never ends.
const WRITER: &str = r#"
int main(void) {
    char folder[512];
    FILE *file = fopen(getenv("NOTES"), "w");
    fprintf(file, "%d\n%s\n", (int)getpid(), getcwd(folder, sizeof folder));
    fclose(file);
    for (;;) pause_us(1000);
}
"#;

/// The process and the folder that the program wrote down.
fn noted(notes: &Path) -> Option<(String, PathBuf)> {
    let text = std::fs::read_to_string(notes).ok()?;
    let mut lines = text.lines().map(str::to_owned);
    let noted = (lines.next()?, PathBuf::from(lines.next()?));
    text.ends_with('\n').then_some(noted)
}

fn waits_for(mut holds: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(20) {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

fn lives(process: &str) -> bool {
    Path::new("/proc").join(process).exists()
}

#[test]
fn a_run_that_ends_leaves_nothing() {
    let Some(program) = compile(WRITER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    let environment = format!("NOTES={}", notes.display());
    drop(rig(&program, &[("environment", text(&environment))]).run(seconds(0.1), &[]));
    let (process, working) = noted(&notes).expect("it has written them");
    assert!(!lives(&process) && !working.exists());
}

/// The host of the test below, in a process of its own: it runs until it is killed.
#[test]
fn host_that_is_killed() {
    let (Ok(program), Ok(notes)) = (std::env::var("KILLED_PROGRAM"), std::env::var("KILLED_NOTES"))
    else {
        return;
    };
    let mut rig = ironbird_test_rig::Rig::of(&[ironbird_native::register]);
    let environment = text(&format!("NOTES={notes}"));
    rig.add(
        "computer",
        "host.native",
        &[("command", text(&program)), ("environment", environment)],
    );
    rig.run(seconds(1e6), &[]);
}

#[test]
fn a_host_that_is_killed_leaves_nothing() {
    let Some(program) = compile(WRITER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    let mut host = Command::new(std::env::current_exe().expect("this test"));
    host.args(["--exact", "cleanup::host_that_is_killed"]).stdout(Stdio::null());
    host.env("KILLED_PROGRAM", program.path()).env("KILLED_NOTES", &notes);
    let mut host = host.spawn().expect("it starts");
    assert!(waits_for(|| noted(&notes).is_some()), "the program has begun");
    let (process, working) = noted(&notes).expect("it has written them");
    assert!(lives(&process) && working.exists());
    host.kill().expect("it runs");
    host.wait().expect("it has ended");
    assert!(waits_for(|| !lives(&process) && !working.exists()), "nothing is left");
}
