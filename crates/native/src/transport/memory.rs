//! Frames in shared memory; whoever waits looks for a while where that pays, then sleeps at a pipe. The layout is that of
//! [`ironbird_native_shim::protocol::memory`].
//!
//! A program may write anything into the memory at any time. So lengths are checked after they were copied, and a frame
//! is decoded from a copy of its own. The file is sealed: nobody can make it shorter under those who read it.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ironbird_native_shim::protocol::memory as layout;
use ironbird_native_shim::protocol::{MAX_FRAME, Spins, VERSION};
use ironbird_patience::Patience;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use super::{LOOK, Line, Silence, Transport, path_of};

/// How long a look at the turn lasts before sleeping. If it lasted longer by far, this thread did not run meanwhile.
const SPIN: Duration = Duration::from_micros(50);
const NOT_RUNNING: Duration = Duration::from_micros(200);
/// Looks at the turn between two looks at the time.
const LOOKS: u32 = 200;

/// Shared memory with a program.
pub struct Memory {
    base: NonNull<u8>,
    spins: Spins,
    /// Where this side sleeps, and where it wakes the program.
    bell: OwnedFd,
    bell_of_program: OwnedFd,
    /// The program's: the memory, the end of its bell from which it reads, that of ours to which it writes. It inherits
    /// them, or opens them by their paths.
    of_program: [OwnedFd; 3],
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
        let (bell, bell_of_host) = pipe_with(PipeFlags::CLOEXEC)?;
        let (bell_in_program, bell_of_program) = pipe_with(PipeFlags::CLOEXEC)?;
        let of_program = [file, bell_in_program, bell_of_host];
        let memory = Memory { base, spins: Spins::default(), bell, bell_of_program, of_program };
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
        let paths = memory.of_program.each_ref().map(|file| path_of(file.as_fd()));
        Ok((memory, format!("memory:{}", paths.join(","))))
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
        self.word(layout::TURN).load(Ordering::SeqCst) == layout::HOST
    }

    /// Looks for the turn for a while.
    fn spin(&mut self) {
        let began = Instant::now();
        let mut looked = Duration::ZERO;
        while !self.is_ours() && looked <= SPIN {
            (0..LOOKS).take_while(|_| !self.is_ours()).for_each(|_| std::hint::spin_loop());
            looked = began.elapsed();
        }
        self.spins.ended(self.is_ours() && looked < NOT_RUNNING);
    }

    /// Sleeps until the turn may have come, but not for long.
    fn sleep(&self) {
        let sleeps = self.word(layout::HOST_SLEEPS);
        sleeps.store(1, Ordering::SeqCst);
        if !self.is_ours() {
            let span = Timespec { tv_sec: 0, tv_nsec: LOOK.as_nanos() as i64 };
            let mut asked = [PollFd::new(&self.bell, PollFlags::IN)];
            // Woken, timed out or interrupted: the turn says what is.
            if matches!(poll(&mut asked, Some(&span)), Ok(1)) {
                let _ = rustix::io::read(&self.bell, &mut [0; 64]);
            }
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
        format!(
            "memory:{}",
            self.of_program.each_ref().map(|f| f.as_raw_fd().to_string()).join(",")
        )
    }

    fn inherited(&self) -> Vec<BorrowedFd<'_>> {
        self.of_program.iter().map(AsFd::as_fd).collect()
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
        self.word(layout::TURN).store(layout::PROGRAM, Ordering::SeqCst);
        if self.word(layout::PROGRAM_SLEEPS).swap(0, Ordering::SeqCst) != 0 {
            // A program that is gone is missed while it is waited for.
            let _ = rustix::io::write(&self.bell_of_program, &[0]);
        }
        Ok(())
    }

    fn receive(
        &mut self,
        answer: &mut Vec<u8>,
        patience: &dyn Fn() -> Patience,
        look: &dyn Fn() -> Result<(), Silence>,
    ) -> Result<(), Silence> {
        if !self.is_ours() && self.spins.pay() {
            self.spin();
        }
        if !self.is_ours() {
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
        memory.word(layout::TURN).store(layout::HOST, Ordering::SeqCst);
        if memory.word(layout::HOST_SLEEPS).swap(0, Ordering::SeqCst) != 0 {
            rustix::io::write(&memory.of_program[2], &[0]).unwrap();
        }
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
    fn answers_that_come_late_are_waited_for_asleep() {
        let mut memory = Memory::new().unwrap();
        let other = |end: &OwnedFd| end.try_clone().unwrap();
        // The same memory, for the thread that plays the program.
        let program = std::mem::ManuallyDrop::new(Memory {
            base: memory.base,
            spins: Spins::default(),
            bell: other(&memory.bell),
            bell_of_program: other(&memory.bell_of_program),
            of_program: memory.of_program.each_ref().map(other),
        });
        const TIMES: usize = 20;
        let player = std::thread::spawn(move || {
            for _ in 0..TIMES {
                while program.is_ours() {
                    std::thread::yield_now();
                }
                std::thread::sleep(Duration::from_millis(1));
                answer(&program, b"done");
            }
        });
        for _ in 0..TIMES {
            memory.send(b"go on").unwrap();
            let mut frame = Vec::new();
            memory.receive(&mut frame, &seconds::<60>, &|| Ok(())).unwrap();
            assert_eq!(frame, b"done");
        }
        player.join().unwrap();
        let looks = (0..10).filter(|_| memory.spins.pay()).count();
        assert!(looks <= 1, "it has learned that looking is in vain: {looks}");
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
