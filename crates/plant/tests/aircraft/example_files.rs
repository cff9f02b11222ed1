//! The aircraft of the examples: they load, and their tables are what their scripts write.

use std::path::Path;
use std::process::Command;

use ironbird_plant::aircraft::AircraftFile;

use super::flight::{AIRCRAFT, file_of};

#[test]
fn every_example_loads_and_names_its_source() {
    for aircraft in AIRCRAFT {
        let craft = AircraftFile::read(&file_of(aircraft), "").unwrap_or_else(|e| panic!("{e}"));
        assert!(!craft.name.is_empty() && craft.source.len() > 20, "{aircraft}: {}", craft.source);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { std::fs::write(target, "").unwrap() }
    }
}

/// Runs a script among empty files, and compares what it has written.
fn rewrites(script: &str, files: &[&str]) {
    let folder = file_of("aerosonde").parent().unwrap().to_owned();
    let scratch = tempfile::tempdir().unwrap();
    copy(&folder, scratch.path());
    let python = std::env::var_os("IRONBIRD_PYTHON").unwrap_or_else(|| "python3".into());
    let ran = Command::new(python)
        .arg(folder.join(script))
        .current_dir(scratch.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    for file in files {
        let (committed, written) = (
            std::fs::read(folder.join(file)).unwrap(),
            std::fs::read(scratch.path().join(file)).unwrap(),
        );
        assert!(!committed.is_empty() && committed == written, "{script} writes another {file}");
    }
}

#[test]
fn the_tables_are_what_the_scripts_write() {
    rewrites("aerosonde.py", &["aerosonde/cl-stall.csv"]);
    let tables =
        ["cd-elevator", "cd", "cl-elevator", "cl", "cm-elevator", "cm", "cn", "croll", "cy"];
    let tables = tables.iter().chain(&["power", "thrust"]);
    let mut files: Vec<String> = tables.map(|name| format!("v-tail/{name}.csv")).collect();
    files.push("v-tail.toml".into());
    rewrites("v-tail.py", &files.iter().map(String::as_str).collect::<Vec<_>>());
}
