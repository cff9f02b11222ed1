//! A process between the run and a program, so that nothing of the program outlives the run: whatever ends the
//! run, `kill -9` included, ends the guard's input, and then the guard kills the program and all that it started.

#![allow(unsafe_code)]

use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    let is_alone = Arc::new(AtomicBool::new(false));
    let alone = is_alone.clone();
    let listener = std::thread::spawn(move || {
        let mut said = [0];
        while matches!(std::io::stdin().read(&mut said), Ok(1)) {
            if let (END, Some(group)) = (said[0], group) {
                let _ = kill_process_group(group, Signal::TERM);
            }
        }
        alone.store(true, Ordering::SeqCst);
        kill_all();
        kill_marked(&folder);
        let _ = fs::remove_dir_all(&folder);
    });
    let status = child.wait();
    if is_alone.load(Ordering::SeqCst) {
        let _ = listener.join();
    }
    kill_all();
    let status = status.map(|status| (status.code(), status.signal()));
    match status {
        Ok((Some(code), _)) => code as u8,
        Ok((None, Some(signal))) => 128_u8.saturating_add(signal as u8),
        _ => NOT_STARTED,
    }
}

/// The variable by which a program, and all that it starts, is known to be of a run.
const MARK: &str = "IRONBIRD_LINKS";

/// Lets a program bear the mark of a run.
pub(super) fn set_mark(command: &mut Command, folder: &Path) {
    command.env(MARK, folder);
}

/// Kills all that programs of a run have started, wherever it has gone since, save for guards.
pub(super) fn kill_marked(folder: &Path) {
    let mark = [MARK.as_bytes(), b"=", folder.as_os_str().as_bytes()].concat();
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let number = process.file_name().to_str().and_then(|name| name.parse::<i32>().ok());
        let Some(number) = number.filter(|number| *number as u32 != std::process::id()) else {
            continue;
        };
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        let is_marked = environment.split(|byte| *byte == 0).any(|word| word == mark);
        let is_guard = fs::read(process.path().join("cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).nth(1) == Some(b"guard"));
        if is_marked
            && !is_guard
            && let Some(process) = Pid::from_raw(number)
        {
            let _ = kill_process(process, Signal::KILL);
        }
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

/// Whether a process, or one below it, does something or wants to: a thread that sleeps or is stopped does not
/// (proc_pid_stat(5), `state`).
pub(super) fn is_busy(process: u32) -> bool {
    let process = process.to_string();
    let below = descendants(&process).into_iter().map(|pid| pid.as_raw_nonzero().to_string());
    below.chain([process]).any(|process| {
        let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return false };
        tasks.flatten().any(|task| {
            let about = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            // The name before it, in parentheses, may hold anything.
            let state =
                about.rsplit(')').next().and_then(|rest| rest.split_ascii_whitespace().next());
            !matches!(state, Some("S" | "T" | "t"))
        })
    })
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
