//! The trace of CARET's sample, where it is at hand, and `babeltrace2`, which reads traces independently.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::Command;

use ironbird_traces::ctf::{Event, Fields, Value, read_babeltrace_text};

/// The folder of CARET's sample, in `../shared/data` beside the project or where `IRONBIRD_DATA` says.
pub fn caret() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("IRONBIRD_DATA").map_or(beside, PathBuf::from);
    let folder = data.join("traces/caret");
    if !folder.is_dir() {
        println!("skipped: there is no {}; IRONBIRD_DATA names the folder", folder.display());
        return None;
    }
    Some(folder)
}

/// Whether a program is there; says that a test is skipped if not.
pub fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: {program} is not installed; ./test installs it on Debian");
    }
    found
}

/// All events as `babeltrace2` reads them.
pub fn babeltrace(folder: &Path) -> Vec<Event> {
    let output = Command::new("babeltrace2").arg("--clock-seconds").arg(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    read_babeltrace_text(&text).unwrap_or_else(|error| panic!("{error}\n{complaint}"))
}

/// Both hold the same events. Those of one time may stand in another order.
pub fn assert_same(ours: &[Event], theirs: &[Event]) {
    assert_eq!(ours.len(), theirs.len(), "the number of events");
    let sorted = |events: &[Event]| {
        let mut lines: Vec<(i64, String)> =
            events.iter().map(|event| (event.time_ns, shown(event))).collect();
        lines.sort();
        lines
    };
    for (ours, theirs) in sorted(ours).iter().zip(&sorted(theirs)) {
        assert_eq!(ours, theirs);
    }
}

/// An event with everything that `babeltrace2` shows of it.
fn shown(event: &Event) -> String {
    let cpu = event.packet.unsigned("cpu_id");
    format!("{} {cpu:?} {} {}", event.name, fields(&event.context), fields(&event.fields))
}

fn fields(fields: &Fields) -> String {
    let each = fields.iter().map(|(name, found)| format!("{name}={}", value(found)));
    each.collect::<Vec<_>>().join(" ")
}

/// Text has no signs on zero and no types of numbers.
fn value(value: &Value) -> String {
    match value {
        Value::Real(number) => format!("{}", number + 0.0),
        Value::Text(text) => format!("{text:?}"),
        Value::List(list) => format!("{:?}", list.iter().map(self::value).collect::<Vec<_>>()),
        Value::Struct(inner) => format!("({})", fields(inner)),
        Value::Choice(_, inner) => self::value(inner),
        Value::Label(number, labels) => format!("{number}{labels:?}"),
        Value::Unsigned(_) | Value::Signed(_) => value.integer().unwrap_or(0).to_string(),
    }
}
