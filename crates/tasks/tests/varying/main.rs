//! Varying execution times: every execution of many small systems, one after the other.

mod executions;
mod online;
mod ranges;
mod systems;
