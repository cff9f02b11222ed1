//! A small host: builds the shim, compiles a program, runs it and plays its world.
#![allow(unsafe_code, dead_code)]

pub mod at_rest;
pub mod inside;
pub mod load;

use ironbird_native_shim::protocol::{
    Backend, Counters, Hello, Input, MAX_FRAME, Output, Reason, Resume, Setup, ToHost, ToProgram,
    Unsteady, VERSION, Yield, memory,
};
use ironbird_native_shim::steady::start_steady;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub const NANOSECOND: u64 = 1000;
pub const MICROSECOND: u64 = 1000 * NANOSECOND;
pub const MILLISECOND: u64 = 1000 * MICROSECOND;
pub const SECOND: u64 = 1000 * MILLISECOND;

/// Whether this machine can run the shim at all.
pub fn supported() -> bool {
    let supported = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !supported {
        println!("skipped: the shim runs on x86-64 Linux only");
    }
    supported
}

/// Builds the shared library once and says where it is.
pub fn shim() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let build = ["rustc", "--lib", "--crate-type", "cdylib"];
        cargo(&build, &["--", "--cfg", "ironbird_preload"]).join("libironbird_native_shim.so")
    })
}

/// Builds the host that lives inside a program's process.
pub fn inner_host() -> PathBuf {
    cargo(&["build", "--example", "in_process_host"], &[])
        .join("examples")
        .join("libin_process_host.so")
}

/// The interpreter of Python itself: its name may stand for a script that starts another program.
pub fn python() -> Option<String> {
    let found = Command::new("python3")
        .args(["-c", "import os, sys; print(os.path.realpath(sys.executable))"])
        .output();
    let Ok(found) = found else {
        println!("skipped: python3 is not installed");
        return None;
    };
    Some(String::from_utf8_lossy(&found.stdout).trim().to_owned())
}

/// Where tests may leave things; the variable is there for tests, not for examples.
fn folder(name: &str) -> PathBuf {
    Path::new(option_env!("CARGO_TARGET_TMPDIR").unwrap_or("target/tmp")).join(name)
}

/// Runs a nested cargo and says where its products are.
fn cargo(before: &[&str], after: &[&str]) -> PathBuf {
    let folder = folder("shim");
    let mut cargo =
        Command::new(std::env::var_os("CARGO").unwrap_or(OsString::from(env!("CARGO"))));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args(before).args(["--release", "--offline", "--target-dir"]).arg(&folder).args(after);
    let inherited =
        ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"];
    for variable in inherited.into_iter().chain(["CARGO_TARGET_DIR"]) {
        cargo.env_remove(variable);
    }
    let output = cargo.output().expect("cargo starts");
    assert!(
        output.status.success(),
        "{before:?} fails:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    folder.join("release")
}

/// Compiles a program of `tests/programs`.
pub fn compile(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
    let folder = folder("programs");
    std::fs::create_dir_all(&folder).expect("the folder for programs");
    let stem = name.replace('.', "-");
    let finished = folder.join(&stem);
    static COMPILED: AtomicU32 = AtomicU32::new(0);
    let number = COMPILED.fetch_add(1, Ordering::Relaxed);
    let fresh = folder.join(format!("{stem}.{}.{number}", std::process::id()));
    let (compiler, standard) =
        if name.ends_with(".cpp") { ("c++", "-std=c++20") } else { ("cc", "-std=gnu11") };
    let output = Command::new(compiler)
        .args([
            standard,
            "-O1",
            "-fno-inline",
            "-g",
            "-Wall",
            "-Werror",
            "-pthread",
            "-rdynamic",
            "-o",
        ])
        .arg(&fresh)
        .arg(&source)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(
        output.status.success(),
        "{name} does not compile:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::rename(&fresh, &finished).expect("the program takes its place");
    finished
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    Memory,
    Socket,
}

/// All ways to run a program; each must give the same.
pub const WAYS: [(Backend, Wire); 4] = [
    (Backend::Coroutines, Wire::Memory),
    (Backend::Coroutines, Wire::Socket),
    (Backend::KernelThreads, Wire::Memory),
    (Backend::KernelThreads, Wire::Socket),
];

/// A setup in which nothing costs time.
pub fn setup(backend: Backend) -> Setup {
    Setup {
        backend,
        realtime_epoch_ns: 1_700_000_000_000_000_000,
        monotonic_start: SECOND,
        seed: 7,
        leak_net: true,
        ..Setup::default()
    }
}

/// As [`setup`], but that time shows every call.
pub fn setup_with_charges(backend: Backend) -> Setup {
    Setup { clock_read_charge: NANOSECOND, call_charge: MICROSECOND, ..setup(backend) }
}

enum Link {
    Memory { base: *mut u8, bell: File, bell_of_program: File, _of_program: [OwnedFd; 3] },
    Socket(UnixStream),
}

/// What surrounds the program.
pub trait World {
    /// What happens at once because of what the program did at `now`.
    fn react(&mut self, _now: u64, _event: &Output) -> Vec<Input> {
        Vec::new()
    }
    /// When the next input comes by itself.
    fn next(&self) -> Option<u64> {
        None
    }
    /// What comes then.
    fn happen(&mut self, _now: u64) -> Vec<Input> {
        Vec::new()
    }
}

/// Nothing is there.
pub struct Nothing;
impl World for Nothing {}

#[derive(Debug)]
pub struct Outcome {
    pub hello: Hello,
    pub events: Vec<(u64, Output)>,
    pub printed: String,
    pub complaints: String,
    pub now: u64,
    pub wall: Duration,
    pub yields: u64,
}

impl Outcome {
    pub fn counters(&self) -> Counters {
        counters_of(&self.events)
    }

    pub fn exit_code(&self) -> Option<i32> {
        self.events.iter().find_map(|(_, event)| match event {
            Output::Exited { code } => Some(*code),
            _ => None,
        })
    }

    /// Everything but the counters, which a comparison of back-ends may include, too.
    pub fn assert_success(&self) {
        assert_eq!(self.exit_code(), Some(0), "{:#?}", self);
    }
}

/// What the last yield counted.
pub fn counters_of(events: &[(u64, Output)]) -> Counters {
    let found = events.iter().rev().find_map(|(_, event)| match event {
        Output::Counters(counters) => Some(*counters),
        _ => None,
    });
    found.expect("the last yield has counters")
}

pub struct Run {
    /// None: a copy of a program, whose parent is that program.
    child: Option<Child>,
    link: Link,
    printed: File,
    complaints: File,
    pub hello: Hello,
    frame: Vec<u8>,
}

fn temporary() -> File {
    tempfile::tempfile().expect("a temporary file")
}

impl Run {
    pub fn start(command: Command, setup: &Setup, wire: Wire) -> Self {
        Self::start_with(command, setup, wire, |command, preload, transport| {
            command.env("LD_PRELOAD", preload).env("IRONBIRD_SHIM", transport);
        })
    }

    /// As `start`; how the two variables reach the program is the caller's matter.
    pub fn start_with(
        mut command: Command,
        setup: &Setup,
        wire: Wire,
        give: impl FnOnce(&mut Command, &Path, &str),
    ) -> Self {
        let (link, name, theirs) = open(wire);
        let (printed, complaints) = (temporary(), temporary());
        give(&mut command, shim(), &name);
        start_steady(&mut command);
        command
            .stdin(Stdio::null())
            .stdout(printed.try_clone().expect("a file"))
            .stderr(complaints.try_clone().expect("a file"));
        let mut run = Self {
            child: Some(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))),
            link,
            printed,
            complaints,
            hello: Hello {
                pid: 0,
                backend: setup.backend,
                fsgsbase: false,
                unsteady: Unsteady::default(),
            },
            frame: Vec::new(),
        };
        drop(theirs);
        run.send(&ToProgram::Setup(setup.clone()));
        match run.receive() {
            ToHost::Hello(hello) => run.hello = hello,
            ToHost::Yield(unexpected) => panic!("no hello but {unexpected:?}"),
        }
        run
    }

    /// Forks the program at `now`; it goes on to `until`, the copy waits for its first resume.
    pub fn fork(&mut self, now: u64, until: u64) -> (Yield, Run) {
        let (link, name, _) = open(Wire::Memory);
        if let Link::Memory { base, .. } = &link {
            // The copy speaks first.
            word(*base, memory::TURN).store(memory::PROGRAM, Ordering::SeqCst);
        }
        let descriptors = name.strip_prefix("memory:").expect("descriptors").split(',');
        let path = |descriptor| format!("/proc/{}/fd/{descriptor}", std::process::id());
        let transport = format!("memory:{}", descriptors.map(path).collect::<Vec<_>>().join(","));
        let (folder, output) = (String::new(), String::new());
        let snapshot = Input::Snapshot { transport, folder, output };
        let yielded = self.resume(now, until, vec![snapshot]);
        let hello = Hello { pid: 0, ..self.hello.clone() };
        let (printed, complaints) = (temporary(), temporary());
        let mut copy = Run { child: None, link, printed, complaints, hello, frame: Vec::new() };
        match copy.receive() {
            ToHost::Hello(hello) => copy.hello = hello,
            ToHost::Yield(unexpected) => panic!("no hello but {unexpected:?}"),
        }
        (yielded, copy)
    }

    pub fn resume(&mut self, now: u64, until: u64, events: Vec<Input>) -> Yield {
        self.send(&ToProgram::Resume(Resume { now, until, events }));
        match self.receive() {
            ToHost::Yield(yielded) => yielded,
            ToHost::Hello(_) => panic!("a second hello"),
        }
    }

    fn send(&mut self, frame: &ToProgram) {
        self.frame.clear();
        frame.encode(&mut self.frame);
        match &mut self.link {
            Link::Socket(stream) => {
                let length = (self.frame.len() as u32).to_le_bytes();
                stream
                    .write_all(&length)
                    .and_then(|()| stream.write_all(&self.frame))
                    .expect("the program reads");
            }
            Link::Memory { base, bell_of_program, .. } => unsafe {
                assert!(self.frame.len() <= MAX_FRAME);
                base.add(memory::TO_PROGRAM)
                    .copy_from_nonoverlapping(self.frame.as_ptr(), self.frame.len());
                word(*base, memory::TO_PROGRAM_LENGTH)
                    .store(self.frame.len() as u32, Ordering::Relaxed);
                let turn = word(*base, memory::TURN);
                turn.store(memory::PROGRAM, Ordering::SeqCst);
                if word(*base, memory::PROGRAM_SLEEPS).swap(0, Ordering::SeqCst) != 0 {
                    bell_of_program.write_all(&[0]).expect("the program reads");
                }
            },
        }
    }

    fn receive(&mut self) -> ToHost {
        let frame = match &mut self.link {
            Link::Socket(stream) => {
                let mut length = [0; 4];
                let mut frame = Vec::new();
                let read = stream.read_exact(&mut length).and_then(|()| {
                    frame.resize(u32::from_le_bytes(length) as usize, 0);
                    stream.read_exact(&mut frame)
                });
                if let Err(error) = read {
                    self.give_up(&format!("the program does not answer: {error}"));
                }
                ToHost::decode(&frame)
            }
            Link::Memory { base, .. } => {
                let base = *base;
                self.wait_for_turn(base);
                unsafe {
                    let length =
                        word(base, memory::TO_HOST_LENGTH).load(Ordering::Relaxed) as usize;
                    ToHost::decode(std::slice::from_raw_parts(
                        base.add(memory::TO_HOST),
                        length.min(MAX_FRAME),
                    ))
                }
            }
        };
        frame.expect("the program's frame can be read")
    }

    fn wait_for_turn(&mut self, base: *mut u8) {
        let turn = word(base, memory::TURN);
        for _ in 0..500 {
            if turn.load(Ordering::Acquire) == memory::HOST {
                return;
            }
            std::hint::spin_loop();
        }
        let begun = Instant::now();
        let sleeps = word(base, memory::HOST_SLEEPS);
        while turn.load(Ordering::SeqCst) != memory::HOST {
            sleeps.store(1, Ordering::SeqCst);
            if turn.load(Ordering::SeqCst) != memory::HOST {
                self.wait_at_bell();
            }
            sleeps.store(0, Ordering::SeqCst);
            let gone = self
                .child
                .as_mut()
                .and_then(|child| child.try_wait().expect("the child can be asked"));
            if turn.load(Ordering::SeqCst) != memory::HOST
                && (gone.is_some() || begun.elapsed() > Duration::from_secs(60))
            {
                self.give_up(&format!("the program does not answer ({gone:?})"));
            }
        }
    }

    fn wait_at_bell(&mut self) {
        let Link::Memory { bell, .. } = &mut self.link else { return };
        let mut asked = libc::pollfd { fd: bell.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        if unsafe { libc::poll(&mut asked, 1, 50) } == 1 {
            // How many rings there were does not matter.
            let _ = bell.read(&mut [0; 64]).expect("the bell can be read");
        }
    }

    fn give_up(&mut self, why: &str) -> ! {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
        }
        let (printed, complaints) = (read_back(&self.printed), read_back(&self.complaints));
        panic!("{why}\nprinted:\n{printed}\ncomplaints:\n{complaints}");
    }

    /// Plays the world until the program or the time is over.
    pub fn play(mut self, end: u64, world: &mut dyn World) -> Outcome {
        let begun = Instant::now();
        let mut play = Play::new(end);
        let mut resume = Some(play.first(world));
        while let Some(Resume { now, until, events }) = resume {
            let yielded = self.resume(now, until, events);
            resume = play.next(yielded, world);
        }
        let wall = begun.elapsed();
        let hello = self.hello.clone();
        if let Some(child) = &mut self.child {
            child.wait().expect("the program ends");
        }
        let (printed, complaints) = (read_back(&self.printed), read_back(&self.complaints));
        let Play { now, events, yields, .. } = play;
        Outcome { hello, events, printed, complaints, now, wall, yields }
    }
}

/// A world and its program, one step at a time.
pub struct Play {
    end: u64,
    pub now: u64,
    until: u64,
    pub events: Vec<(u64, Output)>,
    pub yields: u64,
}

impl Play {
    pub fn new(end: u64) -> Self {
        Self { end, now: 0, until: 0, events: Vec::new(), yields: 0 }
    }

    pub fn first(&mut self, world: &dyn World) -> Resume {
        self.resume(Vec::new(), world)
    }

    fn resume(&mut self, events: Vec<Input>, world: &dyn World) -> Resume {
        self.until = world.next().unwrap_or(self.end).min(self.end);
        Resume { now: self.now, until: self.until, events }
    }

    /// What follows a yield; none after the last.
    pub fn next(&mut self, yielded: Yield, world: &mut dyn World) -> Option<Resume> {
        assert!(
            yielded.now >= self.now,
            "the clock went back from {} to {}",
            self.now,
            yielded.now
        );
        self.yields += 1;
        self.now = yielded.now;
        let mut inputs = Vec::new();
        for event in yielded.events {
            inputs.extend(world.react(self.now, &event));
            self.events.push((self.now, event));
        }
        match yielded.reason {
            Reason::Ended => return None,
            Reason::Output => {}
            Reason::Reached if self.now >= self.end => inputs.push(Input::Stop),
            Reason::Reached => {
                assert_eq!(self.now, self.until);
                inputs.extend(world.happen(self.now));
            }
            Reason::Idle => match world.next().filter(|time| *time < self.end) {
                Some(time) => {
                    self.now = time;
                    inputs.extend(world.happen(self.now));
                }
                None => {
                    self.now = self.end;
                    inputs.push(Input::Stop);
                }
            },
        }
        Some(self.resume(inputs, world))
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The file's text from its beginning, whatever its offset is.
fn read_back(mut file: &File) -> String {
    use std::io::Seek;
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).expect("the output can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn word(base: *mut u8, offset: usize) -> &'static AtomicU32 {
    unsafe { &*base.add(offset).cast() }
}

fn open(wire: Wire) -> (Link, String, Option<OwnedFd>) {
    match wire {
        Wire::Socket => {
            let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
            ours.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
            let theirs = OwnedFd::from(theirs);
            inherit(theirs.as_raw_fd());
            (Link::Socket(ours), format!("socket:{}", theirs.as_raw_fd()), Some(theirs))
        }
        Wire::Memory => unsafe {
            let fd = libc::memfd_create(c"shim".as_ptr(), 0);
            assert!(fd >= 0, "memfd_create");
            let file = OwnedFd::from_raw_fd(fd);
            assert_eq!(libc::ftruncate(fd, memory::LENGTH as i64), 0);
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            let base = libc::mmap(
                std::ptr::null_mut(),
                memory::LENGTH,
                protection,
                libc::MAP_SHARED,
                fd,
                0,
            )
            .cast::<u8>();
            assert!(base as isize != -1, "mmap");
            base.add(memory::MAGIC_AT).cast::<u64>().write(memory::MAGIC);
            base.add(memory::VERSION_AT).cast::<u32>().write(u32::from(VERSION));
            let ((bell, bell_of_host), (bell_in_program, bell_of_program)) = (pipe(), pipe());
            let passed = [file, OwnedFd::from(bell_in_program), OwnedFd::from(bell_of_host)];
            passed.iter().for_each(|descriptor| inherit(descriptor.as_raw_fd()));
            let numbers: Vec<_> = passed.iter().map(|fd| fd.as_raw_fd().to_string()).collect();
            let link = Link::Memory { base, bell, bell_of_program, _of_program: passed };
            (link, format!("memory:{}", numbers.join(",")), None)
        },
    }
}

/// The end that is read, and the end that is written to.
fn pipe() -> (File, File) {
    let mut ends = [0; 2];
    unsafe {
        assert_eq!(libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC), 0, "pipe2");
        (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1]))
    }
}

fn inherit(fd: RawFd) {
    unsafe { libc::fcntl(fd, libc::F_SETFD, 0) };
}

/// Runs a program of `tests/programs` by itself, for at most an hour of its time.
pub fn run(
    program: &Path,
    arguments: &[&str],
    setup: &Setup,
    wire: Wire,
    world: &mut dyn World,
) -> Outcome {
    let mut command = Command::new(program);
    command.args(arguments);
    Run::start(command, setup, wire).play(3600 * SECOND, world)
}
