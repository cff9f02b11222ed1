//! Talk with the host happens on a stack of its own. What it leaves there is another with each transport, and in each run;
//! on the stack of the program somebody may find it who never wrote there, and publish it.

use super::places::{self, Place};
use libc::c_void;
use std::arch::naked_asm;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Only what is used of it takes memory. A host inside the process is loaded on it.
const SIZE: usize = 8 << 20;

/// Whether the running thread is there. One thread of the program runs at a time.
static IS_THERE: AtomicBool = AtomicBool::new(false);

/// Does something on the other stack. Threads must not be switched meanwhile.
pub fn apart<T, F: FnOnce() -> T>(work: F) -> T {
    struct Slot<F, T> {
        work: Option<F>,
        done: Option<T>,
    }
    extern "C" fn run<T, F: FnOnce() -> T>(slot: *mut c_void) {
        // SAFETY: the slot lies in the frame of who called, who waits.
        let slot = unsafe { &mut *slot.cast::<Slot<F, T>>() };
        slot.done = slot.work.take().map(|work| work());
    }
    let top = top();
    if top == 0 || IS_THERE.swap(true, Ordering::Relaxed) {
        return work();
    }
    let mut slot = Slot { work: Some(work), done: None };
    // SAFETY: the stack is nobody's meanwhile, and `run` keeps to the calling convention.
    unsafe { call_on(top, run::<T, F>, (&raw mut slot).cast()) };
    IS_THERE.store(false, Ordering::Relaxed);
    slot.done.unwrap_or_else(|| super::give_up("work on the other stack was not done"))
}

/// The end of the stack; 0 if there is no memory for it.
fn top() -> usize {
    static TOP: AtomicUsize = AtomicUsize::new(0);
    let mut top = TOP.load(Ordering::Relaxed);
    if top == 0 {
        let lowest = places::pages(Place::OtherStack, SIZE) as usize;
        top = if lowest == 0 { 0 } else { lowest + SIZE };
        TOP.store(top, Ordering::Relaxed);
    }
    top
}

#[unsafe(naked)]
unsafe extern "C" fn call_on(top: usize, run: extern "C" fn(*mut c_void), slot: *mut c_void) {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rsp, rdi",
        "mov rdi, rdx",
        "call rsi",
        "mov rsp, rbp",
        "pop rbp",
        "ret",
    )
}

/// Vector registers hold what was copied last: here arguments and environment. Who binds a function when it is first called
/// puts them on the stack. They are brought into the state in which the processor begins (XRSTOR, Intel 64 manual, volume 1,
/// 13.8), once: it takes a good part of a microsecond.
pub fn forget_vectors() {
    /// SSE, AVX, and the three parts of AVX-512.
    const VECTORS: u32 = 0b1110_0110;
    const MXCSR: usize = 24;
    #[repr(C, align(64))]
    struct Image([u8; 576]);
    static mut IMAGE: Image = Image([0; 576]);
    if !has_xrstor() {
        return;
    }
    // SAFETY: one thread of the program runs at a time. The image says of all parts that they are as in the beginning, but
    // for the one register of control that is the program's.
    unsafe {
        let image = (&raw mut IMAGE).cast::<u8>();
        std::arch::asm!(
            "stmxcsr [{image} + {mxcsr}]",
            "xrstor [{image}]",
            image = in(reg) image,
            mxcsr = const MXCSR,
            in("eax") VECTORS,
            in("edx") 0,
            clobber_abi("C"),
        );
    }
}

fn has_xrstor() -> bool {
    const ENABLED: u32 = 1 << 27;
    static KNOWN: AtomicUsize = AtomicUsize::new(0);
    let mut known = KNOWN.load(Ordering::Relaxed);
    if known == 0 {
        let has = std::arch::x86_64::__cpuid(1).ecx & ENABLED != 0;
        known = 1 + usize::from(has);
        KNOWN.store(known, Ordering::Relaxed);
    }
    known == 2
}
