//! Open files that are not files: what the program's descriptors stand for.
//!
//! A descriptor's number is reserved by opening `/dev/null`, so that the kernel never gives it to a real file.

use super::{engine, state, sys, timers};
use crate::schedule::{Wait, Wake};
use libc::c_int;
use std::collections::{BTreeMap, VecDeque};

/// An open file description; several descriptors may stand for one.
pub struct Object {
    pub kind: Kind,
    pub nonblocking: bool,
    references: u32,
}

impl Object {
    pub fn new(kind: Kind, nonblocking: bool) -> Self {
        Self { kind, nonblocking, references: 0 }
    }
}

pub enum Kind {
    Event {
        count: u64,
        semaphore: bool,
    },
    Timer {
        timer: u32,
    },
    Epoll {
        interests: Vec<super::epoll::Interest>,
    },
    Spi {
        bus: u32,
        chip: u8,
        mode: u32,
        bits: u8,
        speed: u32,
    },
    I2c {
        bus: u32,
        address: u16,
    },
    Serial {
        port: u32,
    },
    Random,
    Datagram(super::sockets::Datagram),
    Stream(super::streams::Stream),
    /// The end of a pipe, or both ways of a pair of sockets.
    Pipe {
        read: Option<u32>,
        write: Option<u32>,
    },
    /// A pipe or a local socket that children share.
    Kernel(super::kernel::Kernel),
}

/// A stream of bytes between the host and the program: a serial port or a connection.
#[derive(Default)]
pub struct Port {
    pub input: VecDeque<u8>,
    /// Somebody has connected and waits to be accepted.
    pub waiting: bool,
    /// The other side will send no more.
    pub ended: bool,
    /// How many objects use it.
    pub users: u32,
    pub terminal: super::serial::Terminal,
    pub line: super::transmit::Line,
}

/// What a pipe holds.
#[derive(Default)]
pub struct Pipe {
    pub bytes: VecDeque<u8>,
    pub readers: u32,
    pub writers: u32,
}

pub const PIPE_CAPACITY: usize = 65536;

#[derive(Default)]
pub struct Objects {
    /// For each descriptor its object plus one; 0 for a real file.
    table: Vec<u32>,
    objects: Vec<Option<Object>>,
    pub pipes: BTreeMap<u32, Pipe>,
    pub next_pipe: u32,
    pub next_network_port: u16,
}

impl Objects {
    pub fn get(&mut self, index: u32) -> &mut Object {
        match &mut self.objects[index as usize] {
            Some(object) => object,
            None => super::report::broken("a closed file is used"),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &Object)> {
        self.objects
            .iter()
            .enumerate()
            .filter_map(|(index, object)| Some((index as u32, object.as_ref()?)))
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut Object)> {
        self.objects
            .iter_mut()
            .enumerate()
            .filter_map(|(index, object)| Some((index as u32, object.as_mut()?)))
    }

    /// Whether something that the host sends could make it ready.
    pub fn fed_by_host(&self, index: u32) -> bool {
        match self.objects[index as usize].as_ref().map(|object| &object.kind) {
            Some(Kind::Serial { .. }) => true,
            Some(Kind::Datagram(socket)) => !socket.ports.is_empty(),
            Some(Kind::Stream(socket)) => socket.port.is_some(),
            Some(Kind::Epoll { interests }) => {
                interests.iter().any(|interest| self.fed_by_host(interest.object))
            }
            _ => false,
        }
    }
}

/// The object of a descriptor; none for a real file.
#[inline]
pub fn of(fd: c_int) -> Option<u32> {
    let entry = *state().objects.table.get(usize::try_from(fd).ok()?)?;
    entry.checked_sub(1)
}

/// Whether a descriptor stands for anything, a real file or an object.
pub fn is_open(fd: c_int) -> bool {
    // SAFETY: numbers only.
    let flags =
        || unsafe { sys::raw(libc::SYS_fcntl, [fd as u64, libc::F_GETFD as u64, 0, 0, 0, 0]) };
    of(fd).is_some() || (!super::files::is_ours(fd) && flags() >= 0)
}

/// What a call answers that is meant for another kind of file.
pub fn wrong_kind(fd: c_int) -> c_int {
    if is_open(fd) { libc::EINVAL } else { libc::EBADF }
}

/// Gives a new object a descriptor; -1 and `errno` if there is none left.
pub fn open(object: Object, close_on_exec: bool) -> c_int {
    let flags = libc::O_RDWR | if close_on_exec { libc::O_CLOEXEC } else { 0 };
    // SAFETY: the path ends with a zero.
    let fd = unsafe { sys::real_call!(libc::SYS_open, c"/dev/null".as_ptr(), flags, 0) } as c_int;
    if fd >= 0 {
        stand_at(fd, object);
    }
    fd
}

/// A descriptor stands for a new object.
pub fn stand_at(fd: c_int, object: Object) {
    let objects = &mut state().objects;
    let index = match objects.objects.iter().position(Option::is_none) {
        Some(index) => {
            objects.objects[index] = Some(object);
            index
        }
        None => {
            objects.objects.push(Some(object));
            objects.objects.len() - 1
        }
    };
    attach(fd, index as u32);
}

/// A descriptor stands for an object from now on.
pub fn attach(fd: c_int, index: u32) {
    let objects = &mut state().objects;
    let place = fd as usize;
    if objects.table.len() <= place {
        objects.table.resize(place + 1, 0);
    }
    objects.table[place] = index + 1;
    objects.get(index).references += 1;
}

/// A descriptor is closed. The number itself is the caller's to give back.
pub fn detach(fd: c_int) {
    let Some(index) = of(fd) else { return };
    state().objects.table[fd as usize] = 0;
    let_go(index);
}

/// One reference less; with the last one the object is gone.
fn let_go(index: u32) {
    let object = state().objects.get(index);
    object.references -= 1;
    if object.references == 0 {
        super::epoll::forget(index);
        if let Some(object) = state().objects.objects[index as usize].take() {
            release(object.kind);
        }
    }
}

fn release(kind: Kind) {
    match kind {
        Kind::Timer { timer } => timers::free(timer),
        Kind::Pipe { read, write } => super::pipes::release(read, write),
        Kind::Stream(socket) => super::streams::release(&socket),
        Kind::Kernel(kernel) => super::kernel::release(&kernel),
        Kind::Serial { port } => {
            if let Some(port) = state().ports.get_mut(&port) {
                port.users -= 1;
            }
        }
        _ => {}
    }
}

/// What `poll` says of an object now.
pub fn readiness(index: u32) -> i16 {
    let state = state();
    let (pipes, ports) = (&state.objects.pipes as *const BTreeMap<u32, Pipe>, &state.ports);
    let bits = |read: bool, write: bool| if read { libc::POLLIN | libc::POLLRDNORM } else { 0 } | if write { libc::POLLOUT | libc::POLLWRNORM } else { 0 };
    match &state.objects.get(index).kind {
        Kind::Event { count, .. } => bits(*count > 0, *count < u64::MAX - 1),
        Kind::Timer { timer } => bits(timers::expirations(*timer) > 0, false),
        Kind::Epoll { interests } => bits(interests.iter().any(super::epoll::is_ready), false),
        Kind::Spi { .. } | Kind::I2c { .. } | Kind::Random => bits(true, true),
        Kind::Serial { port } => ports
            .get(port)
            .map_or(0, |port| bits(!port.input.is_empty(), port.line.calls_for_more())),
        Kind::Datagram(socket) => bits(!socket.queue.is_empty(), true),
        Kind::Stream(socket) => super::streams::readiness(socket, bits),
        Kind::Kernel(kernel) => kernel.readiness(),
        Kind::Pipe { read, write } => {
            // SAFETY: readiness changes nothing; the pipes are another part of the state than the object.
            let pipes = unsafe { &*pipes };
            let mut found = 0;
            if let Some(pipe) = read.as_ref().and_then(|id| pipes.get(id)) {
                found |= bits(!pipe.bytes.is_empty(), false);
                if pipe.writers == 0 {
                    found |= libc::POLLHUP;
                }
            }
            if let Some(pipe) = write.as_ref().and_then(|id| pipes.get(id)) {
                found |= bits(false, pipe.bytes.len() < PIPE_CAPACITY);
                if pipe.readers == 0 {
                    found |= libc::POLLERR;
                }
            }
            found
        }
    }
}

const ALWAYS: i16 = libc::POLLERR | libc::POLLHUP;

/// An object changed: who waits for it looks again.
pub fn changed(index: u32) {
    super::epoll::arm(index);
    look_again();
}

/// Wakes every thread that waits for files of which one is ready, by priority and order of waiting.
pub fn look_again() {
    let state = state();
    loop {
        let mut unready = Vec::new();
        let found = loop {
            let Some(id) = state
                .scheduler
                .first_waiter_by_id(|id, wait| wait == Wait::Files && !unready.contains(&id))
            else {
                break None;
            };
            let interest = &state.threads[id].interest;
            if interest.iter().any(|&(object, events)| readiness(object) & (events | ALWAYS) != 0) {
                break Some(id);
            }
            unready.push(id);
        };
        match found {
            Some(id) => state.scheduler.wake(id, Wake::Given),
            None => return,
        }
    }
}

/// Waits until one of some objects is ready. They stay meanwhile, even if another thread closes them.
pub fn wait(interest: Vec<(u32, i16)>, deadline: Option<u64>) -> Wake {
    let me = state().current;
    for &(index, _) in &interest {
        state().objects.get(index).references += 1;
    }
    state().threads[me].interest = interest;
    let woken = engine::block(Wait::Files, deadline);
    for (index, _) in std::mem::take(&mut state().threads[me].interest) {
        let_go(index);
    }
    woken
}

/// Waits for one object inside a call that blocks, unless the object must not. `Ok(false)`: the time is over.
pub fn wait_for(index: u32, events: i16, deadline: Option<u64>) -> Result<bool, c_int> {
    if state().objects.get(index).nonblocking {
        return Err(libc::EAGAIN);
    }
    let woken = wait(vec![(index, events)], deadline);
    if state().objects.objects[index as usize].is_none() {
        return Err(libc::EBADF);
    }
    match woken {
        Wake::Given => Ok(true),
        Wake::TimedOut => Ok(false),
        // The caller looks again, and waits again.
        Wake::Interrupted if super::signals::call_goes_on() => Ok(true),
        Wake::Interrupted => Err(libc::EINTR),
    }
}
