//! Ctrl-C and SIGTERM are answered whatever a run waits for.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use ironbird_record::Recording;

use crate::inside::{TRANSPORTS, compile};

fn start(folder: &Path, program: &str, settings: &str) -> Option<Child> {
    compile(folder, program)?;
    let experiment = format!(
        "ironbird = 1\nduration = \"1000 s\"\n[system.program]\ntype = \"host.native\"\n\
         command = \"./program\"\n{settings}\n[[record]]\nsignals = [\"program.**\"]\n"
    );
    std::fs::write(folder.join("try.toml"), experiment).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
    command.args(["run", "try.toml"]).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(command.spawn().expect("it starts"))
}

fn waits_for(mut holds: impl FnMut() -> bool, what: &str) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Asks a run to end, and waits for that.
fn terminate(mut child: Child) -> (Option<i32>, String) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
    waits_for(|| child.try_wait().expect("a child").is_some(), "the run ends");
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it has ended");
    let text = [stdout, stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (status.code(), text.concat())
}

#[test]
fn a_run_whose_program_does_not_come_back_is_interrupted_in_good_order() {
    let program = "int main(void) {
        sleep(1);
        fclose(fopen(\"computes\", \"w\"));
        for (volatile int i = 0;; i++) {}
    }";
    for transport in TRANSPORTS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join("kept");
        std::fs::create_dir(&place).expect("there is room");
        let program = program.replace("computes", &place.join("computes").display().to_string());
        let settings = format!("transport = {transport:?}\nwatchdog = \"1000 s\"");
        let Some(child) = start(folder.path(), &program, &settings) else { return };
        waits_for(|| place.join("computes").exists(), "it computes");
        let (status, said) = terminate(child);
        assert_eq!(status, Some(1), "{transport}: {said}");
        assert!(said.contains("interrupted at 1"), "{transport}: {said}");
        let recording = Recording::open(&folder.path().join("out/try/recording.mcap"));
        assert_eq!(recording.expect("a recording").damaged, None, "{transport}");
    }
}

#[test]
fn a_run_that_waits_before_it_begins_ends_when_it_is_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // As another run whose program has helpers.
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    let lock = options.open("/tmp/ironbird-helpers.lock").expect("a file");
    lock.lock().expect("after tests in other processes");
    let program = "int main(void) { for (;;) sleep(1); }";
    let Some(child) = start(folder.path(), program, "children = \"helpers\"") else { return };
    let recording = folder.path().join("out/try");
    waits_for(|| recording.exists(), "the run is being prepared");
    let (status, said) = terminate(child);
    assert_eq!(status, Some(130), "{said}");
    assert!(said.contains("interrupted"), "{said}");
}
