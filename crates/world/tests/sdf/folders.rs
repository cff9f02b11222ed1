//! All SDF files of folders: each loads, with the mass that its text says, or is refused for a reason that is known.
//!
//! The folders are `files/ugly` of this test, where each file has something that real ones have and a reader may
//! stumble over, and those that `IRONBIRD_SDF_MODELS` names, separated by colons: repositories with models and worlds.
//! Models of one are looked for in the others, too. What became of each file is printed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ironbird_test_rig::python;
use ironbird_world::sdf;

use super::world_of;

/// Why a file may be refused, by a part of the message; the book lists the same.
const REASONS: [&str; 5] = [
    // Templates, of which programs make files.
    "this is not XML",
    "is never closed; add </",
    // Parts of models, to be put into others.
    "an SDF file begins with <sdf version=…>",
    // Models of Gazebo Fuel.
    "all that the file has is http",
    // Includes and collisions of files that none of the folders has.
    "is not found; name its folder",
];

/// All SDF files under a folder, and the folders in it that hold models.
fn look(folder: &Path, files: &mut Vec<PathBuf>, models: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            if entry.file_name().is_some_and(|name| name == "models") {
                models.push(entry.clone());
            }
            look(&entry, files, models);
        } else if entry.extension().is_some_and(|ending| ending == "sdf") {
            files.push(entry);
        }
    }
}

/// What became of a file: the mass of all that moves in it, or why it is refused.
type Fate = Result<f64, String>;

/// The file read, its world made and advanced.
fn fate(file: &Path, folders: &[PathBuf]) -> Fate {
    let scene = sdf::read(file, folders).map_err(|error| error.to_string())?;
    let mut world = world_of(&scene);
    world.advance(100).map_err(|error| error.to_string())?;
    Ok(world.bodies().fold(0.0, |sum, body| sum + body.mass()))
}

/// What the script says that each file weighs; none where it cannot read the file.
fn weighed(files: &[PathBuf], folders: &[PathBuf]) -> BTreeMap<PathBuf, Option<f64>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdf/masses.py");
    let separator = PathBuf::from("--");
    let arguments: Vec<&PathBuf> = folders.iter().chain([&separator]).chain(files).collect();
    let text = String::from_utf8(python(script, &arguments)).unwrap();
    let lines = text.lines().map(|line| {
        let parts: Vec<&str> = line.split('\t').collect();
        (PathBuf::from(parts[0]), parts[1].parse().ok())
    });
    lines.collect()
}

/// What became of all files under a folder; `others` are folders in which models are looked for afterwards.
fn fates(folder: &Path, others: &[PathBuf]) -> BTreeMap<PathBuf, Fate> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    look(folder, &mut files, &mut folders);
    folders.extend(others.iter().filter(|other| !other.starts_with(folder)).cloned());
    let masses = weighed(&files, &folders);
    let found = files.into_iter().map(|file| {
        let fate = fate(&file, &folders);
        match &fate {
            Ok(mass) => println!("{}\tloaded\t{mass:.6} kg", file.display()),
            Err(why) => println!("{}\trefused\t{}", file.display(), why.lines().next().unwrap()),
        }
        if let Ok(mass) = &fate {
            let told = masses[&file].unwrap_or_else(|| panic!("{}: not weighed", file.display()));
            let error = (mass - told).abs();
            assert!(error <= 1e-9 * told, "{}: {mass} kg, not {told} kg", file.display());
        }
        (file.strip_prefix(folder).unwrap().to_owned(), fate)
    });
    found.collect()
}

#[test]
fn files_with_all_that_is_ugly_load_or_say_why_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdf/files/ugly");
    let fates = fates(&folder, &[]);
    let refused: Vec<(&str, &str)> = vec![
        ("models/cut_off/model.sdf", "<sdf> is never closed"),
        ("models/flyer/model.sdf", "all that the file has is https://"),
        ("models/part/model.sdf", "the outermost element is <control_surface>"),
        ("worlds/lost.sdf", "the include model://nobody_has_this is not found"),
    ];
    for (file, fate) in &fates {
        let expected = refused.iter().find(|(name, _)| Path::new(name) == file);
        match (fate, expected) {
            (Ok(_), None) => {}
            (Err(why), Some((_, reason))) => assert!(why.contains(reason), "{why}"),
            _ => panic!("{}: {fate:?}", file.display()),
        }
    }
    assert!(refused.iter().all(|(name, _)| fates.contains_key(Path::new(name))), "{fates:?}");
    assert_eq!(fates.len(), 14);
}

#[test]
fn files_of_others_load_or_are_refused_for_a_known_reason() {
    let named = std::env::var_os("IRONBIRD_SDF_MODELS").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::env::split_paths(&named).filter(|folder| folder.is_dir()).collect();
    if folders.is_empty() {
        println!("skipped: IRONBIRD_SDF_MODELS names no folders with SDF files");
        return;
    }
    let mut models = Vec::new();
    for folder in &folders {
        look(folder, &mut Vec::new(), &mut models);
    }
    let (mut loaded, mut unknown) = (0, Vec::new());
    for folder in &folders {
        for (file, fate) in fates(folder, &models) {
            match fate {
                Ok(_) => loaded += 1,
                Err(why) if REASONS.iter().any(|reason| why.contains(reason)) => {}
                Err(why) => unknown.push(format!("{}: {why}", file.display())),
            }
        }
    }
    assert!(unknown.is_empty(), "refused without a known reason:\n{}", unknown.join("\n"));
    assert!(loaded > 0, "no file loads: are these folders of SDF files?");
}
