//! Starts the program.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// What a program that has ended left behind.
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// A folder of its own, in which the program runs.
pub struct Place {
    folder: TempDir,
}

/// An experiment beside these tests.
pub fn experiment(name: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command_line/experiments");
    tests.join(name).display().to_string()
}

/// An experiment of the examples.
pub fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).display().to_string()
}

/// User code for [`hanging_network`].
pub const HANGS_AT_2_S: &str = "\
import time

class Hang:
    outputs = {\"y\": \"\"}

    def step(self, t, inputs):
        if t >= 2:
            time.sleep(1e6)
        return {\"y\": t}
";

/// A pole that is balanced over a network, with user code beside it that makes the second of two processes hang.
pub fn hanging_network() -> String {
    let network = example("processes/network.toml");
    format!(
        "ironbird = 1\nextends = {network:?}\n[system.hang]\ntype = \"foreign.python\"\nfile = \"hang.py\"\n\
         class = \"Hang\"\npatience = \"1000000 s\"\nplacement = \"hang\"\n"
    )
}

impl Place {
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).expect("a file in the temporary folder");
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        let read = std::fs::read(self.path(name));
        read.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("text")
    }

    /// The program with these arguments, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        ended(&mut self.command(arguments))
    }

    /// Runs an experiment and gives back what it prints as JSON.
    pub fn run_json(&self, arguments: &[&str]) -> Value {
        let done = self.run(&[&["run", "--json"], arguments].concat());
        assert!(done.status < 2, "{}", done.err);
        serde_json::from_str(&done.out).expect("valid JSON")
    }

    /// The hash of the only run of an experiment.
    pub fn hash(&self, arguments: &[&str]) -> String {
        let json = self.run_json(arguments);
        json["runs"][0]["hash"].as_str().expect("a hash").to_owned()
    }

    /// Starts the program and waits until `file` has that many bytes.
    pub fn start(&self, arguments: &[&str], file: &str, bytes: u64) -> Child {
        let mut command = self.command(arguments);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        // Long enough for the slowest machine; nothing is measured.
        let deadline = Instant::now() + Duration::from_secs(120);
        let length = || std::fs::metadata(self.path(file)).map_or(0, |file| file.len());
        while length() < bytes {
            let ended = child.try_wait().expect("a child").is_some();
            assert!(!ended && Instant::now() < deadline, "{file} has {} bytes", length());
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    }
}

/// Runs a command to its end.
pub fn ended(command: &mut Command) -> Ended {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints text");
    let ended = Ended {
        status: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    ended
}
