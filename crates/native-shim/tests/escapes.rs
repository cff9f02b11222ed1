//! What escapes virtual time ends the run, with what it was, where, and what to do.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Output;
use rig::{MILLISECOND, Nothing, Outcome, WAYS, compile, run, setup, supported};

fn in_all_ways(word: &str, check: impl Fn(&Outcome)) {
    if !supported() {
        return;
    }
    let program = compile("escapes.c");
    for (backend, wire) in WAYS {
        check(&run(&program, &[word], &setup(backend), wire, &mut Nothing));
    }
}

/// The leak as one text; the address in the place varies from run to run.
fn leak(outcome: &Outcome) -> String {
    let found = outcome.events.iter().find_map(|(_, event)| match event {
        Output::Leaked { what, place, thread, advice } => {
            let place = place.split(" (0x").next().unwrap_or_default();
            Some(format!("{what} | {place} | {thread} | {advice}"))
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing leaked: {outcome:#?}"))
}

fn leaks(word: &str, golden: &str) {
    in_all_ways(word, |outcome| assert_eq!(leak(outcome), golden));
}

const PAST_LIBC: &str =
    "the program makes this call past libc: call the function of libc, or link libc dynamically";
const ONE_PROGRAM: &str = "a run is one program: start the other one as a component of its own, or switch it off; \
     `children = \"helpers\"` lets the program start helpers that answer to it";

#[test]
fn calls_by_number_are_virtual_too() {
    in_all_ways("numbers", |outcome| {
        assert_eq!(outcome.printed, "1.001250000\n1700000002\n", "{outcome:#?}");
        assert_eq!(outcome.exit_code(), Some(0));
    });
}

#[test]
fn a_clock_read_by_an_instruction_is_found() {
    leaks(
        "clock",
        &format!(
            "the system call clock_gettime | clock_by_instruction in escapes-c | main | {PAST_LIBC}"
        ),
    );
}

#[test]
fn a_sleep_by_an_instruction_is_found() {
    leaks(
        "sleep",
        &format!(
            "the system call nanosleep | sleep_by_instruction in escapes-c | main | {PAST_LIBC}"
        ),
    );
}

#[test]
fn the_counter_of_the_processor_is_refused() {
    leaks(
        "rdtsc",
        "the instruction rdtsc | counter_of_the_processor in escapes-c | main | \
         the processor's counter is wall time: read a clock with clock_gettime instead",
    );
}

#[test]
fn other_programs_are_refused() {
    leaks("exec", &format!("execl | main in escapes-c | main | {ONE_PROGRAM}"));
    leaks("system", &format!("system | main in escapes-c | main | {ONE_PROGRAM}"));
    leaks("fork", &format!("fork | main in escapes-c | main | {ONE_PROGRAM}"));
    leaks(
        "exec-instruction",
        &format!(
            "the system call execve | exec_by_instruction in escapes-c | main | {ONE_PROGRAM}"
        ),
    );
}

#[test]
fn a_wait_by_number_that_is_not_virtual_is_found() {
    leaks(
        "number",
        "syscall(poll) | main in escapes-c | main | call the function of libc instead of the number: that one is virtual",
    );
}

#[test]
fn cancelling_a_thread_is_refused() {
    leaks(
        "cancel",
        "pthread_cancel | main in escapes-c | main | \
         a thread cannot be cancelled in virtual time: let it look at a flag, or return",
    );
}

#[test]
fn a_wait_inside_libc_is_found() {
    in_all_ways("stream", |outcome| {
        let text = leak(outcome);
        assert!(text.starts_with("the system call futex | "), "{text}");
        assert!(
            text.contains("in libc.so.6 | main | a wait that the shim does not know"),
            "{text}"
        );
    });
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    in_all_ways("deadlock", |outcome| {
        let found = outcome.events.iter().find_map(|(now, event)| match event {
            Output::Deadlock { text } => Some((*now, text.as_str())),
            _ => None,
        });
        let golden = "thread `main` (priority 0) waits for the mutex at `second_lock` that thread `crossing` holds\n\
                      thread `crossing` (priority 0) waits for the mutex at `first_lock` that thread `main` holds\n";
        assert_eq!(found, Some((MILLISECOND, golden)), "{outcome:#?}");
    });
}

#[test]
fn a_crash_names_thread_and_function() {
    in_all_ways("crash", |outcome| {
        let found = outcome.events.iter().find_map(|(_, event)| match event {
            Output::Crashed { signal, thread, symbol, .. } => {
                Some((*signal, thread.as_str(), symbol.as_str()))
            }
            _ => None,
        });
        assert_eq!(found, Some((11, "unlucky", "write_to_nowhere in escapes-c")), "{outcome:#?}");
    });
    in_all_ways("abort", |outcome| {
        let caller = outcome.events.iter().find_map(|(_, event)| match event {
            Output::Crashed { signal: 6, symbol, .. } => Some(symbol.as_str()),
            _ => None,
        });
        assert_eq!(caller, Some("main in escapes-c"), "{outcome:#?}");
    });
    in_all_ways("assert", |outcome| {
        let caller = outcome.events.iter().find_map(|(_, event)| match event {
            Output::Crashed { signal: 6, symbol, .. } => Some(symbol.as_str()),
            _ => None,
        });
        assert_eq!(caller, Some("expect_nothing in escapes-c"), "{outcome:#?}");
    });
}

#[test]
fn the_end_carries_status_and_time() {
    in_all_ways("exit", |outcome| {
        assert_eq!(outcome.exit_code(), Some(9));
        assert_eq!(outcome.now, 7 * MILLISECOND);
    });
    in_all_ways("_exit", |outcome| assert_eq!(outcome.exit_code(), Some(8)));
}
