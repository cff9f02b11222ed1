//! Programs that start other programs.

use ironbird_kernel::Time;
use ironbird_test_rig::{real, seconds, text};

use crate::programs::{compile, rig, run};

const STARTER: &str = r#"
#include <sys/wait.h>
int main(void) {
    pause_us(1000);
    int status = system("test -z \"$LD_PRELOAD\" && sleep 0.05 && exit 4");
    say("%d at %llu", WEXITSTATUS(status), (unsigned long long)now_us());
    char line[100] = "";
    FILE *file = popen("echo hello from $0", "r");
    fgets(line, sizeof line, file);
    say("%d %s", pclose(file), line);
    for (;;) pause_us(1000000);
}
"#;

#[test]
fn helpers_take_no_simulated_time() {
    let Some(program) = compile(STARTER) else { return };
    let at = Time::from_ps(1_000_000_000);
    let expected = [(at, "4 at 1001000".to_owned()), (at, "0 hello from sh\n".to_owned())];
    for (backend, transport) in
        [("coroutines", "memory"), ("coroutines", "socket"), ("kernel-threads", "memory")]
    {
        let settings = [
            ("children", text("helpers")),
            ("backend", text(backend)),
            ("transport", text(transport)),
            ("clock_read", real(0.0)),
            ("call", real(0.0)),
        ];
        assert_eq!(run(&program, &settings, seconds(0.1)), expected, "{backend}, {transport}");
    }
}

#[test]
fn other_programs_are_refused_unless_they_are_helpers() {
    let Some(program) = compile(STARTER) else { return };
    let failure = rig(&program, &[]).failure(seconds(1.0));
    assert!(failure.contains("system"), "{failure}");
    assert!(failure.contains("`children = \"helpers\"`"), "{failure}");
}

#[test]
fn a_helper_that_does_not_wait_for_the_program_is_named() {
    let source = "int main(void) { return system(\"exec sleep 100\"); }";
    let Some(program) = compile(source) else { return };
    let settings = [("children", text("helpers")), ("watchdog", real(0.5))];
    let failure = rig(&program, &settings).failure(seconds(1.0));
    assert!(failure.contains("`sleep 100` (process "), "{failure}");
    assert!(failure.contains("clock_nanosleep"), "{failure}");
}
