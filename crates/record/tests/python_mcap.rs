//! The Python packages `mcap` and `mcap-ros2-support` read a recording completely.

mod sample_run;

use std::process::Command;

#[test]
fn the_python_packages_read_values_metadata_and_events() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let file = std::fs::File::create(&path).unwrap();
    let hash = sample_run::record_to(Box::new(file), 2, 5).unwrap();
    let python = std::env::var("IRONBIRD_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python_mcap.py");
    let output = Command::new(&python).arg(script).arg(&path).arg(&hash).output();
    let output = output.unwrap_or_else(|error| {
        panic!(
            "{python} cannot be started ({error}); ./test sets up a Python with what the tests need"
        )
    });
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{python} {script}:\n{text}{errors}");
    assert!(text.contains("all of it was read"), "{text}{errors}");
}
