//! The file that both sides map.
//!
//! It has no header: the listener's introduction says where the two queues lie. This side's own files
//! hold one link: the queue to the listener, the queue to the connecter, and behind them a doorbell and, where
//! wanted, buffers for large contents.
//!
//! A peer may write anything into the mapping at any time. So nothing in it is ever a Rust value: it is
//! read and written by atomic loads and stores only (relaxed ones, which compile to plain moves, save
//! for the byte with the owner), into and out of this side's own memory, and what was read is checked
//! after it was copied.
//!
//! A peer that made the file may also shrink it, and reading behind its end is a SIGBUS. A file made
//! here in memory is sealed against that. A received one is sealed if it can be
//! ([`is_sealed`](Pool::is_sealed)); a plain file, such as SimBricks' own programs make, cannot, and
//! whoever may open it can end all that map it. That is also so for a file made here at a path.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

/// Where a listener puts its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In memory, without a name: it goes with the last process that uses it, however that ends.
    #[default]
    Memory,
    /// At this path, which should be on a tmpfs; removed with the link. A file that is there is
    /// replaced.
    Path(PathBuf),
}

/// A mapped file.
#[derive(Debug)]
pub struct Pool {
    base: NonNull<u8>,
    length: usize,
    file: OwnedFd,
    /// Kept to be removed in the end.
    _name: Option<OwnName>,
}

// SAFETY: the mapping belongs to no thread, and is only accessed through atomics.
unsafe impl Send for Pool {}
// SAFETY: as above.
unsafe impl Sync for Pool {}

impl Pool {
    /// Makes a file of `length` zero bytes and maps it. The first `needed` of them have memory at once; what is
    /// behind them, when it is used.
    ///
    /// # Errors
    /// If there is no space or no such place.
    pub fn create(place: &Place, length: usize, needed: usize) -> io::Result<Self> {
        let size = length as u64;
        let (file, name) = match place {
            Place::Memory => {
                let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
                let file = rustix::fs::memfd_create("ironbird-link", flags)?;
                rustix::fs::ftruncate(&file, size)?;
                let seals = SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL;
                rustix::fs::fcntl_add_seals(&file, seals)?;
                (file, None)
            }
            Place::Path(path) => {
                // Whoever still maps a file of this name keeps it as it is.
                match std::fs::symlink_metadata(path) {
                    Ok(found) if found.is_file() => std::fs::remove_file(path)?,
                    Ok(_) => return Err(io::Error::other("there is something else than a file")),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
                let mut options = File::options();
                options.read(true).write(true).create_new(true).mode(0o600);
                let file = options.open(path)?;
                let name = OwnName::of(path)?;
                file.set_len(size)?;
                (file.into(), Some(name))
            }
        };
        let pool = Self::map(file, length, name)?;
        // SAFETY: the bytes lie inside the mapping, and giving them memory does not change them.
        let populated = unsafe {
            let advice = rustix::mm::Advice::LinuxPopulateWrite;
            rustix::mm::madvise(pool.base.as_ptr().cast(), needed.min(length), advice)
        };
        // Better now than in the first round through the ring. Older systems do not know how: later, then.
        match populated {
            Ok(()) | Err(rustix::io::Errno::INVAL) => Ok(pool),
            // The address is good: there is nothing to put behind it (madvise(2), MADV_POPULATE_WRITE).
            Err(rustix::io::Errno::FAULT) => Err(io::Error::new(
                io::ErrorKind::StorageFull,
                format!(
                    "there is no room left for {} kB of shared memory",
                    needed.min(length) / 1024
                ),
            )),
            Err(error) => Err(error.into()),
        }
    }

    /// Maps all of a received file.
    ///
    /// # Errors
    /// If it is no file, is empty, or may not be written.
    pub fn adopt(file: OwnedFd) -> io::Result<Self> {
        // Not every file can be sealed. Its size is looked at only afterwards.
        let _ = rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK);
        let found = rustix::fs::fstat(&file)?;
        if !rustix::fs::FileType::from_raw_mode(found.st_mode).is_file() {
            return Err(io::Error::other("the descriptor received is not that of a file"));
        }
        let length = usize::try_from(found.st_size).unwrap_or(0);
        if length == 0 {
            return Err(io::Error::other("the file received is empty"));
        }
        // Not populated: a peer must not be able to make this process fill its memory.
        Self::map(file, length, None)
    }

    fn map(file: OwnedFd, length: usize, name: Option<OwnName>) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no other memory.
        let base = unsafe {
            let nowhere = std::ptr::null_mut();
            rustix::mm::mmap(nowhere, length, access, MapFlags::SHARED, &file, 0)?
        };
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { base, length, file, _name: name })
    }

    /// Bytes mapped.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Whether the file cannot shrink any more.
    pub fn is_sealed(&self) -> bool {
        rustix::fs::fcntl_get_seals(&self.file).is_ok_and(|seals| seals.contains(SealFlags::SHRINK))
    }

    /// Whether the file has become shorter than what is mapped.
    pub fn has_shrunk(&self) -> bool {
        rustix::fs::fstat(&self.file).is_ok_and(|found| (found.st_size as u64) < self.length as u64)
    }

    /// The file, to be sent to the other side.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and every reference into it borrows `self`.
        let _ = unsafe { rustix::mm::munmap(self.base.as_ptr().cast(), self.length) };
    }
}

/// Some bytes of a [`Pool`], accessed through atomics.
#[derive(Debug)]
pub(crate) struct Region {
    base: NonNull<u8>,
    length: usize,
    /// Keeps the mapping.
    _pool: Arc<Pool>,
}

// SAFETY: as for `Pool`.
unsafe impl Send for Region {}
// SAFETY: as for `Pool`.
unsafe impl Sync for Region {}

impl Region {
    /// The bytes from `start` to `end`, if they lie inside, and `start` is a multiple of eight.
    pub(crate) fn new(pool: Arc<Pool>, start: usize, end: usize) -> Option<Self> {
        let length = end.checked_sub(start)?;
        if end > pool.length || !start.is_multiple_of(8) {
            return None;
        }
        // SAFETY: inside the mapping, or just at its end.
        let base = unsafe { pool.base.add(start) };
        Some(Self { base, length, _pool: pool })
    }

    /// The address of `size` bytes at `at`, which is a multiple of `size`.
    ///
    /// # Panics
    /// If they do not lie inside.
    #[inline]
    fn address(&self, at: usize, size: usize) -> *mut u8 {
        let inside = at < self.length && size <= self.length - at;
        if !inside || !at.is_multiple_of(size) {
            outside(at, size, self.length);
        }
        // SAFETY: inside the region, as just checked.
        unsafe { self.base.as_ptr().add(at) }
    }

    /// The byte at `at`.
    #[inline]
    pub(crate) fn byte(&self, at: usize) -> &AtomicU8 {
        // SAFETY: inside the mapping, which lives as long as `self`; this process accesses it through
        // atomics only, and another process is outside of Rust's memory model.
        unsafe { AtomicU8::from_ptr(self.address(at, 1)) }
    }

    /// The four bytes at `at`.
    #[inline]
    pub(crate) fn half(&self, at: usize) -> &AtomicU32 {
        // SAFETY: as for `byte`; aligned, since the mapping begins at a page and the region at a multiple
        // of eight.
        unsafe { AtomicU32::from_ptr(self.address(at, 4).cast()) }
    }

    /// The eight bytes at `at`.
    #[inline]
    pub(crate) fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: as for `half`.
        unsafe { AtomicU64::from_ptr(self.address(at, 8).cast()) }
    }
}

impl Region {
    /// Copies bytes out, by words of eight as far as that goes; `at` is a multiple of eight.
    pub(crate) fn copy_out(&self, at: usize, into: &mut [u8]) {
        let (words, rest) = into.as_chunks_mut::<8>();
        for (index, word) in words.iter_mut().enumerate() {
            *word = self.word(at + 8 * index).load(Ordering::Relaxed).to_ne_bytes();
        }
        let at = at + 8 * words.len();
        for (index, byte) in rest.iter_mut().enumerate() {
            *byte = self.byte(at + index).load(Ordering::Relaxed);
        }
    }

    /// Copies bytes in, in the same way.
    pub(crate) fn copy_in(&self, at: usize, from: &[u8]) {
        let (words, rest) = from.as_chunks::<8>();
        for (index, word) in words.iter().enumerate() {
            self.word(at + 8 * index).store(u64::from_ne_bytes(*word), Ordering::Relaxed);
        }
        let at = at + 8 * words.len();
        for (index, byte) in rest.iter().enumerate() {
            self.byte(at + index).store(*byte, Ordering::Relaxed);
        }
    }
}

/// Apart, so that the check costs the hot path a comparison and no more.
#[cold]
#[inline(never)]
fn outside(at: usize, size: usize, length: usize) -> ! {
    panic!("{size} bytes at {at} of {length}")
}

/// A name in the file system that is removed on drop, unless it meanwhile names something else.
#[derive(Debug)]
pub(crate) struct OwnName {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl OwnName {
    /// Of what is now at `path`.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let found = std::fs::symlink_metadata(path)?;
        // Absolute: the process may go elsewhere before it ends.
        let path = std::path::absolute(path)?;
        Ok(Self { path, device: found.dev(), inode: found.ino() })
    }
}

impl Drop for OwnName {
    fn drop(&mut self) {
        let same = std::fs::symlink_metadata(&self.path)
            .is_ok_and(|found| (found.dev(), found.ino()) == (self.device, self.inode));
        if same {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
