//! Threads begin and end in every way, in both back-ends.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Output};
use rig::{MILLISECOND, Nothing, Outcome, SECOND, Wire, compile, run, setup, supported};

fn both(word: &str, check: impl Fn(&Outcome)) {
    if !supported() {
        return;
    }
    let program = compile("lives.c");
    for backend in [Backend::Coroutines, Backend::KernelThreads] {
        check(&run(&program, &[word], &setup(backend), Wire::Socket, &mut Nothing));
    }
}

fn prints(word: &str, text: &str) {
    both(word, |outcome| {
        assert_eq!(outcome.printed, text, "{outcome:#?}");
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    });
}

#[test]
fn thousands_of_threads_come_and_go() {
    // 100 rounds of 0 + 1 + ... + 19.
    prints("many", "sum 19000\n");
    prints("detached", "sum 124750\n");
    prints("nested", "sum 31\n");
}

#[test]
fn the_process_ends_with_its_last_thread_or_by_any_of_them() {
    prints("main-first", "last\n");
    both("exit-in-thread", |outcome| {
        assert_eq!(outcome.exit_code(), Some(4), "{outcome:#?}");
        assert_eq!(outcome.now, 2 * MILLISECOND);
    });
}

#[test]
fn a_handler_is_interrupted_by_another_signal() {
    prints("handlers", "1 1\n");
}

#[test]
fn a_file_that_is_closed_while_a_thread_waits_does_no_harm() {
    prints("closed", "recv -1 1\n");
}

#[test]
fn an_overflowing_stack_is_a_crash() {
    both("overflow", |outcome| {
        let found = outcome.events.iter().find_map(|(_, event)| match event {
            Output::Crashed { signal, thread, symbol, .. } => {
                Some((*signal, thread.clone(), symbol.clone()))
            }
            _ => None,
        });
        let (signal, thread, symbol) = found.unwrap_or_else(|| panic!("{outcome:#?}"));
        assert_eq!((signal, thread.as_str()), (11, "thread 1"));
        assert!(symbol.contains("lives-c"), "{symbol}");
    });
}

#[test]
fn a_signal_without_a_handler_ends_the_program() {
    both("terminated", |outcome| {
        assert_eq!(outcome.exit_code(), Some(128 + 14), "{outcome:#?}");
        assert_eq!(outcome.now, SECOND);
    });
}

#[test]
fn interrupted_calls_go_on_if_their_handler_wants_it() {
    // The read gets its byte, the second is interrupted, the write finds no reader; three handlers ran.
    prints("restarts", "1 -1 1 -1 1 3\n");
}

/// As Linux answers to root, but that the parent hears nothing.
#[test]
fn a_program_finds_its_parent_and_nobody_else() {
    const ESRCH: i32 = 3;
    const EINVAL: i32 = 22;
    let answers = [0, 0, 0, 0, 0, 0, EINVAL, ESRCH, ESRCH, ESRCH, 0].map(|error| error.to_string());
    prints("neighbours", &format!("{} 1 1\n", answers.join(" ")));
}
