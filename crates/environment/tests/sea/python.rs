//! Runs a Python script of this folder, and finds data of others.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Runs `<script>.py` with these arguments and a folder to write in, and reads the JSON that it prints.
///
/// `IRONBIRD_PYTHON` names a Python with numpy, h5py, rasterio, pyproj and pymap3d; `./test` makes one.
pub fn run(script: &str, arguments: &[&str], folder: &Path) -> Value {
    let python = std::env::var("IRONBIRD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sea");
    let output = Command::new(&python)
        .arg(here.join(script).with_extension("py"))
        .args(arguments)
        .arg(folder)
        .output()
        .unwrap_or_else(|error| panic!("{python} does not start ({error}): run ./test"));
    assert!(
        output.status.success(),
        "the reference failed; ./test prepares a Python for it:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("the reference prints JSON")
}

/// A file of the data of others; `None`, with a word about it, where it is missing.
pub fn data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from);
    let file = folder.join("sea").join(name);
    if file.is_file() {
        return Some(file);
    }
    eprintln!("skipped: {} is not there; IRONBIRD_DATA names the folder", file.display());
    None
}

/// Numbers of an array; null is none.
pub fn numbers(value: &Value) -> Vec<Option<f64>> {
    value.as_array().expect("an array").iter().map(Value::as_f64).collect()
}

/// Three numbers for each of several.
pub fn rows<const N: usize>(value: &Value) -> Vec<[f64; N]> {
    let row = |row: &Value| {
        let row = numbers(row);
        std::array::from_fn(|index| row[index].expect("a number"))
    };
    value.as_array().expect("an array").iter().map(row).collect()
}
