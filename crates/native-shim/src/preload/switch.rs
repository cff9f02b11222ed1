//! From one thread to the next.
//!
//! Every thread of the program has a real pthread: it owns the stack and the thread control block, and with it all
//! thread-local storage. As coroutines, the kernel threads of these leave at once and one kernel thread runs on their
//! stacks in turn, with the FS base set to the control block of the thread that it plays; when one is over, a new
//! kernel thread goes on where the first has left, and ends the pthread as libc does. So a fork of the process holds
//! all threads. As kernel threads, each runs by itself while it has the token.

use super::sys;
use std::arch::naked_asm;
use std::sync::atomic::{AtomicU32, Ordering};

/// Where a thread goes on. The address of it is known to its pthread, so it lives in a box.
pub struct Context {
    /// Stack pointer while another thread runs (coroutines).
    stack: usize,
    /// The thread control block.
    fs_base: u64,
    /// Where the pthread goes on when the thread is over (coroutines).
    pthread_stack: usize,
    /// What libc has the kernel clear when a kernel thread has ended: who joins it waits for that (coroutines).
    cleared: *const AtomicU32,
    /// 1 when the creator knows all that only a living kernel thread can be asked for.
    known: AtomicU32,
    /// 1 until the pthread has told its place. As coroutines, the kernel clears it when the kernel thread has left.
    comes: AtomicU32,
    /// 1 while this thread may run (kernel threads).
    token: AtomicU32,
    /// 1 when the pthread may end (kernel threads).
    released: AtomicU32,
    /// Its kernel thread (kernel threads).
    kernel_thread: i32,
}

/// Bytes between the frame of a pthread that has left and the first frame of its coroutine: the compiler may use some
/// below the stack pointer.
const APART: usize = 4096;

impl Context {
    pub fn new() -> Self {
        Self {
            stack: 0,
            fs_base: 0,
            pthread_stack: 0,
            cleared: std::ptr::null(),
            known: AtomicU32::new(0),
            comes: AtomicU32::new(1),
            token: AtomicU32::new(0),
            released: AtomicU32::new(0),
            kernel_thread: 0,
        }
    }

    /// The thread that called is the one that runs `main`.
    pub fn adopt(&mut self) {
        self.fs_base = own_fs_base();
    }

    /// Lets the pthread of a new thread go on, and waits until it has told its place.
    pub fn let_come(&self) {
        self.known.store(1, Ordering::Release);
        while self.comes.load(Ordering::Acquire) != 0 {
            let_others_run();
        }
    }

    fn wait_until_known(&self) {
        while self.known.load(Ordering::Acquire) == 0 {
            let_others_run();
        }
    }

    /// Lets the pthread of a finished thread end, and waits until nothing of it runs.
    pub fn let_end(&self, coroutines: bool) -> Result<(), i64> {
        if coroutines {
            return self.end_in_new_kernel_thread();
        }
        self.released.store(1, Ordering::Release);
        sys::futex_wake(&self.released);
        let ask = [u64::from(sys::getpid()), self.kernel_thread as u64, 0, 0, 0, 0];
        // SAFETY: signal 0 only asks whether the thread is there.
        while unsafe { sys::raw(libc::SYS_tgkill, ask) } == 0 {
            let_others_run();
        }
        Ok(())
    }

    fn end_in_new_kernel_thread(&self) -> Result<(), i64> {
        // As libc makes threads, but for telling anybody its number.
        const FLAGS: libc::c_int = libc::CLONE_VM
            | libc::CLONE_FS
            | libc::CLONE_FILES
            | libc::CLONE_SIGHAND
            | libc::CLONE_THREAD
            | libc::CLONE_SYSVSEM
            | libc::CLONE_SETTLS
            | libc::CLONE_CHILD_CLEARTID;
        // SAFETY: the pthread has left there, its coroutine is over, and libc waits for the word.
        unsafe {
            let before = block_all_signals();
            let made = go_on(FLAGS as u64, self.pthread_stack, 0, self.cleared, self.fs_base);
            set_signal_mask(before);
            if made < 0 {
                return Err(-made);
            }
            while (*self.cleared).load(Ordering::Acquire) != 0 {
                let_others_run();
            }
        }
        Ok(())
    }
}

fn let_others_run() {
    // SAFETY: no arguments.
    unsafe { sys::raw(libc::SYS_sched_yield, [0; 6]) };
}

/// No signal is handled by who called; those of a fault cannot be blocked. The mask before.
unsafe fn block_all_signals() -> u64 {
    let mut before = 0u64;
    let (all, how) = (u64::MAX, libc::SIG_SETMASK as u64);
    let arguments = [how, &raw const all as u64, &raw mut before as u64, 8, 0, 0];
    unsafe { sys::raw(libc::SYS_rt_sigprocmask, arguments) };
    before
}

unsafe fn set_signal_mask(mask: u64) {
    let arguments = [libc::SIG_SETMASK as u64, &raw const mask as u64, 0, 8, 0, 0];
    unsafe { sys::raw(libc::SYS_rt_sigprocmask, arguments) };
}

/// The word that the kernel clears when the calling kernel thread ends; none where the kernel does not tell it
/// (`PR_GET_TID_ADDRESS`, prctl(2)).
fn cleared_at_end() -> Option<*const AtomicU32> {
    let mut word: *const AtomicU32 = std::ptr::null();
    let arguments = [libc::PR_GET_TID_ADDRESS as u64, &raw mut word as u64, 0, 0, 0, 0];
    // SAFETY: the kernel writes an address to `word`.
    let told = unsafe { sys::raw(libc::SYS_prctl, arguments) };
    (told == 0 && !word.is_null()).then_some(word)
}

/// Whether kernel and processor let one kernel thread play all threads.
pub fn has_coroutines() -> bool {
    super::has_fsgsbase() && cleared_at_end().is_some()
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

/// The life of the pthread below a coroutine: tells its place, and leaves until the coroutine is over.
pub unsafe fn leave_to_coroutine(context: *mut Context, entry: extern "C" fn() -> !) {
    let here: usize;
    // SAFETY: `context` lives until the pthread is joined. The coroutine's frames lie below ours.
    unsafe {
        std::arch::asm!("mov {}, rsp", out(reg) here, options(nostack, nomem));
        let mut controls = [0u32; 2];
        std::arch::asm!("stmxcsr [{0}]", "fnstcw [{0} + 4]", in(reg) controls.as_mut_ptr(), options(nostack));
        let entry_slot = (here - APART) & !15;
        let frame = (entry_slot - 7 * 8) as *mut usize;
        *frame.cast::<[u32; 2]>() = controls;
        for register in 1..7 {
            *frame.add(register) = 0;
        }
        *frame.add(7) = entry as usize;
        // Whoever walks the stack finds its end here.
        *frame.add(8) = 0;
        (*context).stack = frame as usize;
        (*context).wait_until_known();
        (*context).fs_base = own_fs_base();
        (*context).cleared = cleared_at_end().unwrap_or(std::ptr::null());
        block_all_signals();
        leave(&raw mut (*context).pthread_stack, &raw const (*context).comes);
    }
}

/// The beginning of a kernel thread: tells its place and waits for the token.
pub unsafe fn wait_for_first_turn(context: *mut Context) {
    // SAFETY: `context` lives until the pthread is joined.
    unsafe {
        (*context).wait_until_known();
        (*context).fs_base = own_fs_base();
        (*context).kernel_thread = sys::gettid();
        (*context).comes.store(0, Ordering::Release);
        wait_for_token(&(*context).token);
    }
}

/// The end of a kernel thread, after it gave the token away.
pub unsafe fn wait_for_end(context: *const Context) {
    // SAFETY: as above.
    let released = unsafe { &(*context).released };
    while released.load(Ordering::Acquire) == 0 {
        sys::futex_wait(released, 0);
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

/// Saves what the calling convention says a call keeps, on the stack.
macro_rules! save {
    () => {
        "push rbp
        push rbx
        push r12
        push r13
        push r14
        push r15
        sub rsp, 8
        stmxcsr [rsp]
        fnstcw [rsp + 4]"
    };
}

/// Gets it back, and returns.
macro_rules! restore_and_return {
    () => {
        "ldmxcsr [rsp]
        fldcw [rsp + 4]
        add rsp, 8
        pop r15
        pop r14
        pop r13
        pop r12
        pop rbx
        pop rbp
        ret"
    };
}

/// Changes stack and FS base, and returns on the other stack.
#[unsafe(naked)]
unsafe extern "C" fn swap(save: *mut usize, load: usize, fs_base: u64) {
    naked_asm!(save!(), "mov [rdi], rsp", "wrfsbase rdx", "mov rsp, rsi", restore_and_return!(),)
}

/// The kernel thread ends; then the kernel clears `comes`. Another returns from here.
#[unsafe(naked)]
unsafe extern "C" fn leave(save: *mut usize, comes: *const AtomicU32) {
    naked_asm!(
        save!(),
        "mov [rdi], rsp",
        "mov rdi, rsi",
        "mov eax, {set_tid_address}",
        "syscall",
        "xor edi, edi",
        "mov eax, {exit}",
        "syscall",
        "ud2",
        set_tid_address = const libc::SYS_set_tid_address,
        exit = const libc::SYS_exit,
    )
}

/// Makes a kernel thread that returns from where another left; to who called, its number or minus an error. In the
/// order of clone(2) on this processor, so that only one argument has to move.
#[unsafe(naked)]
unsafe extern "C" fn go_on(
    flags: u64,
    stack: usize,
    parent_number: usize,
    cleared: *const AtomicU32,
    fs_base: u64,
) -> i64 {
    naked_asm!(
        "mov r10, rcx",
        "mov eax, {clone}",
        "syscall",
        "test rax, rax",
        "jz 2f",
        "ret",
        "2:",
        restore_and_return!(),
        clone = const libc::SYS_clone,
    )
}
