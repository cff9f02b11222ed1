//! Every mistake that can be made in an experiment file gives the message that is written beside it.
//!
//! `files/<name>.toml` is wrong in one way; `files/<name>.txt` is what a user reads about it. Lines of
//! `files/<name>.set` are given as `--set`. `IRONBIRD_BLESS=1` writes the messages anew: read them.

mod types;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use ironbird_component::Registry;
use ironbird_experiment::{Problem, Problems, open};
use ironbird_runner::{How, Job, dry_run};

/// What `ironbird check` says.
fn check(file: &Path, sets: &[String], registry: &Registry) -> Problems {
    let (experiment, warnings) = match open(file, sets, registry) {
        Ok(opened) => opened,
        Err(problems) => return problems,
    };
    let experiment = Arc::new(experiment);
    for scenario in 0..experiment.scenarios.len() {
        let (experiment, how) = (experiment.clone(), How::default());
        let job = Job { experiment: experiment.clone(), registry, scenario, repetition: 0, how };
        if let Err(error) = dry_run(&job) {
            let told = error.into_problems_of_check(&experiment);
            return told.unwrap_or_else(|error| Problem::somewhere(error.to_string()).into());
        }
    }
    warnings
}

fn names_with(ending: &str) -> BTreeSet<String> {
    let entries =
        fs::read_dir(".").expect("the folder is there").map(|entry| entry.expect("it is"));
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

#[test]
fn every_mistake_gives_the_message_that_is_written_beside_it() {
    // Names of files in messages are as the user typed them: relative.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/files");
    std::env::set_current_dir(folder).expect("the folder is there");
    let registry = types::registry().expect("all types have names of their own");
    let bless = std::env::var_os("IRONBIRD_BLESS").is_some();
    let files = names_with(".toml");
    let mut wrong = Vec::new();
    for name in &files {
        let sets = fs::read_to_string(format!("{name}.set")).unwrap_or_default();
        let sets: Vec<String> = sets.lines().map(str::to_owned).collect();
        let problems = check(Path::new(&format!("{name}.toml")), &sets, &registry);
        let text = problems.render(false, 100);
        let golden = format!("{name}.txt");
        if text.is_empty() {
            wrong.push(format!("{name}.toml: nothing is found to be wrong"));
        } else if bless {
            fs::write(&golden, text).expect("it can be written");
        } else if fs::read_to_string(&golden).unwrap_or_default() != text {
            wrong.push(format!("{name}.toml:\n{text}"));
        }
    }
    let leftover = names_with(".txt").into_iter().chain(names_with(".set"));
    let leftover = leftover.filter(|name| !files.contains(name));
    wrong.extend(leftover.map(|name| format!("{name}: a message without its file")));
    assert!(wrong.is_empty(), "IRONBIRD_BLESS=1 writes messages anew\n\n{}", wrong.join("\n"));
    assert!(files.len() >= 60, "files are missing");
}
