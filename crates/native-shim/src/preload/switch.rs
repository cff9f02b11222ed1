//! From one thread to the next.
//!
//! Every thread of the program has a real pthread: it owns the stack and the thread control block, and with it all
//! thread-local storage. As coroutines, the real threads are parked for good and one kernel thread runs on their
//! stacks in turn, with the FS base set to the control block of the thread that it plays. As kernel threads, each runs
//! by itself while it has the token.

use super::sys;
use std::arch::naked_asm;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where a thread goes on. The address of it is known to its parked pthread, so it lives in a box.
#[derive(Default)]
pub struct Context {
    /// Stack pointer while another thread runs (coroutines).
    stack: usize,
    /// The thread control block.
    fs_base: u64,
    /// 1 while this thread may run (kernel threads).
    token: AtomicU32,
    /// 1 once the pthread has told its place.
    parked: AtomicU32,
    /// 1 when the pthread may end.
    released: AtomicU32,
    /// Its kernel thread.
    pub tid: i32,
}

/// Bytes between the frame of a parked pthread and the first frame of its coroutine: room for the calls in which the
/// pthread is parked.
const PARKING: usize = 4096;

impl Context {
    /// The thread that called is the one that runs `main`.
    pub fn adopt(&mut self) {
        self.fs_base = own_fs_base();
        self.tid = sys::gettid();
    }

    /// Waits until the pthread of a new thread is parked.
    pub fn wait_until_parked(&self) {
        wait_until_set(&self.parked);
    }

    /// Lets the pthread of a finished thread end, and waits until the kernel has forgotten it.
    pub fn let_end(&self) {
        self.released.store(1, Ordering::Release);
        sys::futex_wake(&self.released);
        let process = u64::from(sys::getpid());
        // SAFETY: signal 0 only asks whether the thread is there.
        while unsafe { sys::raw(libc::SYS_tgkill, [process, self.tid as u64, 0, 0, 0, 0]) } == 0 {
            // SAFETY: no arguments.
            unsafe { sys::raw(libc::SYS_sched_yield, [0; 6]) };
        }
    }
}

/// The thread control block of whoever runs.
pub fn own_fs_base() -> u64 {
    // The control block begins with its own address.
    let base;
    // SAFETY: reads the first word of the control block.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) base, options(nostack, readonly, pure)) };
    base
}

/// Whoever runs sees this thread control block from now on. The processor must be able to (`has_fsgsbase`).
pub unsafe fn set_fs_base(base: u64) {
    // SAFETY: the caller says where a control block is.
    unsafe { std::arch::asm!("wrfsbase {}", in(reg) base, options(nostack)) };
}

/// The life of the pthread below a coroutine: tells its place, and sleeps until it may end.
pub unsafe fn park(context: *mut Context, entry: extern "C" fn() -> !) {
    let here: usize;
    // SAFETY: `context` lives until the pthread is joined. The coroutine's frames lie below ours.
    unsafe {
        std::arch::asm!("mov {}, rsp", out(reg) here, options(nostack, nomem));
        let mut controls = [0u32; 2];
        std::arch::asm!("stmxcsr [{0}]", "fnstcw [{0} + 4]", in(reg) controls.as_mut_ptr(), options(nostack));
        let entry_slot = (here - PARKING) & !15;
        let frame = (entry_slot - 7 * 8) as *mut usize;
        *frame.cast::<[u32; 2]>() = controls;
        for register in 1..7 {
            *frame.add(register) = 0;
        }
        *frame.add(7) = entry as usize;
        // Whoever walks the stack finds its end here.
        *frame.add(8) = 0;
        (*context).stack = frame as usize;
        announce(context);
        wait_until_set(&(*context).released);
    }
}

/// The beginning of a kernel thread: tells its place and waits for the token.
pub unsafe fn wait_for_first_turn(context: *mut Context) {
    // SAFETY: `context` lives until the pthread is joined.
    unsafe {
        announce(context);
        wait_for_token(&(*context).token);
    }
}

/// The end of a kernel thread, after it gave the token away.
pub unsafe fn wait_for_end(context: *const Context) {
    // SAFETY: as above.
    unsafe {
        wait_until_set(&(*context).released);
    }
}

unsafe fn announce(context: *mut Context) {
    unsafe {
        (*context).fs_base = own_fs_base();
        (*context).tid = sys::gettid();
        (*context).parked.store(1, Ordering::Release);
        sys::futex_wake(&(*context).parked);
    }
}

fn wait_until_set(flag: &AtomicU32) {
    while flag.load(Ordering::Acquire) == 0 {
        sys::futex_wait(flag, 0);
    }
}

fn wait_for_token(token: &AtomicU32) {
    while token.swap(0, Ordering::Acquire) == 0 {
        sys::futex_wait(token, 0);
    }
}

/// Hands the token to another kernel thread.
pub unsafe fn give_token(to: *const Context) {
    unsafe {
        (*to).token.store(1, Ordering::Release);
        sys::futex_wake(&(*to).token);
    }
}

/// Another thread runs until this one is switched to again.
pub unsafe fn switch(coroutines: bool, from: *mut Context, to: *const Context) {
    unsafe {
        if coroutines {
            swap(&raw mut (*from).stack, (*to).stack, (*to).fs_base);
        } else {
            give_token(to);
            wait_for_token(&(*from).token);
        }
    }
}

/// Saves what the calling convention says a call keeps, changes stack and FS base, and returns on the other stack.
#[unsafe(naked)]
unsafe extern "C" fn swap(save: *mut usize, load: usize, fs_base: u64) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdi], rsp",
        "wrfsbase rdx",
        "mov rsp, rsi",
        "ldmxcsr [rsp]",
        "fldcw [rsp + 4]",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
