//! Frames in shared memory; whoever waits spins for a while, then sleeps on a futex. The layout is that of
//! [`ironbird_native_shim::protocol::memory`].
//!
//! A program may write anything into the memory at any time. So lengths are checked after they were copied, and a frame
//! is decoded from a copy of its own. The file is sealed: nobody can make it shorter under those who read it.
#![allow(unsafe_code)]

use std::io;
use std::num::NonZeroUsize;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use ironbird_native_shim::protocol::memory as layout;
use ironbird_native_shim::protocol::{MAX_FRAME, VERSION};
use ironbird_patience::Patience;
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use rustix::thread::futex;

use super::{LOOK, Line, Silence, Transport, path_of};

/// How long whoever waits spins before it sleeps, where another core could do the work.
const SPIN: Duration = Duration::from_micros(50);
/// Looks at the turn between two looks at the time.
const LOOKS: u32 = 200;

/// Shared memory with a program.
pub struct Memory {
    base: NonNull<u8>,
    file: OwnedFd,
    spins: bool,
}

// SAFETY: the mapping belongs to no thread.
unsafe impl Send for Memory {}

impl Memory {
    /// New memory, in which it is the host's turn.
    ///
    /// # Errors
    /// If there is none.
    pub fn new() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("ironbird-native", flags)?;
        rustix::fs::ftruncate(&file, layout::LENGTH as u64)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file, seals)?;
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no other memory.
        let base = unsafe {
            let nowhere = std::ptr::null_mut();
            rustix::mm::mmap(nowhere, layout::LENGTH, access, MapFlags::SHARED, &file, 0)?
        };
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        let spins = available_parallelism().is_ok_and(|cores| cores > NonZeroUsize::MIN);
        let memory = Memory { base, file, spins };
        memory.write(layout::MAGIC_AT, &layout::MAGIC.to_le_bytes());
        memory.word(layout::VERSION_AT).store(u32::from(VERSION), Ordering::Relaxed);
        memory.word(layout::TURN).store(layout::HOST, Ordering::Release);
        Ok(memory)
    }

    /// New memory for a program that speaks first, and what that is told of it: it cannot inherit it.
    ///
    /// # Errors
    /// If there is none.
    pub fn for_copy() -> io::Result<(Self, String)> {
        let memory = Memory::new()?;
        memory.word(layout::TURN).store(layout::PROGRAM, Ordering::Release);
        let name = format!("memory:{}", path_of(memory.file.as_fd()));
        Ok((memory, name))
    }

    /// A word of the header. All offsets are constants of the layout.
    fn word(&self, offset: usize) -> &AtomicU32 {
        debug_assert!(offset.is_multiple_of(4) && offset + 4 <= layout::TO_PROGRAM);
        // SAFETY: inside the first page of the mapping, which lives as long as `self`; aligned, since the mapping begins
        // at a page. This process accesses it as an atomic only, and the other is outside of Rust's memory model.
        unsafe { AtomicU32::from_ptr(self.base.as_ptr().add(offset).cast()) }
    }

    /// Copies bytes in. `offset + bytes.len()` must lie inside.
    fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= layout::LENGTH);
        // SAFETY: inside the mapping, as just checked; `bytes` is this process's own memory, so they do not overlap. The
        // program reads only when it has the turn.
        unsafe {
            let to = self.base.as_ptr().add(offset);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }

    /// Copies bytes out.
    fn read(&self, offset: usize, bytes: &mut [u8]) {
        assert!(offset + bytes.len() <= layout::LENGTH);
        // SAFETY: as for `write`. If the program writes meanwhile, against the rules, the copy is nonsense, and is taken
        // apart as such.
        unsafe {
            let from = self.base.as_ptr().add(offset);
            std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len());
        }
    }

    fn is_ours(&self) -> bool {
        self.word(layout::TURN).load(Ordering::Acquire) == layout::HOST
    }

    /// Whether the turn has come while spinning.
    fn spin(&self) -> bool {
        let began = Instant::now();
        loop {
            for _ in 0..LOOKS {
                if self.is_ours() {
                    return true;
                }
                std::hint::spin_loop();
            }
            if !self.spins || began.elapsed() > SPIN {
                return false;
            }
        }
    }

    /// Sleeps until the turn may have come, but not for long.
    fn sleep(&self) {
        let (turn, sleeps) = (self.word(layout::TURN), self.word(layout::HOST_SLEEPS));
        sleeps.store(1, Ordering::SeqCst);
        if turn.load(Ordering::SeqCst) != layout::HOST {
            let span = rustix::thread::Timespec { tv_sec: 0, tv_nsec: LOOK.as_nanos() as i64 };
            // Woken, timed out or interrupted: the turn says what is.
            let _ = futex::wait(turn, futex::Flags::empty(), layout::PROGRAM, Some(&span));
        }
        sleeps.store(0, Ordering::SeqCst);
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and every reference into it borrows `self`.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), layout::LENGTH) };
    }
}

impl Line for Memory {
    fn name(&self) -> String {
        format!("memory:{}", self.file.as_raw_fd())
    }

    fn inherited(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Transport for Memory {
    fn send(&mut self, frame: &[u8]) -> Result<(), Silence> {
        if frame.len() > MAX_FRAME {
            let length = frame.len();
            return Err(Silence::Broken(format!("a frame of {length} bytes is too long for it")));
        }
        self.write(layout::TO_PROGRAM, frame);
        self.word(layout::TO_PROGRAM_LENGTH).store(frame.len() as u32, Ordering::Relaxed);
        let turn = self.word(layout::TURN);
        turn.store(layout::PROGRAM, Ordering::SeqCst);
        if self.word(layout::PROGRAM_SLEEPS).load(Ordering::SeqCst) != 0 {
            let _ = futex::wake(turn, futex::Flags::empty(), 1);
        }
        Ok(())
    }

    fn receive(
        &mut self,
        answer: &mut Vec<u8>,
        patience: &dyn Fn() -> Patience,
        look: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence> {
        if !self.spin() {
            let mut patience = patience();
            while !self.is_ours() {
                // A program that has ended may have answered before.
                if let (Err(silence), false) = (look(), self.is_ours()) {
                    return Err(silence);
                }
                if patience.is_over() {
                    return Err(Silence::TooLong);
                }
                self.sleep();
            }
        }
        let length = self.word(layout::TO_HOST_LENGTH).load(Ordering::Relaxed) as usize;
        if length > MAX_FRAME {
            return Err(Silence::Broken(format!("it sent a frame of {length} bytes")));
        }
        answer.resize(length, 0);
        self.read(layout::TO_HOST, answer);
        Ok(())
    }

    fn running_thread(&self) -> Option<String> {
        let mut name = [0; layout::THREAD_NAME_LENGTH];
        self.read(layout::THREAD_NAME, &mut name);
        let name = name.split(|byte| *byte == 0).next().filter(|name| !name.is_empty())?;
        Some(String::from_utf8_lossy(name).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds<const COUNT: u64>() -> Patience {
        Patience::new(Duration::from_secs(COUNT))
    }

    /// Plays the program: takes the turn and answers in the same memory.
    fn answer(memory: &Memory, bytes: &[u8]) {
        memory.write(layout::TO_HOST, bytes);
        memory.word(layout::TO_HOST_LENGTH).store(bytes.len() as u32, Ordering::Relaxed);
        memory.word(layout::TURN).store(layout::HOST, Ordering::Release);
    }

    #[test]
    fn a_frame_and_its_answer_take_turns() {
        let mut memory = Memory::new().unwrap();
        memory.send(b"go on").unwrap();
        assert!(!memory.is_ours());
        let mut heard = [0; 5];
        memory.read(layout::TO_PROGRAM, &mut heard);
        assert_eq!(&heard, b"go on");
        answer(&memory, b"done");
        let mut frame = Vec::new();
        memory.receive(&mut frame, &seconds::<1>, &|| Ok(())).unwrap();
        assert_eq!(frame, b"done");
    }

    #[test]
    fn who_says_nothing_is_waited_for_as_long_as_it_lives_and_patience_lasts() {
        let mut memory = Memory::new().unwrap();
        memory.send(b"go on").unwrap();
        let mut frame = Vec::new();
        let short = || Patience::new(Duration::from_millis(30));
        let waited = memory.receive(&mut frame, &short, &|| Ok(()));
        assert_eq!(waited, Err(Silence::TooLong));
        let waited = memory.receive(&mut frame, &seconds::<60>, &|| Err(Silence::Ended));
        assert_eq!(waited, Err(Silence::Ended));
    }

    #[test]
    fn a_length_that_cannot_be_is_refused() {
        let mut memory = Memory::new().unwrap();
        memory.send(&vec![0; MAX_FRAME + 1]).unwrap_err();
        memory.send(b"go on").unwrap();
        answer(&memory, b"");
        memory.word(layout::TO_HOST_LENGTH).store(u32::MAX, Ordering::Relaxed);
        let heard = memory.receive(&mut Vec::new(), &seconds::<1>, &|| Ok(()));
        assert!(matches!(heard, Err(Silence::Broken(_))));
    }
}
