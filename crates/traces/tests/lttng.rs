//! Traces that Debian's LTTng writes here and now, of a program with the tracepoints of ros2_tracing: held
//! against `babeltrace2` event by event, and against what the program did.

mod reference;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ironbird_traces::ctf::{Event, Trace};
use ironbird_traces::ros2::{Observed, Trigger};

/// A session daemon of LTTng that ends with the test.
struct Daemon {
    home: PathBuf,
    process: Option<String>,
}

impl Daemon {
    fn start(home: &Path) -> Daemon {
        let mut daemon = Daemon { home: home.into(), process: None };
        let file = home.join("daemon.pid");
        let pid_file = format!("--pidfile={}", file.display());
        let options = ["--daemonize", "--no-kernel", &pid_file];
        // It fails where another one runs already, which then does as well.
        if daemon.run("lttng-sessiond", &options).status.success() {
            daemon.process = std::fs::read_to_string(file).ok().map(|id| id.trim().to_owned());
        }
        daemon
    }

    fn run(&self, program: impl AsRef<Path>, arguments: &[&str]) -> Output {
        let mut command = Command::new(program.as_ref());
        let command = command.args(arguments).env("LTTNG_HOME", &self.home).current_dir(&self.home);
        command.output().unwrap_or_else(|error| panic!("{}: {error}", program.as_ref().display()))
    }

    fn lttng(&self, arguments: &str) {
        let output = self.run("lttng", &arguments.split(' ').collect::<Vec<_>>());
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "lttng {arguments}: {told}");
    }

    /// The trace of a program.
    fn trace(&self, name: &str, channel: &str, program: &Path, arguments: &[&str]) -> PathBuf {
        let folder = self.home.join(name);
        let session = format!("ironbird-{}-{name}", std::process::id());
        self.lttng(&format!("create {session} --output={}", folder.display()));
        self.lttng(&format!("enable-channel -s {session} -u {channel} all"));
        self.lttng(&format!("enable-event -s {session} -u -c all ros2:*"));
        self.lttng(&format!("add-context -s {session} -u -c all -t vpid -t procname -t vtid"));
        self.lttng(&format!("start {session}"));
        assert!(self.run(program, arguments).status.success());
        self.lttng(&format!("destroy {session}"));
        folder
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Some(process) = &self.process {
            let _ = Command::new("kill").arg(process).status();
        }
    }
}

/// The program, if it can be made: it needs a C compiler and LTTng's headers.
fn compile(home: &Path) -> Option<PathBuf> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lttng");
    let program = home.join("ros2_sample");
    let output = Command::new("cc")
        .arg("-I")
        .arg(&sources)
        .arg(sources.join("ros2_sample.c"))
        .args(["-llttng-ust", "-ldl", "-o"])
        .arg(&program)
        .output();
    let told = match output {
        Ok(output) if output.status.success() => return Some(program),
        Ok(output) => String::from_utf8_lossy(&output.stderr).into_owned(),
        Err(error) => error.to_string(),
    };
    println!("skipped: liblttng-ust-dev is not installed; ./test installs it on Debian\n{told}");
    None
}

fn read(folder: &Path) -> (Vec<Event>, u64, Vec<String>) {
    let trace = Trace::open(folder).unwrap();
    let mut events = trace.events();
    let found = (&mut events).collect();
    (found, events.discarded(), events.damage())
}

// One test, because there is one daemon.
#[test]
fn traces_of_a_program_are_read_as_babeltrace2_reads_them() {
    if !["lttng", "lttng-sessiond", "babeltrace2"].iter().all(|program| reference::has(program)) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let Some(program) = compile(home.path()) else { return };
    let daemon = Daemon::start(home.path());

    let folder = daemon.trace("whole", "--subbuf-size=64K", &program, &[]);
    let (events, discarded, damage) = read(&folder);
    assert_eq!((events.len(), discarded, damage), (9 + 9 * 100, 0, vec![]));
    reference::assert_same(&events, &reference::babeltrace(&folder));
    check_what_the_program_did(&Observed::from_events(events));

    // Two small buffers, and nobody waits: events are lost, and none of them silently.
    let channel = "--subbuf-size=4096 --num-subbuf=2 --discard --switch-timer=0";
    let folder = daemon.trace("lossy", channel, &program, &["200000"]);
    let (events, discarded, damage) = read(&folder);
    assert_eq!(damage, Vec::<String>::new());
    assert!(discarded > 0, "the buffers hold a hundred events");
    assert_eq!(events.len() as u64 + discarded, 200_000);
}

fn check_what_the_program_did(observed: &Observed) {
    let names: Vec<&str> = observed.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["/front/camera", "/filter"]);
    let (timer, subscription) = (&observed.callbacks[0], &observed.callbacks[1]);
    assert!(matches!(timer.trigger, Trigger::Timer { period_ns: Some(5_000_000), .. }));
    assert_eq!(
        subscription.trigger,
        Trigger::Subscription { topic: Some("/image".into()), queue_depth: Some(7) }
    );
    assert_eq!((timer.node, subscription.node), (Some(0), Some(1)));
    assert_eq!((timer.executions.len(), subscription.executions.len()), (100, 100));
    assert_eq!(observed.publications.len(), 100);
    for (number, publication) in observed.publications.iter().enumerate() {
        assert_eq!(publication.within, Some((0, number)));
        assert_eq!(publication.source_stamp, Some(1_000_000 + number as u64));
        let message = subscription.executions[number].message.as_ref().unwrap();
        assert_eq!(message.source_stamp, publication.source_stamp);
        assert!(timer.executions[number].message.is_none());
    }
}
