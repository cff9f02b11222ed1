//! Varying execution times: every execution of many small systems, one after the other.

mod examples;
mod executions;
mod online;
mod ranges;
mod systems;
