//! What a user begins with.

use crate::skeleton::names::field;

/// A description to begin with: everything that can be said, with what it means.
pub fn starter(type_name: &str) -> String {
    STARTER.replace("thermal.radiator", type_name)
}

const STARTER: &str = include_str!("starter.toml");

/// The files of a simulator of one's own that knows the component in `src/<name>.rs`: paths and texts.
/// `ironbird_path` is a folder that holds Ironbird's source; without it, published versions are used.
pub fn project(name: &str, ironbird_path: Option<&str>) -> Vec<(String, String)> {
    let module = field(name);
    let dependency = |package: &str, folder: &str| match ironbird_path {
        Some(path) => {
            let path = format!("{}/crates/{folder}", path.trim_end_matches('/'));
            format!("{package} = {{ path = {path:?} }}\n")
        }
        None => format!("{package} = \"{}\"\n", env!("CARGO_PKG_VERSION")),
    };
    let packages = [
        ("ironbird", "ironbird"),
        ("ironbird-component", "component"),
        ("ironbird-kernel", "kernel"),
        ("ironbird-solvers", "solvers"),
    ];
    let dependencies: String =
        packages.iter().map(|(package, folder)| dependency(package, folder)).collect();
    let manifest = format!(
        "[package]\nname = \"{module}-simulator\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependencies}serde = {{ version = \"1\", features = [\"derive\"] }}\n\n\
         # Not part of any workspace above this folder.\n[workspace]\n"
    );
    let main = format!(
        "//! Ironbird with one more component type.\n\n\
         mod {module};\n\n\
         fn main() -> std::process::ExitCode {{\n    \
         ironbird::main_with(|registry| {module}::register(registry))\n}}\n"
    );
    vec![("Cargo.toml".into(), manifest), ("src/main.rs".into(), main)]
}
