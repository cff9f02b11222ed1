//! What the kernel tells of other processes.

use super::sys;

/// Reads a small file of `/proc`; none if it is not there.
pub fn read(path: &str) -> Option<Vec<u8>> {
    let name = format!("{path}\0");
    // SAFETY: the path ends with a zero; the buffer is valid for its length.
    unsafe {
        let flags = (libc::O_RDONLY | libc::O_CLOEXEC) as u64;
        let at = libc::AT_FDCWD as u64;
        let fd = sys::raw(libc::SYS_openat, [at, name.as_ptr() as u64, flags, 0, 0, 0]);
        if fd < 0 {
            return None;
        }
        let mut text = vec![0; 4096];
        let mut length = 0;
        loop {
            let (to, left) = (text.as_mut_ptr().add(length) as u64, (text.len() - length) as u64);
            let count = sys::raw(libc::SYS_read, [fd as u64, to, left, 0, 0, 0]);
            if count <= 0 {
                break;
            }
            length += count as usize;
            if length == text.len() {
                text.resize(2 * length, 0);
            }
        }
        sys::raw(libc::SYS_close, [fd as u64, 0, 0, 0, 0, 0]);
        text.truncate(length);
        Some(text)
    }
}

pub fn read_text(path: &str) -> Option<String> {
    read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// The numbers among the names in a folder, in order.
pub fn numbers_in(path: &str) -> Vec<u32> {
    let name = format!("{path}\0");
    let mut found = Vec::new();
    // SAFETY: the path ends with a zero; the kernel writes whole entries into the buffer.
    unsafe {
        let flags = (libc::O_RDONLY | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
        let at = libc::AT_FDCWD as u64;
        let fd = sys::raw(libc::SYS_openat, [at, name.as_ptr() as u64, flags, 0, 0, 0]);
        if fd < 0 {
            return found;
        }
        // On the heap: threads may have small stacks.
        let mut buffer = vec![0u64; 1024];
        loop {
            let (to, room) =
                (buffer.as_mut_ptr() as u64, std::mem::size_of_val(&buffer[..]) as u64);
            let count = sys::raw(libc::SYS_getdents64, [fd as u64, to, room, 0, 0, 0]);
            if count <= 0 {
                break;
            }
            let mut place = 0;
            while place < count as usize {
                // Its length at 16, its name from 19 on.
                let entry = buffer.as_ptr().cast::<u8>().add(place);
                let name = std::ffi::CStr::from_ptr(entry.add(19).cast());
                found.extend(name.to_str().ok().and_then(|name| name.parse::<u32>().ok()));
                place += usize::from(entry.add(16).cast::<u16>().read_unaligned());
            }
        }
        sys::raw(libc::SYS_close, [fd as u64, 0, 0, 0, 0, 0]);
    }
    found.sort_unstable();
    found
}

/// Where a link of `/proc` leads.
pub fn link(path: &str) -> Option<String> {
    let name = format!("{path}\0");
    let mut buffer = [0u8; 256];
    // SAFETY: the path ends with a zero; the buffer is valid for its length.
    let length = unsafe {
        let (to, room) = (buffer.as_mut_ptr() as u64, buffer.len() as u64);
        sys::raw(libc::SYS_readlink, [name.as_ptr() as u64, to, room, 0, 0, 0])
    };
    let text = buffer.get(..usize::try_from(length).ok()?)?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Command line and number of a process.
pub fn name_of(process: u32) -> String {
    let mut words = read(&format!("/proc/{process}/cmdline")).unwrap_or_default();
    words.truncate(200);
    let words = String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " ");
    format!("`{words}` (process {process})")
}

/// Whose child a process is; none if it is gone.
pub fn parent_of(process: u32) -> Option<u32> {
    let text = read_text(&format!("/proc/{process}/stat"))?;
    // Number, name and state come first; the name is in brackets and may contain any (proc_pid_stat(5)).
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Numbers of processes are below this.
pub fn limit() -> u32 {
    const MOST: u32 = 1 << 22;
    let text = read_text("/proc/sys/kernel/pid_max");
    text.and_then(|text| text.trim().parse().ok()).unwrap_or(MOST)
}

/// Children of a process, in the order of their making. Threads of a process have children each of their own.
fn children_of(process: u32, threads: &[u32]) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in threads {
        let text = read_text(&format!("/proc/{process}/task/{thread}/children"));
        found.extend(
            text.unwrap_or_default().split_whitespace().filter_map(|word| word.parse::<u32>().ok()),
        );
    }
    found
}

/// All processes below the program, the nursery among them. `known` are those that it has made itself.
pub fn family(known: &[u32]) -> Vec<u32> {
    let own = sys::getpid();
    let mut all: Vec<u32> = known.to_vec();
    all.extend(children_of(own, &[own]));
    let mut place = 0;
    while place < all.len() {
        let process = all[place];
        if all[..place].contains(&process) {
            all.remove(place);
            continue;
        }
        let threads = numbers_in(&format!("/proc/{process}/task"));
        all.extend(children_of(process, &threads));
        place += 1;
    }
    all
}

/// The memory of another process; none if it cannot be read.
pub fn memory(process: u32, address: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0u8; length];
    let own = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: length };
    let other = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: length };
    // SAFETY: the kernel writes into the buffer, which is as long as it says.
    let count = unsafe {
        let (own, other) = (&raw const own as u64, &raw const other as u64);
        sys::raw(libc::SYS_process_vm_readv, [u64::from(process), own, 1, other, 1, 0])
    };
    (count == length as i64).then_some(bytes)
}
