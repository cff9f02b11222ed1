//! Nothing of a program outlives a run, whatever ends it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use ironbird_kernel::{Options, Simulation};
use ironbird_test_rig::{seconds, text};

use crate::programs::{Compiled, compile, rig};

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

/// The host of the tests below, in a process of its own: it runs until it is killed, or to the time that it is told.
#[test]
fn host_that_is_killed() {
    let variable = |name: &str| std::env::var(format!("KILLED_{name}"));
    let (Ok(program), Ok(notes), Ok(until)) =
        (variable("PROGRAM"), variable("NOTES"), variable("UNTIL"))
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
    rig.run(seconds(until.parse().expect("a number")), &[]);
}

/// Starts such a host, with a folder of its own for temporary files.
fn host(program: &Compiled, folder: &Path, until: &str) -> Child {
    let mut host = Command::new(std::env::current_exe().expect("this test"));
    host.args(["--exact", "cleanup::host_that_is_killed"]).stdout(Stdio::null());
    host.env("KILLED_PROGRAM", program.path()).env("KILLED_NOTES", folder.join("notes"));
    host.env("KILLED_UNTIL", until).env("TMPDIR", folder);
    host.spawn().expect("it starts")
}

#[test]
fn a_host_that_is_killed_leaves_nothing() {
    let Some(program) = compile(WRITER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    let mut host = host(&program, folder.path(), "1e6");
    assert!(waits_for(|| noted(&notes).is_some()), "the program has begun");
    let (process, working) = noted(&notes).expect("it has written them");
    assert!(lives(&process) && working.exists());
    host.kill().expect("it runs");
    host.wait().expect("it has ended");
    assert!(waits_for(|| !lives(&process) && !working.exists()), "nothing is left");
}

/// The shell that watches over the program of a host.
fn guard(host: u32) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().into_string().ok());
    numbers.into_iter().find(|number| {
        let read = |file: &str| std::fs::read_to_string(format!("/proc/{number}/{file}"));
        let is_its_child =
            read("status").is_ok_and(|text| text.contains(&format!("\nPPid:\t{host}\n")));
        is_its_child && read("cmdline").is_ok_and(|words| words.contains("ironbird-guard"))
    })
}

#[test]
fn what_a_host_leaves_that_is_killed_with_its_guard_goes_with_the_next_run() {
    let Some(program) = compile(WRITER) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    let left = || {
        let entries = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with("ironbird-native-")).collect::<Vec<_>>()
    };
    let mut host_that_goes_on = host(&program, folder.path(), "1e6");
    assert!(waits_for(|| noted(&notes).is_some()), "the program has begun");
    std::fs::remove_file(&notes).expect("it is there");
    let mut killed = host(&program, folder.path(), "1e6");
    assert!(waits_for(|| noted(&notes).is_some()), "the second has begun");
    let (process, _) = noted(&notes).expect("it has written them");
    let guard = guard(killed.id()).expect("it has a guard");
    assert!(Command::new("kill").args(["-KILL", &guard]).status().expect("kill").success());
    killed.kill().expect("it runs");
    killed.wait().expect("it has ended");
    assert!(waits_for(|| !lives(&process)), "the program ends with its host");
    assert_eq!(left().len(), 2, "nobody has removed it");
    assert!(host(&program, folder.path(), "0.01").wait().expect("it ends").success());
    assert_eq!(left().len(), 1, "that of the host that goes on");
    host_that_goes_on.kill().expect("it runs");
    host_that_goes_on.wait().expect("it has ended");
    assert!(waits_for(|| left().is_empty()), "its guard has removed it");
}

/// Takes hold of a process, as a debugger does, and of its end.
const DEBUGGER: &str = r#"
#include <sys/ptrace.h>
int main(int count, char **words) {
    puts(ptrace(PTRACE_SEIZE, atoi(words[1]), 0, 0) ? "refused" : "holds");
    fflush(stdout);
    for (;;) pause();
}
"#;

#[test]
fn a_program_that_a_debugger_holds_does_not_hold_the_run() {
    let (Some(program), Some(debugger)) = (compile(WRITER), compile(DEBUGGER)) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes");
    let environment = format!("NOTES={}", notes.display());
    let system = rig(&program, &[("environment", text(&environment))]).into_graph();
    let mut simulation = Simulation::new(system, Options::default()).expect("it starts");
    simulation.run_until(seconds(0.01)).expect("it runs");
    let (process, working) = noted(&notes).expect("it has written them");
    let mut debugger = Command::new(debugger.path());
    let mut debugger = debugger.arg(&process).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut said = String::new();
    let mut output = BufReader::new(debugger.stdout.take().expect("a pipe"));
    output.read_line(&mut said).expect("it says something");
    if said.trim() == "holds" {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            drop(simulation);
            tell.send(())
        });
        told.recv_timeout(Duration::from_secs(60)).expect("the run ends");
        assert!(lives(&process), "the debugger holds what is left of it");
        assert!(!working.exists());
    } else {
        println!("skipped: nobody may trace a process here");
    }
    debugger.kill().expect("it runs");
    debugger.wait().expect("it has ended");
}
