//! The preload library as a file that the dynamic linker of a program can open.

use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::process::{Resource, getrlimit};

/// The library; empty on machines for which there is none.
const LIBRARY: &[u8] = include_bytes!(env!("IRONBIRD_SHIM_LIBRARY"));

/// Whether native programs can be run on this machine.
pub fn is_supported() -> bool {
    !LIBRARY.is_empty()
}

/// The library in memory.
pub struct Preload {
    file: std::fs::File,
}

impl Preload {
    /// Writes it to a file in memory, which nobody can change then.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let mut file = std::fs::File::from(rustix::fs::memfd_create("ironbird-shim", flags)?);
        file.write_all(LIBRARY)?;
        let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
        rustix::fs::fcntl_add_seals(&file, seals)?;
        Ok(Preload { file })
    }

    /// The descriptor under which the program finds it: one that nobody else has. A debugger opens the libraries of a
    /// program by their names, which lead to descriptors of its own then; a pipe among them would hold it for ever.
    pub fn number(&self) -> RawFd {
        const FAR: RawFd = 990;
        let most = getrlimit(Resource::Nofile).current;
        match most.is_none_or(|most| most > FAR as u64) {
            true => FAR,
            false => self.file.as_raw_fd(),
        }
    }

    /// The name under which a program that has it as [`Preload::number`] finds it.
    pub fn name(&self) -> String {
        format!("/proc/self/fd/{}", self.number())
    }

    /// The descriptor that becomes the program's.
    pub fn inherited(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}
