//! What cannot be run is refused before anything is started.

use std::os::unix::fs::PermissionsExt;

use ironbird_test_rig::{Rig, Setting, text};

use crate::programs::{compile, compile_with};

fn refusal(settings: &[Setting<'_>]) -> String {
    Rig::of(&[ironbird_native::register]).refusal("host.native", settings)
}

#[test]
fn a_program_that_is_not_there_is_refused() {
    let refused = refusal(&[("command", text("./no-such-program --fast"))]);
    assert!(refused.contains("parameter \"command\""), "{refused}");
    assert!(refused.ends_with("there is no such file; name the program by its path"), "{refused}");
    let refused = refusal(&[("command", text("no-such-program-anywhere"))]);
    assert!(refused.contains("is in no folder of PATH"), "{refused}");
    let refused = refusal(&[("command", text("  "))]);
    assert!(refused.contains("there is no program: write its path"), "{refused}");
}

#[test]
fn a_static_program_of_rust_is_told_what_makes_it_a_dynamic_one() {
    let source =
        "const char *place = \"/rustc/0/library\"; int main(void) { return place[0] == 0; }";
    let Some(program) = compile_with(source, &["-static"]) else { return };
    let refused = refusal(&[("command", program.command())]);
    assert!(refused.contains("-C target-feature=-crt-static"), "{refused}");
}

#[test]
fn a_static_program_is_refused() {
    let Some(program) = compile_with("int main(void) { return 0; }", &["-static"]) else { return };
    let refused = refusal(&[("command", program.command())]);
    let expected = "it is linked statically, so nothing can be preloaded; link it without -static";
    assert!(refused.contains(expected), "{refused}");
}

#[test]
fn permissions_are_looked_at() {
    let Some(program) = compile("int main(void) { return 0; }") else { return };
    let set = |mode| std::fs::set_permissions(program.path(), PermissionsExt::from_mode(mode));
    set(0o4755).expect("it is ours");
    let refused = refusal(&[("command", program.command())]);
    assert!(refused.contains("(setuid)") && refused.contains("chmod u-s"), "{refused}");
    set(0o644).expect("it is ours");
    let refused = refusal(&[("command", program.command())]);
    assert!(refused.contains("it may not be executed; set its permission"), "{refused}");
}

#[test]
fn wrong_words_are_refused_with_what_may_be_written() {
    let Some(program) = compile("int main(void) { return 0; }") else { return };
    let with = |name, value: &str| refusal(&[("command", program.command()), (name, text(value))]);
    assert!(with("devices", "/dev/spidev0.0").contains("parameter \"devices\""));
    assert!(with("sockets", "udp 1").contains("parameter \"sockets\""));
    assert!(with("environment", "WHO").contains("write NAME=value, one a line"));
    assert!(with("environment", "LD_PRELOAD=x.so").contains("set by the run itself"));
    assert!(with("backend", "fibers").contains("\"coroutines\", \"kernel-threads\""));
}
