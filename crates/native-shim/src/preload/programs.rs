//! The calls that start other programs.

use super::orders::{Action, Order};
use super::{children, engine, kernel, leaks, paths, processes, ready, state, sys};
use crate::protocol::NEVER;
use libc::{FILE, c_char, c_int, pid_t};
use std::ffi::CStr;
use sys::real_call;

/// Where the last of these calls came from.
static mut CALLER: u64 = 0;

/// Exported functions that note where they were called from and go on as another one.
macro_rules! fronts {
    ($($name:ident => $inner:path),* $(,)?) => {
        $(
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() -> c_int {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "jmp {inner}",
                    caller = sym CALLER,
                    inner = sym $inner,
                )
            }
        )*
    };
}

fronts!(
    execv => exec_v,
    execve => exec_ve,
    execvp => exec_vp,
    execvpe => exec_vpe,
    fexecve => exec_file,
    fork => copy_program,
    vfork => copy_program_for_exec,
    popen => open_program,
    posix_spawn => super::spawn::spawn_path,
    posix_spawnp => super::spawn::spawn_name,
    system => run_command,
);

/// As `fronts`, for functions whose arguments are a list in the call itself: the five in registers are laid out in
/// memory, and the place of the others is handed on.
macro_rules! listed {
    ($($name:ident => $inner:ident),* $(,)?) => {
        $(
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() -> c_int {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "lea rax, [rsp + 8]",
                    "push r9",
                    "push r8",
                    "push rcx",
                    "push rdx",
                    "push rsi",
                    "mov rsi, rsp",
                    "mov rdx, rax",
                    "call {inner}",
                    "add rsp, 40",
                    "ret",
                    caller = sym CALLER,
                    inner = sym $inner,
                )
            }
        )*
    };
}

listed!(execl => exec_l, execle => exec_le, execlp => exec_lp);

pub type Words = *const *const c_char;

/// Ends the run unless other programs are allowed.
pub unsafe fn allowed(name: &str) {
    ready();
    engine::call();
    if state().children.is_none() {
        leaks::refuse_call(name, CALLER);
    }
}

/// As [`allowed`], for calls that replace the program itself: only a copy of it may be replaced.
unsafe fn allowed_in_copy(name: &str) {
    allowed(name);
    if !children::in_copy() {
        super::report::leak(
            name,
            Some(CALLER),
            "the program itself must stay: only a copy that `fork` made may become another program",
        );
    }
}

pub unsafe fn bytes(text: *const c_char) -> Vec<u8> {
    CStr::from_ptr(text).to_bytes_with_nul().to_vec()
}

pub unsafe fn all(words: Words) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    if !words.is_null() {
        let mut place = words;
        while !(*place).is_null() {
            found.push(bytes(*place));
            place = place.add(1);
        }
    }
    found
}

unsafe fn own_environment() -> Words {
    unsafe extern "C" {
        static environ: Words;
    }
    environ
}

/// What a program's process is like at first: that of its parent.
pub unsafe fn order(arguments: Vec<Vec<u8>>, environment: Words) -> Order {
    let open = |fd: &c_int| {
        let flags = sys::raw(libc::SYS_fcntl, [*fd as u64, libc::F_GETFD as u64, 0, 0, 0, 0]);
        flags >= 0 && flags as c_int & libc::FD_CLOEXEC == 0
    };
    let descriptors = processes::numbers_in("/proc/self/fd").into_iter().map(|fd| fd as c_int);
    let me = state().current;
    let umask = sys::raw(libc::SYS_umask, [0o22, 0, 0, 0, 0, 0]) as u32;
    sys::raw(libc::SYS_umask, [u64::from(umask), 0, 0, 0, 0, 0]);
    Order {
        arguments,
        environment: all(environment),
        descriptors: descriptors.filter(open).collect(),
        mask: state().threads[me].signals.mask,
        umask,
        ..Order::default()
    }
}

/// Where a name may be found: as it is if it has a slash, else in the folders of `PATH`.
pub unsafe fn candidates(name: *const c_char) -> Vec<Vec<u8>> {
    let name = bytes(name);
    if name.contains(&b'/') {
        return vec![name];
    }
    let path = libc::getenv(c"PATH".as_ptr());
    let folders =
        if path.is_null() { &b"/bin:/usr/bin"[..] } else { CStr::from_ptr(path).to_bytes() };
    let join = |folder: &[u8]| {
        let folder = if folder.is_empty() { &b"."[..] } else { folder };
        [folder, b"/", &name].concat()
    };
    folders.split(|byte| *byte == b':').map(join).collect()
}

/// Starts it; whoever waits for what it did goes first.
pub fn start(order: &Order) -> Result<u32, c_int> {
    let started = children::start(order);
    kernel::look_again();
    engine::preempt_if_due();
    started
}

/// A copy of the program hands over to a process of the nursery and ends.
unsafe fn become_other(order: &Order) -> c_int {
    let Some(report) = children::get().and_then(|children| children.copy) else {
        return sys::fail(libc::ENOSYS) as c_int;
    };
    let mut order = Order { session: false, group: None, ..order.clone() };
    let own = i64::from(sys::getpid());
    order.session = sys::raw(libc::SYS_getsid, [0; 6]) == own;
    if !order.session && sys::raw(libc::SYS_getpgid, [0; 6]) == own {
        order.group = Some(0);
    }
    match children::start(&order) {
        Ok(pid) => {
            sys::raw(libc::SYS_write, [report as u64, &raw const pid as u64, 4, 0, 0, 0]);
            sys::end(0)
        }
        Err(error) => sys::fail(error) as c_int,
    }
}

unsafe fn execute(
    paths: Vec<Vec<u8>>,
    arguments: Vec<Vec<u8>>,
    environment: Words,
    or_script: bool,
) -> c_int {
    let order = Order { paths, or_script, ..order(arguments, environment) };
    become_other(&order)
}

unsafe extern "C" fn exec_ve(path: *const c_char, arguments: Words, environment: Words) -> c_int {
    allowed_in_copy("execve");
    execute(vec![bytes(path)], all(arguments), environment, false)
}

unsafe extern "C" fn exec_v(path: *const c_char, arguments: Words) -> c_int {
    allowed_in_copy("execv");
    execute(vec![bytes(path)], all(arguments), own_environment(), false)
}

unsafe extern "C" fn exec_vp(name: *const c_char, arguments: Words) -> c_int {
    allowed_in_copy("execvp");
    execute(candidates(name), all(arguments), own_environment(), true)
}

unsafe extern "C" fn exec_vpe(name: *const c_char, arguments: Words, environment: Words) -> c_int {
    allowed_in_copy("execvpe");
    execute(candidates(name), all(arguments), environment, true)
}

unsafe extern "C" fn exec_file(fd: c_int, arguments: Words, environment: Words) -> c_int {
    allowed_in_copy("fexecve");
    let path = format!("/proc/self/fd/{fd}\0").into_bytes();
    execute(vec![path], all(arguments), environment, false)
}

/// The words of a call with a list, and what follows their end.
unsafe fn listed_words(registers: Words, stack: Words) -> (Vec<Vec<u8>>, Words) {
    const IN_REGISTERS: usize = 5;
    let at = |place: usize| match place.checked_sub(IN_REGISTERS) {
        None => registers.add(place),
        Some(beyond) => stack.add(beyond),
    };
    let mut words = Vec::new();
    while !(*at(words.len())).is_null() {
        words.push(bytes(*at(words.len())));
    }
    let behind = (*at(words.len() + 1)).cast();
    (words, behind)
}

unsafe extern "C" fn exec_l(path: *const c_char, registers: Words, stack: Words) -> c_int {
    allowed_in_copy("execl");
    execute(vec![bytes(path)], listed_words(registers, stack).0, own_environment(), false)
}

unsafe extern "C" fn exec_le(path: *const c_char, registers: Words, stack: Words) -> c_int {
    allowed_in_copy("execle");
    let (words, environment) = listed_words(registers, stack);
    execute(vec![bytes(path)], words, environment, false)
}

unsafe extern "C" fn exec_lp(name: *const c_char, registers: Words, stack: Words) -> c_int {
    allowed_in_copy("execlp");
    execute(candidates(name), listed_words(registers, stack).0, own_environment(), true)
}

unsafe extern "C" fn copy_program() -> pid_t {
    allowed("fork");
    copy()
}

/// A copy of its own is as good as a borrowed one.
unsafe extern "C" fn copy_program_for_exec() -> pid_t {
    allowed("vfork");
    copy()
}

/// Forks. The copy is to become another program or to end; until then it has neither host nor other threads.
unsafe fn copy() -> pid_t {
    let mut low = [0 as c_int; 2];
    if real_call!(libc::SYS_pipe2, low.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
        return -1;
    }
    let [report, tell] = low.map(|fd| {
        let high = sys::high_copy(fd);
        real_call!(libc::SYS_close, fd);
        high
    });
    let pid = real_call!(libc::SYS_fork) as pid_t;
    let Some(children) = children::get() else { return -1 };
    if pid == 0 {
        real_call!(libc::SYS_close, report);
        children.copy = Some(tell);
        let state = state();
        state.ended = true;
        (state.until, state.horizon) = (NEVER, NEVER);
        (state.setup.clock_read_charge, state.setup.call_charge) = (0, 0);
        return 0;
    }
    real_call!(libc::SYS_close, tell);
    if pid > 0 {
        children.add(pid as u32, Some(report));
        kernel::stirred();
    } else {
        real_call!(libc::SYS_close, report);
    }
    pid
}

const SHELL: &CStr = c"/bin/sh";

unsafe fn shell_order(command: *const c_char) -> Order {
    let words = vec![bytes(c"sh".as_ptr()), bytes(c"-c".as_ptr()), bytes(command)];
    Order { paths: vec![bytes(SHELL.as_ptr())], ..order(words, own_environment()) }
}

unsafe extern "C" fn run_command(command: *const c_char) -> c_int {
    allowed("system");
    if command.is_null() {
        return 1;
    }
    const COULD_NOT: c_int = 127 << 8;
    match start(&shell_order(command)) {
        Ok(pid) => end_of(pid),
        Err(_) => COULD_NOT,
    }
}

/// Waits for a process, whatever signals come meanwhile.
fn end_of(pid: u32) -> c_int {
    loop {
        match children::wait_for(pid as pid_t, 0) {
            Ok(Some((_, status))) => return status,
            Err(libc::EINTR) => {}
            Ok(None) => {}
            Err(error) => return sys::fail(error) as c_int,
        }
    }
}

/// Streams of `popen`, and whose they are.
#[derive(Default)]
pub struct Opened(Vec<(*mut FILE, u32)>);

unsafe extern "C" fn open_program(command: *const c_char, mode: *const c_char) -> *mut FILE {
    allowed("popen");
    let mode_text = CStr::from_ptr(mode).to_bytes();
    let reads = mode_text.contains(&b'r');
    if reads == mode_text.contains(&b'w') {
        sys::fail(libc::EINVAL);
        return std::ptr::null_mut();
    }
    let close = if mode_text.contains(&b'e') { libc::O_CLOEXEC } else { 0 };
    let mut ends = [0 as c_int; 2];
    if real_call!(libc::SYS_pipe2, ends.as_mut_ptr(), libc::O_CLOEXEC) < 0 {
        return std::ptr::null_mut();
    }
    let (own, other, place) = if reads { (ends[0], ends[1], 1) } else { (ends[1], ends[0], 0) };
    let mut order = shell_order(command);
    order.descriptors.push(other);
    order.actions = vec![Action::Copy(other, place), Action::Close(other)];
    if other == place {
        order.actions.pop();
    }
    // The end that stays here is to be the program's before the child has its turn.
    kernel::adopt(own, false);
    if close == 0 {
        real_call!(libc::SYS_fcntl, own, libc::F_SETFD, 0);
    }
    let started = children::start_with(&order, || {
        real_call!(libc::SYS_close, other);
    });
    kernel::look_again();
    engine::preempt_if_due();
    match started {
        Ok(pid) => {
            let file = paths::stream(own, if reads { c"r" } else { c"w" }.as_ptr());
            state().opened_programs.0.push((file, pid));
            file
        }
        Err(error) => {
            super::files::close(own);
            sys::fail(error);
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn pclose(file: *mut FILE) -> c_int {
    ready();
    let opened = &mut state().opened_programs.0;
    let Some(place) = opened.iter().position(|(own, _)| *own == file) else {
        return sys::fail(libc::ECHILD) as c_int;
    };
    let (_, pid) = opened.remove(place);
    libc::fclose(file);
    end_of(pid)
}
