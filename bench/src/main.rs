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
//! and `increments.rs`. Exit status 2 says that the command line was wrong or Valgrind is missing.

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

use crate::arguments::{Order, Output};
use crate::live_heap::CountingAllocator;
use crate::row::Outcome;
use crate::suites::{SUITES, Suite};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    let order = arguments::parse(env::args().skip(1));
    match order.map_err(Into::into).and_then(carry_out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ironbird-bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn carry_out(order: Order) -> Result<(), Box<dyn Error>> {
    match order {
        Order::List => list(),
        Order::Measure { suites, repetitions, output } => {
            let outcomes = measure_all(&suites, repetitions, &output);
            ours_processes::tidy();
            print(&outcomes, &output)?;
        }
        Order::Instructions { output } => {
            let rows = instructions::ROWS.iter().filter(|row| output.wants(row.name));
            let outcomes = rows.map(instructions::count_row).collect::<Result<Vec<_>, _>>()?;
            print(&outcomes, &output)?;
        }
        Order::Steps(arguments) => ours_processes::steps(arguments)?,
        Order::Workload(name) => {
            let events = instructions::run_workload(&name);
            println!("{}", events.ok_or_else(|| format!("there is no workload called {name:?}"))?);
        }
    }
    Ok(())
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

/// Measures the wanted rows of the suites, telling on standard error which one is running.
fn measure_all(suites: &[&Suite], repetitions: usize, output: &Output) -> Vec<Outcome> {
    let rows = suites.iter().flat_map(|suite| (suite.rows)());
    rows.filter(|row| output.wants(row.name))
        .map(|row| {
            eprintln!("{} against {} ...", row.name, row.peer);
            measure::compare(row, repetitions)
        })
        .collect()
}

fn print(outcomes: &[Outcome], output: &Output) -> Result<(), Box<dyn Error>> {
    if outcomes.is_empty() {
        let prefix = output.only.as_deref().unwrap_or_default();
        return Err(format!("no row starts with {prefix:?}; --list shows those there are").into());
    }
    if output.json {
        println!("{}", report::json(outcomes));
    } else {
        print!("{}", report::table(outcomes));
    }
    Ok(())
}
