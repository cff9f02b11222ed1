//! The Python in which some peers live, in a process of its own.

use std::env;
use std::process::{Command, Stdio};

/// The variable that names the Python to use.
const PYTHON: &str = "IRONBIRD_PYTHON";

/// The Python to use, without arguments.
pub fn python() -> Command {
    let mut command = Command::new(env::var_os(PYTHON).unwrap_or_else(|| "python3".into()));
    command.stdin(Stdio::null());
    command
}

/// Why a package cannot be used here, and what to do about it.
pub fn missing(package: &str) -> Option<String> {
    let import = python().args(["-c", &format!("import {package}")]).output();
    if import.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let name = python().get_program().to_string_lossy().into_owned();
    Some(format!(
        "{name} cannot import {package}; `python3 -m venv <folder>`, `<folder>/bin/pip install \
         {package}`, then {PYTHON}=<folder>/bin/python"
    ))
}
