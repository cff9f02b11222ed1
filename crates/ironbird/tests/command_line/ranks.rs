//! Runs as the ranks of an MPI job: the same results as in one process, and an end of all whatever ends one.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ironbird_record::Recording;

use crate::program::{Ended, HANGS_AT_2_S, Place, ended, example, experiment, hanging_network};

/// Longer than any test takes on the slowest machine; nothing is measured.
const LONG: Duration = Duration::from_secs(60);

/// Whose mpirun it is; otherwise MPICH's.
fn is_of_open_mpi() -> bool {
    let version = Command::new("mpirun").arg("--version").output().expect("there is an mpirun");
    String::from_utf8_lossy(&version.stdout).contains("Open MPI")
}

/// `mpirun -n count program`, in the folder of a place.
fn mpirun(place: &Place, count: usize, program: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    if is_of_open_mpi() {
        // In a container, and on machines with few cores.
        command.args(["--allow-run-as-root", "--oversubscribe"]);
    }
    command.args(["-n", &count.to_string()]).args(program);
    command.current_dir(place.path(".")).stdin(Stdio::null());
    command
}

const IRONBIRD: &str = env!("CARGO_BIN_EXE_ironbird");

fn run(place: &Place, count: usize, arguments: &[&str]) -> Ended {
    ended(&mut mpirun(place, count, &[&[IRONBIRD], arguments].concat()))
}

fn times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn the_file_and_its_hash_are_the_same_on_any_number_of_ranks() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let expected = place.hash(&[&network, "--out", "alone"]);
    let file = place.read("alone/recording.mcap");
    for count in [1, 2, 4] {
        let out = format!("ranks-{count}");
        let done = run(&place, count, &["run", &network, "--json", "--out", &out]);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        let json: serde_json::Value = serde_json::from_str(&done.out).expect("one result");
        assert_eq!(json["runs"][0]["hash"], expected, "{out}");
        assert_eq!(json["runs"][0]["partitions"], count);
        assert!(place.read(&format!("{out}/recording.mcap")) == file, "the file of {out} differs");
    }
}

#[test]
fn ranks_without_a_component_have_nothing_to_do() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let expected = place.hash(&[&network, "--until", "1 s"]);
    let done = run(&place, 8, &["run", &network, "--until", "1 s"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.err.contains("8 ranks for 6 components: 2 have nothing to do"), "{}", done.err);
    assert!(done.out.contains(&expected), "{}", done.out);
}

#[test]
fn every_scenario_and_repetition_is_run_by_all_ranks() {
    let place = Place::new();
    let scenarios = experiment("scenarios.toml");
    let hashes = |text: &str| {
        let json: serde_json::Value = serde_json::from_str(text).expect("one result");
        let runs = json["runs"].as_array().unwrap().clone();
        runs.iter().map(|run| run["hash"].to_string()).collect::<Vec<_>>()
    };
    let arguments = ["run", &scenarios, "--json"];
    let alone = hashes(&place.run(&arguments).out);
    assert!(alone.len() > 1);
    let together = run(&place, 2, &arguments);
    assert_eq!(hashes(&together.out), alone, "{}", together.err);
}

#[test]
fn components_that_are_placed_by_name_need_as_many_ranks() {
    let place = Place::new();
    let expected = place.hash(&[&example("processes/network.toml")]);
    let placed = example("processes/placed.toml");
    let done = run(&place, 4, &["run", &placed]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains(&expected), "{}", done.out);
    for count in [2, 5] {
        let refused = run(&place, count, &["run", &placed]);
        assert_eq!(refused.status, 2, "{}{}", refused.out, refused.err);
        let said = format!("That makes 4 ranks, not {count}: start it with -n 4");
        assert_eq!(times(&refused.err, &said), 1, "{}", refused.err);
    }
}

#[test]
fn what_all_ranks_find_wrong_is_said_once() {
    let place = Place::new();
    place.write("broken.toml", "ironbird = 1\nduration = \"1 parsec\"\n");
    let network = example("processes/network.toml");
    let cases: [(&[&str], &str); 6] = [
        (&["run", "broken.toml"], "parsec"),
        (&["run", "missing.toml"], "missing.toml"),
        (&["run", &network, "--set", "duration=20 kg"], "duration"),
        (&["run", &network, "--processes", "2"], "one partition each"),
        (&["run", &network, "--partitions", "2"], "--partitions"),
        (&["run", &network, "--nonsense"], "--nonsense"),
    ];
    for (arguments, said) in cases {
        let alone = place.run(arguments);
        let done = run(&place, 3, arguments);
        assert_eq!(done.status, 2, "{arguments:?}: {}", done.err);
        assert!(done.err.contains(said), "{arguments:?}: {}", done.err);
        let first = done.err.lines().next().unwrap();
        assert_eq!(times(&done.err, first), 1, "{arguments:?}: {}", done.err);
        if alone.status == 2 {
            assert!(done.err.starts_with(&alone.err), "{arguments:?}: {}", done.err);
        }
    }
}

#[test]
fn what_only_building_finds_is_said_once() {
    let place = Place::new();
    let network = example("processes/network.toml");
    place.write(
        "going.toml",
        format!("ironbird = 1\nextends = \"{network}\"\n[[at]]\nname = \"dark\"\ntime = \"1 s\"\nremove = \"lamp\"\n"),
    );
    let done = run(&place, 3, &["run", "going.toml"]);
    assert_eq!(done.status, 2, "{}", done.err);
    assert_eq!(times(&done.err, "remove \"lamp\" at 1 s: components cannot"), 1, "{}", done.err);
    assert!(!done.err.contains("cannot go on"), "{}", done.err);
}

#[test]
fn a_folder_that_cannot_be_written_ends_all_ranks() {
    let place = Place::new();
    place.write("file", "");
    let done = run(&place, 3, &["run", &example("processes/network.toml"), "--out", "file/out"]);
    assert_eq!(done.status, 3, "{}", done.err);
    assert_eq!(times(&done.err, "cannot write to the folder"), 1, "{}", done.err);
}

#[test]
fn only_one_rank_does_what_is_no_run() {
    let place = Place::new();
    let done = run(&place, 3, &["check", &example("processes/network.toml")]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(times(&done.out, "no problems"), 1, "{}", done.out);
    assert!(done.err.contains("mpirun started 3 processes: one of them does this"), "{}", done.err);
}

#[test]
fn each_rank_may_make_the_whole_run_for_itself() {
    let place = Place::new();
    let network = example("processes/network.toml");
    let script =
        "exec \"$0\" run \"$1\" --processes 1 --out out-${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
    let done = ended(&mut mpirun(&place, 2, &["sh", "-c", script, IRONBIRD, &network]));
    assert_eq!(times(&done.out, "verdict:"), 2, "{}{}", done.out, done.err);
    assert!(place.read("out-0/recording.mcap") == place.read("out-1/recording.mcap"));
}

/// A run on so many ranks that would take long, once it records.
struct Running {
    place: Place,
    mpirun: Child,
    /// The process of each rank.
    ranks: Vec<u32>,
}

impl Running {
    fn start(count: usize, more: &[&str]) -> Self {
        Running::start_with(count, more, &[])
    }

    fn start_with(count: usize, more: &[&str], environment: &[(&str, &str)]) -> Self {
        let place = Place::new();
        let network = example("processes/network.toml");
        let arguments = [IRONBIRD, "run", &network, "--out", "out", "--set", "duration=100000 s"];
        let mut command = mpirun(&place, count, &[&arguments, more].concat());
        command.envs(environment.iter().copied());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("mpirun starts");
        let length = || std::fs::metadata(place.path("out/recording.mcap")).map_or(0, |f| f.len());
        wait_until(|| length() > 100_000 || child.try_wait().unwrap().is_some(), "it records");
        let ranks = (0..count).map(|rank| process_of(&place, rank).expect("a rank runs")).collect();
        Running { place, mpirun: child, ranks }
    }

    fn signal(&self, rank: usize, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.ranks[rank].to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until nothing of the run is left; what was said, how it ended, and how long that took.
    fn end(mut self) -> (Ended, Duration, Place) {
        let begin = Instant::now();
        wait_until(|| self.mpirun.try_wait().unwrap().is_some(), "the job ends");
        wait_until(|| self.ranks.iter().all(|rank| is_gone(*rank)), "no process is left");
        let took = begin.elapsed();
        let output = self.mpirun.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let status = output.status.code().unwrap_or(-1);
        let done = Ended { status, out: text(output.stdout), err: text(output.stderr) };
        let said = format!("{}{}", done.out, done.err);
        assert!(!said.contains("panicked"), "{said}");
        println!("it took {took:?}, status {status}:\n{said}");
        (done, took, self.place)
    }
}

fn wait_until(mut done: impl FnMut() -> bool, what: &str) {
    let begin = Instant::now();
    while !done() {
        assert!(begin.elapsed() < LONG, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn is_gone(process: u32) -> bool {
    // One that has ended may wait for its parent, which may be nobody that looks.
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    status.is_empty() || status.contains("State:\tZ")
}

/// The process of a rank that runs in this folder.
fn process_of(place: &Place, rank: usize) -> Option<u32> {
    let folder = std::fs::canonicalize(place.path(".")).unwrap();
    let names = [format!("OMPI_COMM_WORLD_RANK={rank}"), format!("PMI_RANK={rank}")];
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.into_iter().find(|id| {
        let file = |name: &str| format!("/proc/{id}/{name}");
        let here = std::fs::read_link(file("cwd")).is_ok_and(|cwd| cwd == folder);
        let environment = std::fs::read(file("environ")).unwrap_or_default();
        let mut variables = environment.split(|byte| *byte == 0);
        here && variables.any(|variable| names.iter().any(|name| name.as_bytes() == variable))
    })
}

#[test]
fn a_rank_that_is_killed_ends_the_job_with_its_name_and_the_recording_is_closed() {
    let running = Running::start(4, &[]);
    let process = running.ranks[2];
    running.signal(2, "-KILL");
    let (done, _, place) = running.end();
    assert_ne!(done.status, 0);
    if !is_of_open_mpi() {
        println!(
            "skipped: MPICH's mpirun kills all ranks at once, before anything is said or closed"
        );
        return;
    }
    let named = format!("process 2 is gone: rank 2, process {process} on");
    assert!(done.out.contains(&named), "{}{}", done.out, done.err);
    assert!(done.out.contains("it advanced"), "{}", done.out);
    assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
}

/// As between machines: a broken connection is a matter of the MPI library, which may not come back from telling of it.
#[test]
fn the_recording_is_closed_even_if_the_library_does_not_come_back() {
    let running = Running::start_with(4, &[], &[("OMPI_MCA_btl", "tcp,self")]);
    running.signal(2, "-KILL");
    let (done, _, place) = running.end();
    assert_ne!(done.status, 0);
    if !is_of_open_mpi() {
        println!(
            "skipped: MPICH's mpirun kills all ranks at once, before anything is said or closed"
        );
        return;
    }
    let said = format!("{}{}", done.out, done.err);
    assert!(said.contains("process 2 is gone: rank 2, process"), "{said}");
    assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
}

#[test]
fn the_first_rank_may_be_killed_as_well() {
    let running = Running::start(3, &[]);
    running.signal(0, "-KILL");
    let (done, ..) = running.end();
    assert_ne!(done.status, 0);
}

#[test]
fn a_rank_that_hangs_is_given_up_with_its_name() {
    let place = Place::new();
    place.write("hang.toml", hanging_network());
    place.write("hang.py", HANGS_AT_2_S);
    let done = run(&place, 2, &["run", "hang.toml", "--out", "out", "--patience", "2 s"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    let named = "process 1 hangs: it gave no sign of life for 2 s";
    assert!(done.out.contains(named), "{}{}", done.out, done.err);
    assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
}

#[test]
fn a_first_rank_that_hangs_is_named_by_the_second() {
    let place = Place::new();
    // What stays without a name is on the first rank.
    let other_way_round = hanging_network().replace("placement = \"hang\"\n", "")
        + "[system.cart]\nplacement = \"other\"\n[system.amplifier]\nplacement = \"other\"\n";
    place.write("hang.toml", other_way_round);
    place.write("hang.py", HANGS_AT_2_S);
    let done = run(&place, 2, &["run", "hang.toml", "--out", "out", "--patience", "2 s"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    let named = "process 0 hangs: it gave no sign of life for 2 s";
    assert_eq!(times(&done.err, named), 1, "{}{}", done.out, done.err);
}

#[test]
fn a_rank_that_is_stopped_for_longer_than_patience_goes_on() {
    for rank in [0, 2] {
        let running = Running::start(3, &["--patience", "2 s"]);
        running.signal(rank, "-STOP");
        std::thread::sleep(Duration::from_secs(8));
        running.signal(rank, "-CONT");
        std::thread::sleep(Duration::from_secs(1));
        running.signal(1, "-TERM");
        let (done, _, place) = running.end();
        assert!(done.out.contains("interrupted at"), "{}{}", done.out, done.err);
        assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
    }
}

#[test]
fn an_interruption_of_any_rank_ends_all_in_good_order() {
    for rank in [0, 1] {
        let running = Running::start(3, &[]);
        running.signal(rank, "-TERM");
        let (done, _, place) = running.end();
        assert!(done.out.contains("interrupted at"), "{}{}", done.out, done.err);
        assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
        let replay = place.run(&["replay", "out/recording.mcap"]);
        assert!(replay.out.contains("the same bits again"), "{}{}", replay.out, replay.err);
    }
}

#[test]
fn an_interruption_of_mpirun_closes_the_recording() {
    let running = Running::start(3, &[]);
    let sent = Command::new("kill").args(["-INT", &running.mpirun.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let (_, _, place) = running.end();
    assert_eq!(Recording::open(&place.path("out/recording.mcap")).unwrap().damaged, None);
}
