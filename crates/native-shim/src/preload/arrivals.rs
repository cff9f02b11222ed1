//! Connections to a local socket of the program that wait to be accepted.
//!
//! Children that run side by side connect in an order that is wall time's. The program goes on only when all of them
//! wait, so it may take all connections of a turn out of the kernel at once. It accepts them turn by turn, and those of
//! one turn in the order in which their makers were born:
//!
//! ```text
//!   program ── script ─┬─ subshell ── a      (a; …) &   [script, subshell, a]   first: the subshell is older than b
//!                      └─ b                  b          [script, b]
//! ```
//!
//! A maker is known by its [line](births), and lines are compared from the oldest on. Each process makes its own
//! children one after another, so this order is the same in each run, though here a and b are born side by side. Whose
//! parent has ended is a child of the program; who has ended itself is known by its own number alone. Both count as
//! younger than what is left of their line. Several connections of one process stay as they are.

use super::objects::Kind;
use super::{children, kernel, processes, state, sys};
use libc::{c_int, socklen_t};
use std::collections::VecDeque;

#[derive(Default)]
pub struct Arrivals {
    /// The program accepts here. What it only made may be for a child that has inherited it.
    is_served: bool,
    /// Connections in order, as descriptors of the shim.
    queue: VecDeque<c_int>,
}

impl Arrivals {
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub fn holds(&self, fd: c_int) -> bool {
        self.queue.contains(&fd)
    }

    /// Those who wait are let go with the socket.
    pub fn refuse(&self) {
        self.queue.iter().copied().for_each(sys::close);
    }
}

fn at(listener: u32) -> Option<&'static mut Arrivals> {
    match &mut state().objects.get(listener).kind {
        Kind::Kernel(kernel) => Some(&mut kernel.arrivals),
        _ => None,
    }
}

/// The program accepts connections here from now on.
pub fn serve(listener: u32) {
    let Some(arrivals) = at(listener) else { return };
    if !std::mem::replace(&mut arrivals.is_served, true) {
        gather();
    }
}

/// The connection that is next to be accepted; it stays until it is [taken](take_first).
pub fn first(listener: u32) -> Option<c_int> {
    at(listener)?.queue.front().copied()
}

pub fn take_first(listener: u32) {
    if let Some(arrivals) = at(listener) {
        arrivals.queue.pop_front();
    }
}

/// Takes all new connections out of the kernel. Everybody waits.
pub fn gather() {
    if children::in_copy() {
        return;
    }
    let mut fresh = Vec::new();
    while take_new(&mut fresh) {
        // There is room for those whom the kernel would not let connect yet; they belong to the same turn.
        children::until_quiet();
    }
    if fresh.len() > 1 {
        let limit = processes::limit();
        fresh.sort_by_cached_key(|&(_, connection)| births(peer_of(connection), limit));
    }
    for (listener, connection) in fresh {
        if let Some(arrivals) = at(listener) {
            arrivals.queue.push_back(connection);
        }
    }
}

/// Adds what is new at all sockets, in the kernel's order. Whether there was anything.
fn take_new(fresh: &mut Vec<(u32, c_int)>) -> bool {
    let before = fresh.len();
    for (listener, object) in state().objects.iter() {
        if let Kind::Kernel(kernel) = &object.kind
            && kernel.arrivals.is_served
        {
            fresh.extend(std::iter::from_fn(|| accept(kernel.fd)).map(|made| (listener, made)));
        }
    }
    fresh.len() > before
}

/// A connection that is there already, at a descriptor out of the program's way.
fn accept(listener: c_int) -> Option<c_int> {
    if kernel::readiness(listener) & libc::POLLIN == 0 {
        return None;
    }
    let close_by_exec = libc::SOCK_CLOEXEC as u64;
    // SAFETY: the address is not asked for.
    let made = unsafe { sys::raw(libc::SYS_accept4, [listener as u64, 0, 0, close_by_exec, 0, 0]) }
        as c_int;
    if made < 0 {
        return None;
    }
    let high = sys::high_copy(made);
    sys::close(made);
    (high >= 0).then_some(high)
}

/// The process at the other end of a connection, as it was when that was made; 0 if the kernel does not say.
pub fn peer_of(connection: c_int) -> u32 {
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = std::mem::size_of::<libc::ucred>() as socklen_t;
    let (level, option) = (libc::SOL_SOCKET as u64, libc::SO_PEERCRED as u64);
    let (to, room) = (&raw mut peer as u64, &raw mut size as u64);
    // SAFETY: both outlive the call.
    unsafe { sys::raw(libc::SYS_getsockopt, [connection as u64, level, option, to, room, 0]) };
    peer.pid.max(0) as u32
}

/// When a process and those above it were born, the oldest first; empty for the program itself. The kernel gives
/// numbers in turn and begins again after `limit`: all that is below the program came after it.
fn births(process: u32, limit: u32) -> Vec<u32> {
    let own = sys::getpid();
    let above = |&process: &u32| processes::parent_of(process).filter(|&parent| parent != 0);
    let line = std::iter::successors(Some(process), above).take_while(|&process| process != own);
    let mut births: Vec<u32> = line.map(|process| (process + limit - own) % limit).collect();
    births.reverse();
    births
}
