//! Frames in memory that the host shares. The layout is that of [`crate::protocol::memory`].

use super::places::{self, Place};
use super::sys;
use super::transport::Descriptor;
use crate::protocol::{MAX_FRAME, Spins, VERSION, memory};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Looks at the turn before sleeping, some 20 us long: a host on another core has answered by then.
const LOOKS: u32 = 500;

/// This program's side.
pub struct SharedMemory {
    base: *mut u8,
    /// Where this side sleeps, and where it wakes the host.
    bell: Descriptor,
    bell_of_host: Descriptor,
    spins: Cell<Spins>,
}

impl SharedMemory {
    /// Opens `MEMORY,BELL,HOST`: descriptors or paths of the memory and of the ends of two pipes.
    pub fn open(place: &str) -> Result<Self, String> {
        let mut places = place.split(',');
        let mut next = |flags| {
            let place = places.next().ok_or(format!("`{place}` does not name three files"))?;
            Descriptor::open(place, flags)
        };
        let memory = next(libc::O_RDWR)?;
        let (bell, bell_of_host) = (next(libc::O_RDONLY)?, next(libc::O_WRONLY)?);
        // The host keeps the file at its length.
        let base = places::map(Place::Shared, memory::LENGTH, libc::MAP_SHARED, memory.number());
        if base < 0 {
            return Err(format!("cannot map the shared memory `{place}`: error {}", -base));
        }
        let base = base as *mut u8;
        // SAFETY: both words lie inside the mapping.
        let (magic, version) = unsafe {
            (*base.add(memory::MAGIC_AT).cast::<u64>(), *base.add(memory::VERSION_AT).cast::<u32>())
        };
        if magic != memory::MAGIC || version != u32::from(VERSION) {
            return Err(format!(
                "the shared memory is of another version ({version}), expected {VERSION}"
            ));
        }
        let opened = Self { base, bell, bell_of_host, spins: Cell::default() };
        opened.word(memory::PID).store(sys::getpid(), Ordering::Release);
        Ok(opened)
    }

    fn word(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: the offset is one of the header's, inside the mapping and aligned.
        unsafe { &*self.base.add(offset).cast::<AtomicU32>() }
    }

    fn is_ours(&self) -> bool {
        self.word(memory::TURN).load(Ordering::SeqCst) == memory::PROGRAM
    }

    /// Waits for the turn, and gives the frame that was left for this side.
    pub fn receive(&self) -> Result<&[u8], String> {
        self.wait_for_turn()?;
        let length = self.word(memory::TO_PROGRAM_LENGTH).load(Ordering::Relaxed) as usize;
        if length > MAX_FRAME {
            return Err(format!("the host left a frame of {length} bytes"));
        }
        // SAFETY: it is our turn, so the host does not write; the length fits the buffer.
        Ok(unsafe { std::slice::from_raw_parts(self.base.add(memory::TO_PROGRAM), length) })
    }

    fn wait_for_turn(&self) -> Result<(), String> {
        let mut spins = self.spins.get();
        if !self.is_ours() && spins.pay() {
            let in_time = (0..LOOKS).any(|_| {
                std::hint::spin_loop();
                self.is_ours()
            });
            spins.ended(in_time);
        }
        self.spins.set(spins);
        let sleeps = self.word(memory::PROGRAM_SLEEPS);
        while !self.is_ours() {
            sleeps.store(1, Ordering::SeqCst);
            if !self.is_ours() {
                self.bell.wait()?;
            }
            // Who was rung for nevertheless finds that at its next wait, and looks again.
            sleeps.store(0, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Leaves a frame for the host, and the turn.
    pub fn send(&self, frame: &[u8]) -> Result<(), String> {
        if frame.len() > MAX_FRAME {
            return Err(format!("a frame of {} bytes does not fit", frame.len()));
        }
        // SAFETY: it is our turn, so the host does not read; the length fits the buffer.
        unsafe {
            let place = self.base.add(memory::TO_HOST);
            place.copy_from_nonoverlapping(frame.as_ptr(), frame.len());
        }
        self.word(memory::TO_HOST_LENGTH).store(frame.len() as u32, Ordering::Relaxed);
        self.word(memory::TURN).store(memory::HOST, Ordering::SeqCst);
        if self.word(memory::HOST_SLEEPS).swap(0, Ordering::SeqCst) != 0 {
            self.bell_of_host.ring();
        }
        Ok(())
    }

    /// Where the header of the memory is.
    pub fn header(&self) -> *mut u8 {
        self.base
    }

    /// Whether a descriptor belongs to it.
    pub fn owns(&self, descriptor: i32) -> bool {
        [&self.bell, &self.bell_of_host].iter().any(|bell| bell.number() == descriptor)
    }
}
