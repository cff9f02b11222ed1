//! Python classes as components: what they compute, and what is said when they fail.

mod faults;
mod refusals;
mod steps;

use std::io::Write;

use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, Setting, seconds, text};
use tempfile::{Builder, NamedTempFile};

/// A Python file with this text.
fn file(source: &str) -> NamedTempFile {
    let mut file = Builder::new().prefix("user").suffix(".py").tempfile().unwrap();
    file.write_all(source.as_bytes()).unwrap();
    file
}

fn rig() -> Rig {
    Rig::of(&[ironbird_foreign::register])
}

/// The settings of the class `User` in a file.
fn user<'a>(file: &NamedTempFile, more: &[Setting<'a>]) -> Vec<Setting<'a>> {
    let mut settings = vec![("file", text(file.path().to_str().unwrap())), ("class", text("User"))];
    settings.extend_from_slice(more);
    settings
}

/// A system in which `user.x` is 1 at first and 2 from half a second on.
fn system(file: &NamedTempFile, more: &[Setting<'_>]) -> Rig {
    let mut rig = rig();
    rig.script("x", &[(seconds(0.0), 1.0), (seconds(0.5), 2.0)]);
    rig.add_at("user", "foreign.python", Some(Rate::hz(10)), &user(file, more));
    rig.link("x.out", "user.x");
    rig
}

/// A class whose step has this body.
fn stepping(body: &str) -> NamedTempFile {
    file(&format!(
        "import os, sys, time, signal\n\
         class User:\n    \
             inputs = {{\"x\": \"\"}}\n    \
             outputs = {{\"y\": \"\"}}\n    \
             def step(self, t, inputs):\n        \
                 {body}\n"
    ))
}
