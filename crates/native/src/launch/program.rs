//! A program that runs: started with the preload library, watched, and ended for sure.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ironbird_native_shim::protocol::TRANSPORT_VARIABLE;
use ironbird_native_shim::steady::start_steady;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{
    Pid, Signal, WaitOptions, kill_process_group, set_parent_process_death_signal, waitpid,
};

use xxhash_rust::xxh3::xxh3_64;

use super::folder::WorkingFolder;
use super::guard::Guard;
use super::preload::Preload;

/// How many of the last lines that a program printed are told when it is lost, and of how many bytes.
const LAST_LINES: usize = 10;
const LAST_BYTES: u64 = 2_000;
/// How long the system may take to say how a program ended, once it is known that it did.
const TO_END: Duration = Duration::from_secs(2);

/// How long a program that was killed may take to be gone.
const TO_BE_GONE: Duration = Duration::from_secs(5);

/// What is to be started.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The file of the program.
    pub program: PathBuf,
    /// What it is called with, from its own name on.
    pub words: Vec<String>,
    /// Variables of its environment.
    pub environment: Vec<(String, String)>,
    /// Files for its folder.
    pub files: Vec<PathBuf>,
    /// Where its folder is kept in the end.
    pub keep: Option<PathBuf>,
    /// A file for what it prints; one in memory where there is none.
    pub output: Option<PathBuf>,
}

impl Plan {
    /// A number that is the same for plans that start in the same way.
    pub fn identity(&self) -> u64 {
        let Plan { program, words, environment, files, keep: _, output: _ } = self;
        xxh3_64(format!("{program:?} {words:?} {environment:?} {files:?}").as_bytes())
    }
}

/// A program that runs.
pub struct Program {
    /// Its process, if that is not this one.
    pid: Option<Pid>,
    ended: Arc<OnceLock<ExitStatus>>,
    keeper: Option<JoinHandle<()>>,
    output: File,
    // In this order: the guard must not find a folder that is gone.
    guard: Option<Guard>,
    folder: Option<WorkingFolder>,
}

/// What a copy of a program lives in.
pub struct Quarters {
    folder: WorkingFolder,
    output: File,
}

impl Quarters {
    /// The folder, for the copy.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file for what it prints.
    pub fn output(&self) -> BorrowedFd<'_> {
        self.output.as_fd()
    }
}

impl Program {
    /// Starts a program that talks over a transport of this name and these descriptors.
    ///
    /// # Errors
    /// With why it cannot be started.
    pub fn start(
        plan: &Plan,
        transport: &str,
        inherited: &[BorrowedFd<'_>],
    ) -> Result<Self, String> {
        let folder = WorkingFolder::new(&plan.files, plan.keep.clone())?;
        let preload = Preload::new()
            .map_err(|error| format!("there is no memory for the preload library: {error}"))?;
        let output = output_file(plan)?;
        let no_start = |error| format!("it cannot be started: {error}");
        let mut command = command(plan).map_err(no_start)?;
        let out = output.try_clone().map_err(no_start)?;
        let err = output.try_clone().map_err(no_start)?;
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(out).stderr(err);
        // In a group of its own it does not hear of the Ctrl-C with which a user ends a run.
        command.process_group(0);
        let library = preload.name();
        let mut passed: Vec<_> =
            inherited.iter().map(|it| (it.as_raw_fd(), it.as_raw_fd())).collect();
        passed.push((preload.inherited().as_raw_fd(), preload.number()));
        start_steady(&mut command);
        let environment = [("LD_PRELOAD", library.as_str()), (TRANSPORT_VARIABLE, transport)];
        let ended = Arc::new(OnceLock::new());
        let (keeper, pid) =
            spawn(command, &environment, passed, ended.clone()).map_err(no_start)?;
        let guard = Guard::new(Some(pid), folder.whole());
        let (keeper, pid) = (Some(keeper), Some(pid));
        let mut program = Program { pid, ended, keeper, output, guard: None, folder: Some(folder) };
        // Whatever fails from here on, the program is ended with `program`.
        program.guard = Some(guard.map_err(no_guard)?);
        Ok(program)
    }

    /// The program whose process this is. It has not begun yet; from now on what it prints goes to its own file.
    ///
    /// # Errors
    /// With what it needs and cannot have.
    pub fn of_this_process(plan: &Plan) -> Result<Self, String> {
        let folder = WorkingFolder::new(&plan.files, plan.keep.clone())?;
        let output = output_file(plan)?;
        let redirected =
            rustix::stdio::dup2_stdout(&output).and_then(|()| rustix::stdio::dup2_stderr(&output));
        redirected.map_err(|error| format!("what it prints cannot be kept: {error}"))?;
        let guard = Guard::new(None, folder.whole()).map_err(no_guard)?;
        let (guard, folder) = (Some(guard), Some(folder));
        Ok(Program { pid: None, ended: Arc::default(), keeper: None, output, guard, folder })
    }

    /// What a copy of this program needs before it is there: a folder with the same files, and a file that holds what
    /// was printed so far.
    ///
    /// # Errors
    /// With what cannot be had.
    pub fn quarters(&self, plan: &Plan) -> Result<Quarters, String> {
        let folder = WorkingFolder::copy_of(self.folder(), plan.keep.clone())?;
        let output = output_file(plan)?;
        copy_printed(&self.output, &output)
            .map_err(|error| format!("what it printed cannot be copied: {error}"))?;
        Ok(Quarters { folder, output })
    }

    /// A copy of a program, which the program has just made of itself.
    ///
    /// # Errors
    /// If nobody can watch over it; it is ended then.
    pub fn copied(pid: u32, quarters: Quarters) -> Result<Self, String> {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        let pid = pid.ok_or("its copy has no process")?;
        let ended = Arc::new(OnceLock::new());
        let (tells, Quarters { folder, output }) = (ended.clone(), quarters);
        let keeper = std::thread::Builder::new().name("native-keeper".into()).spawn(move || {
            if let Ok(Some((_, status))) = waitpid(Some(pid), WaitOptions::empty()) {
                let _ = tells.set(ExitStatus::from_raw(status.as_raw()));
            }
        });
        let keeper = Some(keeper.map_err(|error| format!("nobody waits for its copy: {error}"))?);
        let guard = Guard::new(Some(pid), folder.whole());
        let (pid, folder) = (Some(pid), Some(folder));
        let mut program = Program { pid, ended, keeper, output, guard: None, folder };
        program.guard = Some(guard.map_err(no_guard)?);
        Ok(program)
    }

    /// Its process.
    pub fn pid(&self) -> i32 {
        self.pid.unwrap_or_else(rustix::process::getpid).as_raw_nonzero().get()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new("."), WorkingFolder::path)
    }

    /// Whether it has not ended.
    pub fn is_alive(&self) -> bool {
        self.ended.get().is_none()
    }

    /// Waits for a program that is known to end, but not for long; not for one that ends with this process.
    pub fn wait_for_end(&self) {
        if self.pid.is_some() {
            self.wait_at_most(TO_END);
        }
    }

    fn wait_at_most(&self, patience: Duration) {
        let began = Instant::now();
        while self.is_alive() && began.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// How it ended, of a program that is known to end.
    pub fn end(&self) -> String {
        self.wait_for_end();
        match self.ended.get() {
            None => "closed its line to the simulation and did not end".into(),
            Some(status) => match (status.signal(), status.code()) {
                (Some(signal), _) => format!("was ended by {}", signal_name(signal)),
                (None, Some(code)) => format!("ended by itself, with status {code}"),
                (None, None) => "ended".into(),
            },
        }
    }

    /// The last lines that it printed, for a message; empty if there are none.
    pub fn last_words(&self) -> String {
        let lines = last_lines(&self.output).unwrap_or_default();
        match lines.is_empty() {
            true => String::new(),
            false => format!("; it last printed:\n    {}", lines.join("\n    ")),
        }
    }

    /// Ends it and all that it has started. A process that a debugger holds ends for its parent only when the debugger lets
    /// it go, so it is not waited for without end.
    fn kill(&mut self) {
        let (Some(keeper), Some(pid)) = (self.keeper.take(), self.pid) else { return };
        if self.is_alive() {
            let _ = kill_process_group(pid, Signal::KILL);
            self.wait_at_most(TO_BE_GONE);
        }
        if !self.is_alive() {
            let _ = keeper.join();
            return;
        }
        let why = match tracer(pid) {
            Some(tracer) => format!("process {tracer} traces it (a debugger?): let it go there"),
            None => "the system does not say why: see its state in /proc".into(),
        };
        eprintln!(
            "ironbird: the program was killed, but its process {} has not ended after {} s; {why}",
            pid.as_raw_nonzero(),
            TO_BE_GONE.as_secs()
        );
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
        self.folder = None;
        self.guard = None;
    }
}

/// The process that traces another (proc_pid_status(5), `TracerPid`).
fn tracer(pid: Pid) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{}/status", pid.as_raw_nonzero())).ok()?;
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
    tracer.trim().parse().ok().filter(|tracer| *tracer != 0)
}

fn no_guard(error: io::Error) -> String {
    format!("no shell watches over it: {error}")
}

/// A file for what a program prints.
fn output_file(plan: &Plan) -> Result<File, String> {
    let open = || {
        let Some(path) = &plan.output else {
            let file = rustix::fs::memfd_create("output", rustix::fs::MemfdFlags::CLOEXEC)?;
            return Ok(file.into());
        };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::options().read(true).write(true).create(true).truncate(true).open(path)
    };
    open().map_err(|error: io::Error| format!("what it prints cannot be kept: {error}"))
}

/// Copies what was printed so far. Whoever prints does so where the file's own position is, so that must stay as it is.
fn copy_printed(from: &File, to: &File) -> io::Result<()> {
    let (mut place, mut bytes) = (0, vec![0; 64 * 1024]);
    loop {
        let count = from.read_at(&mut bytes, place)?;
        if count == 0 {
            return Ok(());
        }
        to.write_all_at(&bytes[..count], place)?;
        place += count as u64;
    }
}

/// The program with its words and its environment.
pub fn command(plan: &Plan) -> io::Result<Command> {
    let mut command = Command::new(&plan.program);
    let (name, arguments) = plan.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    command.arg0(name).args(arguments);
    // What a user has in the environment is no input of a run.
    command.env_clear();
    // Temporary files are in its own folder, too: two programs of one kind would find each other's in the machine's.
    let own = [("HOME", "."), ("TMPDIR", ".")];
    let fixed = [("PATH", "/usr/bin:/bin"), ("LANG", "C"), ("TZ", "UTC")];
    command.envs(own);
    command.envs(fixed).envs(plan.environment.iter().map(|(name, value)| (name, value)));
    Ok(command)
}

/// Lets whom this process becomes inherit a descriptor, under a number. Only numbers are touched: it may be called between
/// fork and exec.
fn pass(own: RawFd, programs: RawFd) -> io::Result<()> {
    // SAFETY: whoever starts the program holds the descriptor open until it has begun.
    let descriptor = unsafe { BorrowedFd::borrow_raw(own) };
    if own == programs {
        return Ok(fcntl_setfd(descriptor, FdFlags::empty())?);
    }
    // SAFETY: what had the number is closed by the program's start anyway, and the new one is the program's.
    unsafe {
        let mut place = ManuallyDrop::new(OwnedFd::from_raw_fd(programs));
        Ok(rustix::io::dup2(descriptor, &mut place)?)
    }
}

/// The command inherits these descriptors, each under the number beside it, and ends with the thread that starts it. They must
/// be open until it has begun.
pub fn tie(command: &mut Command, passed: Vec<(RawFd, RawFd)>) {
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        passed.iter().try_for_each(|(own, programs)| pass(*own, *programs))
    };
    // SAFETY: between fork and exec there are a few system calls and nothing else: no memory is allocated, no lock is
    // taken.
    unsafe {
        command.pre_exec(prepare);
    }
}

/// Starts a command on a thread that lives as long as the program: the kernel ends the program with the thread that
/// has started it.
fn spawn(
    mut command: Command,
    environment: &[(&str, &str)],
    passed: Vec<(RawFd, RawFd)>,
    ended: Arc<OnceLock<ExitStatus>>,
) -> io::Result<(JoinHandle<()>, Pid)> {
    command.envs(environment.iter().copied());
    tie(&mut command, passed);
    let (tell, told) = mpsc::channel();
    let keeper = std::thread::Builder::new().name("native-keeper".into()).spawn(move || {
        let spawned = command.spawn();
        // The descriptors for its output are the child's alone from here on.
        drop(command);
        match spawned {
            Err(error) => {
                let _ = tell.send(Err(error));
            }
            Ok(mut child) => {
                let _ = tell.send(Ok(child.id()));
                if let Ok(status) = child.wait() {
                    let _ = ended.set(status);
                }
            }
        }
    })?;
    let started = told.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))?;
    let pid = i32::try_from(started).ok().and_then(Pid::from_raw);
    Ok((keeper, pid.ok_or(io::ErrorKind::InvalidData)?))
}

/// The last lines of a file, without what a terminal would obey.
fn last_lines(file: &File) -> io::Result<Vec<String>> {
    let begin = file.metadata()?.len().saturating_sub(LAST_BYTES);
    let mut bytes = vec![0; LAST_BYTES as usize];
    // The program writes where the file's own position is, so that must stay as it is.
    let count = file.read_at(&mut bytes, begin)?;
    bytes.truncate(count);
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines[lines.len().saturating_sub(LAST_LINES)..].iter();
    let plain = |c: char| if c.is_control() && c != '\t' { '\u{fffd}' } else { c };
    Ok(shown.map(|line| line.chars().map(plain).collect()).collect())
}

/// A signal in words.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL: an illegal instruction",
        5 => "SIGTRAP: a breakpoint",
        6 => "SIGABRT: it aborted",
        7 => "SIGBUS: a bad address",
        8 => "SIGFPE: an arithmetic error",
        9 => "SIGKILL: it was killed",
        11 => "SIGSEGV: a segmentation fault",
        15 => "SIGTERM: it was terminated",
        31 => "SIGSYS: a system call that is not allowed",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
