//! `syscall()`: futexes, and the other calls that programs make by number.

use super::{clocks, engine, ready, report, state, sys};
use crate::schedule::{Wait, Wake};
use libc::{c_int, c_long, timespec};

const ANY: u32 = u32::MAX;

/// Where `syscall` was called from last.
static mut CALLER: u64 = 0;

/// Notes the caller and goes on. The calling convention puts the whole numbers of a variadic function where those of
/// `by_number` are, the seventh on the stack.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn syscall() -> c_long {
    std::arch::naked_asm!(
        "mov rax, [rsp]",
        "mov [rip + {caller}], rax",
        "jmp {by_number}",
        caller = sym CALLER,
        by_number = sym by_number,
    )
}

/// Calls by number go the same ways as calls by name.
unsafe extern "C" fn by_number(
    number: c_long,
    a: u64,
    b: u64,
    c: u64,
    d: u64,
    e: u64,
    f: u64,
) -> c_long {
    ready();
    match number {
        libc::SYS_futex => futex(a, b as c_int, c as u32, d, e, f as u32),
        libc::SYS_clock_gettime => {
            c_long::from(clocks::clock_gettime(a as c_int, b as *mut timespec))
        }
        libc::SYS_clock_getres => {
            c_long::from(clocks::clock_getres(a as c_int, b as *mut timespec))
        }
        libc::SYS_gettimeofday => c_long::from(clocks::gettimeofday(a as *mut _, b as *mut _)),
        libc::SYS_time => clocks::time(a as *mut _),
        libc::SYS_nanosleep => c_long::from(clocks::nanosleep(a as *const _, b as *mut _)),
        libc::SYS_clock_nanosleep => {
            let failed =
                clocks::clock_nanosleep(a as c_int, b as c_int, c as *const _, d as *mut _);
            if failed == 0 { 0 } else { sys::fail(failed) }
        }
        libc::SYS_getrandom => {
            super::random::getrandom(a as *mut _, b as usize, c as u32) as c_long
        }
        libc::SYS_gettid => c_long::from(super::threads::gettid()),
        libc::SYS_sched_yield => c_long::from(super::priorities::sched_yield()),
        libc::SYS_exit_group => super::report::_exit(a as c_int),
        libc::SYS_read => super::files::read(a as c_int, b as *mut _, c as usize) as c_long,
        libc::SYS_write => super::files::write(a as c_int, b as *const _, c as usize) as c_long,
        libc::SYS_close => c_long::from(super::files::close(a as c_int)),
        libc::SYS_dup => c_long::from(super::files::dup(a as c_int)),
        libc::SYS_dup2 => c_long::from(super::files::dup2(a as c_int, b as c_int)),
        libc::SYS_dup3 => c_long::from(super::files::dup3(a as c_int, b as c_int, c as c_int)),
        libc::SYS_close_range => {
            c_long::from(super::files::close_range(a as u32, b as u32, c as c_int))
        }
        libc::SYS_ioctl => c_long::from(super::files::ioctl(a as c_int, b, c)),
        number if super::leaks::is_trapped(number) => report::leak(
            &format!("syscall({})", super::leaks::name_of(number)),
            Some(CALLER),
            "call the function of libc instead of the number: that one is virtual",
        ),
        number => sys::to_libc(sys::raw(number, [a, b, c, d, e, f])),
    }
}

unsafe fn futex(
    word: u64,
    operation: c_int,
    value: u32,
    timeout: u64,
    second: u64,
    bits: u32,
) -> c_long {
    engine::call();
    let command = operation & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    let clock = if operation & libc::FUTEX_CLOCK_REALTIME != 0 {
        libc::CLOCK_REALTIME
    } else {
        libc::CLOCK_MONOTONIC
    };
    match command {
        libc::FUTEX_WAIT => match clocks::after(timeout as *const timespec) {
            Ok(deadline) => wait(word, value, ANY, deadline),
            Err(error) => sys::fail(error),
        },
        libc::FUTEX_WAIT_BITSET | libc::FUTEX_WAKE_BITSET if bits == 0 => sys::fail(libc::EINVAL),
        libc::FUTEX_WAIT_BITSET => match clocks::deadline(clock, timeout as *const timespec) {
            Ok(deadline) => wait(word, value, bits, deadline),
            Err(error) => sys::fail(error),
        },
        libc::FUTEX_WAKE => wake(word, value, ANY),
        libc::FUTEX_WAKE_BITSET => wake(word, value, bits),
        libc::FUTEX_REQUEUE | libc::FUTEX_CMP_REQUEUE => {
            if command == libc::FUTEX_CMP_REQUEUE && *(word as *const u32) != bits {
                return sys::fail(libc::EAGAIN);
            }
            // Who is moved is counted as well, of both (not as futex(2) has it).
            let woken = wake_up_to(value as i32, word, ANY);
            let moved = requeue(word, second, timeout as i32);
            engine::preempt_if_due();
            woken + moved
        }
        _ => report::leak(
            &format!("futex operation {command}"),
            Some(CALLER),
            "the shim knows WAIT, WAKE, their BITSET forms and REQUEUE; take another lock",
        ),
    }
}

unsafe fn wait(word: u64, value: u32, bits: u32, deadline: Option<u64>) -> c_long {
    if *(word as *const u32) != value {
        return sys::fail(libc::EAGAIN);
    }
    match engine::block(Wait::Futex(word, bits), deadline) {
        Wake::Given => 0,
        Wake::TimedOut => sys::fail(libc::ETIMEDOUT),
        Wake::Interrupted => sys::fail(libc::EINTR),
    }
}

fn meant(word: u64, bits: u32) -> impl Fn(Wait) -> bool {
    move |on| matches!(on, Wait::Futex(at, heard) if at == word && heard & bits != 0)
}

/// At least one, as the kernel does.
fn wake(word: u64, count: u32, bits: u32) -> c_long {
    let woken = wake_up_to((count as i32).max(1), word, bits);
    engine::preempt_if_due();
    woken
}

fn wake_up_to(count: i32, word: u64, bits: u32) -> c_long {
    let mut woken = 0;
    while woken < c_long::from(count) {
        let Some(id) = state().scheduler.first_waiter(meant(word, bits)) else { break };
        state().scheduler.wake(id, Wake::Given);
        woken += 1;
    }
    woken
}

fn requeue(word: u64, second: u64, count: i32) -> c_long {
    let mut moved = 0;
    while moved < c_long::from(count) {
        let Some(id) = state().scheduler.first_waiter(meant(word, ANY)) else { break };
        let Some(Wait::Futex(_, bits)) = state().scheduler.waits_for(id) else { break };
        state().scheduler.requeue(id, Wait::Futex(second, bits));
        moved += 1;
    }
    moved
}
