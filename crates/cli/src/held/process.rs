//! The two processes: that which began the run, and that of the program, which holds it.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, id};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use ironbird_component::Registry;
use ironbird_runner::Interrupt;

use super::seating::Host;
use crate::arguments::RunArguments;
use crate::commands::run::{Order, job_of};
use crate::failure::Failure;
use crate::interrupt::interrupt_by;
use crate::run_summary::RunSummary;
use crate::target::Target;

/// Said before a run begins in its program; what comes of it follows.
const BEGUN: &[u8] = b"begun\n";
/// How often a process is asked whether it has ended.
const LOOKS_EVERY: Duration = Duration::from_millis(5);

/// What came of a run in the process of a program.
pub enum Held {
    /// It is over.
    Done(Box<RunSummary>),
    /// It failed with this status, and has said why.
    Failed(u8),
    /// The program ended, or had to be ended, before the run began in it.
    NotBegun(String),
}

impl Host {
    /// Makes a run in the process of this program.
    ///
    /// # Errors
    /// If the process is lost.
    pub fn run(
        &self,
        scenario: usize,
        repetition: u64,
        interrupt: &Interrupt,
    ) -> Result<Held, Failure> {
        let lines = Lines::new().map_err(|error| {
            Failure::Run(format!("there is no line to the process of {}: {error}", self.component))
        })?;
        let child = match self.holder.start(arguments(scenario, repetition, &lines)) {
            Ok(child) => child,
            Err(why) => return Ok(Held::NotBegun(why)),
        };
        let waited = self.wait(child, &lines, interrupt);
        let status = waited.map_err(|error| {
            Failure::Run(format!("the process of {} is lost: {error}", self.component))
        })?;
        let (has_begun, told) = lines.told();
        if let Some(summary) = told {
            return Ok(Held::Done(Box::new(summary)));
        }
        let end = end(status);
        match status.code() {
            _ if !has_begun => {
                Ok(Held::NotBegun(format!("its process {end} before the run began")))
            }
            Some(code) if code != 0 => Ok(Held::Failed(u8::try_from(code).unwrap_or(u8::MAX))),
            _ => Err(Failure::Run(format!(
                "{}: its process, which held the run, {end}; what was recorded before is kept",
                self.component
            ))),
        }
    }

    /// Waits for the end of the process. A signal to this process ends the run in it.
    fn wait(
        &self,
        mut child: Child,
        lines: &Lines,
        interrupt: &Interrupt,
    ) -> io::Result<ExitStatus> {
        let mut asked = false;
        // In turns of this process: while it is stopped no time goes by.
        let mut patience = self.holder.patience();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if interrupt.is_requested() && !asked {
                asked = true;
                // If nobody reads it, the process has ended.
                let _ = (&lines.wishes.1).write_all(b".");
                interrupt.hear();
            }
            if patience.is_zero() && !lines.has_begun.load(Ordering::Relaxed) {
                child.kill()?;
            }
            patience = patience.saturating_sub(LOOKS_EVERY);
            sleep(LOOKS_EVERY);
        }
    }
}

/// What this process was called with, and which run is meant.
fn arguments(scenario: usize, repetition: u64, lines: &Lines) -> Vec<OsString> {
    let mut own = std::env::args_os();
    let mut all: Vec<OsString> = own.by_ref().take(2).collect();
    all.extend(["--held".into(), format!("{scenario}/{repetition}").into()]);
    all.extend(["--result".into(), path_of(&lines.result).into()]);
    all.extend(["--wishes".into(), path_of(&lines.wishes.0).into()]);
    all.extend(own);
    all
}

/// Where another process finds a descriptor of this one.
fn path_of(descriptor: &impl AsRawFd) -> PathBuf {
    format!("/proc/{}/fd/{}", id(), descriptor.as_raw_fd()).into()
}

/// Two pipes. The process opens them by their paths here, so that the program has no more descriptors than otherwise.
struct Lines {
    wishes: (PipeReader, PipeWriter),
    result: PipeWriter,
    has_begun: Arc<AtomicBool>,
    reads: JoinHandle<Vec<u8>>,
}

impl Lines {
    fn new() -> io::Result<Self> {
        let (mut read, result) = pipe()?;
        let has_begun = Arc::new(AtomicBool::new(false));
        let begins = has_begun.clone();
        let reads = std::thread::Builder::new().name("held-run".into()).spawn(move || {
            let mut said = vec![0; BEGUN.len()];
            if read.read_exact(&mut said).is_ok() && said == BEGUN {
                begins.store(true, Ordering::Relaxed);
            }
            said.clear();
            let _ = read.read_to_end(&mut said);
            said
        })?;
        Ok(Lines { wishes: pipe()?, result, has_begun, reads })
    }

    /// Whether the run began, and what it said in the end. The process has ended.
    fn told(self) -> (bool, Option<RunSummary>) {
        let Lines { result, has_begun, reads, .. } = self;
        drop(result);
        let said = reads.join().unwrap_or_default();
        (has_begun.load(Ordering::Relaxed), serde_json::from_slice(&said).ok())
    }
}

fn end(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was ended by signal {signal}"),
        (None, Some(code)) => format!("ended with status {code}"),
        (None, None) => "ended".into(),
    }
}

/// Makes the one run that this process holds.
pub fn serve(arguments: &RunArguments, registry: &Registry, held: &str) -> Result<u8, Failure> {
    let (Some(result), Some(wishes)) = (&arguments.result, &arguments.wishes) else {
        return Err(Failure::input("--held is for processes that another one starts"));
    };
    let mut result = open(result, File::options().write(true))?;
    let wishes = open(wishes, File::options().read(true))?;
    let no_line =
        |error: io::Error| Failure::Run(format!("the process that began the run is gone: {error}"));
    result.write_all(BEGUN).map_err(no_line)?;
    let target = Target::open(&arguments.experiment, registry)?;
    let (scenario, repetition) = job_of(held, target.experiment.scenarios.len())?;
    let order = Order::read(arguments, registry, target)?;
    let interrupt = interrupt_by(wishes)?;
    let done = order.run_held(scenario, repetition, &interrupt)?;
    let said = serde_json::to_vec(&done).map_err(|error| no_line(error.into()))?;
    result.write_all(&said).map_err(no_line)?;
    Ok(0)
}

fn open(path: &Path, how: &OpenOptions) -> Result<File, Failure> {
    how.open(path).map_err(|error| {
        Failure::Run(format!("the process that began the run cannot be reached: {error}"))
    })
}
