//! Every mistake that can be made in a world file gives the message that is written beside it.
//!
//! `files/<name>.toml` is wrong in one way; `files/<name>.txt` is what a user reads about it. `IRONBIRD_BLESS=1` writes
//! the messages anew: read them.

use std::fs;
use std::path::Path;

#[test]
fn every_mistake_gives_the_message_that_is_written_beside_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/files");
    std::env::set_current_dir(folder).expect("the folder is there");
    let bless = std::env::var_os("IRONBIRD_BLESS").is_some();
    let mut names: Vec<String> = fs::read_dir(".")
        .expect("the folder is there")
        .filter_map(|entry| entry.expect("it can be read").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 20, "{} files", names.len());
    let mut wrong = Vec::new();
    for name in names {
        let read = ironbird_world::file::read(Path::new(&format!("{name}.toml")), &[]);
        let Err(problem) = read else {
            wrong.push(format!("{name}.toml: nothing is found to be wrong"));
            continue;
        };
        let text = ironbird_document::Problems::from(problem).render(false, 100);
        let golden = format!("{name}.txt");
        if bless {
            fs::write(&golden, text).expect("it can be written");
        } else if fs::read_to_string(&golden).ok().as_deref() != Some(&text) {
            wrong.push(format!("{name}.toml says\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
