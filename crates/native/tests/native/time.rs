//! What a program sees of time.

use ironbird_kernel::{Parameter, Time};
use ironbird_test_rig::{real, seconds};

use crate::programs::{compile, run};

const SLEEPER: &str = r#"
int main(void) {
    for (int i = 1; i <= 3; i++) {
        pause_us(10000);
        say("%d at %llu", i, (unsigned long long)now_us());
    }
    for (;;) pause_us(1000000);
}
"#;

#[test]
fn a_program_sleeps_in_simulated_time() {
    let Some(program) = compile(SLEEPER) else { return };
    let free = [("clock_read", real(0.0)), ("call", real(0.0))];
    let said = run(&program, &free, seconds(2.0));
    let at = |ms: u64| Time::from_ps(ms * 1_000_000_000);
    let expected = [
        (at(10), "1 at 1010000".to_owned()),
        (at(20), "2 at 1020000".to_owned()),
        (at(30), "3 at 1030000".to_owned()),
    ];
    assert_eq!(said, expected, "its monotonic clock begins with 1 s");
}

#[test]
fn calls_take_the_time_that_is_charged() {
    let Some(program) = compile(SLEEPER) else { return };
    let slow = [("clock_read", real(1e6)), ("call", real(0.0))];
    let said = run(&program, &slow, seconds(1.0));
    let at = |us: u64| Time::from_ps(us * 1_000_000);
    let times: Vec<Time> = said.iter().map(|(time, _)| *time).collect();
    assert_eq!(times, [at(11_000), at(22_000), at(33_000)], "each reading takes 1 ms");
}

#[test]
fn a_program_that_waits_for_the_clock_goes_on() {
    let source = r#"
int main(void) {
    uint64_t end = now_us() + 5000;
    while (now_us() < end) {}
    say("done");
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let said = run(&program, &[], seconds(0.5));
    assert_eq!(said.len(), 1);
    let late = said[0].0.as_secs_f64() - 0.005;
    assert!((0.0..1e-5).contains(&late), "{late}");
}

#[test]
fn the_wall_clock_begins_as_the_experiment_says() {
    let source = r#"
int main(void) {
    say("%lld", (long long)time(NULL));
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let said = run(&program, &[("epoch", real(1_234_567_890.0))], seconds(0.5));
    assert_eq!(said[0].1, "1234567890");
}

#[test]
fn counters_are_shown() {
    let Some(program) = compile(SLEEPER) else { return };
    let rig = crate::programs::rig(&program, &[]);
    let run = rig.run(seconds(0.45), &["computer.calls", "computer.clock_reads"]);
    let reads: Vec<u64> = run.samples("computer.clock_reads").into_iter().map(|(_, n)| n).collect();
    assert_eq!(reads.last(), Some(&3));
    let calls: Vec<u64> = run.samples("computer.calls").into_iter().map(|(_, n)| n).collect();
    assert!(calls.last().is_some_and(|calls| *calls >= 7), "{calls:?}");
}

#[test]
fn a_file_and_a_variable_are_there() {
    let source = r#"
int main(void) {
    char text[64] = {0};
    FILE *file = fopen("settings.txt", "r");
    if (!file || !fgets(text, sizeof text, file)) return 1;
    say("%s %s %s", text, getenv("WHO"), getenv("SECRET") ? "too much" : "clean");
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("settings.txt");
    std::fs::write(&file, "gain=1").expect("a file");
    let text = |text: &str| Parameter::Text(text.into());
    let settings =
        [("files", text(file.to_str().expect("a name"))), ("environment", text("WHO=me"))];
    let said = run(&program, &settings, seconds(0.5));
    assert_eq!(said[0].1, "gain=1 me clean");
}
