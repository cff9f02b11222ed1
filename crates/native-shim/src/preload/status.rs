//! What a program is told about its files.
//!
//! Files are inputs, but when and where on a disk they were made is not: what is younger than the run is as old as the
//! virtual computer's clock was at its start, and files are numbered in the order in which the program meets them.

use super::objects::{self, Kind};
use super::paths::{Found, look_up};
use super::{engine, ready, state, sys};
use crate::protocol::DeviceKind;
use libc::{c_char, c_int, c_uint};
use std::collections::BTreeMap;
use sys::real_call;

/// Numbers of files, by the device and the number that they really have.
#[derive(Default)]
pub struct Numbers(BTreeMap<(u64, u64), u64>);

/// The one disk of the virtual computer.
const DISK: u64 = 0x801;

impl Numbers {
    pub fn of(&mut self, disk: u64, file: u64) -> u64 {
        let next = self.0.len() as u64 + 1;
        *self.0.entry((disk, file)).or_insert(next)
    }
}

/// Takes out what differs from run to run, if the kernel had an answer.
unsafe fn settle(answer: i64, stat: *mut libc::stat) -> c_int {
    const NS: i64 = 1_000_000_000;
    if answer != 0 {
        return answer as c_int;
    }
    let (disk, begun) = ((*stat).st_dev, state().setup.begun_ns as i64);
    (*stat).st_ino = state().numbers.of(disk, (*stat).st_ino);
    (*stat).st_dev = DISK;
    let epoch = state().setup.realtime_epoch_ns as i64;
    let shown = |seconds: &mut i64, ns: &mut i64| {
        if seconds.saturating_mul(NS).saturating_add(*ns) >= begun {
            (*seconds, *ns) = (epoch / NS, epoch % NS);
        }
    };
    shown(&mut (*stat).st_mtime, &mut (*stat).st_mtime_nsec);
    // When it was last read, and when its entry changed, is nobody's input.
    ((*stat).st_atime, (*stat).st_atime_nsec) = ((*stat).st_mtime, (*stat).st_mtime_nsec);
    ((*stat).st_ctime, (*stat).st_ctime_nsec) = ((*stat).st_mtime, (*stat).st_mtime_nsec);
    0
}

/// A character device, or a socket.
unsafe fn describe(kind: libc::mode_t, stat: *mut libc::stat) -> c_int {
    *stat = std::mem::zeroed();
    (*stat).st_mode = kind | 0o666;
    (*stat).st_nlink = 1;
    (*stat).st_rdev = libc::makedev(240, 0);
    (*stat).st_blksize = 4096;
    0
}

unsafe fn stat_at(
    folder: c_int,
    path: *const c_char,
    stat: *mut libc::stat,
    flags: c_int,
) -> c_int {
    if !ready() {
        return real_call!(libc::SYS_newfstatat, folder, path, stat, flags) as c_int;
    }
    if flags & libc::AT_EMPTY_PATH != 0
        && (path.is_null() || *path == 0)
        && objects::of(folder).is_some()
    {
        return fstat(folder, stat);
    }
    engine::call();
    match look_up(path) {
        Found::File => settle(real_call!(libc::SYS_newfstatat, folder, path, stat, flags), stat),
        Found::Device(DeviceKind::Refused, _) => sys::fail(libc::ENOENT) as c_int,
        Found::Device(..) => describe(libc::S_IFCHR, stat),
        Found::Text(_) => describe(libc::S_IFREG, stat),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fstat(fd: c_int, stat: *mut libc::stat) -> c_int {
    if !ready() {
        return real_call!(libc::SYS_fstat, fd, stat) as c_int;
    }
    let Some(object) = objects::of(fd) else {
        return settle(real_call!(libc::SYS_fstat, fd, stat), stat);
    };
    engine::call();
    if let Some(kernel) = super::kernel::of(object) {
        return settle(real_call!(libc::SYS_fstat, kernel, stat), stat);
    }
    let kind = match state().objects.get(object).kind {
        Kind::Datagram(_) | Kind::Stream(_) => libc::S_IFSOCK,
        Kind::Pipe { .. } => libc::S_IFIFO,
        Kind::Event { .. } | Kind::Timer { .. } | Kind::Epoll { .. } => 0,
        _ => libc::S_IFCHR,
    };
    describe(kind, stat)
}

macro_rules! stats {
    ($($name:ident($($argument:ident: $kind:ty),*) => $body:expr;)*) => {
        $(#[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> c_int {
            $body
        })*
    };
}

// `stat` and `stat64` are one structure on this machine; the names with underscores are those of old programs.
stats! {
    stat(path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, 0);
    stat64(path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, 0);
    lstat(path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, libc::AT_SYMLINK_NOFOLLOW);
    lstat64(path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, libc::AT_SYMLINK_NOFOLLOW);
    fstat64(fd: c_int, stat: *mut libc::stat) => fstat(fd, stat);
    fstatat(folder: c_int, path: *const c_char, stat: *mut libc::stat, flags: c_int) => stat_at(folder, path, stat, flags);
    fstatat64(folder: c_int, path: *const c_char, stat: *mut libc::stat, flags: c_int) => stat_at(folder, path, stat, flags);
    __xstat(_version: c_int, path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, 0);
    __xstat64(_version: c_int, path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, 0);
    __lxstat(_version: c_int, path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, libc::AT_SYMLINK_NOFOLLOW);
    __lxstat64(_version: c_int, path: *const c_char, stat: *mut libc::stat) => stat_at(libc::AT_FDCWD, path, stat, libc::AT_SYMLINK_NOFOLLOW);
    __fxstat(_version: c_int, fd: c_int, stat: *mut libc::stat) => fstat(fd, stat);
    __fxstat64(_version: c_int, fd: c_int, stat: *mut libc::stat) => fstat(fd, stat);
}

unsafe fn access_at(folder: c_int, path: *const c_char, mode: c_int, flags: c_int) -> c_int {
    ready();
    engine::call();
    match look_up(path) {
        Found::File => real_call!(libc::SYS_faccessat2, folder, path, mode, flags) as c_int,
        Found::Device(DeviceKind::Refused, _) => sys::fail(libc::ENOENT) as c_int,
        Found::Device(..) | Found::Text(_) => 0,
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn access(path: *const c_char, mode: c_int) -> c_int {
    access_at(libc::AT_FDCWD, path, mode, 0)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn faccessat(
    folder: c_int,
    path: *const c_char,
    mode: c_int,
    flags: c_int,
) -> c_int {
    access_at(folder, path, mode, flags)
}

/// As [`stat_at`], in the newer form (statx(2)): with all that the older form has, and nothing more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn statx(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    _wanted: c_uint,
    answer: *mut libc::statx,
) -> c_int {
    let mut stat: libc::stat = std::mem::zeroed();
    let known = libc::AT_EMPTY_PATH | libc::AT_SYMLINK_NOFOLLOW | libc::AT_NO_AUTOMOUNT;
    if stat_at(folder, path, &mut stat, flags & known) != 0 {
        return -1;
    }
    let moment = |seconds: i64, ns: i64| {
        let mut moment: libc::statx_timestamp = std::mem::zeroed();
        (moment.tv_sec, moment.tv_nsec) = (seconds, ns as u32);
        moment
    };
    let modified = moment(stat.st_mtime, stat.st_mtime_nsec);
    *answer = std::mem::zeroed();
    (*answer).stx_mask = libc::STATX_BASIC_STATS;
    (*answer).stx_blksize = stat.st_blksize as u32;
    (*answer).stx_nlink = stat.st_nlink as u32;
    ((*answer).stx_uid, (*answer).stx_gid) = (stat.st_uid, stat.st_gid);
    (*answer).stx_mode = stat.st_mode as u16;
    (*answer).stx_ino = stat.st_ino;
    (*answer).stx_size = stat.st_size as u64;
    (*answer).stx_blocks = stat.st_blocks as u64;
    (*answer).stx_mtime = modified;
    ((*answer).stx_atime, (*answer).stx_ctime) = (modified, modified);
    (*answer).stx_rdev_major = libc::major(stat.st_rdev);
    (*answer).stx_rdev_minor = libc::minor(stat.st_rdev);
    (*answer).stx_dev_major = libc::major(stat.st_dev);
    (*answer).stx_dev_minor = libc::minor(stat.st_dev);
    0
}
