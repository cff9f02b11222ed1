//! What is said when a class fails while it runs.

use ironbird_test_rig::{Setting, real, seconds};

use crate::{stepping, system};

/// In seconds: a Python starts within it on a busy machine, too.
const PATIENCE: f64 = 2.0;

/// Why a class fails whose step has this body, with the name of its file left out.
fn failure_with(body: &str, more: &[Setting<'_>]) -> String {
    let file = stepping(body);
    let name = file.path().file_name().unwrap().to_str().unwrap().to_string();
    system(&file, more).failure(seconds(1.0)).replace(&name, "FILE")
}

fn failure(body: &str) -> String {
    failure_with(body, &[])
}

#[test]
fn an_exception_is_named_with_its_line() {
    assert_eq!(
        failure("return {\"y\": 1 / (2 - inputs[\"x\"])}"),
        "\"user\" failed at 0.5 s: ZeroDivisionError: float division by zero (FILE, line 6, in step)"
    );
    assert_eq!(
        failure("return {\"y\": inputs[\"z\"]}"),
        "\"user\" failed at 0 s: KeyError: 'z' (FILE, line 6, in step)"
    );
}

#[test]
fn an_exit_is_a_fault() {
    assert_eq!(
        failure("sys.exit(3)"),
        "\"user\" failed at 0 s: SystemExit: 3 (FILE, line 6, in step)"
    );
    assert_eq!(
        failure("os._exit(4)"),
        "\"user\" failed at 0 s: Python ended by itself, with status 4"
    );
}

#[test]
fn a_kill_is_a_fault() {
    assert_eq!(
        failure("os.kill(os.getpid(), signal.SIGKILL)"),
        "\"user\" failed at 0 s: Python was ended by signal 9 (SIGKILL: it was killed)"
    );
    assert_eq!(
        failure("os.kill(os.getpid(), signal.SIGSEGV)"),
        "\"user\" failed at 0 s: Python was ended by signal 11 (SIGSEGV: a segmentation fault)"
    );
}

#[test]
fn a_hang_is_a_fault() {
    assert_eq!(
        failure_with("time.sleep(1e6)", &[("patience", real(PATIENCE))]),
        "\"user\" failed at 0 s: Python did not answer within 2 s of real time (\"patience\")"
    );
    assert_eq!(
        failure_with("while True: pass", &[("patience", real(PATIENCE))]),
        "\"user\" failed at 0 s: Python did not answer within 2 s of real time (\"patience\")"
    );
}

/// A Python that a user stops, or holds in a debugger, does not hang.
#[test]
fn time_in_which_it_is_stopped_costs_no_patience() {
    let body = "pid = os.getpid()\n        \
                if t == 0: os.spawnlp(os.P_NOWAIT, 'sh', 'sh', '-c', f'sleep 7; kill -CONT {pid}')\n        \
                if t == 0: os.kill(pid, signal.SIGSTOP)\n        \
                return {'y': 1 + t}";
    let begin = std::time::Instant::now();
    let run =
        system(&stepping(body), &[("patience", real(PATIENCE))]).run(seconds(1.0), &["user.y"]);
    assert!(begin.elapsed() > std::time::Duration::from_secs(7), "it was stopped");
    assert_eq!(run.numbers("user.y").last(), Some(&2.0));
}

#[test]
fn a_wrong_answer_is_a_fault() {
    for (body, why) in [
        ("return 1.0", "step must return a dict of the outputs (y), not a float"),
        ("pass", "step must return a dict of the outputs (y), not a NoneType"),
        ("return {}", "step returned no \"y\""),
        ("return {\"Y\": 1}", "step returned no \"y\""),
        ("return {\"y\": 1, \"z\": 2}", "step returned \"z\", which is no output; outputs are: y"),
        ("return {\"y\": \"1\"}", "the output \"y\" must be a number, not '1'"),
        ("return {\"y\": None}", "the output \"y\" must be a number, not None"),
        ("return {\"y\": [1, 2]}", "the output \"y\" must be a number, not [1, 2]"),
        ("return {\"y\": float(\"nan\")}", "the output \"y\" must be finite, not NaN"),
        ("return {\"y\": -float(\"inf\")}", "the output \"y\" must be finite, not -inf"),
        ("return {\"y\": 10 ** 400}", "the output \"y\" must be a number, not 1000"),
    ] {
        let found = failure(body);
        assert!(found.starts_with(&format!("\"user\" failed at 0 s: {why}")), "{body}: {found}");
    }
}

#[test]
fn what_is_closed_from_within_is_a_fault() {
    let found = failure("os.closerange(3, 100); return {\"y\": 1}");
    assert!(found.starts_with("\"user\" failed at 0 s: Python ended by itself"), "{found}");
}
