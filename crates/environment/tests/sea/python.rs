//! Runs a Python script of this folder, and finds data of others.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ironbird_test_rig::python;
use serde_json::Value;

/// Runs `<script>.py` with these arguments and a folder to write in, and reads the JSON that it prints.
/// It needs numpy, h5py, rasterio, pyproj and pymap3d.
pub fn run(script: &str, arguments: &[&str], folder: &Path) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sea").join(script);
    let mut arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    arguments.push(folder.as_os_str());
    let printed = python(script.with_extension("py"), &arguments);
    serde_json::from_slice(&printed).expect("the reference prints JSON")
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
