//! A process between the run and a program, so that nothing of the program outlives the run: whatever ends the
//! run, `kill -9` included, ends the guard's input, and then the guard kills the program and all that it started.

#![allow(unsafe_code)]

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::process::{
    Pid, Signal, getpid, kill_process, kill_process_group, set_child_subreaper,
    set_parent_process_death_signal,
};

/// What the run says to the guard: ask the program to end.
pub(super) const END: u8 = b'e';
/// The status of a program that cannot be started, as shells have it.
const NOT_STARTED: u8 = 127;

/// Runs a program until it ends, or until the standard input of this process does. `folder` is removed then.
///
/// The status is that of the program; 128 and the number of the signal if one has killed it.
pub fn guard(command: &[OsString], folder: &Path) -> u8 {
    let Some((program, arguments)) = command.split_first() else { return NOT_STARTED };
    // What the program leaves behind becomes a child of this process.
    let _ = set_child_subreaper(Some(getpid()));
    let mut prepared = Command::new(program);
    prepared.args(arguments).stdin(Stdio::null()).process_group(0);
    // SAFETY: between fork and exec there is one system call and nothing else: no memory is allocated, no lock
    // is taken.
    unsafe {
        prepared.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
    let mut child = match prepared.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("\"{}\" cannot be started: {error}", program.display());
            return NOT_STARTED;
        }
    };
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        let mut said = [0];
        while matches!(std::io::stdin().read(&mut said), Ok(1)) {
            if let (END, Some(group)) = (said[0], group) {
                let _ = kill_process_group(group, Signal::TERM);
            }
        }
        kill_all();
        let _ = fs::remove_dir_all(&folder);
        // What ended the input may have ended the program only now: the other thread may still wait for it.
        std::process::exit(128 + 9);
    });
    let status = child.wait();
    kill_all();
    let status = status.map(|status| (status.code(), status.signal()));
    match status {
        Ok((Some(code), _)) => code as u8,
        Ok((None, Some(signal))) => 128_u8.saturating_add(signal as u8),
        _ => NOT_STARTED,
    }
}

/// Kills all processes below this one. What one of them starts meanwhile is found in the next round.
fn kill_all() {
    for _ in 0..100 {
        let below = descendants(&std::process::id().to_string());
        if below.is_empty() {
            return;
        }
        for process in below {
            let _ = kill_process(process, Signal::KILL);
        }
        // Those that became children of this process are gone once they are waited for.
        while let Ok(Some(_)) = rustix::process::wait(rustix::process::WaitOptions::NOHANG) {}
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Children of a process, and theirs (proc_pid_task(5), `children`).
fn descendants(process: &str) -> Vec<Pid> {
    let mut found = Vec::new();
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return found };
    for task in tasks.flatten() {
        let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
        for child in children.split_ascii_whitespace() {
            found.extend(child.parse().ok().and_then(Pid::from_raw));
            found.extend(descendants(child));
        }
    }
    found
}
