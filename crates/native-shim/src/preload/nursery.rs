//! The process that other programs are started from.
//!
//! The filter of the leak net holds for all that a process starts, for good. So the shim forks once before it closes
//! the net. That process, the nursery, waits for orders and makes new processes that know neither the net nor the
//! shim. They are children of the program, not of the nursery (`CLONE_PARENT`), so that the program may wait for them.

use super::orders::{Action, Order};
use super::sys;
use libc::c_int;

/// Most descriptors that one message of the kernel carries are 253; three are the order's own.
pub const MOST_DESCRIPTORS: usize = 240;

unsafe fn call(number: libc::c_long, arguments: &[u64]) -> i64 {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    sys::raw(number, all)
}

/// The line to the nursery, and its process.
pub struct Nursery {
    socket: c_int,
    pub pid: u32,
}

const PAIR: c_int = libc::SOCK_SEQPACKET | libc::SOCK_CLOEXEC;

unsafe fn pair() -> Result<[c_int; 2], c_int> {
    let mut ends = [0; 2];
    let made = call(
        libc::SYS_socketpair,
        &[libc::AF_UNIX as u64, PAIR as u64, 0, ends.as_mut_ptr() as u64],
    );
    if made < 0 { Err(-made as c_int) } else { Ok(ends) }
}

/// Room for the descriptors of one message, aligned as the kernel wants it.
type Control = [u64; 160];

unsafe fn message(part: *mut libc::iovec, control: *mut Control, length: usize) -> libc::msghdr {
    let mut message: libc::msghdr = std::mem::zeroed();
    (message.msg_iov, message.msg_iovlen) = (part, 1);
    (message.msg_control, message.msg_controllen) = (control.cast(), length);
    message
}

impl Nursery {
    /// Forks the nursery. The program has one thread and no net yet.
    pub fn found() -> Result<Self, String> {
        // SAFETY: only system calls; the copy never returns.
        unsafe {
            let [ours, theirs] =
                pair().map_err(|error| format!("no line to the nursery: error {error}"))?;
            let high = sys::high_copy(ours);
            let pid = call(libc::SYS_fork, &[]);
            if pid == 0 {
                serve(theirs);
            }
            call(libc::SYS_close, &[ours as u64]);
            call(libc::SYS_close, &[theirs as u64]);
            if pid < 0 || high < 0 {
                let error = if pid < 0 { -pid as c_int } else { sys::errno() };
                return Err(format!("the nursery cannot be forked: error {error}"));
            }
            // Orphans of children stay in the program's sight.
            call(libc::SYS_prctl, &[libc::PR_SET_CHILD_SUBREAPER as u64, 1]);
            Ok(Self { socket: high, pid: pid as u32 })
        }
    }

    /// Whether a descriptor is its line.
    pub fn owns(&self, fd: c_int) -> bool {
        self.socket == fd
    }

    /// Starts a program; its process, or why there is none.
    pub fn start(&self, order: &Order) -> Result<u32, c_int> {
        if order.descriptors.len() > MOST_DESCRIPTORS {
            return Err(libc::EMFILE);
        }
        // SAFETY: all buffers outlive the calls; every descriptor that is opened is closed.
        unsafe {
            let bytes = order.encode();
            let memory = call(
                libc::SYS_memfd_create,
                &[c"order".as_ptr() as u64, u64::from(libc::MFD_CLOEXEC)],
            );
            if memory < 0 {
                return Err(-memory as c_int);
            }
            let memory = memory as c_int;
            let mut written = 0;
            while written < bytes.len() {
                let (from, left) = (bytes.as_ptr().add(written), bytes.len() - written);
                let count = call(libc::SYS_write, &[memory as u64, from as u64, left as u64]);
                if count <= 0 {
                    call(libc::SYS_close, &[memory as u64]);
                    return Err(libc::ENOMEM);
                }
                written += count as usize;
            }
            let folder = call(
                libc::SYS_openat,
                &[
                    libc::AT_FDCWD as u64,
                    c".".as_ptr() as u64,
                    (libc::O_PATH | libc::O_CLOEXEC) as u64,
                    0,
                ],
            );
            let result = match (pair(), folder) {
                (Ok([ours, theirs]), 0..) => {
                    let mut fds = vec![theirs, memory, folder as c_int];
                    fds.extend(&order.descriptors);
                    let sent = self.send(bytes.len() as u64, &fds);
                    call(libc::SYS_close, &[theirs as u64]);
                    let answer = sent.and_then(|()| receive_answer(ours));
                    call(libc::SYS_close, &[ours as u64]);
                    answer
                }
                (Err(error), _) => Err(error),
                (_, error) => Err(-error as c_int),
            };
            for fd in [i64::from(memory), folder] {
                if fd >= 0 {
                    call(libc::SYS_close, &[fd as u64]);
                }
            }
            result
        }
    }

    unsafe fn send(&self, length: u64, fds: &[c_int]) -> Result<(), c_int> {
        let mut length = length.to_le_bytes();
        let mut part = libc::iovec { iov_base: length.as_mut_ptr().cast(), iov_len: 8 };
        let mut control: Control = [0; 160];
        let bytes = std::mem::size_of_val(fds);
        let message = message(&mut part, &mut control, libc::CMSG_SPACE(bytes as u32) as usize);
        let header = libc::CMSG_FIRSTHDR(&message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(bytes as u32) as usize;
        libc::CMSG_DATA(header).copy_from_nonoverlapping(fds.as_ptr().cast(), bytes);
        let flags = libc::MSG_NOSIGNAL as u64;
        let sent = call(libc::SYS_sendmsg, &[self.socket as u64, &raw const message as u64, flags]);
        // Nobody is there any more.
        if sent < 0 { Err(libc::ECHILD) } else { Ok(()) }
    }
}

unsafe fn receive_answer(socket: c_int) -> Result<u32, c_int> {
    let mut answer = [0i32; 2];
    loop {
        let count = call(libc::SYS_read, &[socket as u64, answer.as_mut_ptr() as u64, 8]);
        match count {
            8 if answer[1] == 0 => return Ok(answer[0] as u32),
            8 => return Err(answer[1]),
            count if count == -i64::from(libc::EINTR) => {}
            _ => return Err(libc::EAGAIN),
        }
    }
}

/// The life of the nursery.
unsafe fn serve(socket: c_int) -> ! {
    call(libc::SYS_prctl, &[libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64]);
    call(libc::SYS_prctl, &[libc::PR_SET_NAME as u64, c"nursery".as_ptr() as u64]);
    // It needs its line and nothing else.
    if socket != 0 && call(libc::SYS_dup3, &[socket as u64, 0, libc::O_CLOEXEC as u64]) < 0 {
        sys::end(70);
    }
    call(libc::SYS_close_range, &[1, u64::from(u32::MAX), 0]);
    loop {
        let mut length = [0u8; 8];
        let mut part = libc::iovec { iov_base: length.as_mut_ptr().cast(), iov_len: 8 };
        let mut control: Control = [0; 160];
        let mut message = message(&mut part, &mut control, std::mem::size_of::<Control>());
        let flags = libc::MSG_CMSG_CLOEXEC as u64;
        let received = call(libc::SYS_recvmsg, &[0, &raw mut message as u64, flags]);
        if received == -i64::from(libc::EINTR) {
            continue;
        }
        if received != 8 {
            sys::end(0);
        }
        let header = libc::CMSG_FIRSTHDR(&message);
        if header.is_null() {
            continue;
        }
        let count = ((*header).cmsg_len - libc::CMSG_LEN(0) as usize) / 4;
        let first = libc::CMSG_DATA(header).cast::<c_int>();
        let fds: Vec<c_int> = (0..count).map(|place| first.add(place).read_unaligned()).collect();
        if let [answer, memory, folder, rest @ ..] = &fds[..] {
            let made = read_order(*memory, u64::from_le_bytes(length) as usize)
                .and_then(|order| bring_up(&order, *folder, rest));
            let reply = match made {
                Ok(pid) => [pid, 0],
                Err(error) => [0, error],
            };
            let no_signal = libc::MSG_NOSIGNAL as u64;
            call(libc::SYS_sendto, &[*answer as u64, reply.as_ptr() as u64, 8, no_signal]);
        }
        for fd in fds {
            call(libc::SYS_close, &[fd as u64]);
        }
    }
}

unsafe fn read_order(memory: c_int, length: usize) -> Result<Order, c_int> {
    let mut bytes = vec![0; length];
    let mut place = 0;
    while place < length {
        let (to, left) = (bytes.as_mut_ptr().add(place), length - place);
        let count = call(libc::SYS_pread64, &[memory as u64, to as u64, left as u64, place as u64]);
        if count <= 0 {
            return Err(libc::EIO);
        }
        place += count as usize;
    }
    Order::decode(&bytes).map_err(|_| libc::EPROTO)
}

/// Makes the process, and waits until its program has begun.
unsafe fn bring_up(order: &Order, folder: c_int, fds: &[c_int]) -> Result<c_int, c_int> {
    let mut failure = [0; 2];
    let made = call(libc::SYS_pipe2, &[failure.as_mut_ptr() as u64, libc::O_CLOEXEC as u64]);
    if made < 0 {
        return Err(-made as c_int);
    }
    let pid = call(libc::SYS_clone, &[libc::CLONE_PARENT as u64]);
    if pid == 0 {
        let error = become_program(order, folder, fds, failure[1]);
        call(libc::SYS_write, &[error.0 as u64, &raw const error.1 as u64, 4]);
        sys::end(127);
    }
    call(libc::SYS_close, &[failure[1] as u64]);
    let mut error = 0i32;
    let told = call(libc::SYS_read, &[failure[0] as u64, &raw mut error as u64, 4]);
    call(libc::SYS_close, &[failure[0] as u64]);
    match (pid, told) {
        (..0, _) => Err(-pid as c_int),
        (_, 4) => Err(error),
        _ => Ok(pid as c_int),
    }
}

/// Where to tell that it went wrong, and what did.
type Failure = (c_int, c_int);

unsafe fn become_program(order: &Order, folder: c_int, fds: &[c_int], tell: c_int) -> Failure {
    call(libc::SYS_prctl, &[libc::PR_SET_PDEATHSIG as u64, libc::SIGKILL as u64]);
    // All descriptors go out of the way first: each may lie where another belongs.
    let above = order.descriptors.iter().max().map_or(3, |most| most + 1).max(3);
    let aside = |fd: c_int| {
        call(libc::SYS_fcntl, &[fd as u64, libc::F_DUPFD_CLOEXEC as u64, above as u64]) as c_int
    };
    let tell = aside(tell);
    let folder = aside(folder);
    let moved: Vec<c_int> = fds.iter().map(|&fd| aside(fd)).collect();
    for fd in 0..3 {
        call(libc::SYS_close, &[fd]);
    }
    for (&from, &to) in moved.iter().zip(&order.descriptors) {
        let flags = if order.hidden.contains(&to) { libc::O_CLOEXEC as u64 } else { 0 };
        if from < 0 || call(libc::SYS_dup3, &[from as u64, to as u64, flags]) < 0 {
            return (tell, libc::EMFILE);
        }
    }
    if call(libc::SYS_fchdir, &[folder as u64]) < 0 {
        return (tell, libc::ENOENT);
    }
    call(libc::SYS_umask, &[u64::from(order.umask)]);
    if order.session {
        call(libc::SYS_setsid, &[]);
    }
    if let Some(group) = order.group {
        call(libc::SYS_setpgid, &[0, group as u64]);
    }
    for action in &order.actions {
        if let Err(error) = act(action) {
            return (tell, error);
        }
    }
    call(libc::SYS_rt_sigprocmask, &[libc::SIG_SETMASK as u64, &raw const order.mask as u64, 0, 8]);
    (tell, execute(order))
}

/// Does what is to be done before the program begins.
unsafe fn act(action: &Action) -> Result<(), c_int> {
    let result = match action {
        Action::Close(fd) => {
            call(libc::SYS_close, &[*fd as u64]);
            0
        }
        Action::Copy(from, fd) if from == fd => {
            call(libc::SYS_fcntl, &[*fd as u64, libc::F_SETFD as u64, 0])
        }
        Action::Copy(from, fd) => call(libc::SYS_dup3, &[*from as u64, *fd as u64, 0]),
        Action::Open { fd, path, flags, mode } => {
            let opened = call(
                libc::SYS_openat,
                &[libc::AT_FDCWD as u64, path.as_ptr() as u64, *flags as u64, u64::from(*mode)],
            );
            if opened >= 0 && opened != i64::from(*fd) {
                let copied = call(libc::SYS_dup3, &[opened as u64, *fd as u64, 0]);
                call(libc::SYS_close, &[opened as u64]);
                copied
            } else {
                opened
            }
        }
        Action::Folder(path) => call(libc::SYS_chdir, &[path.as_ptr() as u64]),
        Action::FolderOf(fd) => call(libc::SYS_fchdir, &[*fd as u64]),
        // By `exec`: until then the way to tell of a failure stays open.
        Action::CloseFrom(fd) => {
            const BY_EXEC: u64 = 4;
            call(libc::SYS_close_range, &[*fd as u64, u64::from(u32::MAX), BY_EXEC])
        }
    };
    if result < 0 { Err(-result as c_int) } else { Ok(()) }
}

fn pointers(list: &[Vec<u8>]) -> Vec<*const u8> {
    list.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
}

/// Replaces the process; if it cannot, says why.
unsafe fn execute(order: &Order) -> c_int {
    let environment = pointers(&order.environment);
    let arguments = pointers(&order.arguments);
    let mut worst = libc::ENOENT;
    for path in &order.paths {
        let at = path.as_ptr() as u64;
        let failed =
            call(libc::SYS_execve, &[at, arguments.as_ptr() as u64, environment.as_ptr() as u64]);
        match -failed as c_int {
            libc::ENOEXEC if order.or_script => {
                let mut words = vec![c"/bin/sh".as_ptr().cast(), path.as_ptr()];
                words.extend(arguments.iter().skip(1));
                let shell = words[0] as u64;
                let failed = call(
                    libc::SYS_execve,
                    &[shell, words.as_ptr() as u64, environment.as_ptr() as u64],
                );
                return -failed as c_int;
            }
            libc::ENOENT | libc::ENOTDIR => {}
            libc::EACCES => worst = libc::EACCES,
            error => return error,
        }
    }
    worst
}
