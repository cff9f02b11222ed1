//! What is said when a library fails while it runs.

use ironbird_test_rig::{Setting, real, seconds};

use crate::Library;

fn failure_with(body: &str, more: &[Setting<'_>]) -> String {
    Library::stepping(body).system(more).failure(seconds(1.0))
}

fn failure(body: &str) -> String {
    failure_with(body, &[])
}

#[test]
fn a_segmentation_fault_is_a_fault_of_the_component() {
    assert_eq!(
        failure("if (in[0] > 1) { *(volatile int *)1 = 1; } out[0] = 0; return 0;"),
        "\"user\" failed at 0.5 s: the C library was ended by signal 11 (SIGSEGV: a segmentation fault)"
    );
}

#[test]
fn an_abort_and_an_exit_are_faults_of_the_component() {
    assert_eq!(
        failure("abort();"),
        "\"user\" failed at 0 s: the C library was ended by signal 6 (SIGABRT: it aborted)"
    );
    assert_eq!(
        failure("exit(5);"),
        "\"user\" failed at 0 s: the C library ended by itself, with status 5"
    );
}

#[test]
fn a_hang_is_a_fault() {
    assert_eq!(
        failure_with("for (volatile int i = 0; ; i++);", &[("patience", real(2.0))]),
        "\"user\" failed at 0 s: the C library did not answer within 2 s of real time (\"patience\")"
    );
}

#[test]
fn a_status_is_a_fault_with_the_words_of_the_library() {
    assert_eq!(failure("return 3;"), "\"user\" failed at 0 s: ironbird_step returned 3");
    let library = Library::of(&format!(
        "{}\nint ironbird_step(void *self, double t, const double *in, double *out) {{ return 1; }}\n\
         const char *ironbird_error(void *self) {{ return \"the pole lies flat\"; }}\n",
        crate::COUNTER
    ));
    assert_eq!(
        library.system(&[]).failure(seconds(1.0)),
        "\"user\" failed at 0 s: ironbird_step returned 1: the pole lies flat"
    );
}

#[test]
fn outputs_that_are_wrong_are_faults() {
    for (body, why) in [
        ("return 0;", "ironbird_step did not write the output \"y\""),
        ("out[0] = 1; out[1] = 2; return 0;", "ironbird_step wrote more than its 1 outputs"),
        ("out[0] = 1 / 0.0; return 0;", "the output \"y\" must be finite, not inf"),
    ] {
        assert_eq!(failure(body), format!("\"user\" failed at 0 s: {why}"));
    }
}
