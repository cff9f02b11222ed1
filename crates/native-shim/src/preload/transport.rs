//! How frames get to the host and back.

use super::inner_host::Inner;
use super::sys;
use crate::protocol::{MAX_FRAME, ToHost, ToProgram, VERSION, memory};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Where the host is.
pub enum Transport {
    /// Shared memory, and the process at the other end.
    Memory {
        base: *mut u8,
        host: Host,
    },
    Socket {
        fd: i32,
    },
    /// A host inside the process: it takes a frame and answers with the next one.
    Library(Inner),
}

/// Looks at the turn before sleeping, some 20 us long: a host on another core has answered by then.
const SPINS: u32 = 500;

impl Transport {
    /// Opens what the environment variable names: `memory:FD`, `socket:FD`, or a path in place of the number;
    /// `library:PATH` or `library:PATH@WORD`, where the host is told the word.
    pub fn open(text: &str) -> Result<Self, String> {
        let (kind, place) = text.split_once(':').ok_or(format!("`{text}` names no transport"))?;
        if kind == "library" {
            return Inner::load(place).map(Self::Library);
        }
        let fd = match place.parse::<i32>() {
            Ok(fd) => above(fd),
            Err(_) => {
                let path = format!("{place}\0");
                // SAFETY: the path ends with a zero.
                let found = unsafe {
                    sys::raw(
                        libc::SYS_open,
                        [path.as_ptr() as u64, (libc::O_RDWR | libc::O_CLOEXEC) as u64, 0, 0, 0, 0],
                    )
                };
                if found < 0 {
                    return Err(format!("cannot open the transport `{place}`: error {}", -found));
                }
                above(found as i32)
            }
        };
        match kind {
            "memory" => Self::map(fd, Host::of(place)),
            "socket" => Ok(Self::Socket { fd }),
            _ => Err(format!("`{kind}` is no transport of this shim (memory, socket, library)")),
        }
    }

    /// Code of a host inside the process.
    pub fn inner_code(&self) -> &[(u64, u64)] {
        match self {
            Self::Library(inner) => inner.code(),
            _ => &[],
        }
    }

    fn map(fd: i32, host: Host) -> Result<Self, String> {
        let protection = (libc::PROT_READ | libc::PROT_WRITE) as u64;
        // SAFETY: new pages; the host keeps the file at its length.
        let base = unsafe {
            sys::raw(
                libc::SYS_mmap,
                [0, memory::LENGTH as u64, protection, libc::MAP_SHARED as u64, fd as u64, 0],
            )
        };
        if base < 0 {
            return Err(format!(
                "cannot map the shared memory at descriptor {fd}: error {}",
                -base
            ));
        }
        let transport = Self::Memory { base: base as *mut u8, host };
        // SAFETY: both words lie inside the mapping.
        let (magic, version) = unsafe {
            let base = base as *const u8;
            (*base.add(memory::MAGIC_AT).cast::<u64>(), *base.add(memory::VERSION_AT).cast::<u32>())
        };
        if magic != memory::MAGIC || version != u32::from(VERSION) {
            return Err(format!(
                "the shared memory is of another version ({version}), expected {VERSION}"
            ));
        }
        transport.word(memory::PID).store(sys::getpid(), Ordering::Release);
        Ok(transport)
    }

    fn word(&self, offset: usize) -> &AtomicU32 {
        match self {
            // SAFETY: the offset is one of the header's, inside the mapping and aligned.
            Self::Memory { base, .. } => unsafe { &*base.add(offset).cast::<AtomicU32>() },
            _ => unreachable!("only shared memory has a header"),
        }
    }

    /// Waits for the host's next frame.
    pub fn receive(&self) -> Result<ToProgram, String> {
        let frame = match self {
            Self::Memory { base, host } => {
                self.wait_for_turn(*host)?;
                let length = self.word(memory::TO_PROGRAM_LENGTH).load(Ordering::Relaxed) as usize;
                if length > MAX_FRAME {
                    return Err(format!("the host left a frame of {length} bytes"));
                }
                // SAFETY: it is our turn, so the host does not write; the length fits the buffer.
                ToProgram::decode(unsafe {
                    std::slice::from_raw_parts(base.add(memory::TO_PROGRAM), length)
                })
            }
            Self::Library(inner) => match inner.answer() {
                Some(frame) => ToProgram::decode(frame),
                None => return Err("the host inside the process has no answer".into()),
            },
            Self::Socket { fd } => {
                let mut length = [0; 4];
                read_all(*fd, &mut length)?;
                let length = u32::from_le_bytes(length) as usize;
                if length > MAX_FRAME {
                    return Err(format!("the host sent a frame of {length} bytes"));
                }
                let mut frame = vec![0; length];
                read_all(*fd, &mut frame)?;
                ToProgram::decode(&frame)
            }
        };
        frame.map_err(|error| format!("the host's frame cannot be read: {error}"))
    }

    fn wait_for_turn(&self, host: Host) -> Result<(), String> {
        let turn = self.word(memory::TURN);
        for _ in 0..SPINS {
            if turn.load(Ordering::Acquire) == memory::PROGRAM {
                return Ok(());
            }
            std::hint::spin_loop();
        }
        let sleeps = self.word(memory::PROGRAM_SLEEPS);
        while turn.load(Ordering::Acquire) != memory::PROGRAM {
            sleeps.store(1, Ordering::SeqCst);
            let in_vain = turn.load(Ordering::SeqCst) != memory::PROGRAM
                && sys::futex_wait_a_second(turn, memory::HOST);
            sleeps.store(0, Ordering::SeqCst);
            if in_vain && host.is_gone() {
                return Err("the host is gone".into());
            }
        }
        Ok(())
    }

    /// Leaves a frame for the host, encoded into `buffer`.
    pub fn send(&self, frame: &ToHost, buffer: &mut Vec<u8>) -> Result<(), String> {
        buffer.clear();
        if matches!(self, Self::Socket { .. }) {
            buffer.extend_from_slice(&[0; 4]);
        }
        frame.encode(buffer);
        match self {
            Self::Memory { base, .. } => {
                if buffer.len() > MAX_FRAME {
                    return Err(format!("a frame of {} bytes does not fit", buffer.len()));
                }
                // SAFETY: it is our turn, so the host does not read; the length fits the buffer.
                unsafe {
                    base.add(memory::TO_HOST)
                        .copy_from_nonoverlapping(buffer.as_ptr(), buffer.len())
                };
                self.word(memory::TO_HOST_LENGTH).store(buffer.len() as u32, Ordering::Relaxed);
                self.word(memory::TURN).store(memory::HOST, Ordering::SeqCst);
                if self.word(memory::HOST_SLEEPS).load(Ordering::SeqCst) != 0 {
                    sys::futex_wake(self.word(memory::TURN));
                }
                Ok(())
            }
            Self::Library(inner) => {
                inner.call(buffer);
                Ok(())
            }
            Self::Socket { fd } => {
                let length = (buffer.len() - 4) as u32;
                buffer[..4].copy_from_slice(&length.to_le_bytes());
                write_all(*fd, buffer)
            }
        }
    }

    /// Whether a descriptor is the line to the host.
    pub fn owns(&self, descriptor: i32) -> bool {
        matches!(self, Self::Socket { fd } if *fd == descriptor)
    }

    /// Tells a watchdog who runs and how many calls there were.
    pub fn note(&self, thread: &str, calls: u64) {
        if let Self::Memory { base, .. } = self {
            let name = &thread.as_bytes()[..thread.len().min(memory::THREAD_NAME_LENGTH - 1)];
            // SAFETY: inside the header; the host reads it only to show it.
            unsafe {
                let place = base.add(memory::THREAD_NAME);
                place.copy_from_nonoverlapping(name.as_ptr(), name.len());
                *place.add(name.len()) = 0;
                (*base.add(memory::CALLS).cast::<AtomicU64>()).store(calls, Ordering::Relaxed);
            }
        }
    }
}

/// The same file, which is not for children, under a number that no program gets first: the numbers that a program sees
/// do not depend on the transport.
fn above(fd: i32) -> i32 {
    const FIRST: u64 = 1000;
    // SAFETY: numbers only; the old one is known to nobody else.
    unsafe {
        let number = fd as u64;
        let moved =
            sys::raw(libc::SYS_fcntl, [number, libc::F_DUPFD_CLOEXEC as u64, FIRST, 0, 0, 0]);
        if moved < 0 {
            return fd;
        }
        sys::raw(libc::SYS_close, [number, 0, 0, 0, 0, 0]);
        moved as i32
    }
}

/// The process at the other end.
#[derive(Clone, Copy)]
pub enum Host {
    /// It started this one.
    Parent(libc::pid_t),
    /// Its number stands in the path of the memory, `/proc/PID/fd/N`.
    Named(i64),
}

impl Host {
    fn of(place: &str) -> Self {
        let named =
            place.strip_prefix("/proc/").and_then(|rest| rest.split('/').next()?.parse().ok());
        named.map_or_else(|| Self::Parent(sys::getppid()), Self::Named)
    }

    /// A process that ended has no children; its number may stay for a while.
    fn is_gone(self) -> bool {
        match self {
            Self::Parent(process) => sys::getppid() != process,
            Self::Named(process) => {
                // SAFETY: signal 0 only asks whether the process is there.
                let asked = unsafe { sys::raw(libc::SYS_kill, [process as u64, 0, 0, 0, 0, 0]) };
                asked == -i64::from(libc::ESRCH)
            }
        }
    }
}

fn read_all(fd: i32, mut buffer: &mut [u8]) -> Result<(), String> {
    while !buffer.is_empty() {
        // SAFETY: the buffer is valid for its length.
        let count = unsafe {
            sys::raw(
                libc::SYS_read,
                [fd as u64, buffer.as_mut_ptr() as u64, buffer.len() as u64, 0, 0, 0],
            )
        };
        match count {
            0 => return Err("the host is gone".into()),
            count if count > 0 => buffer = &mut buffer[count as usize..],
            count if count == -i64::from(libc::EINTR) => {}
            error => return Err(format!("reading from the host failed: error {}", -error)),
        }
    }
    Ok(())
}

fn write_all(fd: i32, mut buffer: &[u8]) -> Result<(), String> {
    while !buffer.is_empty() {
        // SAFETY: the buffer is valid for its length.
        let count = unsafe {
            let flags = libc::MSG_NOSIGNAL as u64;
            sys::raw(
                libc::SYS_sendto,
                [fd as u64, buffer.as_ptr() as u64, buffer.len() as u64, flags, 0, 0],
            )
        };
        match count {
            count if count > 0 => buffer = &buffer[count as usize..],
            count if count == -i64::from(libc::EINTR) => {}
            error => return Err(format!("writing to the host failed: error {}", -error)),
        }
    }
    Ok(())
}
