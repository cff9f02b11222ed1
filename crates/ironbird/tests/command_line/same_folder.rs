//! Runs with one folder: the first has it, the others are told who does, and nobody's recording is harmed.

use std::os::unix::fs::symlink;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use ironbird_record::Recording;

use crate::program::{Place, example, experiment};

const RUNS: usize = 20;

/// A folder and its other names.
fn names(place: &Place) -> [String; 4] {
    std::fs::create_dir(place.path("out")).unwrap();
    symlink("out", place.path("link")).unwrap();
    let absolute = place.path("out").display().to_string();
    ["out".into(), "link".into(), absolute, "./link/../out/.".into()]
}

/// A run that does not outlive its test.
struct Run(Option<Child>);

impl Run {
    fn begin(place: &Place, arguments: &[&str]) -> Self {
        let mut command = place.command(arguments);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Run(Some(command.spawn().expect("the program starts")))
    }

    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("it was not waited for")
    }

    fn id(&self) -> u32 {
        self.0.as_ref().expect("it was not waited for").id()
    }

    fn ended(mut self) -> Output {
        self.0.take().expect("it was not waited for").wait_with_output().expect("it ends")
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A run that records to `out` until it is interrupted.
fn endless(place: &Place) -> Run {
    let arguments = ["run", &experiment("endless.toml"), "--speed", "1", "--out", "out"];
    Run(Some(place.start(&arguments, "out/recording.mcap", 1)))
}

/// Ends a run, whose recording is whole then.
fn interrupt(place: &Place, run: Run) {
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let ended = run.ended();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{err}");
    is_whole(place);
    assert!(place.text("out/report.html").contains("nterrupted at"));
}

fn is_whole(place: &Place) {
    let recording = Recording::open(&place.path("out/recording.mcap")).unwrap();
    assert_eq!(recording.damaged, None);
    assert_eq!(recording.metadata["result"]["hash"], recording.output_hash().unwrap());
}

#[test]
fn of_twenty_runs_at_once_one_records_and_the_others_say_which() {
    let place = Place::new();
    let names = names(&place);
    let file = experiment("endless.toml");
    let run =
        |n: usize| Run::begin(&place, &["run", &file, "--speed", "1", "--out", &names[n % 4]]);
    let mut runs: Vec<Run> = (0..RUNS).map(run).collect();
    let mut refused = Vec::new();
    // Long enough for the slowest machine; nothing is measured.
    let deadline = Instant::now() + Duration::from_secs(120);
    while runs.len() > 1 {
        assert!(Instant::now() < deadline, "{} runs go on", runs.len());
        let ended = runs.iter_mut().position(|run| run.child().try_wait().unwrap().is_some());
        match ended {
            Some(number) => refused.push(runs.remove(number).ended()),
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
    let first = runs.remove(0);
    let holder = format!("is in use: process {} (", first.id());
    for one in refused {
        let err = String::from_utf8(one.stderr).unwrap();
        assert_eq!(one.status.code(), Some(3), "{err}");
        assert!(err.contains(&holder) && err.contains("--out"), "{err}");
    }
    interrupt(&place, first);
    assert!(!place.path("out/.lock").exists());
}

#[test]
fn runs_that_follow_each_other_closely_leave_a_whole_recording() {
    let place = Place::new();
    let names = names(&place);
    let file = experiment("rooms.toml");
    let arguments = |n: usize| ["run", &*file, "--until", "1 min", "--out", &*names[n % 4]];
    let runs: Vec<Run> = (0..RUNS).map(|n| Run::begin(&place, &arguments(n))).collect();
    let mut done = 0;
    for run in runs {
        let ended = run.ended();
        let err = String::from_utf8(ended.stderr).unwrap();
        match ended.status.code() {
            Some(0) => done += 1,
            Some(3) => assert!(err.contains("is in use: "), "{err}"),
            other => panic!("{other:?}: {err}"),
        }
    }
    assert!(done > 0);
    is_whole(&place);
    assert_eq!(place.run(&["replay", "out/recording.mcap"]).status, 0);
}

#[test]
fn a_folder_in_use_is_refused_by_every_command_that_writes_to_one() {
    let place = Place::new();
    let [_, link, absolute, roundabout] = names(&place);
    place.write("nothing.commands.toml", "[[command]]\ntime = \"3 s\"\nend = true\n");
    let (rooms, scenarios) = (experiment("rooms.toml"), experiment("scenarios.toml"));
    let gust = example("world/gust.toml");
    let first = endless(&place);
    let holder = format!("is in use: process {} (", first.id());
    let branch =
        ["branch", &gust, "--at", "1 s", "--until", "2 s", "--commands", "nothing.commands.toml"];
    let commands: [Vec<&str>; 7] = [
        vec!["run", &rooms, "--out", "out"],
        vec!["run", &rooms, "--out", &link],
        vec!["run", &rooms, "--out", &absolute],
        vec!["run", &rooms, "--out", &roundabout],
        vec!["run", &rooms, "--processes", "2", "--out", "out"],
        vec!["run", &scenarios, "--out", "out"],
        [&branch[..], &["--out", "out"]].concat(),
    ];
    for arguments in commands {
        let done = place.run(&arguments);
        assert_eq!(done.status, 3, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(&holder), "{arguments:?}: {}", done.err);
    }
    // A folder in it is another one, and so is a recording of another name.
    let other = place.run(&["run", &rooms, "--until", "1 min", "--out", "out/other"]);
    assert_eq!(other.status, 0, "{}", other.err);
    // One file is one file.
    std::fs::create_dir(place.path("linked")).unwrap();
    std::fs::hard_link(place.path("out/recording.mcap"), place.path("linked/recording.mcap"))
        .unwrap();
    let linked = place.run(&["run", &rooms, "--out", "linked"]);
    assert_eq!(linked.status, 3, "{}", linked.err);
    assert!(linked.err.contains("another run records to linked/recording.mcap"), "{}", linked.err);
    interrupt(&place, first);
}

#[test]
fn a_run_that_was_killed_holds_nothing() {
    let place = Place::new();
    let mut killed = endless(&place);
    assert!(place.text("out/.lock").contains(&format!("process {} ", killed.id())));
    killed.child().kill().unwrap();
    killed.child().wait().unwrap();
    assert!(place.path("out/.lock").exists(), "nobody has removed it");
    let rooms = experiment("rooms.toml");
    let done = place.run(&["run", &rooms, "--until", "1 min", "--out", "out"]);
    assert_eq!(done.status, 0, "{}", done.err);
    is_whole(&place);
}
