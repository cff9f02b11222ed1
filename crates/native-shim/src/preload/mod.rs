//! The library that is preloaded into the program.
//!
//! It replaces functions of libc by its own of the same name. One thread of the program runs at a time and threads
//! change only inside these functions, so the state below is never seen by two threads at once.
//!
//! Pointers that come from the program are as good as those that it would give to libc: what libc's manual demands of
//! a caller is what every exported function here demands. Where nothing else is said, this is the reason why a block
//! is safe.
#![allow(unsafe_code, unsafe_op_in_unsafe_fn, static_mut_refs, clippy::missing_safety_doc)]

mod allocator;
mod alone;
mod apart;
mod arrivals;
mod bus;
mod c11;
mod callers;
mod child_waits;
mod children;
mod clocks;
mod conditions;
mod copies;
mod disks;
mod engine;
mod epoll;
mod files;
mod folders;
mod futex;
mod heap_key;
mod host_memory;
mod inner_host;
mod kernel;
mod kill;
mod leaks;
mod loader_heap;
mod locks;
mod machine;
mod main_stack;
mod messages;
mod network;
mod nursery;
mod objects;
mod once;
mod orders;
mod paths;
mod pipes;
mod places;
mod poll;
mod print;
mod priorities;
mod processes;
mod programs;
mod quiet;
mod random;
mod report;
mod rwlocks;
mod semaphores;
mod serial;
mod shared_memory;
mod signal_waits;
mod signals;
mod sockets;
mod spawn;
mod status;
mod streams;
mod switch;
mod sys;
mod temporary;
mod threads;
mod timers;
mod transmit;
mod transport;

use crate::protocol::{
    Backend, Children, Counters, Hello, Setup, SplitMix64, ToHost, ToProgram, Unsteady,
};
use crate::schedule::{Scheduler, ThreadId};
use allocator::for_line;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use transport::Transport;

#[global_allocator]
static MEMORY: allocator::Memory = allocator::Memory::new();

/// Everything that the shim knows.
pub struct State {
    pub scheduler: Scheduler,
    /// The virtual clock, in picoseconds.
    pub now: u64,
    /// What the host granted.
    pub until: u64,
    /// When the clock reaches this, there is more to do than to count: a deadline, the end of the grant, a signal.
    pub horizon: u64,
    /// The thread that runs.
    pub current: ThreadId,
    pub coroutines: bool,
    pub setup: Setup,
    pub counters: Counters,
    /// Clock reads since the last other call, for the spin rule.
    pub reads_in_a_row: u32,
    /// Boxed: pthreads know the addresses.
    #[allow(clippy::vec_box)]
    pub threads: Vec<Box<threads::Native>>,
    pub keys: BTreeMap<u32, threads::KeyDestructor>,
    pub objects: objects::Objects,
    pub ports: BTreeMap<u32, objects::Port>,
    pub timers: timers::Timers,
    pub signals: signals::Signals,
    pub transfers: BTreeMap<u32, Option<bus::Answer>>,
    pub random: SplitMix64,
    pub opened: Vec<bool>,
    /// None where other programs are refused.
    pub children: Option<children::Children>,
    pub opened_programs: programs::Opened,
    pub streams: paths::Streams,
    pub numbers: status::Numbers,
    pub listings: Vec<folders::Listing>,
    /// What of its memory is another in each run.
    pub unsteady: Unsteady,
    /// Its parent, as it was when the program began.
    pub parent: libc::pid_t,
    /// The folder in which the program began.
    pub home: String,
    /// Files outside of it that the program has written.
    pub outside: BTreeSet<String>,
    pub transport: Transport,
    pub board: transport::Board,
    pub buffer: Vec<u8>,
    /// Events that wait for the next yield.
    pub outputs: Vec<crate::protocol::Output>,
    pub ended: bool,
}

static mut STATE: *mut State = std::ptr::null_mut();

/// The state of the shim. A reference must not be kept over anything that may switch threads.
#[inline(always)]
pub fn state() -> &'static mut State {
    // SAFETY: one thread runs at a time, and every exported function begins with `ready`.
    unsafe { &mut *STATE }
}

/// Whether the shim has started. False only inside its own start.
#[inline(always)]
pub fn ready() -> bool {
    // SAFETY: a word that is set once.
    if unsafe { STATE.is_null() } { start() } else { true }
}

static mut STARTING: bool = false;

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = {
    extern "C" fn at_load() {
        ready();
        for_line(leaks::close_the_net);
    }
    at_load
};

#[cold]
fn start() -> bool {
    // SAFETY: the program has one thread when the first of its calls arrives here.
    unsafe {
        if STARTING {
            return false;
        }
        STARTING = true;
    }
    std::panic::set_hook(Box::new(|panic| report::broken(&panic.to_string())));
    let mut transport_name = None;
    // SAFETY: the variable's name ends with a zero; its value is copied before it is removed.
    unsafe {
        let value = libc::getenv(c"IRONBIRD_SHIM".as_ptr());
        if !value.is_null() {
            let name = || CStr::from_ptr(value).to_string_lossy().into_owned();
            transport_name = Some(for_line(name));
        }
        libc::unsetenv(c"IRONBIRD_SHIM".as_ptr());
        close_own_file();
        libc::unsetenv(c"LD_PRELOAD".as_ptr());
        libc::unsetenv(c"LD_BIND_NOW".as_ptr());
    }
    let Some(name) = transport_name else {
        sys::complain("IRONBIRD_SHIM is not set: this library is loaded by `host.native` only");
        sys::end(70);
    };
    loader_heap::begin();
    let transport = Transport::open(&name).unwrap_or_else(|error| give_up(&error));
    alone::pretend_not();
    let setup = match for_line(|| transport.receive()) {
        Ok(ToProgram::Setup(setup)) => setup,
        Ok(ToProgram::Resume(_)) => give_up("the host resumed before it sent a setup"),
        Err(error) => give_up(&error),
    };
    let coroutines = setup.backend == Backend::Coroutines && switch::has_coroutines();
    let mut buffer = Vec::new();
    let backend = if coroutines { Backend::Coroutines } else { Backend::KernelThreads };
    let unsteady = main_stack::unsteady();
    heap_key::replace(SplitMix64::new(setup.seed).next() | 1);
    let hello = Hello { pid: sys::getpid(), backend, fsgsbase: has_fsgsbase(), unsteady };
    let hello = ToHost::Hello(hello);
    if let Err(error) = transport.send(&hello, &mut buffer) {
        give_up(&error);
    }
    if !setup.folder.is_empty() {
        let folder = for_line(|| format!("{}\0", setup.folder));
        // SAFETY: the path ends with a zero.
        if unsafe { sys::raw(libc::SYS_chdir, [folder.as_ptr() as u64, 0, 0, 0, 0, 0]) } < 0 {
            give_up(&format!("cannot enter the working folder `{}`", setup.folder));
        }
    }
    let children = match setup.children {
        Children::Refused => None,
        Children::Helpers { patience_ms } => {
            Some(children::Children::new(patience_ms).unwrap_or_else(|error| give_up(&error)))
        }
    };
    let mut scheduler = Scheduler::default();
    let main = scheduler.spawn("main".into(), 0);
    scheduler.pick();
    let state = State {
        scheduler,
        now: 0,
        until: 0,
        horizon: 0,
        current: main,
        coroutines,
        random: SplitMix64::new(setup.seed),
        opened: vec![false; setup.devices.len()],
        ports: serial::ports(&setup.devices),
        setup,
        children,
        opened_programs: programs::Opened::default(),
        streams: paths::Streams::default(),
        numbers: status::Numbers::default(),
        listings: Vec::new(),
        unsteady,
        parent: sys::getppid(),
        home: for_line(sys::current_folder),
        outside: BTreeSet::new(),
        counters: Counters::default(),
        reads_in_a_row: 0,
        threads: vec![threads::Native::main()],
        keys: BTreeMap::new(),
        objects: objects::Objects::default(),
        timers: timers::Timers::default(),
        signals: signals::Signals::default(),
        transfers: BTreeMap::new(),
        board: transport::Board::of(&transport),
        transport,
        buffer,
        outputs: Vec::new(),
        ended: false,
    };
    // SAFETY: from here on every call finds the state.
    unsafe { STATE = Box::into_raw(Box::new(state)) };
    one_arena_for_each_of_few();
    main_stack::limit_stacks_of_threads();
    report::watch_for_the_end();
    print::line_by_line();
    engine::first_resume();
    true
}

/// libc makes a heap for each thread, up to a number that depends on the processors of this machine: here as for one.
fn one_arena_for_each_of_few() {
    const OF_ONE_PROCESSOR: libc::c_int = 8;
    // SAFETY: the program has one thread.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, OF_ONE_PROCESSOR) };
}

/// The library is loaded: the descriptor by which it was found, if it was one, is the program's to use.
unsafe fn close_own_file() {
    let value = libc::getenv(c"LD_PRELOAD".as_ptr());
    if value.is_null() {
        return;
    }
    let name = CStr::from_ptr(value).to_bytes();
    let number = name.strip_prefix(b"/proc/self/fd/").and_then(|n| std::str::from_utf8(n).ok());
    if let Some(fd) = number.and_then(|number| number.parse().ok()) {
        sys::close(fd);
    }
}

fn give_up(why: &str) -> ! {
    sys::complain(why);
    sys::end(70)
}

/// Whether the kernel lets programs set the FS base (bit 1 of AT_HWCAP2).
fn has_fsgsbase() -> bool {
    // SAFETY: no memory is touched.
    unsafe { libc::getauxval(libc::AT_HWCAP2) & 2 != 0 }
}
