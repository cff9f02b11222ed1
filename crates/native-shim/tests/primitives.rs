//! Every primitive of C and C++ serves eight threads in the order of the rules, and refuses what Linux refuses.
#![cfg(target_os = "linux")]

mod rig;

use rig::{Nothing, Outcome, WAYS, compile, run, setup, supported};
use std::cmp::Reverse;
use std::fmt::Write;

/// The priorities of the workers in `programs/primitives.c`.
const PRIORITIES: [u8; 8] = [3, 7, 1, 7, 5, 2, 8, 5];

/// All workers, the highest priority first, among equals the one that was made last: on Linux a thread that is lowered
/// comes first, and main is above them all when it makes them.
fn by_priority() -> Vec<usize> {
    let mut order: Vec<usize> = (0..8).rev().collect();
    order.sort_by_key(|&worker| Reverse(PRIORITIES[worker]));
    order
}

/// What the program must print, from the rules alone: who is served at which millisecond.
#[derive(Default)]
struct Reference {
    text: String,
}

impl Reference {
    fn line(&mut self, section: &str, who: impl std::fmt::Display, ms: usize) {
        writeln!(self.text, "{section} {who} {ms}.000").expect("a string takes all");
    }

    /// All at one time.
    fn at(&mut self, section: &str, workers: &[usize], ms: usize) {
        for worker in workers {
            self.line(section, format!("w{worker}"), ms);
        }
    }

    /// One after the other, a millisecond each.
    fn one_by_one(&mut self, section: &str, workers: &[usize]) {
        for (place, worker) in workers.iter().enumerate() {
            self.line(section, format!("w{worker}"), place + 1);
        }
    }
}

fn reference_of_c() -> String {
    let mut reference = Reference::default();
    let served = by_priority();
    assert_eq!(served, [6, 3, 1, 7, 4, 0, 5, 2]);
    let numbered: Vec<usize> = (0..8).collect();
    let reversed: Vec<usize> = (0..8).rev().collect();

    for mutex in ["mutex", "recursive", "errorcheck", "c11"] {
        reference.at(mutex, &served, 1);
    }
    // Worker n gives up after n + 1 ms.
    reference.one_by_one("timedlock", &numbered);
    // Main keeps the mutex for another millisecond.
    reference.at("broadcast", &served, 2);
    reference.one_by_one("signal", &served);
    reference.at("destroyed", &served, 1);
    for wait in ["wait-realtime", "wait-monotonic", "clockwait"] {
        reference.one_by_one(wait, &numbered);
    }
    reference.at("barrier", &served, 1);
    // The first to be served reads, so all readers (even numbers) enter; then the writers, one by one.
    reference.at("rwlock", &[6, 4, 0, 2], 1);
    for (place, writer) in [3, 1, 7, 5].into_iter().enumerate() {
        reference.at("rwlock", &[writer], 2 + place);
    }
    reference.one_by_one("semaphore", &served);
    reference.one_by_one("sem-timed", &numbered);
    reference.at("spin", &served, 1);
    // The highest priority initialises and sleeps meanwhile; it is ready last, but the others do not outrank it.
    reference.line("once", "initialiser", 0);
    reference.at("once", &served, 1);
    reference.one_by_one("absolute", &reversed);
    reference.one_by_one("relative", &numbered);
    reference.at("together", &served, 1000);
    reference.text.push_str(&timerfd_reference());
    reference.one_by_one("eventfd", &served);
    reference.one_by_one("poll", &served);
    reference.one_by_one("select", &served);
    reference.one_by_one("in-vain", &numbered);
    for ms in [1, 3, 5] {
        reference.line("timers", "alarm", ms);
    }
    reference.line("timers", "info", 7);
    reference.line("timers", "interrupted", 7);
    reference.line("timers", "alarm", 1007);
    reference.line("timers", "woken", 1007);
    reference.line("timers", "in-vain", 1010);
    reference.line("timers", "usr1", 1010);
    reference.line("timers", "thread", 1012);
    reference.one_by_one("sigwait", &numbered);
    // They sleep 1 + n % 3 ms.
    for rest in 0..3 {
        let awake: Vec<usize> =
            served.iter().copied().filter(|worker| worker % 3 == rest).collect();
        reference.at("storage", &awake, rest + 1);
    }
    // Equals alternate, everybody else runs both turns at once.
    reference.at("yield", &[6, 6, 3, 1, 3, 1, 7, 4, 7, 4, 0, 0, 5, 5, 2, 2], 0);
    reference.one_by_one("futex", &served);
    // Worker 2 was promoted above all while it waited, and keeps the place with which it came, as on Linux.
    reference.at("promoted", &[6, 3, 1, 7, 4, 0, 5, 2], 1);
    reference.text
}

/// Worker n's timer falls due at n + 1 and 2 (n + 1) ms. Those who are due at one time run by priority; equals in the
/// order in which their timers were set, and a second period is set later than any first.
fn timerfd_reference() -> String {
    let mut due: Vec<(usize, Reverse<u8>, usize, usize)> = Vec::new();
    for (worker, &priority) in PRIORITIES.iter().enumerate() {
        for round in 1..=2 {
            due.push(((worker + 1) * round, Reverse(priority), round, worker));
        }
    }
    due.sort();
    let mut reference = Reference::default();
    for (ms, _, _, worker) in due {
        reference.at("timerfd", &[worker], ms);
    }
    reference.text
}

fn same_in_all_ways(program: &str, reference: &str) {
    if !supported() {
        return;
    }
    let program = compile(program);
    let mut first: Option<Outcome> = None;
    for (backend, wire) in WAYS {
        let outcome = run(&program, &[], &setup(backend), wire, &mut Nothing);
        assert_eq!(outcome.exit_code(), Some(0), "{backend:?} {wire:?}: {outcome:#?}");
        for (number, (found, expected)) in
            outcome.printed.lines().zip(reference.lines()).enumerate()
        {
            assert_eq!(found, expected, "{backend:?} {wire:?}, line {}", number + 1);
        }
        assert_eq!(outcome.printed, reference, "{backend:?} {wire:?}");
        if let Some(first) = &first {
            assert_eq!(outcome.events, first.events, "{backend:?} {wire:?}");
        }
        first.get_or_insert(outcome);
    }
}

#[test]
fn c_threads_are_served_in_the_order_of_the_rules() {
    same_in_all_ways("primitives.c", &reference_of_c());
}

/// Who runs first at the third millisecond, by the rules of Linux's rt-mutex (and as Linux 6.18 on one processor does).
fn reference_of_inheritance() -> String {
    let mut reference = Reference::default();
    let mut at = |section: &str, ms: usize, order: &[&str]| {
        for who in order {
            reference.line(section, who, ms);
        }
    };
    // The inversion that the protocol is there for: the owner has to wait for whoever is in between.
    at("none", 3, &["mid", "low", "high", "low-again"]);
    at("inherit", 3, &["low", "high", "mid", "low-again"]);
    at("chain", 3, &["low", "link", "high", "mid", "low-again"]);
    // 9 from one mutex, then 4 from the other, then its own 1.
    at("several", 3, &["low", "high", "mid", "low-as-four", "four", "three", "low-again"]);
    at("timed", 2, &["high"]);
    at("timed", 3, &["mid", "low", "low-again"]);
    at("lowered", 3, &["mid", "low", "waiter", "low-again"]);
    at("raised", 3, &["low", "waiter", "mid", "low-again"]);
    // Its own priority is 7 meanwhile.
    at("set-owner", 3, &["low", "high", "low-again", "mid"]);
    at("condition", 2, &["low", "high", "mid"]);
    at("condition", 3, &["high", "mid", "low"]);
    // Who runs a handler does not wait; afterwards it does again, unless the mutex has become free.
    at("resumed", 2, &["handler"]);
    at("resumed", 3, &["low", "high", "mid", "low-again"]);
    at("absent", 2, &["handler"]);
    at("absent", 3, &["mid", "low", "low-again"]);
    at("absent", 4, &["high"]);
    reference.text
}

#[test]
fn the_owner_of_an_inheriting_mutex_runs_before_those_whom_its_waiters_outrank() {
    same_in_all_ways("inheritance.c", &reference_of_inheritance());
}

/// As epoll_ctl(2), epoll_wait(2), timerfd_settime(2) and eventfd(2) have it.
const REFERENCE_OF_ERRORS: &str = "\
closed-set EBADF
closed-descriptor EBADF
both-closed EBADF
regular-file EPERM
no-set EINVAL
no-set-but-a-file EINVAL
modify-unknown ENOENT
remove-unknown ENOENT
unknown-operation EINVAL
add fine
add-again EEXIST
no-set-but-in-one EINVAL
unknown-operation EINVAL
wait-closed EBADF
wait-no-set EINVAL
wait-for-none EINVAL
itself EINVAL
a-copy-of-itself EINVAL
remove-itself EINVAL
nest fine
nest fine
nest fine
nest fine
cycle-of-two ELOOP
cycle-of-five ELOOP
six-from-below ELOOP
six-from-above ELOOP
beside fine
lowest fine
seen-from-above fine
not-seen fine
settime-closed EBADF
settime-file EINVAL
settime-event EINVAL
gettime-closed EBADF
gettime-file EINVAL
gettime-event EINVAL
gettime fine
write-timer EINVAL
read-closed EBADF
write-closed EBADF
read-set EINVAL
write-set EINVAL
read-too-short EINVAL
write-too-much EINVAL
";

#[test]
fn wrong_calls_of_epoll_timerfd_and_eventfd_are_answered_as_by_linux() {
    same_in_all_ways("errors.c", REFERENCE_OF_ERRORS);
}

fn reference_of_cpp() -> String {
    let mut reference = Reference::default();
    let served = by_priority();
    let numbered: Vec<usize> = (0..8).collect();
    let reversed: Vec<usize> = (0..8).rev().collect();
    reference.at("mutex", &served, 1);
    reference.one_by_one("timed", &numbered);
    reference.at("shared", &[6, 4, 0, 2], 1);
    for (place, writer) in [3, 1, 7, 5].into_iter().enumerate() {
        reference.at("shared", &[writer], 2 + place);
    }
    reference.one_by_one("notify", &served);
    reference.one_by_one("wait-for", &numbered);
    reference.one_by_one("wait-until", &reversed);
    reference.one_by_one("semaphore", &served);
    reference.at("atomic", &served, 1);
    // The last of eight counts down after 8 ms.
    reference.line("latch", "main", 8);
    reference.line("barrier", "all", 8);
    // The highest priority comes first and constructs for 2 ms, all others wait for it.
    reference.line("static", "constructed by w6", 0);
    reference.at("static", &served, 2);
    // It throws after 1 ms. The next to be served is the one with the highest priority that waits, worker 3.
    reference.line("throwing", "w6 caught", 1);
    for worker in &served[1..] {
        reference.line("throwing", format!("w{worker} got 3"), 2);
    }
    reference.line("call-once", "w6 called", 1);
    for worker in &served {
        reference.line("local", format!("destroyed w{worker}"), 1);
    }
    reference.line("future", "waiting", 2);
    reference.line("future", "answered", 5);
    reference.text
}

/// The first numbers of SplitMix64 from a seed, by its published definition.
fn splitmix(seed: u64, count: u64) -> Vec<u64> {
    let mix = |number: u64| {
        let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    };
    (1..=count)
        .map(|place| mix(seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
        .collect()
}

#[test]
fn cpp_threads_are_served_in_the_order_of_the_rules() {
    let random = splitmix(setup(Default::default()).seed, 2);
    let last = format!("random {} {}\n", random[0] as u32, random[1] as u32);
    same_in_all_ways("primitives.cpp", &(reference_of_cpp() + &last));
}

#[test]
fn a_handler_of_a_signal_ends_no_wait_and_hides_no_end() {
    same_in_all_ways(
        "handlers.c",
        "\
condition, quick handlers: over after 40 ms, 3 handled
condition, the mutex is held: over after 50 ms, 3 handled
condition while a handler sleeps: over after 80 ms, 2 handled
condition and mutex while a handler sleeps: over after 80 ms, 2 handled
time: timed out after 50 ms, 3 handled
time while a handler sleeps: timed out after 130 ms, 2 handled
barrier: over after 40 ms, 3 handled
barrier while a handler sleeps: over after 80 ms, 2 handled
lock: over after 40 ms, 3 handled
lock while a handler sleeps: over after 80 ms, 2 handled
thread: over after 40 ms, 3 handled
thread while a handler sleeps: over after 80 ms, 2 handled
",
    );
}
