//! How frames get to the host and back.

use super::allocator::for_line;
use super::apart::apart;
use super::inner_host::Inner;
use super::places::{self, Place};
use super::shared_memory::SharedMemory;
use super::sys;
use crate::protocol::{MAX_FRAME, ToHost, ToProgram, memory};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the host is.
pub enum Transport {
    /// At the other end of shared memory.
    Memory(SharedMemory),
    /// At the other end of a socket.
    Socket(Descriptor, RefCell<Vec<u8>>),
    /// A host inside the process: it takes a frame and answers with the next one.
    Library(Inner),
}

impl Transport {
    /// Opens what the environment variable names: `memory:FD,FD,FD`, `socket:FD`, or paths in place of the numbers;
    /// `library:PATH` or `library:PATH@WORD`, where the host is told the word.
    pub fn open(text: &str) -> Result<Self, String> {
        let (kind, place) =
            text.split_once(':').ok_or_else(|| format!("`{text}` names no transport"))?;
        let open = || match kind {
            "memory" => SharedMemory::open(place).map(Self::Memory),
            "socket" => Descriptor::open(place, libc::O_RDWR)
                .map(|socket| Self::Socket(socket, RefCell::default())),
            "library" => Inner::load(place).map(Self::Library),
            _ => Err(format!("`{kind}` is no transport of this shim (memory, socket, library)")),
        };
        apart(|| for_line(open))
    }

    /// Code of a host inside the process.
    pub fn inner_code(&self) -> &[(u64, u64)] {
        match self {
            Self::Library(inner) => inner.code(),
            _ => &[],
        }
    }

    /// Waits for the host's next frame.
    pub fn receive(&self) -> Result<ToProgram, String> {
        let frame = match self {
            Self::Memory(memory) => ToProgram::decode(memory.receive()?),
            Self::Library(inner) => match inner.answer() {
                Some(frame) => ToProgram::decode(frame),
                None => return Err("the host inside the process has no answer".into()),
            },
            Self::Socket(socket, frame) => {
                let mut length = [0; 4];
                socket.read_all(&mut length)?;
                let length = u32::from_le_bytes(length) as usize;
                if length > MAX_FRAME {
                    return Err(format!("the host sent a frame of {length} bytes"));
                }
                let mut frame = frame.borrow_mut();
                for_line(|| frame.resize(length, 0));
                socket.read_all(&mut frame)?;
                ToProgram::decode(&frame)
            }
        };
        frame.map_err(|error| format!("the host's frame cannot be read: {error}"))
    }

    /// Leaves a frame for the host, encoded into `buffer`.
    pub fn send(&self, frame: &ToHost, buffer: &mut Vec<u8>) -> Result<(), String> {
        const LENGTH: usize = 4;
        buffer.clear();
        buffer.extend_from_slice(&[0; LENGTH]);
        frame.encode(buffer);
        let length = (buffer.len() - LENGTH) as u32;
        buffer[..LENGTH].copy_from_slice(&length.to_le_bytes());
        match self {
            Self::Memory(memory) => memory.send(&buffer[LENGTH..]),
            Self::Library(inner) => {
                inner.call(&buffer[LENGTH..]);
                Ok(())
            }
            Self::Socket(socket, _) => socket.write_all(buffer),
        }
    }

    /// Whether a descriptor belongs to the line to the host.
    pub fn owns(&self, descriptor: i32) -> bool {
        match self {
            Self::Memory(memory) => memory.owns(descriptor),
            Self::Socket(socket, _) => socket.number() == descriptor,
            Self::Library(inner) => inner.owns(descriptor),
        }
    }

    /// Where a watchdog reads who runs: in the memory that is shared, else where nobody looks, so that a program's thread
    /// does the same in each transport.
    fn board(&self) -> *mut u8 {
        match self {
            Self::Memory(memory) => memory.header(),
            _ => places::pages(Place::Shared, memory::LENGTH),
        }
    }
}

/// What a watchdog reads, with the layout of [`memory`].
pub struct Board(*mut u8);

impl Board {
    /// That of a line.
    pub fn of(transport: &Transport) -> Self {
        Self(transport.board())
    }

    /// Tells who runs and how many calls there were.
    pub fn note(&self, thread: &str, calls: u64) {
        if self.0.is_null() {
            return;
        }
        let name = &thread.as_bytes()[..thread.len().min(memory::THREAD_NAME_LENGTH - 1)];
        // SAFETY: inside the header; the host reads it only to show it.
        unsafe {
            let place = self.0.add(memory::THREAD_NAME);
            place.copy_from_nonoverlapping(name.as_ptr(), name.len());
            *place.add(name.len()) = 0;
            (*self.0.add(memory::CALLS).cast::<AtomicU64>()).store(calls, Ordering::Relaxed);
        }
    }
}

/// A file of the line to the host: closed with this, not there for children, and under a number that no program gets
/// first, so that the numbers that a program sees do not depend on the transport.
pub struct Descriptor(i32);

const GONE: &str = "the host is gone";

impl Descriptor {
    /// One that was inherited, by its number, or one that is opened, by its path.
    pub fn open(place: &str, flags: i32) -> Result<Self, String> {
        if let Ok(inherited) = place.parse() {
            return Ok(Self(inherited).moved());
        }
        let path = format!("{place}\0");
        // SAFETY: the path ends with a zero.
        let found = unsafe {
            let flags = (flags | libc::O_CLOEXEC) as u64;
            sys::raw(libc::SYS_open, [path.as_ptr() as u64, flags, 0, 0, 0, 0])
        };
        match found < 0 {
            true => Err(format!("cannot open the transport `{place}`: error {}", -found)),
            false => Ok(Self(found as i32).moved()),
        }
    }

    fn moved(self) -> Self {
        const FIRST: u64 = 1000;
        // SAFETY: numbers only.
        let moved = unsafe {
            let (number, command) = (self.0 as u64, libc::F_DUPFD_CLOEXEC as u64);
            sys::raw(libc::SYS_fcntl, [number, command, FIRST, 0, 0, 0])
        };
        if moved < 0 { self } else { Self(moved as i32) }
    }

    pub fn number(&self) -> i32 {
        self.0
    }

    /// Waits until the host rings. It is gone when nobody can ring any more.
    pub fn wait(&self) -> Result<(), String> {
        self.read(&mut [0; 64]).map(drop)
    }

    /// Wakes whoever waits at the other end of the pipe.
    pub fn ring(&self) {
        let word = [0u8];
        // SAFETY: the buffer is valid for its length. A host that is gone needs no waking.
        unsafe { sys::raw(libc::SYS_write, [self.0 as u64, word.as_ptr() as u64, 1, 0, 0, 0]) };
    }

    fn read(&self, buffer: &mut [u8]) -> Result<usize, String> {
        loop {
            // SAFETY: the buffer is valid for its length.
            let count = unsafe {
                let (place, length) = (buffer.as_mut_ptr() as u64, buffer.len() as u64);
                sys::raw(libc::SYS_read, [self.0 as u64, place, length, 0, 0, 0])
            };
            match count {
                0 => return Err(GONE.into()),
                count if count > 0 => return Ok(count as usize),
                count if count == -i64::from(libc::EINTR) => {}
                error => return Err(format!("reading from the host failed: error {}", -error)),
            }
        }
    }

    fn read_all(&self, mut buffer: &mut [u8]) -> Result<(), String> {
        while !buffer.is_empty() {
            let count = self.read(buffer)?;
            buffer = &mut buffer[count..];
        }
        Ok(())
    }

    fn write_all(&self, mut buffer: &[u8]) -> Result<(), String> {
        while !buffer.is_empty() {
            // SAFETY: the buffer is valid for its length.
            let count = unsafe {
                let (place, length) = (buffer.as_ptr() as u64, buffer.len() as u64);
                let flags = libc::MSG_NOSIGNAL as u64;
                sys::raw(libc::SYS_sendto, [self.0 as u64, place, length, flags, 0, 0])
            };
            match count {
                count if count > 0 => buffer = &buffer[count as usize..],
                count if count == -i64::from(libc::EINTR) => {}
                error => return Err(format!("writing to the host failed: error {}", -error)),
            }
        }
        Ok(())
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        sys::close(self.0);
    }
}
