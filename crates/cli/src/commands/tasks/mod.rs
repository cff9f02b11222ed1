//! `ironbird tasks`: when control software runs, and whether it can be simulated in time.

mod guider;
mod import;
mod input;
mod schedule;
mod simulate;
mod study;

use crate::failure::Failure;
use crate::task_arguments::{TasksArguments, TasksWhat};

/// Does what stands behind `tasks`.
pub fn tasks(arguments: &TasksArguments) -> Result<u8, Failure> {
    match &arguments.what {
        TasksWhat::Schedule(arguments) => schedule::schedule(arguments),
        TasksWhat::Guider(arguments) => guider::guider(arguments),
        TasksWhat::Simulate(arguments) => simulate::simulate(arguments),
        TasksWhat::Study(arguments) => study::study(arguments),
        TasksWhat::Import(arguments) => import::import_tasks(arguments),
    }
}
