//! A process with Eclipse Cyclone DDS at the other end of a topic; see `peer.py`.
//!
//! `IRONBIRD_PYTHON` names a Python with the package cyclonedds; `./test` makes one.

#![allow(dead_code)] // each test file uses a part of it

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long anything may take before a test fails.
pub const LONGEST: Duration = Duration::from_secs(60);

/// A domain of this process's own, as far as there are enough; all its ports lie below those that the
/// system hands out.
pub fn domain() -> u16 {
    (1 + std::process::id() % 100) as u16
}

/// A name that no test running at the same time has, should the domains be the same.
pub fn own(topic: &str) -> String {
    format!("/p{}/{topic}", std::process::id())
}

pub fn command() -> Command {
    let python = std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into());
    let mut command = Command::new(python);
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peer/peer.py"));
    command
}

/// Looks again and again until there is something.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < LONGEST, "{what} did not happen within {LONGEST:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts one, and waits until it is in its domain.
    pub fn start<A: AsRef<str>>(how: &str, arguments: &[A]) -> Self {
        let mut command = command();
        command.args([how, &domain().to_string()]);
        command.args(arguments.iter().map(AsRef::as_ref));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("python starts: run ./test");
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut peer = Peer { child, input, lines };
        peer.expect("ready");
        peer
    }

    pub fn line(&mut self) -> String {
        let line = self.lines.recv_timeout(LONGEST);
        line.unwrap_or_else(|_| panic!("the peer is silent (./test prepares a Python for it)"))
    }

    pub fn expect(&mut self, line: &str) {
        assert_eq!(self.line(), line);
    }

    /// The next message that it has heard: its topic and its numbers and texts in order.
    pub fn heard(&mut self) -> (String, Vec<Value>) {
        read(&self.line())
    }

    /// The next message that it has heard by now, if any.
    pub fn heard_by_now(&mut self) -> Option<(String, Vec<Value>)> {
        self.lines.try_recv().ok().map(|line| read(&line))
    }

    /// Lets it send a message of these numbers.
    pub fn send(&mut self, numbers: &str) {
        let input = self.input.as_mut().expect("it is open");
        writeln!(input, "{numbers}").expect("it listens");
        self.expect("sent");
    }

    /// Holds the process: it does nothing any more.
    pub fn freeze(&self) {
        let done = Command::new("kill").args(["-STOP", &self.child.id().to_string()]).status();
        assert!(done.expect("kill runs").success());
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(line: &str) -> (String, Vec<Value>) {
    let line: Value = serde_json::from_str(line).expect("JSON");
    let leaves = line["leaves"].as_array().expect("a list").clone();
    (line["topic"].as_str().expect("a name").to_owned(), leaves)
}
