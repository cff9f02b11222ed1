//! Our side of the suite `native`: unmodified programs, the simulation inside their process, on one core.
//!
//! Each repetition is a process of its own: `ironbird run`, which lies beside this program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

use rustix::thread::{CpuSet, sched_setaffinity};
use serde_json::Value;

use crate::ours_processes::folder;
use crate::row::{Sample, Side};

const HERE: &str = env!("CARGO_MANIFEST_DIR");
/// Calls of the run that is taken away from the measured one: what is left of it is start and end.
const REST: u64 = 1_000;

/// `ironbird`, if it is built.
fn ironbird() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?.with_file_name("ironbird");
    own.is_file().then_some(own)
}

/// Why this cannot be measured here.
pub fn missing() -> Option<String> {
    let built = ironbird()
        .is_none()
        .then(|| "build `ironbird` beside this program: cargo build --release -p ironbird".into());
    built.or_else(crate::peers::spin_c::missing)
}

/// As [`missing`], and Betaflight.
pub fn missing_betaflight() -> Option<String> {
    missing().or_else(|| {
        betaflight().is_none().then(|| {
            "IRONBIRD_BETAFLIGHT does not name Betaflight's SITL program: ./test installs it".into()
        })
    })
}

fn betaflight() -> Option<String> {
    std::env::var("IRONBIRD_BETAFLIGHT").ok().filter(|path| Path::new(path).is_file())
}

/// The program that calls, compiled when it is first needed.
fn calls() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile("calls", &[PathBuf::from(HERE).join("native/calls.c")]))
}

fn compile(name: &str, sources: &[PathBuf]) -> PathBuf {
    let program = folder().join(name);
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-o"]).arg(&program).args(sources).args(["-pthread", "-lm"]);
    let status = compiler.status();
    assert!(status.is_ok_and(|status| status.success()), "{name} cannot be compiled");
    program
}

/// The user's build of ArduCopter, or else the stand-in of the tests, which has its threads, drivers and bus traffic.
fn arducopter() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let real = std::env::var("IRONBIRD_ARDUCOPTER").ok().map(PathBuf::from);
        real.filter(|path| path.is_file()).unwrap_or_else(|| {
            let folder = Path::new(HERE).join("../crates/ironbird/tests/native/copter");
            let files = std::fs::read_dir(&folder).expect("the stand-in is there");
            let mut sources: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
            sources.retain(|file| file.extension().is_some_and(|kind| kind == "c"));
            sources.sort();
            compile("copter", &sources)
        })
    })
}

/// On the first core, as are all processes that the work starts.
fn on_one_core<T>(work: impl FnOnce() -> T) -> T {
    let mut cores = CpuSet::new();
    cores.set(0);
    let before = rustix::thread::sched_getaffinity(None).expect("the cores are known");
    sched_setaffinity(None, &cores).expect("there is a first core");
    let done = work();
    sched_setaffinity(None, &before).expect("the cores were these");
    done
}

/// Runs an experiment; how long it simulated, and how long that took, in s.
fn run(file: &str, settings: &[String]) -> Sample {
    let ironbird = ironbird().expect("it was looked for");
    let mut command = Command::new(ironbird);
    command
        .args(["run", "--json", "--out"])
        .arg(folder().join("out"))
        .arg(Path::new(HERE).join(file));
    for setting in settings {
        command.args(["--set", setting]);
    }
    let output = on_one_core(|| command.stderr(Stdio::inherit()).output()).expect("it starts");
    let told: Value = serde_json::from_slice(&output.stdout).expect("it tells what came of it");
    let run = &told["runs"][0];
    assert_eq!(run["ending"], "finished", "{run}");
    let number = |key: &str| run[key].as_f64().expect("a number");
    Sample { work: number("end_ps") / 1e12, cost: number("wall_s") }
}

/// Simulated seconds of Betaflight in closed loop.
pub fn flight(transport: &'static str) -> Side {
    Box::new(move || {
        let program = betaflight().expect("it was looked for");
        fly("../examples/native/betaflight.toml", &program, transport)
    })
}

/// Simulated seconds of ArduCopter, or its stand-in, with its chips in closed loop.
pub fn mission() -> Side {
    Box::new(|| {
        let program = arducopter().display().to_string();
        fly("../examples/native/ardupilot.toml", &program, "in-process")
    })
}

fn fly(file: &str, program: &str, transport: &str) -> Sample {
    let settings =
        [format!("autopilot.command={program}"), format!("autopilot.transport={transport}")];
    run(file, &settings)
}

/// Calls of a kind by a program in virtual time: what they cost beside a program that does the rest only.
pub fn virtual_calls(kind: &'static str, times: u64) -> Side {
    Box::new(move || {
        let once = |times: u64| {
            let program = calls().display();
            run("native/calls.toml", &[format!("caller.command={program} {kind} {times} wait")])
                .cost
        };
        let (all, rest) = (once(times + REST), once(REST));
        Sample { work: times as f64, cost: (all - rest).max(0.0) }
    })
}

/// The same calls where the kernel answers them.
pub fn real_calls(kind: &'static str, times: u64) -> Side {
    Box::new(move || {
        let begin = Instant::now();
        let status =
            on_one_core(|| Command::new(calls()).args([kind, &times.to_string()]).status());
        assert!(status.is_ok_and(|status| status.success()), "it ends well");
        Sample { work: times as f64, cost: begin.elapsed().as_secs_f64() }
    })
}
