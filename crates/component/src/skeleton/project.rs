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
    let dependency = |(package, folder, more): (&str, &str, &str)| {
        let from = match ironbird_path {
            Some(path) => {
                let path = format!("{}/crates/{folder}", path.trim_end_matches('/'));
                format!("path = {path:?}")
            }
            None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
        };
        format!("{package} = {{ {from}{more} }}\n")
    };
    let packages = [
        // Without the program that it comes with.
        ("ironbird", "ironbird", ", default-features = false"),
        ("ironbird-component", "component", ""),
        ("ironbird-kernel", "kernel", ""),
        ("ironbird-solvers", "solvers", ""),
    ];
    let dependencies: String = packages.into_iter().map(dependency).collect();
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
