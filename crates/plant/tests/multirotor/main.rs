//! Multirotors: forces, files, the component, and propellers beside thrust stands.

mod component;
mod files;
mod forces;
mod stands;

use std::path::{Path, PathBuf};

use ironbird_plant::multirotor::Multirotor;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn example(file: &str) -> Multirotor {
    Multirotor::read(&project().join("examples").join(file), "").unwrap()
}
