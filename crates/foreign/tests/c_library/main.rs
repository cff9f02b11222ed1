//! C libraries as components: what they compute, and what is said when they fail.
//!
//! The tests compile their libraries with `cc`.

mod faults;
mod refusals;
mod steps;

use std::path::Path;
use std::process::Command;

use ironbird_component::{Registry, RegistryError};
use ironbird_kernel::Rate;
use ironbird_test_rig::{Rig, Setting, seconds, text};
use tempfile::TempDir;

/// A compiled library in a folder of its own.
struct Library {
    folder: TempDir,
}

impl Library {
    /// Of the text of a C file.
    fn of(source: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("user.c");
        std::fs::write(&file, format!("#include \"ironbird.h\"\n{source}")).unwrap();
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let output = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-Wno-div-by-zero", "-I"])
            .arg(include)
            .arg("-o")
            .args([folder.path().join("user.so"), file])
            .output()
            .expect("a C compiler, cc");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        Library { folder }
    }

    /// With an input x and an output y, and a step of this body; `self` counts its steps.
    fn stepping(body: &str) -> Self {
        Library::of(&format!(
            "{COUNTER}\nint ironbird_step(void *self, double t, const double *in, double *out) {{\n{body}\n}}\n"
        ))
    }

    fn settings<'a>(&self, more: &[Setting<'a>]) -> Vec<Setting<'a>> {
        let file = self.folder.path().join("user.so");
        let mut settings = vec![("file", text(file.to_str().unwrap()))];
        settings.extend_from_slice(more);
        settings
    }

    /// A system in which `user.x` is 1 at first and 2 from half a second on.
    fn system(&self, more: &[Setting<'_>]) -> Rig {
        let mut rig = rig();
        rig.script("x", &[(seconds(0.0), 1.0), (seconds(0.5), 2.0)]);
        rig.add_at("user", "foreign.c", Some(Rate::hz(10)), &self.settings(more));
        rig.link("x.out", "user.x");
        rig
    }
}

/// All functions but the step, for ports x and y.
const COUNTER: &str = r#"
#include <stdlib.h>
struct user { double sum; };
const char *ironbird_describe(void) { return "ironbird 1\nin x\nout y\n"; }
void *ironbird_create(const char *const *names, const double *values, size_t count) {
    return calloc(1, sizeof(struct user));
}
void ironbird_destroy(void *self) { free(self); }
"#;

fn register(registry: &mut Registry) -> Result<(), RegistryError> {
    ironbird_foreign::register_with_host(
        registry,
        env!("CARGO_BIN_EXE_ironbird-foreign-host").into(),
    )
}

fn rig() -> Rig {
    Rig::of(&[register])
}
