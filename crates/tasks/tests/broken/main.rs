//! Every mistake that can be made in a file of tasks gives the message that is written beside it.
//!
//! `files/<name>.toml` is wrong in one way; `files/<name>.txt` is what a user reads about it.
//! `IRONBIRD_BLESS=1` writes the messages anew: read them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ironbird_document::Problems;
use ironbird_tasks::{TaskFile, Timetable};

/// What `ironbird tasks schedule` says.
fn problems(file: &Path) -> Problems {
    let file = match TaskFile::open(file) {
        Ok(file) => file,
        Err(problems) => return problems,
    };
    match file.system(None) {
        Err(problems) => problems,
        Ok(system) => match Timetable::of(&system) {
            Err(error) => Problems(vec![file.explain(&error)]),
            Ok(_) => Problems::default(),
        },
    }
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
    let bless = std::env::var_os("IRONBIRD_BLESS").is_some();
    let files = names_with(".toml");
    let mut wrong = Vec::new();
    for name in &files {
        let text = problems(Path::new(&format!("{name}.toml"))).render(false, 100);
        let golden = format!("{name}.txt");
        if text.is_empty() {
            wrong.push(format!("{name}.toml: nothing is found to be wrong"));
        } else if bless {
            fs::write(&golden, text).expect("it can be written");
        } else if fs::read_to_string(&golden).unwrap_or_default() != text {
            wrong.push(format!("{name}.toml:\n{text}"));
        }
    }
    let leftover = names_with(".txt").into_iter().filter(|name| !files.contains(name));
    wrong.extend(leftover.map(|name| format!("{name}: a message without its file")));
    assert!(wrong.is_empty(), "IRONBIRD_BLESS=1 writes messages anew\n\n{}", wrong.join("\n"));
    assert!(files.len() >= 30, "files are missing");
}
