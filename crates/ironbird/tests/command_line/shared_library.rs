//! The program is small, and all that it does is in a shared library that it finds.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const LIBRARY: &str = "libironbird_inside.so";

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_ironbird"))
}

fn library() -> PathBuf {
    program().with_file_name("deps").join(LIBRARY)
}

fn version(program: &Path) -> Output {
    Command::new(program).arg("--version").output().expect("it starts")
}

#[test]
fn one_build_makes_both_and_all_code_is_in_one() {
    let length = |file: &Path| fs::metadata(file).expect("it was built").len();
    assert!(length(program()) * 10 < length(&library()));
}

#[test]
fn the_library_is_found_beside_the_program_and_where_packages_put_it() {
    for place in ["bin", "bin/deps", "lib"] {
        let root = tempfile::tempdir().expect("a folder");
        let bin = root.path().join("bin");
        fs::create_dir(&bin).expect("there is room");
        let copy = bin.join("ironbird");
        fs::copy(program(), &copy).expect("there is room");
        let alone = version(&copy);
        assert_eq!(alone.status.code(), Some(3));
        let why = String::from_utf8_lossy(&alone.stderr).into_owned();
        assert!(why.contains(&format!("{LIBRARY} is neither")), "{why}");
        assert!(
            why.contains("cargo install --path crates/ironbird --no-default-features"),
            "{why}"
        );
        fs::create_dir_all(root.path().join(place)).expect("there is room");
        symlink(library(), root.path().join(place).join(LIBRARY)).expect("there is room");
        let whole = version(&copy);
        assert_eq!(whole.status.code(), Some(0), "{place}");
        assert!(whole.stdout.starts_with(b"ironbird "), "{place}");
    }
}
