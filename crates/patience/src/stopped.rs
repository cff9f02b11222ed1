//! Whether a process is stopped, as Linux tells in `/proc` (proc(5)). Where that tells nothing, nobody is.

use std::fs;

/// No run starts more than so many processes; a list that changes while it is read may be longer.
const MOST: usize = 10_000;

/// Whether a process, or one that it has started, is stopped by a signal or held by a debugger.
pub fn is_stopped(process: u32) -> bool {
    let mut open = vec![process];
    let mut seen = 0;
    while let Some(process) = open.pop() {
        if matches!(state(process), Some('T' | 't')) {
            return true;
        }
        seen += 1;
        if seen == MOST {
            return false;
        }
        add_children(process, &mut open);
    }
    false
}

/// `/proc/PID/stat`: the number, the name in parentheses, which may hold anything, and the state.
fn state(process: u32) -> Option<char> {
    let bytes = fs::read(format!("/proc/{process}/stat")).ok()?;
    let behind_name = bytes.rsplit(|byte| *byte == b')').next()?;
    behind_name.iter().copied().find(|byte| !byte.is_ascii_whitespace()).map(char::from)
}

/// Each thread has a list of the processes that it has started.
fn add_children(process: u32, to: &mut Vec<u32>) {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    for thread in threads {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        to.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
    }
}
