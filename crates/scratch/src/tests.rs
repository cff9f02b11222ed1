use std::fs;
use std::os::unix::fs::symlink;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::geteuid;

use super::left_behind::hold;
use super::*;

/// A folder with a lock that nobody holds, as a killed process leaves it.
fn left_behind(place: &Path, name: &str) -> PathBuf {
    let folder = place.join(name);
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(LOCK), "").unwrap();
    fs::create_dir(folder.join("more")).unwrap();
    fs::write(folder.join("more/file"), "x").unwrap();
    folder
}

fn make_old(folder: &Path) {
    let old = SystemTime::now() - Duration::from_secs(3600);
    fs::File::open(folder).unwrap().set_modified(old).unwrap();
}

#[test]
fn a_folder_goes_away_with_what_holds_it() {
    let place = tempfile::tempdir().unwrap();
    let scratch = Scratch::new(place.path(), "run").unwrap();
    let path = scratch.path().to_owned();
    let name = path.file_name().unwrap().to_str().unwrap();
    let process = format!("ironbird-run-{:07}-", std::process::id());
    assert!(name.starts_with(&process) && name.len() == process.len() + 6, "{name}");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    fs::write(path.join("file"), "x").unwrap();
    drop(scratch);
    assert!(!path.exists());
}

#[test]
fn what_killed_processes_left_is_removed_and_what_is_held_stays() {
    let place = tempfile::tempdir().unwrap();
    let held = Scratch::new(place.path(), "run").unwrap();
    let left = left_behind(place.path(), "ironbird-run-0000001-abcdef");
    let other_family = left_behind(place.path(), "ironbird-links-0000001-abcdef");
    // Killed before it had a lock, or being made now.
    let (old, young) = (place.path().join("ironbird-run-old"), place.path().join("ironbird-run-1"));
    fs::create_dir(&old).unwrap();
    fs::create_dir(&young).unwrap();
    make_old(&old);
    let second = Scratch::new(place.path(), "run").unwrap();
    assert!(held.path() != second.path() && held.path().exists());
    assert!(!left.exists() && !old.exists());
    assert!(young.exists() && other_family.exists());
}

#[test]
fn a_pipe_a_link_or_a_folder_in_the_place_of_a_lock_stops_nobody() {
    let place = tempfile::tempdir().unwrap();
    let family = |name: &str| {
        let folder = place.path().join(format!("ironbird-run-{name}"));
        fs::create_dir(&folder).unwrap();
        folder.join(LOCK)
    };
    let pipe = family("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
    // Followed, it would lead to a pipe, too.
    symlink(&pipe, family("link")).unwrap();
    fs::create_dir(family("folder")).unwrap();
    symlink(place.path(), place.path().join("ironbird-run-itself")).unwrap();
    let (tell, told) = mpsc::channel();
    let there = place.path().to_owned();
    thread::spawn(move || tell.send(Scratch::new(&there, "run").map(drop)));
    let made = told.recv_timeout(Duration::from_secs(20)).expect("it does not wait");
    made.expect("a folder");
    assert!(pipe.exists(), "only what is known to be ours is removed");
}

#[test]
fn only_folders_of_the_own_user_are_touched() {
    let place = tempfile::tempdir().unwrap();
    let left = left_behind(place.path(), "ironbird-run-0000001-abcdef");
    let user = geteuid().as_raw();
    assert!(hold(&left, user + 1).is_none());
    assert!(hold(&left, user).is_some());
}

#[test]
fn one_process_removes_a_folder_and_others_leave_it_alone_meanwhile() {
    let place = tempfile::tempdir().unwrap();
    let left = left_behind(place.path(), "ironbird-run-0000001-abcdef");
    let user = geteuid().as_raw();
    let held = hold(&left, user).unwrap();
    assert!(hold(&left, user).is_none());
    drop(held);
    assert!(hold(&left, user).is_some());
}
