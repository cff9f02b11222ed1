//! What is said of libraries that cannot be loaded.

use ironbird_component::Registry;
use ironbird_test_rig::{Rig, real, text};

use crate::{COUNTER, Library, rig};

const STEP: &str = "int ironbird_step(void *self, double t, const double *in, double *out) { out[0] = 0; return 0; }";

fn refusal(library: &Library) -> String {
    let file = library.folder.path().join("user.so").display().to_string();
    rig().refusal("foreign.c", &library.settings(&[])).replace(&file, "FILE")
}

#[test]
fn a_missing_symbol_is_named() {
    assert_eq!(
        refusal(&Library::of(COUNTER)),
        "parameter \"file\": \"FILE\" has no function ironbird_step: see \
         crates/foreign/include/ironbird.h"
    );
    let half = "size_t ironbird_save(void *self, void *bytes, size_t capacity) { return 0; }";
    assert_eq!(
        refusal(&Library::of(&format!("{COUNTER}\n{STEP}\n{half}"))),
        "parameter \"file\": \"FILE\" has no function ironbird_load: see \
         crates/foreign/include/ironbird.h; it has its counterpart"
    );
}

#[test]
fn what_is_no_library_is_refused() {
    let refused = rig().refusal("foreign.c", &[("file", text("no/such/library.so"))]);
    assert!(refused.ends_with("library.so\" does not exist"), "{refused}");
    let refused = rig().refusal("foreign.c", &[("file", text("Cargo.toml"))]);
    assert!(refused.contains("Cargo.toml\" is no library: "), "{refused}");
}

/// Why a library with this description is refused.
fn described(text: &str) -> String {
    let library = Library::of(&format!(
        "{}\n{STEP}",
        COUNTER.replace("\"ironbird 1\\nin x\\nout y\\n\"", text)
    ));
    refusal(&library)
}

#[test]
fn descriptions_that_do_not_fit_are_refused() {
    assert_eq!(
        described("\"in x\\n\""),
        "parameter \"file\": ironbird_describe must begin with a line \"ironbird 1\", not \"in x\""
    );
    assert_eq!(
        described("\"ironbird 1\\n\""),
        "parameter \"file\": ironbird_describe: there are no inputs and no outputs: declare at least one"
    );
    assert_eq!(
        described("\"ironbird 1\\nin x rads\\n\""),
        "parameter \"file\": ironbird_describe: the port \"x\": there is no unit \"rads\", did you mean \
         \"rad\"?"
    );
    assert_eq!(described("NULL"), "parameter \"file\": ironbird_describe returned NULL");
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let library = Library::of(&format!("{COUNTER}\n{STEP}"));
    let settings = library.settings(&[("parameters", text("name = \"x\""))]);
    assert_eq!(
        rig().refusal("foreign.c", &settings),
        "parameter \"parameters\": \"name\" must be a number for a C library, not \"x\""
    );
    let picky = Library::of(&format!(
        "{}\n{STEP}\nconst char *ironbird_error(void *self) {{ return \"a gain is missing\"; }}",
        COUNTER.replace("return calloc(1, sizeof(struct user));", "return NULL;")
    ));
    assert_eq!(
        refusal(&picky),
        "parameter \"file\": ironbird_create refused its parameters: a gain is missing"
    );
}

#[test]
fn a_crash_while_loading_is_refused() {
    let library = Library::of(&format!(
        "{COUNTER}\n{STEP}\n__attribute__((constructor)) static void begin(void) {{ *(volatile int *)1 = 1; }}"
    ));
    assert_eq!(
        refusal(&library),
        "parameter \"file\": the C library was ended by signal 11 (SIGSEGV: a segmentation fault)"
    );
}

#[test]
fn a_hang_before_the_first_step_is_refused() {
    let hang = "volatile int on = 1; while (on) {}";
    for (whole, part) in [
        ("return calloc(1, sizeof(struct user));", format!("{hang} return 0;")),
        ("return \"ironbird 1", format!("{hang} return \"ironbird 1")),
    ] {
        let library = Library::of(&format!("{}\n{STEP}", COUNTER.replace(whole, &part)));
        assert_eq!(
            rig().refusal("foreign.c", &library.settings(&[("patience", real(0.5))])),
            "parameter \"file\": the C library did not answer within 0.5 s of real time (\"patience\")"
        );
    }
}

#[test]
fn a_program_that_is_no_host_is_found_out() {
    let with_host = |host: &'static str| -> Rig {
        let library: fn(&mut Registry) -> _ = match host {
            "/bin/echo" => |r| ironbird_foreign::register_with_host(r, "/bin/echo".into()),
            _ => |r| ironbird_foreign::register_with_host(r, "/no/such/program".into()),
        };
        Rig::of(&[library])
    };
    let library = Library::of(&format!("{COUNTER}\n{STEP}"));
    let refused = with_host("/bin/echo").refusal("foreign.c", &library.settings(&[]));
    assert!(refused.ends_with("answered with something that is no answer"), "{refused}");
    let refused = with_host("").refusal("foreign.c", &library.settings(&[]));
    assert!(refused.starts_with("no host starts: "), "{refused}");
}
