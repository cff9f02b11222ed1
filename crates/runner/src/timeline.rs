//! A run on the wall clock, for Perfetto (<https://ui.perfetto.dev>): Chrome's trace event format, JSON.
//!
//! A track for each thread or process with slices `computes` and `waits for …`, counters of simulated time
//! and slowdown, and instants for what happened in the run. Times are microseconds since the run began.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::outcomes::Outcomes;
use crate::profile::{Way, name_of};

/// Instants that are shown, at most.
const EVENTS: usize = 10_000;

/// What was left out of a timeline to keep it short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Waits that are shorter, in nanoseconds; 0 if all are there.
    pub waits_below: u64,
    /// How many of the last events.
    pub events: usize,
}

/// Writes the timeline of a run that has a profile with waits.
///
/// # Errors
/// If the file cannot be written.
pub fn write_timeline(outcomes: &Outcomes, path: &Path) -> io::Result<LeftOut> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let left_out = LeftOut {
        waits_below: outcomes.profile.iter().map(|part| part.shortest_wait).max().unwrap_or(0),
        events: outcomes.events.len().saturating_sub(EVENTS),
    };
    let about = json!({
        "scenario": outcomes.scenario,
        "hash": outcomes.hash,
        "waits_left_out_below_us": micros(left_out.waits_below),
        "events_left_out": left_out.events,
    });
    write!(file, "{{\"displayTimeUnit\":\"ms\",\"otherData\":{about},\"traceEvents\":[")?;
    let mut separator = "\n";
    for event in events(outcomes) {
        write!(file, "{separator}{event}")?;
        separator = ",\n";
    }
    writeln!(file, "\n]}}")?;
    file.flush()?;
    Ok(left_out)
}

fn micros(nanoseconds: u64) -> f64 {
    nanoseconds as f64 * 1e-3
}

fn events(outcomes: &Outcomes) -> impl Iterator<Item = Value> {
    let profile = &outcomes.profile;
    let began = profile.iter().map(|part| part.began).filter(|began| *began > 0).min().unwrap_or(0);
    let is_spread = outcomes.processes > 1;
    // The run as a whole comes first, then each process, or one for all threads.
    let track = move |part: usize| if is_spread { (part + 2, 1) } else { (2, part + 1) };
    let mut names = vec![name("process_name", 1, 0, "run")];
    let mut slices = Vec::new();
    for (number, part) in profile.iter().enumerate() {
        let (pid, tid) = track(number);
        let who = format!("{number}: {}", name_of(part));
        if is_spread {
            names.push(name("process_name", pid, tid, &format!("process {who}")));
        } else if number == 0 {
            names.push(name("process_name", pid, tid, "threads"));
        }
        names.push(name("thread_name", pid, tid, &who));
        let offset = part.began.saturating_sub(began);
        let slice = |what: &str, from: u64, until: u64| {
            let (ts, dur) = (micros(offset + from), micros(until - from));
            json!({ "ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "name": what })
        };
        let mut at = 0;
        for wait in &part.waits {
            if wait.from > at {
                slices.push(slice("computes", at, wait.from));
            }
            let what = match wait.awaited.map(|awaited| awaited as usize) {
                None => "between stretches".into(),
                Some(awaited) if awaited == number => "waits for the end of the stretch".into(),
                Some(awaited) => {
                    let peer = profile.get(awaited).map(name_of).unwrap_or_default();
                    format!("waits for {awaited}: {peer}")
                }
            };
            slices.push(slice(&what, wait.from, wait.until));
            at = wait.until;
        }
        if part.wall > at {
            slices.push(slice("computes", at, part.wall));
        }
    }
    let way = Way::of(profile);
    let counter = |what: &str, wall: u64, number: f64| {
        let ts = micros(wall.saturating_sub(began));
        json!({ "ph": "C", "pid": 1, "ts": ts, "name": what, "args": { "value": number } })
    };
    let when = |seconds: f64| {
        way.when(ironbird_kernel::Time::from_ps((seconds * 1e12) as u64)).unwrap_or(began)
    };
    let mut counters: Vec<Value> = Vec::new();
    for (simulated, slowdown) in way.slowdown() {
        counters.push(counter("simulated time in s", when(simulated), simulated));
        counters.push(counter("slowdown", when(simulated), slowdown));
    }
    let verdicts = crate::events::verdicts(&outcomes.verdicts, outcomes.at);
    let instants = outcomes.events.iter().take(EVENTS).chain(&verdicts).map(|event| {
        let ts = micros(way.when(event.time).unwrap_or(began).saturating_sub(began));
        let what = format!("{}: {} {}", event.kind, event.name, event.text);
        let simulated = json!({ "simulated": event.time.to_string() });
        json!({ "ph": "i", "s": "g", "pid": 1, "tid": 0, "ts": ts, "name": what, "args": simulated })
    });
    let instants: Vec<Value> = instants.collect();
    names.into_iter().chain(slices).chain(counters).chain(instants)
}

fn name(what: &str, pid: usize, tid: usize, name: &str) -> Value {
    json!({ "ph": "M", "pid": pid, "tid": tid, "name": what, "args": { "name": name } })
}
