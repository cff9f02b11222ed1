//! What is said of classes that cannot be made.

use ironbird_test_rig::{Setting, real, text};
use tempfile::NamedTempFile;

use crate::{file, rig, stepping, user};

fn refusal_with(file: &NamedTempFile, more: &[Setting<'_>]) -> String {
    let name = file.path().file_name().unwrap().to_str().unwrap();
    rig().refusal("foreign.python", &user(file, more)).replace(name, "FILE")
}

fn refusal(source: &str) -> String {
    refusal_with(&file(source), &[])
}

#[test]
fn files_that_are_no_python_are_refused() {
    let refused = refusal("class User:\n    def step(self t): pass\n");
    assert!(refused.starts_with("parameter \"file\": SyntaxError: "), "{refused}");
    assert!(refused.ends_with(" (FILE, line 2)"), "{refused}");
    let refused = refusal("class User:\n    x = 1\n  y = 2\n");
    assert!(refused.starts_with("parameter \"file\": IndentationError: "), "{refused}");
    assert!(refused.ends_with(" (FILE, line 3)"), "{refused}");
    assert_eq!(
        refusal("import no_such_module\n"),
        "parameter \"file\": ModuleNotFoundError: No module named 'no_such_module' (FILE, line 1, in \
         <module>)"
    );
    assert_eq!(
        refusal("import os\nos._exit(7)\n"),
        "parameter \"file\": Python ended by itself, with status 7"
    );
}

#[test]
fn a_hang_before_the_first_step_is_refused() {
    let init = "import time\nclass User:\n    outputs = {\"y\": \"\"}\n    def __init__(self): \
                time.sleep(1e6)\n    def step(self, t, inputs): return {\"y\": 0}\n";
    for source in [init, "while True: pass\n"] {
        assert_eq!(
            refusal_with(&file(source), &[("patience", real(0.5))]),
            "parameter \"file\": Python did not answer within 0.5 s of real time (\"patience\")"
        );
    }
}

#[test]
fn classes_that_are_no_components_are_refused() {
    assert_eq!(
        refusal("class Other:\n    def step(self, t, inputs): pass\n"),
        "parameter \"file\": there is no class \"User\" in FILE; with a step there are: Other"
    );
    assert_eq!(
        refusal("class User: pass\n"),
        "parameter \"file\": the class \"User\" has no function step(self, t, inputs)"
    );
    let with_ports = |ports: &str| {
        refusal(&format!("class User:\n    {ports}\n    def step(self, t, inputs): return {{}}\n"))
    };
    assert_eq!(
        with_ports("pass"),
        "parameter \"file\": there are no inputs and no outputs: declare at least one"
    );
    assert_eq!(
        with_ports("inputs = [\"x\"]"),
        "parameter \"file\": \"inputs\" of the class \"User\" must name ports and units: inputs = \
         {\"angle\": \"rad\"}"
    );
    assert_eq!(
        with_ports("outputs = {\"x\": \"rads\"}"),
        "parameter \"file\": the port \"x\": there is no unit \"rads\", did you mean \"rad\"?"
    );
    for name in ["x y", "x\\nin z", "", "2x"] {
        let refused = with_ports(&format!("outputs = {{\"{name}\": \"m\"}}"));
        assert!(refused.contains("cannot name a port"), "{refused}");
    }
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let file = stepping("return {\"y\": 0}");
    let refused = refusal_with(&file, &[("parameters", text("gain = 1"))]);
    assert_eq!(refused, "parameter \"file\": TypeError: User() takes no arguments");
    let refused = refusal_with(&file, &[("parameters", text("gain 1"))]);
    assert!(refused.starts_with("parameter \"parameters\": "), "{refused}");
    assert!(refused.ends_with("as in \"gain = 0.8, limit = 20\""), "{refused}");
}

#[test]
fn a_python_that_is_not_there_is_named() {
    let file = stepping("return {\"y\": 0}");
    let refused = refusal_with(&file, &[("interpreter", text("./no-python"))]);
    assert!(
        refused.starts_with("parameter \"interpreter\": \"././no-python\" does not start"),
        "{refused}"
    );
    let refused = refusal_with(&file, &[("interpreter", text("true"))]);
    assert_eq!(refused, "parameter \"file\": Python ended by itself, with status 0");
    let refused = refusal_with(&file, &[("interpreter", text("echo"))]);
    assert_eq!(refused, "parameter \"file\": Python answered with something that is no answer");
}
