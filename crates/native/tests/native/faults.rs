//! Programs that go wrong: what the run says, and that it goes on where it should.

use std::fs::DirEntry;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use ironbird_kernel::{Options, Outcome, Simulation};
use ironbird_test_rig::{real, seconds, text};

use crate::programs::{compile, compile_with, rig, words};

fn failure(source: &str, settings: &[(&str, ironbird_kernel::Parameter)]) -> Option<String> {
    let program = compile(source)?;
    Some(rig(&program, settings).failure(seconds(10.0)))
}

#[track_caller]
fn assert_holds(failure: &str, parts: &[&str]) {
    for part in parts {
        assert!(failure.contains(part), "\"{part}\" is missing in: {failure}");
    }
}

#[test]
fn a_program_that_ends_early_ends_the_run() {
    let source = r#"
int main(void) {
    pause_us(2000);
    puts("no sensor found");
    return 3;
}
"#;
    let Some(failure) = failure(source, &[]) else { return };
    assert_holds(
        &failure,
        &["ended by itself, with status 3", "go-on", "no sensor found", "computer"],
    );
}

#[test]
fn a_program_that_crashes_is_told_with_thread_and_function() {
    let source = r#"
__attribute__((noinline)) void read_sensor(volatile int *at) { *at = 1; }
static void *work(void *nothing) {
    pthread_setname_np(pthread_self(), "gyro");
    pause_us(1000);
    read_sensor(NULL);
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (;;) pause_us(1000000);
}
"#;
    let Some(failure) = failure(source, &[]) else { return };
    assert_holds(&failure, &["SIGSEGV", "\"gyro\""]);
}

#[test]
fn a_program_that_spins_without_a_call_is_found_and_its_thread_is_named() {
    let source = r#"
static volatile int flag;
static void *work(void *nothing) {
    pthread_setname_np(pthread_self(), "spinner");
    pause_us(1000);
    while (!flag) {}
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (int i = 0; i < 10; i++) pause_us(300);
    flag = 1;
    for (;;) pause_us(1000000);
}
"#;
    let Some(failure) = failure(source, &[("watchdog", real(0.5))]) else { return };
    assert_holds(&failure, &["\"spinner\"", "computed for 0.5 s", "(\"watchdog\")"]);
}

/// Stops a program for a while, once it runs; whether it was found.
fn stop_for(span: Duration, program: &Path) -> bool {
    let begun = Instant::now();
    let is_it = |entry: &DirEntry| {
        std::fs::read_link(entry.path().join("exe")).is_ok_and(|file| file == program)
    };
    while begun.elapsed() < Duration::from_secs(60) {
        let mut processes = std::fs::read_dir("/proc").expect("processes").flatten();
        let Some(found) = processes.find(is_it) else { continue };
        let id = found.file_name();
        let signal = |signal: &str| Command::new("kill").arg(signal).arg(&id).status();
        assert!(signal("-STOP").expect("kill starts").success());
        std::thread::sleep(span);
        return signal("-CONT").expect("kill starts").success();
    }
    false
}

#[test]
fn time_in_which_a_program_is_stopped_does_not_count() {
    let source = r#"
int main(void) {
    for (;;) {
        for (volatile int i = 0; i < 30000; i++) {}
        pause_us(100);
    }
}
"#;
    for transport in ["memory", "socket"] {
        let Some(program) = compile(source) else { return };
        let path = program.path().canonicalize().expect("a file");
        let stopped = std::thread::spawn(move || stop_for(Duration::from_secs(5), &path));
        let settings = [("watchdog", real(1.0)), ("transport", text(transport))];
        let run = rig(&program, &settings).run(seconds(4.0), &["computer.faults"]);
        assert!(matches!(run.outcome, Outcome::Reached(_)), "{transport}: {:?}", run.outcome);
        assert!(stopped.join().expect("no panic"), "{transport}: it ran too short");
    }
}

#[test]
fn the_run_goes_on_without_the_program_where_it_should() {
    let source = r#"
int main(void) {
    say("alive");
    pause_us(1000);
    return 1;
}
"#;
    let Some(program) = compile(source) else { return };
    let rig = rig(&program, &[("on_fault", text("go-on"))]);
    let run = rig.run(seconds(0.5), &["computer.udp[0].sent", "computer.faults"]);
    assert!(matches!(run.outcome, Outcome::Reached(_)), "{:?}", run.outcome);
    assert_eq!(words(&run).len(), 1);
    let faults: Vec<u32> = run.samples("computer.faults").into_iter().map(|(_, n)| n).collect();
    assert_eq!(faults.last(), Some(&1));
}

#[test]
fn a_path_that_leads_nowhere_cannot_be_opened() {
    let source = r#"
int main(void) {
    int bus = open("/dev/spidev7.0", O_RDWR);
    if (bus >= 0) { puts("opened"); return 0; }
    printf("no bus: %s\n", strerror(errno));
    return 2;
}
"#;
    let Some(failure) = failure(source, &[("devices", text("/dev/spidev0.0 = spi[0] chip 0"))])
    else {
        return;
    };
    assert_holds(&failure, &["with status 2", "no bus: No such"]);
}

#[test]
fn a_preload_library_that_is_not_loaded_is_missed() {
    // A loader of its own, which loads nothing: it ends at once.
    let loader = r#"void _start(void) { __asm__("mov $60, %eax; mov $7, %edi; syscall"); }"#;
    let Some(loader) = compile_with(loader, &["-static", "-nostdlib", "-ffreestanding"]) else {
        return;
    };
    let option = format!("-Wl,--dynamic-linker={}", loader.path().display());
    let Some(program) = compile_with("int main(void) { return 0; }", &[&option]) else { return };
    let graph = rig(&program, &[]).into_graph();
    let refused = Simulation::new(graph, Options::default()).err().expect("it does not begin");
    let failure = refused.to_string();
    assert_holds(
        &failure,
        &["the preload library was not loaded", "ended by itself, with status 7"],
    );
}

#[test]
fn a_deadlock_is_told_with_who_waits_for_whom() {
    let source = r#"
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *nothing) {
    pthread_setname_np(pthread_self(), "other");
    pthread_mutex_lock(&second);
    pause_us(1000);
    pthread_mutex_lock(&first);
    return nothing;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&first);
    pause_us(1000);
    pthread_mutex_lock(&second);
    return 0;
}
"#;
    let Some(failure) = failure(source, &[]) else { return };
    assert_holds(&failure, &["no thread of the program can ever go on", "other"]);
}

#[test]
fn a_checkpoint_says_who_cannot_be_saved() {
    let Some(program) = compile("int main(void) { for (;;) pause_us(1000); }") else { return };
    let graph = rig(&program, &[]).into_graph();
    let mut simulation = Simulation::new(graph, Options::default()).expect("it begins");
    simulation.run_until(seconds(0.01)).expect("it runs");
    let refused = simulation.checkpoint().expect_err("it cannot be saved").to_string();
    assert_holds(&refused, &["these components cannot save their state: computer"]);
}
