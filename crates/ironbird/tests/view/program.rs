//! Starts the program with a view.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Longer than anything takes on the slowest machine; nothing is measured.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An experiment of the examples.
pub fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).display().to_string()
}

/// A folder of its own, in which the program runs.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: &str) {
        std::fs::write(self.path(name), contents).expect("a file in the temporary folder");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ironbird"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs the program to its end: exit status and everything that it says.
    pub fn run(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.command(arguments).output().expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints text");
        let said = text(output.stdout) + &text(output.stderr);
        assert!(!said.contains("panicked"), "{said}");
        (output.status.code().unwrap_or(-1), said)
    }

    /// Starts the program, and waits until it says where its page is.
    pub fn serve(&self, arguments: &[&str]) -> Served {
        let mut command = self.command(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let (said, address) = (String::new(), String::new());
        let mut served = Served { child, out, said, address };
        served.wait_for("http://");
        let line = served.said.lines().find(|line| line.contains("http://"));
        let address = line.expect("it was waited for").trim().trim_start_matches("view");
        served.address = address.trim().to_owned();
        served
    }
}

/// A program that serves a page.
pub struct Served {
    child: Child,
    out: BufReader<ChildStdout>,
    said: String,
    /// Of the page, with its token.
    pub address: String,
}

impl Served {
    /// The host and the port.
    pub fn host(&self) -> &str {
        let rest = self.address.trim_start_matches("http://");
        rest.split('/').next().expect("an address has a host")
    }

    /// The token.
    pub fn token(&self) -> &str {
        self.address.split("token=").nth(1).expect("an address has a token")
    }

    /// Waits until it says something with `word` in it.
    pub fn wait_for(&mut self, word: &str) {
        while !self.said.contains(word) {
            let read = self.out.read_line(&mut self.said).expect("the program prints text");
            assert!(read > 0, "it never said \"{word}\": {}", self.said);
        }
    }

    /// Presses Ctrl-C and waits for the end: exit status and everything that it has said.
    pub fn interrupt(mut self) -> (Option<i32>, String) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(sent.expect("kill starts").success());
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                self.out.read_to_string(&mut self.said).expect("the program prints text");
                return (status.code(), std::mem::take(&mut self.said));
            }
            assert!(begun.elapsed() < PATIENCE, "it goes on after Ctrl-C");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
