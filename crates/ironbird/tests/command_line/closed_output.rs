//! `ironbird types | head -1`: whoever listens may go away.

use crate::program::{Place, ended, experiment};

#[test]
fn output_that_nobody_reads_is_no_error() {
    let place = Place::new();
    let rooms = experiment("rooms.toml");
    assert_eq!(place.run(&["run", &rooms, "--out", "out", "--until", "20 min"]).status, 0);
    let commands: [&[&str]; 9] = [
        &["--help"],
        &["types"],
        &["types", "plant.room"],
        &["types", "--schema"],
        &["check", &rooms],
        &["check", &rooms, "--resolved"],
        &["graph", &rooms],
        &["export", "out/recording.mcap"],
        &["run", &rooms, "--until", "1 min", "--out", "again"],
    ];
    for arguments in commands {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        // `Command::output` would put a pipe of its own in its place.
        let mut command = place.command(arguments);
        let child = command.stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("ipe"), "{arguments:?}: {err}");
    }
    // What was asked for beside the output was done.
    assert_eq!(ended(&mut place.command(&["replay", "again/recording.mcap"])).status, 0);
}
