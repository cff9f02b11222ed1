//! References in Python, beside which our models are put.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// Runs a script with these arguments, and gives what it prints.
///
/// `IRONBIRD_PYTHON` names a Python with the packages that the references need; `./test` makes one.
pub fn python<A: AsRef<OsStr>>(script: impl AsRef<Path>, arguments: &[A]) -> Vec<u8> {
    let (script, python) = (script.as_ref(), std::env::var_os("IRONBIRD_PYTHON"));
    let python = python.unwrap_or_else(|| "python3".into());
    let output =
        Command::new(&python).arg(script).args(arguments).output().unwrap_or_else(|error| {
            panic!("{} does not start ({error}): run ./test", python.display())
        });
    assert!(
        output.status.success(),
        "{} failed; ./test prepares a Python for it:\n{}",
        script.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}
