//! Threads and their locks do here what they do on Linux: the same programs run natively and in virtual time.
//!
//! Natively they run under SCHED_FIFO on one processor, which is what the shim plays. That takes CAP_SYS_NICE.
//! `IRONBIRD_CASES` is how many random programs there are.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::Backend;
use rig::{Nothing, Wire, compile, run, setup, supported};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// SplitMix64 again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

/// Steps that meet at objects of one kind, the frequent ones more than once. `T` has a time-out, of its own tick.
const FAMILIES: [&[&str]; 6] = [
    &["lock", "lock", "unlock", "unlock", "trylock", "timedlock T", "release"],
    &["lock", "lock", "unlock", "wait", "wait", "timedwait T", "signal", "signal", "broadcast"],
    &[
        "rdlock",
        "rdlock",
        "wrlock",
        "wrlock",
        "rwunlock",
        "rwunlock",
        "rwunlock",
        "rwunlock",
        "tryrdlock",
        "trywrlock",
        "timedrdlock T",
        "timedwrlock T",
    ],
    &[
        "sem_wait",
        "sem_wait",
        "sem_post",
        "sem_post",
        "sem_trywait",
        "sem_timedwait T",
        "sem_getvalue",
    ],
    &["barrier", "barrier", "sem_post", "sem_wait"],
    &[
        "store",
        "futex_wait",
        "futex_wait",
        "futex_wait T",
        "futex_wait_bits",
        "futex_wait_bits T",
        "futex_wake",
        "futex_wake",
        "futex_wake_bits",
        "futex_requeue",
        "futex_cmp_requeue",
    ],
];

/// A program in the words of `programs/differential.c`.
fn program(number: usize) -> String {
    let mut random = Random(number as u64 + 1);
    let mut steps: Vec<(usize, &str)> = Vec::new();
    let families: Vec<_> = (0..1 + random.below(2)).map(|_| random.below(FAMILIES.len())).collect();
    let threads = 2 + random.below(4);
    for thread in 0..threads {
        for _ in 0..3 + random.below(8) {
            let step = match random.below(24) {
                0..3 => "until T",
                3..6 => "yield",
                6 => "priority",
                7 => "priority_of_next",
                _ => {
                    let family = families[random.below(families.len())];
                    random.of(FAMILIES[family])
                }
            };
            steps.push((thread, step));
        }
    }
    // Each time-out has a tick of its own, so that no two fall together.
    let mut ticks: Vec<usize> =
        (1..=steps.iter().filter(|(_, step)| step.ends_with('T')).count()).collect();
    let last = ticks.len();
    for place in (1..last).rev() {
        ticks.swap(place, random.below(place + 1));
    }
    let mut text = format!("program {number} {last}\n");
    for object in 0..2 {
        let kind = [0, 0, 0, 1, 2, 3][random.below(6)];
        writeln!(text, "mutex {object} {kind}").expect("a string");
        writeln!(text, "rwlock {object} {}", random.below(3)).expect("a string");
        writeln!(text, "semaphore {object} {}", random.below(3)).expect("a string");
        writeln!(text, "barrier {object} {}", 1 + random.below(3)).expect("a string");
    }
    let mut current = None;
    for (thread, step) in steps {
        if current.replace(thread) != Some(thread) {
            writeln!(text, "thread {}", 10 + random.below(3)).expect("a string");
        }
        // Mostly the same object, so that threads meet.
        let (name, object) = (step.trim_end_matches(" T"), usize::from(random.below(5) == 0));
        let tick = match step.ends_with('T') {
            true => ticks.pop().expect("one for each"),
            // How many a requeue wakes.
            false if name.contains("requeue") => random.below(3),
            false => 0,
        };
        writeln!(text, "{name} {object} {tick} {}", random.below(4)).expect("a string");
    }
    text + "end\n"
}

/// What each program printed, by its number.
type Lines = BTreeMap<usize, String>;

fn lines(text: &str) -> Lines {
    let numbered = text.lines().filter_map(|line| {
        let (number, rest) = line.split_once(':')?;
        Some((number.parse().ok()?, rest.to_owned()))
    });
    numbered.collect()
}

/// Runs programs on this machine; none where that is not allowed.
fn natively(player: &Path, programs: &Path) -> Option<Lines> {
    let output = Command::new(player).arg(programs).output().expect("it starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0) => Some(lines(&printed)),
        Some(77) => {
            println!("skipped: no SCHED_FIFO for this user (CAP_SYS_NICE): {printed}");
            None
        }
        _ => panic!("{output:?}"),
    }
}

fn here(player: &Path, programs: &Path, backend: Backend, wire: Wire) -> Lines {
    let path = programs.to_str().expect("a plain name");
    let outcome = run(player, &[path], &setup(backend), wire, &mut Nothing);
    outcome.assert_success();
    lines(&outcome.printed)
}

/// What natively only an old C library does (see `programs/differential.c`).
const OF_OLD_LIBRARIES: &str = "the signaller waited";

#[test]
fn random_threads_and_locks_do_what_they_do_on_linux() {
    if !supported() {
        return;
    }
    let cases = std::env::var("IRONBIRD_CASES").ok().and_then(|text| text.parse().ok());
    let cases: usize = cases.unwrap_or(1000);
    const AT_ONCE: usize = 100;
    let player = compile("differential.c");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("programs");
    let write = |numbers: &mut dyn Iterator<Item = usize>| {
        let text: String = numbers.map(program).collect();
        std::fs::write(&file, text).expect("a file");
    };
    let (mut compared, mut first, mut again, mut strange) = (0, 0, 0, Vec::new());
    while compared < cases {
        write(&mut (first..first + AT_ONCE));
        let Some(linux) = natively(&player, &file) else { return };
        let ours = here(&player, &file, Backend::Coroutines, Wire::Memory);
        if first == 0 {
            assert_eq!(here(&player, &file, Backend::KernelThreads, Wire::Socket), ours);
        }
        assert_eq!((ours.len(), linux.len()), (AT_ONCE, AT_ONCE));
        for (number, line) in &ours {
            let mut theirs = linux[number].clone();
            // This machine may have had something else to do for longer than a tick.
            for _ in 0..5 {
                if theirs == *line || theirs.ends_with(OF_OLD_LIBRARIES) {
                    break;
                }
                again += 1;
                write(&mut std::iter::once(*number));
                theirs = natively(&player, &file).expect("it could before")[number].clone();
            }
            if theirs.ends_with(OF_OLD_LIBRARIES) {
                continue;
            }
            compared += 1;
            if theirs != *line {
                strange.push(format!("{}linux{theirs}\nhere {line}\n", program(*number)));
            }
        }
        first += AT_ONCE;
    }
    println!(
        "{compared} programs compared, {again} looked at again, {} left out",
        first - compared
    );
    assert!(strange.is_empty(), "{} of {compared} differ:\n{}", strange.len(), strange.join("\n"));
}

/// Programs and what they do on Linux, in short: thread, step, answer; three dots where a thread waits to the end.
const KNOWN: [(&str, &str); 6] = [
    // A lock that is given back is anybody's, though an equal has waited for it.
    (
        "thread 10/lock 0/until 0 2/unlock 0/trylock 0/unlock 0/thread 10/until 0 1/lock 0/unlock 0",
        "0.0=0 1.0=0 0.1=0 0.2=0 0.3=0 0.4=0 1.1=0 1.2=0",
    ),
    // So it is for who has signalled.
    (
        "thread 10/lock 0/wait 0/unlock 0/thread 10/until 0 1/lock 0/signal 0/unlock 0/trylock 0/unlock 0",
        "0.0=0 1.0=0 1.1=0 1.2=0 1.3=0 1.4=0 1.5=0 0.1=0 0.2=0",
    ),
    // Who has a higher priority is there first.
    (
        "thread 10/lock 0/until 0 2/unlock 0/trylock 0/thread 11/until 0 1/lock 0/until 0 3/unlock 0",
        "0.0=0 1.0=0 0.1=0 1.1=0 0.2=0 0.3=16 1.2=0 1.3=0",
    ),
    (
        "thread 10/until 0 2/sem_post 0/sem_trywait 0/thread 10/until 0 1/sem_wait 0",
        "1.0=0 0.0=0 0.1=0 0.2=0 1.1...",
    ),
    (
        "thread 10/wrlock 0/until 0 2/rwunlock 0/trywrlock 0/rwunlock 0/thread 10/until 0 1/wrlock 0",
        "0.0=0 1.0=0 0.1=0 0.2=0 0.3=0 0.4=0 1.1=0",
    ),
    // But readers have it then.
    (
        "thread 10/wrlock 0/until 0 2/rwunlock 0/trywrlock 0/thread 10/until 0 1/rdlock 0",
        "0.0=0 1.0=0 0.1=0 0.2=0 0.3=16 1.1=0",
    ),
];

#[test]
fn what_is_given_back_is_free_for_all() {
    if !supported() {
        return;
    }
    let player = compile("differential.c");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("programs");
    let numbered = KNOWN.iter().enumerate();
    let text: String = numbered
        .clone()
        .map(|(number, (steps, _))| {
            format!("program {number} 3\n{}\nend\n", steps.replace('/', "\n"))
        })
        .collect();
    std::fs::write(&file, text).expect("a file");
    let expected: Lines =
        numbered.map(|(number, (_, line))| (number, format!(" {line}"))).collect();
    for backend in [Backend::Coroutines, Backend::KernelThreads] {
        assert_eq!(here(&player, &file, backend, Wire::Memory), expected, "{backend:?}");
    }
    // This machine may have had something else to do for longer than a tick.
    let linux = (0..5).map_while(|_| natively(&player, &file));
    let linux: Vec<_> = linux.collect();
    assert!(linux.is_empty() || linux.contains(&expected), "{linux:#?}");
}
