//! Instructions per event, counted by Valgrind's callgrind: unlike time, the same on a busy machine.
//!
//! The program runs itself under Valgrind with the hidden command `workload <name>`. Counting is
//! on while the workload's hot function runs, callees included, and off while it builds its model.

use std::path::Path;
use std::process::Command;
use std::{env, fs, io, process};

use crate::ours;
use crate::peers::{binaryheap, dyn_loop, xdevs};
use crate::row::{Figure, Outcome, Sample};
use ironbird_workloads::chain::Chain;
use ironbird_workloads::devstone::{Devstone, Wiring};
use ironbird_workloads::timers::Timers;

/// A short fixed job, run in a process of its own.
#[derive(Clone, Copy)]
pub struct Workload {
    /// Its name on the command line.
    pub name: &'static str,
    /// The function in which instructions count, without its path. It is `#[inline(never)]`, not
    /// generic, and no function it calls has the same name: callgrind switches at each entry and
    /// exit of every function that matches, so a second one would switch the first one off.
    pub hot: &'static str,
    /// Builds the model, runs it, and says how many events there were.
    pub run: fn() -> u64,
}

/// One job, counted for us and for one peer.
pub struct InstructionRow {
    pub name: &'static str,
    pub peer: &'static str,
    pub figure: Figure,
    pub ours: Workload,
    pub theirs: Workload,
}

/// Every row there is.
pub const ROWS: &[InstructionRow] = &[
    InstructionRow {
        name: "timers-1000",
        peer: "binaryheap",
        figure: Figure::InstructionsPer("event"),
        ours: Workload {
            name: "ironbird-timers-1000",
            hot: "hot_run",
            run: || ours::timers_workload(Timers::firing(1_000, 0, 20_000)),
        },
        theirs: Workload {
            name: "hold-1000",
            hot: "hot_hold",
            run: || binaryheap::hold_workload(Timers::firing(1_000, 0, 20_000)),
        },
    },
    InstructionRow {
        name: "liqss2-step",
        peer: "binaryheap-1024",
        figure: Figure::InstructionsPer("step"),
        ours: Workload {
            name: "ironbird-liqss2",
            hot: "hot_liqss2",
            run: || ours::liqss2_workload(1_000),
        },
        theirs: Workload {
            name: "hold-1024",
            hot: "hot_hold",
            run: || binaryheap::hold_workload(Timers::firing(1_024, 0, 20_000)),
        },
    },
    InstructionRow {
        name: "chain-8",
        peer: "dyn-loop",
        figure: Figure::InstructionsPer("step"),
        ours: Workload {
            name: "ironbird-chain-8",
            hot: "hot_run",
            run: || ours::chain_workload(Chain { length: 8, ticks: 20_000 }),
        },
        theirs: Workload {
            name: "dyn-loop-chain-8",
            hot: "hot_dyn_loop",
            run: || dyn_loop::chain_workload(Chain { length: 8, ticks: 20_000 }),
        },
    },
    InstructionRow {
        name: "devstone-hi-40",
        peer: "xdevs",
        figure: Figure::InstructionsPer("transition"),
        ours: Workload {
            name: "ironbird-hi-40",
            hot: "hot_run",
            run: || ours::devstone_workload(Devstone::square(Wiring::Hi, 40)),
        },
        theirs: Workload {
            name: "xdevs-hi-40",
            hot: "hot_devstone",
            run: || xdevs::devstone_workload(Devstone::square(Wiring::Hi, 40)),
        },
    },
];

/// Why instructions could not be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    #[error("valgrind is not installed (looked for `valgrind` in PATH); instructions need it")]
    NoValgrind,
    #[error("workload {workload} could not be run under valgrind: {cause}")]
    Io { workload: &'static str, cause: io::Error },
    #[error("workload {workload} failed under valgrind: {message}")]
    Failed { workload: &'static str, message: String },
    #[error("callgrind counted nothing in workload {workload}: it never entered a function {hot}")]
    NothingCounted { workload: &'static str, hot: &'static str },
}

/// Counts both sides of a row.
pub fn count_row(row: &InstructionRow) -> Outcome {
    let &InstructionRow { name, peer, figure, .. } = row;
    let counted = count(&row.ours).and_then(|ours| Ok((ours, count(&row.theirs)?)));
    match counted {
        Ok((ours, theirs)) => Outcome::new(name, peer, figure, &[ours], &[theirs]),
        Err(error) => Outcome::failed(name, peer, figure, error.to_string()),
    }
}

/// Runs the workload of this name in this process and returns the number of events, or `None` if
/// there is no such workload.
pub fn run_workload(name: &str) -> Option<u64> {
    let mut workloads = ROWS.iter().flat_map(|row| [row.theirs, row.ours]);
    let workload = workloads.find(|workload| workload.name == name)?;
    Some((workload.run)())
}

/// Runs one workload under callgrind; the cost of the sample is in instructions.
fn count(workload: &Workload) -> Result<Sample, CountError> {
    let profile = env::temp_dir().join(format!("ironbird-bench.{}.callgrind", process::id()));
    let sample = count_into(workload, &profile);
    // It may never have been written; there is nothing to do about one that stays.
    let _ = fs::remove_file(&profile);
    sample
}

fn count_into(workload: &Workload, profile: &Path) -> Result<Sample, CountError> {
    let name = workload.name;
    let io_error = |cause| CountError::Io { workload: name, cause };
    let failed = |message: String| CountError::Failed { workload: name, message };
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect=*::{}", workload.hot))
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(env::current_exe().map_err(io_error)?)
        .args(["workload", name])
        .output()
        .map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => CountError::NoValgrind,
            _ => io_error(cause),
        })?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let events = String::from_utf8_lossy(&output.stdout);
    let events: u64 = events
        .trim()
        .parse()
        .map_err(|_| failed(format!("it printed {events:?}, not a number")))?;
    let profile = fs::read_to_string(profile).map_err(io_error)?;
    match total_instructions(&profile) {
        None => Err(failed("its profile has no totals".into())),
        Some(0) => Err(CountError::NothingCounted { workload: name, hot: workload.hot }),
        Some(total) => Ok(Sample { work: events as f64, cost: total as f64 }),
    }
}

/// The instructions of a whole callgrind profile: the first number after `totals:`.
fn total_instructions(profile: &str) -> Option<u64> {
    let totals = profile.lines().find_map(|line| line.strip_prefix("totals:"))?;
    totals.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn totals_are_found_in_a_profile() {
        let profile = "version: 1\nevents: Ir\n\nfn=(1) hot_hold\n12 34\n\ntotals: 5678\n";
        assert_eq!(total_instructions(profile), Some(5678));
        assert_eq!(total_instructions("events: Ir\n"), None);
    }

    #[test]
    fn workloads_are_found_by_their_own_name_alone() {
        let names: BTreeSet<_> = ROWS.iter().map(|row| row.theirs.name).collect();
        assert_eq!(names.len(), ROWS.len(), "two workloads share a name");
        assert!(run_workload("hold-1000").is_some_and(|events| events > 19_000));
        assert_eq!(run_workload("no-such-workload"), None);
    }
}
