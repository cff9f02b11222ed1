//! Whether all processes that a program has started wait for it.
//!
//! A process waits if each of its threads sleeps in a call of the kernel that has no time-out. If all of them sleep so
//! at one instant, then nothing can go on among them before the program does something: who waits for another one of
//! them waits in vain until then. The instant is found by looking twice. Each look at a thread gives how often it has
//! been switched so far; if no number has changed and nobody is new, then all slept between the two looks.

use super::processes::{family, link, memory, name_of, numbers_in, read, read_text};
use super::sys;
use libc::{c_int, c_long};

/// What is known of a thread.
#[derive(PartialEq, Eq)]
struct Look {
    process: u32,
    thread: u32,
    switches: u64,
}

/// The result of a look at all processes.
pub enum Calm {
    /// All of them wait; how many there are.
    Quiet(usize),
    /// This one does not.
    Busy(Busy),
}

/// Who does not wait, and what it does.
pub struct Busy {
    pub process: u32,
    doing: Doing,
}

enum Doing {
    Runs,
    /// The kernel does not say, of a setuid program for one.
    Hides,
    Ended,
    Calls(c_long),
    /// A descriptor that the program does not hold the other end of.
    Outside(c_long, String),
}

impl Busy {
    /// Whether it has ended, and waits to be noticed by the program.
    pub fn has_ended(&self) -> bool {
        matches!(self.doing, Doing::Ended)
    }

    /// In words.
    pub fn describe(&self) -> String {
        let doing = match &self.doing {
            Doing::Runs => "computes".into(),
            Doing::Hides => "does not show what it does".into(),
            Doing::Ended => "has ended".into(),
            Doing::Calls(number) => format!("is in {}, which ends by itself", call_name(*number)),
            Doing::Outside(number, what) => format!(
                "is in {} at {what}, which does not lead to the program",
                call_name(*number)
            ),
        };
        format!("{} {doing}", name_of(self.process))
    }
}

fn call_name(number: c_long) -> String {
    match super::leaks::name_of(number) {
        "?" => match number {
            libc::SYS_read => "the system call read".into(),
            libc::SYS_write => "the system call write".into(),
            _ => format!("system call {number}"),
        },
        name => format!("the system call {name}"),
    }
}

/// Looks at all processes below the program. `outside` are the files that it was started with.
pub fn look(known: &[u32], outside: &[String]) -> Calm {
    let mut first = Vec::new();
    if let Some(busy) = look_once(known, outside, &mut first) {
        return Calm::Busy(busy);
    }
    let mut second = Vec::new();
    if let Some(busy) = look_once(known, outside, &mut second) {
        return Calm::Busy(busy);
    }
    match first.iter().zip(&second).find(|(before, after)| before != after) {
        Some((_, after)) => Calm::Busy(Busy { process: after.process, doing: Doing::Runs }),
        None if first.len() != second.len() => {
            let process = second.last().map_or(0, |look| look.process);
            Calm::Busy(Busy { process, doing: Doing::Runs })
        }
        None => {
            let mut processes: Vec<u32> = first.iter().map(|look| look.process).collect();
            processes.dedup();
            Calm::Quiet(processes.len())
        }
    }
}

/// One look; the first who does not sleep, if there is one.
fn look_once(known: &[u32], outside: &[String], looks: &mut Vec<Look>) -> Option<Busy> {
    let own = sys::getpid();
    for process in family(known) {
        for thread in numbers_in(&format!("/proc/{process}/task")) {
            let place = format!("/proc/{process}/task/{thread}");
            let Some(status) = Status::read(&place) else { continue };
            match status.state {
                b'S' => {}
                // Of those who ended, the program must notice its own children.
                b'Z' | b'X' if status.parent == own => {
                    return Some(Busy { process, doing: Doing::Ended });
                }
                b'Z' | b'X' => continue,
                _ => return Some(Busy { process, doing: Doing::Runs }),
            }
            if let Some(doing) = not_waiting(process, &place, outside) {
                return Some(Busy { process, doing });
            }
            // The kernel shows the call of a thread only once it has left the processor. If it was on its way then,
            // it has been switched since.
            let switches = status.switches;
            if Status::read(&place).is_none_or(|again| again.switches != switches) {
                return Some(Busy { process, doing: Doing::Runs });
            }
            looks.push(Look { process, thread, switches });
        }
    }
    None
}

/// What `/proc/PID/task/TID/status` says.
struct Status {
    state: u8,
    parent: u32,
    switches: u64,
}

impl Status {
    fn read(place: &str) -> Option<Self> {
        let text = read_text(&format!("{place}/status"))?;
        let field = |name: &str| {
            text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim()
        };
        let number = |name: &str| field(name).parse::<u64>().unwrap_or(0);
        Some(Self {
            state: field("State:").bytes().next().unwrap_or(b'?'),
            parent: number("PPid:") as u32,
            switches: number("voluntary_ctxt_switches:") + number("nonvoluntary_ctxt_switches:"),
        })
    }
}

/// What a sleeping thread does that will end without the program; none if it waits.
fn not_waiting(process: u32, place: &str, outside: &[String]) -> Option<Doing> {
    let Some(text) = read_text(&format!("{place}/syscall")) else { return Some(Doing::Hides) };
    let mut words = text.split_whitespace();
    // "running", or a number and six arguments.
    let Some(number) = words.next().and_then(|word| word.parse::<c_long>().ok()) else {
        return Some(Doing::Runs);
    };
    let arguments: Vec<u64> = words
        .filter_map(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok())
        .collect();
    let argument = |place: usize| arguments.get(place).copied().unwrap_or(0);
    let for_ever = match number {
        libc::SYS_poll => (argument(2) as c_int) < 0,
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => (argument(3) as c_int) < 0,
        libc::SYS_ppoll | libc::SYS_rt_sigtimedwait => argument(2) == 0,
        libc::SYS_select | libc::SYS_pselect6 => argument(4) == 0,
        libc::SYS_futex | libc::SYS_epoll_pwait2 => argument(3) == 0,
        _ => ON_FILES.contains(&number) || FOR_EVER.contains(&number),
    };
    if !for_ever {
        return Some(Doing::Calls(number));
    }
    let files = match number {
        number if ON_FILES.contains(&number) => Some(vec![argument(0) as c_int]),
        libc::SYS_poll | libc::SYS_ppoll => polled(process, argument(0), argument(1)),
        libc::SYS_select | libc::SYS_pselect6 => selected(process, &arguments),
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => {
            watched(process, argument(0) as c_int)
        }
        _ => Some(Vec::new()),
    };
    let Some(files) = files else { return Some(Doing::Hides) };
    let strange = files.into_iter().find_map(|fd| {
        let file = link(&format!("/proc/{process}/fd/{fd}")).unwrap_or_default();
        (!leads_home(&file) || outside.contains(&file)).then_some(file)
    });
    strange.map(|file| Doing::Outside(number, file))
}

/// Calls that wait for the file that is their first argument.
const ON_FILES: [c_long; 11] = [
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
];

/// Calls that wait for a process, a signal, a lock, or the other end of a named pipe.
const FOR_EVER: [c_long; 8] = [
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_pause,
    libc::SYS_rt_sigsuspend,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_open,
    libc::SYS_openat,
];

/// The descriptors of a `poll`.
fn polled(process: u32, list: u64, count: u64) -> Option<Vec<c_int>> {
    const ENTRY: usize = std::mem::size_of::<libc::pollfd>();
    let bytes = memory(process, list, usize::try_from(count).ok()?.checked_mul(ENTRY)?)?;
    let first = |entry: &[u8]| entry.first_chunk().map(|word| c_int::from_ne_bytes(*word));
    Some(bytes.chunks(ENTRY).filter_map(first).filter(|&fd| fd >= 0).collect())
}

/// The descriptors of a `select`.
fn selected(process: u32, arguments: &[u64]) -> Option<Vec<c_int>> {
    let count = *arguments.first()? as usize;
    let mut found = Vec::new();
    for &set in arguments.get(1..4)?.iter().filter(|&&set| set != 0) {
        let bits = memory(process, set, count.div_ceil(64) * 8)?;
        let is_set = |fd: &usize| bits.get(fd / 8).is_some_and(|byte| byte >> (fd % 8) & 1 != 0);
        found.extend((0..count).filter(is_set).map(|fd| fd as c_int));
    }
    Some(found)
}

/// The descriptors in a set of `epoll` (proc_pid_fdinfo(5)).
fn watched(process: u32, set: c_int) -> Option<Vec<c_int>> {
    let text = read_text(&format!("/proc/{process}/fdinfo/{set}"))?;
    let number = |line: &str| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok();
    Some(text.lines().filter_map(number).collect())
}

/// Pipes and sockets of the local domain lead to the program or to another of its children, as do counters of events.
fn leads_home(file: &str) -> bool {
    const KINDS: [&str; 4] =
        ["pipe:", "anon_inode:[eventfd]", "anon_inode:[signalfd]", "anon_inode:[pidfd]"];
    if KINDS.iter().any(|kind| file.starts_with(kind)) {
        return true;
    }
    let Some(inode) = file.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']')) else {
        return false;
    };
    let list = read_text("/proc/self/net/unix").unwrap_or_default();
    list.lines().any(|line| line.split_whitespace().nth(6) == Some(inode))
}

/// What the first three descriptors of the program are.
pub fn files_at_start() -> Vec<String> {
    (0..3).filter_map(|fd| link(&format!("/proc/self/fd/{fd}"))).collect()
}

/// Whether the kernel shows what processes do.
pub fn is_possible(process: u32) -> bool {
    read(&format!("/proc/{process}/syscall")).is_some()
        && read(&format!("/proc/self/task/{}/children", sys::getpid())).is_some()
}
