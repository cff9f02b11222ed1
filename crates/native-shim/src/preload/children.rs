//! Processes that the program has started.
//!
//! They live in wall time, without the shim. So that what they do does not depend on it, they have turns: after
//! everything that the program does that one of them may wait for, the program stands still until all of them
//! [wait](super::quiet) again. To the program, a child takes no time; it waits for as long as the program makes it
//! wait.

use super::nursery::Nursery;
use super::orders::Order;
use super::quiet::{self, Calm};
use super::{arrivals, engine, processes, report, signals, state, sys};
use crate::schedule::{Wait, Wake};
use libc::{c_int, pid_t};
use sys::real_call;

pub struct Children {
    nursery: Nursery,
    /// Those that the program has started and not waited for, in the order of their making.
    list: Vec<Child>,
    /// Processes beside the nursery were there when it was last looked.
    any: bool,
    /// What the program was started with; a child that waits for one of these does not wait for the program.
    outside: Vec<String>,
    /// Ends of processes whose order is not known yet.
    strays: Vec<(u32, c_int)>,
    patience_ms: u64,
    /// In a copy of the program, between `fork` and `exec`: where to tell which process goes on.
    pub copy: Option<c_int>,
}

struct Child {
    /// As the program knows it.
    pid: u32,
    /// As the kernel knows it: a copy of the program hands over to a process of the nursery.
    process: u32,
    /// Where a copy tells its successor.
    report: Option<c_int>,
    status: Option<c_int>,
    /// The program has been told by a signal.
    told: bool,
}

impl Children {
    pub fn new(patience_ms: u64) -> Result<Self, String> {
        notice_ends();
        let outside = quiet::files_at_start();
        let nursery = Nursery::found()?;
        if !quiet::is_possible(nursery.pid) {
            return Err("children need /proc/PID/syscall and /proc/PID/task/TID/children: \
                        without them nobody can tell when a child waits"
                .into());
        }
        Ok(Self {
            nursery,
            list: Vec::new(),
            any: false,
            outside,
            strays: Vec::new(),
            patience_ms,
            copy: None,
        })
    }

    fn known(&self) -> Vec<u32> {
        self.list.iter().filter(|child| child.status.is_none()).map(|child| child.process).collect()
    }
}

/// Whoever ignores SIGCHLD never hears how a child ended; that may be inherited.
fn notice_ends() {
    type Sigaction =
        unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
    // SAFETY: a plain action.
    unsafe {
        let action: libc::sigaction = std::mem::zeroed();
        sys::real!(c"sigaction" as Sigaction)(libc::SIGCHLD, &action, std::ptr::null_mut());
    }
}

/// Whether a descriptor is the shim's own, which the program cannot close.
pub fn owns(fd: c_int) -> bool {
    let Some(children) = get() else { return false };
    children.nursery.owns(fd)
        || children.copy == Some(fd)
        || children.list.iter().any(|child| child.report == Some(fd))
}

/// The children, where they are allowed.
pub fn get() -> Option<&'static mut Children> {
    state().children.as_mut()
}

/// Whether this is a copy of the program that has not yet become another one.
pub fn in_copy() -> bool {
    state().children.as_ref().is_some_and(|children| children.copy.is_some())
}

/// Starts a program; it has had its turn when this returns.
pub fn start(order: &Order) -> Result<u32, c_int> {
    start_with(order, || {})
}

/// As [`start`]; something is done before its turn ends.
pub fn start_with(order: &Order, before: impl FnOnce()) -> Result<u32, c_int> {
    let children = get().ok_or(libc::ENOSYS)?;
    let started = children.nursery.start(order);
    before();
    let pid = started?;
    if children.copy.is_none() {
        children.add(pid, None);
        settle();
    }
    Ok(pid)
}

impl Children {
    /// A new process; a copy of the program comes with the place where it tells its successor.
    pub fn add(&mut self, pid: u32, report: Option<c_int>) {
        self.any = true;
        self.list.push(Child { pid, process: pid, report, status: None, told: false });
    }
}

/// Lets children have their turn: returns when all of them wait for the program, or have ended, and those who have
/// connected stand in line.
pub fn settle() {
    until_quiet();
    arrivals::gather();
}

/// Returns when all children wait for the program, or have ended.
pub fn until_quiet() {
    let Some(children) = get() else { return };
    if !children.any || children.copy.is_some() || state().ended {
        return;
    }
    let began = wall_ms();
    let mut pause = 20_000;
    loop {
        children.reap();
        match quiet::look(&children.known(), &children.outside) {
            Calm::Quiet(count) => {
                children.any = count > 1;
                break;
            }
            Calm::Busy(busy) => {
                let waited = wall_ms() - began;
                if waited >= children.patience_ms {
                    report::restless(&busy.describe(), waited);
                }
                if !busy.has_ended() {
                    sleep_ns(pause);
                    pause = (pause * 3 / 2).min(500_000);
                }
            }
        }
    }
    children.tell();
}

fn wall_ms() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let clock = libc::CLOCK_MONOTONIC as u64;
    // SAFETY: the structure outlives the call.
    unsafe { sys::raw(libc::SYS_clock_gettime, [clock, &raw mut now as u64, 0, 0, 0, 0]) };
    now.tv_sec as u64 * 1000 + now.tv_nsec as u64 / 1_000_000
}

fn sleep_ns(span: i64) {
    let span = libc::timespec { tv_sec: 0, tv_nsec: span };
    // SAFETY: the structure outlives the call.
    unsafe { sys::raw(libc::SYS_nanosleep, [&raw const span as u64, 0, 0, 0, 0, 0]) };
}

impl Children {
    /// Takes note of all processes that have ended.
    fn reap(&mut self) {
        loop {
            let mut status = 0;
            let options = (libc::WNOHANG | libc::__WALL) as u64;
            // SAFETY: the word outlives the call.
            let pid = unsafe {
                sys::raw(libc::SYS_wait4, [u64::MAX, &raw mut status as u64, options, 0, 0, 0])
            };
            if pid <= 0 {
                break;
            }
            if pid as u32 == self.nursery.pid {
                report::broken("the nursery of its children has ended");
            }
            self.strays.push((pid as u32, status));
        }
        let strays = &mut self.strays;
        for child in &mut self.list {
            let mut take = |process: u32| {
                let place = strays.iter().position(|(stray, _)| *stray == process)?;
                Some(strays.remove(place).1)
            };
            if child.status.is_some() {
                continue;
            }
            child.status = take(child.process);
            if child.status.is_some()
                && let Some(report) = child.report.take()
            {
                let mut successor = 0u32;
                // SAFETY: the descriptor is the shim's own; the word outlives the call.
                let told = unsafe {
                    let to = &raw mut successor as u64;
                    sys::raw(libc::SYS_read, [report as u64, to, 4, 0, 0, 0]) == 4
                };
                sys::close(report);
                if told {
                    child.process = successor;
                    child.status = take(successor);
                }
            }
        }
        // Others are orphans that nobody waits for, or successors that their copy has yet to name.
        if self.list.iter().all(|child| child.report.is_none()) {
            self.strays.clear();
        }
    }

    /// Tells the program who has ended.
    fn tell(&mut self) {
        let mut ended = 0;
        for child in &mut self.list {
            if child.status.is_some() && !child.told {
                child.told = true;
                ended += 1;
            }
        }
        for _ in 0..ended {
            signals::send_to_process(libc::SIGCHLD);
        }
        if ended > 0 {
            wake_waiters();
            engine::set_horizon();
        }
    }
}

fn wake_waiters() {
    let state = state();
    while let Some(id) = state.scheduler.first_waiter(|on| matches!(on, Wait::Child(_))) {
        state.scheduler.wake(id, Wake::Given);
    }
}

/// Whether a process is the program or below it.
pub fn is_family(process: u32) -> bool {
    process == sys::getpid()
        || get().is_some_and(|children| processes::family(&children.known()).contains(&process))
}

/// The kernel's number of a child that the program knows by its own.
pub fn process_of(pid: pid_t) -> Option<u32> {
    let children = get()?;
    let child =
        children.list.iter().find(|child| child.pid == pid as u32 && child.status.is_none());
    child.map(|child| child.process)
}

/// Ends all that is still there, the nursery as well.
pub fn end_all() {
    let Some(children) = get() else { return };
    if children.copy.is_some() {
        return;
    }
    let kill = |process: u32| {
        // SAFETY: no memory is touched.
        unsafe { sys::raw(libc::SYS_kill, [u64::from(process), libc::SIGKILL as u64, 0, 0, 0, 0]) };
    };
    if children.any {
        processes::family(&children.known()).into_iter().for_each(kill);
    } else {
        kill(children.nursery.pid);
    }
    // They are gone in no time, unless the kernel is busy with one of them.
    for _ in 0..1000 {
        let options = (libc::WNOHANG | libc::__WALL) as u64;
        // SAFETY: the kernel writes no status.
        match unsafe { sys::raw(libc::SYS_wait4, [u64::MAX, 0, options, 0, 0, 0]) } {
            0 => sleep_ns(100_000),
            ended if ended > 0 => {}
            _ => break,
        }
    }
}

/// Who is there and what for, for a message about a deadlock.
pub fn describe(pid: u32) -> String {
    let Some(children) = get() else { return "the end of a child".into() };
    let waited = children.list.iter().filter(|child| pid == 0 || child.pid == pid);
    let names: Vec<String> = waited.map(|child| processes::name_of(child.process)).collect();
    format!("the end of {}, and all children wait for the program", names.join(" or "))
}

/// A child that ended, as `wait` says it. `Ok(None)`: there is one, but it has not ended.
fn find(which: pid_t) -> Result<Option<usize>, c_int> {
    let Some(children) = get() else { return Err(libc::ECHILD) };
    let meant = |child: &Child| which <= 0 || child.pid == which as u32;
    if !children.list.iter().any(meant) {
        return Err(libc::ECHILD);
    }
    Ok(children.list.iter().position(|child| meant(child) && child.status.is_some()))
}

/// Waits in virtual time. The process and its status; none if the caller does not want to wait.
pub fn wait_for(which: pid_t, options: c_int) -> Result<Option<(u32, c_int)>, c_int> {
    loop {
        if let Some(place) = find(which)? {
            let Some(children) = get() else { return Err(libc::ECHILD) };
            let child = &children.list[place];
            let found = (child.pid, child.status.unwrap_or(0));
            if options & libc::WNOWAIT == 0 {
                children.list.remove(place);
            }
            return Ok(Some(found));
        }
        if options & libc::WNOHANG != 0 {
            return Ok(None);
        }
        let woken = engine::block(Wait::Child(which.max(0) as u32), None);
        if woken == Wake::Interrupted && !signals::call_goes_on() {
            return Err(libc::EINTR);
        }
    }
}

/// Sends a signal to a child, which then has its turn.
pub unsafe fn kill(process: u32, number: c_int) -> c_int {
    let result = real_call!(libc::SYS_kill, process, number) as c_int;
    super::kernel::stirred();
    result
}
