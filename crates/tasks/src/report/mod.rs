//! Schedules, guiders and simulations as text for people and as JSON for programs.
//!
//! JSON has every time twice: in the unit of the file, where a floating-point number is exactly that, and as a
//! whole number of ticks (`…_ticks`), of which `ticks_per_unit` make one unit.

mod graph;
mod json;
mod ranges;
mod rows;
mod schedule;
mod simulated;
mod table;

pub use graph::guider_json;
pub use schedule::ScheduleReport;
pub use simulated::{SimulatedJob, SimulationOutcome, SimulationReport, run_guider, run_varying};

/// Rows of a table that are printed unless all are asked for.
pub const FEW_ROWS: usize = 1000;
