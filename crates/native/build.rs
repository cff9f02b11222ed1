//! Builds the preload library, which is part of this crate as bytes.
//!
//! It is the crate `ironbird-native-shim` again, as a shared library and with `--cfg ironbird_preload`. Cargo has no
//! dependencies of that kind on stable compilers, so it is called once more.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIBRARY: &str = "libironbird_native_shim.so";

fn main() {
    let out = PathBuf::from(variable("OUT_DIR"));
    let library = out.join(LIBRARY);
    println!("cargo::rerun-if-changed=build.rs");
    let is_supported =
        variable("CARGO_CFG_TARGET_OS") == "linux" && variable("CARGO_CFG_TARGET_ARCH") == "x86_64";
    if is_supported {
        build(&out, &library);
    } else {
        // `host.native` is refused there.
        std::fs::write(&library, []).expect("the folder of outputs can be written");
    }
    println!("cargo::rustc-env=IRONBIRD_SHIM_LIBRARY={}", library.display());
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn build(out: &Path, library: &Path) {
    let shim = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../native-shim");
    println!("cargo::rerun-if-changed={}", shim.join("src").display());
    println!("cargo::rerun-if-changed={}", shim.join("Cargo.toml").display());
    let (target, folder) = (variable("TARGET"), out.join("shim"));
    let mut cargo = Command::new(variable("CARGO"));
    cargo.args(["rustc", "--release", "--offline", "--locked", "--lib", "--crate-type", "cdylib"]);
    cargo.arg("--manifest-path").arg(shim.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&folder).args(["--target", &target]);
    cargo.args(["--", "--cfg", "ironbird_preload", "-C", "strip=debuginfo"]);
    // What is meant for the outer build does not fit the inner one.
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
    ] {
        cargo.env_remove(name);
    }
    // It is small, and every call of a program goes through it.
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "fat").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    let status = cargo.status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "the preload library (crates/native-shim) cannot be built: see the messages of cargo above"
    );
    let made = folder.join(target).join("release").join(LIBRARY);
    // A file of its own, in case the one that is there has other names, too.
    let _ = std::fs::remove_file(library);
    std::fs::copy(&made, library).expect("cargo has made the preload library");
}
