//! Two stacks and one thread: the run and the program take turns.
#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::os::fd::RawFd;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

/// Descriptors of a run begin here, above those that a program would see first: the numbers that a program sees are the
/// same whether the run is inside its process or not.
pub const FIRST_DESCRIPTOR: RawFd = 500;

/// The stack of a run. Only what is used of it takes memory.
const STACK: usize = 64 << 20;

type Run = Coroutine<(), (), u8>;

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
    /// How the run gives the turn away; it lies on the run's stack.
    static YIELDER: Cell<*const Yielder<(), ()>> = const { Cell::new(ptr::null()) };
    static TO_PROGRAM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static FROM_PROGRAM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

static IS_INSIDE: AtomicBool = AtomicBool::new(false);
/// Where standard output and standard error of the run are, once those of the program have taken their places.
static TERMINAL: [AtomicI32; 2] = [AtomicI32::new(1), AtomicI32::new(2)];

/// Whether this run is inside the process of a program.
pub fn is_inside() -> bool {
    IS_INSIDE.load(Ordering::Relaxed)
}

/// What the run means with a descriptor: the terminal's two have other numbers while 1 and 2 are the program's.
pub fn terminal(descriptor: RawFd) -> RawFd {
    match descriptor {
        1 => TERMINAL[0].load(Ordering::Relaxed),
        2 => TERMINAL[1].load(Ordering::Relaxed),
        other => other,
    }
}

/// From now on the run's standard output and standard error are these.
pub fn set_terminal(out: RawFd, err: RawFd) {
    TERMINAL[0].store(out, Ordering::Relaxed);
    TERMINAL[1].store(err, Ordering::Relaxed);
}

/// What came of an exchange.
#[derive(Clone, Copy, Debug)]
pub enum Exchanged {
    /// A frame for the program: its place and its length. It stays there until the next exchange.
    Frame(*const u8, usize),
    /// The run is over, with this status.
    Ended(u8),
}

/// Hands a frame of the program to the run, and waits until the run has one for the program. The first time the run
/// begins, with `begin`, which gives its status in the end.
///
/// # Panics
/// With what the run panicked with.
pub fn exchange(frame: &[u8], begin: impl FnOnce() -> u8 + 'static) -> Exchanged {
    FROM_PROGRAM.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.extend_from_slice(frame);
    });
    let went_on = RUN.with_borrow_mut(|run| {
        let run = run.get_or_insert_with(|| {
            IS_INSIDE.store(true, Ordering::Relaxed);
            let stack = DefaultStack::new(STACK).expect("there is address space for a stack");
            Coroutine::with_stack(stack, move |yielder, ()| {
                YIELDER.set(yielder);
                begin()
            })
        });
        run.resume(())
    });
    match went_on {
        CoroutineResult::Yield(()) => {
            TO_PROGRAM.with_borrow(|bytes| Exchanged::Frame(bytes.as_ptr(), bytes.len()))
        }
        CoroutineResult::Return(status) => Exchanged::Ended(status),
    }
}

/// Leaves a frame for the program.
pub fn leave(frame: &[u8]) {
    TO_PROGRAM.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.extend_from_slice(frame);
    });
}

/// Gives the turn to the program, and takes its frame. Says no on a thread that is not the run's.
pub fn give_turn(answer: &mut Vec<u8>) -> bool {
    let yielder = YIELDER.get();
    if yielder.is_null() {
        return false;
    }
    // SAFETY: the yielder lies at the bottom of the stack of the run, which has not ended while something runs on it; and
    // that is here: only the thread of the run has a yielder, and what `exchange` does on it beside the run never
    // comes here.
    unsafe { (*yielder).suspend(()) };
    FROM_PROGRAM.with_borrow_mut(|bytes| std::mem::swap(bytes, answer));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that asks its program twice.
    fn two_questions() -> u8 {
        let mut answer = Vec::new();
        leave(b"one?");
        assert!(give_turn(&mut answer));
        assert_eq!(answer, b"one");
        leave(b"two?");
        assert!(give_turn(&mut answer));
        assert_eq!(answer, b"two");
        7
    }

    fn frame(exchanged: Exchanged) -> Vec<u8> {
        match exchanged {
            // SAFETY: no other exchange has been.
            Exchanged::Frame(place, length) => unsafe {
                std::slice::from_raw_parts(place, length).to_vec()
            },
            Exchanged::Ended(status) => panic!("it ended with {status}"),
        }
    }

    #[test]
    fn a_run_and_a_program_take_turns_on_one_thread() {
        assert!(!std::thread::spawn(|| give_turn(&mut Vec::new())).join().unwrap());
        assert_eq!(frame(exchange(b"", two_questions)), b"one?");
        assert_eq!(frame(exchange(b"one", two_questions)), b"two?");
        assert!(matches!(exchange(b"two", two_questions), Exchanged::Ended(7)));
    }
}
