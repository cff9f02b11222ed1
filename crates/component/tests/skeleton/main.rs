//! Generated source files compile, are formatted, and keep what a user wrote.

mod descriptions;

use std::path::{Path, PathBuf};
use std::process::Command;

use descriptions::{ALL, RADIATOR};
use ironbird_component::skeleton::{Description, RegionError, generate, project, starter};

fn described(text: &str) -> Description {
    Description::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn fresh(text: &str) -> String {
    generate(&described(text), None).unwrap()
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in\n{text}");
    text.replacen(from, to, 1)
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

fn check_format(file: &Path) {
    run(Command::new("rustfmt").args(["--check", "--edition", "2024"]).arg(file));
}

/// A crate with all generated files as modules; `main.rs` lists them.
fn write_crate(folder: &Path, files: &[(String, String)]) {
    let crates = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let dependency = |name: &str| {
        let path = crates.join(name).display().to_string();
        format!("ironbird-{name} = {{ path = {path:?} }}\n")
    };
    let dependencies: String = ["component", "kernel", "solvers"].map(dependency).concat();
    let manifest = format!(
        "[package]\nname = \"skeletons\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n\
         [dependencies]\n{dependencies}serde = {{ version = \"1\", features = [\"derive\"] }}\n"
    );
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The versions of the workspace, so that nothing has to be fetched.
    std::fs::copy(crates.join("../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let modules: String = files.iter().map(|(name, _)| format!("pub mod {name};\n")).collect();
    std::fs::write(folder.join("src/lib.rs"), modules).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(format!("src/{name}.rs")), text).unwrap();
    }
}

#[test]
fn every_kind_compiles_and_is_formatted() {
    let mut files: Vec<(String, String)> =
        ALL.iter().map(|(name, text)| ((*name).into(), fresh(text))).collect();
    files.push(("starter".into(), fresh(&starter("test.starter"))));
    // What was kept must still be formatted.
    let changed = replaced(RADIATOR, "[services.reset_energy]", "[services.drain]");
    files.push(("kept".into(), generate(&described(&changed), Some(&fresh(RADIATOR))).unwrap()));

    let folder = tempfile::tempdir().unwrap();
    write_crate(folder.path(), &files);
    for (name, _) in &files {
        check_format(&folder.path().join(format!("src/{name}.rs")));
    }
    let shared = std::env::temp_dir().join("ironbird-skeleton-target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(shared, PathBuf::from);
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments = ["check", "--offline", "--quiet", "--all-targets"];
    let mut check = Command::new(cargo);
    run(check.args(arguments).current_dir(folder.path()).env("CARGO_TARGET_DIR", target));
}

#[test]
fn a_project_is_formatted_and_registers_the_component() {
    let folder = tempfile::tempdir().unwrap();
    let files = project("sea-bed", Some("/opt/ironbird/"));
    assert_eq!(files[0].0, "Cargo.toml");
    assert!(files[0].1.contains("ironbird-kernel = { path = \"/opt/ironbird/crates/kernel\" }"));
    let main = folder.path().join("main.rs");
    std::fs::write(&main, &files[1].1).unwrap();
    std::fs::write(folder.path().join("sea_bed.rs"), "//! A component.\n").unwrap();
    check_format(&main);
    assert!(files[1].1.contains("sea_bed::register(registry)"));
}

#[test]
fn code_stays_when_the_description_changes() {
    let own = "let power = self.capacity * step.signal(self.flow);\n";
    let first = replaced(&fresh(RADIATOR), "let _ = step;\n", own);
    let changed = replaced(RADIATOR, "default = 2000.0", "default = 3000.0")
        + "\n[outputs.level]\ntype = \"f64\"\nunit = \"J\"\n";
    let second = generate(&described(&changed), Some(&first)).unwrap();
    assert!(second.contains(own));
    assert!(second.contains("default = 3000.0"));
    assert!(second.contains("    level: SignalOut<f64>,\n"));
    assert!(!second.contains("has no place"), "{second}");
    assert_eq!(generate(&described(&changed), Some(&second)).unwrap(), second);
}

#[test]
fn code_of_a_removed_service_is_kept_as_a_comment_and_comes_back_with_it() {
    let own = "        // Empty it.\n        self.energy = *level;\n\n";
    let first = replaced(&fresh(RADIATOR), "        let _ = (now, level);\n", own);
    let start = RADIATOR.find("[services.reset_energy]").unwrap();
    let without = &RADIATOR[..start];
    let second = generate(&described(without), Some(&first)).unwrap();
    assert!(!second.contains("fn answer_reset_energy"));
    let kept = "// ironbird: kept code service reset_energy\n\
                //         // Empty it.\n//         self.energy = *level;\n//\n";
    assert!(second.contains(kept), "{second}");
    assert_eq!(generate(&described(without), Some(&second)).unwrap(), second);
    assert_eq!(generate(&described(RADIATOR), Some(&second)).unwrap(), first);
}

#[test]
fn a_damaged_marker_is_an_error_with_its_line() {
    let file = fresh(RADIATOR);
    let refused = |text: &str| generate(&described(RADIATOR), Some(text)).unwrap_err();
    let line_of =
        |text: &str, part: &str| 1 + text[..text.find(part).unwrap()].matches('\n').count();

    let begin = "// ironbird: your code step";
    let damaged = replaced(&file, begin, "// ironbird: yuor code step");
    let line = line_of(&damaged, "yuor");
    let text = "// ironbird: yuor code step".to_owned();
    assert_eq!(refused(&damaged), RegionError::Damaged { line, text });

    let line = line_of(&file, begin);
    let lost = file.replacen(begin, "", 1);
    assert_eq!(
        refused(&lost),
        RegionError::NotBegun { line: line_of(&file[..], "let _ = step;") + 3 }
    );

    let at = file.find(begin).unwrap();
    let end = at + file[at..].find("// ironbird: end").unwrap();
    let open = format!("{}{}", &file[..end], &file[end + "// ironbird: end".len()..]);
    assert_eq!(refused(&open), RegionError::Open { name: "step".into(), line });

    let twice = file.replacen("// ironbird: your code start", begin, 1);
    let first = line_of(&twice, begin);
    assert_eq!(refused(&twice), RegionError::Twice { name: "step".into(), line, first });

    assert_eq!(refused("fn main() {}\n"), RegionError::NotGenerated);
}

#[test]
fn an_error_in_a_description_names_its_line() {
    for (from, to, line, message) in [
        ("kind = \"periodic\"", "kind = \"periodical\"", 3, "\"periodical\" is no kind"),
        ("rate = \"10 Hz\"", "rate = \"10 m\"", 4, ""),
        (
            "rate = \"10 Hz\"",
            "rat = \"10 Hz\"",
            4,
            "a component type has no `rat`; did you mean `rate`?",
        ),
        ("unit = \"J/K\"", "unit = \"J/Q\"", 8, ""),
        ("default = 2000.0", "default = \"much\"", 9, "this must be a finite number, not a text"),
        ("type = \"f64\"", "type = \"f65\"", 7, "\"f65\" is no type"),
        (
            "[inputs.flow]",
            "[inputs.capacity]",
            20,
            "\"capacity\" is the name of parameters.capacity already",
        ),
        ("[inputs.flow]", "[inputs.\"a b\"]", 20, "\"a b\" is no name"),
        (
            "[parameters.capacity]",
            "[parameters.rate]",
            6,
            "every component has a key `rate` already",
        ),
        ("initial = 0.0", "initial = [0.0]", 27, "this must be a finite number, not a list"),
        ("[inputs.flow]", "[inputs.flow", 20, "not valid TOML"),
        (
            "type = \"choice\"",
            "type = \"choice\"\nunit = \"m\"",
            12,
            "only real numbers have a unit",
        ),
        ("type = \"f64\"\nunit", "type = \"u8\"\nunit", 9, "this must be a whole number"),
        (
            "argument = \"bool\"",
            "argument = \"text\"",
            32,
            "text, file and choice are for parameters",
        ),
    ] {
        let error = Description::parse(&replaced(RADIATOR, from, to)).unwrap_err();
        assert!(error.message.contains(message), "{error}");
        assert_eq!(error.line, line, "{error}");
    }
    let error = Description::parse(&replaced(RADIATOR, "periodic", "continuous")).unwrap_err();
    assert_eq!(error.to_string(), "line 4: only a periodic component has a rate");
}
