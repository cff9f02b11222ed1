//! Programs that start others: children live in wall time, and the program never notices.
#![cfg(target_os = "linux")]

mod rig;

use ironbird_native_shim::protocol::{Backend, Children, Input, Output, Reason, Setup};
use rig::{MILLISECOND, Nothing, Outcome, Run, SECOND, WAYS, Wire, compile, run, setup, supported};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

fn with_helpers(backend: Backend, patience_ms: u64) -> Setup {
    Setup { children: Children::Helpers { patience_ms }, ..setup(backend) }
}

fn in_all_ways(word: &str, patience_ms: u64, check: impl Fn(&Outcome)) {
    if !supported() {
        return;
    }
    let program = compile("helpers.c");
    for (backend, wire) in WAYS {
        check(&run(&program, &[word], &with_helpers(backend, patience_ms), wire, &mut Nothing));
    }
}

fn prints(word: &str, text: &str) {
    in_all_ways(word, 30_000, |outcome| {
        assert_eq!(outcome.printed, text, "{outcome:#?}");
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    });
}

fn leak(outcome: &Outcome) -> (&str, &str) {
    let found = outcome.events.iter().find_map(|(_, event)| match event {
        Output::Leaked { what, advice, .. } => Some((what.as_str(), advice.as_str())),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("nothing leaked: {outcome:#?}"))
}

#[test]
fn a_command_takes_no_virtual_time() {
    prints("system", "3 0.002000\nspoken\n0 1\n127\n");
}

#[test]
fn a_pipe_leads_from_and_to_a_command() {
    prints("popen", "1\ngot one\ngot two\n5 0.000000\nLOUDER\n0\n100000 0 0.000100\n");
}

#[test]
fn a_spawned_program_has_the_files_that_were_asked_for() {
    prints("spawn", "0\n3 []\n0\n1 9\n1\n-1 1\n");
}

#[test]
fn a_copy_becomes_another_program() {
    prints("fork", "0\n1\n21 1 2 3 4 5 said hello\n1 7\n0 1 1\n");
}

#[test]
fn threads_with_small_stacks_start_commands() {
    prints("threads", "6 here\n6 here\n");
}

#[test]
fn the_end_of_a_child_is_a_signal_and_a_child_hears_signals() {
    prints("signal", "1\n0 1\n0\n1 15 2\n");
}

#[test]
fn a_child_that_goes_on_by_itself_ends_the_run_with_its_name() {
    in_all_ways("restless", 300, |outcome| {
        let (what, advice) = leak(outcome);
        assert!(what.contains("`sleep 100` (process "), "{what}");
        assert!(
            what.ends_with("is in the system call clock_nanosleep, which ends by itself"),
            "{what}"
        );
        assert!(advice.contains("`watchdog`"), "{advice}");
    });
}

#[test]
fn a_child_that_waits_for_the_world_outside_ends_the_run() {
    in_all_ways("outside", 300, |outcome| {
        let (what, _) = leak(outcome);
        assert!(what.contains("is in the system call recvfrom at socket:["), "{what}");
        assert!(what.ends_with("which does not lead to the program"), "{what}");
    });
}

#[test]
fn children_end_with_the_program() {
    in_all_ways("orphan", 300, |outcome| {
        let (what, _) = leak(outcome);
        let (_, rest) = what.split_once("`sleep 1000` (process ").expect("the child's name");
        let (process, _) = rest.split_once(')').expect("the child's number");
        let child = Path::new("/proc").join(process);
        let begun = Instant::now();
        while child.exists() && begun.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!child.exists(), "{what}");
    });
}

#[test]
fn a_child_and_a_program_that_wait_for_each_other_are_a_deadlock() {
    in_all_ways("deadlock", 30_000, |outcome| {
        let found = outcome.events.iter().find_map(|(_, event)| match event {
            Output::Deadlock { text } => Some(text.as_str()),
            _ => None,
        });
        let text = found.unwrap_or_else(|| panic!("{outcome:#?}"));
        assert!(
            text.starts_with(
                "thread `main` (priority 0) waits for the end of `sh -c read line` (process "
            ),
            "{text}"
        );
        assert!(text.ends_with("and all children wait for the program\n"), "{text}");
    });
}

#[test]
fn only_a_copy_may_become_another_program_and_it_may_do_nothing_else() {
    in_all_ways("exec", 30_000, |outcome| {
        let (what, advice) = leak(outcome);
        assert_eq!(what, "execlp");
        assert!(advice.starts_with("the program itself must stay"), "{advice}");
    });
    in_all_ways("copy", 30_000, |outcome| {
        assert_eq!(outcome.printed, "70\n", "{outcome:#?}");
        assert!(outcome.complaints.contains("it may only become another program or end"));
    });
}

/// Half a second of waiting between words, two for the child that does not end, and half for each that waits for files;
/// nothing else costs time.
const BY_PYTHON: &str = "\
CompletedProcess(args=['echo', 'hello'], returncode=0, stdout='hello\\n', stderr='')
3
one None
two None
('', None) 0
waited
-9
True
[Errno 2] No such file or directory: 'no-such-program'
2.500
poll None poll woke
select None select woke
epoll None epoll woke
4.000
";

#[test]
fn python_starts_other_programs_and_itself() {
    if !supported() {
        return;
    }
    let Some(interpreter) = rig::python() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/helpers.py");
    for (backend, wire) in WAYS {
        let mut command = Command::new(&interpreter);
        command.args(["-I", "-B", "-u"]).arg(&script);
        let run = Run::start(command, &with_helpers(backend, 30_000), wire);
        let outcome = run.play(3600 * SECOND, &mut Nothing);
        assert_eq!(outcome.printed, BY_PYTHON, "{outcome:#?}");
        assert_eq!(outcome.exit_code(), Some(0), "{outcome:#?}");
    }
}

#[test]
fn a_program_that_may_have_children_cannot_be_copied() {
    if !supported() {
        return;
    }
    let mut command = Command::new(compile("helpers.c"));
    command.arg("sleep");
    let mut run = Run::start(command, &with_helpers(Backend::Coroutines, 30_000), Wire::Memory);
    if run.hello.backend != Backend::Coroutines {
        println!("skipped: the processor has no FSGSBASE");
        return;
    }
    run.resume(0, MILLISECOND, Vec::new());
    let (transport, folder, output) = ("memory:/nowhere".into(), String::new(), String::new());
    let snapshot = Input::Snapshot { transport, folder, output };
    let yielded = run.resume(MILLISECOND, SECOND, vec![snapshot]);
    let refused = yielded.events.iter().any(|event| {
        matches!(event, Output::Leaked { what, .. } if what == "a snapshot of a program that may have children")
    });
    assert!(refused, "{yielded:?}");
    assert_eq!(yielded.reason, Reason::Ended);
}
