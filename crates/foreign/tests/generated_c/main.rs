//! Generated models as components: what they compute, and what is said when they or their descriptions fail.
//!
//! The tests compile the models with `cc`.

mod counter;
mod faults;
mod quadrotor;
mod refusals;

use std::path::{Path, PathBuf};
use std::process::Command;

use ironbird_component::{Registry, RegistryError};
use ironbird_test_rig::{Rig, Setting, text};
use tempfile::TempDir;

/// A compiled model with its description, in a folder of its own.
struct Generated {
    folder: TempDir,
}

impl Generated {
    /// Of the text of a C file and the text of a description.
    fn of(source: &str, description: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("model.c");
        std::fs::write(&file, source).unwrap();
        compile(&file, &folder.path().join("model.so"));
        std::fs::write(folder.path().join("model.toml"), description).unwrap();
        Generated { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn settings<'a>(&self, more: &[Setting<'a>]) -> Vec<Setting<'a>> {
        let mut settings = vec![
            ("file", text(&self.path("model.so"))),
            ("description", text(&self.path("model.toml"))),
        ];
        settings.extend_from_slice(more);
        settings
    }

    /// Why it is refused, with FILE and DESCRIPTION for the names of its files.
    fn refusal(&self, more: &[Setting<'_>]) -> String {
        let refused = rig().refusal("foreign.generated-c", &self.settings(more));
        refused
            .replace(&self.path("model.so"), "FILE")
            .replace(&self.path("model.toml"), "DESCRIPTION")
    }
}

fn compile(source: &Path, library: &Path) {
    let output = Command::new("cc")
        .args(["-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-ffp-contract=off", "-o"])
        .args([library, source])
        .arg("-lm")
        .output()
        .expect("a C compiler, cc");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// A file of the example.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/user-code").join(name)
}

fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    ironbird_foreign::register_with_host(
        registry,
        env!("CARGO_BIN_EXE_ironbird-foreign-host").into(),
    )
}

fn rig() -> Rig {
    Rig::of(&[register])
}
