//! User code in the program itself: a C library, a fault, an end.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program::{Place, example};

#[test]
fn the_program_is_the_host_of_a_c_library() {
    let place = Place::new();
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../foreign/include");
    let library = place.path("balance.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2", "-o"]).arg(&library).arg("-I").arg(include);
    assert!(compiler.arg(example("user-code/balance.c")).status().unwrap().success());
    let file = format!("controller.file={:?}", library.to_str().unwrap());
    let arguments = ["run", &example("user-code/c.toml"), "--out", "out", "--set", &file];
    let done = place.run(&arguments);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
}

#[test]
fn a_vehicle_may_be_generated_c_code() {
    let place = Place::new();
    let library = place.path("quadrotor.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O2", "-ffp-contract=off", "-o"]).arg(&library);
    compiler.arg(example("user-code/quadrotor.c")).arg("-lm");
    assert!(compiler.status().unwrap().success());
    let file = format!("quad.file={:?}", library.to_str().unwrap());
    let study = example("user-code/generated.toml");
    let done = place.run(&["run", &study, "--out", "out", "--set", &file]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("all 3 requirements hold"), "{}", done.out);
}

/// An experiment around a Python class whose step has this body.
fn write(place: &Place, body: &str) {
    place.write(
        "user.py",
        format!(
            "import os\nclass User:\n    outputs = {{\"y\": \"\"}}\n    \
             def step(self, t, inputs):\n        {body}\n"
        ),
    );
    place.write(
        "user.toml",
        "ironbird = 1\nduration = \"1 s\"\n[system.user]\ntype = \"foreign.python\"\n\
         file = \"user.py\"\nclass = \"User\"\n",
    );
}

#[test]
fn an_exception_ends_the_run_with_status_3() {
    let place = Place::new();
    write(&place, "return {\"y\": 1 / (0.5 - t)}");
    let done = place.run(&["run", "user.toml", "--out", "out"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    let why = "\"user\" failed at 0.5 s: ZeroDivisionError: float division by zero (user.py, line 5, in step)";
    let said = done.out + &done.err;
    assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(why), "{said}");
}

#[test]
fn user_code_that_hangs_ends_with_a_program_that_is_killed() {
    let place = Place::new();
    write(&place, "open(\"pid\", \"w\").write(str(os.getpid()) + \" \")\n        while True: pass");
    let mut child = place.start(&["run", "user.toml", "--out", "out"], "pid", 1);
    let user = place.text("pid");
    child.kill().unwrap();
    child.wait().unwrap();
    let lives =
        || Command::new("kill").args(["-0", user.trim()]).output().unwrap().status.success();
    let begin = Instant::now();
    while lives() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the Python of a killed run lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn user_code_that_hangs_at_its_start_gives_status_3_and_a_mistake_in_it_2() {
    let place = Place::new();
    write(&place, "return {\"y\": t}");
    let code = place.text("user.py");
    let begins = |line: &str| {
        place.write("user.py", format!("{code}    def __init__(self):\n        {line}\n"));
        place.run(&["run", "user.toml", "--out", "out", "--set", "user.patience=1 s"])
    };
    let hangs = begins("while True: pass");
    assert_eq!(hangs.status, 3, "{}", hangs.err);
    assert!(hangs.err.contains("did not answer within 1 s of real time"), "{}", hangs.err);
    assert_eq!(begins("nonsense").status, 2);
}
