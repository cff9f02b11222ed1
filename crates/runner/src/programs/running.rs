//! One program that runs: its guard, its output, its end.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::guard::{END, is_busy};
use super::keeper::Waiting;
use super::{FailedProgram, LostProgram};

/// How many of the last lines of a program are told when it is lost, and how many bytes of them.
const LAST_LINES: usize = 10;
const LAST_BYTES: usize = 2_000;
/// More than so many bytes of what a program prints are not kept.
const LONGEST_LOG: u64 = 64 << 20;
/// A program that fails at its start has done so after that long, if it was not kept waiting for the processor.
const SETTLED: Duration = Duration::from_secs(2);
/// How long its last words may take, once it has ended: what it has started may hold its output open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What a program prints.
struct Output {
    file: Option<File>,
    /// Bytes that may still be kept.
    left: u64,
    last: VecDeque<u8>,
}

impl Output {
    fn keep(&mut self, bytes: &[u8]) {
        if let Some(file) = &mut self.file {
            let kept = &bytes[..bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
            // A disk that is full costs output, not the run.
            let _ = file.write_all(kept);
            self.left -= kept.len() as u64;
            if kept.len() < bytes.len() {
                let _ = file.write_all(b"\n... (more is not kept)\n");
                self.file = None;
            }
        }
        self.last.extend(&bytes[bytes.len().saturating_sub(LAST_BYTES)..]);
        self.last.drain(..self.last.len().saturating_sub(LAST_BYTES));
    }

    /// The last lines, without what a terminal would obey.
    fn last_lines(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.last.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let shown = lines[lines.len().saturating_sub(LAST_LINES)..].iter();
        let plain = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
        shown.map(|line| line.chars().map(plain).collect()).collect()
    }
}

pub(super) struct Running {
    pub name: String,
    may_end: bool,
    is_joined: bool,
    started: Instant,
    guard: Child,
    /// The guard kills the program when this is closed.
    lifeline: Option<ChildStdin>,
    output: Arc<Mutex<Output>>,
    readers: Vec<JoinHandle<()>>,
    is_asked: bool,
}

impl Running {
    pub fn start(waiting: &mut Waiting) -> io::Result<Self> {
        let Waiting { name, may_end, is_joined, command, output, .. } = waiting;
        let file = output.as_ref().map(File::create).transpose()?;
        let output = Output { file, left: LONGEST_LOG, last: VecDeque::new() };
        let output = Arc::new(Mutex::new(output));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the run, which ends the programs.
        let mut guard = command.process_group(0).spawn()?;
        let lifeline = guard.stdin.take();
        let mut readers = Vec::new();
        readers.extend(guard.stdout.take().map(|from| keep_output(from, &output)));
        readers.extend(guard.stderr.take().map(|from| keep_output(from, &output)));
        Ok(Running {
            name: name.clone(),
            may_end: *may_end,
            is_joined: *is_joined,
            started: Instant::now(),
            guard,
            lifeline,
            output,
            readers,
            is_asked: false,
        })
    }

    pub fn has_ended(&mut self) -> Option<ExitStatus> {
        self.guard.try_wait().ok().flatten()
    }

    /// What happened to it, if it should still be there.
    pub fn lost(&mut self) -> Option<LostProgram> {
        let status = self.has_ended()?;
        if self.may_end && status.success() {
            return None;
        }
        Some(LostProgram {
            name: self.name.clone(),
            how: in_words(status),
            words: self.last_words(),
        })
    }

    /// The last lines that it printed.
    pub fn last_words(&mut self) -> Vec<String> {
        if self.has_ended().is_some() {
            self.await_output();
        }
        self.output.lock().unwrap_or_else(PoisonError::into_inner).last_lines()
    }

    /// All that it printed is there once all ends of the pipes are closed.
    fn await_output(&mut self) {
        let started = Instant::now();
        while started.elapsed() < LAST_WORDS && !self.readers.iter().all(JoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How it ended, if that was by itself and not as it should. What is joined to the run ends because the run does.
    pub fn failure(&mut self) -> Option<FailedProgram> {
        let status = self.has_ended().filter(|_| !self.is_asked)?;
        if status.success() && (self.may_end || self.is_joined) {
            return None;
        }
        let how = match status.success() {
            true => "ended by itself (`may_end = true` lets it)".into(),
            false => in_words(status),
        };
        let program = LostProgram { name: self.name.clone(), how, words: self.last_words() };
        Some(FailedProgram { program, is_joined: self.is_joined })
    }

    /// Whether it may be about to end, no matter of the run: it has only begun, and computes.
    pub fn is_beginning(&self) -> bool {
        !self.is_joined && self.started.elapsed() < SETTLED && is_busy(self.guard.id())
    }

    pub fn ask_to_end(&mut self) {
        if self.has_ended().is_some() {
            return;
        }
        self.is_asked = true;
        if let Some(lifeline) = &mut self.lifeline {
            let _ = lifeline.write_all(&[END]).and_then(|()| lifeline.flush());
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.lifeline = None;
        let _ = self.guard.wait();
        self.await_output();
    }
}

/// How a program ended, as its guard says: 128 and the number of the signal if one has killed it.
fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "ended before the run did (`may_end = true` lets it)".into(),
        (Some(127), _) => "could not be started".into(),
        (Some(code @ 129..=192), _) => format!("was killed by signal {}", code - 128),
        (Some(code), _) => format!("ended with status {code}"),
        (None, Some(signal)) => format!("was killed with its guard, by signal {signal}"),
        (None, None) => "ended".into(),
    }
}

fn keep_output(from: impl Read + Send + 'static, output: &Arc<Mutex<Output>>) -> JoinHandle<()> {
    let (mut from, output) = (from, output.clone());
    std::thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            output.lock().unwrap_or_else(PoisonError::into_inner).keep(&buffer[..length]);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_flood_the_end_is_told_and_nothing_that_a_terminal_obeys() {
        let mut output = Output { file: None, left: 0, last: VecDeque::new() };
        for _ in 0..100 {
            output.keep(&[b'x'; 5_000]);
        }
        assert_eq!(output.last.len(), LAST_BYTES);
        output.keep(b"\none\n\x1b[2Jtwo\x07\r\n\xff\n");
        let lines = output.last_lines();
        assert_eq!(lines[lines.len() - 3..], ["one", "\u{fffd}[2Jtwo\u{fffd}", "\u{fffd}"]);
        output.keep("line\n".repeat(50).as_bytes());
        assert_eq!(output.last_lines().len(), LAST_LINES);
    }

    #[test]
    fn no_more_than_a_limit_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let file = Some(File::create(&path).unwrap());
        let mut output = Output { file, left: 10, last: VecDeque::new() };
        output.keep(b"123456");
        output.keep(b"7890ab");
        output.keep(b"more");
        assert_eq!(std::fs::read(&path).unwrap(), b"1234567890\n... (more is not kept)\n");
    }
}
