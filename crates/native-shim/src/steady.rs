//! Before a program starts: what of its memory the kernel chooses anew in each run is made the same in every run.
//!
//! ```text
//!  the child of a fork, or who becomes the program        a helper
//!    personality: nothing is placed at random
//!    limit of the stack: its address space is laid out by it
//!    makes the helper, waits for it               ──────►  traces it (ptrace)
//!    exec ──► stands still before the first instruction ─► writes AT_RANDOM, lets go of it, ends
//! ```
//!
//! What the system refuses is left as it is: the preload library sees that at its start, and tells it
//! ([`Unsteady`](crate::protocol::Unsteady)).
#![allow(unsafe_code, unsafe_op_in_unsafe_fn)]

use crate::protocol::RANDOM_AT_START;
use libc::{c_int, c_long, c_void, pid_t};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The limit of a program's first stack, while it begins: what the kernel and the loader put there, as long as arguments
/// and environment may be, leaves as much as is usual on Linux.
pub const STACK_AT_START: u64 = 12 << 20;

/// The loader's variable (ld.so(8)); the preload library takes it away.
const BIND_NOW: &str = "LD_BIND_NOW";

/// Lets a command start with the same memory each time. The bytes that the kernel draws for it (`AT_RANDOM`) are
/// [`RANDOM_AT_START`].
pub fn start_steady(command: &mut Command) {
    // Who binds a function when it is first called leaves on the stack what the registers held.
    command.env(BIND_NOW, "1");
    // SAFETY: between fork and exec there are system calls and nothing else: no memory is allocated, no lock is taken.
    unsafe {
        command.pre_exec(move || {
            place_nothing_at_random();
            limit_stack();
            replace_random_bytes(RANDOM_AT_START);
            Ok(())
        });
    }
}

/// Sets the personality, which outlives exec.
unsafe fn place_nothing_at_random() {
    const ASK: libc::c_ulong = 0xffff_ffff;
    let now = libc::personality(ASK);
    if now >= 0 {
        let fixed = (now | libc::ADDR_NO_RANDOMIZE) & !libc::ADDR_COMPAT_LAYOUT;
        libc::personality(fixed as libc::c_ulong);
    }
}

/// With no limit at all, the kernel lays out the address space the other way round.
unsafe fn limit_stack() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    if libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0 {
        limit.rlim_cur = STACK_AT_START;
        // Only some may go above what they were given.
        limit.rlim_max = limit.rlim_max.max(STACK_AT_START);
        libc::setrlimit(libc::RLIMIT_STACK, &limit);
    }
}

/// A new process, as fork(2) makes it, but for telling its end to nobody; 0 in the new one.
unsafe fn fork_quietly() -> c_long {
    libc::syscall(libc::SYS_clone, 0, 0, 0, 0, 0)
}

/// Leaves a helper behind that writes the bytes once this thread has become the program. It is nobody's child, so that the
/// program does not find it.
unsafe fn replace_random_bytes(random: [u8; 16]) {
    let own = libc::syscall(libc::SYS_gettid) as pid_t;
    let mut ends = [0; 2];
    if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
        return;
    }
    let between = fork_quietly();
    if between == 0 {
        if fork_quietly() == 0 {
            libc::close(ends[0]);
            help(own, ends[1], random);
        }
        libc::_exit(0);
    }
    libc::close(ends[1]);
    if between > 0 {
        again(|| libc::waitpid(between as pid_t, std::ptr::null_mut(), libc::__WALL) as isize);
        // The helper's word that it is there, or its end.
        let mut word = [0u8];
        again(|| libc::read(ends[0], word.as_mut_ptr().cast(), 1));
    }
    libc::close(ends[0]);
}

/// Repeats what a signal has interrupted.
fn again(mut call: impl FnMut() -> isize) -> isize {
    loop {
        let done = call();
        if done >= 0 || io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return done;
        }
    }
}

/// What a ptrace request wants as a number.
fn number(value: c_long) -> *mut c_void {
    value as *mut c_void
}

/// Traces a thread until it has executed a program; never returns.
unsafe fn help(traced: pid_t, tells: c_int, random: [u8; 16]) -> ! {
    let nothing = number(0);
    let options = number(c_long::from(libc::PTRACE_O_TRACEEXEC));
    if libc::ptrace(libc::PTRACE_SEIZE, traced, nothing, options) != 0 {
        libc::_exit(1);
    }
    libc::write(tells, [0u8].as_ptr().cast(), 1);
    libc::close(tells);
    loop {
        let mut status = 0;
        let stopped = again(|| libc::waitpid(-1, &raw mut status, libc::__WALL) as isize) as pid_t;
        if stopped < 0 || !libc::WIFSTOPPED(status) {
            libc::_exit(0);
        }
        let (event, signal) = (status >> 16, libc::WSTOPSIG(status));
        match event {
            libc::PTRACE_EVENT_EXEC => {
                write_random_bytes(stopped, random);
                libc::ptrace(libc::PTRACE_DETACH, stopped, nothing, nothing);
                libc::_exit(0);
            }
            libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => {
                libc::ptrace(libc::PTRACE_LISTEN, stopped, nothing, nothing);
            }
            libc::PTRACE_EVENT_STOP => {
                libc::ptrace(libc::PTRACE_CONT, stopped, nothing, nothing);
            }
            _ => {
                libc::ptrace(libc::PTRACE_CONT, stopped, nothing, number(signal.into()));
            }
        }
    }
}

/// The kernel has told the program where they are (getauxval(3)), on its new stack.
unsafe fn write_random_bytes(program: pid_t, random: [u8; 16]) {
    let mut facts = [[0u64; 2]; 64];
    let file = libc::open(auxv_of(program).as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC);
    if file < 0 {
        return;
    }
    again(|| libc::read(file, facts.as_mut_ptr().cast(), size_of_val(&facts)));
    libc::close(file);
    if let Some([_, place]) = facts.iter().find(|[name, _]| *name == libc::AT_RANDOM) {
        for (at, word) in random.chunks_exact(size_of::<c_long>()).enumerate() {
            let word = c_long::from_ne_bytes([
                word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7],
            ]);
            let place = number((place + 8 * at as u64) as c_long);
            libc::ptrace(libc::PTRACE_POKEDATA, program, place, number(word));
        }
    }
}

/// `/proc/PID/auxv` with a zero behind it, written without memory of the heap.
fn auxv_of(process: pid_t) -> [u8; 32] {
    use std::io::Write;
    let mut path = [0u8; 32];
    let _ = write!(&mut path[..31], "/proc/{process}/auxv");
    path
}
