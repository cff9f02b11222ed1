//! Whether all processes that a program has started wait for it.
//!
//! A process waits if each of its threads sleeps in a call of the kernel that has no time-out. If all of them sleep so
//! at one instant, then nothing can go on among them before the program does something: who waits for another one of
//! them waits in vain until then. The instant is found by looking twice. Each look at a thread gives how often it has
//! been switched so far; if no number has changed and nobody is new, then all slept between the two looks.

use super::sys;
use libc::{c_int, c_long};

/// Reads a small file of `/proc`; none if it is not there.
fn read(path: &str) -> Option<Vec<u8>> {
    let name = format!("{path}\0");
    // SAFETY: the path ends with a zero; the buffer is valid for its length.
    unsafe {
        let flags = (libc::O_RDONLY | libc::O_CLOEXEC) as u64;
        let at = libc::AT_FDCWD as u64;
        let fd = sys::raw(libc::SYS_openat, [at, name.as_ptr() as u64, flags, 0, 0, 0]);
        if fd < 0 {
            return None;
        }
        let mut text = vec![0; 4096];
        let mut length = 0;
        loop {
            let (to, left) = (text.as_mut_ptr().add(length) as u64, (text.len() - length) as u64);
            let count = sys::raw(libc::SYS_read, [fd as u64, to, left, 0, 0, 0]);
            if count <= 0 {
                break;
            }
            length += count as usize;
            if length == text.len() {
                text.resize(2 * length, 0);
            }
        }
        sys::raw(libc::SYS_close, [fd as u64, 0, 0, 0, 0, 0]);
        text.truncate(length);
        Some(text)
    }
}

fn read_text(path: &str) -> Option<String> {
    read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The numbers among the names in a folder, in order.
pub fn numbers_in(path: &str) -> Vec<u32> {
    let name = format!("{path}\0");
    let mut found = Vec::new();
    // SAFETY: the path ends with a zero; the kernel writes whole entries into the buffer.
    unsafe {
        let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
        let at = libc::AT_FDCWD as u64;
        let fd = sys::raw(libc::SYS_openat, [at, name.as_ptr() as u64, flags, 0, 0, 0]);
        if fd < 0 {
            return found;
        }
        // On the heap: threads may have small stacks.
        let mut buffer = vec![0u64; 1024];
        loop {
            let (to, room) =
                (buffer.as_mut_ptr() as u64, std::mem::size_of_val(&buffer[..]) as u64);
            let count = sys::raw(libc::SYS_getdents64, [fd as u64, to, room, 0, 0, 0]);
            if count <= 0 {
                break;
            }
            let mut place = 0;
            while place < count as usize {
                // Its length at 16, its name from 19 on.
                let entry = buffer.as_ptr().cast::<u8>().add(place);
                let name = std::ffi::CStr::from_ptr(entry.add(19).cast());
                found.extend(name.to_str().ok().and_then(|name| name.parse::<u32>().ok()));
                place += usize::from(entry.add(16).cast::<u16>().read_unaligned());
            }
        }
        sys::raw(libc::SYS_close, [fd as u64, 0, 0, 0, 0, 0]);
    }
    found.sort_unstable();
    found
}

/// Where a link of `/proc` leads.
fn link(path: &str) -> Option<String> {
    let name = format!("{path}\0");
    let mut buffer = [0u8; 256];
    // SAFETY: the path ends with a zero; the buffer is valid for its length.
    let length = unsafe {
        let (to, room) = (buffer.as_mut_ptr() as u64, buffer.len() as u64);
        sys::raw(libc::SYS_readlink, [name.as_ptr() as u64, to, room, 0, 0, 0])
    };
    let text = buffer.get(..usize::try_from(length).ok()?)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

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

/// Command line and number of a process.
pub fn name_of(process: u32) -> String {
    let mut words = read(&format!("/proc/{process}/cmdline")).unwrap_or_default();
    words.truncate(200);
    let words = String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ");
    format!("`{words}` (process {process})")
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

/// Children of a process, in the order of their making. Threads of a process have children each of their own.
fn children_of(process: u32, threads: &[u32]) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in threads {
        let text = read_text(&format!("/proc/{process}/task/{thread}/children"));
        found.extend(
            text.unwrap_or_default().split_whitespace().filter_map(|word| word.parse::<u32>().ok()),
        );
    }
    found
}

/// All processes below the program, the nursery among them. `known` are those that it has made itself.
pub fn family(known: &[u32]) -> Vec<u32> {
    let own = sys::getpid();
    let mut all: Vec<u32> = known.to_vec();
    all.extend(children_of(own, &[own]));
    let mut place = 0;
    while place < all.len() {
        let process = all[place];
        if all[..place].contains(&process) {
            all.remove(place);
            continue;
        }
        let threads = numbers_in(&format!("/proc/{process}/task"));
        all.extend(children_of(process, &threads));
        place += 1;
    }
    all
}

/// Looks at all processes below the program. `outside` are the files that it was started with.
pub fn look(known: &[u32], outside: &[String]) -> Calm {
    let mut first = Vec::new();
    if let Some(busy) = look_once(known, outside, true, &mut first) {
        return Calm::Busy(busy);
    }
    let mut second = Vec::new();
    if let Some(busy) = look_once(known, outside, false, &mut second) {
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
fn look_once(
    known: &[u32],
    outside: &[String],
    with_calls: bool,
    looks: &mut Vec<Look>,
) -> Option<Busy> {
    let own = sys::getpid();
    for process in family(known) {
        for thread in numbers_in(&format!("/proc/{process}/task")) {
            let place = format!("/proc/{process}/task/{thread}");
            let Some(status) = read_text(&format!("{place}/status")) else { continue };
            let field = |name: &str| {
                status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim()
            };
            let number = |name: &str| field(name).parse::<u64>().unwrap_or(0);
            match field("State:").as_bytes().first() {
                Some(b'S') => {}
                // Of those who ended, the program must notice its own children.
                Some(b'Z' | b'X') if number("PPid:") == u64::from(own) => {
                    return Some(Busy { process, doing: Doing::Ended });
                }
                Some(b'Z' | b'X') => continue,
                _ => return Some(Busy { process, doing: Doing::Runs }),
            }
            if with_calls && let Some(doing) = not_waiting(process, &place, outside) {
                return Some(Busy { process, doing });
            }
            let switches =
                number("voluntary_ctxt_switches:") + number("nonvoluntary_ctxt_switches:");
            looks.push(Look { process, thread, switches });
        }
    }
    None
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
        libc::SYS_read
        | libc::SYS_readv
        | libc::SYS_recvfrom
        | libc::SYS_recvmsg
        | libc::SYS_accept
        | libc::SYS_accept4
        | libc::SYS_connect
        | libc::SYS_write
        | libc::SYS_writev
        | libc::SYS_sendto
        | libc::SYS_sendmsg => {
            let file = link(&format!("/proc/{process}/fd/{}", argument(0) as c_int));
            let file = file.unwrap_or_default();
            if !leads_home(&file) || outside.contains(&file) {
                return Some(Doing::Outside(number, file));
            }
            true
        }
        libc::SYS_wait4
        | libc::SYS_waitid
        | libc::SYS_pause
        | libc::SYS_rt_sigsuspend
        | libc::SYS_flock
        | libc::SYS_fcntl
        | libc::SYS_open
        | libc::SYS_openat => true,
        libc::SYS_poll | libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            let milliseconds = argument(if number == libc::SYS_poll { 2 } else { 3 });
            (milliseconds as c_int) < 0
        }
        libc::SYS_ppoll | libc::SYS_rt_sigtimedwait => argument(2) == 0,
        libc::SYS_select | libc::SYS_pselect6 => argument(4) == 0,
        libc::SYS_futex | libc::SYS_epoll_pwait2 => argument(3) == 0,
        _ => false,
    };
    if for_ever { None } else { Some(Doing::Calls(number)) }
}

/// Pipes and sockets of the local domain lead to the program or to another of its children.
fn leads_home(file: &str) -> bool {
    if file.starts_with("pipe:") {
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
