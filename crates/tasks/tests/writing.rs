//! What is written as a file is read as the same system.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ironbird_document::Source;
use ironbird_tasks::{System, parse, read, write};

fn again(system: &System) -> System {
    let source = Source { name: "again.toml".into(), folder: ".".into(), text: write(system) };
    parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{problems}\n{}", write(system)))
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
}

#[test]
fn every_example_survives_being_written() {
    let mut count = 0;
    for file in files("tasks") {
        let system = read(&file).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(again(&system), system, "{}", file.display());
        count += 1;
    }
    assert!(count >= 4, "there are examples");
}

#[test]
fn all_that_can_be_said_survives_being_written() {
    let text = r#"
time_unit = "ns"
sim_speed = "10/3"
sim_cores = 3
max_hyper_period = 77000
[[ecu]]
name = "a \"quoted\" name"
executor = "multi-threaded"
threads = 4
rules = "jazzy"
order_seed = 9
reentrant_groups = ["camera", "other"]
overrun = "queue"
[[ecu]]
name = "b"
executor = "dashing"
poll_on_wake = false
[[ecu]]
name = "c"
executor = "fixed-priority"
overrun = "skip"
[[bus]]
name = "slots"
kind = "can-tdma"
ecus = ["b", "c"]
slot = 400
slots = ["b", "c", "b"]
frame_time = 200
[[bus]]
name = "can"
kind = "can-priority"
ecus = ["a \"quoted\" name", "c"]
bit_rate = 500000
[[bus]]
name = "wire"
kind = "constant"
ecus = ["a \"quoted\" name", "b"]
latency = 5
[[transaction]]
name = "T"
[[transaction.task]]
ecu = "b"
period = 1000
offset = 10
execution = { best = 3, worst = 9 }
sim_execution = 5
identifier = 17
bytes = 3
[[transaction.task]]
ecu = "a \"quoted\" name"
kind = "service"
execution = { measured = [4, 4, 7] }
group = "camera"
queue_depth = 2
[[transaction.task]]
ecu = "a \"quoted\" name"
execution = 2
group = "other"
[[transaction.task]]
name = "end"
ecu = "c"
after = ["T.0", "T.1"]
samples = "other"
execution = 4
writes_physical = true
[[transaction]]
name = "other"
[[transaction.task]]
name = "other"
ecu = "b"
kind = "subscription"
period = 500
execution = 1
reads_physical = true
"#;
    let source = Source { name: "all.toml".into(), folder: ".".into(), text: text.into() };
    let system = parse(&Arc::new(source)).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(again(&system), system);
}
