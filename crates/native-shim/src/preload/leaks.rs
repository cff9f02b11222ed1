//! The leak net: what escapes the shim ends the run.
//!
//! A seccomp filter lets the kernel refuse calls that read clocks, wait, or leave the process, unless the call's
//! address lies inside the shim; the processor refuses `rdtsc`. Both arrive as signals, with the place that did it.

use super::callers;
use super::places::{self, Place};
use super::{ready, report, state, sys};
use libc::{c_char, c_int, c_long, c_void, sock_filter, sock_fprog};
use sys::real;

/// Calls that never reach the kernel from the program, with their names.
const TRAPPED: [(c_long, &str); 48] = [
    (libc::SYS_clock_gettime, "clock_gettime"),
    (libc::SYS_gettimeofday, "gettimeofday"),
    (libc::SYS_time, "time"),
    (libc::SYS_times, "times"),
    (libc::SYS_nanosleep, "nanosleep"),
    (libc::SYS_clock_nanosleep, "clock_nanosleep"),
    (libc::SYS_futex, "futex"),
    (libc::SYS_poll, "poll"),
    (libc::SYS_ppoll, "ppoll"),
    (libc::SYS_select, "select"),
    (libc::SYS_pselect6, "pselect6"),
    (libc::SYS_epoll_create1, "epoll_create1"),
    (libc::SYS_epoll_wait, "epoll_wait"),
    (libc::SYS_epoll_pwait, "epoll_pwait"),
    (libc::SYS_epoll_pwait2, "epoll_pwait2"),
    (libc::SYS_eventfd2, "eventfd2"),
    (libc::SYS_timer_create, "timer_create"),
    (libc::SYS_timerfd_create, "timerfd_create"),
    (libc::SYS_setitimer, "setitimer"),
    (libc::SYS_alarm, "alarm"),
    (libc::SYS_pause, "pause"),
    (libc::SYS_rt_sigsuspend, "rt_sigsuspend"),
    (libc::SYS_rt_sigtimedwait, "rt_sigtimedwait"),
    (libc::SYS_sched_yield, "sched_yield"),
    (libc::SYS_getrandom, "getrandom"),
    (libc::SYS_socket, "socket"),
    (libc::SYS_socketpair, "socketpair"),
    (libc::SYS_connect, "connect"),
    (libc::SYS_accept, "accept"),
    (libc::SYS_accept4, "accept4"),
    (libc::SYS_recvfrom, "recvfrom"),
    (libc::SYS_recvmsg, "recvmsg"),
    (libc::SYS_recvmmsg, "recvmmsg"),
    (libc::SYS_signalfd4, "signalfd4"),
    (libc::SYS_semop, "semop"),
    (libc::SYS_semtimedop, "semtimedop"),
    (libc::SYS_msgrcv, "msgrcv"),
    (libc::SYS_msgsnd, "msgsnd"),
    (libc::SYS_mq_timedreceive, "mq_timedreceive"),
    (libc::SYS_mq_timedsend, "mq_timedsend"),
    (libc::SYS_io_uring_setup, "io_uring_setup"),
    (libc::SYS_io_setup, "io_setup"),
    (libc::SYS_fork, "fork"),
    (libc::SYS_vfork, "vfork"),
    (libc::SYS_execve, "execve"),
    (libc::SYS_execveat, "execveat"),
    (libc::SYS_wait4, "wait4"),
    (libc::SYS_waitid, "waitid"),
];

pub fn is_trapped(number: c_long) -> bool {
    TRAPPED.iter().any(|(trapped, _)| *trapped == number)
}

pub fn name_of(number: c_long) -> &'static str {
    TRAPPED.iter().find(|(trapped, _)| *trapped == number).map_or("?", |(_, name)| name)
}

/// Closes the net, and listens for faults, as the last step before the program's own code.
pub fn close_the_net() {
    // SAFETY: the program has one thread now.
    unsafe {
        listen_for_faults();
        let_libc_know_inheritance();
        if state().setup.leak_net {
            sys::raw(
                libc::SYS_prctl,
                [libc::PR_SET_TSC as u64, libc::PR_TSC_SIGSEGV as u64, 0, 0, 0, 0],
            );
            install_filter();
        }
    }
}

/// libc asks the kernel once whether its futexes know priority inheritance, when the first such lock is made. It does
/// so now: the locks are the shim's, and the kernel is not asked for any later.
unsafe fn let_libc_know_inheritance() {
    let mut lock = libc::PTHREAD_MUTEX_INITIALIZER;
    let mut attributes: libc::pthread_mutexattr_t = std::mem::zeroed();
    libc::pthread_mutexattr_init(&mut attributes);
    libc::pthread_mutexattr_setprotocol(&mut attributes, libc::PTHREAD_PRIO_INHERIT);
    libc::pthread_mutex_init(&mut lock, &attributes);
    libc::pthread_mutexattr_destroy(&mut attributes);
}

unsafe fn listen_for_faults() {
    std::mem::forget(FaultStack::install());
    type Sigaction =
        unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
    let install = real!(c"sigaction" as Sigaction);
    let mut action: libc::sigaction = std::mem::zeroed();
    action.sa_sigaction = on_fault as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
    for signal in [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGILL,
        libc::SIGFPE,
        libc::SIGABRT,
        libc::SIGTRAP,
        libc::SIGSYS,
        // Of a host inside the process that has lost its patience.
        libc::SIGXCPU,
    ] {
        install(signal, &action, std::ptr::null_mut());
    }
}

/// A stack for faults of this kernel thread: its own may be the fault. It is freed when the guard is dropped.
pub struct FaultStack(*mut u8);

const FAULT_STACK: usize = 1 << 16;

impl FaultStack {
    pub fn install() -> Self {
        let memory = places::pages(Place::FaultStacks, FAULT_STACK);
        Self::tell(memory, 0);
        Self(memory)
    }

    fn tell(memory: *mut u8, flags: c_int) {
        let stack = libc::stack_t { ss_sp: memory.cast(), ss_flags: flags, ss_size: FAULT_STACK };
        // SAFETY: the memory stays until the guard is dropped.
        unsafe { sys::raw(libc::SYS_sigaltstack, [&raw const stack as u64, 0, 0, 0, 0, 0]) };
    }
}

impl Drop for FaultStack {
    fn drop(&mut self) {
        Self::tell(std::ptr::null_mut(), libc::SS_DISABLE);
        // SAFETY: the kernel does not know the memory any more.
        unsafe { sys::raw(libc::SYS_munmap, [self.0 as u64, FAULT_STACK as u64, 0, 0, 0, 0]) };
    }
}

const FROM_KERNEL: c_int = 0x80;

unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let context = context.cast::<libc::ucontext_t>();
    let registers = &mut (*context).uc_mcontext.gregs;
    let address = registers[libc::REG_RIP as usize] as u64;
    if signal == libc::SIGSYS {
        let call_address = *info.cast::<u64>().add(2);
        let number = c_long::from(*info.cast::<i32>().add(6));
        // libc's own use of it, for the heap: answered, because nobody can tell it otherwise.
        if number == libc::SYS_getrandom {
            let (buffer, length) =
                (registers[libc::REG_RDI as usize], registers[libc::REG_RSI as usize]);
            super::random::fill(buffer as *mut c_void, length as usize);
            registers[libc::REG_RAX as usize] = length;
            return;
        }
        trapped(number, call_address);
    }
    if signal == libc::SIGSEGV && (*info).si_code == FROM_KERNEL {
        let code = address as *const u8;
        let instruction = match (*code, *code.add(1), *code.add(2)) {
            (0x0f, 0x31, _) => Some("rdtsc"),
            (0x0f, 0x01, 0xf9) => Some("rdtscp"),
            _ => None,
        };
        if let Some(instruction) = instruction {
            report::leak(
                &format!("the instruction {instruction}"),
                Some(address),
                "the processor's counter is wall time: read a clock with clock_gettime instead",
            );
        }
    }
    let aborts = signal == libc::SIGABRT;
    report::crash(signal, aborts.then(callers::of_abort).flatten().unwrap_or(address));
}

fn trapped(number: c_long, address: u64) -> ! {
    let name = name_of(number);
    let advice = match name {
        "execve" | "execveat" | "fork" | "vfork" | "wait4" | "waitid" => ONE_PROGRAM,
        "futex" => "a wait that the shim does not know: report the function that is named here",
        _ => {
            "the program makes this call past libc: call the function of libc, or link libc dynamically"
        }
    };
    report::leak(&format!("the system call {name}"), Some(address), advice)
}

const ONE_PROGRAM: &str = "a run is one program: start the other one as a component of its own, or switch it off; \
     `children = \"helpers\"` lets the program start helpers that answer to it";

fn statement(code: u32, value: u32) -> sock_filter {
    sock_filter { code: code as u16, jt: 0, jf: 0, k: value }
}

fn jump(code: u32, value: u32, yes: usize, no: usize) -> sock_filter {
    sock_filter {
        code: (libc::BPF_JMP | code | libc::BPF_K) as u16,
        jt: yes as u8,
        jf: no as u8,
        k: value,
    }
}

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;
// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ADDRESS_LOW: u32 = 8;
const ADDRESS_HIGH: u32 = 12;
const SECOND_ARGUMENT: u32 = 24;

/// Allows everything but the trapped calls; those only from the shim's own code and from that of a host inside the
/// process, and futexes unless they wait.
unsafe fn install_filter() {
    let allowed = [own_code()].into_iter().chain(state().transport.inner_code().iter().copied());
    let others: Vec<u32> = TRAPPED
        .iter()
        .map(|(number, _)| *number as u32)
        .filter(|&number| number != libc::SYS_futex as u32)
        .collect();
    let waits = [
        libc::FUTEX_WAIT,
        libc::FUTEX_WAIT_BITSET,
        libc::FUTEX_LOCK_PI,
        libc::FUTEX_WAIT_REQUEUE_PI,
        13,
    ];
    let mut program = vec![statement(LOAD, NUMBER)];
    // Behind the comparisons stand: allow (1), the look at a futex (2 + its waits + 1), the look at the address.
    let futex_length = 2 + waits.len() + 1;
    program.push(jump(libc::BPF_JEQ, libc::SYS_futex as u32, others.len() + 1, 0));
    for (place, &number) in others.iter().enumerate() {
        program.push(jump(libc::BPF_JEQ, number, others.len() - place - 1 + 1 + futex_length, 0));
    }
    program.push(statement(RETURN, libc::SECCOMP_RET_ALLOW));
    program.push(statement(LOAD, SECOND_ARGUMENT));
    program.push(statement(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0x7f));
    for (place, &wait) in waits.iter().enumerate() {
        program.push(jump(libc::BPF_JEQ, wait as u32, waits.len() - place, 0));
    }
    program.push(statement(RETURN, libc::SECCOMP_RET_ALLOW));
    allowed.for_each(|range| program.extend(allow_from(range)));
    program.push(statement(RETURN, libc::SECCOMP_RET_TRAP));
    let filter = sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    sys::raw(libc::SYS_prctl, [libc::PR_SET_NO_NEW_PRIVS as u64, 1, 0, 0, 0, 0]);
    let mode = u64::from(libc::SECCOMP_SET_MODE_FILTER);
    if sys::raw(libc::SYS_seccomp, [mode, 0, &raw const filter as u64, 0, 0, 0]) < 0 {
        super::give_up(
            "the kernel refuses the seccomp filter of the leak net; set `leak_net` to false to go without",
        );
    }
}

/// Allows a call from an address from `start` on and before `end`, which may differ in their upper halves; any other is
/// looked at further behind this.
fn allow_from((start, end): (u64, u64)) -> [sock_filter; 8] {
    let (start_high, start_low) = ((start >> 32) as u32, start as u32);
    let (end_high, end_low) = ((end >> 32) as u32, end as u32);
    [
        statement(LOAD, ADDRESS_HIGH),
        jump(libc::BPF_JEQ, start_high, 1, 0),
        jump(libc::BPF_JEQ, end_high, 2, 5),
        statement(LOAD, ADDRESS_LOW),
        jump(libc::BPF_JGE, start_low, if start_high == end_high { 0 } else { 2 }, 3),
        statement(LOAD, ADDRESS_LOW),
        jump(libc::BPF_JGE, end_low, 1, 0),
        statement(RETURN, libc::SECCOMP_RET_ALLOW),
    ]
}

/// Where the shim's own code lies.
unsafe fn own_code() -> (u64, u64) {
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _: usize,
        found: *mut c_void,
    ) -> c_int {
        let own = install_filter as *const () as u64;
        for place in 0..(*info).dlpi_phnum {
            let header = &*(*info).dlpi_phdr.add(usize::from(place));
            let start = (*info).dlpi_addr + header.p_vaddr;
            if header.p_type == libc::PT_LOAD && (start..start + header.p_memsz).contains(&own) {
                *found.cast::<(u64, u64)>() = (start, start + header.p_memsz);
                return 1;
            }
        }
        0
    }
    let mut found = (0u64, 0u64);
    libc::dl_iterate_phdr(Some(look), (&raw mut found).cast());
    found
}

/// A function that cannot be virtual was called from `caller`.
unsafe extern "C" fn refused(caller: u64, name: *const c_char) -> ! {
    ready();
    refuse_call(&std::ffi::CStr::from_ptr(name).to_string_lossy(), caller)
}

/// As [`refused`], by name.
pub fn refuse_call(name: &str, caller: u64) -> ! {
    report::leak(name, Some(caller), advice_for(name))
}

fn advice_for(name: &str) -> &'static str {
    match name {
        "pthread_cancel" => {
            "a thread cannot be cancelled in virtual time: let it look at a flag, or return"
        }
        "signalfd" => "wait for signals with sigwait or a handler",
        "daemon" => "the program stays where it was started: switch it to run in the foreground",
        "inotify_init" | "inotify_init1" => "files do not change by themselves in a run",
        _ => ONE_PROGRAM,
    }
}

/// Functions that end the run. They hand on where they were called from.
macro_rules! refuse {
    ($($name:ident),* $(,)?) => {
        $(
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name() -> c_int {
                const LENGTH: usize = stringify!($name).len() + 1;
                static NAME: [u8; LENGTH] = {
                    let mut name = [0; LENGTH];
                    let text = stringify!($name).as_bytes();
                    let mut place = 0;
                    while place < text.len() {
                        name[place] = text[place];
                        place += 1;
                    }
                    name
                };
                std::arch::naked_asm!(
                    "mov rdi, [rsp]",
                    "lea rsi, [rip + {name}]",
                    "jmp {refused}",
                    name = sym NAME,
                    refused = sym refused,
                )
            }
        )*
    };
}

refuse!(daemon, inotify_init, inotify_init1, pthread_cancel, signalfd,);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn prctl(option: c_int, a: u64, b: u64, c: u64, d: u64) -> c_int {
    ready();
    match option {
        libc::PR_SET_NAME => {
            super::threads::rename_current(a as *const c_char);
            0
        }
        libc::PR_GET_NAME => {
            super::threads::pthread_getname_np(libc::pthread_self(), a as *mut c_char, 16)
        }
        libc::PR_SET_TSC | libc::PR_SET_SECCOMP => sys::fail(libc::EPERM) as c_int,
        _ => sys::real_call!(libc::SYS_prctl, option, a, b, c, d) as c_int,
    }
}
