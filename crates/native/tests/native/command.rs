//! How a program is started, and as whom.

use ironbird_test_rig::{seconds, text};

use crate::programs::{compile, run};

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
