//! Copies of the program: a fork is a checkpoint in memory.
//!
//! The process has one kernel thread (coroutines), so that a fork holds all of it. What a fork would share is
//! taken apart: the copy works in a folder of its own, has its own positions in the files that it has open there, and
//! prints to a file of its own.

use super::engine::receive;
use super::{processes, report, state, sys};
use crate::protocol::{Backend, Hello, Output, ToHost};

/// Where a copy lives.
pub struct Quarters {
    /// Over which it talks to the host.
    pub transport: String,
    /// Its folder, which holds what that of the program holds; empty: that of the program.
    pub folder: String,
    /// What it prints goes to the end of this file; empty: where the program prints.
    pub output: String,
}

/// Forks. The program goes on; the copy waits for what its own host says.
pub fn make(quarters: &Quarters, idle: bool) {
    if !state().coroutines {
        report::leak(
            "a snapshot of a program with kernel threads",
            None,
            "set the back-end to `coroutines`: only there the whole program is one kernel thread",
        );
    }
    if state().children.is_some() {
        report::leak(
            "a snapshot of a program that may have children",
            None,
            "a child cannot be copied with its program: set `children` to \"refused\"",
        );
    }
    // Whoever waits for the program waits for its copies too: they are its siblings.
    let flags = (libc::CLONE_PARENT | libc::SIGCHLD) as u64;
    // SAFETY: the process has one kernel thread; the threads that it plays are memory.
    let pid = unsafe { sys::raw(libc::SYS_clone, [flags, 0, 0, 0, 0, 0]) };
    if pid > 0 {
        state().outputs.push(Output::Forked { pid: pid as u32 });
        return;
    }
    if pid < 0 {
        super::give_up(&format!("the kernel refuses to fork: error {}", -pid));
    }
    if let Err(error) = settle(quarters) {
        super::give_up(&format!("the copy of the program cannot live: {error}"));
    }
    let state = state();
    let (pid, backend, unsteady) = (sys::getpid(), Backend::Coroutines, state.unsteady);
    let hello = ToHost::Hello(Hello { pid, backend, fsgsbase: true, unsteady });
    state.outputs.clear();
    if let Err(error) = state.transport.send(&hello, &mut state.buffer) {
        super::give_up(&error);
    }
    receive(idle);
}

/// Moves a copy into its quarters.
fn settle(quarters: &Quarters) -> Result<(), String> {
    // Its own group: it outlives the program.
    // SAFETY: numbers only.
    unsafe { sys::raw(libc::SYS_setpgid, [0; 6]) };
    if !quarters.output.is_empty() {
        for printed in [1, 2] {
            reopen(printed, &quarters.output, libc::O_WRONLY, End::Behind)?;
        }
    }
    if !quarters.folder.is_empty() {
        move_files(&quarters.folder)?;
    }
    state().transport = super::Transport::open(&quarters.transport)?;
    state().board = super::transport::Board::of(&state().transport);
    Ok(())
}

/// Files of the old folder that are open become those of the new one.
fn move_files(folder: &str) -> Result<(), String> {
    let old = processes::link("/proc/self/cwd").ok_or("it has no working folder")?;
    let inside = format!("{old}/");
    let maps = processes::read_text("/proc/self/maps").unwrap_or_default();
    // Permissions stand in the second word, `s` for shared at their end; the path is the rest behind the fifth.
    let is_shared = |line: &&str| {
        let shared = line.split_whitespace().nth(1).is_some_and(|word| word.ends_with('s'));
        shared && line.contains(&inside)
    };
    if let Some(line) = maps.lines().find(is_shared) {
        let path = line.find(&inside).map_or("", |place| &line[place..]);
        return Err(format!("it shares memory with the file `{path}`"));
    }
    for number in processes::numbers_in("/proc/self/fd") {
        let Some(path) = processes::link(&format!("/proc/self/fd/{number}")) else { continue };
        let Some(name) = path.strip_prefix(&inside) else { continue };
        if name.ends_with(" (deleted)") {
            return Err(format!("it has a file open that it has removed: `{name}`"));
        }
        // SAFETY: numbers only.
        let (flags, place) = unsafe {
            let ask = [u64::from(number), libc::F_GETFL as u64, 0, 0, 0, 0];
            let here = [u64::from(number), 0, libc::SEEK_CUR as u64, 0, 0, 0];
            (sys::raw(libc::SYS_fcntl, ask), sys::raw(libc::SYS_lseek, here))
        };
        // What is no file, a folder for one, has no position to keep.
        let place = if place >= 0 { End::At(place as u64) } else { End::At(0) };
        reopen(number as i32, &format!("{folder}/{name}"), flags as i32, place)?;
    }
    let path = format!("{folder}\0");
    // SAFETY: the path ends with a zero.
    match unsafe { sys::raw(libc::SYS_chdir, [path.as_ptr() as u64, 0, 0, 0, 0, 0]) } {
        0 => {
            state().home = folder.to_owned();
            Ok(())
        }
        error => Err(format!("it cannot enter `{folder}`: error {}", -error)),
    }
}

/// Where writing goes on.
enum End {
    At(u64),
    Behind,
}

/// Lets a descriptor lead to another file, at a place.
fn reopen(number: i32, path: &str, flags: i32, place: End) -> Result<(), String> {
    let name = format!("{path}\0");
    // SAFETY: the path ends with a zero; the rest are numbers.
    unsafe {
        let at = libc::AT_FDCWD as u64;
        let once = libc::O_CREAT | libc::O_EXCL | libc::O_TRUNC;
        let (flags, name) = ((flags & !once) as u64, name.as_ptr() as u64);
        let opened = sys::raw(libc::SYS_openat, [at, name, flags, 0, 0, 0]);
        if opened < 0 {
            return Err(format!("`{path}` cannot be opened: error {}", -opened));
        }
        let (offset, from) = match place {
            End::At(offset) => (offset, libc::SEEK_SET),
            End::Behind => (0, libc::SEEK_END),
        };
        sys::raw(libc::SYS_lseek, [opened as u64, offset, from as u64, 0, 0, 0]);
        let kept = sys::raw(libc::SYS_fcntl, [number as u64, libc::F_GETFD as u64, 0, 0, 0, 0]);
        let close = if kept & i64::from(libc::FD_CLOEXEC) != 0 { libc::O_CLOEXEC } else { 0 };
        let moved = sys::raw(libc::SYS_dup3, [opened as u64, number as u64, close as u64, 0, 0, 0]);
        sys::close(opened as libc::c_int);
        match moved < 0 {
            true => Err(format!("`{path}` cannot take its number: error {}", -moved)),
            false => Ok(()),
        }
    }
}
