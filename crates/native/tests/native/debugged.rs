//! A debugger may look at a program that runs.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ironbird_kernel::{Options, Simulation};
use ironbird_test_rig::seconds;

use crate::programs::{compile, rig, run};

/// Says its process, and the names of its libraries.
const NAMES: &str = r#"
#include <link.h>
static int name(struct dl_phdr_info *info, size_t size, void *nothing) {
    if (info->dlpi_name[0]) say("%s", info->dlpi_name);
    return 0;
}
int main(void) {
    say("%d", (int)getpid());
    dl_iterate_phdr(name, NULL);
    for (;;) pause_us(1000);
}
"#;

#[test]
fn no_library_of_a_program_has_the_name_of_a_debuggers_descriptor() {
    /// Debuggers open files and pipes from 0 on.
    const FAR: u32 = 900;
    let Some(program) = compile(NAMES) else { return };
    let said = run(&program, &[], seconds(0.1));
    let names: Vec<_> = said.iter().map(|(_, text)| text.as_str()).collect();
    assert!(names.iter().any(|name| name.contains("libc.so")), "{names:?}");
    let mut descriptors = names.iter().filter_map(|name| name.strip_prefix("/proc/self/fd/"));
    let number = descriptors.next().and_then(|number| number.parse::<u32>().ok());
    assert!(number.is_some_and(|number| number > FAR), "{names:?}");
}

#[test]
fn a_debugger_does_not_hang_at_a_program() {
    if Command::new("gdb").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: gdb is not installed");
        return;
    }
    let Some(program) = compile(NAMES) else { return };
    let system = rig(&program, &[]).into_graph();
    let mut simulation = Simulation::new(system, Options::default()).expect("it starts");
    simulation.run_until(seconds(0.01)).expect("it runs");
    let processes = std::fs::read_dir("/proc").expect("a folder").flatten();
    let process = processes
        .map(|entry| entry.path())
        .find(|path| std::fs::read_link(path.join("exe")).is_ok_and(|file| file == program.path()));
    let process = process.expect("it runs").file_name().expect("a number").to_owned();
    let mut gdb = Command::new("gdb");
    // Its input is a pipe that nobody writes to.
    gdb.args(["-batch", "-ex", "info threads", "-p"]).arg(process);
    let mut gdb =
        gdb.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("gdb");
    let began = Instant::now();
    while gdb.try_wait().expect("it can be asked").is_none() {
        let hangs = began.elapsed() > Duration::from_secs(60);
        if hangs {
            gdb.kill().expect("it runs");
        }
        assert!(!hangs, "gdb has not ended after a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    simulation.run_until(seconds(0.02)).expect("it goes on");
}
