//! Every mistake that can be made in the file of a state machine gives the message that is written beside
//! it: `broken/<name>.toml`, `.aut` or `.fsp` is wrong in one way, `broken/<name>.txt` is what a user
//! reads about it. `IRONBIRD_BLESS=1` writes the messages anew: read them.

use std::fs;
use std::path::Path;

use ironbird_test_rig::{Rig, text};

#[test]
fn every_mistake_in_a_machine_gives_the_message_that_is_written_beside_it() {
    // Names of files in messages are relative.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mission/broken");
    std::env::set_current_dir(folder).expect("the folder is there");
    let rig = Rig::of(&[ironbird_control::register]);
    let bless = std::env::var_os("IRONBIRD_BLESS").is_some();
    let mut names: Vec<String> = fs::read_dir(".")
        .expect("the folder is there")
        .map(|entry| entry.expect("it is").file_name().into_string().expect("a name"))
        .filter(|name| !name.ends_with(".txt"))
        .collect();
    names.sort();
    assert!(names.len() > 30, "there are only {}", names.len());
    let mut wrong = Vec::new();
    for name in &names {
        let mut settings = vec![("machine", text(name))];
        if !name.ends_with(".toml") && !name.starts_with("unnamed") {
            settings.push(("controllable", text("go.next, rtl")));
        }
        let said = rig.refusal("mission.controller", &settings) + "\n";
        let golden = format!("{}.txt", name.rsplit_once('.').expect("an ending").0);
        if bless {
            fs::write(&golden, &said).expect("it can be written");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        if said != expected {
            wrong.push(format!("{name}:\n  says     {said}  expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
