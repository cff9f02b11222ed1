//! Memory of a run and of its report, which does not grow with what is recorded.

use std::process::Stdio;
use std::time::Duration;

use crate::program::{Place, example};

/// The exit status of the program, what it said, and the most memory that it had, in MB.
fn with_peak(place: &Place, arguments: &[&str]) -> (i32, String, u64) {
    let mut command = place.command(arguments);
    let said = std::fs::File::create(place.path("said")).expect("a file");
    let mut child = command.stdout(Stdio::null()).stderr(said).spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        // The most so far, which the kernel keeps.
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) / 1024);
        if let Some(ended) = child.try_wait().expect("a child") {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(peak > 0, "its memory is not known");
    (ended.code().unwrap_or(-1), place.text("said"), peak)
}

#[test]
fn an_example_that_is_recorded_in_full_takes_bounded_memory() {
    let place = Place::new();
    let study = example("auv-navigation/straight-20km-recorded.toml");
    let record = "[[record]]\nname = \"all\"\nsignals = [\"*\"]\n";
    place.write("full.toml", format!("ironbird = 1\nextends = {study:?}\n{record}"));
    let (status, said, peak) = with_peak(&place, &["run", "full.toml", "--until", "240 s"]);
    assert!(status < 2, "{said}");
    println!("{peak} MB");
    assert!(peak < 400, "{peak} MB");
}
