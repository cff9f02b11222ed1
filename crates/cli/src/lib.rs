//! The command line of Ironbird: one file for each command, and no logic of its own.
//!
//! ```text
//! ironbird run experiment.toml      runs an experiment and judges it
//! ironbird check experiment.toml    says what is wrong with it
//! ironbird types [name]             lists component types, or explains one
//! ironbird ports FILE [component]   lists ports: what they are, what they are linked to
//! ```
//!
//! Exit status: 0 all requirements hold, 1 a requirement failed or stayed undecided, 2 the input is
//! wrong, 3 the run itself failed.

mod arguments;
mod commands;
mod failure;
mod given;
mod held;
mod interrupt;
mod members;
mod output;
mod port_list;
mod progress;
mod ranks;
mod run_summary;
mod summary;
mod target;
mod task_arguments;
mod viewing;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use ironbird_component::Registry;

use arguments::{Arguments, Command};
pub use ranks::{Join, RankOf};

/// The exit status of a run that failed itself.
pub const FAILED: u8 = 3;

/// Does what the command line of this process says, with these component types; as one of several, if `rank` says so.
/// The exit status.
pub fn main(registry: &Registry, rank: Option<RankOf>) -> u8 {
    act(registry, rank, std::env::args_os())
}

/// Goes on with what another process, whose file is `program`, was called with: the exit status. That process has shown
/// the warnings.
pub fn main_inside(registry: &Registry, program: PathBuf, arguments: Vec<OsString>) -> u8 {
    // Nobody else sets it.
    let _ = target::FIRST_PROGRAM.set(program);
    act(registry, None, arguments)
}

fn act(
    registry: &Registry,
    rank: Option<RankOf>,
    arguments: impl IntoIterator<Item = OsString>,
) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            if rank.is_some_and(|rank| rank.number > 0) {
                return 0;
            }
            // Help and version are no errors.
            let status = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return status;
        }
    };
    if let Some(rank) = rank
        && let Some(status) = ranks::act(rank, &arguments.command, registry)
    {
        return output::status(status);
    }
    let done = match &arguments.command {
        Command::Run(arguments) => commands::run::run(arguments, registry),
        Command::Branch(arguments) => commands::branch::branch(arguments, registry),
        Command::Check(arguments) => commands::check::check(arguments, registry),
        Command::Types(arguments) => commands::types::types(arguments, registry),
        Command::Ports(arguments) => commands::ports::ports(arguments, registry),
        Command::Graph(arguments) => commands::graph::graph(arguments, registry),
        Command::Report(arguments) => commands::report::report(arguments),
        Command::View(arguments) => commands::view::view(arguments, registry),
        Command::Replay(arguments) => commands::replay::replay(arguments, registry),
        Command::Export(arguments) => commands::export::export(arguments),
        Command::Verify(arguments) => commands::verify::verify(arguments, registry),
        Command::Compare(arguments) => commands::compare::compare(arguments, registry),
        Command::Identify(arguments) => commands::identify::identify(arguments, registry),
        Command::Trim(arguments) => commands::trim::trim(arguments),
        Command::Tasks(arguments) => commands::tasks::tasks(arguments),
        Command::New(arguments) => commands::new::new(arguments),
        Command::Guard(arguments) => {
            return ironbird_runner::guard(&arguments.command, &arguments.folder);
        }
    };
    match done {
        Ok(status) => output::status(status),
        Err(failure) => {
            failure.print();
            failure.status()
        }
    }
}
