//! How a program is started, and as whom.

use ironbird_test_rig::{seconds, text};

use ironbird_native::Datagram;

use crate::programs::{compile, rig, run};

#[test]
fn arguments_come_after_those_of_the_command() {
    let source = r#"
int main(int count, char *arguments[]) {
    for (int i = 1; i < count; i++) say("%s", arguments[i]);
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let command = format!("{} --own", program.path().display());
    let settings = [("command", text(&command)), ("arguments", text("--port '/dev/tty S0'"))];
    let said = run(&program, &settings, seconds(0.1));
    let words: Vec<&str> = said.iter().map(|(_, word)| word.as_str()).collect();
    assert_eq!(words, ["--own", "--port", "/dev/tty S0"]);
}

#[test]
fn a_program_finds_itself_by_its_own_name_wherever_it_starts() {
    let source = r#"
int main(int count, char *arguments[]) {
    say("%d %d", arguments[0][0] == '/', access(arguments[0], X_OK));
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let here = std::env::current_dir().expect("a folder");
    let up = "../".repeat(here.components().count());
    let command = format!("{up}{}", program.path().display());
    let said = run(&program, &[("command", text(&command))], seconds(0.1));
    assert_eq!(said[0].1, "1 0");
}

#[test]
fn a_program_has_all_rights_whoever_runs_it() {
    let source = r#"
int main(void) {
    struct sched_param priority = {.sched_priority = 12};
    say("%u %u %d", geteuid(), getuid(), sched_setscheduler(0, SCHED_FIFO, &priority));
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    assert_eq!(run(&program, &[], seconds(0.1))[0].1, "0 0 0");
}

#[test]
fn two_programs_of_one_kind_have_their_temporary_files_apart() {
    let source = r#"
int main(void) {
    const char *folder = getenv("TMPDIR");
    char path[600];
    snprintf(path, sizeof path, "%s/simulator.lock", folder ? folder : "/tmp");
    say("%s", open(path, O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 ? "taken" : "free");
    pause_us(100000);
    unlink(path);
    for (;;) pause_us(1000000);
}
"#;
    let Some(program) = compile(source) else { return };
    let mut two = rig(&program, &[]);
    let settings = [("command", program.command()), ("sockets", text("udp remote 9000 = udp[0]"))];
    two.add("other", "host.native", &settings);
    let said = two.run(seconds(0.05), &["computer.udp[0].sent", "other.udp[0].sent"]);
    for name in ["computer.udp[0].sent", "other.udp[0].sent"] {
        let words = said.samples::<Datagram>(name);
        assert_eq!(words[0].1.bytes.to_vec(), b"free", "{name}");
    }
}
