//! Ironbird's engine beside its peers: both sides of a row do the same job in the same process, in
//! turns, and the row prints how many times faster we are.
//!
//! ```text
//! cargo run --release -p ironbird-bench -- devs                      a suite, as a table
//! cargo run --release -p ironbird-bench -- devs qss --json           several, for machines
//! cargo run --release -p ironbird-bench -- devs --only timers-1k   some of its rows
//! cargo run --release -p ironbird-bench -- instructions              instructions per event
//! cargo run --release -p ironbird-bench -- --list                    what there is
//! ```
//!
//! ```text
//! suites/<suite>.rs ── rows ──► measure.rs ── outcomes ──► report.rs
//!    │         │                (turns, clocks)            (table, JSON)
//!  ours.rs   peers/<peer>.rs
//! ```
//!
//! The jobs themselves, with what is known about them beforehand, are in `devstone.rs`, `timers.rs`
//! and `increments.rs`. A suite takes at most three minutes on two cores, unless `--repetitions` says how often each side
//! runs: rows that take long are repeated less. A row that fails is printed as failed, and the others go on; the exit
//! status is 1 then, and 2 if the command line was wrong.

mod arguments;
mod instructions;
mod live_heap;
mod measure;
mod ours;
mod ours_auv;
mod ours_experiment;
mod ours_fixed_wing;
mod ours_full_system;
mod ours_host;
mod ours_native;
mod ours_processes;
mod ours_profile;
mod ours_tasks;
mod ours_view;
mod ours_world;
mod peers;
mod report;
mod row;
mod suites;

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::arguments::{Order, Output};
use crate::live_heap::CountingAllocator;
use crate::measure::Repeat;
use crate::row::Outcome;
use crate::suites::{SUITES, Suite};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    let order = arguments::parse(env::args().skip(1));
    match order.map_err(Into::into).and_then(carry_out) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("ironbird-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether no row has failed.
fn carry_out(order: Order) -> Result<bool, Box<dyn Error>> {
    match order {
        Order::List => list(),
        Order::Measure { suites, repetitions, output } => {
            let outcomes = measure_all(&suites, repetitions, &output);
            ours_processes::tidy();
            return print(&outcomes, &output);
        }
        Order::Instructions { output } => {
            let rows = instructions::ROWS.iter().filter(|row| output.wants(row.name));
            let outcomes: Vec<Outcome> = rows.map(instructions::count_row).collect();
            return print(&outcomes, &output);
        }
        Order::Steps(arguments) => ours_processes::steps(arguments)?,
        Order::Workload(name) => {
            let events = instructions::run_workload(&name);
            println!("{}", events.ok_or_else(|| format!("there is no workload called {name:?}"))?);
        }
    }
    Ok(true)
}

fn list() {
    for suite in SUITES {
        println!("{}: {}", suite.name, suite.about);
        for row in (suite.rows)() {
            println!("  {} against {}, {}", row.name, row.peer, row.figure.unit());
        }
    }
    println!("instructions: counted by valgrind");
    for row in instructions::ROWS {
        println!("  {} against {}, {}", row.name, row.peer, row.figure.unit());
    }
}

/// Repetitions of each side, after one that warms up, where there is time.
const REPETITIONS: usize = 5;
/// What the rows of a suite share: two minutes, since the first turn of a row may take longer than its part.
const SUITE: Duration = Duration::from_secs(120);

/// Measures the wanted rows of the suites, telling on standard error which one is running.
fn measure_all(suites: &[&Suite], repetitions: Option<usize>, output: &Output) -> Vec<Outcome> {
    let measured = suites.iter().flat_map(|suite| {
        let mut rows = (suite.rows)();
        rows.retain(|row| output.wants(row.name));
        let (begun, count) = (Instant::now(), rows.len());
        let measured: Vec<Outcome> = rows
            .into_iter()
            .enumerate()
            .map(|(number, row)| {
                eprintln!("{} against {} ...", row.name, row.peer);
                let left = SUITE.saturating_sub(begun.elapsed()) / (count - number) as u32;
                let repeat = repetitions.map(Repeat::Exactly);
                measure::compare(row, repeat.unwrap_or(Repeat::Within(REPETITIONS, left)))
            })
            .collect();
        eprintln!("{}: {:.0} s", suite.name, begun.elapsed().as_secs_f64());
        measured
    });
    measured.collect()
}

/// Prints the outcomes; whether none of the rows has failed.
fn print(outcomes: &[Outcome], output: &Output) -> Result<bool, Box<dyn Error>> {
    if outcomes.is_empty() {
        let prefix = output.only.as_deref().unwrap_or_default();
        return Err(format!("no row starts with {prefix:?}; --list shows those there are").into());
    }
    if output.json {
        println!("{}", report::json(outcomes));
    } else {
        print!("{}", report::table(outcomes));
    }
    Ok(outcomes.iter().all(|outcome| outcome.failed.is_none()))
}
