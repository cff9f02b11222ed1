//! One program that runs: its guard, its output, its end.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::LostProgram;
use super::guard::END;

/// How many of the last lines of a program are told when it is lost.
const LAST_LINES: usize = 10;

/// What a program prints.
struct Output {
    file: Option<BufWriter<File>>,
    last: VecDeque<String>,
}

pub(super) struct Running {
    name: String,
    may_end: bool,
    guard: Child,
    /// The guard kills the program when this is closed.
    lifeline: Option<ChildStdin>,
    output: Arc<Mutex<Output>>,
    readers: Vec<JoinHandle<()>>,
}

impl Running {
    pub fn start(
        name: &str,
        may_end: bool,
        command: &mut Command,
        output: &Option<PathBuf>,
    ) -> io::Result<Self> {
        let file = output.as_ref().map(File::create).transpose()?.map(BufWriter::new);
        let output = Arc::new(Mutex::new(Output { file, last: VecDeque::new() }));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the run, which ends the programs.
        let mut guard = command.process_group(0).spawn()?;
        let lifeline = guard.stdin.take();
        let mut readers = Vec::new();
        readers.extend(guard.stdout.take().map(|from| keep_lines(from, &output)));
        readers.extend(guard.stderr.take().map(|from| keep_lines(from, &output)));
        Ok(Running { name: name.into(), may_end, guard, lifeline, output, readers })
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
        // All that it printed is there once its ends of the pipes are closed.
        self.readers.drain(..).for_each(|reader| drop(reader.join()));
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let words = output.last.iter().cloned().collect();
        Some(LostProgram { name: self.name.clone(), how: in_words(status), words })
    }

    pub fn ask_to_end(&mut self) {
        if let Some(lifeline) = &mut self.lifeline {
            let _ = lifeline.write_all(&[END]).and_then(|()| lifeline.flush());
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.lifeline = None;
        let _ = self.guard.wait();
        self.readers.drain(..).for_each(|reader| drop(reader.join()));
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

fn keep_lines(from: impl Read + Send + 'static, output: &Arc<Mutex<Output>>) -> JoinHandle<()> {
    let output = output.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(file) = &mut output.file {
                // A disk that is full costs output, not the run.
                let _ = file.write_all(&line).and_then(|()| file.write_all(b"\n"));
                let _ = file.flush();
            }
            if output.last.len() == LAST_LINES {
                output.last.pop_front();
            }
            output.last.push_back(String::from_utf8_lossy(&line).into_owned());
        }
    })
}
