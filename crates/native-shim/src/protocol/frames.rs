//! The frames themselves.

use super::events::{Input, Output};
use super::setup::{Backend, Setup, get_backend, put_backend};
use super::wire::{DecodeError, Reader, Write};
use super::{NEVER, VERSION};

/// What a host sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToProgram {
    /// The first frame.
    Setup(Setup),
    /// Every other frame.
    Resume(Resume),
}

/// What a program sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToHost {
    /// The first frame.
    Hello(Hello),
    /// Every other frame.
    Yield(Yield),
}

/// It is `now`, the events happen now, and everything strictly before `until` may be executed.
///
/// A program whose processor is busy beyond `now` (a charge led past the last `until`) takes the events in at once and
/// goes on at its own clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resume {
    /// The time of the events; never earlier than the `until` or the output that the program stopped at.
    pub now: u64,
    /// The earliest time at which another event could still come.
    pub until: u64,
    /// What happens, in order.
    pub events: Vec<Input>,
}

/// The shim is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The program's process.
    pub pid: u32,
    /// How threads are made in fact.
    pub backend: Backend,
    /// Whether the processor lets programs set the base of thread-local storage.
    pub fsgsbase: bool,
    /// What of its memory is another in each run.
    pub unsteady: Unsteady,
}

/// What could not be made the same in every run, of all that a program may show by showing memory that it never wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unsteady {
    /// Where things lie: the kernel chose at random.
    pub addresses: bool,
    /// The random bytes of its start.
    pub random: bool,
    /// Where its first stack begins: it may not be as large as that takes.
    pub stack: bool,
}

/// The program stops and hands over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yield {
    /// The program's clock.
    pub now: u64,
    /// Why it stops.
    pub reason: Reason,
    /// When it would do something without input; [`NEVER`] if only input can wake it.
    pub next_wake: u64,
    /// Whether a thread waits for bytes or datagrams. Where none does, it makes no difference when before `next_wake` they
    /// are handed over.
    pub listens: bool,
    /// What it did since the last yield, in order, all of it at `now`.
    pub events: Vec<Output>,
}

impl Default for Yield {
    fn default() -> Self {
        Self {
            now: 0,
            reason: Reason::Reached,
            next_wake: NEVER,
            listens: true,
            events: Vec::new(),
        }
    }
}

/// Why a program stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Everything before `until` is executed; `now` is `until`.
    Reached,
    /// No thread has a deadline; only input can wake the program.
    Idle,
    /// Something happened at `now`, before `until`.
    Output,
    /// The program is over; no frame follows.
    Ended,
}

impl ToProgram {
    /// Appends the frame to `to`.
    pub fn encode(&self, to: &mut Vec<u8>) {
        to.put_u8(VERSION);
        match self {
            Self::Setup(setup) => {
                to.put_u8(0);
                setup.put(to);
            }
            Self::Resume(resume) => {
                to.put_u8(1);
                to.put_u64(resume.now);
                to.put_u64(resume.until);
                to.put_count(resume.events.len());
                for event in &resume.events {
                    event.put(to);
                }
            }
        }
    }

    /// Reads one whole frame.
    pub fn decode(frame: &[u8]) -> Result<Self, DecodeError> {
        let mut from = Reader::new(frame);
        from.version()?;
        let decoded = match from.u8("kind of frame")? {
            0 => Self::Setup(Setup::get(&mut from)?),
            1 => Self::Resume(Resume {
                now: from.u64("now")?,
                until: from.u64("until")?,
                events: from.list("events", Input::get)?,
            }),
            found => return Err(DecodeError::Unknown { field: "kind of frame", found }),
        };
        from.end()?;
        Ok(decoded)
    }
}

impl ToHost {
    /// Appends the frame to `to`.
    pub fn encode(&self, to: &mut Vec<u8>) {
        to.put_u8(VERSION);
        match self {
            Self::Hello(hello) => {
                to.put_u8(0);
                to.put_u32(hello.pid);
                put_backend(hello.backend, to);
                to.put_bool(hello.fsgsbase);
                let Unsteady { addresses, random, stack } = hello.unsteady;
                [addresses, random, stack].into_iter().for_each(|is_so| to.put_bool(is_so));
            }
            Self::Yield(yielded) => {
                to.put_u8(1);
                to.put_u64(yielded.now);
                to.put_u8(match yielded.reason {
                    Reason::Reached => 0,
                    Reason::Idle => 1,
                    Reason::Output => 2,
                    Reason::Ended => 3,
                });
                to.put_u64(yielded.next_wake);
                to.put_bool(yielded.listens);
                to.put_count(yielded.events.len());
                for event in &yielded.events {
                    event.put(to);
                }
            }
        }
    }

    /// Reads one whole frame.
    pub fn decode(frame: &[u8]) -> Result<Self, DecodeError> {
        let mut from = Reader::new(frame);
        from.version()?;
        let decoded = match from.u8("kind of frame")? {
            0 => Self::Hello(Hello {
                pid: from.u32("pid")?,
                backend: get_backend(&mut from)?,
                fsgsbase: from.bool("fsgsbase")?,
                unsteady: Unsteady {
                    addresses: from.bool("addresses")?,
                    random: from.bool("random")?,
                    stack: from.bool("stack")?,
                },
            }),
            1 => Self::Yield(Yield {
                now: from.u64("now")?,
                reason: match from.u8("reason")? {
                    0 => Reason::Reached,
                    1 => Reason::Idle,
                    2 => Reason::Output,
                    3 => Reason::Ended,
                    found => return Err(DecodeError::Unknown { field: "reason", found }),
                },
                next_wake: from.u64("next_wake")?,
                listens: from.bool("listens")?,
                events: from.list("events", Output::get)?,
            }),
            found => return Err(DecodeError::Unknown { field: "kind of frame", found }),
        };
        from.end()?;
        Ok(decoded)
    }
}
