//! What serial ports send: a buffer that empties at the speed of the line, as that of a UART of Linux does.
//!
//! ```text
//!   write ──► n bytes wait, at most 4096 ──► one byte after the other, ⌈10 · 10¹² / baud⌉ ps each
//! ```
//! The host has the bytes from the moment they are written, and its line (`SerialLine` of `ironbird-native`) sends them
//! by the same rule: the first byte begins when it is written to an idle line, each other one when the one before it is
//! over, at the speed of that instant. So the shim need only count. With the first byte over at `t` and bytes of `d`,
//! fewer than `k` of `n` wait from `t + (n - k) d` on.

use super::objects::{self, Kind};
use super::{engine, epoll, signals, state, timers};
use crate::protocol::Output;
use crate::schedule::{ThreadId, Wait, Wake};
use libc::c_int;

/// A page, as Linux has it (UART_XMIT_SIZE of `serial_core.h`).
const CAPACITY: u64 = 4096;
/// With fewer bytes than this a port calls for more (WAKEUP_CHARS of `n_tty.c` and `serial_core.h`). Between here and
/// the capacity a write succeeds, but nobody is woken to do it.
const FEW: u64 = 256;
/// A start bit, eight of data and a stop bit, whatever the settings say: so the host's line counts.
const BITS: u64 = 10;
const PS_PER_S: u64 = 1_000_000_000_000;

/// What a port has to send, in numbers.
#[derive(Default)]
pub struct Line {
    /// How long a byte takes, in picoseconds.
    byte: u64,
    /// Bytes that are not over, with the one on the wire.
    waiting: u64,
    /// When the byte on the wire is over.
    over: u64,
    /// There are more than few bytes. It ends by the timer and not by a look at the clock, so that who waits for it
    /// is woken in the order of all deadlines.
    crowded: bool,
    timer: Option<u32>,
    /// Who is in the middle of a write. Others come after it, so that bytes do not mix (`atomic_write_lock` of Linux).
    writer: Option<ThreadId>,
}

impl Line {
    pub fn at(baud: u32) -> Self {
        Self { byte: byte_time(baud), ..Self::default() }
    }

    /// Whether `poll` says POLLOUT (`n_tty_poll`).
    pub fn calls_for_more(&self) -> bool {
        !self.crowded && self.writer.is_none()
    }

    /// Takes off what is over by now.
    fn settle(&mut self, now: u64) {
        if self.waiting == 0 || self.over > now {
            return;
        }
        let sent = 1 + (now - self.over) / self.byte;
        self.waiting = self.waiting.saturating_sub(sent);
        self.over += sent * self.byte;
    }

    fn add(&mut self, now: u64, count: u64) {
        if self.waiting == 0 {
            self.over = now + self.byte;
        }
        self.waiting += count;
    }

    /// When fewer than `few` bytes will wait, of which there are not fewer now.
    fn when_fewer_than(&self, few: u64) -> u64 {
        self.over + (self.waiting - few) * self.byte
    }
}

fn byte_time(baud: u32) -> u64 {
    (BITS * PS_PER_S).div_ceil(u64::from(baud.max(1)))
}

/// The line of a port as it is now.
fn line(port: u32) -> &'static mut Line {
    let state = state();
    let line = &mut state.ports.entry(port).or_default().line;
    line.settle(state.now);
    line
}

/// How many bytes wait (TIOCOUTQ).
pub fn waiting(port: u32) -> u64 {
    line(port).waiting
}

/// Bytes take another time from the next one on. Who waits for them reckons again.
pub fn set_speed(port: u32, baud: u32) {
    line(port).byte = byte_time(baud);
    reckon(port);
    state().scheduler.wake_all(Wait::Transmit(port));
}

/// The number of bytes or their speed is another: so is the time when the port calls for more.
fn reckon(port: u32) {
    let line = line(port);
    line.crowded = line.waiting >= FEW;
    if line.crowded {
        let timer = *line.timer.get_or_insert_with(|| timers::add_for_port(port));
        timers::set(timer, Some(line.when_fewer_than(FEW)), 0);
    }
}

/// The timer of a port: few bytes are left.
pub fn has_room(port: u32) {
    line(port).crowded = false;
    call_for_more(port);
}

/// Wakes who waits until the port takes bytes, whichever of its open files it has.
fn call_for_more(port: u32) {
    let of_port = |kind: &Kind| matches!(kind, Kind::Serial { port: own } if *own == port);
    let objects = state().objects.iter().filter(|(_, object)| of_port(&object.kind));
    for index in objects.map(|(index, _)| index).collect::<Vec<_>>() {
        epoll::arm(index);
    }
    objects::look_again();
}

/// Waits until fewer than `few` bytes wait, also those that others write meanwhile.
fn wait_for_fewer_than(few: u64, port: u32) -> Result<(), c_int> {
    while line(port).waiting >= few {
        wait(port, Some(line(port).when_fewer_than(few)))?;
    }
    Ok(())
}

fn wait(port: u32, deadline: Option<u64>) -> Result<(), c_int> {
    match engine::block(Wait::Transmit(port), deadline) {
        Wake::Interrupted if !signals::call_goes_on() => Err(libc::EINTR),
        _ => Ok(()),
    }
}

/// Waits until all is sent (`tcdrain`), whether the file blocks or not.
pub fn drain(port: u32) -> Result<(), c_int> {
    wait_for_fewer_than(1, port)
}

/// Takes all, waiting for room each time that the buffer is full; without waiting what fits, if anything does
/// (`n_tty_write`).
pub fn write(index: u32, port: u32, bytes: &[u8]) -> Result<usize, c_int> {
    let (me, nonblocking) = (state().current, state().objects.get(index).nonblocking);
    // A handler of a signal that came during a write may write itself.
    while line(port).writer.is_some_and(|writer| writer != me) {
        if nonblocking {
            return Err(libc::EAGAIN);
        }
        wait(port, None)?;
    }
    let mut written = hand_over(port, bytes);
    let mut refusal = libc::EAGAIN;
    if written < bytes.len() && !nonblocking {
        line(port).writer = Some(me);
        while written < bytes.len() {
            if let Err(error) = wait_for_fewer_than(FEW, port) {
                refusal = error;
                break;
            }
            written += hand_over(port, &bytes[written..]);
        }
        let_others_write(port);
    }
    if written == 0 && !bytes.is_empty() { Err(refusal) } else { Ok(written) }
}

/// Gives the host what fits, and says how much that is.
fn hand_over(port: u32, bytes: &[u8]) -> usize {
    let line = line(port);
    let count = bytes.len().min((CAPACITY - line.waiting) as usize);
    if count > 0 {
        line.add(state().now, count as u64);
        reckon(port);
        engine::emit(Output::BytesOut { port, bytes: bytes[..count].to_vec() });
    }
    count
}

fn let_others_write(port: u32) {
    line(port).writer = None;
    state().scheduler.wake_all(Wait::Transmit(port));
    call_for_more(port);
    engine::preempt_if_due();
}
