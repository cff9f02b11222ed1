//! The processes that the first one starts, and their end.
//!
//! Each is the same program with the same arguments, and with its number. What they print is passed on line by line,
//! with the number before it. They end with the first process, however that ends: each asks the system to be killed with
//! its parent, and what is left of them is killed when this is dropped.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fs, io, process};

use ironbird_patience::Patience;
use ironbird_scratch::Scratch;
use ironbird_simbricks::LinkError;
use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use super::shared_memory::SharedMemory;
use crate::interrupt::Interrupt;
use crate::programs::LinkPlaces;

/// How the other processes are started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program, and its arguments but for those that say which process it is.
    pub command: Vec<OsString>,
    /// How many processes there are, with this one.
    pub count: usize,
    /// How long one may take to come to the others, and may give no sign of life.
    pub patience: Duration,
}

/// Which process this is, as another one that started it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// The process that started it.
    pub parent: u32,
    /// How long another may give no sign of life.
    pub patience: Duration,
    /// Where their sockets are.
    pub folder: PathBuf,
}

/// Why processes could not be brought together.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A process cannot be made.
    #[error("the processes of the run cannot be started: {0}")]
    Start(#[from] io::Error),
    /// The folder for their sockets cannot be made.
    #[error("the folder {} for the sockets of the run's processes cannot be made: {error}", folder.display())]
    Folder {
        /// Where it was to be.
        folder: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// They do not find each other.
    #[error("the processes of the run do not come together: {0}")]
    Meet(#[from] LinkError),
    /// One has ended before.
    #[error("process {number} {how}, before the run began")]
    Ended {
        /// Its number.
        number: usize,
        /// In words.
        how: String,
    },
    /// A place that is none.
    #[error("`{0}` says of no process which of several it is")]
    Place(String),
}

impl Place {
    /// `number/count/parent/patience/folder`, as the first process writes it; the patience in ms.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str) -> Result<Self, LaunchError> {
        let wrong = || LaunchError::Place(text.to_owned());
        let mut parts = text.splitn(5, '/');
        let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok());
        let (Some(own), Some(count), Some(parent), Some(patience)) =
            (number(), number(), number(), number())
        else {
            return Err(wrong());
        };
        let folder = parts.next().map(PathBuf::from).ok_or_else(wrong)?;
        let parent = u32::try_from(parent).map_err(|_| wrong())?;
        if own == 0 || own >= count {
            return Err(wrong());
        }
        let (number, count) = (own as usize, count as usize);
        Ok(Place { number, count, parent, patience: Duration::from_millis(patience), folder })
    }

    /// Joins this process to the others.
    ///
    /// # Errors
    /// If they do not come together.
    pub fn join(&self) -> Result<SharedMemory, LaunchError> {
        let mut orphaned = || {
            let ended = || "the process that began the run has ended".to_owned();
            (!self.parent_lives()).then(ended)
        };
        let Place { number, count, folder, .. } = self;
        let patience = Patience::with(Some(self.parent), self.patience);
        Ok(SharedMemory::join(*number, *count, folder, patience, &mut orphaned)?)
    }

    /// All processes have come together: from now on this one ends with its parent, even where it does not look.
    pub fn all_are_joined(&self) {
        self.tidy();
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        if !self.parent_lives() {
            process::exit(3);
        }
    }

    /// The processes do not come together: nobody removes the sockets if the first one is gone.
    pub fn give_up(&self) {
        if !self.parent_lives() {
            self.tidy();
        }
    }

    /// Removes the sockets, which nobody needs once all have come together.
    fn tidy(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    fn parent_lives(&self) -> bool {
        let parent = getppid().and_then(|id| u32::try_from(id.as_raw_nonzero().get()).ok());
        parent == Some(self.parent)
    }
}

/// The other processes of a run.
#[derive(Debug)]
pub struct Children {
    children: Vec<Child>,
    printers: Vec<JoinHandle<()>>,
    /// For their sockets, until all have come together.
    folder: Option<Scratch>,
}

impl Children {
    /// Starts the others and joins this process, the first, to them.
    ///
    /// # Errors
    /// If one cannot be started, or ends before all have come together.
    pub fn start(
        launch: &Launch,
        links: Option<&LinkPlaces>,
    ) -> Result<(Self, SharedMemory), LaunchError> {
        let folder = Scratch::in_memory("run")
            .map_err(|(folder, error)| LaunchError::Folder { folder, error })?;
        let path = folder.path().to_owned();
        let mut all = Children { children: Vec::new(), printers: Vec::new(), folder: Some(folder) };
        for number in 1..launch.count {
            let mut words = launch.command.iter();
            let program = words.next().cloned().unwrap_or_default();
            let (count, patience) = (launch.count, launch.patience.as_millis());
            let place = format!("{number}/{count}/{}/{patience}/{}", process::id(), path.display());
            let mut child = Command::new(program)
                .args(words)
                .args(["--member", &place])
                .args(links.iter().flat_map(|links| ["--links".as_ref(), links.folder.as_os_str()]))
                .stdin(Stdio::null())
                // Ctrl-C is for the first process, which ends the others.
                .process_group(0)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()?;
            all.printers.extend(child.stdout.take().map(|output| pass_on(number, output)));
            all.printers.extend(child.stderr.take().map(|output| pass_on(number, output)));
            all.children.push(child);
        }
        let mut ended = || all.ended().map(|(number, how)| format!("process {number} {how}"));
        let patience = Patience::with(Some(process::id()), launch.patience);
        let joined = SharedMemory::join(0, launch.count, &path, patience, &mut ended);
        match joined {
            Ok(joined) => Ok((all, joined)),
            Err(error) => Err(match all.culprit(None) {
                Some((number, how)) => LaunchError::Ended { number, how },
                None => LaunchError::Meet(error),
            }),
        }
    }

    /// All processes have come together.
    pub fn all_are_joined(&mut self) {
        self.folder = None;
    }

    /// The first process that has ended, and how.
    pub fn ended(&mut self) -> Option<(usize, String)> {
        let found = self.children.iter_mut().enumerate().find_map(|(at, child)| {
            let status = child.try_wait().ok().flatten()?;
            Some((at + 1, status))
        });
        found.map(|(number, status)| (number, in_words(status)))
    }

    /// Which process the others lost, and how it ended, where `seen` is the one that was missed first: one that was
    /// killed by a signal, since others end in consequence.
    pub fn culprit(&mut self, seen: Option<usize>) -> Option<(usize, String)> {
        let mut found = None;
        // Its end is seen on its links a moment before it can be waited for.
        for _ in 0..50 {
            for (at, child) in self.children.iter_mut().enumerate() {
                let Ok(Some(status)) = child.try_wait() else { continue };
                if status.signal().is_some() {
                    return Some((at + 1, in_words(status)));
                }
                if seen.is_none_or(|seen| seen == at + 1) {
                    found.get_or_insert_with(|| (at + 1, in_words(status)));
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        found
    }

    /// Ends the others if they have not come to an end a while after the run was interrupted: one may wait for
    /// something outside of the simulation. Until what is returned is dropped.
    pub fn end_after(&self, interrupt: &Interrupt) -> Deadline {
        let pids = self.children.iter().filter_map(|child| {
            i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw)
        });
        let (pids, interrupt): (Vec<_>, _) = (pids.collect(), interrupt.clone());
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let thread = std::thread::spawn(move || {
            let mut since = None;
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                if interrupt.is_requested() {
                    let since = since.get_or_insert_with(Instant::now);
                    if since.elapsed() > AFTER_INTERRUPT {
                        for pid in &pids {
                            let _ = rustix::process::kill_process(*pid, Signal::KILL);
                        }
                        return;
                    }
                }
            }
        });
        Deadline { is_over, thread: Some(thread) }
    }

    /// Waits until all have ended by themselves, for a while.
    pub fn wait(&mut self) {
        for _ in 0..500 {
            if self.children.iter_mut().all(|child| matches!(child.try_wait(), Ok(Some(_)))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// What other processes have to come to an end once the run was interrupted.
const AFTER_INTERRUPT: Duration = Duration::from_secs(1);

/// Looks after other processes while the run goes on.
#[derive(Debug)]
pub struct Deadline {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How a process ended.
fn in_words(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("was killed by signal {signal}"),
        (None, Some(code)) => format!("ended with status {code}"),
        (None, None) => "ended".into(),
    }
}

/// Prints what a process prints, each line with its number.
fn pass_on(number: usize, output: impl Read + Send + 'static) -> JoinHandle<()> {
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            eprintln!("[process {number}] {}", String::from_utf8_lossy(&line));
        }
    })
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.children {
            if !matches!(child.try_wait(), Ok(Some(_))) {
                let _ = child.kill();
            }
            let _ = child.wait();
        }
        for printer in self.printers.drain(..) {
            let _ = printer.join();
        }
    }
}
