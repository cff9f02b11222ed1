//! The first stack, below everything that the kernel puts on its top: arguments, environment and the name of the file are
//! as long as they are, and `main` with all that it calls is to lie at the same addresses in every run.
//!
//! ```text
//!   top     texts of arguments and environment, as long as they are        the kernel's
//!           lists of them, facts for the loader
//!           the loader, the start of the libraries and of the shim
//!           ---- a multiple of 4 MiB ----------------------------------
//!           __libc_start_main, main ...                                    the same in every run
//! ```
//!
//! The program finds copies of the texts and the lists, at addresses that do not depend on their lengths. What lies below
//! is untouched: zeros. This works where the kernel places the stack itself at a fixed address, that is, with the
//! personality ADDR_NO_RANDOMIZE.

use super::allocator::for_line;
use super::apart::forget_vectors;
use super::places::{self, Place};
use super::{processes, ready, state, sys};
use crate::protocol::{RANDOM_AT_START, Unsteady};
use libc::{c_char, c_int, c_void};
use std::arch::naked_asm;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The limit of its stacks, as the program is told: as usual on Linux.
const STACK_LIMIT: u64 = 8 << 20;
/// What the loader and the start of libraries may take of it, at most.
const FOR_THE_START: usize = 512 << 10;
/// More than arguments and environment may take where the stack has this limit at the start (execve(2)).
const BOUNDARY: usize = 4 << 20;
/// The limit of the stack at the start, which `steady` sets before.
const STACK_AT_START: u64 = 12 << 20;

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
    static mut program_invocation_name: *mut c_char;
    static mut program_invocation_short_name: *mut c_char;
}

/// What of the program's memory is another in each run, as far as it can be seen at its start.
pub fn unsteady() -> Unsteady {
    const ASK: u64 = 0xffff_ffff;
    // SAFETY: the kernel's answer is a number; AT_RANDOM is the address of 16 bytes, if it is there.
    unsafe {
        let personality = sys::raw(libc::SYS_personality, [ASK, 0, 0, 0, 0, 0]);
        let is_fixed = personality & i64::from(libc::ADDR_NO_RANDOMIZE) != 0;
        let nobody_is_random = || {
            let setting = processes::read("/proc/sys/kernel/randomize_va_space");
            setting.is_some_and(|text| text.starts_with(b"0"))
        };
        let random = libc::getauxval(libc::AT_RANDOM) as *const [u8; 16];
        Unsteady {
            addresses: !is_fixed && !nobody_is_random(),
            random: random.is_null() || *random != RANDOM_AT_START,
            stack: stack_limit() != STACK_AT_START,
        }
    }
}

fn stack_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let (stack, place) = (u64::from(libc::RLIMIT_STACK), &raw mut limit as u64);
    // SAFETY: the kernel writes the structure.
    unsafe { sys::raw(libc::SYS_prlimit64, [0, stack, 0, place, 0, 0]) };
    limit.rlim_cur
}

/// The arguments of `__libc_start_main`, the stack on which it is to run (0: where it is) and itself.
#[repr(C)]
pub struct Begin {
    main: usize,
    count: usize,
    arguments: *mut *mut c_char,
    start: usize,
    end: usize,
    end_of_loader: usize,
    end_of_stack: usize,
    stack: usize,
    real: *const c_void,
}

/// The first function of libc that a program calls, from its first instructions on.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn __libc_start_main() -> c_int {
    naked_asm!(
        // Nobody is above: there is nothing to unwind.
        "mov rax, [rsp + 8]",
        "sub rsp, 72",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "mov [rsp + 48], rax",
        "mov rdi, rsp",
        "call {settle}",
        "mov rdi, [rsp]",
        "mov rsi, [rsp + 8]",
        "mov rdx, [rsp + 16]",
        "mov rcx, [rsp + 24]",
        "mov r8, [rsp + 32]",
        "mov r9, [rsp + 40]",
        "mov rax, [rsp + 48]",
        "mov r10, [rsp + 56]",
        "mov r11, [rsp + 64]",
        "test r10, r10",
        "cmovnz rsp, r10",
        // The last argument is on the stack.
        "sub rsp, 8",
        "push rax",
        "xor eax, eax",
        "xor r10d, r10d",
        "xor ebp, ebp",
        "call r11",
        "hlt",
        settle = sym settle,
    )
}

/// Where `main` and what it calls begin; 0: where the kernel has put it.
static BELOW: AtomicUsize = AtomicUsize::new(0);

/// The lowest address and the length of the first stack, as it is told to the program; none if it is the kernel's.
pub fn lowest_and_length() -> Option<(usize, usize)> {
    let below = BELOW.load(Ordering::Relaxed);
    let top = below + BOUNDARY;
    let lowest = top.checked_sub(STACK_AT_START as usize)?;
    (below != 0).then(|| (lowest, below - lowest))
}

unsafe extern "C" fn settle(begin: *mut Begin) {
    ready();
    (*begin).real = sys::Real::new(c"__libc_start_main").address();
    (*begin).stack = 0;
    let Unsteady { addresses, stack, .. } = state().unsteady;
    if addresses || stack {
        return;
    }
    let below = ((*begin).arguments as usize - FOR_THE_START) & !(BOUNDARY - 1);
    for_line(|| clear_below(below));
    (*begin).stack = below;
    BELOW.store(below, Ordering::Relaxed);
    if let Some(arguments) = move_texts((*begin).count as c_int as usize, (*begin).arguments) {
        (*begin).arguments = arguments;
    }
    forget_vectors();
}

/// Makes zeros of what was used of the stack below an address, by whatever needed more than is known here.
unsafe fn clear_below(address: usize) {
    let maps = processes::read_text("/proc/self/maps").unwrap_or_default();
    let begins = maps.lines().find_map(|line| {
        let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
        let at = |text| usize::from_str_radix(text, 16).ok();
        (at(begin)?..at(end)?).contains(&address).then_some(begin).and_then(at)
    });
    if let Some(begins) = begins {
        (begins as *mut u8).write_bytes(0, address - begins);
    }
}

/// Copies arguments, environment and facts for the loader to places that do not depend on how long they are; the copy of
/// the list of arguments, behind which the others lie as they did.
unsafe fn move_texts(count: usize, arguments: *mut *mut c_char) -> Option<*mut *mut c_char> {
    /// The longest text that execve(2) takes, with a page to spare.
    const ROOM: usize = (128 << 10) + 4096;
    const MOST: usize = 1 << 16;
    let variables = arguments.add(count + 1);
    let variable_count = (0..MOST).find(|&place| (*variables.add(place)).is_null())?;
    let facts = variables.add(variable_count + 1).cast::<[usize; 2]>();
    let fact_count = (0..MOST).find(|&place| (*facts.add(place))[0] == libc::AT_NULL as usize)? + 1;
    let length = count + 1 + variable_count + 1 + 2 * fact_count;
    let list = places::pages(Place::Lists, MOST * 8).cast::<*mut c_char>();
    let texts = places::pages(Place::Texts, (count + variable_count + 2) * ROOM).cast::<c_char>();
    if list.is_null() || texts.is_null() || length > MOST {
        return None;
    }
    let mut used = 0;
    let mut copy = |text: *const c_char| {
        let to = texts.add(used * ROOM);
        used += 1;
        to.copy_from_nonoverlapping(text, libc::strlen(text) + 1);
        to
    };
    list.copy_from_nonoverlapping(arguments, length);
    for place in (0..count).chain(count + 1..count + 1 + variable_count) {
        *list.add(place) = copy(*list.add(place));
    }
    for place in 0..fact_count {
        let fact = &mut *facts.add(place);
        if fact[0] == libc::AT_EXECFN as usize {
            fact[1] = copy(fact[1] as *const c_char) as usize;
            *list.add(count + 1 + variable_count + 1 + 2 * place + 1) = fact[1] as *mut c_char;
        }
    }
    environ = list.add(count + 1);
    if count > 0 {
        program_invocation_name = *list;
        let last = libc::strrchr(*list, c_int::from(b'/'));
        program_invocation_short_name = copy(if last.is_null() { *list } else { last.add(1) });
    }
    Some(list)
}

/// libc makes the stacks of threads as large as the limit was at the program's start, which is the machine's.
pub fn limit_stacks_of_threads() {
    unsafe extern "C" {
        fn pthread_setattr_default_np(attributes: *const libc::pthread_attr_t) -> c_int;
    }
    // SAFETY: the attributes live as long as they are used.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        libc::pthread_attr_init(&mut attributes);
        libc::pthread_attr_setstacksize(&mut attributes, STACK_LIMIT as usize);
        pthread_setattr_default_np(&attributes);
        libc::pthread_attr_destroy(&mut attributes);
    }
}

/// The limit of stacks is the same wherever the program runs; of other limits this machine's are told.
unsafe fn limits(number: c_int, to: *mut libc::rlimit) -> c_int {
    if number as u32 == libc::RLIMIT_STACK {
        (*to).rlim_cur = STACK_LIMIT;
        (*to).rlim_max = libc::RLIM_INFINITY;
        return 0;
    }
    sys::real_call!(libc::SYS_prlimit64, 0, number, 0, to) as c_int
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrlimit(number: c_int, to: *mut libc::rlimit) -> c_int {
    limits(number, to)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrlimit64(number: c_int, to: *mut libc::rlimit) -> c_int {
    limits(number, to)
}
